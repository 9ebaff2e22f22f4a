#include "ui/controllers/option_controller.h"

#include "core/convert/check_options.h"
#include "ui/controllers/command_set.h"

#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>

#include <tuple>

namespace crosswalk::ui {

OptionController::OptionController(const WindowParts& parts)
    : Controller(parts)
    , m_opsetMenu(new QMenu(tr("&Opset"), &m_window))
    , m_recurrentMenu(new QMenu(tr("&Recurrent layers"), &m_window))
{
    m_opsetMenu->setObjectName(QStringLiteral("opsetMenu"));
    addOpsets();
    addRecurrent();
    m_commands
        .add("modelEachSample", tr("Run &samples one at a time"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_B), nullptr,
             [this] { m_document.setScanOverBatch(m_commands["modelEachSample"]->isChecked()); })
        .enabledIf([this] { return isEditable() && !m_document.sampleSymbol().empty(); })
        .checkedIf([this] { return !m_document.options().scanOverBatch.empty(); });
    addSwitch("modelReroll", tr("Merge unro&lled steps into one layer"), Qt::Key_R, &ConvertOptions::reroll,
              [this](bool isOn) { m_document.setRerolled(isOn); })
        .enabledIf([this] { return isEditable() && canBeRerolled(*m_document.loaded()->graph); });
    addSwitch("modelOptimize", tr("Optimize: exact &folding and merging of nodes"), Qt::Key_O,
              &ConvertOptions::optimize, [this](bool isOn) { m_document.setOptimized(isOn); });
    addSwitch("modelAttention", tr("Optimize: fuse a&ttention into one node (opset 23)"), Qt::Key_T,
              &ConvertOptions::fuseAttention, [this](bool isOn) { m_document.setAttentionFused(isOn); });
}

void OptionController::addOpsets()
{
    auto* group = new QActionGroup(this);
    for (int opset = oldestOpset; opset <= newestOpset; ++opset) {
        // Ctrl+P followed by the number: there are more opsets than keys.
        const QKeySequence keys(QStringLiteral("Ctrl+P, %1, %2").arg(opset / 10).arg(opset % 10));
        auto* action = m_commands
                           .add(qPrintable(QStringLiteral("opset%1").arg(opset)),
                                opset == defaultOpset ? tr("Opset %1 (default)").arg(opset) : tr("Opset %1").arg(opset),
                                keys, nullptr, [this, opset] { m_document.setOpset(opset); })
                           .enabledIf([this] { return isEditable(); })
                           .checkedIf([this, opset] {
                               const auto& converted = m_document.converted();
                               const int inForce = converted ? converted->conversion.opset : defaultOpset;
                               return m_document.options().opset.value_or(inForce) == opset;
                           })
                           .action();
        group->addAction(action);
        m_opsetMenu->addAction(action);
    }
}

void OptionController::addRecurrent()
{
    const std::tuple<const char*, QString, Strategy, Qt::Key> ways[] = {
        {"recurrentExact", tr("Recurrent layers: &exact, as a Scan where ONNX differs"), Strategy::Exact, Qt::Key_E},
        {"recurrentFused", tr("Recurrent layers: ONNX's &nearest operator"), Strategy::Fused, Qt::Key_F},
        {"recurrentUnrolled", tr("Recurrent layers: exact, &unrolled"), Strategy::Unrolled, Qt::Key_U}};
    auto* group = new QActionGroup(this);
    for (const auto& [name, text, strategy, key] : ways) {
        auto* action =
            m_commands
                .add(name, text, QKeySequence(Qt::CTRL | Qt::ALT | key), nullptr,
                     [this, strategy = strategy] { m_document.setRecurrent(strategy); })
                .enabledIf([this] { return isEditable() && !m_document.isOnnx(); })
                .checkedIf([this, strategy = strategy] { return m_document.options().recurrent == strategy; })
                .action();
        group->addAction(action);
        m_recurrentMenu->addAction(action);
    }
}

Command& OptionController::addSwitch(const char* name, const QString& text, Qt::Key key, bool ConvertOptions::*option,
                                     const std::function<void(bool)>& set)
{
    return m_commands
        .add(name, text, QKeySequence(Qt::CTRL | Qt::ALT | key), nullptr,
             [this, set, option] { set(!(m_document.options().*option)); })
        .enabledIf([this] { return isEditable(); })
        .checkedIf([this, option] { return m_document.options().*option; });
}

} // namespace crosswalk::ui
