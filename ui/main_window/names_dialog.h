#pragma once

#include "core/graph/graph.h"
#include "core/rewrite/rename_ports.h"
#include "crosswalk/options.h"

#include <QDialog>

#include <string>
#include <unordered_set>
#include <vector>

class QLabel;
class QPushButton;
class QTableWidget;

namespace crosswalk::ui {

/// Edits the names of the inputs and outputs of an export.
class NamesDialog final : public QDialog {
    Q_OBJECT
public:
    /// `ports` are the names before renaming; `options` contain the current names and the extracted part. Names of
    /// other values of an ONNX graph cannot be used.
    NamesDialog(std::vector<std::string> ports, const ConvertOptions& options, const Graph& graph, QWidget* parent);

    Renames renames() const;

private:
    void check();
    std::string wanted(int row) const;
    /// Why these names are invalid; empty if they are valid.
    QString problem() const;

    std::vector<std::string> m_ports;
    std::vector<std::string> m_names; ///< by port: its current name
    std::unordered_set<std::string> m_taken;
    QTableWidget* m_table;
    QLabel* m_problem;
    QPushButton* m_accept;
};

} // namespace crosswalk::ui
