#include "ui/models/outline.h"

#include "core/layout/scopes.h"
#include "ui/models/search_text.h"

#include <algorithm>
#include <map>

namespace crosswalk::ui {
namespace {

/// The words of a query, longest first: few texts contain it.
std::vector<std::string> wordsOf(std::string_view query)
{
    std::vector<std::string> words(1);
    for (const char c : searchForm(query)) {
        if (c == ' ') {
            words.emplace_back();
        } else {
            words.back().push_back(c);
        }
    }
    std::erase(words, std::string());
    std::sort(words.begin(), words.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
    return words;
}

bool holdsAll(std::string_view text, std::span<const std::string> words)
{
    return std::all_of(words.begin(), words.end(),
                       [text](const std::string& word) { return text.find(word) != std::string_view::npos; });
}

/// The first start after a position. Searches near positions first: a single letter occurs in nearly every text.
std::vector<std::size_t>::const_iterator startBehind(std::vector<std::size_t>::const_iterator from,
                                                     std::vector<std::size_t>::const_iterator end, std::size_t place)
{
    std::ptrdiff_t step = 1;
    while (step < end - from && from[step] <= place) {
        from += step;
        step *= 2;
    }
    return std::upper_bound(from, from + std::min(step + 1, end - from), place);
}

/// Nodes that are drawn as part of others, by the box that contains them. Unnamed constants are omitted.
std::vector<NodeId> foldedNodes(const Scene& scene, const Graph& graph)
{
    std::vector<NodeId> folded;
    for (std::uint32_t i = 0; i < scene.ofNode.size(); ++i) {
        const std::uint32_t box = scene.ofNode[i];
        const NodeId id{i};
        if (box < scene.nodes.size() && scene.nodes[box].node != id && !graph.node(id).inputs.empty()) {
            folded.push_back(id);
        }
    }
    std::stable_sort(folded.begin(), folded.end(),
                     [&](NodeId a, NodeId b) { return scene.ofNode[a.index] < scene.ofNode[b.index]; });
    return folded;
}

} // namespace

Outline::Outline(const Scene& scene, const Graph& graph, const KnownTypes& types, const Outline* alike)
{
    const auto folded = foldedNodes(scene, graph);
    m_tree = alike != nullptr ? alike->m_tree : std::make_shared<const Tree>(scene, graph, folded);

    m_starts.reserve(scene.nodes.size());
    std::string block; // its memory is used again
    auto next = folded.begin();
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
        m_starts.push_back(block.size());
        appendSearchText(block, scene.nodes[i], graph, types);
        for (; next != folded.end() && scene.ofNode[next->index] == i; ++next) {
            appendSearchText(block, graph.node(*next));
        }
        if (i % blockSize == blockSize - 1 || i + 1 == scene.nodes.size()) {
            m_blocks.push_back(block);
            block.clear();
        }
    }
}

Outline::Tree::Tree(const Scene& scene, const Graph& graph, std::span<const NodeId> folded)
{
    place(scene, graph, folded);
    foldLonelyScopes();
    putFoldedLast();
    places.resize(scene.nodes.size());
    number(0);
}

void Outline::Tree::place(const Scene& scene, const Graph& graph, std::span<const NodeId> folded)
{
    scopes.emplace_back();
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t, std::less<>> known;
    const auto scopeFor = [&](std::string_view name) {
        std::uint32_t at = 0;
        for (const auto part : scopesOf(name)) {
            const auto [found, isNew] =
                known.try_emplace({at, std::string(part)}, static_cast<std::uint32_t>(scopes.size()));
            if (isNew) {
                scopes[at].children.push_back({true, found->second});
                scopes.push_back({std::string(part), at, 0, {}, 0, 0});
            }
            at = found->second;
        }
        return at;
    };
    auto next = folded.begin();
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
        for (; next != folded.end() && scene.ofNode[next->index] == i; ++next) {
            const std::uint32_t at = scopeFor(graph.node(*next).name);
            scopes[at].children.push_back({false, i, *next});
        }
        const auto& node = scene.nodes[i];
        const std::uint32_t at =
            node.kind == SceneNode::Kind::Operator ? scopeFor(node.fullName.empty() ? node.name : node.fullName) : 0;
        scopes[at].children.push_back({false, i});
    }
}

