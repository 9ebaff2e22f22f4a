#include "ui/main_window/names_dialog.h"

#include "ui/models/shape_text.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace crosswalk::ui {

namespace {

/// Whether a value is an input of the model, an output, or both.
QString portWord(const std::string& name, const ConvertOptions& options, const Graph& graph)
{
    const auto isAmong = [&](const std::vector<ValueId>& ports) {
        return std::any_of(ports.begin(), ports.end(), [&](ValueId id) { return graph.value(id).name == name; });
    };
    const auto& part = options.part;
    const bool isInput = part ? std::ranges::find(part->from, name) != part->from.end() : isAmong(graph.inputs);
    const bool isOutput = part ? std::ranges::find(part->to, name) != part->to.end() : isAmong(graph.outputs);
    return isInput && isOutput ? NamesDialog::tr("input and output")
           : isInput           ? NamesDialog::tr("input")
                               : NamesDialog::tr("output");
}

} // namespace

NamesDialog::NamesDialog(std::vector<std::string> ports, const ConvertOptions& options, const Graph& graph,
                         QWidget* parent)
    : QDialog(parent)
    , m_ports(std::move(ports))
    , m_table(new QTableWidget(static_cast<int>(m_ports.size()), 3, this))
    , m_problem(new QLabel(this))
{
    setObjectName(QStringLiteral("namesDialog"));
    setWindowTitle(tr("Names of inputs and outputs"));
    resize(560, 340);
    if (graph.format == "onnx") {
        for (const Value& value : graph.values()) {
            m_taken.insert(value.name);
        }
        for (const auto& port : m_ports) {
            m_taken.erase(port);
        }
    }
    m_table->setObjectName(QStringLiteral("namesTable"));
    m_table->setAccessibleName(windowTitle());
    m_table->setHorizontalHeaderLabels({tr("In the source"), tr("In the export"), tr("Kind")});
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setTabKeyNavigation(false);
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const std::string& port = m_ports[static_cast<std::size_t>(row)];
        const auto renamed = options.renames.find(port);
        auto* old = new QTableWidgetItem(displayText(port));
        old->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        m_table->setItem(row, 0, old);
        m_names.push_back(renamed != options.renames.end() ? renamed->second : port);
        m_table->setItem(row, 1, new QTableWidgetItem(displayText(m_names.back())));
        auto* what = new QTableWidgetItem(portWord(port, options, graph));
        what->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        m_table->setItem(row, 2, what);
    }
    m_table->setCurrentCell(0, 1);
    m_problem->setObjectName(QStringLiteral("namesProblem"));
    m_problem->setWordWrap(true);
    m_problem->setProperty("alarming", true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_accept = buttons->button(QDialogButtonBox::Ok);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_table, &QTableWidget::itemChanged, this, &NamesDialog::check);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_table);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
    check();
}

std::string NamesDialog::wanted(int row) const
{
    const auto at = static_cast<std::size_t>(row);
    const QString text = m_table->item(row, 1)->text();
    if (text == displayText(m_names[at])) {
        return m_names[at]; // not edited, though it may be shown in another form
    }
    return text.trimmed().isEmpty() ? m_ports[at] : text.trimmed().toStdString();
}

Renames NamesDialog::renames() const
{
    Renames renames;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const std::string& port = m_ports[static_cast<std::size_t>(row)];
        if (const std::string name = wanted(row); name != port) {
            renames.emplace(port, name);
        }
    }
    return renames;
}

QString NamesDialog::problem() const
{
    std::unordered_set<std::string> names;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const std::string name = wanted(row);
        if (!names.insert(name).second) {
            return tr("Two values have the name %1.").arg(displayText(name));
        }
        if (m_taken.contains(name)) {
            return tr("%1 is the name of another value of the model.").arg(displayText(name));
        }
    }
    return {};
}

void NamesDialog::check()
{
    const QString text = problem();
    m_problem->setText(text);
    m_problem->setVisible(!text.isEmpty());
    m_accept->setEnabled(text.isEmpty());
}

} // namespace crosswalk::ui
