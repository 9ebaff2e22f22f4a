#pragma once

#include <string_view>

namespace crosswalk {

/// How to compute the work of an ONNX operator from its shapes.
enum class WorkRule {
    Unknown,
    Nothing, ///< only moves or describes data
    Outputs, ///< one per element of its outputs
    Inputs,  ///< one per element of its first input
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

/// The rule of an operator of ONNX's default domain.
WorkRule workRule(std::string_view op);

} // namespace crosswalk
