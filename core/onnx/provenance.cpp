#include "core/onnx/provenance.h"

#include "core/onnx/proto.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

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

std::string listOf(const ::onnx::NodeProto& node)
{
    for (const auto& entry : node.metadata_props()) {
        if (entry.key() == sourceKey) {
            return entry.value();
        }
    }
    return {};
}

void writeList(::onnx::NodeProto& node, std::string list)
{
    for (auto& entry : *node.mutable_metadata_props()) {
        if (entry.key() == sourceKey) {
            entry.set_value(std::move(list));
            return;
        }
    }
    auto* entry = node.add_metadata_props();
    entry->set_key(sourceKey);
    entry->set_value(std::move(list));
}

/// The elements of a list of strings, still quoted.
std::vector<std::string_view> elementsOf(std::string_view list)
{
    std::vector<std::string_view> elements;
    std::size_t begin = std::string_view::npos;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i] == '\\') {
            ++i;
        } else if (list[i] == '"' && begin == std::string_view::npos) {
            begin = i;
        } else if (list[i] == '"') {
            elements.push_back(list.substr(begin, i + 1 - begin));
            begin = std::string_view::npos;
        }
    }
    return elements;
}

} // namespace

void writeSources(::onnx::NodeProto& node, const std::vector<std::string>& sources)
{
    writeList(node, sourceList(sources));
}

void addSources(::onnx::NodeProto& node, const ::onnx::NodeProto& other)
{
    const std::string own = listOf(node);
    const std::string added = listOf(other);
    auto elements = elementsOf(own);
    for (const std::string_view element : elementsOf(added)) {
        if (std::find(elements.begin(), elements.end(), element) == elements.end()) {
            elements.push_back(element);
        }
    }
    if (!elements.empty()) {
        writeList(node, fmt::format("[{}]", fmt::join(elements, ",")));
    }
}

void writeSources(::onnx::NodeProto& node, const std::vector<NodeId>& sources, const NodeNames& names)
{
    std::vector<std::string> written;
    written.reserve(sources.size());
    for (const NodeId id : sources) {
        written.push_back(names.of(id));
    }
    writeSources(node, written);
}

} // namespace crosswalk
