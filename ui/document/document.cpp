#include "ui/document/document.h"

#include "core/formats/onnx_graph.h"
#include "ui/document/batch_symbol.h"
#include "ui/document/comparison.h"
#include "ui/document/conversion_marks.h"
#include "ui/document/target_side.h"
#include "ui/jobs/at_the_same_time.h"
#include "ui/jobs/retire.h"
#include "ui/models/shape_text.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace crosswalk::ui {
namespace {

const std::shared_ptr<const SceneMarks> noMarks;

class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count(); }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

std::size_t hashOf(const Diagnostic& problem)
{
    constexpr std::size_t factor = 31;
    const std::hash<std::string> hash;
    return (hash(problem.message) * factor + hash(problem.node)) * factor + problem.nodeIndex.value_or(0);
}

/// The problem that a failed check reports, at the first node that differs.
Diagnostic differenceOf(const Graph& graph, const NodeCheck& check)
{
    const auto& outputs = check.outputs.outputs;
    const auto differing = std::ranges::find_if(outputs, [](const Comparison& output) { return !output.equal; });
    Diagnostic problem{.severity = Severity::Error, .code = resultsDiffer, .message = {}};
    if (check.firstDifference) {
        const NodeId node = *check.firstDifference;
        problem.node = NodeNames(graph).of(node);
        problem.op = graph.node(node).op;
        problem.nodeIndex = node.index;
    }
    const QString text = check.isOriginal
                             ? QCoreApplication::translate("crosswalk::ui::Document",
                                                           "the export computes other results than the original")
                             : QCoreApplication::translate("crosswalk::ui::Document",
                                                           "the export computes other results than were recorded");
    problem.message = text.toStdString();
    if (differing != outputs.end()) {
        problem.message += ": " + differing->name + (differing->why.empty() ? "" : ", " + differing->why);
    }
    return problem;
}

/// Missing weights are inputs of the conversion; they are drawn in their nodes, as in the source.
void keepWeightsInside(Graph& onnx, const Graph& source, const Conversion& conversion)
{
    for (const ValueId input : source.inputs) {
        const Value& value = source.value(input);
        if (value.role == Role::Parameter && !value.tensor && input.index < conversion.valueNames.size()) {
            if (const auto exported = onnx.findInput(conversion.valueNames[input.index])) {
                onnx.value(*exported).role = Role::Parameter;
            }
        }
    }
}

/// Nodes without an ONNX form, including those in bodies, but without those that are only blocked by others.
int countGaps(const Conversion& conversion)
{
    auto gaps = std::ranges::count(conversion.verdicts, Verdict::Unsupported) - std::ssize(conversion.behindGaps);
    for (const auto& [path, verdicts] : conversion.bodyVerdicts) {
        gaps += std::ranges::count(verdicts, Verdict::Unsupported);
    }
    return static_cast<int>(gaps);
}

} // namespace

/// An undoable change of the user's options.
class ChangeOptions final : public QUndoCommand {
public:
    ChangeOptions(Document& document, ConvertOptions before, ConvertOptions after, const QString& text)
        : QUndoCommand(text)
        , m_document(document)
        , m_before(std::move(before))
        , m_after(std::move(after))
    {
    }
    void redo() override { m_document.applyOptions(m_after, false); }
    void undo() override { m_document.applyOptions(m_before, true); }

private:
    Document& m_document;
    ConvertOptions m_before;
    ConvertOptions m_after;
};

struct Document::Converted {
    std::shared_ptr<const ConvertedModel> model; ///< null if it failed or was stopped
    std::optional<Diagnostic> problem;
    std::array<DrawnSide, 2> before = {}; ///< the drawings at the start of the conversion
};

Document::Document(QObject* parent)
    : DocumentView(parent)
    , m_reading(tr("Reading"), this)
    , m_converting(tr("Converting to ONNX"), this)
    , m_exporter(new Exporter(*this))
    , m_verifier(new Verifier(*this))
    , m_colours(new BoxColours(*this))
    , m_selection(new Selection(*this))
    , m_folding(new GroupFolding(*m_selection, this))
    , m_strategyComparison(this)
    , m_retiring(QString(), this)
    , m_jobs{&m_reading,
             &m_converting,
             &m_exporter->exporting(),
             &m_verifier->job(),
             &m_exporter->saving(),
             &m_colours->job(),
             &m_strategyComparison.comparing(),
             &m_strategyComparison.measuring(),
             &m_folding->job(Side::Source),
             &m_folding->job(Side::Target)}
{
    for (auto* job : m_jobs) {
        connect(job, &JobRunner::started, this, &Document::busyChanged);
        connect(job, &JobRunner::finished, this, &Document::busyChanged);
        connect(job, &JobRunner::failed, this,
                [this, job](const QString& what) { emit internalErrorOccurred(job->activity(), what); });
    }
    connect(&m_reading, &JobRunner::cancelled, this, &Document::openCancelled);
    connect(m_verifier, &Verifier::checked, this, [this] {
        m_colours->takeCheck();
        rebuildProblems();
        m_colours->recolour();
    });
}

