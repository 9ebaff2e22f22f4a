#pragma once

#include "core/convert/options.h"
#include "core/graph/graph.h"
#include "core/rewrite/rename_ports.h"

#include <QDialog>

#include <unordered_set>

class QLabel;
class QPushButton;
class QTableWidget;

namespace crosswalk::ui {

/// Asks for other names of the inputs and outputs of an export.
class NamesDialog final : public QDialog {
    Q_OBJECT
public:
    /// `ports` by their names before; `options` have the names that are in force, and the part that is kept. Names of
    /// other values of an ONNX graph are taken.
    NamesDialog(std::vector<std::string> ports, const ConvertOptions& options, const Graph& graph, QWidget* parent);

    Renames renames() const;

private:
    void check();
    std::string wanted(int row) const;
    /// Why these names cannot be; empty where they can.
    QString problem() const;

    std::vector<std::string> m_ports;
    std::unordered_set<std::string> m_taken;
    QTableWidget* m_table;
    QLabel* m_problem;
    QPushButton* m_accept;
};

} // namespace crosswalk::ui
