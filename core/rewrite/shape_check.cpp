#include "core/rewrite/shape_check.h"

#include "core/base/saturating_product.h"
#include "core/onnx/node.h"
#include "core/onnx/opsets.h"
#include "core/rewrite/axis_factors.h"

#include <algorithm>
#include <map>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;
using Dims = Ints;
using Mismatch = std::optional<std::string>;

/// The tensors of a node at concrete sizes.
class ShapeCheck {
public:
    ShapeCheck(const NodeProto& node, const DimsOf& dims)
        : m_node(node)
        , m_dims(dims)
    {
    }

    /// The dimensions of an input; nothing if it is omitted or unknown.
    std::optional<Dims> input(int index) const
    {
        const std::string name = inputOf(m_node, index);
        return name.empty() ? std::nullopt : m_dims(name);
    }
    std::optional<Dims> output() const { return m_node.output_size() > 0 ? m_dims(m_node.output(0)) : std::nullopt; }
    std::string inputName(int index) const { return m_node.input(index); }
    std::int64_t attribute(std::string_view name, std::int64_t fallback) const
    {
        return intAttribute(m_node, name, fallback);
    }

    Mismatch elements() const
    {
        const auto in = input(0);
        const auto out = output();
        if (!in || !out || saturatingProduct(*in) == saturatingProduct(*out)) {
            return std::nullopt;
        }
        return m_node.output(0);
    }

    /// Checks that an input can be broadcast to `over`, aligned at the last axes.
    Mismatch broadcasts(int index, const std::optional<Dims>& over) const
    {
        const auto small = input(index);
        if (!small || !over) {
            return std::nullopt;
        }
        bool fits = small->size() <= over->size();
        for (std::size_t k = 1; fits && k <= small->size(); ++k) {
            const std::int64_t size = (*small)[small->size() - k];
            fits = size == 1 || size == (*over)[over->size() - k];
        }
        return fits ? std::nullopt : Mismatch(m_node.input(index));
    }

    /// Checks that an axis of an input is as long as an axis of the first input.
    Mismatch same(int index, std::size_t axis, std::size_t firstAxis) const
    {
        const auto first = input(0);
        const auto other = input(index);
        if (!first || !other || firstAxis >= first->size() || axis >= other->size() ||
            (*other)[axis] == (*first)[firstAxis]) {
            return std::nullopt;
        }
        return m_node.input(index);
    }

    /// Checks the indices of GatherElements and ScatterElements: along all other axes they must not exceed the data.
    Mismatch elementIndices(int index) const
    {
        const auto data = input(0);
        const auto indices = input(index);
        if (!data || !indices || data->size() != indices->size()) {
            return std::nullopt;
        }
        const std::size_t indexedAxis = axisAt(attribute("axis", 0), data->size());
        for (std::size_t axis = 0; axis < data->size(); ++axis) {
            if (axis != indexedAxis && (*indices)[axis] > (*data)[axis]) {
                return m_node.input(index);
            }
        }
        return std::nullopt;
    }

    Mismatch equal(int index, const std::optional<Dims>& wanted) const
    {
        const auto own = input(index);
        if (!own || !wanted || *own == *wanted) {
            return std::nullopt;
        }
        return m_node.input(index);
    }

    /// Checks that each index of an Einsum has one length.
    Mismatch einsumIndices() const
    {
        const auto* given = findAttribute(m_node, "equation");
        if (given == nullptr || given->s().find('.') != std::string::npos) {
            return std::nullopt;
        }
        const std::string equation = given->s().substr(0, given->s().find("->"));
        std::map<char, std::int64_t> lengths;
        int index = 0;
        std::size_t axis = 0;
        auto dims = input(index);
        for (const char letter : equation) {
            if (letter == ',') {
                dims = input(++index);
                axis = 0;
            } else if (letter != ' ') {
                const std::int64_t size = dims && axis < dims->size() ? (*dims)[axis] : 1;
                std::int64_t& known = lengths.try_emplace(letter, size).first->second;
                if (known != size && known != 1 && size != 1) {
                    return m_node.input(index);
                }
                known = std::max(known, size);
                ++axis;
            }
        }
        return std::nullopt;
    }

private:
    const NodeProto& m_node;
    const DimsOf& m_dims;
};

Mismatch firstOf(std::initializer_list<Mismatch> found)
{
    const auto* first = std::find_if(found.begin(), found.end(), [](const Mismatch& m) { return m.has_value(); });
    return first == found.end() ? std::nullopt : *first;
}

Mismatch checkRecurrent(const ShapeCheck& check)
{
    const std::size_t batch = check.attribute("layout", 0) != 0 ? 0 : 1;
    return firstOf(
        {check.same(1, 2, 2), check.same(4, 0, batch), check.same(5, batch, batch), check.same(6, batch, batch)});
}

