#include "core/rewrite/symbolic_shapes.h"

#include "core/graph/generated_names.h"
#include "core/onnx/external_stubs.h"
#include "core/rewrite/concrete_inference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace crosswalk {
namespace {

constexpr int mostNodes = 3000;
constexpr std::size_t mostSymbols = 5;
/// Sizes are multiples of a number with many divisors, so that the divisions of strides leave no rest; the smaller ones
/// are for models that limit their inputs, such as the positions of a sequence.
constexpr std::array<std::int64_t, 4> units = {3840, 64, 8, 2};

using Values = Ints;

/// Sizes of the symbols, by their number.
std::int64_t firstSize(std::size_t symbol, std::int64_t unit)
{
    return unit * static_cast<std::int64_t>(2 + 3 * symbol); // different for each: they are told apart
}

/// The points at which the model is inferred: the first sizes, then for each symbol two others, then others for all.
std::vector<Values> points(std::size_t symbols, std::int64_t unit)
{
    Values first;
    for (std::size_t i = 0; i < symbols; ++i) {
        first.push_back(firstSize(i, unit));
    }
    std::vector<Values> all{first};
    for (std::size_t i = 0; i < symbols; ++i) {
        for (const std::int64_t step : {1, 2}) {
            all.push_back(first);
            all.back()[i] += step * unit;
        }
    }
    all.push_back(first);
    for (std::int64_t& size : all.back()) {
        size += unit;
    }
    return all;
}

struct Ratio {
    std::int64_t over = 0;
    std::int64_t under = 1;
};

Ratio ratio(std::int64_t over, std::int64_t under)
{
    const std::int64_t common = std::max<std::int64_t>(std::gcd(over, under), 1);
    return {over / common, under / common};
}

/// "H", "2·H", "H/2".
std::string productText(Ratio factor, const std::string& symbols)
{
    std::string text = factor.over == 1 ? symbols : fmt::format("{}\u00b7{}", factor.over, symbols);
    return factor.under == 1 ? text : fmt::format("{}/{}", text, factor.under);
}

/// A sum of one term for each symbol and a number; unknown if the dimension is none.
Dim sum(const std::vector<std::string>& symbols, const std::vector<Values>& at, const Values& dim)
{
    std::string text;
    std::int64_t rest = dim[0];
    std::int64_t last = 0;
    int terms = 0;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const std::int64_t step = at[1 + 2 * i][i] - at[0][i];
        const std::int64_t rise = dim[1 + 2 * i] - dim[0];
        if (dim[2 + 2 * i] - dim[0] != 2 * rise || rise < 0) {
            return {};
        }
        if (rise > 0) {
            const Ratio slope = ratio(rise, step);
            if (slope.over * at[0][i] % slope.under != 0) {
                return {};
            }
            rest -= slope.over * at[0][i] / slope.under;
            last += slope.over * at.back()[i] / slope.under;
            text += (terms++ > 0 ? "+" : "") + productText(slope, symbols[i]);
        }
    }
    if (dim.back() != last + rest) {
        return {};
    }
    if (rest != 0) {
        text += fmt::format("{:+}", rest);
    }
    return Dim(terms > 1 || rest != 0 ? '(' + text + ')' : text);
}

/// A product of symbols and a number; unknown if the dimension is none.
Dim productOf(const std::vector<std::string>& symbols, const std::vector<Values>& at, const Values& dim)
{
    std::string names;
    Ratio factor{dim[0], 1};
    auto last = static_cast<double>(dim[0]);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (dim[1 + 2 * i] == dim[0] && dim[2 + 2 * i] == dim[0]) {
            continue;
        }
        for (const std::size_t k : {1 + 2 * i, 2 + 2 * i}) {
            std::int64_t left = 0;
            std::int64_t right = 0;
            if (__builtin_mul_overflow(dim[k], at[0][i], &left) || __builtin_mul_overflow(dim[0], at[k][i], &right) ||
                left != right) {
                return {};
            }
        }
        names += (names.empty() ? "" : "\u00b7") + symbols[i];
        factor = ratio(factor.over, factor.under);
        const Ratio next = ratio(factor.over, at[0][i]);
        if (__builtin_mul_overflow(factor.under, next.under, &factor.under)) {
            return {};
        }
        factor.over = next.over;
        last *= static_cast<double>(at.back()[i]) / static_cast<double>(at[0][i]);
    }
    const bool isProduct = std::abs(last - static_cast<double>(dim.back())) < 0.5;
    return isProduct ? Dim(productText(factor, names)) : Dim();
}

