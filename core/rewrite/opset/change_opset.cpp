#include "core/rewrite/opset/change_opset.h"

#include "core/base/check_stop.h"
#include "core/base/diagnostic.h"
#include "core/onnx/descriptions.h"
#include "core/onnx/experimental_operators.h"
#include "core/onnx/external_stubs.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto_reads.h"
#include "core/onnx/schema.h"
#include "core/onnx/tensor_record.h"
#include "core/onnx/weights.h"
#include "core/rewrite/opset/body_axes.h"
#include "core/rewrite/opset/equivalent_nodes.h"
#include "core/rewrite/opset/expand_functions.h"
#include "core/rewrite/opset/opset_downgrade.h"
#include "core/rewrite/opset/opset_guards.h"
#include "core/rewrite/opset/opset_upgrade.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace crosswalk {
namespace {

constexpr std::string_view activity = "the conversion";

/// The converter has no adapters for operators without a definition.
void expectDefined(const OnnxModel& model, int opset)
{
    if (const auto* node = findExperimental(*model.proto)) {
        throw ModelError(
            {.code = "opset-change",
             .message = fmt::format("{} was an experimental operator of ONNX's first releases: it cannot be "
                                    "converted to opset {}",
                                    node->op_type(), opset),
             .node = node->name(),
             .op = node->op_type(),
             .hint = fmt::format("omit --opset to keep opset {}", opsetOf(model))});
    }
}

bool hasWord(std::string_view text, std::string_view word)
{
    const auto isLetter = [&](std::size_t i) {
        return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])) != 0;
    };
    for (auto at = text.find(word); at != std::string_view::npos && !word.empty(); at = text.find(word, at + 1)) {
        if (!isLetter(at - 1) && !isLetter(at + word.size())) {
            return true;
        }
    }
    return false;
}

[[noreturn]] void refuse(const OnnxModel& model, int opset, std::string_view why)
{
    // An assertion of the converter has the form "file:line: function: Assertion `...` failed: why".
    if (const auto mark = why.find("failed: "); mark != std::string_view::npos) {
        why.remove_prefix(mark + 8);
    }
    Diagnostic problem{.code = "opset-change",
                       .message =
                           fmt::format("onnx's version converter cannot convert the model from opset {} to {}: {}",
                                       opsetOf(model), opset, why.substr(0, why.find('\n')))};
    // The converter reports operators, not nodes, and each adapter uses a different wording.
    for (const auto& node : model.proto->graph().node()) {
        if (hasWord(why, node.op_type())) {
            problem.node = node.name();
            problem.op = node.op_type();
            break;
        }
    }
    throw ModelError(std::move(problem));
}

/// Rejects models with content that the converter silently drops.
void checkUnsupportedContent(const OnnxModel& model, int opset)
{
    if (model.proto->functions_size() > 0) {
        refuse(model, opset, "it has model-local functions");
    }
    if (model.proto->training_info_size() > 0) {
        refuse(model, opset, "it has training information");
    }
    if (model.proto->graph().sparse_initializer_size() > 0 || model.proto->graph().quantization_annotation_size() > 0) {
        refuse(model, opset, "it has sparse tensors or quantisation annotations");
    }
}

/// Calls `use` for each node of a graph and its bodies.
void forEachNode(const ::onnx::GraphProto& graph, const std::function<void(const ::onnx::NodeProto&)>& use)
{
    for (const auto& node : graph.node()) {
        use(node);
        for (const auto& attribute : node.attribute()) {
            if (attribute.has_g()) {
                forEachNode(attribute.g(), use);
            }
        }
    }
}

/// onnx's converter makes attributes of initializers, also of those that are inputs as well, which a run can replace.
class InputCheck {
public:
    InputCheck(const ::onnx::GraphProto& before, const ::onnx::GraphProto& after, int opset)
        : m_before(before)
        , m_after(after)
        , m_opset(opset)
    {
        std::unordered_set<std::string_view> stored;
        for (const auto& weight : before.initializer()) {
            stored.insert(weight.name());
        }
        for (const auto& input : before.input()) {
            if (stored.contains(input.name())) {
                m_replaceable.insert(input.name());
            }
        }
    }

    void run(const std::stop_token& stop)
    {
        if (m_replaceable.empty()) {
            return;
        }
        m_known.insert(m_replaceable.begin(), m_replaceable.end());
        forEachNode(m_before, [&](const ::onnx::NodeProto& node) {
            m_known.insert(node.input().begin(), node.input().end());
            m_known.insert(node.output().begin(), node.output().end());
        });
        forEachNode(m_after, [&](const ::onnx::NodeProto& node) {
            for (const std::string& output : node.output()) {
                m_producers.emplace(output, &node);
            }
        });
        forEachNode(m_before, [&](const ::onnx::NodeProto& node) {
            checkStop(stop, activity);
            check(node);
        });
    }

private:
    void check(const ::onnx::NodeProto& node) const
    {
        const auto isReplaceable = [this](const std::string& name) { return m_replaceable.contains(name); };
        if (std::ranges::none_of(node.input(), isReplaceable)) {
            return;
        }
        const std::unordered_set<std::string> reads = readsAfter(node);
        for (const std::string& input : node.input()) {
            if (isReplaceable(input) && !reads.contains(input)) {
                throw ModelError({.code = "opset-change",
                                  .message = fmt::format("at opset {}, an attribute takes the place of input {}: a run "
                                                         "could no longer replace its default value",
                                                         m_opset, input),
                                  .node = node.name(),
                                  .op = node.op_type()});
            }
        }
    }

