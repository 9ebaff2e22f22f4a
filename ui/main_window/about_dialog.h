#pragma once

#include <QDialog>

namespace crosswalk::ui {

/// Version, licences and links of the program and the libraries that it uses.
class AboutDialog final : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(QWidget* parent);

    /// The versions as plain text, for a bug report.
    static QString versions();
};

} // namespace crosswalk::ui
