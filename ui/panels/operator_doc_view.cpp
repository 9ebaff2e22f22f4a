#include "ui/panels/operator_doc_view.h"

#include "ui/panels/wrapped_label.h"

#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr qsizetype maxCharacters = 220;

/// The end of the next sentence; -1 if there is none.
qsizetype sentenceEnd(const QString& text, qsizetype from)
{
    for (auto dot = text.indexOf(u'.', from); dot >= 0; dot = text.indexOf(u'.', dot + 1)) {
        const QStringView before = QStringView(text).left(dot);
        const bool isShort = before.endsWith(QStringLiteral("i.e")) || before.endsWith(QStringLiteral("e.g")) ||
                             before.endsWith(QStringLiteral("a.k.a")) || before.endsWith(QStringLiteral(" vs"));
        if (!isShort && (dot + 1 == text.size() || text[dot + 1].isSpace())) {
            return dot + 1;
        }
    }
    return -1;
}

} // namespace

QString firstSentences(const QString& text, qsizetype most)
{
    const auto lineEnd = text.indexOf(u'\n');
    const auto line = lineEnd >= 0 ? lineEnd : text.size();
    auto end = sentenceEnd(text, 0);
    for (auto next = end; next >= 0 && next <= std::min(line, most); next = sentenceEnd(text, next)) {
        end = next;
    }
    return end >= 0 ? text.left(end) : text;
}

OperatorDocView::OperatorDocView(QWidget* parent)
    : QWidget(parent)
    , m_text(new WrappedLabel(QStringLiteral("nodeDoc"), this))
    , m_more(new QToolButton(this))
{
    m_text->setAccessibleName(tr("What the operator does"));
    m_more->setObjectName(QStringLiteral("nodeDocMore"));
    m_more->setProperty("link", true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_text);
    layout->addWidget(m_more);
    connect(m_more, &QToolButton::clicked, this, [this] { show(!m_isWhole); });
}

void OperatorDocView::setText(const QString& text)
{
    if (text != m_whole) {
        m_whole = text;
        show(false);
    }
    setVisible(!text.isEmpty());
}

void OperatorDocView::show(bool isWhole)
{
    const QString beginning = firstSentences(m_whole, maxCharacters);
    m_isWhole = isWhole;
    m_text->setText(isWhole ? m_whole : beginning);
    m_more->setVisible(beginning != m_whole);
    m_more->setAccessibleName(isWhole ? tr("Less about the operator") : tr("More about the operator"));
    m_more->setText(isWhole ? tr("Less") : tr("More"));
}

} // namespace crosswalk::ui
