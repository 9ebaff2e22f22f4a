#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::test {

/// Tests a form of core/convert/forms without a framework: provides a context and input values for the form, and runs
/// the emitted nodes with ONNX Runtime.
class FormRun {
public:
    explicit FormRun(ConvertOptions options = {});

    NodeContext& context() { return *m_context; }
    /// Adds an input of the model with the value `content`. `declared` is its declared shape, which can be dynamic.
    OnnxValue input(Tensor content, std::optional<Shape> declared = {});
    OnnxValue stored(Tensor content) { return m_onnx.constant(std::move(content)); }

    /// Runs the model and returns the outputs. Throws ModelError if the model is invalid or the runtime rejects it. Can
    /// be called once.
    std::vector<Tensor> run(const OnnxValues& outputs);
    /// The operators of the top-level graph of the model that was run, sorted.
    const std::vector<std::string>& operators() const { return m_operators; }
    const std::vector<Diagnostic>& problems() const { return m_problems; }

private:
    ConvertOptions m_options;
    Graph m_graph;
    NodeId m_node;
    SourceNames m_names;
    OnnxBuilder m_onnx;
    std::vector<Diagnostic> m_problems;
    std::vector<NodeRef> m_origins;
    TranslationScope m_scope;
    std::optional<NodeContext> m_context;
    std::vector<std::pair<std::string, Tensor>> m_fed;
    std::vector<std::string> m_operators;
};

} // namespace crosswalk::test
