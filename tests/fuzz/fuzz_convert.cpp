// Opens arbitrary bytes as a model of any format, converts it with the options that the first byte selects, and writes,
// draws and compares the result.

#include "core/base/temporary_folder.h"
#include "crosswalk/crosswalk.h"
#include "tests/fuzz/memory_file.h"

#include <array>

namespace {

template <typename T>
bool expectNoDefect(const crosswalk::Result<T>& result)
{
    if (!result && (result.problem().code == crosswalk::Code("internal") ||
                    result.problem().code == crosswalk::Code("invalid-export"))) {
        std::fprintf(stderr, "%s\n", crosswalk::formatLine(result.problem(), "model").c_str());
        std::abort();
    }
    return static_cast<bool>(result);
}

crosswalk::ConvertOptions optionsOf(std::uint8_t byte)
{
    constexpr std::array opsets = {17, 11, 13, 21, 26, 23, 18, 15};
    crosswalk::ConvertOptions options;
    options.opset = opsets[byte & 7U];
    options.optimize = (byte & 8U) != 0;
    options.reroll = (byte & 16U) != 0;
    options.recurrent = (byte & 32U) == 0 ? crosswalk::Strategy::Exact : crosswalk::Strategy::Fused;
    return options;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) {
        return 0;
    }
    const crosswalk::fuzz::MemoryFile file(data + 1, size - 1);
    const crosswalk::Result<crosswalk::Model> model = crosswalk::open(file.path());
    if (!expectNoDefect(model)) {
        return 0;
    }
    expectNoDefect(crosswalk::inspect(model.value()));
    expectNoDefect(crosswalk::diff(model.value(), model.value()));
    const crosswalk::Result<crosswalk::OnnxExport> exported = crosswalk::convert(model.value(), optionsOf(data[0]));
    if (!expectNoDefect(exported)) {
        return 0;
    }
    const bool more = (data[0] & 64U) != 0;
    if (more) {
        expectNoDefect(crosswalk::render(exported.value(), {.side = crosswalk::Side::Source}));
        expectNoDefect(crosswalk::render(exported.value(), {.side = crosswalk::Side::Onnx}));
    }
    const crosswalk::TemporaryFolder folder;
    crosswalk::ExportOptions options;
    options.externalData = more;
    options.partial = (data[0] & 128U) != 0;
    expectNoDefect(crosswalk::write(exported.value(), folder.path() / "model.onnx", options));
    return 0;
}
