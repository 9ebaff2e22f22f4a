// Reads arbitrary bytes as the program of an archive of torch.export.

#include "core/base/temporary_folder.h"
#include "core/formats/pytorch/exported_program.h"
#include "tests/fuzz/use_model.h"

#include <cstdint>
#include <fstream>

namespace {

void writeFile(const std::filesystem::path& path, std::string_view content)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << content;
    if (!file) {
        std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const crosswalk::TemporaryFolder folder;
    writeFile(folder.path() / "m/models/model.json", {reinterpret_cast<const char*>(data), size});
    writeFile(folder.path() / "m/data/weights/weight_0", std::string(64, '\3'));
    writeFile(folder.path() / "m/data/weights/model_weights_config.json",
              R"({"config": {"w": {"path_name": "weight_0", "is_param": true, "use_pickle": false, "tensor_meta": )"
              R"({"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 2}], "strides": [{"as_int": 2}, {"as_int": 1}], )"
              R"("storage_offset": {"as_int": 0}}}}})");
    try {
        const auto source = crosswalk::ModelSource::at(folder.path());
        crosswalk::fuzz::useModel(crosswalk::pytorch::readExportedProgram({}, *source));
    } catch (const crosswalk::ModelError&) {
        return 0; // an error is the expected result for a damaged file
    }
    return 0;
}
