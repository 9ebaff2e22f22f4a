#include "core/onnx/node.h"
#include "core/onnx/proto_reads.h"
#include "core/rewrite/shape_patcher.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace crosswalk {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;

class BodyCheck {
public:
    BodyCheck(MultiShapeInference& sized, AxisTracker& tracker)
        : m_sized(sized)
        , m_tracker(tracker)
    {
    }

    void run(const NodeProto& node, const PatchContext& context)
    {
        for (const auto& attribute : node.attribute()) {
            if (attribute.has_g()) {
                bindInputs(node, attribute.g());
                check(attribute.g(), context);
            }
        }
    }

private:
    void check(const GraphProto& body, const PatchContext& context)
    {
        for (const auto& stored : body.initializer()) {
            m_sized.addConstant(stored);
        }
        for (const NodeProto& node : body.node()) {
            PatchContext inside = context;
            inside.report = [&](Severity severity, Code code, const std::string& message, std::string hint) {
                context.report(severity, code, fmt::format("{} in its body: {}", node.op_type(), message),
                               std::move(hint));
            };
            bool isChanging = false;
            forEachRead(node, [&](const std::string& name) { isChanging = isChanging || m_tracker.isChanging(name); });
            if (isChanging) {
                checkBatchIndependence(node, inside);
                run(node, inside);
            }
            const auto fault = m_sized.infer(node);
            if (!fault) {
                m_tracker.follow(node);
            } else if (isChanging && !fault->isOld) {
                inside.reportError("it accepts only the original sizes");
            }
        }
    }

    void bindInputs(const NodeProto& node, const GraphProto& body)
    {
        constexpr int firstState = 2; // of a Loop, after the iteration and the condition
        if (node.op_type() == "Loop") {
            bindScalar(body, 0, ::onnx::TensorProto::INT64);
            bindScalar(body, 1, ::onnx::TensorProto::BOOL);
            for (int i = firstState; i < std::min(node.input_size(), body.input_size()); ++i) {
                bind(node.input(i), body.input(i).name(), std::nullopt);
            }
        } else if (node.op_type() == "Scan") {
            for (int i = 0; i < std::min(node.input_size(), body.input_size()); ++i) {
                bind(node.input(i), body.input(i).name(), scannedAxis(node, i));
            }
        }
    }

    void bindScalar(const GraphProto& body, int input, int type)
    {
        if (input < body.input_size()) {
            ::onnx::TypeProto scalar;
            scalar.mutable_tensor_type()->set_elem_type(type);
            scalar.mutable_tensor_type()->mutable_shape();
            for (std::size_t i = 0; i < m_sized.count(); ++i) {
                m_sized.at(i).setInput(body.input(input).name(), scalar);
            }
        }
    }

    /// Gives a value of the body the sizes of a value outside, without the axis along which it is scanned.
    void bind(const std::string& outer, const std::string& inner, std::optional<std::int64_t> scanned)
    {
        auto sizes = m_sized.dims(outer);
        auto axes = m_tracker.axes(outer);
        const std::size_t axis = sizes && scanned ? axisAt(*scanned, sizes->size()) : 0;
        if (!sizes || !axes || axes->size() != sizes->size() || (scanned && axis >= sizes->size())) {
            return;
        }
        const auto at = static_cast<std::ptrdiff_t>(axis);
        if (scanned) {
            sizes->erase(sizes->begin() + at);
        }
        for (std::size_t i = 0; i < m_sized.count(); ++i) {
            Ints dims;
            std::ranges::transform(*sizes, std::back_inserter(dims), [i](const Sizes& size) { return size[i]; });
            ::onnx::TypeProto type;
            toProto({static_cast<ElementType>(m_sized.at(i).elementType(outer)), shapeOf(dims)}, type);
            m_sized.at(i).setInput(inner, type);
        }
        if (scanned) {
            axes->erase(axes->begin() + at);
        }
        m_tracker.setAxes(inner, std::move(*axes));
    }

    MultiShapeInference& m_sized;
    AxisTracker& m_tracker;
};

} // namespace

void checkBodies(const NodeProto& node, const PatchContext& context, MultiShapeInference& sized, AxisTracker& tracker)
{
    BodyCheck(sized, tracker).run(node, context);
}

} // namespace crosswalk
