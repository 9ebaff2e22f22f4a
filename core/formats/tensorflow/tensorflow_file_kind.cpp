#include "core/formats/tensorflow/tensorflow_file_kind.h"

#include "core/formats/file_kind.h"

namespace crosswalk::tensorflow {

std::optional<FileKind> recogniseKind(const Probe& probe)
{
    const std::string_view head = headOf(probe);
    constexpr std::size_t identifierOffset = 4; // of a FlatBuffer
    if (head.size() > identifierOffset && head.substr(identifierOffset).starts_with("TFL3")) {
        return FileKind{"a TensorFlow Lite model", "TensorFlow Lite models are not supported"};
    }
    return std::nullopt;
}

} // namespace crosswalk::tensorflow
