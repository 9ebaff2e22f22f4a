#pragma once

#include "ui/models/details_model.h"

#include <QTreeView>

#include <cstdint>
#include <vector>

namespace crosswalk::ui {

/// A tree of sections with names and values. Values can be copied, and links select boxes.
class DetailsView final : public QTreeView {
    Q_OBJECT
public:
    explicit DetailsView(QWidget* parent = nullptr);

    /// Keeps sections with the same titles open or collapsed.
    void setSections(std::vector<DetailSection> sections);
    DetailsModel* details() { return &m_model; }

signals:
    void boxActivated(std::uint32_t box, bool otherSide);
    void boxesActivated(const std::vector<std::uint32_t>& boxes, bool otherSide);
    void tensorActivated(crosswalk::ValueId value);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override;

private:
    void fitValues();
    void follow(const QModelIndex& index);

    DetailsModel m_model;
};

} // namespace crosswalk::ui
