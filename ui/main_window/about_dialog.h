#pragma once

#include "ui/jobs/job_runner.h"

#include <QDialog>

class QLabel;
class QPushButton;

namespace crosswalk::ui {

/// Version, licences and links of the program and the libraries that it uses.
class AboutDialog final : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(QWidget* parent);

private:
    void findRuntime();
    void showVersions();
    /// The versions as plain text, for a bug report.
    QString versions() const;

    QLabel* m_versions;
    QPushButton* m_copy;
    QString m_runtime = QChar(0x2026); ///< the version of ONNX Runtime, which is started to report it
    JobRunner m_starting;
};

} // namespace crosswalk::ui
