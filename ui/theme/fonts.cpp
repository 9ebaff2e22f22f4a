#include "ui/theme/fonts.h"

#include <QApplication>
#include <QDir>
#include <QFontDatabase>

namespace crosswalk::ui {
namespace {

const QString family = QStringLiteral("Inter");

} // namespace

void loadFonts()
{
    bool loaded = false;
    const QDir folder(QStringLiteral(":/fonts"));
    for (const auto& file : folder.entryList(QDir::Files)) {
        loaded |= QFontDatabase::addApplicationFont(folder.filePath(file)) >= 0;
    }
    if (!loaded) {
        qWarning("The font Inter was not bundled when this program was built (Debian: fonts-inter); "
                 "texts are drawn in the desktop's font.");
        return;
    }
    QFont font(family);
    font.setPixelSize(13);
    font.setHintingPreference(QFont::PreferNoHinting);
    QApplication::setFont(font);
}

QFont canvasFont(double pixelSize, bool bold)
{
    QFont font(family);
    font.setPixelSize(static_cast<int>(pixelSize));
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setKerning(false); // core/layout measures advance widths only
    return font;
}

QFont rowFont()
{
    QFont font = QApplication::font();
    font.setKerning(false);
    font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

QFont monospaceFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPixelSize(12);
    return font;
}

} // namespace crosswalk::ui
