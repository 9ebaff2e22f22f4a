#pragma once

#include "core/compare/model_diff.h"
#include "core/formats/read_model.h"
#include "core/onnx/work.h"
#include "core/onnx/writer.h"
#include "core/verify/node_check.h"
#include "ui/canvas/picture_file.h"
#include "ui/canvas/same_boxes.h"
#include "ui/document/export_settings.h"
#include "ui/document/graph_side.h"
#include "ui/document/problem_causes.h"
#include "ui/document/shape_presets.h"
#include "ui/jobs/job_runner.h"

#include <QUndoStack>

#include <array>
#include <utility>

namespace crosswalk::ui {

/// The conversion in force, with the right side and the marks of both. Made in the background as a whole.
struct ConvertedModel {
    Conversion conversion;
    DrawnSide source; ///< with the shapes that the conversion found
    DrawnSide target; ///< may be empty
    std::shared_ptr<const SceneMarks> sourceMarks;
    std::shared_ptr<const SceneMarks> targetMarks;
    Work work;          ///< of the ONNX graph
    double seconds = 0; ///< of the conversion alone
    int gaps = 0;       ///< nodes without an ONNX form, without those that only wait for others
    ConvertOptions options;
    /// By source value, where this conversion has other shapes or types of inputs than the one before; else empty.
    std::vector<TensorType> typesBefore;
    // Where another model stands in the place of the conversion:
    std::shared_ptr<const LoadedModel> compared;
    std::shared_ptr<const ModelDiff> diff;
};

/// How an export went.
struct ExportResult {
    std::filesystem::path path;
    WriteReport written;
    double seconds = 0;
    std::optional<Result<NodeCheck>> verified; ///< where recorded tensors lie beside the source
};

/// What a document is made of.
struct OpenedFiles {
    std::filesystem::path model;
    std::filesystem::path weights; ///< empty: none, or those that lie beside the model
    ConvertOptions options;
    std::filesystem::path compared = {}; ///< the model beside it; empty without
    bool isAgain = false;                ///< the options are those of the model as it was
};

/// One opened model: the source, the user's choices (with undo), the conversion that follows from them, and what is
/// selected on both sides. All work happens in the background; every change is a signal. Knows no widgets.
class Document final : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    /// Empty weights: those that lie beside the model. `options` are the choices to start from.
    void open(const std::filesystem::path& model, const std::filesystem::path& weights = {},
              ConvertOptions options = {});
    /// Reads the model again, and the one that it is compared with; empty weights: those that lie beside it. Choices
    /// stay, as far as the model still has the nodes and inputs that they name.
    void openAgain(const std::filesystem::path& weights);
    void close();
    /// Stops reading, converting and exporting. What is shown stays.
    void cancel();

    bool isOpen() const { return m_loaded.has_value(); }
    bool isIdle() const;
    const std::filesystem::path& path() const { return m_path; }
    /// Files and choices of what is open, or of what is being read to be; nothing where neither is.
    std::optional<OpenedFiles> files() const;
    const LoadedModel* loaded() const { return m_loaded ? &*m_loaded : nullptr; }
    /// Null until there is one.
    const std::shared_ptr<const GraphSide>& side(Side side) const { return shown(side).side; }
    /// How that side is drawn; null where there is none.
    const std::shared_ptr<const SideDrawing>& drawing(Side side) const { return shown(side).drawing; }
    /// Which of its boxes were there before its graph last changed.
    const SameBoxes& sameAsBefore(Side side) const { return m_same[static_cast<std::size_t>(side)]; }
    const std::shared_ptr<const ConvertedModel>& converted() const { return m_converted; }
    const std::shared_ptr<const SceneMarks>& marks(Side side) const;
    /// What the boxes are painted with: the marks of the conversion, or, where they are shown, the errors of the check.
    const std::shared_ptr<const SceneMarks>& shownMarks(Side side) const;
    /// Findings of reading and of converting, in this order.
    const std::vector<Diagnostic>& problems() const { return m_problems; }
    /// The same, those of one reason together.
    const std::vector<ProblemCause>& causes() const { return m_causes; }

