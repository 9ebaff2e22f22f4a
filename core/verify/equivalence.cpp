#include "core/verify/equivalence.h"

#include "core/base/temporary_folder.h"
#include "core/onnx/proto.h"
#include "core/onnx/writer.h"
#include "core/rewrite/scan_over_batch.h"
#include "core/verify/compare.h"
#include "core/verify/pairing.h"
#include "core/verify/random_inputs.h"
#include "core/verify/random_values.h"
#include "core/verify/size_matching.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace crosswalk {
namespace {

using Names = std::map<std::string, std::string>;
using Tensors = std::vector<NamedTensor>;

const std::string& originalName(const Names& originals, const std::string& name)
{
    const auto found = originals.find(name);
    return found != originals.end() ? found->second : name;
}

/// Copies the nodes and shares the weights.
OnnxModel copyOf(const OnnxModel& model)
{
    OnnxModel copy = model;
    copy.proto = std::make_shared<::onnx::ModelProto>(*model.proto);
    return copy;
}

std::set<std::string> computedBy(const OnnxModel& model)
{
    std::set<std::string> names;
    for (const auto& node : model.proto->graph().node()) {
        names.insert(node.output().begin(), node.output().end());
    }
    names.erase(std::string());
    return names;
}

/// The median magnitude of the finite numbers other than zero; zero if there are none. Masked scores, such as -1e9, do
/// not count as long as they are fewer than the others.
double usualMagnitude(const Tensor& tensor)
{
    if (!isNumeric(tensor.type()) || byteSize(tensor.type()) == 0) {
        return 0;
    }
    std::vector<double> magnitudes;
    for (const double value : tensor.toDoubles()) {
        if (std::isfinite(value) && value != 0) {
            magnitudes.push_back(std::abs(value));
        }
    }
    if (magnitudes.empty()) {
        return 0;
    }
    const auto middle = magnitudes.begin() + static_cast<std::ptrdiff_t>((magnitudes.size() - 1) / 2);
    std::nth_element(magnitudes.begin(), middle, magnitudes.end());
    return *middle;
}

class EquivalenceCheck {
public:
    EquivalenceCheck(const OnnxModel& original, const OnnxModel& edited, const Names& originals,
                     const Tolerance& tolerance, bool scalesTolerance, std::stop_token stop,
                     const RuntimeLimits& limits)
        : m_original(original)
        , m_edited(edited)
        , m_originals(originals)
        , m_tolerance(tolerance)
        , m_scalesTolerance(scalesTolerance)
        , m_stop(std::move(stop))
        , m_runtime(Runtime::start(limits, m_stop))
    {
        m_report.runtimeVersion = m_runtime->version();
        const std::set<std::string> before = randomValues(original);
        for (const std::string& name : computedBy(edited)) {
            if (before.contains(originalName(originals, name))) {
                m_random.insert(name);
            }
        }
    }

