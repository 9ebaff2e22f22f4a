#include "core/onnx/provenance.h"

#include "core/onnx/proto.h"

#include <fmt/format.h>

namespace crosswalk {
namespace {

std::string quoted(const std::string& text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string sourceList(const std::vector<std::string>& sources)
{
    std::string list = "[";
    for (const std::string& source : sources) {
        list += (list.size() > 1 ? "," : "") + quoted(source);
    }
    return list + "]";
}

} // namespace

void writeSources(::onnx::NodeProto& node, const std::vector<std::string>& sources)
{
    for (auto& entry : *node.mutable_metadata_props()) {
        if (entry.key() == sourceKey) {
            entry.set_value(sourceList(sources));
            return;
        }
    }
    auto* entry = node.add_metadata_props();
    entry->set_key(sourceKey);
    entry->set_value(sourceList(sources));
}

void writeSources(::onnx::NodeProto& node, const std::vector<NodeId>& sources, const NodeNames& names)
{
    std::vector<std::string> written;
    for (const NodeId id : sources) {
        written.push_back(names.of(id));
    }
    writeSources(node, written);
}

} // namespace crosswalk
