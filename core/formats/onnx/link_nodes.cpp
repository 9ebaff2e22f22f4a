#include "core/formats/onnx/link_nodes.h"

#include <algorithm>
#include <unordered_map>

namespace crosswalk {
void linkBySources(const Graph& source, Conversion& conversion)
{
    conversion.targets.assign(source.nodeCount(), {});
    for (std::uint32_t i = 0; i < conversion.sources.size(); ++i) {
        for (const NodeId id : conversion.sources[i]) {
            conversion.targets[id.index].push_back(i);
        }
    }
    conversion.verdicts.clear();
    for (std::uint32_t i = 0; i < source.nodeCount(); ++i) {
        const std::size_t made = conversion.targets[i].size();
        conversion.verdicts.push_back(made == 0                                    ? Verdict::Folded
                                      : source.node(NodeId{i}).domain == gapDomain ? Verdict::Unsupported
                                      : made == 1                                  ? Verdict::Exact
                                                                                   : Verdict::Decomposed);
    }
}

void linkNodes(const Graph& source, const ::onnx::GraphProto& result, Conversion& conversion)
{
    std::unordered_map<std::string_view, NodeId> makers;
    for (const Value& value : source.values()) {
        if (value.producer && !value.name.empty()) {
            makers.emplace(value.name, value.producer);
        }
    }
    const auto count = static_cast<std::size_t>(result.node_size());
    conversion.sources.assign(count, {});
    std::unordered_map<std::string_view, std::size_t> readers;
    for (std::size_t i = count; i-- > 0;) { // backwards: the readers of a node's outputs are known before it
        const auto& node = result.node(static_cast<int>(i));
        auto& sources = conversion.sources[i];
        for (const std::string& output : node.output()) {
            const auto maker = makers.find(output);
            if (maker != makers.end() && std::find(sources.begin(), sources.end(), maker->second) == sources.end()) {
                sources.push_back(maker->second);
            }
        }
        for (const std::string& output : node.output()) {
            const auto reader = readers.find(output);
            if (sources.empty() && reader != readers.end()) {
                sources = conversion.sources[reader->second];
            }
        }
        for (const std::string& input : node.input()) {
            readers.emplace(input, i);
        }
    }
    linkBySources(source, conversion);
}

void linkUnchangedNodes(const Graph& source, Conversion& conversion)
{
    conversion.sources.clear();
    for (std::uint32_t i = 0; i < source.nodeCount(); ++i) {
        conversion.sources.push_back({NodeId{i}});
    }
    linkBySources(source, conversion);
}

} // namespace crosswalk
