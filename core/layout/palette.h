#pragma once

#include "core/graph/verdict.h"
#include "core/layout/scene.h"

#include <cstdint>

namespace crosswalk {

enum class Theme : std::uint8_t { Light, Dark };

/// A colour as 0xRRGGBB.
using Rgb = std::uint32_t;

/// The colours of the window and of pictures. Text has a contrast of at least 4.5:1 to its background, a verdict's mark
/// of 3:1. The verdicts use Okabe and Ito's blue, amber and vermilion, which colour-blind people can distinguish.
struct Palette {
    Rgb paper;
    Rgb box;
    Rgb border;
    Rgb title; ///< on a header's tint
    Rgb text;  ///< on the box
    Rgb faint; ///< names, on the box
    Rgb edge;
    Rgb tag;
    Rgb loop; ///< an edge that leads back, in the hue of control flow
};
const Palette& palette(Theme theme);
Rgb headerTint(OperatorCategory category, Theme theme);
/// Colour of a verdict's stripe; the border's for Exact, which has no stripe.
Rgb verdictColour(Verdict verdict, Theme theme);

} // namespace crosswalk
