#include "ui/main_window/custom_operator_dialog.h"

#include "ui/models/shape_text.h"
#include "ui/models/words.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace crosswalk::ui {
namespace {

constexpr int narrowest = 420; ///< pixels

/// A name that ONNX permits for an operator, from that of the source: "my_op" from "contrib::my_op".
QString suggestedName(const std::string& op)
{
    static const QRegularExpression family(QStringLiteral("^.*[:.]"));
    static const QRegularExpression other(QStringLiteral("[^A-Za-z0-9_]"));
    return fromUtf8(op).remove(family).replace(other, QStringLiteral("_"));
}

} // namespace

CustomOperatorDialog::CustomOperatorDialog(const std::string& op, const CustomOperator* current,
                                           const std::string& domain, QWidget* parent)
    : QDialog(parent)
    , m_domain(new QLineEdit(this))
    , m_name(new QLineEdit(this))
    , m_problem(new QLabel(this))
{
    setObjectName(QStringLiteral("customOperatorDialog"));
    setWindowTitle(tr("Custom operator for %1").arg(displayText(op)));
    setMinimumWidth(narrowest);
    auto* explanation = new QLabel(
        tr("All nodes of %1 are exported as nodes of an operator that your runtime provides. They keep their "
           "inputs, outputs and attributes.")
            .arg(displayText(op)),
        this);
    explanation->setObjectName(QStringLiteral("customOperatorText"));
    explanation->setWordWrap(true);
    m_domain->setObjectName(QStringLiteral("customDomain"));
    m_domain->setText(current != nullptr ? fromUtf8(current->domain)
                      : domain.empty()   ? QStringLiteral("custom")
                                         : fromUtf8(domain));
    m_name->setObjectName(QStringLiteral("customName"));
    m_name->setText(current != nullptr ? fromUtf8(current->name) : suggestedName(op));
    m_problem->setObjectName(QStringLiteral("customProblem"));
    m_problem->setWordWrap(true);
    m_problem->setProperty("alarming", true);
    auto* form = new QFormLayout;
    form->addRow(tr("&Domain"), m_domain);
    form->addRow(tr("&Operator"), m_name);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_accept = buttons->button(QDialogButtonBox::Ok);
    if (current != nullptr) {
        auto* remove = buttons->addButton(tr("&Remove the mapping"), QDialogButtonBox::DestructiveRole);
        remove->setObjectName(QStringLiteral("customRemove"));
        connect(remove, &QPushButton::clicked, this, [this] {
            m_isRemoved = true;
            accept();
        });
    }
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_domain, &QLineEdit::textChanged, this, &CustomOperatorDialog::check);
    connect(m_name, &QLineEdit::textChanged, this, &CustomOperatorDialog::check);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addWidget(explanation);
    layout->addLayout(form);
    layout->addWidget(m_problem);
    layout->addStretch();
    layout->addWidget(buttons);
    m_name->setFocus();
    check();
}

std::optional<CustomOperator> CustomOperatorDialog::customOperator() const
{
    if (m_isRemoved) {
        return std::nullopt;
    }
    return CustomOperator{m_domain->text().trimmed().toStdString(), m_name->text().trimmed().toStdString()};
}

void CustomOperatorDialog::check()
{
    static const QRegularExpression domain(QStringLiteral("^[A-Za-z0-9_]+([.-][A-Za-z0-9_]+)*$"));
    static const QRegularExpression identifier(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
    const QString given = m_domain->text().trimmed();
    QString text;
    if (!domain.match(given).hasMatch()) {
        text = given.isEmpty() ? tr("The operator needs a domain, such as com.example")
                               : tr("%1 is not a valid domain").arg(given);
    } else if (given.startsWith(QLatin1String("ai.onnx"))) {
        text = tr("%1 is a domain of ONNX; your operator needs another one").arg(given);
    } else if (!identifier.match(m_name->text().trimmed()).hasMatch()) {
        text = tr("The name of an operator consists of letters, digits and underscores");
    }
    m_problem->setText(text);
    m_problem->setVisible(!text.isEmpty());
    m_accept->setEnabled(text.isEmpty());
}

} // namespace crosswalk::ui
