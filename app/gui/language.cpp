#include "app/gui/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace crosswalk::ui::gui {

void installTranslations()
{
    const auto install = [](const QString& name, const QString& folder) {
        auto* translator = new QTranslator(QCoreApplication::instance());
        const bool found = translator->load(QLocale(), name, QStringLiteral("_"), folder);
        return found && QCoreApplication::installTranslator(translator);
    };
    // Install Qt's translations only together with ours: a window in two languages would be confusing.
    if (install(QStringLiteral("crosswalk"), QStringLiteral(":/translations"))) {
        install(QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    }
}

} // namespace crosswalk::ui::gui
