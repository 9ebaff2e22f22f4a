#include "core/formats/pytorch/lowering/view_calls.h"

#include "core/formats/pytorch/argument_names.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

constexpr std::string_view atenSpace = "aten::";

/// An operator to be called, with the arguments of a node as far as it has them.
struct Call {
    std::string op;
    std::vector<std::pair<std::string, ValueId>> inputs;
    std::vector<Attribute> attributes;
};

/// The node's operator and arguments, without `self` and what describes the node.
Call callOf(const Node& node)
{
    static constexpr auto own = std::to_array<std::string_view>({argumentNames, computedNumbers, overloadName});
    Call call{.op = node.op, .inputs = {}, .attributes = {}};
    const auto* names = attributeOf<std::vector<std::string>>(node, argumentNames);
    for (std::size_t i = 1; names != nullptr && i < node.inputs.size() && i < names->size(); ++i) {
        call.inputs.emplace_back((*names)[i], node.inputs[i]);
    }
    for (const Attribute& attribute : node.attributes) {
        if (std::ranges::find(own, attribute.name) == own.end()) {
            call.attributes.push_back(attribute);
        }
    }
    return call;
}

void set(Call& call, std::string_view name, std::int64_t value)
{
    std::erase_if(call.attributes, [&](const Attribute& attribute) { return attribute.name == name; });
    std::erase_if(call.inputs, [&](const auto& input) { return input.first == name; });
    call.attributes.push_back({std::string(name), value});
}

ValueIds emit(Graph& graph, const GraphPath& path, Call call, ValueId self, NodeId origin, std::size_t outputs = 1)
{
    std::vector<std::string> names{"self"};
    std::vector<std::string> numbers;
    ValueIds inputs{self};
    for (const auto& [name, value] : call.inputs) {
        names.push_back(name);
        inputs.push_back(value);
        if (name != "src" && name != "other") { // arguments of views are numbers
            numbers.push_back(name);
        }
    }
    call.attributes.push_back({std::string(argumentNames), std::move(names)});
    if (!numbers.empty()) {
        call.attributes.push_back({std::string(computedNumbers), std::move(numbers)});
    }
    const NodeId made = graph.addNode({.op = std::move(call.op),
                                       .name = graph.node(origin).name,
                                       .inputs = std::move(inputs),
                                       .attributes = std::move(call.attributes),
                                       .origins = {{path, origin}}});
    ValueIds results;
    for (std::size_t i = 0; i < outputs; ++i) {
        results.push_back(graph.addOutput(made, fmt::format("{}#{}", graph.node(made).op, made.index)));
    }
    return results;
}

/// The positions of a part along the axis, if all sizes are known.
std::optional<std::pair<std::int64_t, std::int64_t>> rangeOf(const Graph& graph, const Node& view, std::size_t output)
{
    const auto* dim = attributeOf<std::int64_t>(view, "dim");
    std::int64_t start = 0;
    for (std::size_t i = 0; i < view.outputs.size(); ++i) {
        const auto& shape = graph.value(view.outputs[i]).type.shape;
        const auto rank = static_cast<std::int64_t>(shape ? shape->size() : 0);
        const std::int64_t axis = (dim != nullptr ? *dim : 0) + (dim != nullptr && *dim < 0 ? rank : 0);
        if (axis < 0 || axis >= rank || !(*shape)[static_cast<std::size_t>(axis)].isFixed()) {
            return std::nullopt;
        }
        const std::int64_t size = (*shape)[static_cast<std::size_t>(axis)].size;
        if (i == output) {
            return std::pair(start, start + size);
        }
        start += size;
    }
    return std::nullopt;
}

Ints inversePermutation(const Node& permute)
{
    const auto* dims = attributeOf<Ints>(permute, "dims");
    const auto rank = static_cast<std::int64_t>(dims != nullptr ? dims->size() : 0);
    Ints inverse(static_cast<std::size_t>(rank));
    for (std::int64_t i = 0; i < rank; ++i) {
        const std::int64_t axis = (*dims)[static_cast<std::size_t>(i)];
        if (axis < -rank || axis >= rank) {
            return {};
        }
        inverse[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = i;
    }
    return inverse;
}

} // namespace

