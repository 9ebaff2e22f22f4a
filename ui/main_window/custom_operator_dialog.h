#pragma once

#include "crosswalk/options.h"

#include <QDialog>

#include <optional>
#include <string>

class QLabel;
class QLineEdit;
class QPushButton;

namespace crosswalk::ui {

/// Asks for the operator of the user's runtime that takes the place of a source operator.
class CustomOperatorDialog final : public QDialog {
    Q_OBJECT
public:
    /// `current` is null if the operator is not mapped yet; then `domain` is suggested, unless it is empty.
    CustomOperatorDialog(const std::string& op, const CustomOperator* current, const std::string& domain,
                         QWidget* parent);

    /// Nothing if the user removed the mapping.
    std::optional<CustomOperator> customOperator() const;

private:
    void check();

    bool m_isRemoved = false;
    QLineEdit* m_domain;
    QLineEdit* m_name;
    QLabel* m_problem;
    QPushButton* m_accept;
};

} // namespace crosswalk::ui
