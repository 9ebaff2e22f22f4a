#include "ui/panels/subgraph_page.h"

#include "ui/models/box_title.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/path_label.h"

#include <QVBoxLayout>

#include <cassert>
#include <utility>

namespace crosswalk::ui {
namespace {

constexpr int pageMargin = 12;

} // namespace

SubgraphPage::SubgraphPage(const QString& objectName, QWidget* parent)
    : QWidget(parent)
    , m_path(new PathLabel(this))
    , m_canvas(new CanvasView(this))
    , m_drawing(tr("Laying out the body"), this)
{
    setObjectName(objectName + QStringLiteral("Page"));
    m_canvas->setObjectName(objectName + QStringLiteral("PageCanvas"));
    m_canvas->setAccessibleName(tr("Graph of the body"));
    m_path->setObjectName(objectName + QStringLiteral("Path"));
    m_path->setAccessibleName(tr("Where in the graph"));
    m_path->setContentsMargins(pageMargin, 2, pageMargin, 6);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_path);
    layout->addWidget(m_canvas, 1);
    connect(m_path, &PathLabel::linkActivated, this, &SubgraphPage::followLink);
    connect(m_canvas, &CanvasView::leftUpwards, this, &SubgraphPage::goUp);
    connect(m_canvas, &CanvasView::groupToggled, this, &SubgraphPage::toggle);
    connect(m_canvas, &CanvasView::activated, this, &SubgraphPage::enter);
    connect(m_canvas, &CanvasView::picked, this, [this] { emit picked(pickedBox()); });
    connect(&m_drawing, &JobRunner::finished, this, &SubgraphPage::idleChanged);
    connect(&m_drawing, &JobRunner::failed, this,
            [this](const QString& what) { emit internalErrorOccurred(m_drawing.activity(), what); });
    m_canvas->setToolTips([this](std::uint32_t drawn) { return toolTipOf(drawn); },
                          [this](std::uint32_t edge) { return flowText(edge); });
    m_canvas->setEdgeLabel([this](std::uint32_t edge) { return flowText(edge); });
    m_canvas->setEdgeShape([this](std::uint32_t edge) { return edgeShapeText(flowType(edge)); });
}

void SubgraphPage::open(const QString& home, std::shared_ptr<const Graph> model, std::vector<BodyLevel> levels)
{
    assert(!levels.empty());
    m_home = home;
    m_model = std::move(model);
    m_levels = std::move(levels);
    showLevel();
}

void SubgraphPage::follow(std::shared_ptr<const Graph> model, std::vector<BodyLevel> levels)
{
    assert(!levels.empty());
    m_model = std::move(model);
    const auto before = m_levels.back().body().graph;
    m_levels = std::move(levels);
    if (m_levels.back().body().graph != before) {
        m_toSelect = selectedLabel();
    }
    // Rebuild even if the graph is the same: the conversion may have inferred different shapes.
    draw(m_body && m_body.side->graph == before ? m_body : DrawnSide());
}

void SubgraphPage::close()
{
    m_drawing.cancel();
    m_levels.clear();
    m_model.reset();
    m_body = {};
    m_marks.reset();
    m_canvas->setScene(nullptr);
    emit picked(std::nullopt);
}

std::optional<std::uint32_t> SubgraphPage::pickedBox() const
{
    const auto& drawn = m_canvas->selection();
    const bool isOneNode = m_body && drawn.size() == 1 && !m_body.drawing->drawn->groupOf(drawn.front());
    return isOneNode ? std::optional(m_body.drawing->drawn->firstMember(drawn.front())) : std::nullopt;
}

QString SubgraphPage::selectedLabel() const
{
    const auto box = pickedBox();
    return box ? displayText(m_body.side->label(*box)) : QString();
}

std::optional<std::uint32_t> SubgraphPage::boxCalled(const QString& label) const
{
    for (std::uint32_t box = 0; !label.isEmpty() && box < m_body.side->scene->nodes.size(); ++box) {
        if (displayText(m_body.side->label(box)) == label) {
            return box;
        }
    }
    return std::nullopt;
}

void SubgraphPage::selectLabel(const QString& label)
{
    if (!m_body) {
        m_toSelect = label;
    } else if (const auto box = boxCalled(label)) {
        select(*box);
    }
}

void SubgraphPage::select(std::uint32_t box)
{
    const auto drawn = m_body.drawing->drawn->drawnAs(box);
    m_canvas->setSelection({drawn});
    m_canvas->reveal({drawn});
    emit picked(pickedBox());
}

void SubgraphPage::goTo(std::size_t levels)
{
    const QString from = m_levels[levels].node;
    if (levels == 0) {
        emit left(from);
        return;
    }
    moveTo({m_levels.begin(), m_levels.begin() + static_cast<std::ptrdiff_t>(levels)}, from);
}

void SubgraphPage::moveTo(std::vector<BodyLevel> levels, const QString& selected)
{
    if (m_shownElsewhere && m_shownElsewhere(pathOf(levels), selected)) {
        return;
    }
    m_levels = std::move(levels);
    showLevel(selected);
    m_canvas->setFocus();
}

void SubgraphPage::goUp()
{
    if (isOpen()) {
        goTo(m_levels.size() - 1);
    }
}

