#pragma once

#include "core/base/diagnostic.h"

#include <QString>

namespace crosswalk::ui {

// How findings of core are worded in the window, where there are buttons and fields instead of options.

/// What and why, as a sentence.
QString problemSentence(const Diagnostic& problem);
/// What to do about it in the window; empty when there is nothing to say.
QString problemHint(const Diagnostic& problem);
/// What nodes have in common whose findings differ in their numbers: "Cell state clipped".
QString problemCause(const Diagnostic& problem);
/// What, why and what to do.
QString problemText(const Diagnostic& problem);

/// "1 node", "12 nodes".
QString counted(qsizetype count, const QString& one, const QString& several);

/// A long name has no spaces to break at: this one may be broken behind its separators.
QString breakable(QString name);

/// The first letter in upper case.
QString capitalised(QString text);

} // namespace crosswalk::ui
