#include "core/rewrite/extract.h"

#include "core/base/diagnostic.h"
#include "core/base/unique_names.h"
#include "core/onnx/generated_symbols.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"
#include "core/onnx/proto_reads.h"
#include "core/onnx/schemas.h"
#include "core/onnx/state_metadata.h"
#include "core/onnx/unique_bodies.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>
#include <unordered_set>

namespace crosswalk {
namespace {

using ::onnx::GraphProto;
using ::onnx::ValueInfoProto;

class Extraction {
public:
    explicit Extraction(const OnnxModel& model)
        : m_model(model)
        , m_inferred(*model.proto)
    {
        makeBodiesUnique(m_inferred);
        try {
            const ::onnx::ShapeInferenceOptions options(false, 0, true);
            ::onnx::shape_inference::InferShapes(m_inferred, &schemas(), options);
        } catch (const std::exception&) {
            // Values that cannot be inferred keep the types stored in the file.
        }
        removeGeneratedSymbols(*m_inferred.mutable_graph(), model.proto->graph());
        const GraphProto& graph = model.proto->graph();
        for (int i = 0; i < graph.node_size(); ++i) {
            for (const std::string& output : graph.node(i).output()) {
                m_producer[output] = i;
            }
        }
        // The last type of a value is that of onnx's inference, and the type of an output precedes others.
        const GraphProto& typed = m_inferred.graph();
        for (const auto* infos : {&typed.value_info(), &typed.input(), &typed.output()}) {
            for (const ValueInfoProto& info : *infos) {
                const auto type = m_types.emplace(info.name(), &info).first;
                if (info.has_type()) {
                    type->second = &info;
                }
            }
        }
        for (int i = 0; i < graph.initializer_size(); ++i) {
            m_stored[graph.initializer(i).name()] = i;
        }
        for (const auto& stored : graph.sparse_initializer()) {
            m_sparse.insert(stored.values().name());
        }
    }

    OnnxModel run(std::span<const std::string> from, std::span<const std::string> to)
    {
        for (const auto names : {from, to}) {
            for (const std::string& name : names) {
                if (!m_producer.contains(name) && !m_types.contains(name) && !m_stored.contains(name)) {
                    throw ModelError("unknown-value", fmt::format("the model has no value '{}'", name));
                }
            }
        }
        m_cut.insert(from.begin(), from.end());
        collect({to.begin(), to.end()});
        return assemble(from, to);
    }

private:
    /// Collects everything on which the values `open` depend, back to the cut.
    void collect(std::vector<std::string> open)
    {
        m_kept.assign(static_cast<std::size_t>(m_inferred.graph().node_size()), false);
        std::unordered_set<std::string> seen;
        while (!open.empty()) {
            const std::string name = std::move(open.back());
            open.pop_back();
            m_read.insert(name);
            if (m_cut.contains(name) || !seen.insert(name).second) {
                continue;
            }
            if (m_stored.contains(name)) {
                m_weights.insert(name);
                continue;
            }
            if (m_sparse.contains(name)) {
                continue;
            }
            const auto producer = m_producer.find(name);
            if (producer == m_producer.end()) {
                throw ModelError("open-extract", fmt::format("the part depends on the model's input {}", name),
                                 fmt::format("add it: --from {}", name));
            }
            m_kept[static_cast<std::size_t>(producer->second)] = true;
            forEachRead(m_model.proto->graph().node(producer->second),
                        [&](const std::string& read) { open.push_back(read); });
        }
    }

    void describe(const std::string& name, ValueInfoProto& info) const
    {
        if (const auto type = m_types.find(name); type != m_types.end()) {
            info = *type->second;
        } else if (const auto stored = m_stored.find(name); stored != m_stored.end()) {
            const Tensor& weight = m_model.weights[static_cast<std::size_t>(stored->second)];
            toProto({weight.type(), shapeOf(weight.dims())}, *info.mutable_type());
        }
        if (info.type().value_case() == ::onnx::TypeProto::VALUE_NOT_SET) {
            throw ModelError("open-extract",
                             fmt::format("the type of {} is unknown, so it cannot be an input or output", name));
        }
        info.set_name(name);
    }