void SubgraphPage::followLink(const QString& link)
{
    const auto number = static_cast<std::size_t>(link.mid(1).toUInt());
    if (link.startsWith(u'b')) {
        auto levels = m_levels;
        levels.back().shown = number;
        moveTo(std::move(levels));
    } else {
        goTo(number);
    }
}

void SubgraphPage::showLevel(const QString& selected)
{
    const BodyLevel& level = m_levels.back();
    showPath();
    m_canvas->setAccessibleName(QStringLiteral("%1 %2").arg(level.node, level.body().name));
    m_canvas->setScene(nullptr);
    m_body = {};
    m_marks.reset();
    emit moved();
    emit picked(std::nullopt);
    m_toSelect = selected;
    draw({});
}

void SubgraphPage::draw(const DrawnSide& previous)
{
    const auto& graph = m_levels.back().body().graph;
    const KnownTypes types = (m_types ? m_types() : KnownTypes()).of(*graph);
    m_drawing.run(
        this,
        [graph, values = std::vector<TensorType>(types.values.begin(), types.values.end()), previous, flow = m_flow](
            std::stop_token stop) { return DrawnSide::make(graph, KnownTypes(values), previous, stop, flow); },
        [this](DrawnSide body) { showBody(std::move(body)); });
}

void SubgraphPage::showBody(DrawnSide body)
{
    if (!body) {
        return;
    }
    m_body = std::move(body);
    if (m_canvas->drawnScene() != nullptr) {
        m_canvas->changeScene(m_body.drawing->drawn, SameBoxes(m_body.sameNow));
    } else {
        m_canvas->setScene(m_body.drawing->drawn);
    }
    showMarks();
    if (const auto box = boxCalled(std::exchange(m_toSelect, {}))) {
        m_canvas->setSelection({m_body.drawing->drawn->drawnAs(*box)});
        m_canvas->reveal(m_canvas->selection());
    }
    emit moved();
    emit picked(pickedBox());
}

void SubgraphPage::showMarks()
{
    m_marks = m_marksOf ? m_marksOf(*m_body.side, graphPath()) : nullptr;
    m_canvas->setMarks(marksAsDrawn(m_marks, *m_body.drawing->drawn));
}

void SubgraphPage::showPath()
{
    std::vector<PathLabel::Step> steps{{.name = QStringLiteral("\u2039 ") + m_home, .link = QStringLiteral("l0")}};
    for (std::size_t i = 0; i < m_levels.size(); ++i) {
        const BodyLevel& level = m_levels[i];
        const bool isLast = i + 1 == m_levels.size();
        steps.push_back({.name = level.node, .link = isLast ? QString() : QStringLiteral("l%1").arg(i + 1)});
        bool isAlternative = false;
        for (std::size_t b = 0; b < level.bodies.size(); ++b) {
            const bool isShown = b == level.shown;
            if (isShown || isLast) {
                steps.push_back({.name = level.bodies[b].name,
                                 .link = isShown ? QString() : QStringLiteral("b%1").arg(b),
                                 .isBold = isShown,
                                 .isAlternative = std::exchange(isAlternative, true)});
            }
        }
    }
    m_path->setSteps(std::move(steps));
}

void SubgraphPage::toggle(std::uint32_t group)
{
    OpenGroups open = m_body.drawing->open;
    open[group] = !open[group];
    m_drawing.run(
        this,
        [body = m_body, open = std::move(open)](std::stop_token stop) {
            return SideDrawing::make(*body.side, open, body.drawing.get(), stop, body.drawing->flow());
        },
        [this, group](std::shared_ptr<const SideDrawing> drawing) {
            if (drawing) {
                m_body.drawing = std::move(drawing);
                m_canvas->changeScene(m_body.drawing->drawn, SameBoxes(), group);
                showMarks();
            }
        });
}

void SubgraphPage::enter(std::uint32_t drawn)
{
    const auto box = m_body.drawing->drawn->firstMember(drawn);
    auto bodies = subgraphsOf(*m_body.side, box, *m_model);
    if (bodies.empty()) {
        emit detailsRequested();
        return;
    }
    auto levels = m_levels;
    levels.push_back({displayText(m_body.side->label(box)), m_body.side->box(box).node, std::move(bodies)});
    moveTo(std::move(levels));
}

QString SubgraphPage::toolTipOf(std::uint32_t drawn) const
{
    const auto members = m_body.drawing->drawn->membersOf({drawn});
    const SceneNode& box = m_body.side->box(members.front());
    if (members.size() > 1) {
        return {};
    }
    QStringList lines{boxTitle(box), displayText(m_body.side->label(members.front()))};
    for (const auto& row : box.rows) {
        lines.append(fromUtf8(row));
    }
    if (m_notesOn) {
        lines += m_notesOn(*m_body.side, graphPath(), members.front());
    }
    return toolTipText(lines);
}

TensorType SubgraphPage::flowType(std::uint32_t edge) const
{
    const ValueId value = m_body.drawing->drawn->scene.edges[edge].value;
    const Graph& graph = *m_body.side->graph;
    return value ? (m_types ? m_types() : KnownTypes()).of(graph).of(graph, value) : TensorType();
}

QString SubgraphPage::flowText(std::uint32_t edge) const
{
    return typeText(flowType(edge));
}

} // namespace crosswalk::ui
