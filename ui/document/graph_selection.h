#pragma once

#include "ui/document/graph_side.h"

#include <QObject>

#include <cstdint>
#include <optional>
#include <vector>

namespace crosswalk::ui {

class Document;

/// The selected boxes of one side of a document, and their counterparts on the other side.
class Selection final : public QObject {
    Q_OBJECT
public:
    explicit Selection(Document& document);

    Side side() const { return m_side; }
    /// Ascending.
    const std::vector<std::uint32_t>& boxes() const { return m_boxes; }
    bool isEmpty() const { return m_boxes.empty(); }
    const std::vector<std::uint32_t>& counterparts() const { return m_counterparts; }
    void select(Side side, std::vector<std::uint32_t> boxes);
    void selectNode(Side side, NodeId node);
    /// The source node of the selected box if there is exactly one: the node itself, or its only source.
    std::optional<NodeId> sourceNode() const;

    /// The source nodes of all selected boxes: the nodes themselves, or their sources.
    std::vector<NodeId> sourceNodes() const;

    // For the document, which announces the change together with others:
    void set(Side side, std::vector<std::uint32_t> boxes);
    void reset();
    /// Follows the graphs of a new conversion.
    void remap();

signals:
    void changed();

private:
    Document& m_document;
    Side m_side = Side::Source;
    std::vector<std::uint32_t> m_boxes;
    std::vector<std::uint32_t> m_counterparts;
};

} // namespace crosswalk::ui
