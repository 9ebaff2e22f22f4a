#include "core/onnx/node.h"
#include "core/rewrite/shape_patcher.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

class BatchIndependenceCheck {
public:
    BatchIndependenceCheck(const NodeProto& node, const PatchContext& context)
        : m_node(node)
        , m_context(context)
        , m_axes(node.input_size() > 0 ? context.tracker.axes(node.input(0)) : std::nullopt)
    {
    }

    void run() const
    {
        const std::string& op = m_node.op_type();
        if (!m_axes) {
            return;
        }
        if (op == "Gather" || op == "GatherElements" || op == "ScatterElements" || op == "Scatter") {
            checkIndexing(axisAt(intAttribute(m_node, "axis", 0)));
        } else if (op == "GatherND" || op == "ScatterND") {
            checkIndexingND();
        } else if (op == "RoiAlign" || op == "MaxRoiPool") {
            checkRegions(op == "RoiAlign" ? 2 : 1);
        } else if (op == "Split" && m_node.output_size() > 1) {
            checkSplit(axisAt(intAttribute(m_node, "axis", 0)));
        } else if (op.starts_with("Reduce")) {
            checkReduction();
        } else if (op == "Compress") {
            checkCompress();
        } else if (op == "TopK" && m_context.tracker.isChanging(inputOf(m_node, 1))) {
            m_context.reportError("its k differs between samples, but TopK takes a single k");
        } else if (op == "TopK") {
            checkTop(axisAt(intAttribute(m_node, "axis", -1)));
        } else if (isAlongAxis(op)) {
            checkMixing(axisAt(intAttribute(m_node, "axis", op.starts_with("Arg") ? 0 : -1)));
        } else if (op == "CumSum") {
            checkRunningSum();
        } else if (op == "MeanVarianceNormalization") {
            checkMoments();
        } else if (op == "Pad") {
            checkPads();
        } else if (op == "MatMul" || op == "Gemm") {
            checkProduct(op == "Gemm" && intAttribute(m_node, "transA", 0) != 0 ? 0 : m_axes->size() - 1);
        } else if (op == "Einsum") {
            checkEquation();
        } else {
            if (op == "Concat") {
                checkMixing(axisAt(intAttribute(m_node, "axis", 1)));
            }
            checkLayouts();
        }
    }

private:
    static bool isAlongAxis(std::string_view op)
    {
        static constexpr std::array<std::string_view, 7> names{
            "ArgMax", "ArgMin", "Hardmax", "LogSoftmax", "Softmax", "LayerNormalization", "LpNormalization"};
        return std::find(names.begin(), names.end(), op) != names.end();
    }

    std::size_t axisAt(std::int64_t axis) const { return crosswalk::axisAt(axis, m_axes->size()); }

    /// Numbers that are an attribute in older opsets and an input in newer ones, if they are constant.
    std::optional<Ints> attributeOrInput(std::string_view attribute, int input) const
    {
        if (const auto* given = findAttribute(m_node, attribute)) {
            return Ints(given->ints().begin(), given->ints().end());
        }
        return m_context.sized.literals(inputOf(m_node, input));
    }

    bool changes(std::size_t axis) const { return axis < m_axes->size() && isChanging((*m_axes)[axis]); }
    bool wasSingle(std::size_t axis) const
    {
        return axis < m_axes->size() && m_context.tracker.wasSingle((*m_axes)[axis]);
    }

    /// If the axis had length 1, the original model does not determine which sample an index should select now.
    void checkIndexing(std::size_t axis) const
    {
        if (wasSingle(axis)) {
            m_context.reportError(fmt::format("it selects by index along axis {}, which had length 1", axis));
        } else if (changes(axis) && m_context.constants.contains(inputOf(m_node, 1))) {
            m_context.report(Severity::Warning, "kept-size",
                             fmt::format("it selects the same indices along axis {}, whatever its length", axis), {});
        }
    }

    void checkIndexingND() const
    {
        const auto indices = m_context.tracker.axes(inputOf(m_node, 1));
        const auto first = static_cast<std::size_t>(intAttribute(m_node, "batch_dims", 0));
        const std::size_t depth =
            indices && !indices->empty() ? static_cast<std::size_t>(sizeBefore(indices->back())) : m_axes->size();
        for (std::size_t axis = first; axis < std::min(first + depth, m_axes->size()); ++axis) {
            if (changes(axis)) {
                m_context.reportError(fmt::format("it selects by index along axis {}, whose length has changed", axis));
                return;
            }
        }
    }

    void checkRegions(int batchInput) const
    {
        if (changes(0) && m_context.constants.contains(inputOf(m_node, batchInput))) {
            m_context.reportError("its regions refer to samples by constant indices");
        }
    }

    void checkSplit(std::size_t axis) const
    {
        if (changes(axis)) {
            m_context.reportError(
                fmt::format("it splits axis {} into {} parts, whatever its length", axis, m_node.output_size()));
        }
    }

