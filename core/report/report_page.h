#pragma once

#include <string_view>

namespace crosswalk {

/// The style sheet of a report, in addition to that of all pages.
extern const std::string_view reportStyle;

/// The program of a report: moves and zooms its pictures, searches their boxes, and links the two sides. It reads the
/// links from the element `links`, a JSON array with the ONNX boxes of each source box, and creates texts only as text
/// nodes. Without it, the pictures are complete but fixed.
extern const std::string_view reportScript;

} // namespace crosswalk
