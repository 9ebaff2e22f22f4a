#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::test {

/// Runs what a form of core/convert/forms emits, without any framework: a context to call the form with, values to give
/// it, and its results in ONNX Runtime.
class FormRun {
public:
    explicit FormRun(ConvertOptions options = {});

    NodeContext& context() { return *m_context; }
    /// An input of the model, fed with `content`; `declared` may leave dimensions open.
    OnnxValue input(Tensor content, std::optional<Shape> declared = {});
    OnnxValue stored(Tensor content) { return m_onnx.constant(std::move(content)); }

    /// What the outputs come to. Throws ModelError where the model is invalid or the runtime refuses it. Once.
    std::vector<Tensor> run(const OnnxValues& outputs);
    /// The operators of the model that was run, top level only, sorted.
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
