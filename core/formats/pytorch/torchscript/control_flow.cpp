// Branches and loops. Those that constants decide are executed; the others become prim::If and prim::Loop, whose bodies
// are executed once on symbolic values. What the bodies change, variables and the heap, is merged leaf by leaf: a leaf
// is a tensor or a number, and structures such as tuples and lists stay structures.

#include "core/formats/pytorch/torchscript/branch_merge.h"
#include "core/formats/pytorch/torchscript/interpreter.h"
#include "core/formats/pytorch/torchscript/loop_builder.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

using Variables = std::map<std::string, ScriptValue, std::less<>>;
using Optional = std::shared_ptr<const OptionalValue>;

std::optional<bool> knownTruth(const ScriptValue& condition)
{
    if (const auto* truth = std::get_if<bool>(&condition)) {
        return *truth;
    }
    if (const auto* integer = std::get_if<std::int64_t>(&condition)) {
        return *integer != 0;
    }
    return std::nullopt;
}

constexpr std::int64_t mostUnrolled = 64;         ///< steps of a loop of constant length that are executed one by one
constexpr std::int64_t mostUnrolledAnyway = 2048; ///< if the loop has no other form

/// An upper bound of a number that is a minimum, such as the length of a zip: its least constant operand.
std::optional<std::int64_t> upperBoundOf(const Graph& graph, ValueId number)
{
    constexpr int mostOperands = 64; // of lists that are walked together
    std::optional<std::int64_t> least;
    std::vector<ValueId> open{number};
    for (int i = 0; i < mostOperands && !open.empty(); ++i) {
        const NodeId producer = graph.value(open.back()).producer;
        open.pop_back();
        if (!producer || graph.node(producer).op != "prim::min") {
            continue;
        }
        for (const Attribute& operand : graph.node(producer).attributes) {
            if (const auto* constant = std::get_if<std::int64_t>(&operand.value)) {
                least = std::min(least.value_or(*constant), *constant);
            }
        }
        open.insert(open.end(), graph.node(producer).inputs.begin(), graph.node(producer).inputs.end());
    }
    return least;
}

} // namespace

void Interpreter::executeIf(const ScriptStatement& statement)
{
    const ScriptValue condition = toNumber(NumberKind::Bool, evaluate(statement.values[0]));
    if (const auto known = knownTruth(condition)) {
        execute(*known ? statement.body : statement.otherwise);
        return;
    }
    branch(
        condition, [&] { execute(statement.body); }, [&] { execute(statement.otherwise); });
}

