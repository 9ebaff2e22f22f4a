#pragma once

#include "core/compare/model_diff.h"
#include "core/formats/read_model.h"
#include "core/onnx/work.h"
#include "core/onnx/writer.h"
#include "core/report/layer_table.h"
#include "core/verify/node_check.h"
#include "ui/canvas/picture_file.h"
#include "ui/canvas/same_boxes.h"
#include "ui/document/box_colours.h"
#include "ui/document/converted_model.h"
#include "ui/document/document_view.h"
#include "ui/document/exporter.h"
#include "ui/document/graph_selection.h"
#include "ui/document/group_folding.h"
#include "ui/document/problem_causes.h"
#include "ui/document/shape_presets.h"
#include "ui/document/strategy_comparison.h"
#include "ui/document/verifier.h"
#include "ui/jobs/job_runner.h"

#include <QUndoStack>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk::ui {

/// The code of the problem of a failed check.
inline constexpr Code resultsDiffer = "results-differ";

/// The files and options of a document.
struct OpenedFiles {
    std::filesystem::path model;
    std::filesystem::path weights = {}; ///< empty: none, or those next to the model
    ConvertOptions options = {};
    std::filesystem::path compared = {}; ///< the model to compare with; empty if none
    bool isAgain = false;                ///< of the open model, which keeps its options and changes of them meanwhile
    bool isRestored = false;             ///< `options` may belong to an older version of the file
    std::string signature = {};          ///< of a model with several; empty: the framework's default
    std::vector<std::string> tags = {};  ///< of the graph to use, as ReadRequest::tags
    bool allowLarge = false;             ///< without limits, as ReadRequest::allowLarge; also of `compared`
};

/// An open model: the source, the user's options (with undo), and the resulting conversion. Selection, folding,
/// colours, export and verification are classes of their own. Code that only reads a document takes a DocumentView.
class Document final : public DocumentView {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    /// Empty weights: uses those next to the model. `options` are the initial options.
    void open(const std::filesystem::path& model, const std::filesystem::path& weights = {},
              ConvertOptions options = {}, std::string signature = {});
    void open(OpenedFiles next);
    /// Reads the model again to use another of its signatures, whose inputs and outputs become the model's.
    void useSignature(const std::string& signature);
    /// Reads the model again, and the one it is compared with. Empty weights: uses those next to the model. Keeps the
    /// options, except those for nodes and inputs that no longer exist.
    void openAgain(const std::filesystem::path& weights, bool allowLarge = false);
    /// Reads the model that could not be read last again, without limits. Keeps the options of a model that is open.
    void openRefused();
    void close();
    /// Stops reading, converting and exporting. Keeps the displayed state.
    void cancel();
    /// Converts again after a cancelled conversion.
    void convertAgain() { reconvert(); }

    bool isOpen() const override { return m_loaded.has_value(); }
    bool isIdle() const override;
    const std::filesystem::path& path() const override { return m_path; }
    /// Files and options of the open model, or of the one being read; nothing if there is neither.
    std::optional<OpenedFiles> files() const;
    const LoadedModel* loaded() const override { return m_loaded ? &*m_loaded : nullptr; }
    const std::shared_ptr<const GraphSide>& side(Side side) const override { return shown(side).side; }
    /// The drawing of the side; null if there is none.
    const std::shared_ptr<const SideDrawing>& drawing(Side side) const { return shown(side).drawing; }
    /// Maps boxes of the side's previous graph to the current one.
    const SameBoxes& sameAsBefore(Side side) const { return m_folding->sameAsBefore(side); }
    const std::shared_ptr<const ConvertedModel>& converted() const override { return m_converted; }
    const std::shared_ptr<const SceneMarks>& marks(Side side) const override;
    const std::vector<Diagnostic>& problems() const override { return m_problems; }
    const std::vector<ProblemCause>& causes() const override { return m_causes; }

