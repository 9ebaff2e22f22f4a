// Reads arbitrary bytes as an HDF5 file: every group, attribute of Keras and dataset that it has.

#include "core/formats/keras/hdf5_file.h"
#include "tests/fuzz/memory_file.h"

#include "core/base/diagnostic.h"

namespace {

constexpr int deepest = 8;

void readAll(const crosswalk::keras::Hdf5File& file, const std::string& path, int depth)
{
    constexpr std::int64_t readable = 1 << 20;
    for (const char* list : {"layer_names", "weight_names"}) {
        file.texts(path, list);
    }
    file.text(path, "model_config");
    if (file.isDataset(path)) {
        const crosswalk::Tensor tensor = file.tensor(path);
        if (tensor.elements() <= readable) {
            tensor.stream([](std::span<const std::byte>) { return true; });
        }
        return;
    }
    for (const std::string& name : file.members(path)) {
        const std::string member = path.empty() ? name : path + "/" + name;
        try {
            if (depth < deepest) {
                readAll(file, member, depth + 1);
            }
        } catch (const crosswalk::ModelError&) {
            continue; // an error of one object
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const crosswalk::fuzz::MemoryFile bytes(data, size);
    try {
        readAll(crosswalk::keras::Hdf5File(crosswalk::SourceFile::open(bytes.path())), {}, 0);
    } catch (const crosswalk::ModelError&) {
        return 0; // an error is the expected result for a damaged file
    }
    return 0;
}
