#pragma once

#include <QString>

namespace crosswalk::ui {

/// The text of an action for a name that may contain the sign of mnemonics.
inline QString menuText(QString name)
{
    return name.replace(u'&', QStringLiteral("&&"));
}

/// The text of an action outside of a menu: without the sign of its mnemonic, and without dots.
inline QString plainMenuText(QString text)
{
    return text.remove(u'&').remove(QChar(0x2026));
}

} // namespace crosswalk::ui
