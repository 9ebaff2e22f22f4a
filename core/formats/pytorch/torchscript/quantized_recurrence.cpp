// Each cell of a recurrent layer has its weights in an object of its own. The nodes have the weights of all cells as
// operands, "cell0.input.weight".

#include "core/formats/pytorch/torchscript/quantized_recurrence.h"

#include "core/formats/pytorch/torchscript/packed_layers.h"
#include "core/formats/pytorch/torchscript/quantized_functions.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

using Arguments = Interpreter::Arguments;

/// The weights of a cell: the kind of the object, its tensors, numbers and integers, and its packed weights of the
/// input and of the state (CellParamsSerializationType in aten/src/ATen/native/RNN.cpp).
void addCell(Interpreter& script, ScriptArguments& operands, std::size_t index, const ScriptValue& cell)
{
    const auto* ref = std::get_if<ObjectRef>(&cell);
    const ScriptValue state = ref != nullptr ? attributeOf(script.object(*ref), packedState) : ScriptValue();
    if (!std::holds_alternative<std::shared_ptr<const TupleValue>>(state)) {
        refuseLayout();
    }
    const Arguments items = script.itemsOf(state);
    const auto* kind = items.size() == 5 ? std::get_if<std::string>(items.data()) : nullptr;
    if (kind == nullptr || (*kind != "quantized_dynamic" && *kind != "quantized_fp16")) {
        refuseLayout();
    }
    const Arguments integers = script.itemsOf(items[3]);
    const Arguments packed = script.itemsOf(items[4]);
    if (packed.size() != 2) {
        refuseLayout();
    }
    const std::string prefix = fmt::format("cell{}.", index);
    addWeight(script, operands, prefix + "input.", unpack(script, packed[0]));
    addWeight(script, operands, prefix + "state.", unpack(script, packed[1]));
    operands.emplace_back(prefix + "reduce_range", integers.empty() ? ScriptValue(false) : integers[0]);
}

ScriptValue tensorsOf(Interpreter& script, const std::vector<GraphValue>& values)
{
    Arguments tensors;
    for (const GraphValue& value : values) {
        tensors.emplace_back(script.newTensor(value));
    }
    return tensors.size() == 1 ? tensors[0] : tupleOf(std::move(tensors));
}

/// quantized_lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first); of a packed
/// sequence: quantized_lstm(data, batch_sizes, hx, ...) without batch_first. quantized_gru has one state as hx.
std::optional<ScriptValue> recurrent(Interpreter& script, const std::string& op, const Arguments& arguments,
                                     const ScriptArguments& named)
{
    const bool isLstm = op == "aten::quantized_lstm";
    if ((!isLstm && op != "aten::quantized_gru") || arguments.size() < 3) {
        return std::nullopt;
    }
    const bool isPacked = std::holds_alternative<TensorRef>(arguments[isLstm ? 1 : 2]);
    const std::size_t first = isPacked ? 2 : 1;
    constexpr auto names = std::to_array<std::string_view>(
        {"hx", "params", "has_biases", "num_layers", "dropout", "train", "bidirectional", "batch_first"});
    const Arguments given = argumentsFrom(arguments, named, first, names);
    ScriptArguments operands{{"input", arguments[0]},
                             {"batch_sizes", isPacked ? arguments[1] : ScriptValue()},
                             {"hx", given[0]},
                             {"num_layers", given[3]},
                             {"dropout", given[4]},
                             {"train", given[5]},
                             {"bidirectional", given[6]},
                             {"batch_first", isPacked ? ScriptValue(false) : given[7]}};
    const Arguments cells = script.itemsOf(given[1]);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        addCell(script, operands, i, cells[i]);
    }
    return tensorsOf(script, script.emit(op, "", operands, isLstm ? 3 : 2));
}

/// quantized_lstm_cell_dynamic(input, hx, packed weight of the input, of the state, bias, bias): the packed weights
/// have the biases as well.
std::optional<ScriptValue> recurrentCell(Interpreter& script, const std::string& op, const Arguments& arguments)
{
    static constexpr auto cells = std::to_array<std::string_view>(
        {"quantized::quantized_lstm_cell_dynamic", "quantized::quantized_gru_cell_dynamic",
         "quantized::quantized_rnn_tanh_cell_dynamic", "quantized::quantized_rnn_relu_cell_dynamic"});
    if (std::ranges::find(cells, op) == cells.end() || arguments.size() < 4) {
        return std::nullopt;
    }
    ScriptArguments operands{{"input", arguments[0]}, {"hx", arguments[1]}, {"cell0.reduce_range", true}};
    addWeight(script, operands, "cell0.input.", unpack(script, arguments[2]));
    addWeight(script, operands, "cell0.state.", unpack(script, arguments[3]));
    return tensorsOf(script, script.emit(op, "", operands, op == cells[0] ? 2 : 1));
}

} // namespace

std::optional<ScriptValue> callQuantizedRecurrence(Interpreter& script, const std::string& op,
                                                   const Arguments& arguments, const ScriptArguments& named)
{
    auto value = recurrent(script, op, arguments, named);
    return value ? value : recurrentCell(script, op, arguments);
}

} // namespace crosswalk::pytorch
