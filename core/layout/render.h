#pragma once

#include "core/layout/palette.h"

#include <span>
#include <string>

namespace crosswalk {

/// A laid-out scene as a picture, with the same boxes as the window. `verdicts` by graph node (may be empty) draw the
/// stripes; folded nodes are dashed.
std::string sceneToSvg(const Scene& scene, std::span<const Verdict> verdicts = {}, Theme theme = Theme::Light);

/// A laid-out scene as numbers: {"side","width","height","layout_seconds","nodes","edges","tags","groups"}. `side` is
/// "source" or "onnx".
std::string sceneToJson(const Scene& scene, std::string_view side);

/// The boxes and edges for Graphviz, sizes included, positions left to it.
std::string sceneToDot(const Scene& scene, std::string_view graphName);

} // namespace crosswalk
