#include "core/formats/tensorflow/checkpoint/object_graph.h"

#include "core/formats/tensorflow/wire_fields.h"

#include <set>

namespace crosswalk::tensorflow {
namespace {

struct SerializedTensor {
    std::string_view name;
    std::string_view fullName;
    std::string_view key;
};

SerializedTensor parseAttribute(std::span<const std::byte> bytes, const WireField& field)
{
    SerializedTensor tensor;
    WireReader reader = messageOf(bytes, field);
    for (WireField part; reader.next(part);) {
        if (part.number == 1) {
            tensor.name = textOf(part);
        } else if (part.number == 2) {
            tensor.fullName = textOf(part);
        } else if (part.number == 3) {
            tensor.key = textOf(part);
        }
    }
    return tensor;
}

} // namespace

std::map<std::string, std::string, std::less<>> keysByFullName(std::string_view objectGraph)
{
    const auto bytes = std::as_bytes(std::span(objectGraph));
    std::map<std::string, std::string, std::less<>> keys;
    std::set<std::string_view> ambiguous;
    WireReader graph(bytes, 0, bytes.size());
    for (WireField node; graph.next(node);) {
        if (node.number != 1) {
            continue;
        }
        WireReader object = messageOf(bytes, node);
        for (WireField part; object.next(part);) {
            if (part.number != 2) {
                continue;
            }
            const SerializedTensor tensor = parseAttribute(bytes, part);
            if (tensor.name == "VARIABLE_VALUE" && !tensor.fullName.empty()) {
                const auto [entry, isNew] = keys.emplace(tensor.fullName, tensor.key);
                if (!isNew && entry->second != tensor.key) {
                    ambiguous.insert(tensor.fullName);
                }
            }
        }
    }
    for (const std::string_view name : ambiguous) {
        keys.erase(keys.find(name));
    }
    return keys;
}

} // namespace crosswalk::tensorflow
