#pragma once

#include "tests/support/computed.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <random>

/// Cells unrolled over time, as text for textGraph, and functions to compare the results of two forms of a layer.
namespace crosswalk::test {

inline constexpr int features = 3;
inline constexpr int units = 4;

/// A cell with its weights; step() writes its nodes for one step.
struct Cell {
    std::string kind; ///< lstm, gru, rnn_tanh, rnn_relu
    std::string name;
    int inputs = features;
    std::string order = "ifgo"; ///< lstm: order of the gates in its matrices
    int projection = 0;         ///< lstm: projection size of h; 0: none

    int gates() const { return kind == "lstm" ? 4 : kind == "gru" ? 3 : 1; }

    int outputs() const { return projection > 0 ? projection : units; }

    std::string weights() const
    {
        return fmt::format("{0}_i2h_weight = weight {1}x{2}\n{0}_i2h_bias = weight {1}\n"
                           "{0}_h2h_weight = weight {1}x{3}\n{0}_h2h_bias = weight {1}\n",
                           name, gates() * units, inputs, outputs()) +
               (projection > 0 ? fmt::format("{}_h2r_weight = weight {}x{}\n", name, projection, units) : "");
    }

    /// Reads the state {p}_h and {p}_c and writes {q}_h and {q}_c.
    std::string step(const std::string& x, const std::string& p, const std::string& q) const
    {
        std::string text = fmt::format("{q}_i2h = FullyConnected({x},{n}_i2h_weight,{n}_i2h_bias) num_hidden={r}\n"
                                       "{q}_h2h = FullyConnected({p}_h,{n}_h2h_weight,{n}_h2h_bias) num_hidden={r}\n",
                                       fmt::arg("q", q), fmt::arg("p", p), fmt::arg("x", x), fmt::arg("n", name),
                                       fmt::arg("r", gates() * units));
        const auto add = [&](std::string_view lines) {
            text += fmt::format(fmt::runtime(lines), fmt::arg("q", q), fmt::arg("p", p));
        };
        if (kind == "lstm") {
            text += fmt::format("{0}_sum = elemwise_add({0}_i2h,{0}_h2h)\n"
                                "{0}_{1}, {0}_{2}, {0}_{3}, {0}_{4} = SliceChannel({0}_sum) num_outputs=4\n",
                                q, order[0], order[1], order[2], order[3]);
            add("{q}_is = sigmoid({q}_i)\n{q}_fs = Activation({q}_f) act_type=sigmoid\n{q}_gt = tanh({q}_g)\n"
                "{q}_os = sigmoid({q}_o)\n{q}_kept = elemwise_mul({q}_fs,{p}_c)\n{q}_new = "
                "elemwise_mul({q}_is,{q}_gt)\n"
                "{q}_c = elemwise_add({q}_kept,{q}_new)\n{q}_ct = Activation({q}_c) act_type=tanh\n"
                "{q}_m = elemwise_mul({q}_os,{q}_ct)\n");
            text += projection > 0 ? fmt::format("{0}_h = FullyConnected({0}_m,{1}_h2r_weight) num_hidden={2} "
                                                 "no_bias=True\n",
                                                 q, name, projection)
                                   : fmt::format("{0}_h = _copy({0}_m)\n", q);
        } else if (kind == "gru") {
            add("{q}_ir, {q}_iz, {q}_in = SliceChannel({q}_i2h) num_outputs=3\n"
                "{q}_hr, {q}_hz, {q}_hn = SliceChannel({q}_h2h) num_outputs=3\n"
                "{q}_rs = elemwise_add({q}_ir,{q}_hr)\n{q}_r = Activation({q}_rs) act_type=sigmoid\n"
                "{q}_zs = elemwise_add({q}_iz,{q}_hz)\n{q}_z = Activation({q}_zs) act_type=sigmoid\n"
                "{q}_rh = elemwise_mul({q}_r,{q}_hn)\n{q}_ns = elemwise_add({q}_in,{q}_rh)\n"
                "{q}_n = Activation({q}_ns) act_type=tanh\n{q}_y = _rminus_scalar({q}_z) scalar=1.0\n"
                "{q}_fresh = elemwise_mul({q}_y,{q}_n)\n{q}_old = elemwise_mul({q}_z,{p}_h)\n"
                "{q}_h = elemwise_add({q}_fresh,{q}_old)\n");
        } else {
            add("{q}_sum = elemwise_add({q}_i2h,{q}_h2h)\n");
            add(kind == "rnn_tanh" ? "{q}_h = tanh({q}_sum)\n" : "{q}_h = relu({q}_sum)\n");
        }
        return text;
    }

    std::string begin() const
    {
        return fmt::format("{0}b_h = _zeros() shape=(0,{1})\n{0}b_c = _zeros() shape=(0,{2})\n", name, outputs(),
                           units);
    }
};

inline std::string join(int steps, const std::string& one, bool backward = false)
{
    std::string list;
    for (int t = 0; t < steps; ++t) {
        const int at = backward ? steps - 1 - t : t;
        list += (list.empty() ? "" : ",") + fmt::format(fmt::runtime(one), at);
    }
    return list;
}

inline std::string sliced(int steps, int axis)
{
    std::string names;
    for (int t = 0; t < steps; ++t) {
        names += (t == 0 ? "" : ", ") + fmt::format("x{}", t);
    }
    return fmt::format("{} = SliceChannel(x) num_outputs={} axis={} squeeze_axis=1\n", names, steps, axis);
}

/// All steps of a cell over the inputs x0, x1, ... (or `input`); the values of step t are {name}{t}_h and so on.
inline std::string unrolled(const Cell& cell, int steps, const std::string& input = "x{}", bool backward = false)
{
    std::string text = cell.weights() + cell.begin();
    for (int i = 0; i < steps; ++i) {
        const int t = backward ? steps - 1 - i : i;
        const std::string before = i == 0 ? cell.name + "b" : fmt::format("{}{}", cell.name, backward ? t + 1 : t - 1);
        text += cell.step(fmt::format(fmt::runtime(input), t), before, fmt::format("{}{}", cell.name, t));
    }
    return text;
}

inline Tensor noise(std::vector<std::int64_t> dims, unsigned seed)
{
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) {
        count *= dim;
    }
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) {
        value = uniform(generator);
    }
    return test::floats(std::move(dims), values);
}

/// The largest difference between two results, in float32 rounding steps, as a different order of summation may cause.
inline double difference(const std::vector<Tensor>& a, const std::vector<Tensor>& b)
{
    double worst = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        const auto x = a[i].toDoubles();
        const auto y = b[i].toDoubles();
        worst = a[i].dims() == b[i].dims() ? worst : 1;
        for (std::size_t k = 0; k < x.size() && k < y.size(); ++k) {
            worst = std::max(worst, std::abs(x[k] - y[k]) / std::max(1.0, std::abs(y[k])));
        }
    }
    return worst;
}

// A few sums of at most 20 terms per step, over at most 100 steps of contracting cells.
inline constexpr double roundingOnly = 2e-5;

} // namespace crosswalk::test
