#include "ui/panels/subgraph_page.h"

#include "ui/models/shape_text.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

#include <cassert>

namespace crosswalk::ui {
namespace {

constexpr int margin = 12;

QString linkTo(const QString& target, const QString& text)
{
    return QStringLiteral("<a href=\"%1\" style=\"color: %2; text-decoration: none\">%3</a>")
        .arg(target, theme().link.name(), text.toHtmlEscaped());
}

} // namespace

std::vector<Subgraph> subgraphsOf(const Graph& graph, const Node& node)
{
    std::vector<Subgraph> bodies;
    for (const Attribute& attribute : node.attributes) {
        const QString name = fromUtf8(attribute.name);
        if (const auto* body = std::get_if<SubgraphId>(&attribute.value)) {
            bodies.push_back({name, graph.subgraphs[body->index]});
        } else if (const auto* several = std::get_if<std::vector<SubgraphId>>(&attribute.value)) {
            for (std::size_t i = 0; i < several->size(); ++i) {
                bodies.push_back({QStringLiteral("%1 %2").arg(name).arg(i + 1), graph.subgraphs[(*several)[i].index]});
            }
        }
    }
    return bodies;
}

SubgraphPage::SubgraphPage(const QString& objectName, QWidget* parent)
    : QWidget(parent)
    , m_path(new QLabel(this))
    , m_canvas(new CanvasView(this))
    , m_drawing(tr("Arranging the body"), this)
{
    setObjectName(objectName + QStringLiteral("Page"));
    m_canvas->setObjectName(objectName + QStringLiteral("PageCanvas"));
    m_canvas->setAccessibleName(tr("Graph of the body"));
    m_path->setObjectName(objectName + QStringLiteral("Path"));
    m_path->setAccessibleName(tr("Where in the graph"));
    m_path->setTextFormat(Qt::RichText);
    m_path->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_path->setContentsMargins(margin, 2, margin, 6);
    m_path->setMinimumWidth(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_path);
    layout->addWidget(m_canvas, 1);
    hide();
    connect(m_path, &QLabel::linkActivated, this, &SubgraphPage::follow);
    connect(m_canvas, &CanvasView::leftUpwards, this, &SubgraphPage::goUp);
    connect(m_canvas, &CanvasView::groupToggled, this, &SubgraphPage::toggle);
    connect(m_canvas, &CanvasView::activated, this, &SubgraphPage::enter);
    connect(m_canvas, &CanvasView::picked, this, &SubgraphPage::tellPicked);
    connect(&m_drawing, &JobRunner::finished, this, &SubgraphPage::idleChanged);
    connect(&m_drawing, &JobRunner::failed, this,
            [this](const QString& what) { emit mistakeHappened(m_drawing.activity(), what); });
    m_canvas->setToolTips([this](std::uint32_t drawn) { return toolTipOf(drawn); },
                          [this](std::uint32_t edge) { return flowText(edge); });
    m_canvas->setEdgeLabel([this](std::uint32_t edge) { return flowText(edge); });
}

void SubgraphPage::open(const QString& home, const QString& node, std::vector<Subgraph> bodies)
{
    m_home = home;
    m_levels.clear();
    push(node, std::move(bodies));
}

void SubgraphPage::close()
{
    m_drawing.cancel();
    m_levels.clear();
    m_body = {};
    m_canvas->setScene(nullptr);
    hide();
    emit picked(std::nullopt);
}

void SubgraphPage::tellPicked(const std::vector<std::uint32_t>& drawn)
{
    const bool isOneNode = drawn.size() == 1 && !m_body.drawing->drawn->groupOf(drawn.front());
    emit picked(isOneNode ? std::optional(m_body.drawing->drawn->firstMember(drawn.front())) : std::nullopt);
}

void SubgraphPage::select(std::uint32_t box)
{
    const auto drawn = m_body.drawing->drawn->drawnAs(box);
    m_canvas->setSelection({drawn});
    m_canvas->reveal({drawn});
    tellPicked({drawn});
}

void SubgraphPage::push(const QString& node, std::vector<Subgraph> bodies)
{
    assert(!bodies.empty());
    m_levels.push_back({node, std::move(bodies)});
    showLevel();
}

void SubgraphPage::goUp()
{
    if (m_levels.size() > 1) {
        m_levels.pop_back();
        showLevel();
    } else if (isOpen()) {
        close();
        emit closed();
    }
}

void SubgraphPage::follow(const QString& link)
{
    const auto number = static_cast<std::size_t>(link.mid(1).toUInt());
    if (link.startsWith(u'b')) {
        m_levels.back().shown = number;
        showLevel();
        return;
    }
    m_levels.erase(m_levels.begin() + static_cast<std::ptrdiff_t>(number == 0 ? 1 : number), m_levels.end());
    if (number == 0) {
        goUp();
    } else {
        showLevel();
    }
}

void SubgraphPage::showLevel()
{
    const Level& level = m_levels.back();
    showPath();
    m_canvas->setAccessibleName(QStringLiteral("%1 %2").arg(level.node, level.bodies[level.shown].name));
    m_canvas->setScene(nullptr);
    emit picked(std::nullopt);
    show();
    m_canvas->setFocus();
    m_drawing.run(
        this,
        [graph = level.bodies[level.shown].graph, flow = m_flow](std::stop_token stop) {
            return DrawnSide::make(graph, {}, {}, stop, flow);
        },
        [this](DrawnSide body) {
            if (body) {
                m_body = std::move(body);
                m_canvas->setScene(m_body.drawing->drawn);
            }
        });
}

void SubgraphPage::showPath()
{
    const QString step = QStringLiteral(" <span>\u203a</span> ");
    QString path = linkTo(QStringLiteral("l0"), QStringLiteral("\u2039 ") + m_home);
    for (std::size_t i = 0; i < m_levels.size(); ++i) {
        const Level& level = m_levels[i];
        const bool isLast = i + 1 == m_levels.size();
        path += step;
        path += isLast ? level.node.toHtmlEscaped() : linkTo(QStringLiteral("l%1").arg(i + 1), level.node);
        path += step;
        for (std::size_t b = 0; b < level.bodies.size(); ++b) {
            if (b == level.shown) {
                path += QStringLiteral("<b>%1</b> ").arg(level.bodies[b].name.toHtmlEscaped());
            } else if (isLast) {
                path += linkTo(QStringLiteral("b%1").arg(b), level.bodies[b].name) + u' ';
            }
        }
    }
    m_path->setText(path);
}

void SubgraphPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && isOpen()) {
        showPath(); // its links have the theme's colour
    }
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
            }
        });
}

