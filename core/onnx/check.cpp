#include "core/onnx/check.h"

#include "core/base/diagnostic.h"
#include "core/onnx/experimental_operators.h"
#include "core/onnx/external_stubs.h"
#include "core/onnx/inferred_model.h"
#include "core/onnx/onnx_model.h"
#include "core/onnx/opsets.h"
#include "core/onnx/schemas.h"
#include "core/onnx/structure_check.h"

#include <algorithm>
#include <new>

namespace crosswalk {
namespace {

/// The checker requires a shape for every input and output. Runtimes do not, and next to a gap, a custom operator or a
/// loop the shape is unknown. Adds an arbitrary shape where it is missing, until it is destroyed.
class CompletedShapes {
public:
    explicit CompletedShapes(::onnx::GraphProto& graph)
        : m_graph(graph)
        , m_inputs(graph.input())
        , m_outputs(graph.output())
    {
        complete(graph);
    }
    ~CompletedShapes()
    {
        *m_graph.mutable_input() = m_inputs;
        *m_graph.mutable_output() = m_outputs;
    }
    CompletedShapes(const CompletedShapes&) = delete;
    CompletedShapes& operator=(const CompletedShapes&) = delete;

private:
    static void complete(::onnx::GraphProto& graph);

    ::onnx::GraphProto& m_graph;
    ::google::protobuf::RepeatedPtrField<::onnx::ValueInfoProto> m_inputs;
    ::google::protobuf::RepeatedPtrField<::onnx::ValueInfoProto> m_outputs;
};

void CompletedShapes::complete(::onnx::GraphProto& graph)
{
    for (auto& input : *graph.mutable_input()) {
        if (input.type().has_tensor_type() && !input.type().tensor_type().has_shape()) {
            input.mutable_type()->mutable_tensor_type()->mutable_shape();
        }
    }
    for (auto& output : *graph.mutable_output()) {
        if (output.type().has_tensor_type() && !output.type().tensor_type().has_shape()) {
            output.mutable_type()->mutable_tensor_type()->mutable_shape();
        }
        if (output.type().value_case() == ::onnx::TypeProto::VALUE_NOT_SET) {
            auto& type = *output.mutable_type()->mutable_tensor_type();
            type.set_elem_type(::onnx::TensorProto::FLOAT);
            type.mutable_shape();
        }
    }
}

/// The checker's message on one line.
std::string oneLine(std::string text)
{
    std::replace(text.begin(), text.end(), '\n', ' ');
    while (!text.empty() && text.back() == ' ') {
        text.pop_back();
    }
    return text;
}

::onnx::checker::CheckerContext contextOf(const ::onnx::ModelProto& model)
{
    ::onnx::checker::CheckerContext context;
    context.set_schema_registry(&schemas());
    context.set_ir_version(static_cast<int>(model.ir_version()));
    context.set_opset_imports(opsetImports(model));
    return context;
}

/// Versions and metadata, which only onnx's check_model() checks.
void checkHeader(const ::onnx::ModelProto& model)
{
    ::onnx::ModelProto header;
    header.set_ir_version(model.ir_version());
    *header.mutable_opset_import() = model.opset_import();
    *header.mutable_metadata_props() = model.metadata_props();
    header.mutable_graph()->set_name("empty");
    ::onnx::checker::check_model(header);
}

/// onnx's check_model(), but with our schemas: its own registry constructs all of them. Throws what the checker throws.
void check(const ::onnx::ModelProto& model)
{
    checkHeader(model);
    const ::onnx::checker::CheckerContext context = contextOf(model);
    const ::onnx::checker::LexicalScopeContext scope;
    ::onnx::checker::check_graph(model.graph(), context, scope);
    constexpr std::int64_t firstWithFunctions = 8;
    if (model.ir_version() >= firstWithFunctions) {
        ::onnx::checker::check_model_local_functions(model, context, scope);
    }
}

} // namespace

std::optional<std::string> checkerError(::onnx::ModelProto& model)
{
    const CompletedShapes completed(*model.mutable_graph());
    try {
        if (findExperimental(model) != nullptr) {
            ::onnx::ModelProto renamed = model;
            renameExperimental(renamed);
            check(renamed);
        } else {
            check(model);
        }
        return structureError(model);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        return oneLine(error.what());
    }
}

PartChecker::PartChecker(const ::onnx::ModelProto& model)
    : m_context(contextOf(model))
{
    checkHeader(model);
    ::onnx::GraphProto ports;
    ports.set_name(model.graph().name());
    *ports.mutable_input() = model.graph().input();
    *ports.mutable_output() = model.graph().output();
    const CompletedShapes completed(ports);
    for (const auto& output : ports.output()) {
        ::onnx::checker::check_value_info(output, m_context);
    }
    ports.clear_output(); // which no node computes here
    ::onnx::checker::check_graph(ports, m_context, {});
}

void PartChecker::check(const ::onnx::TensorProto& initializer) const
{
    ::onnx::checker::check_tensor(initializer, m_context);
}

void PartChecker::check(const ::onnx::NodeProto& node) const
{
    ::onnx::checker::check_node(node, m_context, {});
}

void checkModel(const OnnxModel& model)
{
    auto message = checkerError(CompleteModel(model).proto());
    if (!message) {
        message = InferredModel(model).error();
    }
    if (message) {
        throw ModelError("invalid-model", "rejected by onnx's checker: " + oneLine(*message));
    }
}

} // namespace crosswalk
