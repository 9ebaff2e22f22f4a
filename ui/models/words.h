#pragma once

#include "core/compare/model_diff.h"
#include "core/convert/conversion.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <string_view>

namespace crosswalk::ui {

/// Texts that are used outside of QObject classes: Words::tr("...").
struct Words {
    Q_DECLARE_TR_FUNCTIONS(crosswalk::ui::Words)
};

// The wording of core's problems in the window, which has buttons and fields instead of options.

/// The problem and its reason, as a sentence.
QString problemSentence(const Diagnostic& problem);
/// What to do about the problem in the window; empty if there is no hint.
QString problemHint(const Diagnostic& problem);
/// A sentence about the problem, and what to do about it.
QString withHint(const QString& sentence, const Diagnostic& problem);
/// The common part of problems that differ only in their numbers: "Cell state clipped".
QString problemCause(const Diagnostic& problem);
/// The same with only the first names of a long list.
QString shortSentence(const Diagnostic& problem);
/// The problem, its reason and what to do.
QString problemText(const Diagnostic& problem);

/// A tool tip, which is plain text, with lines of a readable length: Qt breaks lines of rich text only.
QString toolTipText(const QString& text);
inline QString toolTipText(QStringList lines)
{
    lines.removeAll(QString());
    return toolTipText(lines.join(u'\n'));
}

/// "1 node", "12 nodes". `several` comes from tr() with a count, which handles languages with more plural forms.
QString counted(int count, const QString& one, const QString& several);

/// Allows line breaks after the separators of a long name, which has no spaces. More than 400 characters lose the
/// middle.
QString breakable(QString name);
/// The same for the words of a message that have more than 60 characters: a label is at least as wide as its longest
/// word.
QString wrappable(const QString& text);
/// The same for every word, in a narrow column.
QString wrappableInColumn(const QString& text);

/// As QString::left and right, without half of a surrogate pair.
QString beginningOf(const QString& text, qsizetype length);
QString endOf(const QString& text, qsizetype length);

// Names of core's enumerators.
QString verdictWord(Verdict verdict);
QString severityWord(Severity severity);
QString changeWord(Change change);
QString strategyWord(std::string_view name);

/// Capitalizes the first letter.
QString capitalised(QString text);

} // namespace crosswalk::ui