    void checkReduction() const
    {
        const auto axes = attributeOrInput("axes", 1);
        for (std::size_t axis = 0; axis < m_axes->size(); ++axis) {
            const bool isReduced =
                !axes || axes->empty() ||
                std::any_of(axes->begin(), axes->end(), [&](std::int64_t a) { return axisAt(a) == axis; });
            if (isReduced) {
                checkMixing(axis);
            }
        }
    }

    void checkCompress() const
    {
        const auto* axis = findAttribute(m_node, "axis");
        bool isAny = false;
        for (std::size_t i = 0; axis == nullptr && i < m_axes->size(); ++i) {
            isAny = isAny || changes(i);
        }
        if ((isAny || (axis != nullptr && changes(axisAt(axis->i())))) &&
            m_context.constants.contains(inputOf(m_node, 1))) {
            m_context.reportError("its condition is constant and has the original length");
        }
    }

    void checkTop(std::size_t axis) const
    {
        checkMixing(axis);
        if (changes(axis) && !wasSingle(axis) && m_context.constants.contains(inputOf(m_node, 1))) {
            m_context.report(
                Severity::Warning, "kept-size",
                fmt::format("it keeps a constant number of elements along axis {}, whatever its length", axis), {});
        }
    }

    void checkRunningSum() const
    {
        if (const auto axis = m_context.sized.literals(inputOf(m_node, 1)); axis && axis->size() == 1) {
            checkMixing(axisAt(axis->front()));
        }
    }

    void checkMoments() const
    {
        const auto* given = findAttribute(m_node, "axes");
        for (const std::int64_t axis :
             given != nullptr ? Ints(given->ints().begin(), given->ints().end()) : Ints{0, 2, 3}) {
            checkMixing(axisAt(axis));
        }
    }

    /// Padding is added once per axis, not once per sample.
    void checkPads() const
    {
        const auto pads = attributeOrInput("pads", 1);
        if (!pads || pads->size() % 2 != 0) {
            return;
        }
        const auto axes = m_context.sized.literals(inputOf(m_node, 3));
        const std::size_t count = pads->size() / 2;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t axis = axes && i < axes->size() ? axisAt((*axes)[i]) : i;
            if (((*pads)[i] != 0 || (*pads)[count + i] != 0) && wasSingle(axis)) {
                m_context.report(Severity::Warning, "mixed-samples",
                                 fmt::format("it pads axis {}, which had length 1", axis), {});
            }
        }
    }

    /// `axis` of the first input is contracted.
    void checkProduct(std::size_t axis) const
    {
        if (!m_axes->empty()) {
            checkMixing(axis);
        }
        checkLayouts();
    }

    void checkEquation() const
    {
        const auto* given = findAttribute(m_node, "equation");
        const std::size_t arrow = given == nullptr ? std::string::npos : given->s().find("->");
        if (arrow == std::string::npos || given->s().find('.') != std::string::npos) {
            return;
        }
        const std::string_view equation = given->s();
        std::size_t axis = 0;
        for (const char letter : equation.substr(0, std::min(arrow, equation.find(',')))) {
            if (letter != ' ') {
                if (equation.find(letter, arrow) == std::string_view::npos) {
                    checkMixing(axis);
                }
                ++axis;
            }
        }
    }

    void checkMixing(std::size_t axis) const
    {
        if (wasSingle(axis)) {
            m_context.report(Severity::Warning, "mixed-samples",
                             fmt::format("it combines elements along axis {}, which had length 1", axis), {});
        }
    }

    /// Two values may contain the same samples in different orders, which makes no difference for a single sample.
    void checkLayouts() const
    {
        for (const std::string& input : m_node.input()) {
            const auto other = m_context.tracker.isChanging(input) ? m_context.tracker.axes(input) : std::nullopt;
            for (std::size_t k = 1; other && k <= std::min(other->size(), m_axes->size()); ++k) {
                AxisFactors a = simplified((*m_axes)[m_axes->size() - k]);
                AxisFactors b = simplified((*other)[other->size() - k]);
                const auto order = [](const AxisFactor& x, const AxisFactor& y) {
                    return std::pair(x.source, x.size) < std::pair(y.source, y.size);
                };
                if (a.size() < 2 || a == b) {
                    continue;
                }
                std::sort(a.begin(), a.end(), order);
                std::sort(b.begin(), b.end(), order);
                if (a == b) {
                    m_context.reportError(
                        fmt::format("{} and {} contain the samples in different orders", m_node.input(0), input));
                    return;
                }
            }
        }
    }

    const NodeProto& m_node;
    const PatchContext& m_context;
    std::optional<std::vector<AxisFactors>> m_axes;
};

} // namespace

void checkBatchIndependence(const NodeProto& node, const PatchContext& context)
{
    if (node.domain().empty() || node.domain() == "ai.onnx") {
        BatchIndependenceCheck(node, context).run();
    }
}

} // namespace crosswalk
