#include "core/formats/tensorflow/meta_graph.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace crosswalk::tensorflow {
namespace {

void parseInfo(std::span<const std::byte> file, const WireField& field, MetaGraphDef& meta)
{
    WireReader reader = messageOf(file, field);
    for (WireField part; reader.next(part);) {
        if (part.number == 4) {
            meta.tags.push_back(textOf(part));
        } else if (part.number == 5) {
            meta.version = textOf(part);
        }
    }
}

SaverDef parseSaver(std::span<const std::byte> file, const WireField& field)
{
    SaverDef saver;
    WireReader reader = messageOf(file, field);
    for (WireField part; reader.next(part);) {
        if (part.number == 1) {
            saver.filenameTensor = textOf(part);
        } else if (part.number == 3) {
            saver.restoreOp = textOf(part);
        }
    }
    return saver;
}

/// An entry of a map<string, TensorInfo>.
SignatureDef::Port parsePort(std::span<const std::byte> file, const WireField& field)
{
    const MapEntry entry = mapEntryOf(file, field);
    SignatureDef::Port port{.key = entry.key, .tensor = {}, .shape = {}};
    if (entry.value.number != 0) {
        WireReader reader = messageOf(file, entry.value);
        for (WireField part; reader.next(part);) {
            if (part.number == 1) {
                port.tensor = textOf(part);
            } else if (part.number == 3) {
                port.shape = parseShape(file, part);
            }
        }
    }
    return port;
}

SignatureDef parseSignatureDef(std::span<const std::byte> file, const WireField& field)
{
    const MapEntry entry = mapEntryOf(file, field);
    SignatureDef signature{.name = entry.key, .method = {}, .inputs = {}, .outputs = {}};
    if (entry.value.number != 0) {
        WireReader reader = messageOf(file, entry.value);
        for (WireField part; reader.next(part);) {
            if (part.number == 1) {
                signature.inputs.push_back(parsePort(file, part));
            } else if (part.number == 2) {
                signature.outputs.push_back(parsePort(file, part));
            } else if (part.number == 3) {
                signature.method = textOf(part);
            }
        }
    }
    const auto byKey = [](const SignatureDef::Port& a, const SignatureDef::Port& b) { return a.key < b.key; };
    std::sort(signature.inputs.begin(), signature.inputs.end(), byKey);
    std::sort(signature.outputs.begin(), signature.outputs.end(), byKey);
    return signature;
}

CollectionDef parseCollection(std::span<const std::byte> file, const WireField& field)
{
    const MapEntry entry = mapEntryOf(file, field);
    CollectionDef collection{.name = entry.key, .nodes = {}, .bytes = {}};
    if (entry.value.number == 0) {
        return collection;
    }
    WireReader reader = messageOf(file, entry.value);
    for (WireField kind; reader.next(kind);) {
        if (kind.number != 1 && kind.number != 2) {
            continue;
        }
        WireReader list = messageOf(file, kind);
        for (WireField item; list.next(item);) {
            if (item.number == 1 && kind.number == 1) {
                collection.nodes.push_back(textOf(item));
            } else if (item.number == 1) {
                collection.bytes.push_back(bytesOf(item));
            }
        }
    }
    return collection;
}

AssetFileDef parseAsset(std::span<const std::byte> file, const WireField& field)
{
    AssetFileDef asset;
    WireReader reader = messageOf(file, field);
    for (WireField part; reader.next(part);) {
        if (part.number == 1) {
            WireReader info = messageOf(file, part);
            for (WireField item; info.next(item);) {
                asset.tensor = item.number == 1 ? textOf(item) : asset.tensor;
            }
        } else if (part.number == 2) {
            asset.filename = textOf(part);
        }
    }
    return asset;
}

/// The assets of a SavedModel of TensorFlow 1, which lie in a collection: AnyList of AssetFileDef.
std::vector<AssetFileDef> parseAssetCollection(std::span<const std::byte> file, const WireField& field)
{
    std::vector<AssetFileDef> assets;
    const MapEntry entry = mapEntryOf(file, field);
    if (entry.key != "saved_model_assets" || entry.value.number == 0) {
        return assets;
    }
    WireReader reader = messageOf(file, entry.value);
    for (WireField kind; reader.next(kind);) {
        if (kind.number != 5) {
            continue;
        }
        WireReader list = messageOf(file, kind);
        for (WireField item; list.next(item);) {
            WireReader any = messageOf(file, item);
            for (WireField part; any.next(part);) {
                if (part.number == 2) {
                    assets.push_back(parseAsset(file, part));
                }
            }
        }
    }
    return assets;
}

/// The tags of a MetaGraphDef, without the rest of it.
std::vector<std::string_view> tagsOf(std::span<const std::byte> file, const WireField& field)
{
    MetaGraphDef meta;
    WireReader reader = messageOf(file, field);
    for (WireField part; reader.next(part);) {
        if (part.number == 1) {
            parseInfo(file, part, meta);
        }
    }
    return meta.tags;
}

} // namespace

