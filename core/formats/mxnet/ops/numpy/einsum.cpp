// Sums of products by Einstein's convention.

#include "core/base/budget.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/diagonal.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

constexpr int einsumOpset = 12;

/// One letter per axis; the axes of an ellipsis are digits, the last axis 0.
struct Equation {
    std::vector<std::string> operands;
    std::string result;
};

std::string withEllipsis(const NodeContext& ctx, const std::string& labels, std::size_t count)
{
    const std::size_t at = labels.find("...");
    if (at == std::string::npos) {
        return labels;
    }
    std::string digits;
    for (std::size_t i = count; i-- > 0;) {
        digits += static_cast<char>('0' + i);
    }
    const std::string rest = labels.substr(at + 3);
    if (rest.find('.') != std::string::npos || count > 9) {
        ctx.invalid("subscripts may have one ellipsis per tensor, of at most nine axes", "subscripts");
    }
    return labels.substr(0, at) + digits + rest;
}

bool isLabel(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Without an arrow the result has the labels that occur once, in alphabetical order, after the ellipsis.
std::string impliedResult(const std::string& all)
{
    std::string labels;
    for (const char c : all) {
        if (isLabel(c) && std::count(all.begin(), all.end(), c) == 1) {
            labels += c;
        }
    }
    std::sort(labels.begin(), labels.end());
    return (all.find("...") != std::string::npos ? "..." : "") + labels;
}

Equation parsed(const NodeContext& ctx)
{
    std::string text = Attributes(ctx).text("subscripts", "");
    if (text.size() > Budget::equationLength) {
        ctx.invalid(fmt::format("subscripts have at most {} characters", Budget::equationLength), "subscripts");
    }
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    const std::size_t arrow = text.find("->");
    const std::string inputs = text.substr(0, arrow);
    Equation equation{{""}, arrow == std::string::npos ? impliedResult(inputs) : text.substr(arrow + 2)};
    for (const char c : inputs) {
        if (c == ',') {
            equation.operands.emplace_back();
        } else if (isLabel(c) || c == '.') {
            equation.operands.back() += c;
        } else {
            ctx.invalid(fmt::format("{} in subscripts has no meaning", c), "subscripts");
        }
    }
    if (equation.operands.size() != ctx.inputCount()) {
        ctx.invalid(fmt::format("subscripts of {} tensors for {}", equation.operands.size(), ctx.inputCount()),
                    "subscripts");
    }
    std::size_t widest = 0;
    for (std::size_t i = 0; i < equation.operands.size(); ++i) {
        std::string& labels = equation.operands[i];
        const bool hasEllipsis = labels.find('.') != std::string::npos;
        const std::size_t named = labels.size() - (hasEllipsis ? 3 : 0);
        const std::size_t rank = ctx.rank(ctx.input(i));
        if (hasEllipsis ? named > rank : named != rank) {
            ctx.invalid(fmt::format("subscripts {} for {} dimensions", labels, rank), "subscripts");
        }
        widest = std::max(widest, hasEllipsis ? rank - named : 0);
        labels = withEllipsis(ctx, labels, rank - named);
    }
    equation.result = withEllipsis(ctx, equation.result, widest);
    return equation;
}

/// x with each label once: a repeated label selects the diagonal.
OnnxValue withoutRepeats(const NodeContext& ctx, OnnxValue x, std::string& labels)
{
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::size_t again = labels.find(labels[i], i + 1);
        if (again == std::string::npos) {
            continue;
        }
        const char label = labels[i];
        x = diagonalAlong(ctx, x, static_cast<std::int64_t>(i), static_cast<std::int64_t>(again), 0);
        labels.erase(again, 1);
        labels.erase(i, 1);
        labels += label;
        return withoutRepeats(ctx, x, labels);
    }
    return x;
}

