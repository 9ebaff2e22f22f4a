#pragma once

#include "core/convert/options.h"
#include "ui/canvas/view_transform.h"
#include "ui/document/bodies.h"

#include <QStringList>

#include <array>
#include <optional>

class QSettings;

namespace crosswalk::ui {

/// Bodies that stand in tabs of a side.
struct BodyTabs {
    std::vector<BodyPath> paths;
    int front = 0; ///< 0 is the graph
};

/// What is seen of a model, by names: boxes may be others when a file is read again.
struct ModelView {
    Side side = Side::Source;
    QStringList selected;
    std::array<ViewTransform, 2> places; ///< by side
    std::array<BodyTabs, 2> bodies = {}; ///< by side
};

/// A model as it was left: its files, the choices of the user, what was seen.
struct ModelState {
    QString model; ///< empty: nothing was open
    QString weights;
    ConvertOptions options;
    std::optional<ModelView> view;
    QString compared = {}; ///< the model that stands beside it; empty without

    /// The model is still there.
    bool isThere() const;
};

// The state stands in the settings' current group.
void writeState(QSettings& settings, const ModelState& state);
ModelState readState(const QSettings& settings);

} // namespace crosswalk::ui
