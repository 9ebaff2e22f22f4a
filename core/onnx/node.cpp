#include "core/onnx/node.h"

#include <algorithm>
#include <vector>

namespace crosswalk {
namespace {

auto* findIn(auto& attributes, std::string_view name)
{
    const auto found =
        std::find_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.name() == name; });
    return found == attributes.end() ? nullptr : &*found;
}

} // namespace

bool isOperator(const ::onnx::NodeProto& node, std::string_view op)
{
    return node.domain().empty() && node.op_type() == op;
}

const ::onnx::AttributeProto* findAttribute(const ::onnx::NodeProto& node, std::string_view name)
{
    return findIn(node.attribute(), name);
}

::onnx::AttributeProto* findAttribute(::onnx::NodeProto& node, std::string_view name)
{
    return findIn(*node.mutable_attribute(), name);
}

std::int64_t intAttribute(const ::onnx::NodeProto& node, std::string_view name, std::int64_t fallback)
{
    const auto* attribute = findAttribute(node, name);
    return attribute != nullptr ? attribute->i() : fallback;
}

float floatAttribute(const ::onnx::NodeProto& node, std::string_view name, float fallback)
{
    const auto* attribute = findAttribute(node, name);
    return attribute != nullptr ? attribute->f() : fallback;
}

void addInt(::onnx::NodeProto& node, const char* name, std::int64_t value)
{
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::INT);
    attribute->set_i(value);
}

void addInts(::onnx::NodeProto& node, const char* name, std::span<const std::int64_t> values)
{
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::INTS);
    attribute->mutable_ints()->Add(values.begin(), values.end());
}

std::size_t axisAt(std::int64_t axis, std::size_t rank)
{
    return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

bool isPermutation(std::span<const std::int64_t> axes)
{
    std::vector<std::int64_t> sorted(axes.begin(), axes.end());
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (sorted[i] != static_cast<std::int64_t>(i)) {
            return false;
        }
    }
    return true;
}

std::string inputOf(const ::onnx::NodeProto& node, int index)
{
    return index < node.input_size() ? node.input(index) : std::string();
}

bool hasBody(const ::onnx::NodeProto& node)
{
    return std::any_of(node.attribute().begin(), node.attribute().end(),
                       [](const auto& attribute) { return attribute.has_g() || attribute.graphs_size() > 0; });
}

bool isRandom(std::string_view op)
{
    return op.starts_with("Random") || op == "Bernoulli" || op == "Multinomial" || op == "Dropout";
}

} // namespace crosswalk