Document::~Document() = default;

int Document::gapCount() const
{
    return m_converted ? m_converted->gaps : 0;
}

void Document::cancel()
{
    const bool waitsForModel =
        m_reading.isBusy() && m_loaded && !m_converted && !m_conversionProblem; // to compare with
    const bool wasConverting = m_converting.isBusy() || waitsForModel;
    const bool wasColouring = m_colours->job().isBusy();
    for (auto* job : m_jobs) {
        job->cancel();
    }
    m_folding->forgetPending();
    if (wasColouring) { // the colours that were chosen are not there
        m_colours->setColouring(Colouring::Category);
    }
    m_compared = m_converted ? m_converted->compared : nullptr;
    if (wasConverting) {
        emit conversionCancelled();
    }
}

bool Document::isIdle() const
{
    return std::none_of(m_jobs.begin(), m_jobs.end(), [](const JobRunner* job) { return job->isBusy(); });
}

const std::shared_ptr<const SceneMarks>& Document::marks(Side side) const
{
    if (!m_converted) {
        return noMarks;
    }
    return side == Side::Source ? m_converted->sourceMarks : m_converted->targetMarks;
}

void Document::reconvert()
{
    if (!m_loaded || !shown(Side::Source)) {
        return;
    }
    m_converting.run(
        this,
        [graph = m_loaded->graph, other = m_compared, options = m_options, before = m_folding->shown(),
         previous = m_converted, flow = m_folding->flow(), room = m_folding->room(),
         marksShapes = std::exchange(m_marksShapes, true)](std::stop_token stop) -> Converted {
            const Stopwatch watch;
            if (other) {
                auto comparison = compareSides(before, other->graph, stop);
                if (comparison) {
                    comparison->seconds = watch.seconds();
                    comparison->options = options;
                    comparison->compared = other;
                    comparison->layers = std::make_shared<const LayerTable>(layerTable(*graph));
                }
                return {std::move(comparison), std::nullopt, before};
            }
            Result<Conversion> result = convert(*graph, options, stop);
            if (!result) {
                return {nullptr, result.problem(), before};
            }
            auto model = std::make_shared<ConvertedModel>();
            model->conversion = std::move(result.value());
            model->seconds = watch.seconds();
            model->options = options;
            model->gaps = countGaps(model->conversion);
            if (previous && !previous->diff && marksShapes &&
                (previous->options.shapes != options.shapes || previous->options.types != options.types)) {
                model->typesBefore = previous->conversion.valueTypes;
            }
            // An ONNX model that stays as it is looks the same on both sides: it is laid out once.
            const bool isDrawnOnce = model->conversion.keepsGraph && !before[1];
            std::optional<Diagnostic> problem;
            std::shared_ptr<Graph> onnx;
            try {
                onnx = std::make_shared<Graph>(isDrawnOnce ? typedSource(*graph, model->conversion)
                                                           : graphOf(model->conversion));
                keepWeightsInside(*onnx, *graph, model->conversion);
                model->work = workOf(*onnx);
                model->layers = std::make_shared<const LayerTable>(namedLayers(*graph, model->conversion, *onnx, stop));
            } catch (const ModelError& error) {
                problem = error.diagnostic;
            }
            const KnownTypes types(model->conversion);
            if (onnx && isDrawnOnce) {
                model->source = DrawnSide::make(std::move(onnx), types, before[0], stop);
                model->target = {model->source.side, model->source.drawing};
            } else {
                atTheSameTime([&] { model->source = DrawnSide::make(graph, types, before[0], stop); },
                              [&] {
                                  if (onnx) {
                                      const Provenance from{before[0], model->conversion.sources};
                                      model->target =
                                          makeTargetSide(std::move(onnx), from, before[1], stop, flow, room);
                                  }
                              });
            }
            if (stop.stop_requested() || !model->source) {
                return {};
            }
            if (!model->layers) {
                model->layers = std::make_shared<const LayerTable>(layerTable(*graph));
            }
            auto marks = sourceMarks(*model->source.side, model->conversion);
            markChangedShapes(marks, Side::Source, *model->source.side, model->conversion, *graph, model->typesBefore);
            model->sourceMarks = std::make_shared<const SceneMarks>(std::move(marks));
            if (model->target) {
                marks = targetMarks(*model->target.side, model->conversion);
                markChangedShapes(marks, Side::Target, *model->target.side, model->conversion, *graph,
                                  model->typesBefore);
                model->targetMarks = std::make_shared<const SceneMarks>(std::move(marks));
            }
            return {std::move(model), std::move(problem), before};
        },
        [this](Converted converted) { takeConverted(std::move(converted)); });
}