void SubgraphPage::enter(std::uint32_t drawn)
{
    const auto box = m_body.drawing->drawn->membersOf({drawn}).front();
    const NodeId node = m_body.side->box(box).node;
    auto bodies = node ? subgraphsOf(*m_body.side->graph, m_body.side->graph->node(node)) : std::vector<Subgraph>();
    if (bodies.empty()) {
        emit detailsWanted();
    } else {
        push(fromUtf8(m_body.side->label(box)), std::move(bodies));
    }
}

QString SubgraphPage::toolTipOf(std::uint32_t drawn) const
{
    const auto members = m_body.drawing->drawn->membersOf({drawn});
    const SceneNode& box = m_body.side->box(members.front());
    if (members.size() > 1) {
        return {};
    }
    QStringList lines{QStringLiteral("<b>%1</b>").arg(fromUtf8(box.title)),
                      fromUtf8(m_body.side->label(members.front())).toHtmlEscaped()};
    for (const auto& row : box.rows) {
        lines.append(fromUtf8(row).toHtmlEscaped());
    }
    return lines.join(QStringLiteral("<br>"));
}

QString SubgraphPage::flowText(std::uint32_t edge) const
{
    const ValueId value = m_body.drawing->drawn->scene.edges[edge].value;
    return value ? typeText(m_body.side->graph->value(value).type) : QString();
}

} // namespace crosswalk::ui
