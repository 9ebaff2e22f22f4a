#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::mxnet {

/// An edge's end: output `output` of node `node`.
struct SymbolEntry {
    std::uint32_t node = 0;
    std::uint32_t output = 0;
};

struct SymbolAttribute {
    std::string_view key;
    std::string_view value;
};

/// A range in one of the pools of its SymbolGraph.
struct SymbolRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;

    template <typename T>
    std::span<const T> of(const std::vector<T>& pool) const
    {
        return std::span(pool).subspan(first, count);
    }
};

struct SymbolNode {
    std::string_view op; ///< "null" for a variable
    std::string_view name;
    SymbolRange attributes;
    SymbolRange inputs;
    SymbolRange subgraphs;

    bool isVariable() const { return op == "null"; }
};

/// The nodes of a symbol file as stored. Every entry refers to an existing node.
struct SymbolGraph {
    std::vector<SymbolNode> nodes;
    std::vector<SymbolAttribute> attributes;
    std::vector<SymbolEntry> inputs;
    std::vector<SymbolGraph> subgraphs;
    std::vector<SymbolEntry> heads;
    std::vector<std::uint32_t> arguments; ///< `arg_nodes`: the variables; empty if the file does not list them
};

/// A symbol file of any generation (`param`, `attr` or `attrs`; entries of two or three numbers).
struct SymbolFile {
    SymbolGraph graph;
    /// major * 10000 + minor * 100 + patch; nothing for 0.8 and before.
    std::int64_t version = 0;
    bool numpyShape = false;                     ///< dimension 0 is empty, -1 unknown
    std::map<std::string, std::string> metadata; ///< the file's own `attrs`, as text
    std::shared_ptr<const void> storage;         ///< the storage of the texts
};

/// Parses the text. Throws ModelError "truncated" if the text ends too early, "damaged" for other errors: invalid JSON,
/// a wrong type, a dangling edge; "cancelled".
SymbolFile parseSymbol(std::string_view text, const std::stop_token& stop = {});

/// "1.9.1" of 10901; empty for 0.
std::string versionText(std::int64_t version);

} // namespace crosswalk::mxnet
