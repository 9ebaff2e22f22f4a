#include "core/rewrite/shape_mismatch.h"

#include "core/base/saturating_product.h"
#include "core/onnx/node.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// An axis of a value.
struct AxisOf {
    std::string value;
    std::size_t axis = 0;
    AxisFactors factors = {};
};

class MismatchDescription {
public:
    MismatchDescription(const NodeProto& node, const PatchContext& context, const NameOfDimSource& nameOf,
                        const std::string& value)
        : m_node(node)
        , m_context(context)
        , m_nameOf(nameOf)
        , m_value(value)
    {
        for (const std::string& input : node.input()) {
            auto axes = input.empty() ? std::nullopt : context.tracker.axes(input);
            m_inputs.push_back({input, axes ? std::move(*axes) : std::vector<AxisFactors>()});
        }
    }

    std::string run() const
    {
        const std::string& op = m_node.op_type();
        std::string found;
        if (op == "Concat") {
            found = betweenParts();
        } else if (op == "MatMul") {
            found = betweenFactors();
        } else if (isBroadcasting(op)) {
            found = betweenOperands(0);
        }
        return found.empty() ? shapes() : found;
    }

private:
    struct Input {
        std::string name;
        std::vector<AxisFactors> axes; ///< empty if unknown
    };

    /// "N", "3*N", "24".
    std::string text(const AxisFactors& axis) const
    {
        std::int64_t number = 1;
        std::vector<std::string> words;
        for (const AxisFactor& factor : axis) {
            const Dim size =
                factor.isLiteral() ? Dim(factor.size) : m_nameOf(m_context.tracker.sources()[factor.source]);
            if (size.isFixed()) {
                number = saturatingProduct(number, size.size);
            } else {
                words.push_back(size.isUnknown() ? "?" : size.symbol());
            }
        }
        if (number != 1 || words.empty()) {
            words.insert(words.begin(), std::to_string(number));
        }
        return fmt::format("{}", fmt::join(words, "*"));
    }

    std::string shapeNow(const std::vector<AxisFactors>& axes) const
    {
        std::vector<std::string> words(axes.size());
        std::ranges::transform(axes, words.begin(), [this](const AxisFactors& axis) { return text(axis); });
        return fmt::format("[{}]", fmt::join(words, ", "));
    }

    static std::string shapeBefore(const std::vector<AxisFactors>& axes)
    {
        Ints sizes(axes.size());
        std::ranges::transform(axes, sizes.begin(), sizeBefore);
        return fmt::format("[{}]", fmt::join(sizes, ", "));
    }

    /// Describes the conflict between two axes that must have the same length; empty if they do. Shorter axes than
    /// `least` are allowed to differ: an axis of length 1 is broadcast.
    std::string conflict(const AxisOf& a, const AxisOf& b, std::int64_t least = 0) const
    {
        const Sizes before = sizesOf(a.factors, m_context.tracker.sources());
        const Sizes other = sizesOf(b.factors, m_context.tracker.sources());
        bool differs = false;
        for (const std::size_t variant : {1U, 2U}) {
            differs =
                differs || (before[variant] != other[variant] && std::min(before[variant], other[variant]) >= least);
        }
        if (!differs) {
            return {};
        }
        const bool staysA = !isChanging(a.factors);
        if (staysA == !isChanging(b.factors)) {
            return fmt::format("axis {} of {} is now {}, but axis {} of {} is {}", a.axis, a.value, text(a.factors),
                               b.axis, b.value, text(b.factors));
        }
        const AxisOf& stays = staysA ? a : b;
        const AxisOf& follows = staysA ? b : a;
        return fmt::format("axis {} of {}{} stays {}, but axis {} of {} is now {}", stays.axis,
                           m_context.constants.contains(stays.value) ? "the constant " : "", stays.value,
                           text(stays.factors), follows.axis, follows.value, text(follows.factors));
    }

    /// Calls `compare` for each pair of inputs until it returns a conflict.
    template <typename Compare>
    std::string amongInputs(const Compare& compare) const
    {
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            for (std::size_t k = i + 1; k < m_inputs.size(); ++k) {
                if (std::string found = compare(m_inputs[i], m_inputs[k]); !found.empty()) {
                    return found;
                }
            }
        }
        return {};
    }

    std::string betweenParts() const
    {
        return amongInputs([this](const Input& a, const Input& b) {
            const std::size_t joined = axisAt(intAttribute(m_node, "axis", 1), a.axes.size());
            for (std::size_t axis = 0; axis < std::min(a.axes.size(), b.axes.size()); ++axis) {
                std::string found = axis == joined
                                        ? std::string()
                                        : conflict({a.name, axis, a.axes[axis]}, {b.name, axis, b.axes[axis]});
                if (!found.empty()) {
                    return found;
                }
            }
            return std::string();
        });
    }

    /// Compares axes aligned at the last one; the last `skipped` axes are not broadcast.
    std::string betweenOperands(std::size_t skipped) const
    {
        return amongInputs([&](const Input& a, const Input& b) {
            for (std::size_t k = skipped + 1; k <= std::min(a.axes.size(), b.axes.size()); ++k) {
                const std::size_t inA = a.axes.size() - k;
                const std::size_t inB = b.axes.size() - k;
                std::string found = conflict({a.name, inA, a.axes[inA]}, {b.name, inB, b.axes[inB]}, 2);
                if (!found.empty()) {
                    return found;
                }
            }
            return std::string();
        });
    }

    std::string betweenFactors() const
    {
        const Input& a = m_inputs.front();
        const Input& b = m_inputs.back();
        if (a.axes.empty() || b.axes.empty()) {
            return {};
        }
        const std::size_t row = b.axes.size() < 2 ? 0 : b.axes.size() - 2;
        std::string found = conflict({a.name, a.axes.size() - 1, a.axes.back()}, {b.name, row, b.axes[row]});
        return found.empty() ? betweenOperands(2) : found;
    }

    /// The original and new shapes of all dynamic inputs of the node.
    std::string shapes() const
    {
        std::set<std::string> words;
        for (const Input& input : m_inputs) {
            if (!input.axes.empty() && m_context.tracker.isChanging(input.name)) {
                words.insert(fmt::format("{} had the shape {} and now has {}", input.name, shapeBefore(input.axes),
                                         shapeNow(input.axes)));
            }
        }
        const std::string read =
            words.empty() ? "the shapes of its inputs have changed" : fmt::format("{}", fmt::join(words, ", "));
        const auto made =
            m_node.op_type() == "Reshape" ? m_context.sized.before().dims(m_node.output(0)) : std::nullopt;
        if (made) {
            return fmt::format("its output shape is [{}], but {}", fmt::join(*made, ", "), read);
        }
        const auto stays = std::ranges::find(m_inputs, m_value, &Input::name);
        return stays == m_inputs.end() || stays->axes.empty() || m_context.tracker.isChanging(m_value)
                   ? read
                   : fmt::format("{}{} stays {}, but {}", m_context.constants.contains(m_value) ? "the constant " : "",
                                 m_value, shapeBefore(stays->axes), read);
    }

    const NodeProto& m_node;
    const PatchContext& m_context;
    const NameOfDimSource& m_nameOf;
    const std::string& m_value;
    std::vector<Input> m_inputs;
};

} // namespace

std::string describeShapeMismatch(const NodeProto& node, const PatchContext& context, const NameOfDimSource& nameOf,
                                  const std::string& value)
{
    return MismatchDescription(node, context, nameOf, value).run();
}

} // namespace crosswalk