    EquivalenceReport run(const BatchFacts& facts, const std::map<std::string, Shape, std::less<>>& wanted)
    {
        const std::set<std::string> originalValues = computedBy(m_original);
        const std::set<std::string> editedValues = computedBy(m_edited);
        std::set<std::string> inner; // values of the original that the edited model has as well
        for (const std::string& name : editedValues) {
            if (originalValues.contains(originalName(m_originals, name))) {
                inner.insert(name);
            }
        }
        std::set<std::string> requested;
        for (const std::string& name : inner) {
            requested.insert(originalName(m_originals, name));
        }
        requested.merge(storedOutputs());
        const RuntimeSession edited = sessionOf(m_edited, "edited", {});
        for (const auto& port : edited.inputs()) {
            if (originalValues.contains(originalName(m_originals, port.name))) {
                requested.insert(originalName(m_originals, port.name));
                m_isPart = true;
            }
        }
        const RuntimeSession original = sessionWith(m_original, "original", requested);
        m_report.missing = missingOutputs();
        SizeMatching sizes(original.inputs(), edited.inputs(), m_originals, facts.timeAxes);
        sizes.setShapes(wanted, original.inputs());
        const std::string& limit = facts.limit;
        m_report.limit = limit.empty() ? sizes.limit() : limit;
        const bool isLimited = !limit.empty();
        if ((m_isPart || isLimited) && sizes.times().front() != 1) {
            throw ModelError("other-size", m_isPart ? "an extracted part runs only at the original sizes" : limit);
        }
        const auto runs = m_isPart ? std::vector<std::int64_t>{1} : sizes.times();
        for (const std::int64_t times : runs) {
            const std::size_t before = m_report.values.size();
            const auto runBatches = [&] {
                const std::vector<Tensors> perBatch = runOriginal(original, sizes, times);
                const Tensors inputs = inputsOf(edited, sizes, perBatch);
                if (times == 1) {
                    const RuntimeSession open = sessionWith(m_edited, "inner", inner);
                    compareAll(open.run(inputs, m_stop), perBatch, times, sizes);
                    return;
                }
                compareAll(edited.run(inputs, m_stop), perBatch, times, sizes);
                if (!isLimited && differsSince(before)) {
                    compareAll(innerNumbers(inputs, inner), perBatch, times, sizes);
                }
            };
            if (!isLimited || times == 1) {
                runBatches();
            } else if (!agrees(runBatches, before)) { // the limit applies
                m_report.values.resize(before);
                return std::move(m_report);
            }
            m_report.times.push_back(times);
        }
        if (runs.size() > 1) {
            m_report.limit = sizes.limit();
            m_report.held = sizes.held();
        }
        return std::move(m_report);
    }

private:
    /// What the edited model returns, by the original's names.
    std::set<std::string> returned() const
    {
        std::set<std::string> names;
        for (const auto& output : m_edited.proto->graph().output()) {
            names.insert(originalName(m_originals, output.name()));
        }
        return names;
    }

    /// Stored values of the original that the edited model returns.
    std::set<std::string> storedOutputs() const
    {
        const std::set<std::string> outputs = returned();
        std::set<std::string> stored;
        for (const auto& weight : m_original.proto->graph().initializer()) {
            if (outputs.contains(weight.name())) {
                stored.insert(weight.name());
            }
        }
        return stored;
    }

    /// Outputs of the original that the edited model does not return.
    std::vector<std::string> missingOutputs() const
    {
        const std::set<std::string> outputs = returned();
        std::vector<std::string> missing;
        for (const auto& output : m_original.proto->graph().output()) {
            if (!outputs.contains(output.name())) {
                missing.push_back(output.name());
            }
        }
        return missing;
    }

    /// Whether a run succeeds and adds no difference to the report.
    template <typename Run>
    bool agrees(const Run& run, std::size_t before) const
    {
        try {
            run();
        } catch (const ModelError& error) {
            if (error.diagnostic.code != Code("runtime")) {
                throw;
            }
            return false;
        }
        return !differsSince(before);
    }

    bool differsSince(std::size_t before) const
    {
        return std::any_of(m_report.values.begin() + static_cast<std::ptrdiff_t>(before), m_report.values.end(),
                           [](const EquivalenceReport::Value& value) { return !value.comparison.equal; });
    }

    /// Intermediate values of the edited model. Integers are excluded, because sizes and indices may differ for more
    /// batches.
    Tensors innerNumbers(const Tensors& inputs, const std::set<std::string>& inner) const
    {
        Tensors values = sessionWith(m_edited, "inner", inner).run(inputs, m_stop);
        std::erase_if(
            values, [&](const NamedTensor& value) { return !isFloating(value.tensor.type()) || isOutput(value.name); });
        return values;
    }

    bool isOutput(const std::string& name) const
    {
        const auto& outputs = m_edited.proto->graph().output();
        return std::any_of(outputs.begin(), outputs.end(), [&](const auto& output) { return output.name() == name; });
    }

    RuntimeSession sessionOf(const OnnxModel& model, const char* name, const std::set<std::string>& more) const
    {
        OnnxModel open = copyOf(model);
        auto& graph = *open.proto->mutable_graph();
        std::set<std::string> outputs;
        for (const auto& output : graph.output()) {
            outputs.insert(output.name());
        }
        for (const std::string& value : more) {
            if (!outputs.contains(value)) {
                graph.add_output()->set_name(value);
            }
        }
        const auto path = m_folder.path() / fmt::format("{}-{}.onnx", name, more.size());
        writeOnnx(open, path, {}, m_stop);
        // Without optimization: if the runtime fused nodes in only one of the models, the different rounding would
        // decide ties between scores.
        return {m_runtime, path, {.optimize = false}};
    }

