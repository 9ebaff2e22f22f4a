#pragma once

#include "ui/document/document_view.h"
#include "ui/models/outline_model.h"

#include <QWidget>

#include <cstdint>
#include <memory>

class QLabel;
class QLineEdit;
class QTabBar;
class QTreeView;

namespace crosswalk::ui {

/// The nodes of one side as a tree with incremental search. Synchronized with the selection.
class OutlinePanel final : public QWidget {
    Q_OBJECT
public:
    OutlinePanel(const DocumentView& document, Selection& selection, QWidget* parent = nullptr);

    /// The side that is listed.
    Side side() const { return m_side; }
    void showSide(Side side);
    /// Adds a tab named `name` for the body of a node and shows it; null removes it. `marks` may be null.
    void showBody(std::shared_ptr<const GraphSide> body, const QString& node, std::shared_ptr<const SceneMarks> marks);
    /// The selection in the body.
    void selectInBody(std::uint32_t box);
    void focusSearch();
    OutlineModel* model() { return &m_model; }

signals:
    /// The user selected a node here: the canvases must reveal it.
    void activated();
    /// The same for a node in the body.
    void boxInBodyActivated(std::uint32_t box);

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void refresh();
    void filter(const QString& query);
    void showCount();
    void showMarks();
    bool listsBody() const;
    const std::shared_ptr<const GraphSide>& listed() const;
    void followSelection();
    void goTo(std::uint32_t box);
    void choose(const QModelIndex& index);

    const DocumentView& m_document;
    Selection& m_selection;
    Side m_side = Side::Source;
    std::shared_ptr<const GraphSide> m_body; ///< null if there is no tab for a body
    std::shared_ptr<const SceneMarks> m_bodyMarks;
    OutlineModel m_model;
    QTabBar* m_sides;
    QLineEdit* m_search;
    QLabel* m_count;
    QTreeView* m_tree;
    QLabel* m_empty;
    bool m_following = false;
};

} // namespace crosswalk::ui
