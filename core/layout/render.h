#pragma once

#include "core/layout/palette.h"

#include <span>
#include <string>
#include <string_view>

namespace crosswalk {

/// A laid-out scene as SVG, with the same boxes as the window. `verdicts` by graph node (may be empty) select the
/// stripes; folded nodes are dashed.
std::string sceneToSvg(const Scene& scene, std::span<const Verdict> verdicts = {}, Theme theme = Theme::Light);

/// A laid-out scene as JSON: {"side","width","height","layout_seconds","nodes","edges","tags","groups"}. `side` is
/// "source" or "onnx".
std::string sceneToJson(const Scene& scene, std::string_view side);

/// The boxes with their sizes and the edges in Graphviz's DOT language, without positions.
std::string sceneToDot(const Scene& scene, std::string_view graphName);

} // namespace crosswalk