    const ConvertOptions& options() const override { return m_options; }
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
    /// Maps an operator to one of the user's runtime (ConvertOptions::customOperators); std::nullopt removes the
    /// mapping.
    void setCustomOperator(const std::string& op, std::optional<CustomOperator> custom);
    /// Extracts a part of an ONNX source; empty keeps the whole model.
    void setPart(std::optional<ModelPart> part);
    /// Makes values of the source the outputs, by name (ConvertOptions::outputs); none: the model's own.
    void setOutputs(std::vector<std::string> outputs);

    /// Shows another model and the differences in place of the conversion. A model must be open.
    void compareWith(const std::filesystem::path& other, bool allowLarge = false);
    void endComparison();
    const LoadedModel* compared() const override { return m_converted ? m_converted->compared.get() : nullptr; }

    int gapCount() const;
    /// Whether the export is the ONNX source itself: no option changes it, and nothing is compared.
    bool isExportUnchanged() const;
    bool isOnnx() const override { return m_loaded && m_loaded->graph->format == "onnx"; }
    bool isConverting() const { return m_converting.isBusy(); }
    /// Whether converted() has other options than options(): the conversion runs, was cancelled, or failed internally.
    bool isOutdated() const { return m_isOutdated; }
    /// Whether another model is shown, or being read, in place of the conversion.
    bool isComparing() const { return m_compared != nullptr; }

    Exporter& exporter() { return *m_exporter; }
    const Exporter& exporter() const { return *m_exporter; }
    Verifier& verifier() { return *m_verifier; }
    const Verifier& verifier() const override { return *m_verifier; }
    BoxColours& colours() { return *m_colours; }
    const BoxColours& colours() const override { return *m_colours; }
    Selection& selection() { return *m_selection; }
    const Selection& selection() const override { return *m_selection; }
    GroupFolding& folding() { return *m_folding; }
    const GroupFolding& folding() const { return *m_folding; }

    /// All background jobs, for progress and cancelling.
    const std::vector<JobRunner*>& jobs() const { return m_jobs; }

private:
    friend class ChangeOptions;
    struct Opened;
    struct Converted;

    OpenedFiles openedFiles() const; ///< of the open model
    /// The options for a model that is being read: those of the open model, as they are now, if it is read again.
    ConvertOptions optionsFor(const OpenedFiles& next) const;
    void takeOpened(Opened opened, OpenedFiles files);
    void takeConverted(Converted next);
    void changeOptions(ConvertOptions next, const QString& text);
    /// `isUndo`: the shapes return to earlier ones, which is no change to be marked.
    void applyOptions(const ConvertOptions& options, bool isUndo);
    const DrawnSide& shown(Side side) const { return m_folding->shown(side); }
    void reconvert();
    void rebuildProblems();
    JobRunner m_reading;
    JobRunner m_converting;
    Exporter* m_exporter;
    Verifier* m_verifier;
    BoxColours* m_colours;
    Selection* m_selection;
    GroupFolding* m_folding;
    StrategyComparison m_strategyComparison;
    JobRunner m_retiring; ///< destroys unused data; not in m_jobs because nothing waits for it
    std::vector<JobRunner*> m_jobs;

    std::filesystem::path m_path;
    std::string m_signature; ///< as requested; empty: the framework's default
    std::vector<std::string> m_tags;
    std::optional<LoadedModel> m_loaded;
    std::shared_ptr<const LoadedModel> m_compared; ///< the requested second model; the display follows
    std::optional<OpenedFiles> m_next;             ///< the model being read
    std::optional<OpenedFiles> m_refused;          ///< what could not be read last; of a comparison only `compared`
    std::shared_ptr<const ConvertedModel> m_converted;
    std::optional<Diagnostic> m_conversionProblem;
    bool m_marksShapes = true; ///< whether the running conversion marks changed shapes
    std::vector<Diagnostic> m_problems;
    std::vector<ProblemCause> m_causes;
    ConvertOptions m_options;
    bool m_isOutdated = false;                ///< m_options changed since m_converted
    std::map<ValueId, TensorType> m_ownTypes; ///< of the source's inputs: from file and weights, before user options
    QUndoStack m_undo;
};

} // namespace crosswalk::ui
