#pragma once

#include "core/layout/scene.h"
#include "ui/models/known_types.h"

#include <string>

namespace crosswalk::ui {

/// What a search for a node looks through: name, operator, every attribute as name=value, the names, types and shapes
/// of its weights and outputs, and the same of the nodes in its bodies; lower case, "2x3" for shapes, a line each.
void appendSearchText(std::string& text, const SceneNode& box, const Graph& graph, const KnownTypes& types);
/// Those of a node that is drawn as part of another: its name and operator.
void appendSearchText(std::string& text, const Node& folded);
/// A query as the texts are written.
std::string searchForm(std::string_view query);

} // namespace crosswalk::ui
