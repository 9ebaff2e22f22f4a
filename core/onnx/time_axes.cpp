#include "core/onnx/time_axes.h"

#include "core/graph/attributes.h"
#include "core/onnx/node.h"

#include <algorithm>
#include <array>

namespace crosswalk {
namespace {

/// Operators whose output has the same axes as an input of the same rank.
// clang-format off
constexpr std::array<std::string_view, 36> axisPreservingOps{
    "Abs", "Add", "BatchNormalization", "Cast", "Celu", "Clip", "Div", "Dropout", "Elu", "Erf", "Exp", "Floor",
    "Gelu", "HardSigmoid", "HardSwish", "Identity", "LayerNormalization", "LeakyRelu", "Log", "LogSoftmax", "Mish",
    "Mul", "Neg", "Not", "PRelu", "Pow", "Relu", "Selu", "Sigmoid", "Softmax", "Softplus", "Softsign", "Sqrt", "Sub",
    "Tanh", "Where",
};
// clang-format on

/// An axis of an input and its index in a value that depends on the input.
struct Track {
    ValueId input;
    std::size_t axis;
    std::size_t at;   ///< index of the axis in the value
    std::size_t rank; ///< of the value; tracked because a file does not have to store it

    bool operator==(const Track&) const = default;
};

class TimeAxisFinder {
public:
    explicit TimeAxisFinder(const Graph& graph)
        : m_graph(graph)
        , m_tracks(graph.valueCount())
    {
    }

    TimeAxes run()
    {
        for (const ValueId input : m_graph.inputs) {
            const auto& shape = m_graph.value(input).type.shape;
            for (std::size_t axis = 0; shape && axis < shape->size(); ++axis) {
                m_tracks[input.index].push_back({input, axis, axis, shape->size()});
            }
        }
        for (const Node& node : m_graph.nodes()) {
            for (std::size_t operand = 0; operand < node.inputs.size(); ++operand) {
                if (const ValueId value = node.inputs[operand]; value && !m_tracks[value.index].empty()) {
                    // A copy, because a damaged file may list the value as an output of the node as well.
                    const std::vector<Track> tracks = m_tracks[value.index];
                    std::for_each(tracks.begin(), tracks.end(),
                                  [&](const Track& track) { follow(node, operand, track); });
                }
            }
        }
        return std::move(m_found);
    }

private:
    void follow(const Node& node, std::size_t operand, const Track& track)
    {
        if (const auto iterated = iterationAxis(node, operand, track.rank)) {
            if (*iterated == track.at) {
                m_found[m_graph.value(track.input).name].insert(track.axis);
            }
            return;
        }
        if (const auto at = outputAxis(node, operand, track); at && !node.outputs.empty() && node.outputs[0]) {
            add(node.outputs[0], {track.input, track.axis, *at, node.op == "Gather" ? track.rank + 1 : track.rank});
        }
    }

    /// Skips duplicates: both operands of a residual sum come from one value, so its tracks would double with every
    /// block.
    void add(ValueId value, const Track& track)
    {
        std::vector<Track>& tracks = m_tracks[value.index];
        if (std::find(tracks.begin(), tracks.end(), track) == tracks.end()) {
            tracks.push_back(track);
        }
    }

    /// The axis of an operand along which a node iterates.
    static std::optional<std::size_t> iterationAxis(const Node& node, std::size_t operand, std::size_t rank)
    {
        if (node.op == "LSTM" || node.op == "GRU" || node.op == "RNN") {
            return operand == 0 ? std::optional<std::size_t>(intOf(node, "layout", 0) != 0 ? 1 : 0) : std::nullopt;
        }
        if (node.op != "Scan") {
            return std::nullopt;
        }
        const std::int64_t scanned = intOf(node, "num_scan_inputs", 0);
        const std::int64_t scanInput =
            static_cast<std::int64_t>(operand) - (static_cast<std::int64_t>(node.inputs.size()) - scanned);
        if (scanInput < 0 || scanned <= 0) {
            return std::nullopt;
        }
        const auto* axes = attributeOf<Ints>(node, "scan_input_axes");
        const auto index = static_cast<std::size_t>(scanInput);
        return axisAt(axes != nullptr && index < axes->size() ? (*axes)[index] : 0, rank);
    }

    /// Index of a tracked axis in the first output.
    static std::optional<std::size_t> outputAxis(const Node& node, std::size_t operand, const Track& track)
    {
        const std::size_t at = track.at;
        const std::size_t rank = track.rank;
        if (node.op == "Transpose") {
            const auto* perm = attributeOf<Ints>(node, "perm");
            if (perm == nullptr) {
                return rank - 1 - at;
            }
            const auto found = std::find(perm->begin(), perm->end(), static_cast<std::int64_t>(at));
            return found != perm->end() ? std::optional(static_cast<std::size_t>(found - perm->begin())) : std::nullopt;
        }
        if (node.op == "MatMul" || node.op == "Gemm") { // the last axis (features) is contracted
            return operand == 0 && at + 1 < rank ? std::optional(at) : std::nullopt;
        }
        if (node.op == "Conv" || node.op == "MaxPool" || node.op == "AveragePool") {
            return operand == 0 && at == 0 ? std::optional(at) : std::nullopt;
        }
        if (node.op == "Gather") { // an embedding: the axes of the indices precede the features
            return operand == 1 && intOf(node, "axis", 0) == 0 ? std::optional(at) : std::nullopt;
        }
        return std::find(axisPreservingOps.begin(), axisPreservingOps.end(), node.op) != axisPreservingOps.end()
                   ? std::optional(at)
                   : std::nullopt;
    }

    const Graph& m_graph;
    std::vector<std::vector<Track>> m_tracks;
    TimeAxes m_found;
};

} // namespace

TimeAxes timeAxes(const Graph& onnx)
{
    return TimeAxisFinder(onnx).run();
}

} // namespace crosswalk
