#pragma once

#include "core/compare/model_diff.h"
#include "core/formats/read_model.h"
#include "core/onnx/work.h"
#include "core/onnx/writer.h"
#include "core/report/layer_table.h"
#include "core/verify/node_check.h"
#include "ui/canvas/picture_file.h"
#include "ui/canvas/same_boxes.h"
#include "ui/document/colouring.h"
#include "ui/document/export_settings.h"
#include "ui/document/graph_side.h"
#include "ui/document/problem_causes.h"
#include "ui/document/shape_presets.h"
#include "ui/document/strategy_comparison.h"
#include "ui/jobs/job_runner.h"

#include <QUndoStack>

#include <array>
#include <utility>

namespace crosswalk::ui {

/// The code of the problem of a failed check.
inline constexpr Code resultsDiffer = "results-differ";

/// The current conversion with the ONNX side and the marks of both sides. Built in the background as a whole.
struct ConvertedModel {
    Conversion conversion;
    DrawnSide source; ///< with the shapes inferred by the conversion
    DrawnSide target; ///< may be empty
    std::shared_ptr<const SceneMarks> sourceMarks;
    std::shared_ptr<const SceneMarks> targetMarks;
    std::shared_ptr<const LayerTable> layers; ///< of the source
    Work work;                                ///< of the ONNX graph
    double seconds = 0;                       ///< of the conversion alone
    int gaps = 0; ///< nodes without an ONNX form, except those that are only blocked by others
    ConvertOptions options;
    /// Types by source value of the previous conversion if the input types or shapes changed; otherwise empty.
    std::vector<TensorType> typesBefore;
    // Set if another model is shown in place of the conversion:
    std::shared_ptr<const LoadedModel> compared;
    std::shared_ptr<const ModelDiff> diff;
};

/// The result of an export.
struct ExportResult {
    std::filesystem::path path;
    WriteReport written;
    double seconds = 0;
    std::optional<Result<NodeCheck>> verified; ///< set if recorded tensors were found next to the source
};

/// The files and options of a document.
struct OpenedFiles {
    std::filesystem::path model;
    std::filesystem::path weights; ///< empty: none, or those next to the model
    ConvertOptions options;
    std::filesystem::path compared = {}; ///< the model to compare with; empty if none
    bool isAgain = false;                ///< the model is reopened and keeps its options
    std::string signature = {};          ///< of a model with several; empty: the framework's default
};

/// An open model: the source, the user's options (with undo), the resulting conversion, and the selection on both
/// sides. All work happens in the background; every change emits a signal. Independent of widgets.
class Document final : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    /// Empty weights: uses those next to the model. `options` are the initial options.
    void open(const std::filesystem::path& model, const std::filesystem::path& weights = {},
              ConvertOptions options = {}, std::string signature = {});
    /// Reads the model again to use another of its signatures, whose inputs and outputs become the model's.
    void useSignature(const std::string& signature);
    /// Reads the model again, and the one it is compared with. Empty weights: uses those next to the model. Keeps the
    /// options, except those for nodes and inputs that no longer exist.
    void openAgain(const std::filesystem::path& weights);
    void close();
    /// Stops reading, converting and exporting. Keeps the displayed state.
    void cancel();
    /// Converts again after a cancelled conversion.
    void convertAgain() { reconvert(); }

    bool isOpen() const { return m_loaded.has_value(); }
    bool isIdle() const;
    const std::filesystem::path& path() const { return m_path; }
    /// Files and options of the open model, or of the one being read; nothing if there is neither.
    std::optional<OpenedFiles> files() const;
    const LoadedModel* loaded() const { return m_loaded ? &*m_loaded : nullptr; }
    /// Null until the side exists.
    const std::shared_ptr<const GraphSide>& side(Side side) const { return shown(side).side; }
    /// The drawing of the side; null if there is none.
    const std::shared_ptr<const SideDrawing>& drawing(Side side) const { return shown(side).drawing; }
    /// Maps boxes of the side's previous graph to the current one.
    const SameBoxes& sameAsBefore(Side side) const { return m_same[static_cast<std::size_t>(side)]; }
    const std::shared_ptr<const ConvertedModel>& converted() const { return m_converted; }
    const std::shared_ptr<const SceneMarks>& marks(Side side) const;
    /// The marks that boxes are painted with: those of the conversion and the check, in the chosen colours.
    const std::shared_ptr<const SceneMarks>& shownMarks(Side side) const;
    /// Diagnostics of reading, followed by those of the conversion.
    const std::vector<Diagnostic>& problems() const { return m_problems; }
    /// The same diagnostics grouped by cause.
    const std::vector<ProblemCause>& causes() const { return m_causes; }

