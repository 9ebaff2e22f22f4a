#include "core/onnx/schemas.h"

#include <array>

namespace crosswalk {
namespace {

using ::onnx::DataPropagationContext;
using ::onnx::OpSchema;
using ::onnx::TypeProto;

/// Operators whose propagation reads the content of their inputs. Shape and Size read only the type of their input.
constexpr std::array<const char*, 9> propagatingOps{"Add",   "Cast",    "Concat", "Gather",   "Mul",
                                                    "Slice", "Squeeze", "Sub",    "Unsqueeze"};
constexpr std::int64_t maxLength = 1024; ///< more axes than any tensor has

/// Whether a tensor of this type can contain dimensions.
bool canContainDims(const TypeProto* type)
{
    using ::onnx::TensorProto;
    if (type == nullptr || !type->has_tensor_type()) {
        return type == nullptr;
    }
    const auto& tensor = type->tensor_type();
    const bool isInteger = tensor.elem_type() == TensorProto::INT64 || tensor.elem_type() == TensorProto::INT32;
    const auto& shape = tensor.shape();
    return isInteger && (!tensor.has_shape() || shape.dim_size() == 0 ||
                         (shape.dim_size() == 1 && shape.dim(0).dim_value() <= maxLength));
}

::onnx::DataPropagationFunction restricted(::onnx::DataPropagationFunction function)
{
    return [function = std::move(function)](DataPropagationContext& context) {
        for (std::size_t i = 0; i < context.getNumInputs(); ++i) {
            if (!canContainDims(context.getInputType(i))) {
                return;
            }
        }
        try {
            function(context);
        } catch (const std::exception&) {
            // Propagation is optional: without it, inference is only less precise.
        }
    };
}

bool restrictAll()
{
    const int newest = ::onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second;
    for (const char* op : propagatingOps) {
        for (int version = 1; version <= newest; ++version) {
            const OpSchema* schema = ::onnx::OpSchemaRegistry::Schema(op, version, "");
            if (schema != nullptr && schema->SinceVersion() == version && schema->has_data_propagation_function()) {
                // Safe: the registry returns a const pointer to an object of its own that is not const.
                const_cast<OpSchema*>(schema)->PartialDataPropagationFunction(
                    restricted(schema->GetDataPropagationFunction()));
            }
        }
    }
    return true;
}

} // namespace

const ::onnx::ISchemaRegistry& schemas()
{
    [[maybe_unused]] static const bool isRestricted = restrictAll();
    return *::onnx::OpSchemaRegistry::Instance();
}

} // namespace crosswalk
