#pragma once

#include "core/layout/scene.h"
#include "ui/models/known_types.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crosswalk::ui {

/// The boxes of a scene grouped by the scopes in their names ("stage1_unit2_conv1", "/encoder/layer.0/MatMul"), and the
/// text that a search covers. Built in the background.
class Outline {
public:
    struct Scope {
        std::string name;
        std::uint32_t parent = 0;
        std::uint32_t row = 0; ///< index within the parent
        struct Child {
            bool isScope;
            std::uint32_t index; ///< of a scope or of a box
            NodeId folded = {};  ///< a node that is drawn as part of that box
        };
        /// Folded nodes, and scopes of nothing else, follow the others.
        std::vector<Child> children;
        std::uint32_t shown = 0; ///< number of children before these
        std::uint32_t boxes = 0; ///< number of boxes in it and its descendants
    };

    /// The results of a search so far.
    struct Found {
        std::vector<std::uint32_t> boxes; ///< ascending
        std::uint32_t next = 0;           ///< the first box that has not been searched yet
    };

    /// `alike` is an outline of the same boxes and nodes, whose scopes this one shares, or null.
    Outline(const Scene& scene, const Graph& graph, const KnownTypes& types, const Outline* alike = nullptr);

    std::uint32_t boxCount() const { return static_cast<std::uint32_t>(m_tree->places.size()); }
    const Scope& scope(std::uint32_t index) const { return m_tree->scopes[index]; } ///< 0 is the root
    /// Scope and row of a box.
    std::pair<std::uint32_t, std::uint32_t> placeOf(std::uint32_t box) const { return m_tree->places[box]; }
    /// Continues the search for boxes whose search text, or that of a node folded into them, contains every word of the
    /// query.
    void find(std::string_view query, Found& found, std::size_t most) const;
    std::vector<std::uint32_t> find(std::string_view query, std::size_t most) const;
    /// Keeps only the boxes that match a longer query.
    void narrow(std::string_view query, Found& found) const;
    /// The line of a box's search text that matched; empty if the name or the operator did.
    std::string_view reason(std::string_view query, std::uint32_t box) const;

private:
    struct Tree {
        std::vector<Scope> scopes;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> places;

        Tree(const Scene& scene, const Graph& graph, std::span<const NodeId> folded);
        void place(const Scene& scene, const Graph& graph, std::span<const NodeId> folded);
        void foldLonelyScopes();
        void putFoldedLast();
        void number(std::uint32_t scope);
    };

    std::string_view textOf(std::uint32_t box) const;

    std::shared_ptr<const Tree> m_tree;
    static constexpr std::uint32_t blockSize = 4096;
    std::vector<std::string> m_blocks; ///< the texts of so many boxes each, in lower case
    std::vector<std::size_t> m_starts; ///< of each box's text in its block
};

} // namespace crosswalk::ui
