#pragma once

#include "core/onnx/schema.h"

#include <optional>
#include <string>

namespace crosswalk {

/// The error that onnx's checker (without inference) reports for a model, on one line; nothing if the model is valid.
/// `model` is complete (see external_stubs.h), and is as before afterwards. An output without type or rank is not an
/// error here.
std::optional<std::string> checkerError(::onnx::ModelProto& model);

/// The same for the nodes and initializers of a model that is not in memory as a whole. Names are not compared.
class PartChecker {
public:
    /// Checks a model without nodes and initializers. All functions throw the checker's error.
    explicit PartChecker(const ::onnx::ModelProto& model);

    void check(const ::onnx::TensorProto& initializer) const;
    void check(const ::onnx::NodeProto& node) const; ///< without bodies

private:
    ::onnx::checker::CheckerContext m_context;
};

} // namespace crosswalk
