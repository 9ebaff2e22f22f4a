#include "core/formats/mxnet/symbol_json.h"

#include "core/base/check_stop.h"
#include "core/formats/json_errors.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <simdjson.h>
#include <unordered_set>

namespace crosswalk::mxnet {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

struct Storage {
    simdjson::dom::parser parser;
    simdjson::padded_string text;
};

[[noreturn]] void damagedSymbol(std::string message)
{
    throw ModelError("damaged", std::move(message));
}

// Text of the file in a message: truncated, so that the message stays one line.
std::string quoted(std::string_view text)
{
    return fmt::format("'{}'", text.substr(0, 80));
}

std::string nodeText(const SymbolNode& node, std::size_t index)
{
    return node.name.empty() ? fmt::format("node {}", index) : fmt::format("node {} {}", index, quoted(node.name));
}

/// The subject of a message: formatted only if there is a message.
struct Place {
    std::string_view part;  ///< "'inputs'", empty for the whole
    std::string_view owner; ///< "the file"; empty for a node
    std::size_t node = 0;

    std::string text() const
    {
        const std::string whole = owner.empty() ? fmt::format("node {}", node) : std::string(owner);
        return part.empty() ? whole : fmt::format("{} of {}", part, whole);
    }
};

array asArray(element value, const Place& place)
{
    array items;
    if (value.get(items) != simdjson::SUCCESS) {
        damagedSymbol(fmt::format("{} is not a list", place.text()));
    }
    return items;
}

object asObject(element value, const Place& place)
{
    object fields;
    if (value.get(fields) != simdjson::SUCCESS) {
        damagedSymbol(fmt::format("{} is not a JSON object", place.text()));
    }
    return fields;
}

std::string_view asText(element value, const Place& place)
{
    std::string_view characters;
    if (value.get(characters) != simdjson::SUCCESS) {
        damagedSymbol(fmt::format("{} is not a string", place.text()));
    }
    return characters;
}

std::uint32_t asIndex(element value, const Place& place)
{
    std::uint64_t number = 0;
    if (value.get(number) != simdjson::SUCCESS || number >= std::numeric_limits<std::uint32_t>::max()) {
        damagedSymbol(fmt::format("a number in {} is not an index", place.text()));
    }
    return static_cast<std::uint32_t>(number);
}

/// Reads one graph object, and those of its subgraph nodes.
class GraphParser {
public:
    GraphParser(SymbolGraph& graph, const std::stop_token& stop)
        : m_graph(graph)
        , m_stop(stop)
    {
    }

    void parse(object fields, std::string_view what)
    {
        const array nodes = asArray(required(fields, "nodes", what), {"'nodes'", what});
        m_graph.nodes.reserve(nodes.size());
        for (const element item : nodes) {
            checkStop(m_stop);
            SymbolNode node;
            node.attributes.first = sizeOf(m_graph.attributes);
            node.inputs.first = sizeOf(m_graph.inputs);
            node.subgraphs.first = sizeOf(m_graph.subgraphs);
            parseNode(item, node);
            node.attributes.count = sizeOf(m_graph.attributes) - node.attributes.first;
            node.inputs.count = sizeOf(m_graph.inputs) - node.inputs.first;
            node.subgraphs.count = sizeOf(m_graph.subgraphs) - node.subgraphs.first;
            m_graph.nodes.push_back(node);
        }
        const Place heads = {"'heads'", what};
        for (const element item : asArray(required(fields, "heads", what), heads)) {
            m_graph.heads.push_back(parseEntry(item, heads));
        }
        if (element arguments; fields["arg_nodes"].get(arguments) == simdjson::SUCCESS) {
            const Place place = {"'arg_nodes'", what};
            for (const element item : asArray(arguments, place)) {
                m_graph.arguments.push_back(asIndex(item, place));
            }
        }
        check(what);
    }

private:
    template <typename T>
    static std::uint32_t sizeOf(const std::vector<T>& pool)
    {
        return static_cast<std::uint32_t>(pool.size());
    }

    static element required(object fields, std::string_view key, std::string_view what)
    {
        element value;
        if (fields[key].get(value) != simdjson::SUCCESS) {
            damagedSymbol(fmt::format("{} has no '{}'", what, key));
        }
        return value;
    }

    /// A part of the node that is being read.
    Place here(std::string_view part = {}) const { return {part, {}, m_graph.nodes.size()}; }

    void parseNode(element item, SymbolNode& node)
    {
        bool hasOp = false;
        std::optional<element> parameters;
        std::optional<element> attributes;
        for (const auto [key, value] : asObject(item, here())) {
            if (key == "op") {
                node.op = asText(value, here("'op'"));
                hasOp = true;
            } else if (key == "name") {
                node.name = asText(value, here("'name'"));
            } else if (key == "inputs") {
                for (const element entry : asArray(value, here("'inputs'"))) {
                    m_graph.inputs.push_back(parseEntry(entry, here("'inputs'")));
                }
            } else if (key == "param") {
                parameters = value;
            } else if (key == "attrs" || key == "attr") {
                attributes = value;
            } else if (key == "subgraphs") {
                parseSubgraphs(asArray(value, here("'subgraphs'")));
            }
        }
        if (!hasOp) {
            damagedSymbol(fmt::format("{} has no 'op'", here().text()));
        }
        if (parameters) {
            parseAttributes(*parameters);
        }
        // Next to `param` (up to 0.8), `attr` contains the user's attributes: meaningful only on variables.
        if (attributes && (!parameters || node.isVariable())) {
            parseAttributes(*attributes);
        }
        dropRepeated(node.attributes.first);
    }

