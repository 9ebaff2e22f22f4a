#pragma once

#include "core/compare/model_diff.h"
#include "core/convert/conversion.h"

#include <QCoreApplication>
#include <QString>

namespace crosswalk::ui {

/// Texts that are said outside of objects: Words::tr("...").
struct Words {
    Q_DECLARE_TR_FUNCTIONS(crosswalk::ui::Words)
};

// How findings of core are worded in the window, where there are buttons and fields instead of options.

/// What and why, as a sentence.
QString problemSentence(const Diagnostic& problem);
/// What to do about it in the window; empty when there is nothing to say.
QString problemHint(const Diagnostic& problem);
/// What nodes have in common whose findings differ in their numbers: "Cell state clipped".
QString problemCause(const Diagnostic& problem);
/// What, why and what to do.
QString problemText(const Diagnostic& problem);

/// "1 node", "12 nodes". `several` is counted by tr() already: languages that have more plurals than English have
/// them there.
QString counted(int count, const QString& one, const QString& several);

/// A long name has no spaces to break at: this one may be broken behind its separators.
QString breakable(QString name);

// Names of what core tells apart.
QString verdictWord(Verdict verdict);
QString severityWord(Severity severity);
QString changeWord(Change change);
QString strategyWord(std::string_view name);

/// The first letter in upper case.
QString capitalised(QString text);

} // namespace crosswalk::ui
