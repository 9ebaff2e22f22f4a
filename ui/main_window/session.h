#pragma once

#include "crosswalk/options.h"
#include "ui/canvas/view_transform.h"
#include "ui/document/bodies.h"

#include <QStringList>

#include <array>
#include <optional>
#include <string>
#include <vector>

class QSettings;

namespace crosswalk::ui {

/// Bodies in the tabs of a side.
struct BodyTabs {
    std::vector<BodyPath> paths;
    int front = 0; ///< 0 is the graph
};

/// The view of a model. Uses names, because the indices of boxes may change when a file is read again.
struct ModelView {
    Side side = Side::Source;
    QStringList selected;
    std::array<ViewTransform, 2> places; ///< by side
    std::array<BodyTabs, 2> bodies = {}; ///< by side
};

/// The saved state of a model: its files, the user's options, and the view.
struct ModelState {
    QString model; ///< empty: no model was open
    QString weights;
    ConvertOptions options;
    std::optional<ModelView> view;
    QString compared = {};              ///< the model that it is compared with; empty if none
    std::string signature = {};         ///< of a model with several; empty: the framework's default
    std::vector<std::string> tags = {}; ///< of the graph of a model with several; empty: the one for inference
    bool allowLarge = false;            ///< was read without limits; not saved: starting the program must not hang

    /// Whether the model's files still exist.
    bool isThere() const;
    /// Whether the user's options differ from the initial ones.
    bool isEdited(const ConvertOptions& initial) const;
};

// Both use the settings' current group.
void writeState(QSettings& settings, const ModelState& state);
ModelState readState(const QSettings& settings);

} // namespace crosswalk::ui
