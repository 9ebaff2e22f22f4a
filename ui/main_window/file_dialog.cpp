#include "ui/main_window/file_dialog.h"

#include <QGuiApplication>

namespace crosswalk::ui {

QFileDialog* fileDialog(QWidget* parent, const char* name, const QString& title, const QString& folder,
                        const QString& filter)
{
    auto* dialog = new QFileDialog(parent, title, folder, filter);
    dialog->setObjectName(QLatin1String(name));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (QGuiApplication::platformName() == QLatin1String("offscreen")) {
        dialog->setOption(QFileDialog::DontUseNativeDialog);
    }
    return dialog;
}

QString plainStem(const std::filesystem::path& model)
{
    const QString stem = QString::fromStdString(model.stem().string());
    const auto suffix = QStringLiteral("-symbol");
    return stem.endsWith(suffix) ? stem.chopped(suffix.size()) : stem;
}

QString exportName(const std::filesystem::path& model)
{
    return plainStem(model) +
           (model.extension() == ".onnx" ? QStringLiteral("-exported.onnx") : QStringLiteral(".onnx"));
}

} // namespace crosswalk::ui
