#include "core/rewrite/folded_values.h"

#include "core/onnx/external_stubs.h"
#include "core/onnx/node.h"
#include "core/onnx/proto_reads.h"
#include "core/onnx/weights.h"

#include <algorithm>
#include <new>
#include <utility>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;
using ::onnx::TensorProto;
using ::onnx::TypeProto;

/// Whether `now` fixes a dimension, or the number of dimensions, that `before` leaves open.
bool isRefined(const TensorType& before, const TensorType& now)
{
    if (!before.shape || !now.shape) {
        return now.shape.has_value();
    }
    return !std::ranges::equal(*before.shape, *now.shape,
                               [](const Dim& old, const Dim& dim) { return old.isFixed() || !dim.isFixed(); });
}

/// Whether onnx can propagate the content of a value: an integer or a list of integers.
bool isPropagated(const TensorType& type)
{
    const bool isInteger = type.element == ElementType::Int64 || type.element == ElementType::Int32;
    return isInteger && type.shape && type.shape->size() <= 1;
}

} // namespace

FoldedValues::FoldedValues(RewrittenModel rewritten, GraphEdit& edit)
    : m_edit(edit)
    , m_inference(*rewritten.model.proto, [this](std::string_view name) { return indexOf(std::string(name)); })
{
}

const Tensor* FoldedValues::content(const std::string& name) const
{
    const auto folded = m_contents.find(name);
    return folded != m_contents.end() ? folded->second : m_edit.stored(name);
}

void FoldedValues::add(int node, std::vector<Tensor> results)
{
    const NodeProto& folded = m_edit.graph().node(node);
    const auto& stored = m_results[node] = std::move(results);
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const std::string& output = folded.output(static_cast<int>(i));
        m_contents[output] = &stored[i];
        if (!isOperator(folded, "Constant")) {
            m_affected.insert(output);
        }
    }
}

void FoldedValues::unfoldRejected()
{
    for (int i = 0; i < m_edit.graph().node_size() && !m_affected.empty(); ++i) {
        const NodeProto& node = m_edit.graph().node(i);
        if (m_results.contains(i)) {
            continue;
        }
        if (!isAffected(node)) {
            // It may compute a part of a shape: another part is known only now.
            if (std::ranges::any_of(node.output(),
                                    [&](const auto& name) { return isPropagated(m_edit.typeOf(name)); })) {
                accepts(node);
            }
        } else if (accepts(node)) {
            markAffected(node);
        } else {
            unfoldOperands(node);
        }
    }
}

void FoldedValues::commit()
{
    for (auto& [node, results] : m_results) {
        m_edit.replace(node, std::move(results));
    }
}

bool FoldedValues::isAffected(const NodeProto& node) const
{
    bool isFound = false;
    forEachRead(node, [&](const std::string& name) { isFound = isFound || m_affected.contains(name); });
    return isFound;
}

/// noValue if the type is unknown.
FoldedValues::ValueIndex FoldedValues::indexOf(const std::string& name)
{
    if (const auto known = m_indices.find(name); known != m_indices.end()) {
        return known->second;
    }
    NodeInference::Value value;
    if (const Tensor* stored = content(name)) {
        TensorProto& proto = m_protos.emplace_back();
        fillStub(*stored, proto);
        if (!isComplete(proto, *stored)) {
            complete(proto, *stored);
        }
        value = {.type = m_inference.sharedTypeOf(proto), .content = &proto};
    } else if (const TensorType type = m_edit.typeOf(name); type.element != ElementType::Undefined) {
        TypeProto proto;
        toProto(type, proto);
        value.type = m_inference.shared(proto);
    } else {
        return NodeInference::noValue;
    }
    const ValueIndex index = m_indices[name] = m_inference.addValue();
    m_inference.value(index) = value;
    return index;
}

/// Infers a node whose operands have known types; any other is accepted.
bool FoldedValues::accepts(const NodeProto& node)
{
    std::vector<ValueIndex> inputs;
    for (const std::string& input : node.input()) {
        inputs.push_back(indexOf(input));
        if (!input.empty() && inputs.back() == NodeInference::noValue) {
            return true;
        }
    }
    std::vector<ValueIndex> outputs;
    for (const std::string& output : node.output()) {
        outputs.push_back(indexOf(output));
        if (outputs.back() == NodeInference::noValue) {
            outputs.back() = m_indices[output] = m_inference.addValue();
        }
    }
    const std::size_t conflicts = m_inference.conflicts().size();
    try {
        m_inference.infer(node, inputs, outputs);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception&) { // onnx's errors
        return false;
    }
    return m_inference.conflicts().size() == conflicts;
}

void FoldedValues::markAffected(const NodeProto& node)
{
    for (const std::string& output : node.output()) {
        const auto index = m_indices.find(output);
        if (output.empty() || index == m_indices.end()) {
            continue;
        }
        const TypeProto* type = m_inference.value(index->second).type;
        const TensorType before = m_edit.typeOf(output);
        if (isPropagated(before) || (type != nullptr && isRefined(before, fromProto(*type)))) {
            m_affected.insert(output);
        }
    }
}

/// With all that the folded operands of a node are computed of, because onnx propagates some of it.
void FoldedValues::unfoldOperands(const NodeProto& node)
{
    std::unordered_set<std::string> seen;
    std::vector<std::string> pending;
    const auto visit = [&](const std::string& name) {
        if (m_affected.contains(name) && seen.insert(name).second) {
            pending.push_back(name);
        }
    };
    forEachRead(node, visit);
    while (!pending.empty()) {
        const std::string name = std::move(pending.back());
        pending.pop_back();
        const int producer = m_edit.producer(name).value();
        const NodeProto& computation = m_edit.graph().node(producer);
        if (m_results.erase(producer) != 0) {
            for (const std::string& output : computation.output()) {
                m_contents.erase(output);
                m_affected.erase(output);
                m_indices.erase(output);
            }
        }
        forEachRead(computation, visit);
    }
}

} // namespace crosswalk