    const ConvertOptions& options() const { return m_options; }
    QUndoStack* undoStack() { return &m_undo; }
    // User options. Each change converts again and can be undone. An empty value restores the default from the file.
    void setInputShape(const std::string& input, std::optional<Shape> shape);
    void setInputType(const std::string& input, std::optional<ElementType> type);
    /// Sets the shapes of all inputs.
    void applyPreset(ShapePreset preset);
    void setStrategy(const std::vector<std::string>& nodes, Strategy strategy);
    void setOpset(int opset);
    /// The comparison of the strategies for a node.
    StrategyComparison& strategyComparison() { return m_strategyComparison; }
    /// Sets the strategy of all recurrent layers without a strategy for their node.
    void setRecurrent(Strategy strategy);
    void setOptimized(bool optimized);
    void setAttentionFused(bool fused); ///< optimizes too
    void setRerolled(bool rerolled);
    /// The likely batch symbol in the given shapes: one that is also in the file, otherwise the first. Empty if no
    /// shape contains a symbol.
    std::string sampleSymbol() const;
    /// Runs the model on one sample after another (ConvertOptions::scanOverBatch).
    void setScanOverBatch(bool isOn);
    /// The inputs and outputs of the export, by their names before renaming.
    std::vector<std::string> portNames() const;
    void setRenames(std::map<std::string, std::string, std::less<>> renames);
    /// Extracts a part of an ONNX source; empty keeps the whole model.
    void setPart(std::optional<ModelPart> part);
    /// Makes values of the source the outputs, by name (ConvertOptions::outputs); none: the model's own.
    void setOutputs(std::vector<std::string> outputs);

    /// Shows another model and the differences in place of the conversion. A model must be open.
    void compareWith(const std::filesystem::path& other);
    /// Opens two models side by side; weights and options belong to the first.
    void compare(const std::filesystem::path& model, const std::filesystem::path& other,
                 const std::filesystem::path& weights = {}, ConvertOptions options = {});
    void endComparison();
    /// The other model; null if no models are being compared.
    const LoadedModel* compared() const { return m_converted ? m_converted->compared.get() : nullptr; }

    /// The reason why an export is impossible; empty if it is possible.
    QString exportObstacle() const;
    int gapCount() const;
    void setExportSettings(const ExportSettings& settings) { m_exportSettings = settings; }
    /// Checks and writes the export, and verifies it if recorded tensors are next to the source.
    void exportTo(const std::filesystem::path& path);
    /// Writes the model to a temporary file and compares its results with recorded tensors, including inner ones.
    void verifyAgainst(const std::filesystem::path& data);
    /// Runs an ONNX source and its edited version on the same inputs, and compares the results.
    void verifyEquivalence();
    /// Whether the export is the ONNX source itself: no option changes it, and nothing is compared.
    bool isExportUnchanged() const;
    bool isOnnx() const { return m_loaded && m_loaded->graph->format == "onnx"; }
    /// Draws a part of a scene into a file.
    void savePicture(const std::filesystem::path& path, ScenePart part);
    /// Writes the layers of the source as comma-separated values, with the errors of the check if there is one.
    void saveLayers(const std::filesystem::path& path);
    /// Writes a report of the conversion, with measured differences if recorded tensors are next to the source.
    void saveReport(const std::filesystem::path& path);
    /// The folder next to the model that contains recorded tensors; empty if there is none.
    std::filesystem::path recordedTensors() const;
    /// The result of verifying the current conversion; null if it was not verified.
    const std::shared_ptr<const NodeCheck>& check() const { return m_check; }
    /// What the colours of boxes represent. A failed check switches to its errors.
    Colouring colouring() const { return m_colouring; }
    bool errorsShown() const { return m_colouring == Colouring::Error; }
    /// Colours the nodes; measures latencies first if they are requested and unknown. Ignored if there is nothing to
    /// colour by.
    void setColouring(Colouring colouring);
    /// The colours in use, with the number of boxes of each; empty while they are computed.
    std::vector<ColourEntry> colourLegend() const;
    /// Runs the export with ONNX Runtime's profiler, on recorded inputs if there are any, and colours by latency.
    void measureLatency();
    /// The times of the nodes of the ONNX graph; null if they were not measured.
    const std::shared_ptr<const LatencyReport>& latencies() const { return m_latencies; }

