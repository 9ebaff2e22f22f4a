#pragma once

#include "core/base/diagnostic.h"

#include <QString>

namespace crosswalk::ui {

// How findings of core are worded in the window, where there are buttons and fields instead of options.

/// What and why, as a sentence.
QString problemSentence(const Diagnostic& problem);
/// What to do about it in the window; empty when there is nothing to say.
QString problemHint(const Diagnostic& problem);
/// Both.
QString problemText(const Diagnostic& problem);

/// "1 node", "12 nodes".
QString counted(qsizetype count, const QString& one, const QString& several);

/// The first letter in upper case.
QString capitalised(QString text);

} // namespace crosswalk::ui
