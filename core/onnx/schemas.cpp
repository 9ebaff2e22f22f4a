#include "core/onnx/schemas.h"

#include "core/base/budget.h"
#include "core/onnx/inference_guards.h"
#include "core/onnx/schema_table.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

namespace crosswalk {
namespace {

using ::onnx::DataPropagationContext;
using ::onnx::OpSchema;
using ::onnx::TypeProto;

/// Operators whose propagation reads the content of their inputs. That of Shape reads only the type of its input.
constexpr std::array<std::string_view, 10> propagatingOps{"Add",  "Cast",  "Concat",  "Gather", "Mul",
                                                          "Size", "Slice", "Squeeze", "Sub",    "Unsqueeze"};

/// Of a vector with unknown content, onnx makes a list of as many unknown values.
bool isLongVector(const TypeProto* type)
{
    if (type == nullptr) {
        return false;
    }
    const auto& shape = type->tensor_type().shape();
    return shape.dim_size() == 1 && shape.dim(0).dim_value() > Budget::axes;
}

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
    return isInteger && shape.dim_size() <= 1 && !isLongVector(type);
}

/// Whether the starts, ends, axes and steps of a Slice are known: its propagation takes unknown numbers for 0. The
/// steps must be in the range of int, in which they are counted; others make it read outside of the shape, or not end.
bool hasKnownRange(DataPropagationContext& context)
{
    constexpr std::size_t steps = 4;
    for (std::size_t input = 1; input < context.getNumInputs(); ++input) {
        const auto* numbers = context.getInputData(input);
        if (numbers == nullptr) {
            continue; // left out, or not propagated
        }
        for (const auto& number : numbers->dim()) {
            const std::int64_t value = number.dim_value();
            const bool isSmall = value != 0 && value >= -Budget::axes && value <= Budget::axes;
            if (!number.has_dim_value() || (input == steps && !isSmall)) {
                return false;
            }
        }
    }
    return true;
}

::onnx::DataPropagationFunction restricted(std::string_view op, ::onnx::DataPropagationFunction function)
{
    return [isSize = op == "Size", isSlice = op == "Slice",
            function = std::move(function)](DataPropagationContext& context) {
        for (std::size_t i = 0; i < context.getNumInputs(); ++i) {
            const TypeProto* type = context.getInputType(i);
            if (isSize ? isLongVector(type) : !canContainDims(type)) {
                return;
            }
        }
        try {
            if (!isSlice || hasKnownRange(context)) {
                function(context);
            }
        } catch (const std::exception&) {
            // Propagation is optional: without it, inference is only less precise.
        }
    };
}

/// onnx infers a MeanVarianceNormalization through its function body. That has constants of float32, so that it rejects
/// other types, and no default of its axes.
void inferMeanVarianceNormalization(::onnx::InferenceContext& context)
{
    ::onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
    if (!::onnx::hasNInputShapes(context, 1)) {
        return;
    }
    std::vector<std::int64_t> axes{0, 2, 3};
    ::onnx::getRepeatedAttribute(context, "axes", axes);
    const int rank = ::onnx::getInputShape(context, 0).dim_size();
    for (const std::int64_t axis : axes) {
        if (axis < -rank || axis >= rank) {
            fail_shape_inference("axis ", axis, " is outside of the ", rank, " dimensions of the input");
        }
    }
    ::onnx::propagateShapeFromInputToOutput(context, 0, 0);
}

bool isBefore(const SchemaRow& row, const SchemaRow& other)
{
    return std::tie(row.op, row.domain, row.version) < std::tie(other.op, other.domain, other.version);
}

/// Constructs a schema when it is first asked for. onnx's own registry constructs all, which takes four times as long
/// as the rest of a small conversion.
class Schemas final : public ::onnx::ISchemaRegistry {
public:
    Schemas()
        : m_rows(schemaTable().begin(), schemaTable().end())
        , m_schemas(m_rows.size())
    {
        std::ranges::sort(m_rows, isBefore);
    }

    const OpSchema* GetSchema(const std::string& op, const int newest, const std::string& domain) const override
    {
        if (domain == "ai.onnx.training" || domain.starts_with("ai.onnx.preview")) {
            return ::onnx::OpSchemaRegistry::Schema(op, newest, domain); // rare, and not in the table
        }
        const auto after = std::ranges::upper_bound(
            m_rows, SchemaRow{.domain = domain, .op = op, .version = newest, .make = nullptr}, isBefore);
        if (after == m_rows.begin()) {
            return nullptr;
        }
        const SchemaRow& row = *std::prev(after);
        if (row.op != op || row.domain != domain) {
            return nullptr;
        }
        Entry& entry = m_schemas[static_cast<std::size_t>(&row - m_rows.data())];
        std::call_once(entry.made, [&] { entry.schema.emplace(make(row)); });
        return &*entry.schema;
    }

private:
    struct Entry {
        std::once_flag made;
        std::optional<OpSchema> schema;
    };

    static OpSchema make(const SchemaRow& row)
    {
        OpSchema schema = row.make();
        schema.Finalize();
        if (row.op == "MeanVarianceNormalization" && row.domain.empty()) {
            schema.TypeAndShapeInferenceFunction(inferMeanVarianceNormalization);
        }
        if (schema.has_type_and_shape_inference_function()) {
            schema.TypeAndShapeInferenceFunction(guarded(row.op, schema.GetTypeAndShapeInferenceFunction()));
        }
        const bool propagates = row.domain.empty() && std::ranges::find(propagatingOps, row.op) != propagatingOps.end();
        if (propagates && schema.has_data_propagation_function()) {
            schema.PartialDataPropagationFunction(restricted(row.op, schema.GetDataPropagationFunction()));
        }
        return schema;
    }

    std::vector<SchemaRow> m_rows; ///< sorted
    mutable std::vector<Entry> m_schemas;
};

} // namespace

const ::onnx::ISchemaRegistry& schemas()
{
    static const Schemas registry;
    return registry;
}

const OpSchema* schemaOf(const std::string& op, int opset)
{
    return schemas().GetSchema(op, opset, "");
}

} // namespace crosswalk
