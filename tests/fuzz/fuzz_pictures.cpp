// Draws a model of any format and its conversion in every format, and writes the report. No text of the file may
// control what shows them.

#include "core/base/visible_text.h"
#include "core/formats/read_model.h"
#include "core/report/report_html.h"
#include "tests/fuzz/model_input.h"

#include <array>
#include <nlohmann/json.hpp>

using namespace crosswalk;

namespace {

void expectVisible(const std::string& text)
{
    if (visibleText(text) != text) {
        fuzz::reportDefect("a control character of the file is in the picture");
    }
}

/// The dictionary contains a tag that no writer makes.
void expectMarkup(const std::string& text)
{
    expectVisible(text);
    if (text.find("<fuzz") != std::string::npos) {
        fuzz::reportDefect("markup of the file is in the picture");
    }
}

void expectJson(const std::string& text)
{
    expectVisible(text);
    if (!nlohmann::json::accept(text)) {
        fuzz::reportDefect("the picture is not JSON");
    }
}

void expectPicture(const Result<std::string>& picture, PictureFormat format)
{
    if (!fuzz::expectNoDefect(picture)) {
        return;
    }
    switch (format) {
    case PictureFormat::Svg:
        return expectMarkup(picture.value());
    case PictureFormat::Json:
        return expectJson(picture.value());
    case PictureFormat::Dot:
        return expectVisible(picture.value());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return fuzz::withModel(data, size, [](const Model& model, fuzz::Choices choices) {
        constexpr std::array groups = {"auto", "open", "closed", "1", "2"};
        RenderOptions options;
        options.groups = groups[choices.below(groups.size())];
        options.format = static_cast<PictureFormat>(choices.below(3));
        options.dark = choices.flip();
        expectPicture(render(model, options), options.format);
        const Result<OnnxExport> exported = convert(model);
        if (!fuzz::expectNoDefect(exported)) {
            return;
        }
        for (const Side side : {Side::Source, Side::Onnx}) {
            options.side = side;
            expectPicture(render(exported.value(), options), options.format);
        }
        expectMarkup(reportHtml(model.loaded(), exported.value().conversion(), nullptr, {}));
    });
}
