#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The syntax tree of TorchScript's code files, a subset of Python.
/// https://github.com/pytorch/pytorch/blob/main/torch/csrc/jit/OVERVIEW.md
namespace crosswalk::pytorch {

struct ScriptPosition {
    std::uint32_t line = 0; ///< from 1
    std::uint32_t column = 0;
};

struct ScriptExpression;
using ScriptExpressions = std::vector<ScriptExpression>;

struct ScriptExpression {
    enum class Kind : std::uint8_t {
        None,
        Boolean,     ///< integer: 0 or 1
        Integer,     ///< integer
        Real,        ///< real
        Text,        ///< text
        Name,        ///< text
        Attribute,   ///< text: the attribute; items: the object
        Call,        ///< items: the callee, then the arguments; names: of the last arguments
        Subscript,   ///< items: the object, then the indices
        List,        ///< items
        Tuple,       ///< items
        Dictionary,  ///< items: keys and values in turn
        Conditional, ///< items: the condition, the value if it is true, the other
    };
    Kind kind = Kind::None;
    ScriptPosition position = {};
    std::string text = {};
    std::int64_t integer = 0;
    double real = 0;
    ScriptExpressions items = {};
    std::vector<std::string> names = {};
};

struct ScriptFunction;
struct ScriptStatement;
using ScriptBlock = std::vector<ScriptStatement>;

struct ScriptStatement {
    enum class Kind : std::uint8_t {
        Assign,     ///< targets = values; without values a declaration
        Expression, ///< values: one
        If,         ///< values: the condition; body, otherwise
        For,        ///< targets: one name; values: the iterated value
        While,      ///< values: the condition
        Return,     ///< values: one or none
        Pass,
        With,     ///< body
        Function, ///< function: of the enclosing function, without parameters
    };
    Kind kind = Kind::Pass;
    ScriptPosition position = {};
    ScriptExpressions targets = {};
    bool unpacks = false; ///< "a, = value" or "a, b = value": the one value is a sequence
    std::optional<ScriptExpression> annotation = {};
    ScriptExpressions values = {};
    ScriptBlock body = {};
    ScriptBlock otherwise = {};
    std::shared_ptr<const ScriptFunction> function = {};
};

struct ScriptParameter {
    std::string name;
    std::optional<ScriptExpression> type = {};
    std::optional<ScriptExpression> fallback = {};
};

struct ScriptFunction {
    std::string name;
    ScriptPosition position = {};
    std::vector<ScriptParameter> parameters = {};
    std::optional<ScriptExpression> result = {}; ///< its type
    ScriptBlock body = {};
    std::string file = {};
};

struct ScriptClass {
    std::string name;
    std::string base; ///< "Module", "NamedTuple", "Enum", "Interface"; empty for a class of its own
    ScriptPosition position = {};
    ScriptBlock fields = {}; ///< declarations, "weight : Tensor", with values for constants and enumerators
    std::map<std::string, ScriptFunction, std::less<>> methods = {};
};

/// A code file.
struct ScriptFile {
    std::map<std::string, ScriptClass, std::less<>> classes = {};
    std::map<std::string, ScriptFunction, std::less<>> functions = {};
};

} // namespace crosswalk::pytorch
