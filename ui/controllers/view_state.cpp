// Saving and restoring the view of a model.

#include "ui/canvas/canvas_view.h"
#include "ui/controllers/file_controller.h"
#include "ui/controllers/graph_panes.h"
#include "ui/main_window/file_dialog.h"
#include "ui/models/shape_text.h"
#include "ui/panels/graph_pane.h"

#include <QFileInfo>

#include <algorithm>
#include <span>
#include <utility>

namespace crosswalk::ui {

namespace {

constexpr std::size_t maxSelected = 64; ///< selected nodes to restore

QString wholePath(const std::filesystem::path& path)
{
    return path.empty() ? QString() : QFileInfo(pathText(path)).absoluteFilePath();
}

} // namespace

ModelView FileController::view() const
{
    ModelView view;
    view.side = m_document.selection().side();
    for (const auto box : std::span(m_document.selection().boxes())
                              .first(std::min(m_document.selection().boxes().size(), maxSelected))) {
        view.selected.append(fromUtf8(m_document.side(view.side)->label(box)));
    }
    for (const auto side : {Side::Source, Side::Target}) {
        const auto& place = m_panes.canvas(side)->transform();
        view.places[static_cast<std::size_t>(side)] = place;
        auto& bodies = view.bodies[static_cast<std::size_t>(side)];
        const auto* shown = m_panes.pane(side);
        bodies = {shown->tabs(), shown->front()};
    }
    return view;
}

void FileController::restoreView()
{
    if (!m_viewToRestore || !m_document.converted()) {
        return;
    }
    const ModelView view = *std::exchange(m_viewToRestore, std::nullopt);
    const auto& side = m_document.side(view.side);
    std::vector<std::uint32_t> boxes;
    for (std::uint32_t i = 0; side && i < side->scene->nodes.size(); ++i) {
        if (view.selected.contains(fromUtf8(side->label(i)))) {
            boxes.push_back(i);
        }
    }
    m_document.selection().select(view.side, std::move(boxes));
    for (const auto which : {Side::Source, Side::Target}) {
        m_panes.canvas(which)->setTransform(view.places[static_cast<std::size_t>(which)]);
        const auto& bodies = view.bodies[static_cast<std::size_t>(which)];
        for (const auto& path : m_document.side(which) ? bodies.paths : std::vector<BodyPath>()) {
            m_panes.pane(which)->openTab(*m_document.side(which), path);
        }
        m_panes.pane(which)->showFront(bodies.front);
    }
}

ModelState FileController::state() const
{
    const auto files = m_document.files();
    if (!files) {
        return {};
    }
    const bool isSeen = m_document.isOpen() && m_document.path() == files->model;
    return {wholePath(files->model),
            wholePath(files->weights),
            files->options,
            m_viewToRestore ? m_viewToRestore
            : isSeen        ? std::optional(view())
                            : std::nullopt,
            wholePath(files->compared),
            files->signature,
            files->tags,
            files->allowLarge};
}

void FileController::restore(const ModelState& state)
{
    if (state.model.isEmpty()) {
        return;
    }
    m_viewToRestore = state.view;
    const QString weights = !state.weights.isEmpty() && QFileInfo::exists(state.weights) ? state.weights : QString();
    const QString compared = QFileInfo::exists(state.compared) ? state.compared : QString();
    m_document.open({.model = state.model.toStdString(),
                     .weights = weights.toStdString(),
                     .options = state.options,
                     .compared = compared.toStdString(),
                     .isRestored = true,
                     .signature = state.signature,
                     .tags = state.tags,
                     .allowLarge = state.allowLarge});
}

} // namespace crosswalk::ui
