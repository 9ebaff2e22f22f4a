#include "core/onnx/schemas.h"

#include <array>

namespace crosswalk {
namespace {

using ::onnx::DataPropagationContext;
using ::onnx::OpSchema;
using ::onnx::TypeProto;

/// Shape and Size do not read numbers, only the type of their input.
constexpr std::array<const char*, 9> following{"Add",   "Cast",    "Concat", "Gather",   "Mul",
                                               "Slice", "Squeeze", "Sub",    "Unsqueeze"};
constexpr std::int64_t longest = 1024; ///< more axes than any tensor has

/// Whether a tensor may hold what a shape is made of, as far as its type says.
bool mayHoldSizes(const TypeProto* type)
{
    using ::onnx::TensorProto;
    if (type == nullptr || !type->has_tensor_type()) {
        return type == nullptr;
    }
    const auto& tensor = type->tensor_type();
    const bool isInteger = tensor.elem_type() == TensorProto::INT64 || tensor.elem_type() == TensorProto::INT32;
    const auto& shape = tensor.shape();
    return isInteger && (!tensor.has_shape() || shape.dim_size() == 0 ||
                         (shape.dim_size() == 1 && shape.dim(0).dim_value() <= longest));
}

::onnx::DataPropagationFunction narrowed(::onnx::DataPropagationFunction function)
{
    return [function = std::move(function)](DataPropagationContext& context) {
        for (std::size_t i = 0; i < context.getNumInputs(); ++i) {
            if (!mayHoldSizes(context.getInputType(i))) {
                return;
            }
        }
        try {
            function(context);
        } catch (const std::exception&) {
            // It only sharpens what is known.
        }
    };
}

bool narrowAll()
{
    const int newest = ::onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second;
    for (const char* op : following) {
        for (int version = 1; version <= newest; ++version) {
            const OpSchema* schema = ::onnx::OpSchemaRegistry::Schema(op, version, "");
            if (schema != nullptr && schema->SinceVersion() == version && schema->has_data_propagation_function()) {
                // The registry hands out what it made itself, and made changeable.
                const_cast<OpSchema*>(schema)->PartialDataPropagationFunction(
                    narrowed(schema->GetDataPropagationFunction()));
            }
        }
    }
    return true;
}

} // namespace

const ::onnx::ISchemaRegistry& schemas()
{
    [[maybe_unused]] static const bool isNarrowed = narrowAll();
    return *::onnx::OpSchemaRegistry::Instance();
}

} // namespace crosswalk