    // Groups are opened and closed in the background: `foldingChanged` is emitted when the drawing is ready.
    /// Opens a closed group or closes an open one. Then selects its contents, or the first node of them.
    void toggleGroup(Side side, std::uint32_t group);
    void setAllOpen(Side side, bool open);
    /// Sets the flow direction of both sides, down or to the right.
    void setFlow(Flow flow);
    Flow flow() const { return m_flow; }
    /// The part of a graph that a pane shows at a readable scale, in scene coordinates: groups of a large graph are
    /// closed at first so that an overview fits. Empty: no limit.
    void setRoom(QSizeF room) { m_room = room; }
    /// Opens the groups that hide any of the boxes. Returns false if there are none.
    bool uncover(Side side, const std::vector<std::uint32_t>& boxes);
    /// The innermost open group that contains the whole selection.
    std::optional<std::uint32_t> groupAroundSelection() const;
    /// The closed group that contains the whole selection.
    std::optional<std::uint32_t> selectedGroup() const;

    Side selectedSide() const { return m_selectedSide; }
    const std::vector<std::uint32_t>& selection() const { return m_selection; }
    const std::vector<std::uint32_t>& counterpartsOfSelection() const { return m_counterparts; }
    /// Selects boxes of one side and their counterparts on the other.
    void select(Side side, std::vector<std::uint32_t> boxes);
    void selectNode(Side side, NodeId node);
    /// The source node of the selected box if there is exactly one: the node itself, or its only source.
    std::optional<NodeId> selectedSourceNode() const;

signals:
    void opened();         ///< another model or none is open
    void optionsChanged(); ///< the user's options
    void openFailed(const crosswalk::Diagnostic& problem, const std::filesystem::path& path);
    void sideChanged(crosswalk::ui::Side side); ///< a new graph or layout
    /// The same graph with other groups open. `group` is the toggled group; empty if there are several.
    void foldingChanged(crosswalk::ui::Side side, std::optional<std::uint32_t> group);
    void conversionChanged(); ///< a new conversion, problems or marks; or none
    void conversionFailed(const crosswalk::Diagnostic& problem);
    void conversionCancelled(); ///< by the user
    void problemsChanged();
    void selectionChanged();
    void exported(const crosswalk::ui::ExportResult& result);
    void exportFailed(const crosswalk::Diagnostic& problem);
    void verified(const crosswalk::Result<crosswalk::NodeCheck>& check);
    void marksChanged(); ///< the colours of boxes changed
    void latencyMeasured(const crosswalk::Result<crosswalk::LatencyReport>& result);
    void saved(const std::filesystem::path& path); ///< a picture or a report
    void saveFailed(const crosswalk::Diagnostic& problem);
    void busyChanged();
    /// A background job failed with an internal error; `what` is for a bug report.
    void internalErrorOccurred(const QString& activity, const QString& what);

public:
    /// All background jobs, for progress and cancelling.
    const std::vector<JobRunner*>& jobs() const { return m_jobs; }

private:
    friend class ChangeOptions;
    struct Opened;
    struct Converted;

