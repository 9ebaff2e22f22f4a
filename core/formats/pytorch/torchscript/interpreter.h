#pragma once

#include "core/base/budget.h"
#include "core/formats/pytorch/torchscript/graph_stack.h"
#include "core/formats/pytorch/torchscript/operator_signatures.h"
#include "core/formats/pytorch/torchscript/script_program.h"
#include "core/formats/pytorch/torchscript/script_value.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crosswalk::pytorch {

/// Thrown for what the interpreter cannot express in a graph; `message` is for the user.
struct UnsupportedScript {
    std::string message;
};

/// Executes a program of TorchScript on symbolic inputs: methods are inlined, structures and constants are evaluated,
/// and what depends on the inputs becomes nodes of a graph. Operators that write to tensors become operators that
/// return new ones; views of a tensor are computed anew after it was written.
///
/// A branch or a loop that depends on the inputs becomes a node with bodies, prim::If or prim::Loop. Every method
/// throws UnsupportedScript for what has no form in a graph.
class Interpreter {
public:
    using Arguments = std::vector<ScriptValue>;
    /// Thrown for an exception that the program raises whatever its inputs are.
    struct Raised {
        std::string message;
    };

    /// The budget limits the steps of the program.
    Interpreter(ScriptProgram& program, const Budget& budget);

    ScriptHeap heap;
    GraphStack graphs;
    std::vector<ScriptValue> constants; ///< the tensors of CONSTANTS, by their index

    /// Calls a method of an object.
    ScriptValue call(ObjectRef ref, const std::string& method, Arguments arguments, const ScriptArguments& named = {});
    /// Calls an operator, or a function on lists, texts and numbers. `wanted` is the number of results that the caller
    /// unpacks.
    ScriptValue callOperator(const std::string& op, const Arguments& arguments, const ScriptArguments& named,
                             std::size_t wanted);
    const ObjectCell& object(ObjectRef ref) const { return *heap.objects[ref.index]; }

    // Tensors and their memory: tensor_memory.cpp
    /// A tensor of the archive. Tensors of one storage may share memory, so that after a write to one of them the
    /// others are refused.
    TensorRef newStored(GraphValue value, const std::string& name, const std::string& storage, ElementOrder order);
    TensorRef newTensor(GraphValue value, std::string name = {});
    /// The tensor after all writes so far.
    GraphValue read(TensorRef tensor);
    /// The number of dimensions, if the shape of an input or of a weight determines it.
    std::optional<std::size_t> rankOf(TensorRef tensor) const { return rankOf(heap.tensors[tensor.index]); }
    std::optional<std::size_t> rankOf(const TensorCell& cell) const;
    TensorRef newView(TensorRef base, GraphValue value, std::shared_ptr<const TensorView> view);
    /// The tensor becomes a view of what it was: another shape of the same memory.
    void reshapeInPlace(TensorRef tensor, GraphValue value, std::shared_ptr<const TensorView> view);
    /// A tensor that may share the memory of another, or be a copy.
    TensorRef newShare(TensorRef tensor, GraphValue value);
    void write(TensorRef tensor, GraphValue value);
    /// A tensor or list as it is now: later changes in place do not apply to it.
    ScriptValue snapshot(const ScriptValue& value);

    // Operators: operator_calls.cpp
    /// Calls an operator by its signature, "aten::relu_". `wanted` is the number of results that the caller unpacks.
    ScriptValue callSignature(const std::string& op, const Arguments& arguments, const ScriptArguments& named = {},
                              std::size_t wanted = 0);
    /// Emits a node with named operands, each a constant or a value of the graph.
    std::vector<GraphValue> emit(const std::string& op, std::string_view overload, const ScriptArguments& operands,
                                 std::size_t outputs);

    // Numbers: number_functions.cpp
    ScriptValue toNumber(NumberKind kind, const ScriptValue& value);
    /// An operator on numbers, "aten::add", computed if they are constants.
    ScriptValue arithmetic(const std::string& op, const Arguments& operands);
    ScriptValue negated(const ScriptValue& condition);
    /// A number, a tensor or a list of numbers as a value of the innermost graph.
    GraphValue graphValue(const ScriptValue& value);

