#pragma once

#include "ui/controllers/controller.h"
#include "ui/document/document.h"

#include <QStringList>
#include <QTemporaryDir>

#include <memory>

namespace crosswalk::ui {

class DragHandle;
class GraphPanes;

/// Provides the export as a file for other programs, by drag and drop from the title of the ONNX pane or by the
/// clipboard. Uses the files of an earlier export of the same conversion.
class DragOutController final : public Controller {
    Q_OBJECT
public:
    DragOutController(const WindowParts& parts, GraphPanes& panes);

    /// Whether the export was written for other programs, not to a file of the user's choice.
    bool isStaged(const ExportResult& result) const;
    void remember(const ExportResult& result);
    /// Continues the drag, or fills the clipboard.
    void takeOut();

private:
    void request(bool copied);
    void refresh();
    /// The files that the current conversion was exported to; empty if there are none or they no longer exist.
    QStringList exportedFiles() const;

    DragHandle* m_handle;
    bool m_copies = false;                             ///< copy the export instead of dragging it
    std::weak_ptr<const ConvertedModel> m_requestedOf; ///< the conversion of the last request
    std::weak_ptr<const ConvertedModel> m_exportedOf;  ///< the conversion that was exported to m_exported
    QStringList m_exported;
    std::unique_ptr<QTemporaryDir> m_staging;
};

} // namespace crosswalk::ui
