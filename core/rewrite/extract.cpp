#include "core/rewrite/extract.h"

#include "core/base/diagnostic.h"
#include "core/onnx/proto.h"
#include "core/onnx/reads.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <onnx/shape_inference/implementation.h>
#pragma GCC diagnostic pop

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
        try {
            ::onnx::shape_inference::InferShapes(m_inferred);
        } catch (const std::exception&) {
            // What cannot be inferred keeps the types that the file states.
        }
        const GraphProto& graph = m_inferred.graph();
        for (int i = 0; i < graph.node_size(); ++i) {
            for (const std::string& output : graph.node(i).output()) {
                m_producer[output] = i;
            }
        }
        for (const auto* infos : {&graph.input(), &graph.output(), &graph.value_info()}) {
            for (const ValueInfoProto& info : *infos) {
                m_types.emplace(info.name(), &info);
            }
        }
        for (int i = 0; i < graph.initializer_size(); ++i) {
            m_stored[graph.initializer(i).name()] = i;
        }
    }

    OnnxModel run(std::span<const std::string> from, std::span<const std::string> to)
    {
        for (const auto names : {from, to}) {
            for (const std::string& name : names) {
                if (!m_producer.contains(name) && !m_types.contains(name) && !m_stored.contains(name)) {
                    throw ModelError("unknown-value", fmt::format("the model has no value {}", name));
                }
            }
        }
        m_cut.insert(from.begin(), from.end());
        collect({to.begin(), to.end()});
        return assemble(from, to);
    }

private:
    /// Everything that the open values need, back to the cut.
    void collect(std::vector<std::string> open)
    {
        m_kept.assign(static_cast<std::size_t>(m_inferred.graph().node_size()), false);
        std::unordered_set<std::string> seen;
        while (!open.empty()) {
            const std::string name = std::move(open.back());
            open.pop_back();
            if (m_cut.contains(name) || !seen.insert(name).second) {
                continue;
            }
            if (m_stored.contains(name)) {
                m_weights.insert(name);
                continue;
            }
            const auto producer = m_producer.find(name);
            if (producer == m_producer.end()) {
                throw ModelError("open-extract", fmt::format("the part needs input {} of the model", name),
                                 fmt::format("add it: --from {}", name));
            }
            m_kept[static_cast<std::size_t>(producer->second)] = true;
            forEachRead(m_inferred.graph().node(producer->second),
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
        info.set_name(name);
    }

    OnnxModel assemble(std::span<const std::string> from, std::span<const std::string> to) const
    {
        OnnxModel part;
        part.proto = std::make_shared<::onnx::ModelProto>(m_inferred);
        GraphProto& graph = *part.proto->mutable_graph();
        const GraphProto& whole = m_inferred.graph();
        graph.clear_node();
        graph.clear_initializer();
        graph.clear_input();
        graph.clear_output();
        graph.clear_value_info();
        for (int i = 0; i < whole.node_size(); ++i) {
            if (!m_kept[static_cast<std::size_t>(i)]) {
                continue;
            }
            *graph.add_node() = whole.node(i);
            for (const std::string& output : whole.node(i).output()) {
                const bool isOutput = std::find(to.begin(), to.end(), output) != to.end();
                if (m_types.contains(output) && !isOutput && !m_cut.contains(output)) {
                    describe(output, *graph.add_value_info());
                }
            }
        }
        for (int i = 0; i < whole.initializer_size(); ++i) {
            if (m_weights.contains(whole.initializer(i).name())) {
                *graph.add_initializer() = whole.initializer(i);
                part.weights.push_back(m_model.weights[static_cast<std::size_t>(i)]);
            }
        }
        for (const std::string& name : from) {
            describe(name, *graph.add_input());
        }
        for (const std::string& name : to) {
            describe(name, *graph.add_output());
        }
        return part;
    }

    const OnnxModel& m_model;
    ::onnx::ModelProto m_inferred;
    std::unordered_map<std::string, int> m_producer;
    std::unordered_map<std::string, const ValueInfoProto*> m_types;
    std::unordered_map<std::string, int> m_stored;
    std::unordered_set<std::string> m_cut;
    std::unordered_set<std::string> m_weights;
    std::vector<bool> m_kept;
};

} // namespace

OnnxModel extract(const OnnxModel& model, std::span<const std::string> from, std::span<const std::string> to)
{
    return Extraction(model).run(from, to);
}

} // namespace crosswalk