void Document::takeConverted(Converted next)
{
    m_isOutdated = false;
    m_conversionProblem = std::move(next.problem);
    auto retired = std::make_tuple(std::exchange(m_converted, std::move(next.model)), m_folding->shown());
    m_verifier->forget();
    m_verifier->forgetLatencies();
    m_colours->forget();
    if (m_converted && !m_converted->diff && m_converted->options.shapes.empty() &&
        m_converted->options.types.empty()) {
        m_ownTypes.clear();
        const auto& types = m_converted->conversion.valueTypes;
        for (const ValueId input : m_loaded->graph->inputs) {
            if (input.index < types.size()) {
                m_ownTypes.emplace(input, types[input.index]);
            }
        }
    }
    if (m_converted) {
        m_folding->show(Side::Source, m_converted->source, next.before[0]);
    }
    m_folding->show(Side::Target, m_converted ? m_converted->target : DrawnSide(), next.before[1]);
    // Before any signal is emitted: slots that read the selection must find boxes of the current graphs.
    m_selection->remap();
    if (m_converted) {
        emit sideChanged(Side::Source);
    }
    emit sideChanged(Side::Target);
    rebuildProblems();
    emit conversionChanged();
    if (m_conversionProblem) {
        emit conversionFailed(*m_conversionProblem);
    }
    emit m_selection->changed();
    if (m_colours->colouring() != Colouring::Category) {
        m_colours->recolour();
    }
    retire(m_retiring, *this, std::move(retired));
}

void Document::rebuildProblems()
{
    m_problems.clear();
    // A model may have thousands of problems.
    const auto hash = [this](std::size_t i) { return hashOf(m_problems[i]); };
    const auto isEqual = [this](std::size_t a, std::size_t b) { return m_problems[a] == m_problems[b]; };
    std::unordered_set<std::size_t, decltype(hash), decltype(isEqual)> known(0, hash, isEqual);
    const auto take = [&](const std::vector<Diagnostic>& problems) {
        for (const auto& problem : problems) {
            m_problems.push_back(problem);
            if (!known.insert(m_problems.size() - 1).second) {
                m_problems.pop_back();
            }
        }
    };
    if (m_loaded) {
        take(m_loaded->problems);
    }
    if (const auto* other = compared()) {
        take(other->problems);
    }
    if (m_converted) {
        take(m_converted->conversion.problems);
    }
    if (m_conversionProblem) {
        take({*m_conversionProblem});
    }
    if (const auto& check = m_verifier->check(); check && !check->outputs.equal()) {
        take({differenceOf(*m_loaded->graph, *check)});
    }
    // Which weights are missing says more than that there is no file.
    if (const auto isMissing = [](const Diagnostic& problem) { return problem.code == Code("missing-weight"); };
        std::ranges::any_of(m_problems, isMissing)) {
        if (std::erase_if(m_problems, [](const Diagnostic& d) { return d.code == Code("no-weights-file"); }) > 0) {
            Diagnostic& missing = *std::ranges::find_if(m_problems, isMissing);
            missing.message = "no weights file next to the model: " + missing.message;
        }
    }
    std::stable_sort(m_problems.begin(), m_problems.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.severity > b.severity; });
    m_causes = causesOf(m_problems);
    if (m_converted && !m_converted->diff) {
        addBlocked(m_causes, m_problems, *m_loaded->graph, m_converted->conversion);
    }
    emit problemsChanged();
}

void Document::applyOptions(const ConvertOptions& options, bool isUndo)
{
    m_options = options;
    m_isOutdated = true;
    m_marksShapes = !isUndo;
    emit optionsChanged();
    reconvert();
}

void Document::changeOptions(ConvertOptions next, const QString& text)
{
    clearUnusedBatchSymbol(next);
    m_undo.push(new ChangeOptions(*this, m_options, std::move(next), text));
}

void Document::setStrategy(const std::vector<std::string>& nodes, Strategy strategy)
{
    auto next = m_options;
    for (const auto& node : nodes) {
        next.strategies.insert_or_assign(node, strategy);
    }
    if (next.strategies == m_options.strategies) {
        return;
    }
    changeOptions(std::move(next), nodes.size() == 1
                                       ? tr("Strategy of %1").arg(displayText(nodes.front()))
                                       : tr("Strategy of %Ln nodes", nullptr, static_cast<int>(nodes.size())));
}

void Document::setOpset(int opset)
{
    const auto ofConversion = m_converted ? std::optional(m_converted->conversion.opset) : std::nullopt;
    if (opset == (m_options.opset ? m_options.opset : ofConversion)) {
        return; // in force already
    }
    auto next = m_options;
    next.opset = opset;
    changeOptions(std::move(next), tr("Opset %1").arg(opset));
}

} // namespace crosswalk::ui