    // Lists: list_values.cpp
    /// The items of a list or a tuple whose number is constant.
    Arguments itemsOf(const ScriptValue& list);
    ScriptValue newList(Arguments items)
    {
        step(items.size() / itemsPerStep);
        return heap.add(ListCell{std::move(items)});
    }
    ScriptValue item(const ScriptValue& list, const ScriptValue& index);
    ScriptValue lengthOf(const ScriptValue& list);
    /// The size of an axis: a constant where the file or the program states it.
    ScriptValue sizeOf(TensorRef tensor, const ScriptValue& axis);
    /// The number of parts, if the tensor's shape is known well enough: that of an input or a weight.
    std::optional<std::int64_t> fixedLength(const TensorParts& parts) const;
    /// A new list of the items in ascending, or descending, order.
    ScriptValue sortedList(const ScriptValue& list, bool isDescending);
    /// A list of numbers as a vector of the graph.
    ComputedList vectorOf(const ScriptValue& list);
    /// A list that is about to be changed. Lists that may be the same one are stale then.
    ListCell& listOf(const ScriptValue& list);
    /// A list that is read: must not be stale.
    const ListCell& cellOf(ListRef list) const;
    ScriptValue equal(const ScriptValue& a, const ScriptValue& b);
    /// Replaces or adds an entry of a dictionary.
    void setEntry(DictRef dictionary, const ScriptValue& key, ScriptValue value);

    /// tensor.tolist() as a type: a number, or a list of numbers or of lists.
    ScriptValue toList(const ScriptValue& tensor, const ScriptExpression& type);

    /// The version of the archive, which selects the meaning of some operators.
    std::int64_t archiveVersion() const;

    /// Whether the function that runs is part of PyTorch.
    bool isInFrameworkCode() const;

    /// Statements, calls and copies for branches so far.
    std::size_t steps() const { return m_steps; }

    [[noreturn]] static void unsupported(std::string message) { throw UnsupportedScript{std::move(message)}; }

private:
    friend class BranchMerge;
    friend class LoopBuilder;

    struct Frame {
        std::map<std::string, ScriptValue, std::less<>> variables;
        const ScriptFunction* function = nullptr;
        std::string path;             ///< of the module whose method runs
        ScriptPosition position = {}; ///< of the statement or the call
        std::optional<ScriptValue> result;
        std::map<std::string, const ScriptFunction*, std::less<>> closures = {}; ///< functions without parameters
    };
    struct BoundArgument {
        const SignatureArgument* argument;
        ScriptValue value;
    };
    /// Operands that are converted to match an overload: numbers to tensors, and tensors to numbers as well.
    enum class Conversions : std::uint8_t { None, ToTensors, All };
    friend ScriptValue raise(Interpreter& script, const Arguments& arguments, const ScriptArguments& named);

    // Functions, statements and expressions: interpreter.cpp
    ScriptValue run(const ScriptFunction& function, Arguments arguments, const ScriptArguments& named,
                    const std::string& path);
    void execute(const ScriptBlock& block);
    void execute(const ScriptStatement& statement);
    /// Of a with statement: no_grad and profiling do not change results, autocast does unless it is disabled.
    void expectSameResults(const ScriptValue& context) const;
    void assign(const ScriptStatement& statement);
    void assign(const ScriptExpression& target, ScriptValue value);
    Arguments unpacked(const ScriptExpression& expression, std::size_t count);
    ScriptValue evaluate(const ScriptExpression& expression, std::size_t wanted = 0);
    ScriptValue evaluateName(const ScriptExpression& expression);
    ScriptValue evaluateCall(const ScriptExpression& expression, std::size_t wanted);
    ScriptValue attribute(const ScriptValue& value, const ScriptExpression& expression);
    ScriptValue fork(const ScriptExpression& expression, const std::string& name);
    ScriptValue callLanguage(const ScriptExpression& expression, bool& isLanguage);
    ScriptValue callCode(const ScriptExpression& expression, const std::string& name, Arguments arguments,
                         const ScriptArguments& named);
    ScriptValue construct(const std::string& name, Arguments arguments, const ScriptArguments& named);
    bool isInstance(const ScriptValue& value, const ScriptExpression& type);
    std::optional<std::string> dottedName(const ScriptExpression& expression) const;
    [[noreturn]] void fail(const ScriptExpression& expression, std::string_view message) const;
    Frame& frame() { return m_frames.back(); }
    /// The innermost place of the original program that is not in the framework itself; empty if it is not known.
    std::string sourceLocation();
    static constexpr std::size_t itemsPerStep = 64; ///< of lists that are made or copied
    /// Throws UnsupportedScript for a program that takes too many.
    void step(std::size_t count = 1);
    void stepThroughView(const TensorCell& view);
    ScriptValue compareLength(const std::string& op, const Arguments& arguments);

