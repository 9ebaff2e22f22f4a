#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace crosswalk::pytorch {

/// What an argument or a result of an operator is.
enum class ArgumentKind : std::uint8_t {
    Tensor,
    TensorList,
    OptionalTensorList,
    Int,
    Ints,
    Float,
    Floats,
    Bool,
    Bools,
    Number, ///< an integer, a floating-point number or a bool
    Numbers,
    Text,
    ElementType,
    Ignored, ///< a layout, a device, a memory format or a generator
};

struct SignatureArgument {
    std::string_view name;
    ArgumentKind kind = ArgumentKind::Tensor;
    bool mayBeNone = false;
    bool hasDefault = false;
    bool isKeywordOnly = false;
};

/// One overload of an operator.
struct Signature {
    std::string_view op;       ///< "aten::add"
    std::string_view overload; ///< "Tensor"; empty for the default
    std::vector<SignatureArgument> arguments;
    std::vector<ArgumentKind> results;
    /// The results share, or may share, the memory of the first argument, or of the tensors of a list.
    bool isView = false;
};

/// All overloads of an operator, "aten::add", in the order in which they are tried; empty for an unknown one.
std::span<const Signature> signaturesOf(std::string_view op);

/// "name.overload(T self,N= other)T": codes of kinds, with ? where None is accepted and = where there is a default; ~
/// before the results of a view. Operators without a namespace are of aten.
std::span<const std::string_view> signatureRows();

} // namespace crosswalk::pytorch
