#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace crosswalk::ui {

/// The documentation of an operator: its first sentences, and the whole text after a click on "More".
class OperatorDocView final : public QWidget {
    Q_OBJECT
public:
    explicit OperatorDocView(QWidget* parent = nullptr);
    /// Takes one paragraph per line. Hidden if the text is empty. New text is shown from its beginning.
    void setText(const QString& text);

private:
    void show(bool isWhole);

    QString m_whole;
    QLabel* m_text;
    QToolButton* m_more;
    bool m_isWhole = false;
};

/// The first sentences of a text: as many sentences of its first line as fit in a number of characters, but at least
/// one. If the first line only introduces the next, the result extends to the end of a sentence there.
QString firstSentences(const QString& text, qsizetype most);

} // namespace crosswalk::ui
