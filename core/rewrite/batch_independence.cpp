#include "core/onnx/node.h"
#include "core/onnx/opsets.h"
#include "core/rewrite/shape_patcher.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

class BatchIndependenceCheck {
public:
    BatchIndependenceCheck(const NodeProto& node, const PatchContext& context)
        : m_node(node)
        , m_context(context)
        , m_axes(context.tracker.axes(inputOf(node, 0)).value_or(std::vector<AxisFactors>()))
    {
    }

    void run() const
    {
        const auto row = std::ranges::find(rows(), std::string_view(m_node.op_type()), &Row::op);
        if (row != rows().end()) {
            (this->*row->check)();
            return;
        }
        if (isBroadcasting(m_node.op_type())) {
            checkBroadcast();
        }
        checkLayouts();
    }

private:
    struct Row {
        std::string_view op;
        void (BatchIndependenceCheck::*check)() const;
    };
    static std::span<const Row> rows();

    static constexpr std::size_t firstSpatialAxis = 2;

    std::size_t axisAt(std::int64_t axis) const { return crosswalk::axisAt(axis, m_axes.size()); }

    /// Numbers that are an attribute in older opsets and an input in newer ones, if they are constant.
    std::optional<Ints> attributeOrInput(std::string_view attribute, int input) const
    {
        if (const auto* given = findAttribute(m_node, attribute)) {
            return Ints(given->ints().begin(), given->ints().end());
        }
        return m_context.sized.literals(inputOf(m_node, input));
    }

    bool changes(std::size_t axis) const { return axis < m_axes.size() && isChanging(m_axes[axis]); }
    bool wasSingle(std::size_t axis) const { return axis < m_axes.size() && m_context.tracker.wasSingle(m_axes[axis]); }

    /// If the axis had length 1, the original model does not determine which sample an index should select now.
    void checkIndexing() const
    {
        const std::size_t axis = axisAt(intAttribute(m_node, "axis", 0));
        if (wasSingle(axis)) {
            reportPosition(axis);
        } else if (changes(axis) && m_context.constants.contains(inputOf(m_node, 1))) {
            m_context.report(Severity::Warning, "kept-size",
                             fmt::format("it selects the same indices along axis {}, whatever its length", axis), {});
        }
    }