    const ConvertOptions& options() const { return m_options; }
    QUndoStack* undoStack() { return &m_undo; }
    // Choices of the user; each converts again and can be undone. Nothing restores what file and rules say.
    void setInputShape(const std::string& input, std::optional<Shape> shape);
    void setInputType(const std::string& input, std::optional<ElementType> type);
    /// All inputs at once.
    void applyPreset(ShapePreset preset);
    void setStrategy(const std::vector<std::string>& nodes, Strategy strategy);
    void setOpset(int opset);
    /// Of all recurrent layers that have no strategy of their own.
    void setRecurrent(Strategy strategy);
    void setOptimized(bool optimized);
    void setRerolled(bool rerolled);
    /// The symbol in the shapes given that counts samples, as far as can be told: what was one in the file, else the
    /// first. Empty where no shape has a symbol.
    std::string sampleSymbol() const;
    /// Runs the model on one sample after another (ConvertOptions::scanOverBatch).
    void setScanOverBatch(bool isOn);
    /// Inputs and outputs of the export, by the names that they have there before any is renamed.
    std::vector<std::string> portNames() const;
    void setRenames(std::map<std::string, std::string, std::less<>> renames);
    /// Cuts a part out of an ONNX source; nothing keeps the whole.
    void setPart(std::optional<ModelPart> part);

    /// Shows another model in the place of the conversion, with what differs; open the first one before.
    void compareWith(const std::filesystem::path& other);
    /// Opens two models, one beside the other; weights and options are the first one's.
    void compare(const std::filesystem::path& model, const std::filesystem::path& other,
                 const std::filesystem::path& weights = {}, ConvertOptions options = {});
    void endComparison();
    /// The other model that is shown; null where none is compared.
    const LoadedModel* compared() const { return m_converted ? m_converted->compared.get() : nullptr; }

    /// Why nothing can be exported; empty when something can.
    QString exportObstacle() const;
    int gapCount() const;
    void setExportSettings(const ExportSettings& settings) { m_exportSettings = settings; }
    /// Checks, writes, and verifies where recorded tensors lie beside the source.
    void exportTo(const std::filesystem::path& path);
    /// Writes the model to a temporary file and compares what it computes with recorded tensors, inner ones included.
    void verifyAgainst(const std::filesystem::path& data);
    /// Runs an ONNX source and what it was edited to on the same inputs, and compares.
    void verifyEquivalence();
    bool isOnnx() const { return m_loaded && m_loaded->graph->format == "onnx"; }
    /// Draws a part of a scene into a file.
    void savePicture(const std::filesystem::path& path, ScenePart part);
    /// Writes a page about the conversion; with numbers where recorded tensors lie beside the source.
    void saveReport(const std::filesystem::path& path);
    /// The folder beside the model that holds recorded tensors; empty without.
    std::filesystem::path recordedTensors() const;
    /// What recorded tensors said of the conversion in force; null until it was run on some.
    const std::shared_ptr<const NodeCheck>& check() const { return m_check; }
    bool errorsShown() const { return m_errorsShown; }
    /// Colours the nodes by their error, or by the conversion again.
    void showErrors(bool shown);

    // Groups are opened and closed in the background: `foldingChanged` tells when it is done.
    /// Opens a closed group, closes an open one. What it holds is selected then, or the first of it.
    void toggleGroup(Side side, std::uint32_t group);
    void setAllOpen(Side side, bool open);
    /// Lays both sides out to lead down, or to the right.
    void setFlow(Flow flow);
    Flow flow() const { return m_flow; }
    /// Opens what hides any of the boxes. False where nothing does.
    bool uncover(Side side, const std::vector<std::uint32_t>& boxes);
    /// The innermost open group around all that is selected on its side.
    std::optional<std::uint32_t> groupAroundSelection() const;
    /// The closed group that all of the selection is drawn as.
    std::optional<std::uint32_t> selectedGroup() const;

