#include "core/rewrite/dynamic_shapes.h"

#include "core/base/saturating_product.h"
#include "core/onnx/external_stubs.h"
#include "core/onnx/node.h"
#include "core/onnx/proto_reads.h"
#include "core/onnx/weights.h"
#include "core/rewrite/shape_mismatch.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;

/// The sizes at which the model is inferred, as multiples of the original size; each symbol uses a different pair.
constexpr std::array<std::array<std::int64_t, 2>, 6> multiples{{{2, 3}, {3, 2}, {2, 4}, {4, 2}, {3, 4}, {4, 3}}};

/// Size used for symbols that the original shapes already contain.
constexpr std::int64_t arbitrarySize = 96;

/// Operators whose constants are resized before inference, because inference accepts constants of a wrong size for them
/// and only the runtime reports an error.
bool isResizedFirst(std::string_view op)
{
    static constexpr std::array<std::string_view, 5> names{"GRU", "GatherElements", "LSTM", "RNN", "ScatterElements"};
    return std::find(names.begin(), names.end(), op) != names.end();
}

/// Clears the shapes inside a body, which were inferred for the original inputs.
void clearShapes(GraphProto& body)
{
    body.clear_value_info();
    for (auto* infos : {body.mutable_input(), body.mutable_output()}) {
        for (auto& info : *infos) {
            if (info.type().has_tensor_type() && info.type().tensor_type().has_shape()) {
                for (auto& dim : *info.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) {
                    dim.clear_value();
                }
            }
        }
    }
    for (auto& node : *body.mutable_node()) {
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                clearShapes(*attribute.mutable_g());
            }
        }
    }
}

class DynamicShapesPass {
public:
    DynamicShapesPass(OnnxModel& model, const std::map<std::string, Shape>& before, const NodeNames& names)
        : m_model(model)
        , m_names(names)
        , m_original(withExternalStubs(model))
        , m_sized(m_original)
        , m_tracker(m_sized)
        , m_nodes(model, m_sized, m_tracker.sources(), m_newNodes)
    {
        for (int i = 0; i < graph().initializer_size(); ++i) {
            m_stored[graph().initializer(i).name()] = static_cast<std::size_t>(i);
            m_constants.insert(graph().initializer(i).name());
        }
        for (const auto& input : graph().input()) {
            const auto old = before.find(input.name());
            const TensorType now = fromProto(input.type());
            if (now.shape && !m_stored.contains(input.name())) {
                const bool isSameRank = old != before.end() && old->second.size() == now.shape->size();
                m_before[input.name()] = isSameRank ? old->second : *now.shape;
                addSymbols(m_before[input.name()], *now.shape);
            }
        }
        for (const auto& input : graph().input()) {
            setInput(input);
        }
        for (const auto& node : graph().node()) {
            forEachRead(node, [this](const std::string& name) { m_read.insert(name); });
        }
    }

    DynamicShapes run()
    {
        if (m_tracker.sources().empty()) {
            return {};
        }
        std::vector<NodeProto*> originals(static_cast<std::size_t>(graph().node_size()));
        graph().mutable_node()->ExtractSubrange(0, graph().node_size(), originals.data());
        for (std::uint32_t i = 0; i < originals.size(); ++i) {
            m_current = i;
            const std::unique_ptr<NodeProto> node(originals[i]);
            patch(*node);
            *m_newNodes.Add() = std::move(*node);
        }
        graph().mutable_node()->Swap(&m_newNodes);
        dropUnread();
        nameOutputs();
        return std::move(m_result);
    }

private:
    GraphProto& graph() { return *m_model.proto->mutable_graph(); }

    void setInput(const ::onnx::ValueInfoProto& input)
    {
        TensorType type = fromProto(input.type());
        const auto old = m_before.find(input.name());
        if (old == m_before.end()) {
            return;
        }
        const Shape now = *type.shape;
        const Shape& was = old->second;
        for (std::size_t variant = 0; variant < 3; ++variant) {
            for (std::size_t axis = 0; axis < now.size(); ++axis) {
                (*type.shape)[axis] = Dim(sizeIn(variant, was[axis], now[axis]));
            }
            ::onnx::TypeProto proto;
            toProto(type, proto);
            m_sized.at(variant).setInput(input.name(), proto);
        }
        m_tracker.addInput(input.name());
        m_inputs[input.name()] = now;
    }

    /// The original size and two multiples of it; for an empty axis, two other sizes.
    static Sizes variantsOf(std::int64_t size, std::size_t symbol)
    {
        const auto& pair = multiples[symbol % multiples.size()];
        const std::int64_t unit = size == 0 ? 1 : size;
        return {size, saturatingProduct(unit, pair[0]), saturatingProduct(unit, pair[1])};
    }

