#pragma once

#include <QWidget>

namespace crosswalk::ui {

/// A frame over its parent while files are dragged across it, with a line that says what dropping them does.
class DropFrame final : public QWidget {
    Q_OBJECT
public:
    explicit DropFrame(QWidget* parent);

    void show(const QString& text);
    const QString& text() const { return m_text; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
};

} // namespace crosswalk::ui
