#include "ui/panels/properties_panel.h"

#include "core/base/visible_text.h"
#include "core/graph/operator_info.h"
#include "ui/canvas/node_painter.h"
#include "ui/document/box_colours.h"
#include "ui/document/graph_selection.h"
#include "ui/document/strategy_comparison.h"
#include "ui/document/verifier.h"
#include "ui/models/box_title.h"
#include "ui/models/node_details.h"
#include "ui/models/problems_model.h"
#include "ui/models/proof_words.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/operator_doc_view.h"
#include "ui/panels/shrinking_area.h"
#include "ui/panels/strategy_table.h"
#include "ui/panels/wrapped_label.h"
#include "ui/theme/icons.h"

#include <QButtonGroup>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <set>

namespace crosswalk::ui {
namespace {

constexpr int minDetails = 120; ///< pixels

} // namespace

PropertiesPanel::PropertiesPanel(const DocumentView& document, Selection& selection,
                                 StrategyComparison& strategyComparison, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_strategyComparison(strategyComparison)
    , m_head(new QWidget)
    , m_headArea(new ShrinkingArea(m_head, this))
    , m_empty(new QLabel(this))
{
    setObjectName(QStringLiteral("propertiesPanel"));
    m_operator = new WrappedLabel(QStringLiteral("nodeOperator"), m_head);
    m_operator->setAccessibleName(tr("Operator"));
    QFont large = m_operator->font();
    large.setPixelSize(17);
    large.setWeight(QFont::DemiBold);
    m_operator->setFont(large);
    m_name = new WrappedLabel(QStringLiteral("nodeName"), m_head);
    m_name->setAccessibleName(tr("Name of the node"));
    m_name->setProperty("muted", true);
    m_doc = new OperatorDocView(m_head);
    m_verdictRow = new QWidget(m_head);
    m_verdictIcon = new QLabel(m_verdictRow);
    m_verdict = new WrappedLabel(QStringLiteral("nodeVerdict"), m_verdictRow);
    m_verdict->setAccessibleName(tr("Conversion result of the node"));
    auto* verdictLayout = new QHBoxLayout(m_verdictRow);
    verdictLayout->setContentsMargins(0, 2, 0, 0);
    verdictLayout->setSpacing(7);
    verdictLayout->addWidget(m_verdictIcon, 0, Qt::AlignTop);
    verdictLayout->addWidget(m_verdict, 1);
    m_proofRow = new QWidget(m_head);
    m_proofIcon = new QLabel(m_proofRow);
    m_proof = new WrappedLabel(QStringLiteral("nodeProof"), m_proofRow);
    m_proof->setAccessibleName(tr("Verification of the node on recorded tensors"));
    auto* proofLayout = new QHBoxLayout(m_proofRow);
    proofLayout->setContentsMargins(0, 2, 0, 0);
    proofLayout->setSpacing(7);
    proofLayout->addWidget(m_proofIcon, 0, Qt::AlignTop);
    proofLayout->addWidget(m_proof, 1);
    m_problemBox = new QWidget(m_head);
    m_problemBox->setObjectName(QStringLiteral("nodeProblems"));
    // The area can be higher than the texts for a while: it measures them beside its bar, and tables before they are
    // filled. The rest is below them.
    auto* problemLayout = new QVBoxLayout(m_problemBox);
    problemLayout->setContentsMargins(0, 4, 0, 0);
    problemLayout->setSpacing(0);
    m_problems = new QVBoxLayout;
    m_problems->setSpacing(6);
    problemLayout->addLayout(m_problems);
    problemLayout->addStretch(1);

    auto* headLayout = new QVBoxLayout(m_head);
    headLayout->setContentsMargins(12, 10, 12, 10);
    headLayout->setSpacing(3);
    headLayout->addWidget(m_operator);
    headLayout->addWidget(m_name);
    headLayout->addWidget(m_doc);
    headLayout->addWidget(m_verdictRow);
    headLayout->addWidget(m_proofRow);
    headLayout->addWidget(m_problemBox);
    headLayout->addStretch(1);

    m_details = new DetailsView(this);
    m_details->setObjectName(QStringLiteral("nodeDetails"));
    m_details->setAccessibleName(tr("Attributes, shapes and weights"));
    m_details->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // uses the height that the header leaves
    m_details->setMinimumHeight(minDetails);
    m_empty->setObjectName(QStringLiteral("nodeEmpty"));
    m_empty->setProperty("muted", true);
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(20);

    m_headArea->setObjectName(QStringLiteral("nodeHead"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_headArea);
    layout->addWidget(m_details, 1);
    layout->addWidget(m_empty, 1);

    connect(m_details, &DetailsView::boxActivated, this, [this](std::uint32_t box, bool otherSide) {
        if (m_body) {
            emit boxInBodyActivated(box);
            return;
        }
        const Side here = m_selection.isEmpty() ? Side::Source : m_selection.side();
        m_selection.select(otherSide ? (here == Side::Source ? Side::Target : Side::Source) : here, {box});
        emit activated();
    });
    connect(m_details, &DetailsView::boxesActivated, this,
            [this](const std::vector<std::uint32_t>& selected, bool otherSide) {
                m_selection.select(otherSide ? Side::Target : Side::Source, selected);
                emit activated();
            });
    connect(m_details, &DetailsView::tensorActivated, this, &PropertiesPanel::tensorActivated);
    const auto leaveBody = [this] { showInBody(nullptr, 0); };
    connect(&m_selection, &Selection::changed, this, leaveBody);
    connect(&m_document, &DocumentView::conversionChanged, this, leaveBody);
    connect(&m_document.colours(), &BoxColours::changed, this, &PropertiesPanel::refresh);
    connect(&m_strategyComparison, &StrategyComparison::changed, this, &PropertiesPanel::showStrategyCosts);
    refresh();
}

void PropertiesPanel::takeFocus()
{
    // If there are choices, focus them first: they are the main purpose of the panel.
    for (auto* radio : m_problemBox->findChildren<QRadioButton*>()) {
        if (radio->isVisible() && radio->isChecked()) {
            radio->setFocus(Qt::ShortcutFocusReason);
            m_headArea->ensureWidgetVisible(radio);
            return;
        }
    }
    m_details->setFocus(Qt::OtherFocusReason);
    if (!m_details->currentIndex().isValid()) {
        m_details->setCurrentIndex(m_details->model()->index(0, 0));
    }
}

void PropertiesPanel::showInBody(std::shared_ptr<const GraphSide> body, std::uint32_t box, BodyPlace place)
{
    m_body = std::move(body);
    m_boxInBody = box;
    m_bodyPlace = std::move(place);
    refresh();
}

void PropertiesPanel::refreshInBody()
{
    m_empty->hide();
    m_operator->setText(boxTitle(m_body->box(m_boxInBody)));
    m_name->setText(breakable(displayText(m_body->label(m_boxInBody))));
    showDoc(*m_body, m_boxInBody);
    const auto verdict = bodyVerdict(m_document, *m_body, m_bodyPlace, m_boxInBody);
    showVerdict(bodyVerdictSentence(m_document, *m_body, m_bodyPlace, m_boxInBody), verdict.value_or(Verdict::Exact),
                false);
    m_proofRow->hide(); // recorded tensors are compared only with values of the top-level graph
    showProblems(bodyProblems(m_document, *m_body, m_bodyPlace, m_boxInBody));
    m_details->setSections(bodyNodeDetails(m_document, *m_body, m_bodyPlace, m_boxInBody));
    m_headArea->show();
    m_details->show();
    layOut();
}

void PropertiesPanel::refresh()
{
    if (m_body) {
        refreshInBody();
        return;
    }
    const auto& boxes = m_selection.boxes();
    const Side side = m_selection.side();
    if (boxes.empty() && m_document.isOpen() && m_document.side(Side::Source)) {
        showModel();
        return;
    }
    const bool one = boxes.size() == 1 && m_document.side(side);
    m_empty->setVisible(!one);
    if (!one) {
        m_headArea->hide();
        m_details->hide();
        m_empty->setText(boxes.size() > 1 ? tr("%Ln nodes are selected.", nullptr, static_cast<int>(boxes.size()))
                                          : tr("The selected node is described here."));
        return;
    }
    if (m_headArea->property("showsModel").toBool()) { // hidden, it is laid out at once when it is shown again
        m_headArea->hide();
        m_headArea->setProperty("showsModel", false);
    }
    const auto box = boxes.front();
    m_operator->setText(boxTitle(m_document.side(side)->box(box)));
    m_name->setText(breakable(displayText(m_document.side(side)->label(box))));
    showDoc(*m_document.side(side), box);
    const auto& marks = m_document.marks(side);
    showVerdict(verdictSentence(m_document, side, box),
                marks && box < marks->verdicts.size() ? marks->verdicts[box] : Verdict::Exact,
                marks && marks->areChanges);
    showProof(side, box);
    showProblems(problemsOfSelection());
    m_details->setSections(nodeDetails(m_document, side, box));
    // Show the panel last: each text set while it is visible would repeat the layout.
    m_headArea->show();
    m_details->show();
    layOut();
}

/// Qt lays out one level of widgets in each round of events. A frame between two of them would cut the cards off.
void PropertiesPanel::layOut()
{
    m_problemBox->layout()->activate();
    m_head->layout()->activate();
    m_headArea->measureAnew();
    layout()->activate();
}

void PropertiesPanel::showModel()
{
    m_empty->hide();
    m_operator->setText(breakable(displayText(m_document.path().filename().string())));
    m_name->setText(modelLine(m_document));
    m_doc->setText({});
    m_verdictRow->hide();
    m_proofRow->hide();
    showProblems({});
    m_details->setSections(modelSummary(m_document));
    m_headArea->setProperty("showsModel", true);
    m_headArea->show();
    m_details->show();
}

void PropertiesPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_details != nullptr) {
        refresh(); // icons use the theme's colours
    }
}

void PropertiesPanel::showDoc(const GraphSide& graphSide, std::uint32_t box)
{
    const NodeId node = graphSide.box(box).node;
    const auto textOf = [](const Graph& graph, const Node& documented) {
        return fromUtf8(visibleText(operatorInfo(graph, documented).doc(graph, documented).text));
    };
    m_doc->setText(node ? textOf(*graphSide.graph, graphSide.graph->node(node)) : QString());
}

void PropertiesPanel::showVerdict(const QString& sentence, Verdict verdict, bool isOfChange)
{
    m_verdictRow->setVisible(!sentence.isEmpty());
    m_verdict->setText(sentence);
    const bool exact = verdict == Verdict::Exact;
    m_verdictIcon->setPixmap(iconPixmap(exact ? QLatin1String("check") : verdictIcon(verdict, isOfChange),
                                        exact ? theme().exact : theme().verdict(verdict), 16, devicePixelRatioF()));
}

void PropertiesPanel::showProof(Side side, std::uint32_t box)
{
    const auto proof = proofOf(m_document, side, box);
    m_proofRow->setVisible(proof.has_value());
    if (!proof) {
        return;
    }
    m_proof->setText(proofSentence(m_document, side, box));
    const Theme& t = theme();
    const auto [name, color] = *proof == Proof::Proven    ? std::pair(QLatin1String("verify"), t.exact)
                               : *proof == Proof::Differs ? std::pair(QLatin1String("cross"), t.unsupported)
                                                          : std::pair(QLatin1String("dot"), t.mutedText);
    m_proofIcon->setPixmap(iconPixmap(name, color, 16, devicePixelRatioF()));
}

std::vector<Diagnostic> PropertiesPanel::problemsOfSelection() const
{
    std::vector<Diagnostic> problems;
    // The details list the differences between two models, one per line.
    const auto node = m_document.compared() == nullptr ? m_selection.sourceNode() : std::nullopt;
    if (node) {
        const GraphSide& source = *m_document.side(Side::Source);
        std::copy_if(m_document.problems().begin(), m_document.problems().end(), std::back_inserter(problems),
                     [&](const Diagnostic& problem) { return isAbout(problem, source, *node); });
    }
    return problems;
}

void PropertiesPanel::showProblems(std::vector<Diagnostic> problems)
{
    if (problems == m_shownProblems && m_bodyPlace.path == m_shownPath &&
        m_document.options().strategies == m_shownStrategies) {
        compareStrategies();
        return;
    }
    // The cards are rebuilt. If a radio button had the focus, it moves to the selected one in the same card.
    int focused = -1;
    for (int i = 0; i < m_problems->count(); ++i) {
        if (m_problems->itemAt(i)->widget()->isAncestorOf(QWidget::window()->focusWidget())) {
            focused = i;
        }
    }
    while (auto* item = m_problems->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    m_shownProblems = std::move(problems);
    m_shownPath = m_bodyPlace.path;
    m_shownStrategies = m_document.options().strategies;
    for (const auto& problem : m_shownProblems) {
        addProblem(problem);
    }
    addStrategies();
    compareStrategies();
    m_problemBox->setVisible(!m_shownProblems.empty());
    // By default Qt puts widgets created last at the end of the tab order. Tab must reach the choices before the
    // details.
    QWidget* before = m_details->previousInFocusChain();
    while (before != m_details && (before->focusPolicy() & Qt::TabFocus) == 0) {
        before = before->previousInFocusChain();
    }
    for (int i = 0; i < m_problems->count(); ++i) {
        for (auto* button : m_problems->itemAt(i)->widget()->findChildren<QAbstractButton*>()) {
            setTabOrder(before, button);
            before = button;
        }
    }
    if (focused >= 0 && focused < m_problems->count()) {
        for (auto* radio : m_problems->itemAt(focused)->widget()->findChildren<QRadioButton*>()) {
            if (radio->isChecked()) {
                radio->setFocus();
            }
        }
    }
}

void PropertiesPanel::addProblem(const Diagnostic& problem)
{
    auto* card = new QWidget(m_problemBox);
    card->setObjectName(QStringLiteral("problemCard"));
    card->setAttribute(Qt::WA_StyledBackground);
    card->setProperty("severity", problem.severity == Severity::Error     ? QStringLiteral("error")
                                  : problem.severity == Severity::Warning ? QStringLiteral("warning")
                                                                          : QStringLiteral("info"));
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(3);
    auto* text = new WrappedLabel(QStringLiteral("problemText"), card);
    QString sentence = problemText(problem);
    if (!problem.attribute.empty() && !sentence.contains(displayText(problem.attribute))) {
        sentence.prepend(displayText(problem.attribute) + QStringLiteral(": "));
    }
    if (problem.path.size() > m_bodyPlace.path.size()) { // a problem of a node in a body of this one
        sentence.prepend(displayText(problem.node) + QStringLiteral(": "));
    }
    text->setText(wrappableInColumn(sentence));
    layout->addWidget(text);
    if (problem.code == Code("unsupported-operator")) {
        addOperatorButtons(*layout, problem);
    }
    m_problems->addWidget(card);
    card->show(); // a layout shows what is added to it only in the next round of events
}

void PropertiesPanel::addOperatorButtons(QVBoxLayout& card, const Diagnostic& problem)
{
    auto* map = new QPushButton(tr("Map to a custom operator\u2026"));
    map->setObjectName(QStringLiteral("problemMap"));
    connect(map, &QPushButton::clicked, this, [this, problem] { emit customOperatorAsked(problem); });
    card.addSpacing(3);
    card.addWidget(map, 0, Qt::AlignLeft);
    if (!m_body) { // only values of the model's own graph can be outputs
        auto* cut = new QPushButton(tr("Cut the model here"));
        cut->setObjectName(QStringLiteral("problemCut"));
        connect(cut, &QPushButton::clicked, this, &PropertiesPanel::cutAsked);
        card.addWidget(cut, 0, Qt::AlignLeft);
    }
}

Strategy PropertiesPanel::strategyOf(const std::string& node) const
{
    const auto& options = m_document.options();
    const auto picked = options.strategies.find(node);
    return picked != options.strategies.end() ? picked->second : options.recurrent;
}

/// One choice per node, however many of its problems offer one. Nodes in bodies of the selected one follow it.
void PropertiesPanel::addStrategies()
{
    m_strategies = nullptr;
    m_strategyNode.clear();
    m_comparedStrategies.clear();
    std::vector<std::string> nodes;
    for (const Diagnostic& problem : m_shownProblems) {
        if (!problem.choices.empty() && std::ranges::find(nodes, problem.node) == nodes.end()) {
            nodes.push_back(problem.node);
        }
    }
    for (const std::string& node : nodes) {
        const auto rows = strategyRows(node);
        const Strategy current = strategyOf(node);
        auto* table = new StrategyTable(rows, current, m_problemBox);
        connect(table, &StrategyTable::chosen, this,
                [this, node](Strategy strategy) { emit strategyPicked({node}, strategy); });
        connect(table, &StrategyTable::measureRequested, &m_strategyComparison, &StrategyComparison::measure);
        if (auto* button = makeForAll(node, current)) {
            table->addButton(button);
        }
        m_problems->addWidget(table);
        table->show();
        const auto own = std::ranges::find(m_shownProblems, node, &Diagnostic::node);
        if (own->path.empty()) { // the numbers of ONNX nodes are those of the model's own graph
            m_strategies = table;
            m_strategyNode = node;
            std::ranges::transform(rows, std::back_inserter(m_comparedStrategies), &StrategyTable::Row::strategy);
        } else {
            table->setMeasurable(false);
            if (own->path.size() > m_bodyPlace.path.size()) {
                table->setTitle(displayText(node));
            }
        }
    }
}

std::vector<StrategyTable::Row> PropertiesPanel::strategyRows(const std::string& node) const
{
    std::vector<StrategyTable::Row> rows;
    for (const Diagnostic& problem : m_shownProblems) {
        for (const Choice& choice : problem.node == node ? problem.choices : std::vector<Choice>()) {
            const auto strategy = strategyFromName(choice.strategy);
            if (!strategy) {
                continue;
            }
            auto row = std::ranges::find(rows, *strategy, &StrategyTable::Row::strategy);
            if (row == rows.end()) {
                row = rows.insert(rows.end(), {*strategy, true, {}});
            }
            row->isExact = row->isExact && choice.exact; // of all problems
            const QString cost = displayText(choice.cost);
            if (!cost.isEmpty() && !row->costs.contains(cost)) {
                row->costs.append(cost);
            }
        }
    }
    return rows;
}

void PropertiesPanel::compareStrategies()
{
    auto& comparison = m_strategyComparison;
    const auto& source = m_document.side(Side::Source);
    const auto id = source ? m_selection.sourceNode() : std::nullopt;
    if (m_strategies == nullptr || !id) {
        comparison.clear();
        return;
    }
    comparison.compare({source->graph, m_document.options(), *id, m_strategyNode, m_comparedStrategies,
                        m_document.verifier().recordedTensors()});
    showStrategyCosts();
}

void PropertiesPanel::showStrategyCosts()
{
    if (m_strategies != nullptr) {
        const auto& comparison = m_strategyComparison;
        m_strategies->setCosts(comparison.costs(), comparison.isMeasuring());
    }
}

QPushButton* PropertiesPanel::makeForAll(const std::string& node, Strategy current)
{
    const auto& problems = m_document.problems();
    std::set<std::string> nodes;
    for (const Diagnostic& problem : m_shownProblems) {
        const auto cause = std::ranges::find_if(m_document.causes(), [&](const ProblemCause& c) {
            return std::ranges::any_of(c.problems, [&](std::size_t i) { return problems[i] == problem; });
        });
        if (problem.node == node && !problem.choices.empty() && cause != m_document.causes().end()) {
            const auto offering = nodesOffering(*cause, problems, strategyName(current));
            nodes.insert(offering.begin(), offering.end());
        }
    }
    if (std::ranges::all_of(nodes, [&](const std::string& one) { return strategyOf(one) == current; })) {
        return nullptr;
    }
    auto* button = new QPushButton(tr("%1 for all %Ln nodes with this gap", nullptr, static_cast<int>(nodes.size()))
                                       .arg(strategyWord(strategyName(current))));
    button->setObjectName(QStringLiteral("strategyForAll"));
    connect(button, &QPushButton::clicked, this,
            [this, list = std::vector<std::string>(nodes.begin(), nodes.end()), current] {
                emit strategyPicked(list, current);
            });
    return button;
}

} // namespace crosswalk::ui