void Interpreter::branch(const ScriptValue& condition, const std::function<void()>& first,
                         const std::function<void()>& second)
{
    constexpr std::size_t copiedPerStep = 16; // both branches start from a copy of everything
    step((frame().variables.size() + heap.tensors.size() + heap.lists.size()) / copiedPerStep);
    const Variables variables = frame().variables;
    const ScriptHeap before = heap;
    const std::size_t depth = m_frames.size();
    const std::uint32_t level = graphs.level();
    const auto restore = [&] {
        while (graphs.level() > level) {
            graphs.pop();
        }
        m_frames.resize(depth);
        frame().variables = variables;
        frame().result.reset();
        heap = before;
    };
    struct Failure {
        std::string message;
        bool isUnsupported;
    };
    std::optional<Failure> failures[2];
    ScriptBranch branches[2];
    const auto* computed = std::get_if<ComputedNumber>(&condition);
    const auto negative = computed != nullptr ? graphs.negatedBy(computed->value) : std::nullopt;
    // In a branch that depends on whether a value is None, it is so or not.
    const auto narrowed = [&](const ScriptValue& value, bool isFirst) -> std::optional<ScriptValue> {
        const auto* optional = std::get_if<Optional>(&value);
        if (optional == nullptr || computed == nullptr) {
            return std::nullopt;
        }
        const GraphValue isPresent = (*optional)->isPresent;
        if (isPresent != computed->value && isPresent != negative) {
            return std::nullopt;
        }
        return isFirst == (isPresent == computed->value) ? (*optional)->value : ScriptValue();
    };
    const auto runBranch = [&](bool isFirst) {
        for (auto& [name, value] : frame().variables) {
            value = narrowed(value, isFirst).value_or(value);
        }
        (isFirst ? first : second)();
        for (const auto& [name, value] : variables) {
            if (const auto was = narrowed(value, isFirst)) {
                ScriptValue& now = frame().variables.at(name);
                now = now == *was ? value : now;
            }
        }
    };
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        graphs.push();
        try {
            runBranch(i == 0);
            if (frame().result) {
                unsupported("a branch returns from its function");
            }
            branches[i] = {std::move(frame().variables), std::move(heap), graphs.pop()};
        } catch (const Raised& raised) {
            failures[i] = Failure{raised.message, false};
        } catch (const UnsupportedScript& error) {
            failures[i] = Failure{error.message, true};
        }
        restore();
    }
    if (failures[0] && failures[1]) {
        const auto& worse = failures[0]->isUnsupported ? failures[0] : failures[1];
        if (worse->isUnsupported) {
            unsupported(worse->message);
        }
        throw Raised{failures[0]->message};
    }
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        if (failures[i]) { // the other branch is the only one that a graph can contain
            ScriptArguments operands{{"condition", condition},
                                     {"raises_if", i == 0},
                                     {"is_unsupported", failures[i]->isUnsupported},
                                     {"message", failures[i]->message}};
            emit("prim::RaiseException", "", operands, 0);
            (i == 0 ? second : first)();
            return;
        }
    }
    mergeBranches(*this, std::get<ComputedNumber>(condition).value, before, std::move(branches[0]),
                  std::move(branches[1]));
}

void Interpreter::executeFor(const ScriptStatement& statement)
{
    const ScriptExpression& iterated = statement.values[0];
    const std::string& index = statement.targets[0].text;
    const bool isRange = iterated.kind == ScriptExpression::Kind::Call &&
                         iterated.items[0].kind == ScriptExpression::Kind::Name && iterated.items[0].text == "range" &&
                         iterated.items.size() == 2;
    const auto each = [&](const ScriptValue& value) {
        frame().variables.insert_or_assign(index, value);
        execute(statement.body);
    };
    if (!isRange) {
        for (const ScriptValue& value : itemsOf(evaluate(iterated))) {
            each(value);
        }
        return;
    }
    const ScriptValue turns = toNumber(NumberKind::Int, evaluate(iterated.items[1]));
    const auto* computed = std::get_if<ComputedNumber>(&turns);
    const auto known = computed != nullptr ? upperBoundOf(graphs.graph(computed->value.level), computed->value.id)
                                           : std::optional(std::get<std::int64_t>(turns));
    const auto unroll = [&] {
        for (std::int64_t i = 0; i < *known && !frame().result; ++i) {
            each(i);
        }
    };
    if (computed == nullptr && *known <= mostUnrolled) {
        unroll();
        return;
    }
    const Variables variables = frame().variables;
    const ScriptHeap before = heap;
    const bool canBeUnrolled = known && *known <= mostUnrolledAnyway;
    try {
        buildForLoop(*this, statement.body, index, turns, canBeUnrolled);
    } catch (const UnsupportedScript&) {
        if (!canBeUnrolled) {
            throw;
        }
        frame().variables = variables;
        heap = before;
        expectNumber(turns, *known, fmt::format("a loop has {} steps", *known));
        unroll();
    }
}

void Interpreter::executeWhile(const ScriptStatement& statement)
{
    for (std::int64_t i = 0; !frame().result; ++i) {
        const ScriptValue condition = toNumber(NumberKind::Bool, evaluate(statement.values[0]));
        const auto known = knownTruth(condition);
        if (known && !*known) {
            return;
        }
        if (known && i < mostUnrolled) {
            execute(statement.body);
            continue;
        }
        buildWhileLoop(*this, statement.body, statement.values[0], condition);
        return;
    }
}

} // namespace crosswalk::pytorch
