#pragma once

#include "core/formats/read_model.h"
#include "ui/document/converted_model.h"
#include "ui/document/graph_side.h"
#include "ui/document/problem_causes.h"

#include <QObject>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace crosswalk::ui {

class BoxColours;
class Selection;
class Verifier;

/// An open model as panels and item models read it. Document, which implements it, is what changes it. All work happens
/// in the background; every change emits a signal. Independent of widgets.
class DocumentView : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    virtual bool isOpen() const = 0;
    /// Whether nothing is being read, converted, exported or checked.
    virtual bool isIdle() const = 0;
    virtual bool isOnnx() const = 0;
    virtual const std::filesystem::path& path() const = 0;
    /// Null if no model is open.
    virtual const LoadedModel* loaded() const = 0;
    /// Null until the side exists.
    virtual const std::shared_ptr<const GraphSide>& side(Side side) const = 0;
    virtual const std::shared_ptr<const ConvertedModel>& converted() const = 0;
    virtual const std::shared_ptr<const SceneMarks>& marks(Side side) const = 0;
    /// Diagnostics of reading, followed by those of the conversion.
    virtual const std::vector<Diagnostic>& problems() const = 0;
    /// The same diagnostics grouped by cause.
    virtual const std::vector<ProblemCause>& causes() const = 0;
    virtual const ConvertOptions& options() const = 0;
    /// The other model; null if no models are being compared.
    virtual const LoadedModel* compared() const = 0;

    virtual const Verifier& verifier() const = 0;
    virtual const BoxColours& colours() const = 0;
    virtual const Selection& selection() const = 0;

signals:
    void opened();         ///< another model or none is open
    void optionsChanged(); ///< the user's options
    /// A model that was opened again no longer has these inputs, outputs or nodes: their options were removed.
    void optionsDropped(const std::set<std::string>& names);
    void openFailed(const crosswalk::Diagnostic& problem, const std::filesystem::path& path);
    void openCancelled();                       ///< by the user
    void sideChanged(crosswalk::ui::Side side); ///< a new graph or layout
    void conversionChanged();                   ///< a new conversion, problems or marks; or none
    void conversionFailed(const crosswalk::Diagnostic& problem);
    void conversionCancelled(); ///< by the user
    void problemsChanged();
    void busyChanged();
    /// A background job failed with an internal error; `what` is for a bug report.
    void internalErrorOccurred(const QString& activity, const QString& what);
};

} // namespace crosswalk::ui
