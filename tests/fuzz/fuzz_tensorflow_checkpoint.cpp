// Reads arbitrary bytes as the index of a TensorFlow checkpoint.

#include "core/base/temporary_folder.h"
#include "core/formats/tensorflow/checkpoint/bundle.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>

namespace {

void writeFile(const std::filesystem::path& path, std::string_view content)
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << content;
    if (!file) {
        std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr std::int64_t readable = 1 << 20;
    const crosswalk::TemporaryFolder folder;
    writeFile(folder.path() / "c.index", {reinterpret_cast<const char*>(data), size});
    writeFile(folder.path() / "c.data-00000-of-00001", std::string(64, '\3'));
    try {
        const auto source = crosswalk::ModelSource::at(folder.path());
        const crosswalk::tensorflow::Bundle bundle(*source, "c");
        for (const auto& [key, entry] : bundle.entries()) {
            try {
                const crosswalk::Tensor tensor = bundle.tensor(key);
                if (tensor.elements() <= readable) {
                    tensor.stream([](std::span<const std::byte>) { return true; });
                }
            } catch (const crosswalk::ModelError&) {
                continue; // an error of one tensor
            }
        }
    } catch (const crosswalk::ModelError&) {
        return 0; // an error is the expected result for a damaged file
    }
    return 0;
}
