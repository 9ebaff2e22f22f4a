#pragma once

#include "ui/document/bodies.h"
#include "ui/document/document_view.h"
#include "ui/panels/details_view.h"
#include "ui/panels/strategy_table.h"

#include <QWidget>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace crosswalk::ui {

class OperatorDocView;
class ShrinkingArea;
class StrategyComparison;

/// The selected node: operator, conversion result with reasons, workarounds for a gap, attributes, shapes and weights.
class PropertiesPanel final : public QWidget {
    Q_OBJECT
public:
    PropertiesPanel(const DocumentView& document, Selection& selection, StrategyComparison& strategyComparison,
                    QWidget* parent = nullptr);
    void takeFocus();
    /// Shows a box in the body of a node until a box of the model itself is selected; null ends this.
    void showInBody(std::shared_ptr<const GraphSide> body, std::uint32_t box, BodyPlace place = {});

signals:
    /// The user followed a link within the body.
    void boxInBodyActivated(std::uint32_t box);
    /// The user followed a link: the canvases must reveal the new selection.
    void activated();
    /// The user wants to see the values of one of the node's tensors.
    void tensorActivated(crosswalk::ValueId value);
    void strategyPicked(const std::vector<std::string>& nodes, crosswalk::Strategy strategy);
    // From the buttons of an unsupported operator: map it to a custom operator, or cut the model in front of the
    // selected node.
    void customOperatorAsked(const crosswalk::Diagnostic& problem);
    void cutAsked();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void refreshInBody();
    void layOut();
    /// In place of a node: the model.
    void showModel();
    void showDoc(const GraphSide& graphSide, std::uint32_t box);
    void showVerdict(const QString& sentence, Verdict verdict, bool isOfChange);
    void showProof(Side side, std::uint32_t box);
    void showProblems(std::vector<Diagnostic> problems);
    std::vector<Diagnostic> problemsOfSelection() const;
    void addProblem(const Diagnostic& problem);
    /// Adds the buttons of an unsupported operator.
    void addOperatorButtons(QVBoxLayout& card, const Diagnostic& problem);
    void addStrategies();
    /// The strategies that the shown problems of a node offer.
    std::vector<StrategyTable::Row> strategyRows(const std::string& node) const;
    Strategy strategyOf(const std::string& node) const;
    /// A button that uses the strategy for all nodes with the same problems; null if they all use it.
    QPushButton* makeForAll(const std::string& node, Strategy current);
    void compareStrategies();
    void showStrategyCosts();

    const DocumentView& m_document;
    Selection& m_selection;
    StrategyComparison& m_strategyComparison;
    std::shared_ptr<const GraphSide> m_body; ///< the body that contains the box; null for the model itself
    std::uint32_t m_boxInBody = 0;
    BodyPlace m_bodyPlace;
    QLabel* m_operator;
    QLabel* m_name;
    OperatorDocView* m_doc;
    QWidget* m_verdictRow;
    QLabel* m_verdictIcon;
    QLabel* m_verdict;
    QWidget* m_proofRow;
    QLabel* m_proofIcon;
    QLabel* m_proof;
    QVBoxLayout* m_problems;
    QWidget* m_problemBox;
    DetailsView* m_details = nullptr;
    QWidget* m_head;
    ShrinkingArea* m_headArea;
    QLabel* m_empty;
    GraphPath m_shownPath; ///< path of the body that is shown
    std::vector<Diagnostic> m_shownProblems;
    StrategyTable* m_strategies = nullptr; ///< of the selected node itself; null if it has none
    std::string m_strategyNode;
    std::vector<Strategy> m_comparedStrategies;
    std::map<std::string, Strategy, std::less<>> m_shownStrategies;
};

} // namespace crosswalk::ui
