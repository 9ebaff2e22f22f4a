#include "core/layout/render.h"
#include "core/api/without_exceptions.h"
#include "core/base/check_stop.h"
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
std::string draw(const Graph& graph, Scene scene, std::span<const Verdict> verdicts, const RenderOptions& options)
{
    const auto groups = PictureGroups::fromName(options.groups);
    if (!groups) {
        throw ModelError("usage", fmt::format("{}: expected auto, open, closed or a number", options.groups));
    }
    const bool isFolded = groups->kind == PictureGroups::Kind::ToDepth;
    FoldedPicture picture;
    if (isFolded) {
        picture = foldForPicture(scene, *groups, options.stop);
    } else if (options.format != PictureFormat::Dot) {
        layOut(scene, LayoutEngine::Automatic, options.stop);
    }
    checkStop(options.stop, "the layout");
    const Scene& drawn = isFolded ? picture.folded.scene : scene;
    if (options.format == PictureFormat::Dot) {
        return sceneToDot(drawn, graph.name.empty() ? "model" : graph.name);
    }
    if (options.format == PictureFormat::Json) {
        return sceneToJson(drawn, options.side == Side::Source ? "source" : "onnx");
    }
    const Theme theme = options.dark ? Theme::Dark : Theme::Light;
    return isFolded ? pictureToSvg(scene, picture, verdicts, theme) : sceneToSvg(scene, verdicts, theme);
}

} // namespace

Result<std::string> render(const OnnxExport& exported, const RenderOptions& options)
{
    return withoutExceptions<std::string>([&] {
        const Conversion& conversion = exported.conversion();
        if (options.side == Side::Source) {
            const Graph& graph = *exported.source().loaded().graph;
            return draw(graph, buildScene(graph, conversion.valueTypes), conversion.verdicts, options);
        }
        const Graph onnx = graphOf(conversion);
        return draw(onnx, buildScene(onnx), {}, options);
    });
}

Result<std::string> render(const Model& model, const RenderOptions& options)
{
    return withoutExceptions<std::string>([&] {
        const Graph& graph = *model.loaded().graph;
        return draw(graph, buildScene(graph), {}, options);
    });
}

} // namespace crosswalk