    // Operators: operator_calls.cpp
    std::optional<std::vector<BoundArgument>> bind(const Signature& signature, const Arguments& arguments,
                                                   const ScriptArguments& named, Conversions conversions);
    bool accepts(const SignatureArgument& argument, const ScriptValue& value, Conversions conversions);
    ScriptValue callForEither(const std::string& op, const Arguments& arguments, const ScriptArguments& named,
                              std::size_t index);
    ScriptValue writeResult(const std::string& op, const Arguments& arguments, const ScriptArguments& named,
                            TensorRef target);
    ScriptValue callBound(const std::string& op, const Signature& signature, std::vector<BoundArgument> bound,
                          std::size_t wanted);
    static bool givesMemoryFormat(const std::vector<BoundArgument>& bound);
    ElementOrder orderOfResult(std::string_view name, const std::vector<BoundArgument>& bound);
    TensorRef newShareOfItem(const std::vector<BoundArgument>& bound, std::size_t position, bool isListResult,
                             GraphValue value);
    void addArgument(Node& node, std::vector<std::string>& names, std::vector<std::string>& numbers,
                     std::string_view argument, ArgumentKind kind, const ScriptValue& given);
    void addNumbers(Node& node, std::vector<std::string>& names, std::vector<std::string>& numbers,
                    std::string_view name, const ScriptValue& value);
    Node newNode(const std::string& op, std::string_view overload);
    std::vector<GraphValue> finish(Node node, std::vector<std::string> names, std::vector<std::string> numbers,
                                   std::size_t outputs);

    // Ranks of results: result_ranks.cpp
    class RankRules;
    /// The rank of the first result of a call; nothing where it depends on more than the ranks of the operands.
    std::optional<std::size_t> rankOfResult(std::string_view op, const std::vector<BoundArgument>& bound) const;
    /// Whether a tensor is of bool, if the file or the operator that computes it determines that.
    std::optional<bool> isMask(const ScriptValue& index) const;
    std::optional<bool> isMask(GraphValue index) const;
    /// Whether the results of an operator have the same rank.
    static bool haveOneRank(std::string_view op);
    /// Whether the result is a list of the indices of true elements along each axis: nonzero_numpy(x), where(x).
    static bool listsIndices(std::string_view op, std::size_t arguments);

    // Memory of tensors: tensor_memory.cpp
    GraphValue elements(TensorRef tensor);
    void reshapeAliases(std::uint32_t tensor);
    GraphValue scattered(TensorRef base, const TensorView& view, GraphValue value);
    void expectNewMemory(TensorRef tensor) const;
    std::uint32_t rootOf(std::uint32_t cell) const;
    std::set<std::uint32_t> sharedWith(std::uint32_t root) const;
    GraphValue emitView(const TensorView& view, GraphValue base);

    /// The program is executed for a number that the model computes: the conversion checks that it has this value.
    void expectNumber(const ScriptValue& number, std::int64_t expected, const std::string& consequence);
    Arguments fixedItems(const ScriptValue& list, std::int64_t length);

    // Branches and loops: control_flow.cpp
    void executeIf(const ScriptStatement& statement);
    /// Merges what two executions change, by a condition that the model computes.
    void branch(const ScriptValue& condition, const std::function<void()>& first, const std::function<void()>& second);
    void executeFor(const ScriptStatement& statement);
    void executeWhile(const ScriptStatement& statement);

    ScriptProgram& m_program;
    std::vector<Frame> m_frames;
    Budget m_budget;
    std::size_t m_steps = 0;
    std::map<std::string, std::uint32_t> m_firstOfStorage; ///< by name of a storage: the first tensor that was loaded
};

using ScriptFunctionBody = ScriptValue (*)(Interpreter& script, const Interpreter::Arguments& arguments,
                                           const ScriptArguments& named);
struct ScriptFunctionRow {
    std::string_view op; ///< "aten::len"
    ScriptFunctionBody call;
};
/// For operators that have no effect: they return None, or their first argument.
ScriptValue returnNone(Interpreter& script, const Interpreter::Arguments& arguments, const ScriptArguments& named);
ScriptValue returnFirst(Interpreter& script, const Interpreter::Arguments& arguments, const ScriptArguments& named);
/// Operators that are evaluated here, at least for operands of some kinds: UnsupportedScript is not thrown for the
/// others, but `isHandled` in the second group tells them from operators on tensors.
std::span<const ScriptFunctionRow> listFunctions();
std::span<const ScriptFunctionRow> textFunctions();
std::span<const ScriptFunctionRow> tensorFunctions();
/// Whether an operator that also exists on tensors is one on numbers, text or lists for these operands.
bool isNumberOperator(std::string_view op, const Interpreter::Arguments& operands);

} // namespace crosswalk::pytorch