/// x with an axis for each of `all`, of size one for a label that x does not have.
OnnxValue spread(const NodeContext& ctx, OnnxValue x, const std::string& labels, const std::string& all)
{
    Ints permutation;
    Ints missing;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t place = labels.find(all[i]);
        if (place == std::string::npos) {
            missing.push_back(static_cast<std::int64_t>(i));
        } else {
            permutation.push_back(static_cast<std::int64_t>(place));
        }
    }
    return emit::unsqueeze(ctx, emit::transpose(ctx, x, permutation), missing);
}

/// The sum of the products, broadcast over all labels.
OnnxValue composed(const NodeContext& ctx, const OnnxValues& operands, Equation equation)
{
    std::string all = equation.result;
    for (const std::string& labels : equation.operands) {
        for (const char label : labels) {
            if (all.find(label) == std::string::npos) {
                all += label;
            }
        }
    }
    OnnxValue y;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const OnnxValue single = withoutRepeats(ctx, operands[i], equation.operands[i]);
        const OnnxValue factor = spread(ctx, single, equation.operands[i], all);
        y = y ? ctx.emit("Mul", {y, factor}) : factor;
    }
    Ints summed;
    for (std::size_t i = equation.result.size(); i < all.size(); ++i) {
        summed.push_back(static_cast<std::int64_t>(i));
    }
    return summed.empty() ? y : emit::reduce(ctx, "ReduceSum", y, summed, false);
}

std::string written(const NodeContext& ctx, const Equation& equation)
{
    // ONNX requires letters, and ONNX Runtime rejects an ellipsis that some tensors lack: digits become unused letters.
    std::string free;
    std::string all;
    for (const std::string& labels : equation.operands) {
        all += labels;
    }
    for (char c = 'a'; c <= 'z'; ++c) {
        free += all.find(c) == std::string::npos ? std::string(1, c) : "";
    }
    const auto letters = [&](std::string labels) {
        for (char& c : labels) {
            if (c >= '0' && c <= '9') {
                const auto place = static_cast<std::size_t>(c - '0');
                if (place >= free.size()) {
                    ctx.refuse("subscripts of more axes than there are letters", "subscripts");
                }
                c = free[free.size() - 1 - place];
            }
        }
        return labels;
    };
    std::string text;
    for (const std::string& labels : equation.operands) {
        text += (text.empty() && &labels == &equation.operands.front() ? "" : ",") + letters(labels);
    }
    return text + "->" + letters(equation.result);
}

/// Whether a label has dimensions of different sizes (one of them 1), which ONNX does not broadcast.
bool broadcasts(const NodeContext& ctx, const Equation& equation)
{
    std::vector<std::pair<char, Dim>> seen;
    for (std::size_t i = 0; i < equation.operands.size(); ++i) {
        for (std::size_t axis = 0; axis < equation.operands[i].size(); ++axis) {
            const char label = equation.operands[i][axis];
            const Dim& dim = ctx.shape(ctx.input(i))[axis];
            const auto same = std::find_if(seen.begin(), seen.end(), [&](const auto& s) { return s.first == label; });
            if (same != seen.end() && same->second != dim) {
                return true;
            }
            seen.emplace_back(label, dim);
        }
    }
    return false;
}

OnnxValues einsum(NodeContext& ctx)
{
    const Equation equation = parsed(ctx);
    const ElementType own = ctx.element(ctx.input(0));
    const ElementType type = own == ElementType::Float16 ? ElementType::Float32 : widened(own);
    OnnxValues operands;
    for (const OnnxValue x : ctx.inputs()) {
        if (ctx.element(x) != own) {
            ctx.invalid("einsum of different types", "subscripts");
        }
        operands.push_back(emit::cast(ctx, x, type));
    }
    if (ctx.onnx.opset() < einsumOpset || broadcasts(ctx, equation)) {
        return {emit::cast(ctx, composed(ctx, operands, equation), own)};
    }
    return {emit::cast(ctx, ctx.emit("Einsum", operands, {{"equation", written(ctx, equation)}}), own)};
}

} // namespace

std::span<const OpRow> numpyEinsumOps()
{
    static constexpr OpRow rows[] = {
        {"_npi_einsum", einsum, "Einsum, or Mul and ReduceSum"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
