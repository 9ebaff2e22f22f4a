#include "core/formats/mxnet/reroll/run_parameters.h"

#include "core/formats/mxnet/attribute_parser.h"
#include <algorithm>

namespace crosswalk::mxnet {
namespace {

/// All gates are the rows of one matrix in MXNet's own order, biased.
bool isWhole(const CellOperand& operand)
{
    std::int64_t next = 0;
    for (const GateRows& rows : operand.gates) {
        if (rows.weight != operand.gates.front().weight || rows.bias != operand.gates.front().bias || !rows.bias ||
            rows.first != next) {
            return false;
        }
        next += rows.count;
    }
    return next == operand.gates.front().ofRows;
}

/// The stored parameters in the order of the packed vector.
class Packing {
public:
    explicit Packing(const GraphRewriter& graph)
        : m_graph(graph)
    {
    }
    void weights(const CellOperand& operand)
    {
        for (const GateRows& rows : operand.gates) {
            const Tensor& stored = *m_graph.graph().tensorOf(rows.weight);
            const std::int64_t width = stored.dims()[1];
            m_parts.push_back(stored.range(rows.first * width, {rows.count * width}));
        }
    }
    void matrix(const GateRows& rows) { m_parts.push_back(flat(*m_graph.graph().tensorOf(rows.weight))); }
    void biases(const CellOperand& operand)
    {
        for (const GateRows& rows : operand.gates) {
            const Tensor* stored = rows.bias ? m_graph.graph().tensorOf(rows.bias) : nullptr;
            m_parts.push_back(stored != nullptr ? stored->range(rows.first, {rows.count})
                                                : Tensor::filled(m_parts.front().type(), {rows.count}, 0));
        }
    }
    Tensor joined() const { return Tensor::joined(m_parts); }

private:
    static Tensor flat(const Tensor& tensor) { return tensor.reshaped({tensor.elements()}); }

    const GraphRewriter& m_graph;
    std::vector<Tensor> m_parts;
};

} // namespace

std::optional<std::int64_t> columns(const GraphRewriter& graph, const CellOperand& operand)
{
    const Tensor* stored = graph.graph().tensorOf(operand.gates.front().weight);
    return stored != nullptr && stored->rank() == 2 ? std::optional(stored->dims()[1]) : std::nullopt;
}

bool isStored(const GraphRewriter& graph, const UnrolledRun& run)
{
    const UnrolledStep& step = run.steps.front();
    const auto& operands = step.operands;
    if (step.projects() && graph.graph().tensorOf(step.projection.weight) == nullptr) {
        return false;
    }
    return std::all_of(operands.begin(), operands.end(), [&](const CellOperand& operand) {
        return std::all_of(operand.gates.begin(), operand.gates.end(), [&](const GateRows& rows) {
            return graph.graph().tensorOf(rows.weight) != nullptr &&
                   (!rows.bias || graph.graph().tensorOf(rows.bias) != nullptr);
        });
    });
}

ValueId packedParameters(GraphRewriter& graph, const Runs& runs, const std::string& name)
{
    if (std::all_of(runs.begin(), runs.end(), [&](const UnrolledRun* run) { return isStored(graph, *run); })) {
        Packing packing(graph);
        for (const UnrolledRun* run : runs) {
            packing.weights(run->steps.front().operands[0]);
            packing.weights(run->steps.front().operands[1]);
            if (run->steps.front().projects()) {
                packing.matrix(run->steps.front().projection);
            }
        }
        for (const UnrolledRun* run : runs) {
            packing.biases(run->steps.front().operands[0]);
            packing.biases(run->steps.front().operands[1]);
        }
        return graph.addWeight(name + "_parameters", packing.joined());
    }
    ValueIds parts;
    const auto flat = [&](ValueId part) {
        parts.push_back(graph.add("Reshape", {part}, {parsedAttribute("shape", "(-1,)")}).front());
    };
    for (const UnrolledRun* run : runs) {
        flat(run->steps.front().operands[0].gates.front().weight);
        flat(run->steps.front().operands[1].gates.front().weight);
        if (run->steps.front().projects()) {
            flat(run->steps.front().projection.weight);
        }
    }
    for (const UnrolledRun* run : runs) {
        flat(run->steps.front().operands[0].gates.front().bias);
        flat(run->steps.front().operands[1].gates.front().bias);
    }
    return graph
        .add("Concat", parts, {parsedAttribute("dim", "0"), parsedAttribute("num_args", std::to_string(parts.size()))})
        .front();
}

std::string packingObstacle(const GraphRewriter& graph, const UnrolledRun& run)
{
    const auto& operands = run.steps.front().operands;
    if (!isStored(graph, run)) {
        return isWhole(operands[0]) && isWhole(operands[1])
                   ? ""
                   : "its weights are not stored, and its gates are not in the order of MXNet's own cells";
    }
    const ElementType type = graph.graph().tensorOf(operands[0].gates.front().weight)->type();
    for (const CellOperand& operand : operands) {
        for (const GateRows& rows : operand.gates) {
            const Tensor& weight = *graph.graph().tensorOf(rows.weight);
            const Tensor* bias = rows.bias ? graph.graph().tensorOf(rows.bias) : nullptr;
            const bool fits = weight.type() == type && weight.rank() == 2 && weight.dims()[0] == rows.ofRows &&
                              weight.dims()[1] == columns(graph, operand) &&
                              (bias == nullptr || (bias->type() == type && bias->dims() == std::vector{rows.ofRows}));
            if (!fits) {
                return "its weights do not have the shapes that its steps require";
            }
        }
    }
    if (const UnrolledStep& step = run.steps.front(); step.projects()) {
        const Tensor& projection = *graph.graph().tensorOf(step.projection.weight);
        if (projection.type() != type || projection.dims() != std::vector{step.projection.count, run.hidden()}) {
            return "its projection does not have the shape that its steps require";
        }
    }
    return columns(graph, operands[1]) == run.outputSize() ? "" : "the widths of its state and its cell differ";
}

} // namespace crosswalk::mxnet