MetaGraphDef parseMetaGraph(std::span<const std::byte> file, std::size_t begin, std::size_t end,
                            const std::function<void()>& checkStop)
{
    MetaGraphDef meta;
    bool hasGraph = false;
    std::vector<AssetFileDef> collected;
    WireReader reader(file, begin, end);
    for (WireField part; reader.next(part);) {
        switch (part.number) {
        case 1:
            parseInfo(file, part, meta);
            break;
        case 2:
            bytesOf(part);
            meta.graph = parseGraphDef(file, part.payloadBegin, part.end, checkStop);
            hasGraph = true;
            break;
        case 3:
            meta.saver = parseSaver(file, part);
            break;
        case 4:
            meta.collections.push_back(parseCollection(file, part));
            collected = parseAssetCollection(file, part);
            meta.assets.insert(meta.assets.end(), collected.begin(), collected.end());
            break;
        case 5:
            meta.signatures.push_back(parseSignatureDef(file, part));
            break;
        case 6:
            meta.assets.push_back(parseAsset(file, part));
            break;
        case 7:
            meta.isObjectBased = !bytesOf(part).empty();
            break;
        default:
            break;
        }
    }
    if (!hasGraph) {
        throw ModelError("damaged", "the file has no graph");
    }
    const auto byName = [](const auto& a, const auto& b) { return a.name < b.name; };
    std::sort(meta.signatures.begin(), meta.signatures.end(), byName);
    std::sort(meta.collections.begin(), meta.collections.end(), byName);
    return meta;
}

MetaGraphDef parseSavedModel(std::span<const std::byte> file, std::span<const std::string> tags,
                             const std::function<void()>& checkStop)
{
    const std::set<std::string_view> wanted(tags.begin(), tags.end());
    std::vector<WireField> graphs;
    WireReader reader(file, 0, file.size());
    for (WireField part; reader.next(part);) {
        if (part.number == 2) {
            graphs.push_back(part);
        }
    }
    const WireField* chosen = nullptr;
    std::size_t fewest = 0;
    std::vector<std::string> all;
    for (const WireField& graph : graphs) {
        const std::vector<std::string_view> own = tagsOf(file, graph);
        all.push_back(fmt::format("{}", fmt::join(own, ",")));
        const bool isWanted = wanted.empty() ? std::find(own.begin(), own.end(), "serve") != own.end()
                                             : std::set(own.begin(), own.end()) == wanted;
        if (isWanted && (chosen == nullptr || own.size() < fewest)) {
            chosen = &graph;
            fewest = own.size();
        }
    }
    if (graphs.empty()) {
        throw ModelError("damaged", "the SavedModel has no graph");
    }
    if (chosen == nullptr && !wanted.empty()) {
        throw ModelError("unknown-tags",
                         fmt::format("no graph of the SavedModel has the tags {}", fmt::join(tags, ",")),
                         fmt::format("its graphs have the tags {}", fmt::join(all, "; ")));
    }
    chosen = chosen != nullptr ? chosen : &graphs.front();
    MetaGraphDef meta = parseMetaGraph(file, chosen->payloadBegin, chosen->end, checkStop);
    all.erase(all.begin() + (chosen - graphs.data()));
    meta.otherTags = std::move(all);
    return meta;
}

} // namespace crosswalk::tensorflow
