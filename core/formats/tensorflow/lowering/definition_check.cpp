#include "core/formats/tensorflow/lowering/definition_check.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/op_defs.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace crosswalk::tensorflow {
namespace {

/// What nodes of an operator must fulfil.
struct Rules {
    std::size_t fewestOperands = 0;  ///< without the arguments that are lists, which may be empty
    std::vector<AttrDef> texts = {}; ///< attributes of which only some values are allowed
};

Rules rulesOf(std::string_view op)
{
    Rules rules;
    const OpDef* definition = findOpDef(op);
    if (definition == nullptr) {
        return rules;
    }
    rules.fewestOperands =
        static_cast<std::size_t>(std::ranges::count_if(definition->inputs, [](const ArgDef& argument) {
            return argument.numberAttr.empty() && argument.typeListAttr.empty();
        }));
    std::ranges::copy_if(definition->attrs, std::back_inserter(rules.texts),
                         [](const AttrDef& attr) { return !attr.allowed.empty(); });
    return rules;
}

[[noreturn]] void fail(const Node& node, Code code, std::string message)
{
    throw ModelError(Diagnostic{.code = code, .message = std::move(message), .node = node.name, .op = node.op});
}

void check(const Node& node, const Rules& rules)
{
    if (node.inputs.size() < rules.fewestOperands) {
        fail(node, "damaged",
             fmt::format("it has {} inputs, but {} requires {}", node.inputs.size(), node.op, rules.fewestOperands));
    }
    for (const AttrDef& attr : rules.texts) {
        const auto* text = attributeOf<std::string>(node, attr.name);
        if (text != nullptr && std::ranges::find(attr.allowed, *text) == attr.allowed.end()) {
            fail(node, "invalid-attribute",
                 fmt::format("{} is \"{}\", but must be one of {}", attr.name, *text, fmt::join(attr.allowed, ", ")));
        }
    }
}

} // namespace

void expectDefinitions(const Graph& graph)
{
    std::map<std::string_view, Rules> rules;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        const auto [known, isNew] = rules.try_emplace(node.op);
        if (isNew) {
            known->second = rulesOf(node.op);
        }
        check(node, known->second);
    }
}

} // namespace crosswalk::tensorflow