    Side selectedSide() const { return m_selectedSide; }
    const std::vector<std::uint32_t>& selection() const { return m_selection; }
    const std::vector<std::uint32_t>& counterpartsOfSelection() const { return m_counterparts; }
    /// Boxes of one side. The counterparts on the other follow.
    void select(Side side, std::vector<std::uint32_t> boxes);
    void selectNode(Side side, NodeId node);
    /// The single selected box as a node of the source: itself, or its only source.
    std::optional<NodeId> selectedSourceNode() const;

signals:
    void opened();         ///< another model, or none
    void optionsChanged(); ///< the choices of the user
    void openFailed(const crosswalk::Diagnostic& problem, const std::filesystem::path& path);
    void sideChanged(crosswalk::ui::Side side); ///< another graph or layout to draw
    /// The same graph with other groups open. `group` is the one that was toggled; none where several were.
    void foldingChanged(crosswalk::ui::Side side, std::optional<std::uint32_t> group);
    void conversionChanged(); ///< another conversion, problems, marks; or none
    void conversionFailed(const crosswalk::Diagnostic& problem);
    void problemsChanged();
    void selectionChanged();
    void exported(const crosswalk::ui::ExportResult& result);
    void exportFailed(const crosswalk::Diagnostic& problem);
    void verified(const crosswalk::Result<crosswalk::NodeCheck>& check);
    void marksChanged();                           ///< boxes are coloured otherwise
    void saved(const std::filesystem::path& path); ///< a picture or a report
    void saveFailed(const crosswalk::Diagnostic& problem);
    void busyChanged();
    /// A job of ours broke: words for a report.
    void mistakeHappened(const QString& activity, const QString& what);

public:
    /// All lines of background work, for progress and cancel.
    const std::vector<JobRunner*>& jobs() const { return m_jobs; }

private:
    friend class ChangeOptions;
    struct Opened;
    struct Converted;

    void read(OpenedFiles next);
    void takeOpened(Opened opened, OpenedFiles files);
    void takeConverted(Converted next);
    void changeOptions(ConvertOptions next, const QString& text);
    void applyOptions(const ConvertOptions& options);
    const DrawnSide& shown(Side side) const { return m_shown[static_cast<std::size_t>(side)]; }
    void fold(Side side, OpenGroups open, std::optional<std::uint32_t> toggled,
              std::vector<std::uint32_t> selected = {});
    /// Puts another graph in the place of the one that was made after `before`. Groups that were toggled since then
    /// are so in the new one.
    void show(Side side, DrawnSide next, const DrawnSide& before);
    JobRunner& folding(Side side) { return side == Side::Source ? m_foldingSource : m_foldingTarget; }
    void reconvert();
    void rebuildProblems();
    void takeCheck(const std::shared_ptr<const ConvertedModel>& of, const Result<NodeCheck>& check);
    void forgetCheck();
    void save(const std::filesystem::path& path, std::function<void(std::stop_token)> write);
    void setSelection(Side side, std::vector<std::uint32_t> boxes);
    void remapSelection();
    /// Letting go of a large graph takes longer than a frame: that, too, happens in the background.
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
    JobRunner m_foldingSource;
    JobRunner m_foldingTarget;
    JobRunner m_retiring; ///< what nobody needs any more; not in m_jobs, nobody waits for it
    std::vector<JobRunner*> m_jobs;

    std::filesystem::path m_path;
    std::optional<LoadedModel> m_loaded;
    std::shared_ptr<const LoadedModel> m_compared; ///< wanted beside the first; what is shown follows
    std::optional<OpenedFiles> m_next;             ///< what is being read
    std::array<DrawnSide, 2> m_shown;              ///< by side
    std::array<SameBoxes, 2> m_same;               ///< by side
    Flow m_flow = Flow::Down;
    std::array<OpenGroups, 2> m_wantedOpen; ///< by side; what is drawn follows
    std::shared_ptr<const ConvertedModel> m_converted;
    std::optional<Diagnostic> m_conversionProblem;
    std::shared_ptr<const NodeCheck> m_check;
    std::array<std::shared_ptr<const SceneMarks>, 2> m_errorMarks; ///< by side
    bool m_errorsShown = false;
    std::vector<Diagnostic> m_problems;
    std::vector<ProblemCause> m_causes;
    ConvertOptions m_options;
    ExportSettings m_exportSettings;
    std::vector<TensorType> m_ownTypes; ///< by source value: as file and weights say, before anything was given
    QUndoStack m_undo;

    Side m_selectedSide = Side::Source;
    std::vector<std::uint32_t> m_selection;
    std::vector<std::uint32_t> m_counterparts;
};

} // namespace crosswalk::ui
