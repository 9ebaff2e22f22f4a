#pragma once

#include "ui/document/graph_side.h"
#include "ui/models/known_types.h"

#include <QByteArray>

#include <cstdint>
#include <span>

namespace crosswalk::ui {

/// Boxes of a graph as JSON, for other programs: an object for one box, an array for several. A node has its name,
/// operator, attributes, inputs and outputs with types and shapes, and the verdict of its conversion. `verdicts` is
/// indexed by node; empty without a conversion.
QByteArray boxesAsJson(const GraphSide& graph, const KnownTypes& types, std::span<const Verdict> verdicts,
                       std::span<const std::uint32_t> boxes);

} // namespace crosswalk::ui