    /// MXNet uses the last value of a duplicate key.
    void dropRepeated(std::uint32_t first)
    {
        auto& all = m_graph.attributes;
        const auto begin = all.begin() + first;
        m_keys.clear();
        std::transform(begin, all.end(), std::back_inserter(m_keys),
                       [](const auto& attribute) { return attribute.key; });
        std::sort(m_keys.begin(), m_keys.end());
        if (std::adjacent_find(m_keys.begin(), m_keys.end()) == m_keys.end()) {
            return;
        }
        std::unordered_set<std::string_view> later;
        const auto isRepeated = [&](const SymbolAttribute& attribute) { return !later.insert(attribute.key).second; };
        const auto kept =
            std::remove_if(std::make_reverse_iterator(all.end()), std::make_reverse_iterator(begin), isRepeated);
        all.erase(begin, kept.base());
    }

    void parseSubgraphs(array subgraphs)
    {
        for (const element subgraph : subgraphs) {
            const std::string what = fmt::format("a subgraph of {}", here().text());
            GraphParser(m_graph.subgraphs.emplace_back(), m_stop).parse(asObject(subgraph, {{}, what}), what);
        }
    }

    void parseAttributes(element item)
    {
        for (const auto [name, value] : asObject(item, here("'attrs'"))) {
            m_graph.attributes.push_back({name, asText(value, here(name))});
        }
    }

    static SymbolEntry parseEntry(element item, const Place& place)
    {
        const array numbers = asArray(item, place);
        // The third number, a version of auxiliary states, matters only in training.
        if (numbers.size() != 2 && numbers.size() != 3) {
            damagedSymbol(fmt::format("an entry in {} has {} numbers", place.text(), numbers.size()));
        }
        return {asIndex(numbers.at(0).value_unsafe(), place), asIndex(numbers.at(1).value_unsafe(), place)};
    }

    void check(std::string_view what) const
    {
        const std::size_t count = m_graph.nodes.size();
        for (std::size_t i = 0; i < count; ++i) {
            const SymbolNode& node = m_graph.nodes[i];
            if (node.isVariable() && node.inputs.count > 0) {
                damagedSymbol(fmt::format("{} is a variable and has inputs", nodeText(node, i)));
            }
            for (const SymbolEntry entry : node.inputs.of(m_graph.inputs)) {
                checkInput(node, i, entry);
            }
        }
        if (m_graph.heads.empty()) {
            damagedSymbol(fmt::format("{} has no outputs: 'heads' is empty", what));
        }
        for (const SymbolEntry head : m_graph.heads) {
            if (head.node >= count) {
                damagedSymbol(fmt::format("an output refers to node {}, but there are {} nodes", head.node, count));
            }
        }
        for (const std::uint32_t argument : m_graph.arguments) {
            if (argument >= count || !m_graph.nodes[argument].isVariable()) {
                damagedSymbol(
                    fmt::format("'arg_nodes' of {} refers to node {}, which is not a variable", what, argument));
            }
        }
    }

    void checkInput(const SymbolNode& node, std::size_t index, SymbolEntry entry) const
    {
        if (entry.node >= m_graph.nodes.size()) {
            damagedSymbol(fmt::format("{} reads node {}, but there are {} nodes", nodeText(node, index), entry.node,
                                      m_graph.nodes.size()));
        }
    }

    SymbolGraph& m_graph;
    const std::stop_token& m_stop;
    std::vector<std::string_view> m_keys; ///< of one node; a member to reuse its memory
};

/// The value of a file attribute, which is stored with its type: ["int", 10901].
element inner(element value)
{
    array pair;
    return value.get(pair) == simdjson::SUCCESS && pair.size() == 2 ? pair.at(1).value_unsafe() : value;
}

std::string metadataText(element value)
{
    std::string_view characters;
    return value.get(characters) == simdjson::SUCCESS ? std::string(characters) : simdjson::minify(value);
}

void readMetadata(object fields, SymbolFile& file)
{
    element attributes;
    if (fields["attrs"].get(attributes) != simdjson::SUCCESS) {
        return;
    }
    for (const auto [key, value] : asObject(attributes, {"'attrs'", "the file"})) {
        file.metadata.emplace(key, metadataText(inner(value)));
        std::int64_t number = 0;
        if (inner(value).get(number) != simdjson::SUCCESS) {
            continue;
        }
        if (key == "mxnet_version") {
            file.version = number;
        } else if (key == "is_np_shape") {
            file.numpyShape = number != 0;
        }
    }
}

} // namespace

SymbolFile parseSymbol(std::string_view text, const std::stop_token& stop)
{
    constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(byteOrderMark)) {
        text.remove_prefix(byteOrderMark.size());
    }
    auto storage = std::make_shared<Storage>();
    storage->text = simdjson::padded_string(text);
    element root;
    if (const auto error = storage->parser.parse(storage->text).get(root); error != simdjson::SUCCESS) {
        throwJsonError(text, error);
    }
    SymbolFile file;
    const object fields = asObject(root, {{}, "the file"});
    readMetadata(fields, file);
    GraphParser(file.graph, stop).parse(fields, "the file");
    file.storage = std::move(storage);
    return file;
}

std::string versionText(std::int64_t version)
{
    return version > 0 ? fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100) : "";
}

} // namespace crosswalk::mxnet