    /// Chooses the sizes of symbols that replace a fixed dimension.
    void addSymbols(const Shape& was, const Shape& now)
    {
        for (std::size_t axis = 0; axis < now.size(); ++axis) {
            if (was[axis].isFixed() && !now[axis].symbol().empty()) {
                m_symbols.try_emplace(now[axis].symbol(), variantsOf(was[axis].size, m_symbols.size()));
            }
        }
    }

    std::int64_t sizeIn(std::size_t variant, const Dim& was, const Dim& now) const
    {
        if (variant == 0 && was.isFixed()) {
            return was.size;
        }
        if (now.isFixed()) {
            return now.size;
        }
        if (const auto known = m_symbols.find(now.symbol()); known != m_symbols.end()) {
            return known->second[variant];
        }
        return was.isFixed() ? variantsOf(was.size, 0)[variant] : arbitrarySize;
    }

    bool reads(const NodeProto& node, const auto& which) const
    {
        bool any = false;
        forEachRead(node, [&](const std::string& name) { any = any || which(name); });
        return any;
    }

    /// Adapts one node.
    void patch(NodeProto& node)
    {
        const bool isChanging = reads(node, [&](const std::string& name) { return m_tracker.isChanging(name); });
        const bool isUnknown = reads(node, [&](const std::string& name) { return m_unknown.contains(name); });
        if (!isRandom(node.op_type()) &&
            !reads(node, [&](const std::string& name) { return !m_constants.contains(name); })) {
            m_constants.insert(node.output().begin(), node.output().end());
        }
        if (isChanging || isUnknown) {
            for (auto& attribute : *node.mutable_attribute()) {
                if (attribute.has_g()) {
                    clearShapes(*attribute.mutable_g());
                }
            }
        }
        const PatchContext context{m_original,
                                   m_sized,
                                   m_tracker,
                                   m_nodes,
                                   m_constants,
                                   [this](const std::string& name) { return stored(name); },
                                   [this](Severity severity, Code code, std::string message, std::string hint) {
                                       report(severity, code, std::move(message), std::move(hint));
                                   }};
        const std::size_t problems = m_result.problems.size();
        if (isChanging) {
            checkBatchIndependence(node, context);
            patchShapes(node, context);
            if (isResizedFirst(node.op_type())) {
                resizeConstants(node, context);
            }
        }
        auto fault = m_sized.infer(node);
        if (fault && !fault->isOld && isChanging && !isResizedFirst(node.op_type()) && resizeConstants(node, context)) {
            fault = m_sized.infer(node);
        }
        const bool isReported = hasErrors(std::span(m_result.problems).subspan(problems));
        if (fault && !fault->isOld && !isReported) {
            const auto nameOf = [this](const DimSource& source) {
                const auto input = m_inputs.find(source.value); // otherwise the source is an intermediate value
                return input != m_inputs.end() ? input->second[source.axis] : Dim();
            };
            context.reportError(
                "it accepts only the original sizes: " +
                (fault->why.empty() ? describeShapeMismatch(node, context, nameOf, fault->value) : fault->why));
        }
        if (isChanging && !fault) {
            checkBodies(node, context, m_sized, m_tracker); // after its states have been resized
        }
        if (isUnknown && node.op_type() == "Reshape") {
            checkUnknown(node);
        }
        follow(node, isChanging || isUnknown, fault.has_value());
        const bool isRead = std::ranges::any_of(node.output(), [&](const std::string& output) {
            return m_unknown.contains(output) && (m_read.contains(output) || node.op_type() == "Reshape");
        });
        if (isRead && isChanging && !isUnknown && !fault) {
            report(Severity::Warning, "unknown-size",
                   "the sizes of its results cannot be inferred: nodes that depend on them are not checked", {});
        }
    }

    void follow(const NodeProto& node, bool dependsOnChange, bool isFaulty)
    {
        if (!isFaulty && !m_tracker.follow(node) && wasSingle(node.input(0))) {
            report(Severity::Warning, "mixed-samples", "it combines elements of different samples", {});
        }
        for (const std::string& output : node.output()) {
            if (dependsOnChange && !output.empty() && (isFaulty || !m_sized.dims(output))) {
                m_unknown.insert(output);
            }
        }
    }

    bool wasSingle(const std::string& value) const
    {
        const auto axes = m_tracker.axes(value);
        return axes && std::ranges::any_of(*axes, [&](const AxisFactors& axis) { return m_tracker.wasSingle(axis); });
    }

