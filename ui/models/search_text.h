#pragma once

#include "core/layout/scene.h"
#include "ui/models/known_types.h"

#include <string>
#include <string_view>

namespace crosswalk::ui {

/// The text that a node search covers: name, operator, every attribute as name=value, the names, types and shapes of
/// weights and outputs, and the same for the nodes in its bodies. Lower case, "2x3" for shapes, one item per line.
void appendSearchText(std::string& text, const SceneNode& box, const Graph& graph, const KnownTypes& types);
/// The search text of a node that is drawn as part of another: its name and operator.
void appendSearchText(std::string& text, const Node& folded);
/// Normalizes a query like the search texts.
std::string searchForm(std::string_view query);

} // namespace crosswalk::ui
