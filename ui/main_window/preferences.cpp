#include "ui/main_window/preferences.h"

#include "ui/models/shape_text.h"

#include <QSettings>

namespace crosswalk::ui {
namespace {

constexpr const char* opsetKey = "opset";
constexpr const char* recurrentKey = "recurrent";
constexpr const char* rerollKey = "reroll";
constexpr const char* optimizeKey = "optimize";
constexpr const char* attentionKey = "fuseAttention";
constexpr const char* externalDataKey = "externalData";
constexpr const char* weightsInPlaceKey = "weightsInPlace";
constexpr const char* relativeKey = "relativeTolerance";
constexpr const char* absoluteKey = "absoluteTolerance";
constexpr const char* sessionKey = "restoreSession";

QString stored(const char* key)
{
    return QStringLiteral("preferences/") + QLatin1String(key);
}

/// A settings file edited by hand may contain any tolerance.
double tolerance(const QVariant& value, double otherwise)
{
    bool isNumber = false;
    const double number = value.toDouble(&isNumber);
    return isNumber && number >= 0 && number <= 1 ? number : otherwise;
}

} // namespace

QVariant Preferences::value(const char* key, const QVariant& otherwise) const
{
    return m_settings != nullptr ? m_settings->value(stored(key), otherwise)
                                 : m_own.value(QLatin1String(key), otherwise);
}

void Preferences::setValue(const char* key, const QVariant& value)
{
    if (m_settings != nullptr) {
        m_settings->setValue(stored(key), value);
    } else {
        m_own.insert(QLatin1String(key), value);
    }
}

ConvertOptions Preferences::startingOptions() const
{
    ConvertOptions options;
    if (const int opset = value(opsetKey, 0).toInt(); opset >= oldestOpset && opset <= newestOpset) {
        options.opset = opset;
    }
    options.recurrent =
        strategyFromName(value(recurrentKey, QString()).toString().toStdString()).value_or(Strategy::Exact);
    options.reroll = value(rerollKey, false).toBool();
    options.optimize = value(optimizeKey, false).toBool();
    options.fuseAttention = options.optimize && value(attentionKey, false).toBool();
    return options;
}

void Preferences::setStartingOptions(const ConvertOptions& options)
{
    setValue(opsetKey, options.opset.value_or(0));
    setValue(recurrentKey, fromUtf8(strategyName(options.recurrent)));
    setValue(rerollKey, options.reroll);
    setValue(optimizeKey, options.optimize);
    setValue(attentionKey, options.fuseAttention);
}

ExportSettings Preferences::exportSettings() const
{
    ExportSettings settings;
    settings.write.externalData = value(externalDataKey, false).toBool();
    settings.write.weightsInPlace = settings.write.externalData && value(weightsInPlaceKey, false).toBool();
    settings.tolerance.relative = tolerance(value(relativeKey, {}), settings.tolerance.relative);
    settings.tolerance.absolute = tolerance(value(absoluteKey, {}), settings.tolerance.absolute);
    return settings;
}

void Preferences::setExportSettings(const ExportSettings& settings)
{
    setValue(externalDataKey, settings.write.externalData);
    setValue(weightsInPlaceKey, settings.write.weightsInPlace);
    setValue(relativeKey, settings.tolerance.relative);
    setValue(absoluteKey, settings.tolerance.absolute);
}

bool Preferences::restoresSession() const
{
    return value(sessionKey, true).toBool();
}

void Preferences::setRestoresSession(bool restores)
{
    setValue(sessionKey, restores);
}

void Preferences::forget()
{
    m_own.clear();
    if (m_settings != nullptr) {
        m_settings->remove(QStringLiteral("preferences"));
    }
}

std::unique_ptr<QSettings> openedAgain(const QSettings* settings)
{
    return settings != nullptr ? std::make_unique<QSettings>(settings->fileName(), settings->format()) : nullptr;
}

} // namespace crosswalk::ui
