// Emits arbitrary ONNX nodes through the builder, which infers their types and folds those of constants, and optimizes
// the model. Whatever the builder accepts must be a valid model, before and after.

#include "core/base/diagnostic.h"
#include "core/onnx/builder.h"
#include "core/onnx/check.h"
#include "core/onnx/external_stubs.h"
#include "core/onnx/inferred_model.h"
#include "core/onnx/proto.h"
#include "core/onnx/schema_table.h"
#include "core/onnx/schemas.h"
#include "core/rewrite/optimize.h"
#include "tests/fuzz/no_defect.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <array>
#include <optional>

using namespace crosswalk;

namespace {

using Bytes = FuzzedDataProvider;

constexpr std::array elementTypes = {ElementType::Float32, ElementType::Int64,   ElementType::Bool,
                                     ElementType::Int32,   ElementType::Float16, ElementType::UInt8};

Ints smallNumbers(Bytes& bytes)
{
    Ints numbers(bytes.ConsumeIntegralInRange<std::size_t>(0, 5));
    for (std::int64_t& number : numbers) {
        number = bytes.ConsumeIntegralInRange<std::int64_t>(-2, 5);
    }
    return numbers;
}

Tensor smallTensor(Bytes& bytes)
{
    Ints dims(bytes.ConsumeIntegralInRange<std::size_t>(0, 3));
    std::int64_t elements = 1;
    for (std::int64_t& dim : dims) {
        dim = bytes.ConsumeIntegralInRange<std::int64_t>(0, 4);
        elements *= dim;
    }
    Ints values(static_cast<std::size_t>(elements));
    for (std::int64_t& value : values) {
        value = bytes.ConsumeIntegralInRange<std::int64_t>(-3, 12);
    }
    const Tensor numbers = Tensor::ints(values).reshaped(std::move(dims));
    return numbers.converted(bytes.PickValueInArray(elementTypes));
}

Shape smallShape(Bytes& bytes)
{
    Shape shape(bytes.ConsumeIntegralInRange<std::size_t>(0, 4));
    for (Dim& dim : shape) {
        const auto size = bytes.ConsumeIntegralInRange<std::int64_t>(-1, 6);
        dim = size < 0 ? Dim("N") : Dim(size);
    }
    return shape;
}

std::optional<OnnxAttribute> attributeOf(const ::onnx::OpSchema::Attribute& declared, Bytes& bytes)
{
    using ::onnx::AttributeProto;
    constexpr std::array texts = {"NOTSET", "SAME_UPPER", "VALID",     "constant", "linear",
                                  "floor",  "nearest",    "ij,jk->ik", "forward",  ""};
    switch (declared.type) {
    case AttributeProto::INT:
        return OnnxAttribute(declared.name, bytes.ConsumeIntegralInRange<std::int64_t>(-3, 8));
    case AttributeProto::INTS:
        return OnnxAttribute(declared.name, smallNumbers(bytes));
    case AttributeProto::FLOAT:
        return OnnxAttribute(declared.name, static_cast<float>(bytes.ConsumeIntegralInRange(-2, 8)) / 4);
    case AttributeProto::STRING:
        return OnnxAttribute(declared.name, bytes.PickValueInArray(texts));
    case AttributeProto::TENSOR:
        return OnnxAttribute(declared.name, smallTensor(bytes));
    default:
        return std::nullopt; // bodies and lists that few operators have
    }
}

/// The operators of the default domain at an opset that have their own shape inference. onnx infers the others through
/// their function bodies; the builder does not.
std::vector<const ::onnx::OpSchema*> operatorsAt(int opset)
{
    std::vector<const ::onnx::OpSchema*> operators;
    for (const SchemaRow& row : schemaTable()) {
        const ::onnx::OpSchema* schema = row.domain.empty() ? schemaOf(std::string(row.op), opset) : nullptr;
        if (schema != nullptr && schema->SinceVersion() == row.version && !schema->Deprecated() &&
            schema->has_type_and_shape_inference_function()) {
            operators.push_back(schema);
        }
    }
    return operators;
}

void addNode(OnnxBuilder& builder, const ::onnx::OpSchema& schema, OnnxValues& values, Bytes& bytes)
{
    constexpr int mostInputs = 6;
    OnnxValues inputs(
        bytes.ConsumeIntegralInRange<std::size_t>(static_cast<std::size_t>(std::min(schema.min_input(), mostInputs)),
                                                  static_cast<std::size_t>(std::min(schema.max_input(), mostInputs))));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto& formal = schema.inputs()[std::min(i, schema.inputs().size() - 1)];
        const bool isOptional = formal.GetOption() == ::onnx::OpSchema::Optional;
        const auto back =
            bytes.ConsumeIntegralInRange<std::size_t>(isOptional ? 0 : 1, std::min<std::size_t>(values.size(), 16));
        inputs[i] = back == 0 ? OnnxValue() : values[values.size() - back];
    }
    OnnxAttributes attributes;
    for (const auto& [name, declared] : schema.attributes()) {
        if (declared.required || bytes.ConsumeBool()) {
            if (auto attribute = attributeOf(declared, bytes)) {
                attributes.push_back(std::move(*attribute));
            }
        }
    }
    const auto outputs = static_cast<std::size_t>(std::max(schema.min_output(), 1));
    for (const OnnxValue output : builder.add(schema.Name(), inputs, attributes, outputs)) {
        values.push_back(output);
    }
}

void expectValid(const OnnxModel& model, const char* name)
{
    try {
        checkModel(model);
    } catch (const ModelError& error) {
        fuzz::reportDefect(formatLine(error.diagnostic, name));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr int opset = 21;
    constexpr int mostNodes = 24;
    static const auto operators = operatorsAt(opset);
    Bytes bytes(data, size);
    OnnxBuilder builder(opset);
    OnnxValues values;
    for (const char* name : {"x", "y"}) {
        values.push_back(builder.input(name, {bytes.PickValueInArray(elementTypes), smallShape(bytes)}));
    }
    for (int left = mostNodes; left > 0 && bytes.remaining_bytes() > 0; --left) {
        if (bytes.ConsumeBool()) {
            values.push_back(builder.constant(smallTensor(bytes)));
            continue;
        }
        const auto& schema = *operators[bytes.ConsumeIntegralInRange<std::size_t>(0, operators.size() - 1)];
        if (schema.Name() == "Constant") {
            values.push_back(builder.constant(smallTensor(bytes)));
            continue;
        }
        try {
            addNode(builder, schema, values, bytes);
        } catch (const ModelError&) {
            continue; // operands that do not fit
        }
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (builder.element(values[i]) != ElementType::Undefined) {
            builder.output(values[i], "out" + std::to_string(i));
        }
    }
    auto finished = builder.finish("fuzz", {});
    expectValid(finished.model, "the built model");
    ValueTypes types = statedTypes(finished.model.proto->graph());
    optimize({.model = finished.model, .sources = finished.sources, .types = types}, NodeNames(Graph()));
    if (!InferredModel(finished.model).error()) { // else it stores a wrong operand, and a conversion is not optimized
        expectValid(finished.model, "the optimized model");
    } else if (const auto error = checkerError(CompleteModel(finished.model).proto())) {
        fuzz::reportDefect("the optimized model: " + *error);
    }
    return 0;
}
