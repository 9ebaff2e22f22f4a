// Cuts a part out of a model of any format: by other outputs, and for ONNX by the values that become its inputs. A part
// of a valid model must be valid.

#include "core/base/temporary_folder.h"
#include "core/formats/onnx_graph.h"
#include "core/formats/read_model.h"
#include "core/rewrite/extract.h"
#include "tests/fuzz/model_input.h"

using namespace crosswalk;

namespace {

std::vector<std::string> chosenValues(const Graph& graph, fuzz::Choices& choices)
{
    std::vector<std::string> names;
    for (std::uint32_t left = choices.below(4); left > 0 && graph.valueCount() > 0; --left) {
        names.push_back(graph.value(ValueId{choices.below(graph.valueCount())}).name);
    }
    return names;
}

bool isValid(const OnnxModel& model)
{
    try {
        checkModel(model);
        return true;
    } catch (const ModelError&) {
        return false;
    }
}

void extractFrom(const OnnxModel& whole, const ModelPart& part)
{
    if (!isValid(whole)) {
        return;
    }
    try {
        checkModel(extract(whole, part.from, part.to));
    } catch (const ModelError& error) {
        if (error.diagnostic.code == Code("invalid-model")) {
            fuzz::reportDefect(formatLine(error.diagnostic, "the extracted part"));
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return fuzz::withModel(data, size, [](const Model& model, fuzz::Choices choices) {
        const Graph& graph = *model.loaded().graph;
        ConvertOptions options{.outputs = chosenValues(graph, choices)};
        const ModelPart part{.from = chosenValues(graph, choices), .to = chosenValues(graph, choices)};
        if (graph.format == "onnx") {
            extractFrom(modelOf(graph), part);
            if (!part.to.empty()) {
                options = {.part = part};
            }
        }
        const Result<OnnxExport> exported = convert(model, options);
        if (fuzz::expectNoDefect(exported)) {
            const TemporaryFolder folder;
            fuzz::expectNoDefect(write(exported.value(), folder.path() / "model.onnx"));
        }
    });
}
