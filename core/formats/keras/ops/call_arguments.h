#pragma once

#include "core/formats/keras/ops/layer.h"

#include <cstdint>
#include <initializer_list>
#include <string>

namespace crosswalk::keras {

/// The arguments of a call of an operation or a function: tensors, or constants in the call or, in Keras 3, in the
/// settings of the operation. Each is looked up by several names: its position and the names that the versions use.
class Arguments {
public:
    using Names = std::initializer_list<const char*>;

    explicit Arguments(const Layer& layer)
        : ctx(layer.ctx)
        , m_layer(layer)
    {
    }

    const NodeContext& ctx;

    bool has(Names names) const; ///< a tensor, or a constant that is not null
    bool isTensor(Names names) const { return bool(find(names)); }
    /// The tensor; absent if the argument is a constant or not given.
    OnnxValue find(Names names) const;
    /// The tensor; a constant becomes one: of integers only in the type, else in float32.
    OnnxValue tensor(Names names, ElementType type) const;
    /// The same in the type of the array, and in float32 for other constants.
    OnnxValue tensor(Names names) const;
    /// The type of a constant array; nothing for numbers of Python, which take the type of the other operands.
    std::optional<ElementType> arrayType(Names names) const;
    /// A list of tensors, or the only one.
    OnnxValues tensors(Names names) const;
    /// The tensors and arrays that are given without a name, up to the first other argument.
    OnnxValues positional() const;
    /// Whether the argument is a constant that consists of integers.
    bool isWhole(Names names) const;
    bool isTruth(Names names) const; ///< a constant that is true or false

    bool boolean(Names names, bool otherwise) const;
    std::int64_t integer(Names names) const;
    std::int64_t integer(Names names, std::int64_t otherwise) const;
    double number(Names names, double otherwise) const;
    std::string text(Names names, const std::string& otherwise) const;
    Ints ints(Names names) const;
    /// The type that the argument names; nothing if it is not given.
    std::optional<ElementType> type(Names names) const;
    /// The name of the attribute that has the constant; empty without. Refuses a tensor in its place.
    std::string key(Names names) const;

private:
    OnnxValue constant(const std::string& key, ElementType type) const;
    std::optional<ElementType> typeOfConstant(const std::string& key) const; ///< nothing if it is no array

    const Layer& m_layer;
};

/// The only operand of a call, or the first one, under the names that operations and functions have for it.
OnnxValue operand(const Layer& layer);
/// The same in float32 where Keras 3 is given integers, which functions of TensorFlow do not take.
OnnxValue floatingOperand(const Layer& layer);

/// Two operands of one operation, in the type that they have together.
struct Operands {
    OnnxValue a;
    OnnxValue b;
};
Operands operandsOf(const Layer& layer, Arguments::Names first, Arguments::Names second);
/// The same in float32 where they are integers in Keras 3, a number without first taking the type of the integers.
Operands floatingOperandsOf(const Layer& layer, Arguments::Names first, Arguments::Names second);
/// The two operands under the names that operations have for them, both floating.
Operands floatingOperandsOf(const Layer& layer);
/// Those that are given under any of the usual names.
Operands operandsOf(const Layer& layer);

/// The tensors in the type that they have together. Functions of TensorFlow take only tensors of one type.
OnnxValues inCommonType(const Layer& layer, OnnxValues values);

/// The axes of an argument, counted from the start; all of x if it is null.
Ints axesOrAll(const Layer& layer, OnnxValue x, Arguments::Names names);
/// x as a vector if the argument for the axis is null, which selects its only axis then; else x and the axis.
struct AlongAxis {
    OnnxValue x;
    std::int64_t axis;
};
AlongAxis alongAxis(const Layer& layer, OnnxValue x, Arguments::Names names);

} // namespace crosswalk::keras
