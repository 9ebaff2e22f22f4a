#include "core/formats/tensorflow/attach_variables.h"

#include "core/formats/tensorflow/checkpoint/variable_keys.h"
#include "core/formats/tensorflow/variable_nodes.h"
#include "core/graph/attributes.h"
#include "core/graph/needed_nodes.h"

#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace crosswalk::tensorflow {
namespace {

/// The number of bytes whose CRC opening a model checks: it must not read gigabytes.
constexpr std::uint64_t checkedAtOpening = std::uint64_t{16} << 20U;

/// Whether a variable of this shape can have a value of these dimensions.
bool fits(const ShapeAttribute& shape, const Ints& dims)
{
    if (!shape.shape) {
        return true;
    }
    bool isSame = shape.shape->size() == dims.size();
    for (std::size_t d = 0; isSame && d < dims.size(); ++d) {
        const Dim& dim = (*shape.shape)[d];
        isSame = !dim.isFixed() || dim.size == dims[d];
    }
    return isSame;
}

class Attacher {
public:
    Attacher(Graph& graph, const Bundle& checkpoint, SourceInfo& info, std::vector<Diagnostic>& problems)
        : m_graph(graph)
        , m_checkpoint(checkpoint)
        , m_info(info)
        , m_problems(problems)
        , m_isNeeded(neededNodes(graph))
    {
    }

    void attach(NodeId id, const VariableKey& key)
    {
        const BundleEntry* entry = m_checkpoint.find(key.key);
        if (entry == nullptr) {
            if (m_isNeeded[id.index]) {
                report(id, "missing-weight", fmt::format("the checkpoint has no tensor '{}'", key.key));
            }
            return;
        }
        try {
            Tensor tensor = key.part ? m_checkpoint.tensor(key.key, *key.part) : m_checkpoint.tensor(key.key);
            check(key.key);
            add(id, key.key, std::move(tensor));
        } catch (const ModelError& error) {
            if (error.diagnostic.code == Code("cancelled")) {
                throw;
            }
            report(id, error.diagnostic.code, error.diagnostic.message);
        }
    }

private:
    void check(const std::string& key)
    {
        const auto [fault, isNew] = m_faults.try_emplace(key);
        const std::uint64_t bytes = isNew ? m_checkpoint.storedBytes(key) : 0;
        if (isNew && bytes <= checkedAtOpening - m_checked) {
            m_checked += bytes;
            try {
                m_checkpoint.checkCrc(key);
            } catch (const ModelError& error) {
                fault->second = error.diagnostic;
            }
        }
        if (fault->second) {
            throw ModelError(*fault->second);
        }
    }

    void add(NodeId id, const std::string& key, Tensor tensor)
    {
        Node& node = m_graph.node(id);
        const auto* type = attributeOf<ElementType>(node, "dtype");
        const auto* shape = attributeOf<ShapeAttribute>(node, "shape");
        if (type != nullptr && *type != tensor.type()) {
            report(id, "wrong-weight",
                   fmt::format("the variable is {}, but its value '{}' in the checkpoint is {}", elementTypeName(*type),
                               key, elementTypeName(tensor.type())));
            return;
        }
        if (shape != nullptr && !fits(*shape, tensor.dims())) {
            report(id, "wrong-weight",
                   fmt::format("the variable has the shape {}, but its value '{}' in the checkpoint has {}",
                               toString(*shape->shape), key, toString(crosswalk::shapeOf(tensor.dims()))));
            return;
        }
        node.attributes.push_back({.name = "value", .value = m_graph.addTensor(std::move(tensor))});
        m_info.variableKeys.emplace(id, key);
    }

    void report(NodeId id, Code code, std::string message)
    {
        m_problems.push_back({.severity = Severity::Error,
                              .code = code,
                              .message = std::move(message),
                              .node = m_graph.node(id).name,
                              .nodeIndex = id.index,
                              .op = m_graph.node(id).op});
    }

    Graph& m_graph;
    const Bundle& m_checkpoint;
    SourceInfo& m_info;
    std::vector<Diagnostic>& m_problems;
    std::vector<bool> m_isNeeded;
    std::map<std::string, std::optional<Diagnostic>> m_faults; ///< by key, of those whose CRC was to be checked
    std::uint64_t m_checked = 0;                               ///< bytes
};

} // namespace

void attachVariables(Graph& graph, std::string_view restoreOp, const Bundle& checkpoint, SourceInfo& info,
                     std::vector<Diagnostic>& problems)
{
    const VariableKeys found = variableKeys(graph, restoreOp, checkpoint);
    Attacher attacher(graph, checkpoint, info, problems);
    for (const auto& [node, key] : found.keys) {
        attacher.attach(node, key);
    }
    for (std::uint32_t i = 0; found.areComplete && i < graph.nodeCount(); ++i) {
        if (isVariable(graph.node(NodeId{i})) && !found.keys.contains(NodeId{i})) {
            info.unsavedVariables.insert(NodeId{i});
        }
    }
}

} // namespace crosswalk::tensorflow
