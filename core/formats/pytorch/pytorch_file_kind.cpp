#include "core/formats/pytorch/pytorch_file_kind.h"

#include "core/formats/file_kind.h"

#include <algorithm>

namespace crosswalk::pytorch {
namespace {

constexpr std::string_view exportHint = "in the program that built the model, run torch.export.export(model.eval(), "
                                        "example_inputs) and torch.export.save, and "
                                        "open that file";

bool hasMember(const Probe& probe, std::string_view ending)
{
    return std::any_of(probe.members.begin(), probe.members.end(), [&](const std::string& member) {
        const std::size_t slash = member.find('/');
        return slash != std::string::npos && member.substr(slash).starts_with(ending);
    });
}

/// The first 8 bytes are the length of the JSON header that follows.
bool isSafetensors(std::string_view head)
{
    constexpr std::size_t lengthSize = 8;
    constexpr std::size_t longest = 100U << 20U;
    if (head.size() <= lengthSize || head[lengthSize] != '{') {
        return false;
    }
    std::size_t length = 0;
    for (std::size_t i = lengthSize; i-- > 0;) {
        length = length << 8U | static_cast<unsigned char>(head[i]);
    }
    return length > 1 && length < longest && head.find("\"dtype\"") != std::string_view::npos;
}

} // namespace

std::optional<FileKind> recogniseKind(const Probe& probe)
{
    if (hasMember(probe, "/code/")) {
        return FileKind{"a TorchScript archive without data.pkl, of a PyTorch before 1.4 or for mobile devices",
                        exportHint};
    }
    const std::string_view head = headOf(probe);
    if (isSafetensors(head)) {
        return FileKind{"a safetensors file, which contains weights without a graph", exportHint};
    }
    constexpr std::size_t identifierOffset = 4; // of a FlatBuffer
    if (head.size() > identifierOffset && head.substr(identifierOffset).starts_with("PTMF")) {
        return FileKind{"a TorchScript module for mobile devices in the FlatBuffer format", exportHint};
    }
    return std::nullopt;
}

} // namespace crosswalk::pytorch