ValueId ViewCalls::view(ValueId base, NodeId view, std::size_t output, ValueId value, NodeId origin)
{
    const Node made = m_graph.node(view);
    Call call = callOf(made);
    const ValueId result = emit(m_graph, m_path, std::move(call), base, origin, made.outputs.size()).at(output);
    m_graph.value(result).type = m_graph.value(value).type;
    return result;
}

ValueId ViewCalls::alias(ValueId value, NodeId origin)
{
    const ValueId result =
        emit(m_graph, m_path, {.op = "aten::alias", .inputs = {}, .attributes = {}}, value, origin).front();
    m_graph.value(result).type = m_graph.value(value).type;
    return result;
}

ValueId ViewCalls::withPart(ValueId base, NodeId viewNode, std::size_t output, ValueId part, NodeId origin)
{
    const Node view = m_graph.node(viewNode); // a copy: nodes are added
    Call call = callOf(view);
    const std::string_view name = std::string_view(view.op).substr(atenSpace.size());
    ValueId self = base;
    const auto into = [&](const char* op) {
        call.op = op;
        call.inputs.emplace_back("src", part);
    };
    if (name == "select" || name == "slice" || name == "diagonal" || name == "as_strided") {
        into(name == "select"     ? "aten::select_scatter"
             : name == "slice"    ? "aten::slice_scatter"
             : name == "diagonal" ? "aten::diagonal_scatter"
                                  : "aten::as_strided_scatter");
    } else if (name == "unbind") {
        set(call, "index", static_cast<std::int64_t>(output));
        into("aten::select_scatter");
    } else if (name == "narrow") {
        const auto* start = attributeOf<std::int64_t>(view, "start");
        const auto* length = attributeOf<std::int64_t>(view, "length");
        std::int64_t end = 0;
        if (start == nullptr || length == nullptr || *start < 0 || __builtin_add_overflow(*start, *length, &end)) {
            return {};
        }
        set(call, "end", end);
        std::erase_if(call.attributes, [](const Attribute& attribute) { return attribute.name == "length"; });
        into("aten::slice_scatter");
    } else if (name == "split" || name == "chunk" || name == "split_with_sizes" || name == "tensor_split") {
        const auto range = rangeOf(m_graph, view, output);
        if (!range) {
            return {};
        }
        call.inputs.clear();
        std::erase_if(call.attributes, [](const Attribute& attribute) {
            return attribute.name == "split_size" || attribute.name == "split_sizes" || attribute.name == "chunks" ||
                   attribute.name == "sections" || attribute.name == "indices";
        });
        set(call, "start", range->first);
        set(call, "end", range->second);
        into("aten::slice_scatter");
    } else if (name == "transpose" || name == "swapaxes" || name == "swapdims" || name == "t" || name == "mT" ||
               name == "mH" || name == "adjoint" || name == "matrix_H" || name == "numpy_T") {
        self = part; // its own inverse
    } else if (name == "movedim" || name == "moveaxis") {
        for (Attribute& attribute : call.attributes) {
            attribute.name = attribute.name == "source"        ? "destination"
                             : attribute.name == "destination" ? "source"
                                                               : attribute.name;
        }
        self = part;
    } else if (name == "permute") {
        auto inverse = inversePermutation(view);
        if (inverse.empty()) {
            return {};
        }
        call.attributes = {{"dims", std::move(inverse)}};
        call.inputs.clear();
        self = part;
    } else if (name == "view" || name == "_unsafe_view" || name == "view_as" || name == "unflatten" ||
               name == "unsqueeze" || name == "squeeze" || name == "reshape" || name == "reshape_as" ||
               name == "flatten" || name == "ravel") {
        call = {.op = "aten::reshape_as", .inputs = {{"other", base}}, .attributes = {}};
        self = part;
    } else {
        return {};
    }
    const ValueId result = emit(m_graph, m_path, std::move(call), self, origin).front();
    m_graph.value(result).type = m_graph.value(base).type;
    return result;
}

} // namespace crosswalk::pytorch
