#include "core/formats/onnx/onnx_reader.h"

#include <algorithm>

namespace crosswalk {
namespace {

/// Consumes a varint from the front; nothing if `bytes` ends inside it, or it is too long.
std::optional<std::uint64_t> takeVarint(std::span<const std::byte>& bytes)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 10); ++i) {
        value |= (static_cast<std::uint64_t>(bytes[i]) & 0x7fU) << (7 * i);
        if ((bytes[i] & std::byte{0x80}) == std::byte{0}) {
            bytes = bytes.subspan(i + 1);
            return value;
        }
    }
    return std::nullopt;
}

bool isText(std::span<const std::byte> bytes)
{
    return std::none_of(bytes.begin(), bytes.end(), [](std::byte b) {
        const auto c = static_cast<unsigned>(b);
        return c < 0x20U && c != '\t' && c != '\n' && c != '\r';
    });
}

// Fields of ONNX's ModelProto by content.
bool isNumberField(std::uint64_t field)
{
    return field == 1 || field == 5; // ir_version, model_version
}
bool isTextField(std::uint64_t field)
{
    return field == 2 || field == 3 || field == 4 || field == 6; // producer, its version, domain, documentation
}
bool isMessageField(std::uint64_t field)
{
    return field == 7 || field == 8 || field == 14 || field == 20 || field == 25 || field == 26; // graph, opsets...
}

} // namespace

bool looksLikeOnnx(std::span<const std::byte> head)
{
    bool hasIrVersion = false;
    bool hasMore = false;
    while (!head.empty()) {
        const auto tag = takeVarint(head);
        if (!tag) {
            break;
        }
        const std::uint64_t field = *tag >> 3U;
        const std::uint64_t type = *tag & 7U;
        if (type == 0 && isNumberField(field)) {
            const auto number = takeVarint(head);
            hasIrVersion = hasIrVersion || (field == 1 && number && *number >= 1 && *number < 1000);
            continue;
        }
        const auto size = type == 2 ? takeVarint(head) : std::nullopt;
        if (type != 2 || (!isTextField(field) && !isMessageField(field))) {
            return false;
        }
        const auto payload =
            head.first(static_cast<std::size_t>(std::min<std::uint64_t>(size.value_or(0), head.size())));
        if (isTextField(field) && !isText(payload)) {
            return false;
        }
        hasMore = hasMore || isMessageField(field) || !payload.empty();
        head = head.subspan(payload.size());
    }
    return hasIrVersion && hasMore;
}

} // namespace crosswalk
