// The files of the open model from outside and from one run to the next: changes on disk, sessions, further windows.

#include "ui/canvas/canvas_view.h"
#include "ui/main_window/main_window.h"
#include "ui/models/shape_text.h"
#include "ui/panels/banner.h"

#include <QFileInfo>
#include <QFileSystemWatcher>

namespace crosswalk::ui {
namespace {

const QString bannerKind = QStringLiteral("file");
const QString group = QStringLiteral("session");

QString pathText(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

/// "data=N, 3" and so on: names may hold "=", what stands behind them does not.
template <typename Map, typename Text>
QStringList toLines(const Map& map, Text text)
{
    QStringList lines;
    for (const auto& [name, value] : map) {
        lines.append(QStringLiteral("%1=%2").arg(fromUtf8(name), text(value)));
    }
    return lines;
}

template <typename Take>
void fromLines(const QStringList& lines, Take take)
{
    for (const auto& line : lines) {
        if (const auto equals = line.lastIndexOf(u'='); equals > 0) {
            take(line.left(equals).toStdString(), line.mid(equals + 1));
        }
    }
}

QString text(std::string_view name)
{
    return fromUtf8(name);
}

} // namespace

void MainWindow::watchFiles()
{
    if (!m_watcher->files().isEmpty()) {
        m_watcher->removePaths(m_watcher->files());
    }
    m_banner->clear(bannerKind);
    if (const auto* loaded = m_document.loaded()) {
        for (const auto& path : {loaded->path, loaded->weights}) {
            if (!path.empty()) {
                m_watcher->addPath(pathText(path));
            }
        }
    }
}

void MainWindow::tellFileChanged(const QString& path)
{
    if (!m_document.isOpen()) {
        return;
    }
    const QFileInfo file(path);
    if (!file.exists()) {
        m_banner->show(bannerKind, Severity::Warning,
                       tr("%1 is gone from the disk. What is open stays as it was read.").arg(file.fileName()));
        return;
    }
    // Programs that write a new file in the place of the old one leave the watcher with none.
    m_watcher->addPath(path);
    m_banner->show(bannerKind, Severity::Note, tr("%1 has changed on disk.").arg(file.fileName()), tr("Reload"),
                   [this] { reload(); });
}

void MainWindow::reload()
{
    const auto* loaded = m_document.loaded();
    if (loaded == nullptr) {
        return;
    }
    rememberView();
    m_document.open(m_document.path(), loaded->weights, m_document.options());
}

void MainWindow::rememberView()
{
    m_viewToRestore = View();
    m_viewToRestore->side = m_document.selectedSide();
    for (const auto box : m_document.selection()) {
        m_viewToRestore->selected.append(fromUtf8(m_document.side(m_document.selectedSide())->label(box)));
    }
    for (const auto side : {Side::Source, Side::Target}) {
        m_viewToRestore->places[static_cast<std::size_t>(side)] = {canvas(side)->transform().origin,
                                                                   canvas(side)->scale()};
    }
}

void MainWindow::restoreView()
{
    if (!m_viewToRestore || !m_document.converted()) {
        return;
    }
    const View view = *std::exchange(m_viewToRestore, std::nullopt);
    const auto& side = m_document.side(view.side);
    std::vector<std::uint32_t> boxes;
    for (std::uint32_t i = 0; side && i < side->scene->nodes.size(); ++i) {
        if (view.selected.contains(fromUtf8(side->label(i)))) {
            boxes.push_back(i);
        }
    }
    m_document.select(view.side, std::move(boxes));
    for (const auto which : {Side::Source, Side::Target}) {
        canvas(which)->setTransform(view.places[static_cast<std::size_t>(which)]);
    }
}

void MainWindow::saveSession()
{
    if (!m_settings) {
        return;
    }
    m_settings->remove(group);
    const auto* loaded = m_document.loaded();
    if (loaded == nullptr) {
        return;
    }
    rememberView();
    const View view = *std::exchange(m_viewToRestore, std::nullopt);
    const ConvertOptions& options = m_document.options();
    m_settings->beginGroup(group);
    m_settings->setValue(QStringLiteral("model"), QFileInfo(pathText(m_document.path())).absoluteFilePath());
    m_settings->setValue(QStringLiteral("weights"),
                         loaded->weights.empty() ? QString() : QFileInfo(pathText(loaded->weights)).absoluteFilePath());
    m_settings->setValue(QStringLiteral("opset"), options.opset.value_or(0));
    m_settings->setValue(QStringLiteral("recurrent"), text(strategyName(options.recurrent)));
    m_settings->setValue(QStringLiteral("shapes"), toLines(options.shapes, shapeText));
    m_settings->setValue(QStringLiteral("types"),
                         toLines(options.types, [](ElementType type) { return text(elementTypeName(type)); }));
    m_settings->setValue(QStringLiteral("strategies"),
                         toLines(options.strategies, [](Strategy strategy) { return text(strategyName(strategy)); }));
    m_settings->setValue(QStringLiteral("side"), static_cast<int>(view.side));
    m_settings->setValue(QStringLiteral("selected"), view.selected);
    for (std::size_t i = 0; i < view.places.size(); ++i) {
        m_settings->setValue(QStringLiteral("origin%1").arg(i), view.places[i].origin);
        m_settings->setValue(QStringLiteral("scale%1").arg(i), view.places[i].scale);
    }
    m_settings->endGroup();
}

void MainWindow::restoreSession()
{
    if (!m_settings) {
        return;
    }
    m_settings->beginGroup(group);
    const auto value = [this](const QString& name) { return m_settings->value(name); };
    const QString model = value(QStringLiteral("model")).toString();
    const QString weights = value(QStringLiteral("weights")).toString();
    ConvertOptions options;
    if (const int opset = value(QStringLiteral("opset")).toInt(); opset >= oldestOpset && opset <= newestOpset) {
        options.opset = opset;
    }
    options.recurrent =
        strategyFromName(value(QStringLiteral("recurrent")).toString().toStdString()).value_or(Strategy::Exact);
    fromLines(value(QStringLiteral("shapes")).toStringList(), [&](const std::string& name, const QString& shape) {
        if (auto parsed = parseShape(shape)) {
            options.shapes[name] = std::move(parsed.value());
        }
    });
    fromLines(value(QStringLiteral("types")).toStringList(), [&](const std::string& name, const QString& type) {
        if (const auto known = elementTypeFromName(type.toStdString())) {
            options.types[name] = *known;
        }
    });
    fromLines(value(QStringLiteral("strategies")).toStringList(),
              [&](const std::string& name, const QString& strategy) {
                  if (const auto known = strategyFromName(strategy.toStdString())) {
                      options.strategies[name] = *known;
                  }
              });
    View view;
    view.side = value(QStringLiteral("side")).toInt() == 0 ? Side::Source : Side::Target;
    view.selected = value(QStringLiteral("selected")).toStringList();
    for (std::size_t i = 0; i < view.places.size(); ++i) {
        view.places[i].origin = value(QStringLiteral("origin%1").arg(i)).toPointF();
        view.places[i].scale = value(QStringLiteral("scale%1").arg(i)).toDouble();
    }
    m_settings->endGroup();
    if (model.isEmpty() || !QFileInfo::exists(model)) {
        return;
    }
    const bool hasWeights = !weights.isEmpty() && QFileInfo::exists(weights);
    if (view.places[0].scale > 0 && view.places[1].scale > 0) {
        m_viewToRestore = view;
    }
    m_document.open(std::filesystem::path(model.toStdString()),
                    std::filesystem::path(hasWeights ? weights.toStdString() : std::string()), std::move(options));
}

MainWindow* MainWindow::openWindow()
{
    auto* window = new MainWindow(m_settings ? std::make_unique<QSettings>(m_settings->fileName(), m_settings->format())
                                             : nullptr);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->move(pos() + QPoint(32, 32));
    window->show();
    return window;
}

} // namespace crosswalk::ui
