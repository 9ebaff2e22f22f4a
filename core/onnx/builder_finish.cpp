// OnnxBuilder::finish(): eliminates dead nodes, names everything, records provenance.

#include "core/base/unique_names.h"
#include "core/graph/unknown_dim.h"
#include "core/onnx/builder_state.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto_reads.h"
#include "core/onnx/provenance.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <functional>
#include <set>

namespace crosswalk {
namespace {

void addOnce(NodeId node, std::vector<NodeId>& nodes)
{
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) {
        nodes.push_back(node);
    }
}

void addTopLevel(const std::vector<NodeRef>& sources, std::vector<NodeId>& nodes)
{
    for (const NodeRef& source : sources) {
        addOnce(source.path.empty() ? source.node : NodeId{source.path.front().node}, nodes);
    }
}

} // namespace

void OnnxBuilder::State::describe(OnnxValue value, ::onnx::ValueInfoProto& info, bool byId)
{
    const Known& known = at(value);
    info.set_name(byId ? known.id : known.name);
    TensorType type{known.element, known.shape};
    if (type.shape) {
        clearUnknownDims(*type.shape);
    }
    if (type.element != ElementType::Undefined) {
        toProto(type, *info.mutable_type());
    }
}

void OnnxBuilder::State::markSources(Emitted& emitted)
{
    auto* entry = emitted.proto.add_metadata_props();
    entry->set_key(sourceKey);
    entry->set_value(std::to_string(bodySources.size()));
    bodySources.push_back(std::move(emitted.sources));
    emitted.proto.set_name(emitted.base);
}

