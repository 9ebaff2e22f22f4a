// Resolves the external data of an arbitrary TensorProto in a folder with a file of weights.

#include "core/base/diagnostic.h"
#include "core/base/temporary_folder.h"
#include "core/base/text_file.h"
#include "core/onnx/external_data.h"
#include "tests/fuzz/no_defect.h"

#include <cstdint>

using namespace crosswalk;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    ::onnx::TensorProto stub;
    if (!stub.ParseFromArray(data, static_cast<int>(size))) {
        return 0;
    }
    static const TemporaryFolder folder;
    static const auto outside = folder.path() / "outside";
    static const auto source = [] {
        const auto root = folder.path() / "model";
        std::filesystem::create_directories(root / "sub");
        writeTextFile(outside, std::string(1024, '\1'));
        writeTextFile(root / "model.onnx", {});
        writeTextFile(root / "weights", std::string(1024, '\3'));
        writeTextFile(root / "sub/weights", std::string(1024, '\3'));
        std::filesystem::create_symlink(outside, root / "link");
        return ModelSource::at(root / "model.onnx");
    }();
    try {
        const std::vector<std::byte> content = ExternalData(*source).tensor(stub).toBytes();
        if (std::ranges::find(content, std::byte{1}) != content.end()) {
            fuzz::reportDefect("a file outside the model's folder is read");
        }
    } catch (const ModelError&) {
        return 0; // an error is the expected result for a damaged file
    }
    return 0;
}
