// Settings for all models, and conversion options of this one.

#include "ui/main_window/main_window.h"
#include "ui/main_window/settings_dialog.h"
#include "ui/panels/graph_pane.h"

#include <QActionGroup>
#include <QMenu>
#include <QSplitter>

#include <tuple>

namespace crosswalk::ui {

void MainWindow::buildOptionActions(QMenu* model)
{
    auto* recurrent = model->addMenu(tr("&Recurrent layers"));
    const std::tuple<const char*, QString, Strategy, Qt::Key> ways[] = {
        {"recurrentExact", tr("Recurrent layers: &exact, as a Scan where ONNX differs"), Strategy::Exact, Qt::Key_E},
        {"recurrentFused", tr("Recurrent layers: ONNX's &nearest operator"), Strategy::Fused, Qt::Key_F},
        {"recurrentUnrolled", tr("Recurrent layers: exact, &unrolled"), Strategy::Unrolled, Qt::Key_U}};
    auto* group = new QActionGroup(this);
    for (const auto& [name, text, strategy, key] : ways) {
        auto* action = addCommand(name, text, QKeySequence(Qt::CTRL | Qt::ALT | key), nullptr,
                                  [this, strategy = strategy] { m_document.setRecurrent(strategy); });
        action->setCheckable(true);
        action->setData(static_cast<int>(strategy));
        group->addAction(action);
        recurrent->addAction(action);
    }
    const auto addSwitch = [&](const char* name, const QString& text, Qt::Key key, void (Document::*set)(bool)) {
        auto* action = addCommand(name, text, QKeySequence(Qt::CTRL | Qt::ALT | key), nullptr, [this, name, set] {
            (m_document.*set)(m_actions[QLatin1String(name)]->isChecked());
        });
        action->setCheckable(true);
        model->addAction(action);
    };
    addSwitch("modelEachSample", tr("Run &samples one at a time"), Qt::Key_B, &Document::setScanOverBatch);
    addSwitch("modelReroll", tr("Merge unro&lled steps into one layer"), Qt::Key_R, &Document::setRerolled);
    addSwitch("modelOptimize", tr("Optimize: exact &folding and merging of nodes"), Qt::Key_O, &Document::setOptimized);
    addSwitch("modelAttention", tr("Optimize: fuse a&ttention into one node (opset 23)"), Qt::Key_T,
              &Document::setAttentionFused);
}

void MainWindow::refreshOptionActions()
{
    const ConvertOptions& options = m_document.options();
    const bool isEditable = m_document.isOpen() && m_document.compared() == nullptr;
    for (const auto* name : {"recurrentExact", "recurrentFused", "recurrentUnrolled"}) {
        auto* action = m_actions[QLatin1String(name)];
        action->setEnabled(isEditable);
        action->setChecked(action->data().toInt() == static_cast<int>(options.recurrent));
    }
    for (const auto& [name, isOn] : {std::pair("modelReroll", options.reroll),
                                     {"modelOptimize", options.optimize},
                                     {"modelAttention", options.fuseAttention}}) {
        m_actions[QLatin1String(name)]->setEnabled(isEditable);
        m_actions[QLatin1String(name)]->setChecked(isOn);
    }
    auto* scanOverBatch = m_actions[QStringLiteral("modelEachSample")];
    scanOverBatch->setEnabled(isEditable && !m_document.sampleSymbol().empty());
    scanOverBatch->setChecked(!options.scanOverBatch.empty());
    m_actions[QStringLiteral("viewStackPanes")]->setChecked(m_splitter->orientation() == Qt::Vertical);
    m_actions[QStringLiteral("viewLeadRight")]->setChecked(m_document.flow() == Flow::Right);
}

void MainWindow::askSettings()
{
    auto* dialog = new SettingsDialog(m_preferences, m_settings ? m_settings->fileName() : QString(),
                                      m_splitter->orientation(), this);
    connect(dialog, &SettingsDialog::themeChosen, this, &MainWindow::setTheme);
    connect(dialog, &SettingsDialog::panesChosen, this,
            [this](Qt::Orientation panes) { stackPanes(panes == Qt::Vertical); });
    connect(dialog, &SettingsDialog::preferencesChanged, this, &MainWindow::takePreferences);
    dialog->open();
}

void MainWindow::takePreferences()
{
    m_document.setExportSettings(m_preferences.exportSettings());
}

void MainWindow::setFlow(Flow flow)
{
    m_document.setFlow(flow);
    m_sourcePane->setFlow(flow);
    m_targetPane->setFlow(flow);
    refreshOptionActions();
}

void MainWindow::showEdgeShapes(bool shown)
{
    m_edgeShapesShown = shown;
    m_sourcePane->setShapesShown(shown);
    m_targetPane->setShapesShown(shown);
    m_actions[QStringLiteral("viewEdgeShapes")]->setChecked(shown);
}

void MainWindow::stackPanes(bool stacked)
{
    std::vector<CanvasView*> whole; // views that show the whole graph still do so in panes of a different shape
    for (const auto side : {Side::Source, Side::Target}) {
        auto* view = pane(side)->visibleCanvas();
        if (view->drawnScene() != nullptr && view->visibleArea().contains(view->drawnScene()->index.bounds())) {
            whole.push_back(view);
        }
    }
    m_splitter->setOrientation(stacked ? Qt::Vertical : Qt::Horizontal);
    for (auto* view : whole) {
        view->fit();
    }
    saveLayout();
    refreshOptionActions();
}

} // namespace crosswalk::ui