    /// A session with these values as additional outputs, except those that cannot be compared.
    RuntimeSession sessionWith(const OnnxModel& model, const char* name, std::set<std::string> values) const
    {
        RuntimeSession session = sessionOf(model, name, values);
        const std::size_t wanted = values.size();
        for (const auto& port : session.outputs()) {
            if (byteSize(port.type.element) == 0 && port.type.element != ElementType::String) {
                values.erase(port.name);
            }
        }
        return values.size() == wanted ? std::move(session) : sessionOf(model, name, values);
    }

    /// Inputs and outputs of the original for each batch. The shapes and integers of random inputs are guessed; the
    /// first guess that the original accepts is kept.
    std::vector<Tensors> runOriginal(const RuntimeSession& session, const SizeMatching& sizes, std::int64_t times)
    {
        const auto attempt = [&](const Guess& guess) {
            std::vector<Tensors> perBatch;
            for (std::int64_t batch = 0; batch < times; ++batch) {
                Tensors values;
                for (const auto& port : session.inputs()) {
                    const std::size_t round = sizes.isOpened(port.name) ? static_cast<std::size_t>(batch) : 0;
                    values.push_back({port.name, randomTensor(port.type.element, sizes.original(port, guess.freeSize),
                                                              port.name, round, guess.whole)});
                }
                Tensors outputs = session.run(values, m_stop);
                std::move(outputs.begin(), outputs.end(), std::back_inserter(values));
                perBatch.push_back(std::move(values));
            }
            return perBatch;
        };
        if (m_guess) {
            return attempt(*m_guess);
        }
        std::optional<ModelError> firstError;
        for (const std::int64_t freeSize : {4, 8, 16, 32, 64, 224}) {
            for (const IntegerValues whole : {IntegerValues::ZeroAndOne, IntegerValues::Ones}) {
                try {
                    auto perBatch = attempt({freeSize, whole});
                    m_guess = Guess{freeSize, whole};
                    return perBatch;
                } catch (const ModelError& error) {
                    if (error.diagnostic.code != Code("runtime")) {
                        throw;
                    }
                    firstError = firstError ? firstError : std::optional(error);
                }
            }
        }
        throw ModelError("runtime",
                         fmt::format("the original does not run on random inputs: {}", firstError->diagnostic.message),
                         "use --shape to set the shapes of the inputs");
    }

    Tensors inputsOf(const RuntimeSession& edited, const SizeMatching& sizes,
                     const std::vector<Tensors>& perBatch) const
    {
        Tensors inputs;
        for (const auto& port : edited.inputs()) {
            const std::string& name = originalName(m_originals, port.name);
            std::vector<Tensor> parts;
            for (const Tensors& batch : perBatch) {
                if (const NamedTensor* tensor = findNamed(batch, name)) {
                    parts.push_back(tensor->tensor);
                }
            }
            if (parts.empty()) {
                throw ModelError("missing-input", fmt::format("the original has no value {}", name));
            }
            const auto axis = sizes.openedAxis(name);
            Tensor whole = axis && parts.size() > 1 ? concatenated(parts, *axis) : parts.front();
            if (whole.type() != port.type.element) {
                if (!isNumeric(whole.type()) || !isNumeric(port.type.element)) {
                    throw ModelError("missing-input",
                                     fmt::format("input {} has type {}, but {} in the original", port.name,
                                                 elementTypeName(port.type.element), elementTypeName(whole.type())));
                }
                whole = whole.converted(port.type.element);
            }
            inputs.push_back({port.name, std::move(whole)});
        }
        return inputs;
    }

    void compareAll(const Tensors& got, const std::vector<Tensors>& perBatch, std::int64_t times,
                    const SizeMatching& sizes)
    {
        for (const NamedTensor& value : got) {
            std::vector<Tensor> parts;
            for (const Tensors& batch : perBatch) {
                if (const NamedTensor* tensor = findNamed(batch, originalName(m_originals, value.name))) {
                    parts.push_back(tensor->tensor);
                }
            }
            if (!parts.empty()) {
                m_report.values.push_back({times, compareConcatenated(value, parts, sizes.isAnyOpened())});
            } else if (isOutput(value.name)) {
                Comparison comparison;
                comparison.name = value.name;
                comparison.why = "the original has no such value";
                m_report.values.push_back({times, std::move(comparison)});
            }
        }
    }

