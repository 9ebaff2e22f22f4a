#pragma once

#include "core/graph/tensor_type.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace onnx {
class TypeProto;
}

namespace crosswalk {

struct OnnxModel;

/// Which of a model's declared types inference relies on.
enum class Declared : std::uint8_t {
    All,
    Inputs, ///< the shapes of outputs and the types of intermediate values may be wrong
};

/// The types of a model's values as onnx's InferShapes infers them, in strict mode and with data propagation.
///
/// InferShapes stores the types in the model and looks up every operand by its name in several tables, so that a model
/// of 100,000 nodes takes a copy of itself and most of its time for that. Here the model is not changed, equal types
/// are stored once, and each operand is looked up once. onnx's own functions infer bodies and functions.
class InferredModel {
public:
    /// Infers the model, which must have passed the checker and outlive this object. Of a node whose operands do not
    /// fit, the output types stay as declared. Throws ModelError "cancelled".
    explicit InferredModel(const OnnxModel& model, Declared declared = Declared::All, const std::stop_token& stop = {});
    ~InferredModel();

    /// The message of the exception that InferShapes throws for this model; nothing if all operands fit.
    const std::optional<std::string>& error() const;

    /// The declared type of a value merged with the inferred one; null if neither is known. Unknown dimensions may have
    /// symbols that inference invented ("unk__0").
    const ::onnx::TypeProto* find(std::string_view value) const;

    /// The same without invented symbols. Only tensors have a type here; nothing if the value is unknown.
    std::optional<TensorType> typeOf(std::string_view value) const;

private:
    class Inference;
    std::unique_ptr<Inference> m_inference;
};

} // namespace crosswalk