    /// What the nodes that take the place of a node read of the values that were there before.
    std::unordered_set<std::string> readsAfter(const ::onnx::NodeProto& node) const
    {
        std::unordered_set<std::string> reads;
        std::vector<std::string> open(node.output().begin(), node.output().end());
        while (!open.empty()) {
            const std::string value = std::move(open.back());
            open.pop_back();
            const auto [first, last] = m_producers.equal_range(value); // several if bodies have equal names
            for (auto producer = first; producer != last; ++producer) {
                forEachRead(*producer->second, [&](const std::string& read) {
                    if (reads.insert(read).second && !m_known.contains(read)) {
                        open.push_back(read);
                    }
                });
            }
        }
        return reads;
    }

    const ::onnx::GraphProto& m_before;
    const ::onnx::GraphProto& m_after;
    int m_opset;
    std::unordered_set<std::string_view> m_replaceable; ///< inputs with a default value
    std::unordered_set<std::string_view> m_known;       ///< values of the model before
    std::unordered_multimap<std::string_view, const ::onnx::NodeProto*> m_producers;
};

/// Moves the content of the converted proto's initializers into tensors and leaves stubs.
std::vector<Tensor> takeWeights(::onnx::ModelProto& converted, const OnnxModel& before)
{
    std::unordered_map<std::string_view, const Tensor*> known;
    for (int i = 0; i < before.proto->graph().initializer_size(); ++i) {
        known.emplace(before.proto->graph().initializer(i).name(), &before.weights[static_cast<std::size_t>(i)]);
    }
    std::vector<Tensor> weights;
    for (auto& initializer : *converted.mutable_graph()->mutable_initializer()) {
        if (isExternalStub(initializer)) {
            weights.push_back(*known.at(initializer.name()));
            initializer.clear_external_data();
            initializer.clear_data_location();
            continue;
        }
        const auto owner = std::make_shared<::onnx::TensorProto>(initializer);
        Tensor tensor = tensorOf(owner, *owner);
        ::onnx::TensorProto stub;
        stub.set_name(initializer.name());
        fillStub(tensor, stub);
        initializer.Swap(&stub);
        weights.push_back(std::move(tensor));
    }
    return weights;
}

::onnx::ModelProto atOpset(const OnnxModel& model, int opset, const std::stop_token& stop)
{
    checkUnsupportedContent(model, opset);
    const int before = opsetOf(model);
    try {
        ::google::protobuf::Arena arena;
        ::onnx::ModelProto& whole = withExternalStubs(model, arena);
        expandFunctions(whole, before, opset);
        useEquivalentNodes(whole, before, opset);
        checkStop(stop, activity);
        if (const auto problem = findOpsetProblem(whole, before, opset)) {
            throw ModelError({.code = "opset-change",
                              .message = fmt::format("{} cannot be converted from opset {} to {}: {}",
                                                     problem->node->op_type(), before, opset, problem->why),
                              .node = problem->node->name(),
                              .op = problem->node->op_type()});
        }
        copyAxesIntoBodies(*whole.mutable_graph(), before, opset);
        ::onnx::version_conversion::DefaultVersionConverter converter;
        addDowngradeAdapters(converter);
        addUpgradeAdapters(converter);
        return converter.convert_version(whole, ::onnx::OpSetID(before), ::onnx::OpSetID(opset));
    } catch (const ModelError&) {
        throw;
    } catch (const std::exception& error) {
        refuse(model, opset, error.what());
    }
}

} // namespace

void changeOpset(OnnxModel& model, int opset, const std::stop_token& stop)
{
    const int before = opsetOf(model);
    expectDefined(model, opset);
    auto converted = std::make_shared<::onnx::ModelProto>();
    try {
        *converted = atOpset(model, opset, stop);
        InputCheck(model.proto->graph(), converted->graph(), opset).run(stop);
    } catch (ModelError& error) {
        error.diagnostic.hint = fmt::format("omit --opset to keep opset {}", before);
        throw;
    }
    repairAfterOpsetChange(*converted->mutable_graph(), before, opset);
    converted->set_ir_version(irVersionFor(opset));
    std::vector<Tensor> weights = takeWeights(*converted, model);
    copyDescriptions(model.proto->graph(), *converted->mutable_graph());
    model = {std::move(converted), std::move(weights)};
}

} // namespace crosswalk