Mismatch checkGatherND(const ShapeCheck& check)
{
    const auto indices = check.input(1);
    const std::int64_t shared = check.attribute("batch_dims", 0);
    for (std::size_t axis = 0; indices && axis < indices->size() && static_cast<std::int64_t>(axis) < shared; ++axis) {
        if (Mismatch found = check.same(1, axis, axis)) {
            return found;
        }
    }
    return std::nullopt;
}

Mismatch checkScatterND(const ShapeCheck& check)
{
    const auto data = check.input(0);
    auto wanted = check.input(1);
    if (!data || !wanted || wanted->empty() || wanted->back() < 0 ||
        wanted->back() > static_cast<std::int64_t>(data->size())) {
        return std::nullopt;
    }
    const std::int64_t depth = wanted->back();
    wanted->pop_back();
    wanted->insert(wanted->end(), data->iteratorAt(depth), data->end());
    return check.equal(2, wanted);
}

/// The scale is a scalar, or has one element per index of an axis.
Mismatch checkScale(const ShapeCheck& check)
{
    const auto scale = check.input(1);
    const auto data = check.input(0);
    if (!scale || !data || scale->size() != 1 || scale->front() == 1 || data->empty()) {
        return std::nullopt;
    }
    return check.same(1, 0, axisAt(check.attribute("axis", 1), data->size()));
}

/// Each group of filters reads as many channels as it has weights for.
Mismatch checkConvolution(const ShapeCheck& check)
{
    const auto data = check.input(0);
    const auto weights = check.input(1);
    if (!data || !weights || data->size() < 2 || weights->size() < 2 ||
        (*data)[1] == saturatingProduct((*weights)[1], check.attribute("group", 1))) {
        return std::nullopt;
    }
    return check.inputName(1);
}

struct Rule {
    std::string_view op;
    Mismatch (*check)(const ShapeCheck& check);
};

constexpr Rule rules[] = {
    {"BatchNormalization",
     [](const ShapeCheck& check) {
         return firstOf({check.same(1, 0, 1), check.same(2, 0, 1), check.same(3, 0, 1), check.same(4, 0, 1)});
     }},
    {"Conv", checkConvolution},
    {"ConvTranspose", [](const ShapeCheck& check) { return check.same(1, 0, 1); }},
    {"DeformConv",
     [](const ShapeCheck& check) {
         return firstOf({check.same(2, 0, 0), check.same(4, 0, 0)});
     }},
    {"DequantizeLinear", checkScale},
    {"Einsum", [](const ShapeCheck& check) { return check.einsumIndices(); }},
    {"GRU", checkRecurrent},
    {"GatherElements", [](const ShapeCheck& check) { return check.elementIndices(1); }},
    {"GatherND", checkGatherND},
    {"Gemm", [](const ShapeCheck& check) { return check.broadcasts(2, check.output()); }},
    {"GridSample", [](const ShapeCheck& check) { return check.same(1, 0, 0); }},
    {"InstanceNormalization",
     [](const ShapeCheck& check) {
         return firstOf({check.same(1, 0, 1), check.same(2, 0, 1)});
     }},
    {"LSTM", checkRecurrent},
    {"LayerNormalization",
     [](const ShapeCheck& check) {
         return firstOf({check.broadcasts(1, check.input(0)), check.broadcasts(2, check.input(0))});
     }},
    {"NonMaxSuppression", [](const ShapeCheck& check) { return check.same(1, 0, 0); }},
    {"PRelu", [](const ShapeCheck& check) { return check.broadcasts(1, check.input(0)); }},
    {"QuantizeLinear", checkScale},
    {"RNN", checkRecurrent},
    {"Reshape", [](const ShapeCheck& check) { return check.elements(); }},
    {"ReverseSequence",
     [](const ShapeCheck& check) {
         return check.same(1, 0, static_cast<std::size_t>(check.attribute("batch_axis", 1)));
     }},
    {"ScatterElements",
     [](const ShapeCheck& check) {
         return firstOf({check.elementIndices(1), check.equal(2, check.input(1))});
     }},
    {"ScatterND", checkScatterND},
};

} // namespace

std::optional<std::string> findShapeMismatch(const NodeProto& node, const DimsOf& dims)
{
    if (!isOnnxDomain(node.domain())) {
        return std::nullopt;
    }
    const auto* rule = std::find_if(std::begin(rules), std::end(rules),
                                    [&](const Rule& candidate) { return candidate.op == node.op_type(); });
    return rule == std::end(rules) ? std::nullopt : rule->check(ShapeCheck(node, dims));
}

} // namespace crosswalk
