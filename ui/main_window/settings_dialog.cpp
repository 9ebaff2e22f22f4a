#include "ui/main_window/settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleValidator>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace crosswalk::ui {
namespace {

constexpr int labelWidth = 130; ///< the same in every group

void addRow(QFormLayout* form, const QString& text, QWidget* field)
{
    auto* label = new QLabel(text);
    label->setMinimumWidth(labelWidth);
    label->setBuddy(field);
    form->addRow(label, field);
}

QFormLayout* addGroup(const QString& title, QVBoxLayout* column)
{
    auto* heading = new QLabel(title);
    QFont font = heading->font();
    font.setWeight(QFont::DemiBold);
    heading->setFont(font);
    auto* form = new QFormLayout;
    form->setContentsMargins(12, 2, 0, 14);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    column->addWidget(heading);
    column->addLayout(form);
    return form;
}

} // namespace

SettingsDialog::SettingsDialog(Preferences& preferences, const QString& place, Qt::Orientation panes, QWidget* parent)
    : QDialog(parent)
    , m_preferences(preferences)
{
    setObjectName(QStringLiteral("settingsDialog"));
    setWindowTitle(tr("Settings"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 18, 20, 14);

    auto* window = addGroup(tr("Window"), column);
    m_theme = addChoice("settingsTheme", tr("&Theme"), window);
    m_theme->addItem(tr("System"), static_cast<int>(ThemeChoice::System));
    m_theme->addItem(tr("Light"), static_cast<int>(ThemeChoice::Light));
    m_theme->addItem(tr("Dark"), static_cast<int>(ThemeChoice::Dark));
    m_panes = addChoice("settingsPanes", tr("Source and &ONNX"), window);
    m_panes->addItem(tr("Side by side"), static_cast<int>(Qt::Horizontal));
    m_panes->addItem(tr("Stacked"), static_cast<int>(Qt::Vertical));
    m_session = addSwitch("settingsSession", tr("Re&store open models at start"), window);

    auto* models = addGroup(tr("Models opened from now on"), column);
    m_opset = addChoice("settingsOpset", tr("O&pset"), models);
    m_opset->addItem(tr("%1, or that of an ONNX file").arg(defaultOpset), 0);
    for (int opset = oldestOpset; opset <= newestOpset; ++opset) {
        m_opset->addItem(QString::number(opset), opset);
    }
    m_recurrent = addChoice("settingsRecurrent", tr("&Recurrent layers"), models);
    m_recurrent->addItem(tr("Exact, as a Scan if ONNX's operator differs"), static_cast<int>(Strategy::Exact));
    m_recurrent->addItem(tr("ONNX's nearest operator, with a warning about differences"),
                         static_cast<int>(Strategy::Fused));
    m_recurrent->addItem(tr("Exact, unrolled into one copy per time step"), static_cast<int>(Strategy::Unrolled));
    m_reroll = addSwitch("settingsReroll", tr("Merge &unrolled steps into one layer"), models);
    m_optimize = addSwitch("settingsOptimize", tr("Optimize: exact &folding and merging of nodes"), models);
    m_attention = addSwitch("settingsAttention", tr("Optimize: fuse attent&ion into one node (opset 23)"), models);

    auto* exports = addGroup(tr("Export and verification"), column);
    m_externalData =
        addSwitch("settingsExternalData", tr("Store &weights in a separate file (model.onnx.data)"), exports);
    m_weightsInPlace = addSwitch("settingsWeightsInPlace",
                                 tr("Leave weights in the &model's files where they are stored unchanged"), exports);
    m_relative = addTolerance("settingsRelative", tr("Rel&ative tolerance"), exports);
    m_absolute = addTolerance("settingsAbsolute", tr("A&bsolute tolerance"), exports);

    auto* kept = new QLabel(
        place.isEmpty() ? tr("Settings are not stored.")
                        : tr("Settings and open models are stored only in %1.").arg(QDir::toNativeSeparators(place)));
    kept->setObjectName(QStringLiteral("settingsPlace"));
    kept->setProperty("muted", true);
    kept->setWordWrap(true);
    kept->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    kept->setAccessibleName(tr("Location of the settings"));
    column->addWidget(kept);

    auto* buttons = new QDialogButtonBox(this);
    auto* defaults = buttons->addButton(tr("Restore &defaults"), QDialogButtonBox::ResetRole);
    defaults->setObjectName(QStringLiteral("settingsDefaults"));
    defaults->setAutoDefault(false);
    auto* close = buttons->addButton(tr("&Close"), QDialogButtonBox::AcceptRole);
    close->setObjectName(QStringLiteral("settingsClose"));
    close->setDefault(true);
    column->addWidget(buttons);
    connect(defaults, &QPushButton::clicked, this, &SettingsDialog::restoreDefaults);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);

    m_panes->setCurrentIndex(m_panes->findData(static_cast<int>(panes)));
    showValues();
    connect(m_theme, &QComboBox::currentIndexChanged, this,
            [this] { emit themeChosen(static_cast<ThemeChoice>(m_theme->currentData().toInt())); });
    connect(m_panes, &QComboBox::currentIndexChanged, this,
            [this] { emit panesChosen(static_cast<Qt::Orientation>(m_panes->currentData().toInt())); });
    for (auto* choice : {m_opset, m_recurrent}) {
        connect(choice, &QComboBox::currentIndexChanged, this, &SettingsDialog::take);
    }
    for (auto* box : {m_session, m_optimize, m_attention, m_reroll, m_externalData, m_weightsInPlace}) {
        connect(box, &QCheckBox::toggled, this, &SettingsDialog::take);
    }
    for (auto* field : {m_relative, m_absolute}) {
        connect(field, &QLineEdit::editingFinished, this, &SettingsDialog::take);
    }
}

