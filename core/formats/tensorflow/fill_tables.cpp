#include "core/formats/tensorflow/fill_tables.h"

#include "core/formats/tensorflow/node_attributes.h"
#include "core/formats/tensorflow/table_file.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <map>
#include <optional>

namespace crosswalk::tensorflow {
namespace {

struct Content {
    Tensor keys;
    Tensor values;
};

/// The main graph, or a function with the node of the main graph that calls it.
struct CalledGraph {
    const Graph& graph;
    const Node* call = nullptr;
};

/// A table that is filled once and then only read.
bool isFixedTable(const Node& node)
{
    return node.op == "HashTable" || node.op == "HashTableV2";
}

class TableFiller {
public:
    TableFiller(const Graph& graph, std::span<const AssetFileDef> assets, const ModelSource& source,
                const std::string& assetFolder)
        : m_graph(graph)
        , m_assets(assets)
        , m_source(source)
        , m_assetFolder(assetFolder)
    {
    }

    /// The content of tables by their nodes. A table is filled once: two contents are none.
    std::map<NodeId, Content> find()
    {
        visit({m_graph});
        for (const Node& node : m_graph.nodes()) {
            m_source.checkStop();
            const auto* called = attributeOf<Boxed<FunctionReference>>(node, "f");
            const Graph* body = m_graph.findFunction(called != nullptr ? (*called)->name : node.op);
            if (body != nullptr && body->inputs.size() == node.inputs.size()) {
                visit({*body, &node});
            }
        }
        std::erase_if(m_contents, [&](const auto& filled) { return m_fillers[filled.first] > 1; });
        return std::move(m_contents);
    }

private:
    void visit(const CalledGraph& scope)
    {
        for (const Node& node : scope.graph.nodes()) {
            const bool isFromFile = node.op.starts_with("InitializeTableFromTextFile");
            const bool isFromValues = node.op == "InitializeTable" || node.op == "InitializeTableV2" ||
                                      node.op.starts_with("LookupTableImport");
            if ((isFromFile && node.inputs.size() == 2) || (isFromValues && node.inputs.size() == 3)) {
                const NodeId table = producerOf(scope, node.inputs[0]);
                if (!table || !isFixedTable(m_graph.node(table))) {
                    continue;
                }
                ++m_fillers[table];
                if (auto content = isFromFile ? fromFile(scope, node, m_graph.node(table)) : fromValues(scope, node)) {
                    m_contents.emplace(table, std::move(*content));
                }
            }
        }
    }

    /// The node of the main graph that computes a value of the scope; none for others.
    NodeId producerOf(const CalledGraph& scope, ValueId value) const
    {
        const ValueId outer = inMainGraph(scope, value);
        return outer ? m_graph.value(withoutIdentities(m_graph, outer)).producer : NodeId{};
    }

    static ValueId withoutIdentities(const Graph& graph, ValueId value)
    {
        for (std::size_t i = 0; value && i < graph.nodeCount(); ++i) {
            const NodeId producer = graph.value(value).producer;
            if (!producer || graph.node(producer).op != "Identity" || graph.node(producer).inputs.empty() ||
                !graph.node(producer).inputs[0]) {
                break;
            }
            value = graph.node(producer).inputs[0];
        }
        return value;
    }

    /// What the caller passes for an argument of a function.
    static ValueId inMainGraph(const CalledGraph& scope, ValueId value)
    {
        if (!value || scope.call == nullptr) {
            return value;
        }
        const auto& inputs = scope.graph.inputs;
        const auto argument = std::ranges::find(inputs, withoutIdentities(scope.graph, value));
        return argument != inputs.end() ? scope.call->inputs[static_cast<std::size_t>(argument - inputs.begin())]
                                        : ValueId{};
    }

    const Tensor* constantAt(const CalledGraph& scope, ValueId value) const
    {
        const auto constant = [](const Graph& graph, ValueId at) -> const Tensor* {
            const NodeId producer = at ? graph.value(withoutIdentities(graph, at)).producer : NodeId{};
            if (!producer || graph.node(producer).op != "Const") {
                return nullptr;
            }
            const auto* content = attributeOf<TensorId>(graph.node(producer), "value");
            return content != nullptr ? &graph.tensor(*content) : nullptr;
        };
        const Tensor* own = constant(scope.graph, value);
        return own != nullptr || scope.call == nullptr ? own : constant(m_graph, inMainGraph(scope, value));
    }

