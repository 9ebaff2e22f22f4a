// Converts a model of any format with arbitrary options and writes the result, which must be a valid model.

#include "core/base/temporary_folder.h"
#include "tests/fuzz/model_input.h"

#include <array>

using namespace crosswalk;

namespace {

ConvertOptions chosenOptions(fuzz::Choices& choices)
{
    constexpr std::array opsets = {17, 11, 13, 21, 26, 23, 18, 15};
    constexpr std::array strategies = {Strategy::Exact, Strategy::Fused, Strategy::Unrolled};
    ConvertOptions options;
    options.opset = opsets[choices.below(opsets.size())];
    options.optimize = choices.flip();
    options.fuseAttention = choices.flip();
    options.reroll = choices.flip();
    options.recurrent = strategies[choices.below(strategies.size())];
    return options;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return fuzz::withModel(data, size, [](const Model& model, fuzz::Choices choices) {
        const Result<OnnxExport> exported = convert(model, chosenOptions(choices));
        if (!fuzz::expectNoDefect(exported)) {
            return;
        }
        const TemporaryFolder folder;
        const auto path = folder.path() / "model.onnx";
        const ExportOptions options{.externalData = choices.flip(), .partial = choices.flip()};
        if (fuzz::expectNoDefect(write(exported.value(), path, options)) && !open(path)) {
            fuzz::reportDefect("the export cannot be read");
        }
    });
}