Dim expression(const std::vector<std::string>& symbols, const std::vector<Values>& at, const Values& dim)
{
    if (std::ranges::all_of(dim, [&](std::int64_t size) { return size == dim[0]; })) {
        return dim[0];
    }
    const Dim text = sum(symbols, at, dim);
    return text.isUnknown() ? productOf(symbols, at, dim) : text;
}

std::set<std::string> symbolsOf(const ::onnx::GraphProto& graph)
{
    std::set<std::string> symbols;
    for (const auto& input : graph.input()) {
        for (const auto& dim : input.type().tensor_type().shape().dim()) {
            if (dim.has_dim_param() && !dim.dim_param().empty() && !isGeneratedSymbol(dim.dim_param())) {
                symbols.insert(dim.dim_param());
            }
        }
    }
    return symbols;
}

/// The model inferred with these sizes. Counts the nodes that do not accept their inputs.
ConcreteInference inferredAt(const ::onnx::ModelProto& model, const std::map<std::string, std::int64_t>& sizes,
                             std::size_t& misfits)
{
    ConcreteInference inference(model);
    for (const auto& input : model.graph().input()) {
        ::onnx::TypeProto type = input.type();
        for (auto& dim : *type.mutable_tensor_type()->mutable_shape()->mutable_dim()) {
            if (const auto size = sizes.find(dim.dim_param()); dim.has_dim_param() && size != sizes.end()) {
                dim.set_dim_value(size->second);
            }
        }
        if (input.type().has_tensor_type() && input.type().tensor_type().has_shape()) {
            inference.setInput(input.name(), type);
        }
    }
    for (const auto& node : model.graph().node()) {
        misfits += inference.infer(node) ? 1 : 0;
    }
    return inference;
}

struct Inferred {
    std::vector<Values> at;
    std::deque<ConcreteInference> models; ///< by point
    std::size_t misfits = 0;
};

/// The model inferred at the points of a unit. Nothing if stopped.
std::optional<Inferred> inferredWith(const ::onnx::ModelProto& model, const std::vector<std::string>& symbols,
                                     std::int64_t unit, const std::stop_token& stop)
{
    Inferred result{.at = points(symbols.size(), unit), .models = {}};
    for (const Values& point : result.at) {
        if (stop.stop_requested()) {
            return std::nullopt;
        }
        std::map<std::string, std::int64_t> sizes;
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            sizes[symbols[i]] = point[i];
        }
        result.models.push_back(inferredAt(model, sizes, result.misfits));
    }
    return result;
}

} // namespace

NamedShapes symbolicShapes(const OnnxModel& model, const std::stop_token& stop)
{
    const ::onnx::GraphProto& graph = model.proto->graph();
    const std::set<std::string> found = symbolsOf(graph);
    const std::vector<std::string> symbols(found.begin(), found.end());
    if (symbols.empty() || symbols.size() > mostSymbols || graph.node_size() > mostNodes) {
        return {};
    }
    ::google::protobuf::Arena arena;
    const ::onnx::ModelProto& stubs = withExternalStubs(model, arena);
    std::optional<Inferred> best;
    for (const std::int64_t unit : units) {
        std::optional<Inferred> inferred = inferredWith(stubs, symbols, unit, stop);
        if (!inferred) {
            return {};
        }
        if (!best || inferred->misfits < best->misfits) {
            best = std::move(inferred);
        }
        if (best->misfits == 0) {
            break;
        }
    }
    NamedShapes shapes;
    for (const auto& node : graph.node()) {
        for (const std::string& output : node.output()) {
            std::vector<Values> dims; // by point
            for (const ConcreteInference& one : best->models) {
                if (auto known = one.dims(output); known && (dims.empty() || dims[0].size() == known->size())) {
                    dims.push_back(std::move(*known));
                }
            }
            if (dims.size() != best->models.size()) {
                continue;
            }
            Shape shape;
            for (std::size_t axis = 0; axis < dims[0].size(); ++axis) {
                Values dim;
                std::ranges::transform(dims, std::back_inserter(dim), [axis](const Values& all) { return all[axis]; });
                shape.push_back(expression(symbols, best->at, dim));
            }
            shapes.emplace(output, std::move(shape));
        }
    }
    return shapes;
}

} // namespace crosswalk
