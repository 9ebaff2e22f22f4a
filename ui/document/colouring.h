#pragma once

#include "core/convert/conversion.h"
#include "core/report/layer_table.h"
#include "core/verify/latency.h"
#include "ui/document/graph_side.h"

#include <QString>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace crosswalk::ui {

/// What the colours of boxes represent.
enum class Colouring : std::uint8_t { Category, Parameters, Bytes, Work, Type, Verdict, Error, Latency };
inline constexpr std::array colourings = {Colouring::Category, Colouring::Parameters, Colouring::Bytes,
                                          Colouring::Work,     Colouring::Type,       Colouring::Verdict,
                                          Colouring::Error,    Colouring::Latency};

/// An entry of the legend of a colouring.
struct ColourEntry {
    ColourNumber colour = colourOf(Tint::None);
    QString name;
    std::size_t boxes = 0; ///< of the source, or of the ONNX graph if it is shown alone
};

/// The colours of both sides, with their legend.
struct ColouredSides {
    Colouring colouring = Colouring::Category;
    std::array<std::shared_ptr<const SceneMarks>, 2> marks; ///< by side; null for a side without a graph
    std::vector<ColourEntry> legend;                        ///< most first
};

/// The input of a colouring: graphs with their marks, shared, so that it can run in the background.
struct ColouringInput {
    std::shared_ptr<const GraphSide> source;
    std::shared_ptr<const GraphSide> target; ///< may be null
    std::array<std::shared_ptr<const SceneMarks>, 2> marks;
    // Null without a conversion, which leaves only the categories:
    const Conversion* conversion = nullptr;
    const LayerTable* layers = nullptr;       ///< of the source
    const LatencyReport* latencies = nullptr; ///< of the ONNX graph; null if not measured
};

/// Colours boxes by anything but the error. A node's amount includes those of the nodes that are drawn in its
/// box; the time of an ONNX node counts at the first source node that it was made from.
ColouredSides colouredBy(Colouring colouring, const ColouringInput& input);

/// Colours of both sides by `SceneMarks::errors`; the legend is empty without a check.
ColouredSides colouredByError(const std::array<std::shared_ptr<const SceneMarks>, 2>& withErrors);

/// The measured time of each source node in seconds; nothing for a node that did not run.
std::vector<std::optional<double>> sourceLatencies(std::size_t nodes, const Conversion& conversion,
                                                   const LatencyReport& latencies);

/// The number of the colour of a box.
ColourNumber colourOfBox(const GraphSide& side, const SceneMarks& marks, std::uint32_t box);

/// "Parameters", the name of a colouring in menus and in the title of the legend.
QString colouringName(Colouring colouring);
/// The same in a sentence: "Colour by parameters".
QString colourByText(Colouring colouring);

} // namespace crosswalk::ui
