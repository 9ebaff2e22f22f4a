#pragma once

#include <QString>

namespace crosswalk::ui {

/// The text of an action for a name that may contain the sign of mnemonics.
inline QString menuText(QString name)
{
    return name.replace(u'&', QStringLiteral("&&"));
}

} // namespace crosswalk::ui