    std::optional<Content> fromValues(const CalledGraph& scope, const Node& node) const
    {
        const Tensor* keys = constantAt(scope, node.inputs[1]);
        const Tensor* values = constantAt(scope, node.inputs[2]);
        if (keys == nullptr || values == nullptr || keys->elements() != values->elements()) {
            return std::nullopt;
        }
        const auto count = static_cast<std::int64_t>(keys->elements());
        return Content{keys->reshaped({count}), values->reshaped({count})};
    }

    /// What the main graph assigns to the variable whose content a value is, if it does so once; else the value.
    ValueId assignedTo(ValueId content) const
    {
        const NodeId read = m_graph.value(content).producer;
        if (!read || m_graph.node(read).op != "ReadVariableOp" || m_graph.node(read).inputs.empty()) {
            return content;
        }
        const ValueId variable = m_graph.node(read).inputs[0];
        ValueIds assigned;
        for (const Node& node : m_graph.nodes()) {
            if (node.op == "AssignVariableOp" && node.inputs.size() == 2 && node.inputs[0] == variable) {
                assigned.push_back(node.inputs[1]);
            }
        }
        return assigned.size() == 1 ? withoutIdentities(m_graph, assigned.front()) : content;
    }

    std::optional<Content> fromFile(const CalledGraph& scope, const Node& node, const Node& table) const
    {
        const ValueId path = inMainGraph(scope, node.inputs[1]);
        const ValueId source = path ? assignedTo(withoutIdentities(m_graph, path)) : path;
        const NodeId holder = source ? m_graph.value(source).producer : NodeId{};
        const auto asset = std::ranges::find_if(m_assets, [&](const AssetFileDef& each) {
            return holder && (each.tensor == m_graph.value(source).name || each.tensor == m_graph.node(holder).name);
        });
        const auto* keys = attributeOf<ElementType>(table, "key_dtype");
        const auto* values = attributeOf<ElementType>(table, "value_dtype");
        if (asset == m_assets.end() || keys == nullptr || values == nullptr ||
            !m_source.contains(m_assetFolder + std::string(asset->filename))) {
            return std::nullopt;
        }
        TableFile file;
        file.keyColumn = settingOf<std::int64_t>(node, "key_index", 0);
        file.valueColumn = settingOf<std::int64_t>(node, "value_index", 0);
        file.size = settingOf<std::int64_t>(node, "vocab_size", -1);
        file.skipped = settingOf<std::int64_t>(node, "offset", 0);
        if (const auto* bytes = attributeOf<RawBytes>(node, "delimiter")) { // a tab is not printable
            file.delimiter = bytes->bytes;
        } else {
            file.delimiter = settingOf<std::string>(node, "delimiter", "\t");
        }
        auto columns =
            readTableFile(*m_source.open(m_assetFolder + std::string(asset->filename)), file, *keys, *values);
        return columns ? std::optional(Content{std::move(columns->first), std::move(columns->second)}) : std::nullopt;
    }

    const Graph& m_graph;
    std::span<const AssetFileDef> m_assets;
    const ModelSource& m_source;
    const std::string& m_assetFolder;
    std::map<NodeId, Content> m_contents;
    std::map<NodeId, int> m_fillers;
};

} // namespace

void fillTables(Graph& graph, std::span<const AssetFileDef> assets, const ModelSource& source,
                const std::string& assetFolder)
{
    for (auto& [table, content] : TableFiller(graph, assets, source, assetFolder).find()) {
        const TensorId keys = graph.addTensor(std::move(content.keys));
        const TensorId values = graph.addTensor(std::move(content.values));
        graph.node(table).attributes.push_back({.name = "keys", .value = keys});
        graph.node(table).attributes.push_back({.name = "values", .value = values});
    }
}

} // namespace crosswalk::tensorflow
