#pragma once

#include <string_view>

namespace crosswalk {

/// How the work of an ONNX operator follows from its shapes.
enum class WorkRule {
    Unknown,
    Nothing, ///< moves or describes data
    Outputs, ///< one for each element of its outputs
    Inputs,  ///< one for each element of its first input
    Conv,
    ConvTranspose,
    Gemm,
    MatMul,
    Einsum,
    Recurrent,
    Pool,
    Scan,
    Loop,
    If,
};

/// The rule of an operator of ONNX's own domain.
WorkRule workRule(std::string_view op);

} // namespace crosswalk
