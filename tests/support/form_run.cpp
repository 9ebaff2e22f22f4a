#include "tests/support/form_run.h"

#include "core/base/temporary_folder.h"
#include "core/onnx/check.h"
#include "core/onnx/proto.h"
#include "core/onnx/writer.h"
#include "core/verify/runtime.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::test {

FormRun::FormRun(ConvertOptions options)
    : m_options(std::move(options))
    , m_node(m_graph.addNode({.op = "Form", .name = "form"}))
    , m_names(m_graph)
    , m_onnx(m_options.opset.value_or(defaultOpset))
    , m_origins{{{}, m_node}}
    , m_scope{m_graph, m_names, m_options, m_onnx, m_problems, m_origins, {}}
{
    m_onnx.setSource("form", m_origins);
    m_context.emplace(m_scope, m_node, OnnxValues{});
}

OnnxValue FormRun::input(Tensor content, std::optional<Shape> declared)
{
    Shape shape;
    for (const std::int64_t size : content.dims()) {
        shape.emplace_back(size);
    }
    const std::string name = fmt::format("in{}", m_fed.size());
    const OnnxValue value = m_onnx.input(name, {content.type(), declared.value_or(shape)});
    m_fed.emplace_back(name, std::move(content));
    return value;
}

std::vector<Tensor> FormRun::run(const OnnxValues& outputs)
{
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        m_onnx.output(outputs[i], fmt::format("out{}", i));
    }
    const OnnxModel model = m_onnx.finish("form", {}).model;
    checkModel(model);
    for (const auto& node : model.proto->graph().node()) {
        m_operators.push_back(node.op_type());
    }
    std::ranges::sort(m_operators);
    const TemporaryFolder folder;
    const auto path = folder.path() / "form.onnx";
    writeOnnx(model, path);
    std::vector<NamedTensor> named;
    for (const auto& [name, tensor] : m_fed) {
        named.push_back({name, tensor});
    }
    const auto results = runModel(path, named);
    if (!results) {
        throw ModelError(results.problem());
    }
    std::vector<Tensor> tensors;
    for (const NamedTensor& output : results.value()) {
        tensors.push_back(output.tensor);
    }
    return tensors;
}

} // namespace crosswalk::test