QComboBox* SettingsDialog::addChoice(const char* name, const QString& label, QFormLayout* form)
{
    auto* choice = new QComboBox;
    choice->setObjectName(QLatin1String(name));
    choice->setAccessibleName(QString(label).remove(u'&'));
    addRow(form, label, choice);
    return choice;
}

QCheckBox* SettingsDialog::addSwitch(const char* name, const QString& text, QFormLayout* form)
{
    auto* box = new QCheckBox(text);
    box->setObjectName(QLatin1String(name));
    form->addRow(box);
    return box;
}

QLineEdit* SettingsDialog::addTolerance(const char* name, const QString& label, QFormLayout* form)
{
    auto* field = new QLineEdit;
    field->setObjectName(QLatin1String(name));
    field->setAccessibleName(QString(label).remove(u'&'));
    auto* validator = new QDoubleValidator(0, 1, 12, field);
    validator->setLocale(QLocale::c());
    field->setValidator(validator);
    field->setMaximumWidth(120);
    addRow(form, label, field);
    return field;
}

void SettingsDialog::showValues()
{
    const auto choose = [](QComboBox* box, int value) {
        const QSignalBlocker quiet(box);
        box->setCurrentIndex(box->findData(value));
    };
    const auto check = [](QCheckBox* box, bool checked) {
        const QSignalBlocker quiet(box);
        box->setChecked(checked);
    };
    const ConvertOptions options = m_preferences.startingOptions();
    const ExportSettings exports = m_preferences.exportSettings();
    choose(m_theme, static_cast<int>(themeChoice()));
    choose(m_opset, options.opset.value_or(0));
    choose(m_recurrent, static_cast<int>(options.recurrent));
    check(m_session, m_preferences.restoresSession());
    check(m_optimize, options.optimize);
    check(m_attention, options.fuseAttention);
    m_attention->setEnabled(options.optimize);
    check(m_reroll, options.reroll);
    check(m_externalData, exports.write.externalData);
    check(m_weightsInPlace, exports.write.weightsInPlace);
    m_weightsInPlace->setEnabled(exports.write.externalData);
    m_relative->setText(QString::number(exports.tolerance.relative));
    m_absolute->setText(QString::number(exports.tolerance.absolute));
}

void SettingsDialog::take()
{
    ConvertOptions options;
    if (const int opset = m_opset->currentData().toInt(); opset != 0) {
        options.opset = opset;
    }
    options.recurrent = static_cast<Strategy>(m_recurrent->currentData().toInt());
    options.optimize = m_optimize->isChecked();
    options.fuseAttention = options.optimize && m_attention->isChecked();
    m_attention->setEnabled(options.optimize);
    options.reroll = m_reroll->isChecked();
    m_preferences.setStartingOptions(options);
    const bool external = m_externalData->isChecked();
    m_weightsInPlace->setEnabled(external);
    // A tolerance that is being typed may not be a number yet.
    const Tolerance before = m_preferences.exportSettings().tolerance;
    const auto number = [](const QLineEdit& field, double otherwise) {
        return field.hasAcceptableInput() ? field.text().toDouble() : otherwise;
    };
    m_preferences.setExportSettings({{external, external && m_weightsInPlace->isChecked()},
                                     {number(*m_relative, before.relative), number(*m_absolute, before.absolute)}});
    m_preferences.setRestoresSession(m_session->isChecked());
    emit preferencesChanged();
}

void SettingsDialog::restoreDefaults()
{
    m_preferences.forget();
    m_panes->setCurrentIndex(0);
    m_theme->setCurrentIndex(0);
    showValues();
    emit preferencesChanged();
}

} // namespace crosswalk::ui
