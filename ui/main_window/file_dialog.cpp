#include "ui/main_window/file_dialog.h"

#include "core/formats/format_reader.h"
#include "core/formats/read_model.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"

#include <QDir>
#include <QFileInfo>
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

namespace {

/// The file patterns of all formats, without duplicates.
QStringList patternsOf(std::string_view FormatReader::*names)
{
    QStringList patterns;
    for (const FormatReader& reader : formatReaders()) {
        patterns += fromUtf8(reader.*names).split(u' ', Qt::SkipEmptyParts);
    }
    patterns.removeDuplicates();
    return patterns;
}

} // namespace

QString modelFilter()
{
    const QString pattern = QStringLiteral("%1 (%2)");
    QStringList filters{pattern.arg(Words::tr("Models"), patternsOf(&FormatReader::files).join(u' '))};
    for (const FormatReader& reader : formatReaders()) {
        filters.append(pattern.arg(fromUtf8(reader.name), fromUtf8(reader.files)));
    }
    filters.append(Words::tr("All files (*)"));
    return filters.join(QStringLiteral(";;"));
}

QString weightsFilter()
{
    return QStringLiteral("%1 (%2);;%3")
        .arg(Words::tr("Weights"), patternsOf(&FormatReader::weights).join(u' '), Words::tr("All files (*)"));
}

bool isWeightsFile(const QString& path)
{
    return QDir::match(patternsOf(&FormatReader::weights), QFileInfo(path).fileName());
}

QString pathText(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

namespace {

/// Names that programs give to every model.
bool isGeneric(const QString& stem)
{
    static const QStringList names{QStringLiteral("model"),        QStringLiteral("saved_model"),
                                   QStringLiteral("frozen"),       QStringLiteral("frozen_model"),
                                   QStringLiteral("frozen_graph"), QStringLiteral("graph"),
                                   QStringLiteral("network"),      QStringLiteral("symbol"),
                                   QStringLiteral("checkpoint"),   QStringLiteral("weights")};
    return names.contains(stem, Qt::CaseInsensitive);
}

QString folderName(const std::filesystem::path& model)
{
    std::error_code ignored;
    return QString::fromStdString(std::filesystem::absolute(model, ignored).parent_path().filename().string());
}

} // namespace

QString plainStem(const std::filesystem::path& model)
{
    return QString::fromStdString(modelStem(model));
}

QString suggestedStem(const std::filesystem::path& model)
{
    const QString folder = folderName(model);
    return isGeneric(plainStem(model)) && !folder.isEmpty() ? folder : plainStem(model);
}

QString modelTitle(const std::filesystem::path& model)
{
    const QString name = displayText(model.filename().string());
    const QString folder = folderName(model);
    return isGeneric(plainStem(model)) && !folder.isEmpty() ? QStringLiteral("%1/%2").arg(displayText(folder), name)
                                                            : name;
}

QString exportName(const std::filesystem::path& model)
{
    return suggestedStem(model) +
           (model.extension() == ".onnx" ? QStringLiteral("-exported.onnx") : QStringLiteral(".onnx"));
}

} // namespace crosswalk::ui
