// Compares a model of any format with a copy that differs in some bytes, and with its export.

#include "core/base/temporary_folder.h"
#include "tests/fuzz/model_input.h"

using namespace crosswalk;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return fuzz::withModel(data, size, [&](const Model& model, fuzz::Choices choices) {
        std::vector<std::uint8_t> other(data + fuzz::choiceBytes, data + size);
        constexpr int changes = 4;
        for (int i = 0; i < changes && !other.empty(); ++i) {
            const std::size_t at = choices.byte() + 256U * choices.byte();
            other[at % other.size()] = choices.byte();
        }
        const fuzz::MemoryFile file(other.data(), other.size());
        const Result<Model> changed = open(file.path());
        if (fuzz::expectNoDefect(changed)) {
            fuzz::expectNoDefect(diff(model, changed.value()));
        }
        const Result<OnnxExport> exported = convert(model, {.optimize = choices.flip()});
        const TemporaryFolder folder;
        const auto path = folder.path() / "model.onnx";
        if (fuzz::expectNoDefect(exported) && fuzz::expectNoDefect(write(exported.value(), path, {.partial = true}))) {
            fuzz::expectNoDefect(diff(model, open(path).value()));
        }
    });
}