OnnxBuilder::Finished OnnxBuilder::finish(const std::string& graphName,
                                          const std::function<std::string(const NodeRef&)>& sourceName)
{
    State& state = *m_state;
    assert(state.scopes.size() == 1);
    auto& emitted = state.scopes.back().nodes;

    std::vector<char> isOutput(state.values.size(), 0);
    for (const auto& output : state.outputs) {
        isOutput[output.value.index] = 1;
    }
    std::vector<char> needed = isOutput;
    std::vector<char> kept(emitted.size(), 0);
    for (std::size_t i = emitted.size(); i-- > 0;) {
        const auto& outs = emitted[i].proto.output();
        kept[i] = std::any_of(outs.begin(), outs.end(),
                              [&](const std::string& id) { return needed[state.valueOf(id).index] != 0; })
                      ? 1
                      : 0;
        if (kept[i] != 0) {
            forEachRead(emitted[i].proto, [&](const std::string& id) { needed[state.valueOf(id).index] = 1; });
        }
    }

    // Names are assigned in order of priority: inputs and outputs, values of the source, then new values.
    UniqueNames valueNames;
    for (const OnnxValue input : state.inputs) {
        valueNames.take(state.at(input).name);
    }
    for (const auto& output : state.outputs) {
        state.at(output.value).name = output.name;
        valueNames.take(output.name);
    }
    std::vector<char> named(state.values.size(), 0);
    for (const OnnxValue input : state.inputs) {
        named[input.index] = 1;
    }
    for (const auto& output : state.outputs) {
        named[output.value.index] = 1;
    }
    for (std::uint32_t i = 0; i < state.values.size(); ++i) {
        auto& known = state.values[i];
        if (named[i] == 0 && needed[i] != 0 && !known.name.empty()) {
            known.name = valueNames.unique(known.name);
            named[i] = 1;
        }
    }

    std::unordered_map<std::string, int> uses;
    for (std::size_t i = 0; i < emitted.size(); ++i) {
        uses[emitted[i].base] += kept[i];
    }
    UniqueNames nodeNames;
    auto model = std::make_shared<::onnx::ModelProto>();
    auto* graph = model->mutable_graph();
    graph->set_name(graphName.empty() ? "model" : graphName);
    Finished finished;

    const auto outputsOf = [&](const ::onnx::NodeProto& node) {
        OnnxValues made;
        for (const std::string& id : node.output()) {
            if (!id.empty()) {
                made.push_back(state.valueOf(id));
            }
        }
        return made;
    };
    // Describes values that are not outputs of their graph, once they have names.
    const auto describeInner = [&](const OnnxValues& made, ::onnx::GraphProto& in) {
        for (const OnnxValue value : made) {
            if (isOutput[value.index] == 0 && state.at(value).element != ElementType::Undefined &&
                state.at(value).shape) {
                state.describe(value, *in.add_value_info(), false);
            }
        }
    };

    const auto write = [&](::onnx::NodeProto& node, const std::vector<NodeRef>& sources) {
        if (sourceName && !sources.empty()) {
            std::vector<std::string> written;
            std::transform(sources.begin(), sources.end(), std::back_inserter(written), sourceName);
            writeSources(node, written);
        }
    };
    std::vector<NodeId> innerSources;
    std::set<std::string> domains;

    const std::function<void(::onnx::NodeProto&, const std::string&, bool)> finishNode = [&](::onnx::NodeProto& node,
                                                                                             const std::string& base,
                                                                                             bool isOnly) {
        const std::string wanted = base.empty() ? node.op_type() : isOnly ? base : base + "/" + node.op_type();
        node.set_name(nodeNames.unique(wanted));
        for (std::string& id : *node.mutable_output()) {
            if (id.empty()) {
                continue;
            }
            const OnnxValue value = state.valueOf(id);
            if (named[value.index] == 0) {
                state.at(value).name = valueNames.unique(node.name() + "_output");
                named[value.index] = 1;
            }
            id = state.at(value).name;
        }
        for (std::string& id : *node.mutable_input()) {
            if (!id.empty()) {
                const OnnxValue value = state.valueOf(id);
                if (named[value.index] == 0) { // a constant that the conversion introduced
                    const auto& known = state.at(value);
                    state.at(value).name = valueNames.unique((known.base.empty() ? base : known.base) + "/constant");
                    named[value.index] = 1;
                }
                id = state.at(value).name;
            }
        }
        for (auto& attribute : *node.mutable_attribute()) {
            if (!attribute.has_g()) {
                continue;
            }
            auto& body = *attribute.mutable_g();
            body.set_name(node.name() + "/" + attribute.name());
            for (auto& input : *body.mutable_input()) {
                const OnnxValue value = state.valueOf(input.name());
                state.at(value).name = valueNames.unique(node.name() + "/in");
                named[value.index] = 1;
                input.set_name(state.at(value).name);
            }
            for (const auto& output : body.output()) {
                isOutput[state.valueOf(output.name()).index] = 1;
            }
            for (auto& inner : *body.mutable_node()) {
                const OnnxValues made = outputsOf(inner);
                domains.insert(inner.domain());
                finishNode(inner, inner.name(), false);
                describeInner(made, body);
                const auto& sources = state.bodySources[std::stoul(inner.metadata_props(0).value())];
                inner.clear_metadata_props();
                write(inner, sources);
                addTopLevel(sources, innerSources);
            }
            for (auto& output : *body.mutable_output()) {
                output.set_name(state.at(state.valueOf(output.name())).name);
            }
        }
    };

    for (std::size_t i = 0; i < emitted.size(); ++i) {
        if (kept[i] == 0) {
            continue;
        }
        auto& node = *graph->add_node();
        node = std::move(emitted[i].proto);
        domains.insert(node.domain());
        state.dropUnneededOutputs(node, needed);
        const OnnxValues made = outputsOf(node);
        innerSources.clear();
        finishNode(node, emitted[i].base, uses[emitted[i].base] == 1);
        write(node, emitted[i].sources);
        describeInner(made, *graph);
        auto& sources = finished.sources.emplace_back();
        addTopLevel(emitted[i].sources, sources);
        for (const NodeId inner : innerSources) {
            addOnce(inner, sources);
        }
    }
    for (const OnnxValue input : state.inputs) {
        state.describe(input, *graph->add_input(), false);
    }
    for (const auto& output : state.outputs) {
        state.describe(output.value, *graph->add_output(), false);
    }
    for (std::uint32_t i = 0; i < state.values.size(); ++i) {
        auto& known = state.values[i];
        if (known.content && needed[i] != 0) {
            auto* stub = graph->add_initializer();
            *stub = known.stub;
            stub->set_name(known.name);
            finished.model.weights.push_back(*known.content);
        }
    }

    model->set_ir_version(irVersionFor(state.opset));
    model->set_producer_name("crosswalk");
    model->set_producer_version(CROSSWALK_VERSION);
    auto* imported = model->add_opset_import();
    imported->set_domain("");
    imported->set_version(state.opset);
    for (const std::string& domain : domains) {
        if (!domain.empty()) {
            auto* other = model->add_opset_import();
            other->set_domain(domain);
            other->set_version(domainVersion(domain, state.opset));
        }
    }
    finished.model.proto = std::move(model);
    return finished;
}

} // namespace crosswalk