    /// Drops unused sparse initializers and quantization annotations.
    void dropUnread(GraphProto& graph) const
    {
        auto& sparse = *graph.mutable_sparse_initializer();
        sparse.erase(std::remove_if(sparse.begin(), sparse.end(),
                                    [&](const auto& any) { return !m_read.contains(any.values().name()); }),
                     sparse.end());
        auto& notes = *graph.mutable_quantization_annotation();
        notes.erase(std::remove_if(notes.begin(), notes.end(),
                                   [&](const auto& any) { return !m_read.contains(any.tensor_name()); }),
                    notes.end());
    }

    /// Drops the pairing of states, which is by name, if the part lacks an input or output of the model.
    void dropStates(::onnx::ModelProto& part) const
    {
        const auto hasAll = [](const auto& ports, const auto& kept) {
            return std::all_of(ports.begin(), ports.end(), [&](const auto& port) {
                return std::any_of(kept.begin(), kept.end(), [&](const auto& k) { return k.name() == port.name(); });
            });
        };
        const GraphProto& original = m_model.proto->graph();
        if (!hasAll(original.input(), part.graph().input()) || !hasAll(original.output(), part.graph().output())) {
            auto& entries = *part.mutable_metadata_props();
            entries.erase(std::remove_if(entries.begin(), entries.end(),
                                         [](const auto& entry) { return entry.key() == statesKey; }),
                          entries.end());
        }
    }

    std::string unusedName(const std::string& wanted)
    {
        if (m_taken.isEmpty()) {
            m_taken = usedValueNames(m_model.proto->graph());
        }
        return m_taken.unique(wanted);
    }

    OnnxModel assemble(std::span<const std::string> from, std::span<const std::string> to)
    {
        OnnxModel part;
        part.proto = std::make_shared<::onnx::ModelProto>(*m_model.proto);
        raiseIrVersion(*part.proto); // the weights of the part are no inputs
        GraphProto& graph = *part.proto->mutable_graph();
        const GraphProto& original = m_model.proto->graph();
        graph.clear_node();
        graph.clear_initializer();
        graph.clear_input();
        graph.clear_output();
        graph.clear_value_info();
        for (int i = 0; i < original.node_size(); ++i) {
            if (!m_kept[static_cast<std::size_t>(i)]) {
                continue;
            }
            ::onnx::NodeProto& node = *graph.add_node();
            node = original.node(i);
            for (std::string& output : *node.mutable_output()) {
                const bool isOutput = std::find(to.begin(), to.end(), output) != to.end();
                if (m_cut.contains(output)) { // an input of the part, which needs another output of this node
                    output = unusedName(output);
                } else if (m_types.contains(output) && !isOutput) {
                    describe(output, *graph.add_value_info());
                }
            }
        }
        for (int i = 0; i < original.initializer_size(); ++i) {
            if (m_weights.contains(original.initializer(i).name())) {
                *graph.add_initializer() = original.initializer(i);
                part.weights.push_back(m_model.weights[static_cast<std::size_t>(i)]);
            }
        }
        for (const std::string& name : from) {
            describe(name, *graph.add_input());
        }
        for (const std::string& name : to) {
            describe(name, *graph.add_output());
        }
        dropUnread(graph);
        dropStates(*part.proto);
        return part;
    }

    const OnnxModel& m_model;
    ::onnx::ModelProto m_inferred; ///< for its types
    std::unordered_map<std::string, int> m_producer;
    std::unordered_map<std::string, const ValueInfoProto*> m_types;
    std::unordered_map<std::string, int> m_stored;
    std::unordered_set<std::string> m_cut;
    std::unordered_set<std::string> m_weights;
    std::unordered_set<std::string> m_sparse;
    std::unordered_set<std::string> m_read;
    std::vector<bool> m_kept;
    UniqueNames m_taken; ///< filled when first needed
};

} // namespace

OnnxModel extract(const OnnxModel& model, std::span<const std::string> from, std::span<const std::string> to)
{
    const auto once = [](std::span<const std::string> names) {
        std::vector<std::string> list;
        for (const std::string& name : names) {
            if (std::find(list.begin(), list.end(), name) == list.end()) {
                list.push_back(name);
            }
        }
        return list;
    };
    return Extraction(model).run(once(from), once(to));
}

} // namespace crosswalk