    void read(OpenedFiles next);
    void takeOpened(Opened opened, OpenedFiles files);
    void takeConverted(Converted next);
    void changeOptions(ConvertOptions next, const QString& text);
    /// `isUndo`: the shapes return to earlier ones, which is no change to be marked.
    void applyOptions(const ConvertOptions& options, bool isUndo);
    const DrawnSide& shown(Side side) const { return m_shown[static_cast<std::size_t>(side)]; }
    void fold(Side side, OpenGroups open, std::optional<std::uint32_t> toggled,
              std::vector<std::uint32_t> selected = {});
    /// Replaces the graph that was built after `before`. Preserves groups that were toggled in the meantime.
    void show(Side side, DrawnSide next, const DrawnSide& before);
    JobRunner& folding(Side side) { return side == Side::Source ? m_foldingSource : m_foldingTarget; }
    void reconvert();
    void rebuildProblems();
    void takeCheck(const std::shared_ptr<const ConvertedModel>& of, const Result<NodeCheck>& check);
    void forgetCheck();
    /// The marks of the conversion and the check.
    const std::shared_ptr<const SceneMarks>& plainMarks(Side side) const;
    ColouringInput colouringInput() const;
    void recolour();
    void save(const std::filesystem::path& path, std::function<void(std::stop_token)> write);
    void setSelection(Side side, std::vector<std::uint32_t> boxes);
    void remapSelection();
    /// Destroying a large graph takes longer than a frame, so it happens in the background.
    template <typename Old>
    void retire(Old old)
    {
        m_retiring.run(
            this, [old = std::move(old)](std::stop_token) mutable { return std::exchange(old, Old()), true; },
            [](bool) {});
    }

    JobRunner m_reading;
    JobRunner m_converting;
    JobRunner m_exporting;
    JobRunner m_verifying;
    JobRunner m_saving;
    JobRunner m_colouringJob;
    StrategyComparison m_strategyComparison;
    JobRunner m_foldingSource;
    JobRunner m_foldingTarget;
    JobRunner m_retiring; ///< destroys unused data; not in m_jobs because nothing waits for it
    std::vector<JobRunner*> m_jobs;

    std::filesystem::path m_path;
    std::string m_signature; ///< as requested; empty: the framework's default
    std::optional<LoadedModel> m_loaded;
    std::shared_ptr<const LoadedModel> m_compared; ///< the requested second model; the display follows
    std::optional<OpenedFiles> m_next;             ///< the model being read
    std::array<DrawnSide, 2> m_shown;              ///< by side
    std::array<SameBoxes, 2> m_same;               ///< by side
    Flow m_flow = Flow::Down;
    QSizeF m_room;
    std::array<OpenGroups, 2> m_wantedOpen; ///< by side; the drawing follows
    std::shared_ptr<const ConvertedModel> m_converted;
    std::optional<Diagnostic> m_conversionProblem;
    bool m_marksShapes = true; ///< whether the running conversion marks changed shapes
    std::shared_ptr<const NodeCheck> m_check;
    std::array<std::shared_ptr<const SceneMarks>, 2> m_checkedMarks; ///< by side: of the conversion, with ticks
    std::array<std::shared_ptr<const SceneMarks>, 2> m_errorMarks;   ///< by side
    std::shared_ptr<const LatencyReport> m_latencies;
    Colouring m_colouring = Colouring::Category;
    ColouredSides m_coloured; ///< in other colours than those of the categories
    std::vector<Diagnostic> m_problems;
    std::vector<ProblemCause> m_causes;
    ConvertOptions m_options;
    ExportSettings m_exportSettings;
    std::vector<TensorType> m_ownTypes; ///< by source value: types from file and weights, before user options
    QUndoStack m_undo;

    Side m_selectedSide = Side::Source;
    std::vector<std::uint32_t> m_selection;
    std::vector<std::uint32_t> m_counterparts;
};

} // namespace crosswalk::ui
