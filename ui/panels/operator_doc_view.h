#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace crosswalk::ui {

/// What an operator does: its first sentences, and behind "More" the whole text, in place.
class OperatorDocView final : public QWidget {
    Q_OBJECT
public:
    explicit OperatorDocView(QWidget* parent = nullptr);
    /// Paragraphs, a line each; hidden without text. Another text is shown from its beginning.
    void setText(const QString& text);

private:
    void show(bool isWhole);

    QString m_whole;
    QLabel* m_text;
    QToolButton* m_more;
    bool m_isWhole = false;
};

/// The first sentences of a text: those of its first line that fit in a number of characters, but one at least; where a
/// line only leads to the next, up to the end of a sentence there.
QString firstSentences(const QString& text, qsizetype most);

} // namespace crosswalk::ui
