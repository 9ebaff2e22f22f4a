#include "core/layout/render.h"
#include "core/api/without_exceptions.h"
#include "core/convert/conversion.h"
#include "core/formats/onnx_graph.h"
#include "core/formats/read_model.h"
#include "core/layout/scene.h"
#include "core/report/picture.h"
#include "crosswalk/crosswalk.h"

#include <fmt/format.h>

namespace crosswalk {
namespace {

/// These formats have no size limit, so all groups are open unless a depth is given.
std::string draw(const OnnxExport& exported, const RenderOptions& options)
{
    const auto groups = PictureGroups::fromName(options.groups);
    if (!groups) {
        throw ModelError("usage", fmt::format("{}: expected auto, open, closed or a number", options.groups));
    }
    const LoadedModel& loaded = exported.source().loaded();
    const Conversion& conversion = exported.conversion();
    const bool isSource = options.side == Side::Source;
    const Graph onnx = isSource ? Graph() : graphOf(conversion);
    const Graph& graph = isSource ? *loaded.graph : onnx;
    Scene scene = isSource ? buildScene(graph, conversion.valueTypes) : buildScene(graph);
    const bool isFolded = groups->kind == PictureGroups::Kind::ToDepth;
    FoldedPicture picture;
    if (isFolded) {
        picture = foldForPicture(scene, *groups, options.stop);
    } else if (options.format != PictureFormat::Dot) {
        layOut(scene, LayoutEngine::Automatic, options.stop);
    }
    if (options.stop.stop_requested()) {
        throw ModelError("cancelled", "the layout was cancelled");
    }
    const Scene& drawn = isFolded ? picture.folded.scene : scene;
    if (options.format == PictureFormat::Dot) {
        return sceneToDot(drawn, graph.name.empty() ? "model" : graph.name);
    }
    if (options.format == PictureFormat::Json) {
        return sceneToJson(drawn, isSource ? "source" : "onnx");
    }
    const Theme theme = options.dark ? Theme::Dark : Theme::Light;
    const auto verdicts = isSource ? std::span<const Verdict>(conversion.verdicts) : std::span<const Verdict>();
    return isFolded ? pictureToSvg(scene, picture, verdicts, theme) : sceneToSvg(scene, verdicts, theme);
}

} // namespace

Result<std::string> render(const OnnxExport& exported, const RenderOptions& options)
{
    return withoutExceptions<std::string>([&] { return draw(exported, options); });
}

} // namespace crosswalk
