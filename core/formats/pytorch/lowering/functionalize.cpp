#include "core/formats/pytorch/lowering/functionalize.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace crosswalk::pytorch {
namespace {

/// Operators whose results may share memory with `self`.
bool isView(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>({"_unsafe_view",
                                                                   "alias",
                                                                   "as_strided",
                                                                   "broadcast_tensors",
                                                                   "broadcast_to",
                                                                   "chunk",
                                                                   "contiguous",
                                                                   "detach",
                                                                   "detach_",
                                                                   "diagonal",
                                                                   "dropout",
                                                                   "expand",
                                                                   "expand_as",
                                                                   "feature_dropout",
                                                                   "flatten",
                                                                   "imag",
                                                                   "lift_fresh",
                                                                   "mT",
                                                                   "movedim",
                                                                   "narrow",
                                                                   "numpy_T",
                                                                   "permute",
                                                                   "ravel",
                                                                   "real",
                                                                   "reshape",
                                                                   "reshape_as",
                                                                   "select",
                                                                   "slice",
                                                                   "split",
                                                                   "squeeze",
                                                                   "swapaxes",
                                                                   "swapdims",
                                                                   "split_with_sizes",
                                                                   "t",
                                                                   "to",
                                                                   "transpose",
                                                                   "type_as",
                                                                   "unbind",
                                                                   "unflatten",
                                                                   "unfold",
                                                                   "unsqueeze",
                                                                   "view",
                                                                   "view_as",
                                                                   "view_as_complex",
                                                                   "view_as_real"});
    constexpr std::string_view space = "aten::";
    return op.starts_with(space) && std::find(names.begin(), names.end(), op.substr(space.size())) != names.end();
}

bool isInPlace(std::string_view op)
{
    return op.starts_with("aten::") && op.ends_with('_') && !op.ends_with("__") && op != "aten::detach_";
}

class Functionalization {
public:
    Functionalization(const Graph& source, std::vector<Diagnostic>& problems)
        : m_source(source)
        , m_graph(source)
        , m_problems(problems)
    {
    }

    Graph run()
    {
        findLastReads();
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            Node& node = m_graph.node(NodeId{i});
            for (ValueId& input : node.inputs) {
                input = newest(input);
            }
            if (isInPlace(node.op)) {
                write(node, i);
            } else if (isView(node.op)) {
                for (const ValueId output : node.outputs) {
                    for (const ValueId input : node.inputs) {
                        share(output, input);
                    }
                }
            }
        }
        for (ValueId& output : m_graph.outputs) {
            const ValueId last = newest(output);
            if (last != output) {
                std::swap(m_graph.value(last).name, m_graph.value(output).name);
                output = last;
            }
        }
        return std::move(m_graph);
    }

private:
    using Group = std::shared_ptr<std::set<ValueId>>;

    void findLastReads()
    {
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            for (const ValueId input : m_graph.node(NodeId{i}).inputs) {
                m_lastRead[input] = i;
            }
        }
        for (const ValueId output : m_graph.outputs) {
            m_lastRead[output] = static_cast<std::uint32_t>(m_graph.nodeCount());
        }
    }

    /// The tensor that holds what a value refers to after the writes so far.
    ValueId newest(ValueId value) const
    {
        for (auto found = m_newest.find(value); found != m_newest.end(); found = m_newest.find(value)) {
            value = found->second;
        }
        return value;
    }

    Group& groupOf(ValueId value)
    {
        Group& group = m_groups[value];
        if (!group) {
            group = std::make_shared<std::set<ValueId>>(std::set{value});
        }
        return group;
    }

    void share(ValueId a, ValueId b)
    {
        const Group first = groupOf(a);
        const Group second = groupOf(b);
        if (first == second) {
            return;
        }
        first->insert(second->begin(), second->end());
        for (const ValueId member : *second) {
            m_groups[member] = first;
        }
    }

    void write(Node& node, std::uint32_t index)
    {
        if (node.inputs.empty() || node.outputs.size() != 1) {
            return;
        }
        const ValueId target = node.inputs[0];
        for (const ValueId member : *groupOf(target)) { // all that shares memory with the target
            // Reads of earlier versions of the target are redirected to it.
            const auto read = m_lastRead.find(member);
            if (newest(member) != target && read != m_lastRead.end() && read->second > index) {
                m_problems.push_back({.code = "unsupported-operator",
                                      .message = fmt::format("{} writes to memory that {} shares, which is read later",
                                                             node.op, m_graph.value(member).name),
                                      .node = NodeNames(m_source).of(NodeId{index}),
                                      .nodeIndex = index,
                                      .op = node.op,
                                      .hint = "copy the tensor before the write, with clone()"});
                return;
            }
        }
        node.op.pop_back();
        node.attributes.push_back({std::string(inPlace), true});
        const ValueId result = node.outputs[0];
        m_newest[target] = result;
        share(result, target);
    }

    const Graph& m_source;
    Graph m_graph;
    std::vector<Diagnostic>& m_problems;
    std::map<ValueId, ValueId> m_newest;
    std::map<ValueId, std::uint32_t> m_lastRead; ///< the node, or the number of nodes for an output
    std::map<ValueId, Group> m_groups;
};

} // namespace

Graph functionalized(const Graph& source, std::vector<Diagnostic>& problems)
{
    return Functionalization(source, problems).run();
}

} // namespace crosswalk::pytorch