    /// A Reshape of a value of unknown size may contain the batch size, unless its first dimension is -1 or 0.
    void checkUnknown(const NodeProto& node)
    {
        const auto target = m_sized.literals(node.input(1));
        if (target && !target->empty() && target->front() > 0) {
            report(Severity::Error, "baked-size",
                   fmt::format("cannot determine whether its shape [{}] depends on the size of an input",
                               fmt::join(*target, ", ")),
                   {});
        }
    }

    const Tensor* stored(const std::string& name) const
    {
        const auto found = m_stored.find(name);
        return found == m_stored.end() ? nullptr : &m_model.weights[found->second];
    }

    void report(Severity severity, Code code, std::string message, std::string hint)
    {
        const NodeId id{m_current};
        const auto& node = m_original.graph().node(static_cast<int>(m_current));
        m_result.problems.push_back({.severity = severity,
                                     .code = code,
                                     .message = std::move(message),
                                     .node = m_names.of(id),
                                     .nodeIndex = m_current,
                                     .op = node.op_type(),
                                     .hint = std::move(hint)});
    }

    /// Drops literals that only patched nodes used.
    void dropUnread()
    {
        std::unordered_set<std::string> read = readValues(graph());
        for (const auto& port : graph().input()) {
            read.insert(port.name());
        }
        const std::unordered_set<std::string> wasRead = readValues(m_original.graph());
        keepWeights(m_model, [&](const std::string& name, std::size_t index) {
            const bool isNew = index >= m_stored.size();
            return read.contains(name) || (!isNew && !wasRead.contains(name));
        });
    }

    /// Names output dimensions after the input dimensions that they equal.
    void nameOutputs()
    {
        for (const auto& output : graph().output()) {
            const auto axes = m_tracker.axes(output.name());
            if (!axes || !m_tracker.isChanging(output.name())) {
                continue;
            }
            checkSamples(output.name(), *axes);
            Shape shape;
            for (const AxisFactors& axis : *axes) {
                const AxisFactors factors = simplified(axis);
                if (!isChanging(factors)) {
                    shape.emplace_back();
                    continue;
                }
                const DimSource* source = factors.size() == 1 ? &m_tracker.sources()[factors.front().source] : nullptr;
                const auto input = source != nullptr ? m_inputs.find(source->value) : m_inputs.end();
                shape.push_back(input != m_inputs.end() ? input->second[source->axis] : Dim());
            }
            m_result.outputs[output.name()] = std::move(shape);
        }
    }

    /// A Reshape cannot give the samples back an axis of their own where other elements come before them.
    void checkSamples(const std::string& output, const std::vector<AxisFactors>& axes)
    {
        const auto isFree = [](const AxisFactors& axis) { return !isChanging(axis) && sizeBefore(axis) == 1; };
        const auto isShared = [&](const AxisFactors& axis) {
            return m_tracker.wasSingle(axis) && simplified(axis).size() > 1;
        };
        const auto shared = std::ranges::find_if(axes, isShared);
        if (shared == axes.end() || std::ranges::none_of(axes, isFree)) {
            return;
        }
        const auto& nodes = m_original.graph().node();
        const auto computes = [&](const NodeProto& node) {
            return std::ranges::find(node.output(), output) != node.output().end();
        };
        m_current = static_cast<std::uint32_t>(std::ranges::find_if(nodes, computes) - nodes.begin());
        report(Severity::Warning, "mixed-samples",
               fmt::format("axis {} of its result {} contains all samples, which have no axis of their own",
                           shared - axes.begin(), output),
               {});
    }

    OnnxModel& m_model;
    const NodeNames& m_names;
    ::onnx::ModelProto m_original;
    MultiShapeInference m_sized;
    AxisTracker m_tracker;
    ShapeNodes::Nodes m_newNodes;
    ShapeNodes m_nodes;
    DynamicShapes m_result;
    std::uint32_t m_current = 0;
    std::map<std::string, Sizes> m_symbols;
    std::map<std::string, Shape> m_before; ///< original shapes of the inputs
    std::map<std::string, Shape> m_inputs; ///< new shapes of the inputs
    std::unordered_map<std::string, std::size_t> m_stored;
    std::unordered_set<std::string> m_constants; ///< values that do not depend on an input
    std::unordered_set<std::string> m_read;      ///< by nodes
    std::unordered_set<std::string> m_unknown;   ///< values of unknown shape that depend on dynamic dimensions
};

} // namespace

DynamicShapes makeShapesDynamic(OnnxModel& model, const std::map<std::string, Shape>& before, const NodeNames& names)
{
    return DynamicShapesPass(model, before, names).run();
}

} // namespace crosswalk