    Comparison compareConcatenated(const NamedTensor& value, const std::vector<Tensor>& parts, bool isOpened) const
    {
        const std::vector<Tensor> candidates = concatenationCandidates(parts, value.tensor.dims(), isOpened);
        std::optional<Comparison> chosen;
        // Values that grow with the batches must match one candidate; all others must be equal for each batch.
        const bool hasCandidates = !candidates.empty();
        for (const Tensor& wanted : hasCandidates ? candidates : parts) {
            Comparison found = compare(value.name, value.tensor, wanted, scaled(wanted));
            if (m_random.contains(value.name) && value.tensor.type() == wanted.type() &&
                value.tensor.dims() == wanted.dims()) {
                found = {};
                found.name = value.name;
                found.equal = true;
                found.why = "depends on random numbers: only its type and shape are compared";
            }
            if (!chosen || found.equal == hasCandidates) {
                chosen = std::move(found);
            }
        }
        return std::move(*chosen);
    }

    Tolerance scaled(const Tensor& wanted) const
    {
        Tolerance tolerance = m_tolerance;
        tolerance.absolute *= m_scalesTolerance ? std::max(1.0, usualMagnitude(wanted)) : 1.0;
        return tolerance;
    }

    struct Guess {
        std::int64_t freeSize;
        IntegerValues whole;
    };

    const OnnxModel& m_original;
    const OnnxModel& m_edited;
    const Names& m_originals;
    const Tolerance& m_tolerance;
    const bool m_scalesTolerance;
    const std::stop_token m_stop;
    const std::shared_ptr<const Runtime> m_runtime;
    const TemporaryFolder m_folder;
    EquivalenceReport m_report;
    std::set<std::string> m_random; ///< values of the edited model that differ from run to run in the original
    std::optional<Guess> m_guess;
    bool m_isPart = false;
};

} // namespace

std::string limitOf(const Conversion& conversion)
{
    const auto mixed = std::find_if(conversion.problems.begin(), conversion.problems.end(),
                                    [](const Diagnostic& problem) { return problem.code == Code("mixed-samples"); });
    return mixed != conversion.problems.end() ? mixed->node + ": " + mixed->message : std::string();
}

std::string limitOf(const Graph& original, const OnnxModel& edited, const Names& originals)
{
    if (isScanOverBatch(edited)) {
        return {};
    }
    ConvertOptions options;
    for (const auto& input : edited.proto->graph().input()) {
        const TensorType type = fromProto(input.type());
        const auto before = original.findInput(originalName(originals, input.name()));
        const auto& shape = before ? original.value(*before).type.shape : std::nullopt;
        if (type.shape && shape && shape->size() == type.shape->size() && *shape != *type.shape) {
            options.shapes.emplace(original.value(*before).name, *type.shape);
        }
    }
    const auto conversion = convert(original, options);
    return conversion ? limitOf(conversion.value()) : std::string();
}

std::map<std::string, std::string> renamedPorts(const OnnxModel& original, const OnnxModel& edited)
{
    Names names;
    const auto pair = [&](const auto& before, const auto& after) {
        for (int i = 0; i < after.size() && before.size() == after.size(); ++i) {
            const std::string& name = after.Get(i).name();
            const bool isKept =
                std::any_of(before.begin(), before.end(), [&](const auto& port) { return port.name() == name; });
            names.emplace(name, isKept ? name : before.Get(i).name());
        }
    };
    pair(original.proto->graph().input(), edited.proto->graph().input());
    pair(original.proto->graph().output(), edited.proto->graph().output());
    return names;
}

bool EquivalenceReport::equal() const
{
    return !values.empty() &&
           std::all_of(values.begin(), values.end(), [](const Value& value) { return value.comparison.equal; });
}

Result<EquivalenceReport> verifyEquivalence(const OnnxModel& original, const OnnxModel& edited, const Names& originals,
                                            const BatchFacts& facts, const Tolerance& tolerance, std::stop_token stop,
                                            const std::map<std::string, Shape, std::less<>>& sizes,
                                            const RuntimeLimits& limits, bool scalesTolerance)
{
    try {
        return EquivalenceCheck(original, edited, originals, tolerance, scalesTolerance, std::move(stop), limits)
            .run(facts, sizes);
    } catch (const ModelError& error) {
        return error.diagnostic;
    }
}

} // namespace crosswalk