    /// Indices that differ between the samples select from each sample, not only from their own.
    void checkGather() const
    {
        checkIndexing();
        const std::vector<AxisFactors> indices =
            m_context.tracker.axes(inputOf(m_node, 1)).value_or(std::vector<AxisFactors>());
        const std::size_t gathered = axisAt(intAttribute(m_node, "axis", 0));
        for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
            if (axis != gathered && std::ranges::any_of(indices, [&](const AxisFactors& other) {
                    return haveSameSource(m_axes[axis], other);
                })) {
                reportPairs(m_node.input(0), m_node.input(1));
                return;
            }
        }
    }

    /// Of a single sample, a start of 0 and of -1 and any step select the same element. Which samples of a batch they
    /// should select is unknown, unless the slice is the whole axis at any length.
    void checkSlice() const
    {
        const auto starts = attributeOrInput("starts", 1);
        const auto ends = attributeOrInput("ends", 2);
        const auto axes = attributeOrInput("axes", 3);
        const auto steps = m_context.sized.literals(inputOf(m_node, 4));
        if (!starts || !ends || (!axes && !inputOf(m_node, 3).empty()) || (!steps && !inputOf(m_node, 4).empty())) {
            return;
        }
        for (std::size_t i = 0; i < std::min(starts->size(), ends->size()); ++i) {
            const std::size_t axis = axes && i < axes->size() ? axisAt((*axes)[i]) : i;
            const std::int64_t step = steps && i < steps->size() ? (*steps)[i] : 1;
            const bool isWhole = (*starts)[i] == 0 && (*ends)[i] > 0 && step == 1;
            if (wasSingle(axis) && !isWhole) {
                reportPosition(axis);
            }
        }
    }

    void checkSqueeze() const
    {
        if (findAttribute(m_node, "axes") != nullptr || !inputOf(m_node, 1).empty()) {
            return;
        }
        for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
            if (wasSingle(axis) && sizeBefore(m_axes[axis]) == 1) {
                m_context.reportError(fmt::format("it has no axes, and removes axis {}, which had length 1", axis));
            }
        }
    }

    /// Of operators that treat elements of a matrix by their position.
    void checkPositions() const
    {
        constexpr std::size_t matrixAxes = 2;
        for (std::size_t axis = m_axes.size() - std::min(matrixAxes, m_axes.size()); axis < m_axes.size(); ++axis) {
            if (wasSingle(axis)) {
                reportPosition(axis);
            }
        }
    }

    void reportPosition(std::size_t axis) const
    {
        m_context.reportError(fmt::format("it selects by index along axis {}, which had length 1", axis));
    }

    void checkIndexingND() const
    {
        const auto indices = m_context.tracker.axes(inputOf(m_node, 1));
        const auto first = static_cast<std::size_t>(intAttribute(m_node, "batch_dims", 0));
        const std::size_t depth =
            indices && !indices->empty() ? static_cast<std::size_t>(sizeBefore(indices->back())) : m_axes.size();
        for (std::size_t axis = first; axis < std::min(first + depth, m_axes.size()); ++axis) {
            if (changes(axis)) {
                m_context.reportError(fmt::format("it selects by index along axis {}, whose length has changed", axis));
                return;
            }
        }
    }

    template <int batchInput>
    void checkRegions() const
    {
        if (changes(0) && m_context.constants.contains(inputOf(m_node, batchInput))) {
            m_context.reportError("its regions refer to samples by constant indices");
        }
    }

    void checkSplit() const
    {
        const std::size_t axis = axisAt(intAttribute(m_node, "axis", 0));
        if (m_node.output_size() > 1 && changes(axis)) {
            m_context.reportError(
                fmt::format("it splits axis {} into {} parts, whatever its length", axis, m_node.output_size()));
        }
    }

    void checkReduction() const
    {
        const auto axes = attributeOrInput("axes", 1);
        for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
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
        for (std::size_t i = 0; axis == nullptr && i < m_axes.size(); ++i) {
            isAny = isAny || changes(i);
        }
        if ((isAny || (axis != nullptr && changes(axisAt(axis->i())))) &&
            m_context.constants.contains(inputOf(m_node, 1))) {
            m_context.reportError("its condition is constant and has the original length");
        }
    }

    void checkTop() const
    {
        if (m_context.tracker.isChanging(inputOf(m_node, 1))) {
            m_context.reportError("its k differs between samples, but TopK takes a single k");
            return;
        }
        const std::size_t axis = axisAt(intAttribute(m_node, "axis", -1));
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

    /// `second`: the operand with the second matrix.
    template <int second>
    void checkMatMul() const
    {
        checkOuterProduct(m_context.tracker.axes(inputOf(m_node, second)), second);
        if (!m_axes.empty()) {
            checkMixing(m_axes.size() - 1); // it is contracted
        }
        checkLayouts();
    }

    void checkGemm() const
    {
        checkMixing(intAttribute(m_node, "transA", 0) != 0 ? 0 : 1);
        checkLayouts();
    }

    /// Letters that the result lacks are summed over.
    void checkEquation() const
    {
        const auto* given = findAttribute(m_node, "equation");
        std::string equation = given == nullptr ? std::string() : given->s();
        std::erase(equation, ' ');
        const std::size_t arrow = equation.find("->");
        if (equation.find('.') != std::string::npos) {
            return;
        }
        const std::string_view terms = std::string_view(equation).substr(0, arrow);
        const auto isKept = [&](char letter) {
            return arrow == std::string::npos ? std::ranges::count(terms, letter) == 1
                                              : equation.find(letter, arrow) != std::string::npos;
        };
        int operand = 0;
        std::size_t axis = 0;
        for (const char letter : terms) {
            if (letter == ',') {
                ++operand;
                axis = 0;
            } else if (const std::size_t at = axis++; !isKept(letter) && hasSingle(inputOf(m_node, operand), at)) {
                reportMixing(at);
                return;
            }
        }
    }

    /// In training mode, the statistics are those of the batch.
    void checkBatchStatistics() const
    {
        if (intAttribute(m_node, "training_mode", 0) != 0) {
            checkMixing(0);
            checkSpatialAxes();
        }
    }

    void checkLoss() const
    {
        const auto* reduction = findAttribute(m_node, "reduction");
        if (reduction == nullptr || reduction->s() != "none") {
            checkMixing(0);
            checkSpatialAxes();
        }
    }

    /// The axis is an attribute in older opsets, whose default is 1, and an input in newer ones, whose default is -2.
    void checkTransform() const
    {
        constexpr int axisIsInput = 20;
        if (opsetOf(m_context.original) < axisIsInput) {
            checkMixing(axisAt(intAttribute(m_node, "axis", 1)));
        } else if (const auto axis = m_context.sized.literals(inputOf(m_node, 2)); axis && axis->size() == 1) {
            checkMixing(axisAt(axis->front()));
        } else if (inputOf(m_node, 2).empty()) {
            checkMixing(axisAt(-2));
        }
    }

    void checkCrop() const
    {
        const auto* axes = findAttribute(m_node, "axes");
        for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
            const bool isCropped =
                axes == nullptr || std::ranges::any_of(axes->ints(), [&](std::int64_t a) { return axisAt(a) == axis; });
            if (isCropped && wasSingle(axis)) {
                reportPosition(axis);
            }
        }
    }

    void checkMixing(std::size_t axis) const
    {
        if (wasSingle(axis)) {
            reportMixing(axis);
        }
    }

    void reportMixing(std::size_t axis) const
    {
        m_context.report(Severity::Warning, "mixed-samples",
                         fmt::format("it combines elements along axis {}, which had length 1", axis), {});
    }

    template <std::int64_t absent>
    void checkAxis() const
    {
        checkMixing(axisAt(intAttribute(m_node, "axis", absent)));
    }

    void checkTrailingAxes() const { checkMixingFrom(axisAt(intAttribute(m_node, "axis", -1))); }
    void checkAllAxes() const { checkMixingFrom(0); }
    void checkChannels() const { checkMixing(1); }
    void checkSpatialAxes() const { checkMixingFrom(firstSpatialAxis); }
    void checkSteps() const { checkMixing(intAttribute(m_node, "layout", 0) == 0 ? 0 : 1); }
    void checkReversal() const { checkMixing(axisAt(intAttribute(m_node, "time_axis", 0))); }

    void checkMixingFrom(std::size_t first) const
    {
        for (std::size_t axis = first; axis < m_axes.size(); ++axis) {
            checkMixing(axis);
        }
    }

    /// Before opset 13, all axes from `axis` on are one.
    void checkSoftmax() const
    {
        constexpr int alongOneAxis = 13;
        if (opsetOf(m_context.original) < alongOneAxis) {
            checkMixingFrom(axisAt(intAttribute(m_node, "axis", 1)));
        } else {
            checkMixing(axisAt(intAttribute(m_node, "axis", -1)));
        }
    }

    /// Windows of one element leave the elements apart, if they visit each. `weight`: the operand of convolutions.
    template <int weight>
    void checkWindows() const
    {
        const auto isOne = [&](std::string_view name, std::size_t i, std::int64_t absent) {
            const auto* given = findAttribute(m_node, name);
            const bool isGiven = given != nullptr && i < static_cast<std::size_t>(given->ints_size());
            return (isGiven ? given->ints(static_cast<int>(i)) : absent) == 1;
        };
        const auto kernel = m_context.sized.before().dims(inputOf(m_node, weight));
        for (std::size_t axis = firstSpatialAxis; axis < m_axes.size(); ++axis) {
            const std::int64_t size = kernel && axis < kernel->size() ? (*kernel)[axis] : 0;
            const std::size_t i = axis - firstSpatialAxis;
            if (!isOne("kernel_shape", i, size) || !isOne("strides", i, 1)) {
                checkMixing(axis);
            }
        }
    }

    /// The factors of Resize and Upsample, which are an attribute in older opsets and an input in newer ones; nothing
    /// for each that is unknown.
    std::vector<std::optional<double>> factors() const
    {
        if (const auto* given = findAttribute(m_node, "scales")) {
            return {given->floats().begin(), given->floats().end()};
        }
        constexpr int withoutRegion = 2; // operands of older opsets
        return m_context.sized.numbers(inputOf(m_node, m_node.input_size() > withoutRegion ? 2 : 1));
    }

    /// Elements between two samples are interpolated from both. patchResize() handles a Resize to sizes.
    void checkFactors() const
    {
        constexpr int withSizes = 4; // operands
        if (m_node.input_size() == withSizes && !m_node.input(withSizes - 1).empty()) {
            return;
        }
        const auto* given = findAttribute(m_node, "axes");
        const auto known = factors();
        const std::size_t count = given != nullptr ? static_cast<std::size_t>(given->ints_size()) : m_axes.size();
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t axis = given != nullptr ? axisAt(given->ints(static_cast<int>(i))) : i;
            const bool isKnown = i < known.size() && known[i].has_value();
            if (wasSingle(axis) && !(isKnown && *known[i] == 1)) {
                m_context.report(
                    Severity::Warning, "mixed-samples",
                    fmt::format("it {} axis {}, which had length 1", isKnown ? "resizes" : "may resize", axis), {});
            }
        }
    }

    bool hasSingle(const std::string& value, std::size_t axis) const
    {
        const auto axes = m_context.tracker.isChanging(value) ? m_context.tracker.axes(value) : std::nullopt;
        return axes && axis < axes->size() && m_context.tracker.wasSingle((*axes)[axis]);
    }

    void checkConcatenation() const
    {
        for (const std::string& part : m_node.input()) {
            const auto axes = m_context.tracker.axes(part);
            const std::size_t axis = axes ? crosswalk::axisAt(intAttribute(m_node, "axis", 1), axes->size()) : 0;
            if (axes && hasSingle(part, axis)) {
                reportMixing(axis);
                break;
            }
        }
        checkLayouts();
    }

    void checkScan() const
    {
        for (int i = 0; i < m_node.input_size(); ++i) {
            const auto scanned = scannedAxis(m_node, i);
            const auto axes = m_context.tracker.axes(m_node.input(i));
            const std::size_t axis = scanned && axes ? crosswalk::axisAt(*scanned, axes->size()) : 0;
            if (scanned && axes && hasSingle(m_node.input(i), axis)) {
                reportMixing(axis);
                return;
            }
        }
    }

    /// Whether two axes have lengths that change together.
    bool haveSameSource(const AxisFactors& a, const AxisFactors& b) const
    {
        const auto& sources = m_context.tracker.sources();
        return std::ranges::any_of(a, [&](const AxisFactor& x) {
            return std::ranges::any_of(b, [&](const AxisFactor& y) {
                return !x.isLiteral() && !y.isLiteral() && x.size == 1 && y.size == 1 &&
                       sources[x.source].sizes == sources[y.source].sizes;
            });
        });
    }

    void checkOuterProduct(std::optional<std::vector<AxisFactors>> b, int second) const
    {
        constexpr std::size_t matrixAxes = 2;
        std::vector<AxisFactors> a = m_axes;
        if (!b || a.size() < matrixAxes || b->size() < matrixAxes) {
            return;
        }
        a.back() = {}; // the contracted axes
        (*b)[b->size() - matrixAxes] = {};
        if (isCrossed(a, *b)) {
            reportPairs(m_node.input(0), m_node.input(second));
        }
    }

    /// Of values with the samples along different axes, each sample is combined with each.
    void checkBroadcast() const
    {
        std::map<Sizes, std::map<std::size_t, std::string>> seen; // by size: axes, counted from the last, and operands
        for (const std::string& input : m_node.input()) {
            if (!m_context.tracker.isChanging(input)) {
                continue;
            }
            std::vector<std::pair<Sizes, std::size_t>> own;
            const std::vector<AxisFactors> axes = *m_context.tracker.axes(input);
            for (std::size_t axis = 0; axis < axes.size(); ++axis) {
                for (const AxisFactor& factor : axes[axis]) {
                    if (!factor.isLiteral() && factor.size == 1) {
                        own.emplace_back(m_context.tracker.sources()[factor.source].sizes, axes.size() - axis);
                    }
                }
            }
            for (const auto& [sizes, axis] : own) {
                for (const auto& [otherAxis, other] : seen[sizes]) {
                    if (axis != otherAxis) {
                        reportPairs(other, input);
                        return;
                    }
                }
            }
            for (const auto& [sizes, axis] : own) {
                seen[sizes].emplace(axis, input);
            }
        }
    }

    bool isCrossed(const std::vector<AxisFactors>& a, const std::vector<AxisFactors>& b) const
    {
        for (std::size_t k = 1; k <= a.size(); ++k) {
            for (std::size_t l = 1; l <= b.size(); ++l) {
                if (k != l && haveSameSource(a[a.size() - k], b[b.size() - l])) {
                    return true;
                }
            }
        }
        return false;
    }

    void reportPairs(const std::string& a, const std::string& b) const
    {
        m_context.report(Severity::Warning, "mixed-samples",
                         fmt::format("it combines each sample of {} with each of {}", a, b), {});
    }

    /// Two values may contain the same samples in different orders, which makes no difference for a single sample.
    void checkLayouts() const
    {
        for (const std::string& input : m_node.input()) {
            const auto other = m_context.tracker.isChanging(input) ? m_context.tracker.axes(input) : std::nullopt;
            for (std::size_t k = 1; other && k <= std::min(other->size(), m_axes.size()); ++k) {
                AxisFactors a = simplified(m_axes[m_axes.size() - k]);
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
    std::vector<AxisFactors> m_axes; ///< of the first input; none if its rank is unknown
};

std::span<const BatchIndependenceCheck::Row> BatchIndependenceCheck::rows()
{
    using Check = BatchIndependenceCheck;
    static constexpr auto all = std::to_array<Row>({
        {"ArgMax", &Check::checkAxis<0>},
        {"ArgMin", &Check::checkAxis<0>},
        {"AveragePool", &Check::checkWindows<1>},
        {"BatchNormalization", &Check::checkBatchStatistics},
        {"CenterCropPad", &Check::checkCrop},
        {"Compress", &Check::checkCompress},
        {"Concat", &Check::checkConcatenation},
        {"Conv", &Check::checkWindows<1>},
        {"ConvInteger", &Check::checkWindows<1>},
        {"ConvTranspose", &Check::checkWindows<1>},
        {"CumProd", &Check::checkRunningSum},
        {"CumSum", &Check::checkRunningSum},
        {"DFT", &Check::checkTransform},
        {"DeformConv", &Check::checkWindows<1>},
        {"DepthToSpace", &Check::checkChannels},
        {"DynamicQuantizeLinear", &Check::checkAllAxes},
        {"Einsum", &Check::checkEquation},
        {"EyeLike", &Check::checkPositions},
        {"GRU", &Check::checkSteps},
        {"Gather", &Check::checkGather},
        {"GatherElements", &Check::checkIndexing},
        {"GatherND", &Check::checkIndexingND},
        {"Gemm", &Check::checkGemm},
        {"GlobalAveragePool", &Check::checkSpatialAxes},
        {"GlobalLpPool", &Check::checkSpatialAxes},
        {"GlobalMaxPool", &Check::checkSpatialAxes},
        {"GroupNormalization", &Check::checkSpatialAxes},
        {"Hardmax", &Check::checkSoftmax},
        {"InstanceNormalization", &Check::checkSpatialAxes},
        {"LRN", &Check::checkChannels},
        {"LSTM", &Check::checkSteps},
        {"LayerNormalization", &Check::checkTrailingAxes},
        {"LogSoftmax", &Check::checkSoftmax},
        {"LpNormalization", &Check::checkAxis<-1>},
        {"LpPool", &Check::checkWindows<1>},
        {"MatMul", &Check::checkMatMul<1>},
        {"MatMulInteger", &Check::checkMatMul<1>},
        {"MaxPool", &Check::checkWindows<1>},
        {"MaxRoiPool", &Check::checkRegions<1>},
        {"MeanVarianceNormalization", &Check::checkMoments},
        {"NegativeLogLikelihoodLoss", &Check::checkLoss},
        {"Pad", &Check::checkPads},
        {"QLinearConv", &Check::checkWindows<3>},
        {"QLinearMatMul", &Check::checkMatMul<3>},
        {"RMSNormalization", &Check::checkTrailingAxes},
        {"RNN", &Check::checkSteps},
        {"ReduceL1", &Check::checkReduction},
        {"ReduceL2", &Check::checkReduction},
        {"ReduceLogSum", &Check::checkReduction},
        {"ReduceLogSumExp", &Check::checkReduction},
        {"ReduceMax", &Check::checkReduction},
        {"ReduceMean", &Check::checkReduction},
        {"ReduceMin", &Check::checkReduction},
        {"ReduceProd", &Check::checkReduction},
        {"ReduceSum", &Check::checkReduction},
        {"ReduceSumSquare", &Check::checkReduction},
        {"Resize", &Check::checkFactors},
        {"ReverseSequence", &Check::checkReversal},
        {"RoiAlign", &Check::checkRegions<2>},
        {"Scan", &Check::checkScan},
        {"Scatter", &Check::checkIndexing},
        {"ScatterElements", &Check::checkIndexing},
        {"ScatterND", &Check::checkIndexingND},
        {"Slice", &Check::checkSlice},
        {"Softmax", &Check::checkSoftmax},
        {"SoftmaxCrossEntropyLoss", &Check::checkLoss},
        {"Split", &Check::checkSplit},
        {"Squeeze", &Check::checkSqueeze},
        {"TopK", &Check::checkTop},
        {"Trilu", &Check::checkPositions},
        {"Upsample", &Check::checkFactors},
    });
    return all;
}

} // namespace

void checkBatchIndependence(const NodeProto& node, const PatchContext& context)
{
    if (isOnnxDomain(node.domain())) {
        BatchIndependenceCheck(node, context).run();
    }
}

} // namespace crosswalk