void Outline::Tree::foldLonelyScopes()
{
    // Children follow their parents. In reverse order, every scope is complete before its parent is visited.
    for (std::size_t s = scopes.size(); s-- > 0;) {
        for (auto& child : scopes[s].children) {
            while (child.isScope) {
                Scope& inner = scopes[child.index];
                if (inner.children.size() != 1) {
                    break;
                }
                const auto only = inner.children.front();
                if (only.isScope) {
                    scopes[only.index].name = inner.name + "/" + scopes[only.index].name;
                }
                child = only;
            }
        }
    }
}

void Outline::Tree::putFoldedLast()
{
    // In reverse order, as above. A scope counts as folded if nothing in it is shown.
    for (std::size_t s = scopes.size(); s-- > 0;) {
        auto& children = scopes[s].children;
        const auto isShown = [this](const Scope::Child& child) {
            return child.isScope ? scopes[child.index].shown > 0 : !child.folded;
        };
        const auto folded = std::stable_partition(children.begin(), children.end(), isShown);
        scopes[s].shown = static_cast<std::uint32_t>(folded - children.begin());
    }
}

void Outline::Tree::number(std::uint32_t scope)
{
    struct Open {
        std::uint32_t scope;
        std::uint32_t next;
    };
    std::vector<Open> open{{scope, 0}};
    while (!open.empty()) {
        auto& [at, next] = open.back();
        if (next == scopes[at].children.size()) {
            const auto done = at;
            open.pop_back();
            if (!open.empty()) {
                scopes[open.back().scope].boxes += scopes[done].boxes;
            }
            continue;
        }
        const auto row = next++;
        const auto child = scopes[at].children[row];
        if (child.isScope) {
            scopes[child.index].parent = at;
            scopes[child.index].row = row;
            open.push_back({child.index, 0});
        } else if (!child.folded) {
            places[child.index] = {at, row};
            ++scopes[at].boxes;
        }
    }
}

std::string_view Outline::textOf(std::uint32_t box) const
{
    const std::string_view block = m_blocks[box / blockSize];
    const bool isLast = box % blockSize == blockSize - 1 || box + 1 == boxCount();
    return block.substr(m_starts[box], isLast ? std::string_view::npos : m_starts[box + 1] - m_starts[box]);
}

void Outline::find(std::string_view query, Found& found, std::size_t most) const
{
    const auto words = wordsOf(query);
    if (words.empty()) {
        return;
    }
    // Search the texts of a block for the first word at once, and the matches for the others.
    while (found.next < boxCount()) {
        const std::uint32_t block = found.next / blockSize;
        const std::uint32_t end = std::min(boxCount(), (block + 1) * blockSize);
        auto start = m_starts.cbegin() + found.next;
        while (found.next < end) {
            if (found.boxes.size() >= most) {
                return;
            }
            const std::size_t at = m_blocks[block].find(words.front(), *start);
            if (at == std::string::npos) {
                found.next = end;
                break;
            }
            start = startBehind(start, m_starts.cbegin() + end, at);
            found.next = static_cast<std::uint32_t>(start - m_starts.begin());
            if (holdsAll(textOf(found.next - 1), std::span(words).subspan(1))) {
                found.boxes.push_back(found.next - 1);
            }
        }
    }
}

std::vector<std::uint32_t> Outline::find(std::string_view query, std::size_t most) const
{
    Found found;
    find(query, found, most);
    return found.boxes;
}

void Outline::narrow(std::string_view query, Found& found) const
{
    const auto words = wordsOf(query);
    std::erase_if(found.boxes, [&](std::uint32_t box) { return !holdsAll(textOf(box), words); });
}

std::string_view Outline::reason(std::string_view query, std::uint32_t box) const
{
    const std::string_view text = textOf(box);
    const std::size_t nameEnd = text.find('\n');
    const std::size_t seen = text.find('\n', nameEnd + 1); // the operator follows the name
    for (const std::string& word : wordsOf(query)) {
        const std::size_t at = text.find(word);
        if (at > seen && at != std::string_view::npos) {
            const std::size_t start = text.rfind('\n', at) + 1;
            return text.substr(start, text.find('\n', at) - start);
        }
    }
    return {};
}

} // namespace crosswalk::ui
