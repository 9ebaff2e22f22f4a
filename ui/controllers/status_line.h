#pragma once

#include "ui/controllers/controller.h"

#include <cstddef>

class QColor;
class QLabel;
class QProgressBar;
class QTimer;
class QWidget;

namespace crosswalk::ui {

class NodeFilter;

/// The status bar: messages, the progress of the running job, the numbers of nodes, the legend of marks, whose entries
/// filter the nodes, and the result of verification.
class StatusLine final : public Controller {
    Q_OBJECT
public:
    StatusLine(const WindowParts& parts, NodeFilter& filter);

    void showVerified(const QString& result, const QString& toolTip);
    void refresh();

private:
    QLabel* addLabel(const char* name, const QString& accessibleName);
    void buildProgress();
    void showProgress();
    void showConversion();
    void showComparison();
    QString legendEntry(int entry, const QColor& mark, std::ptrdiff_t count, const QString& name) const;

    NodeFilter& m_filter;
    QLabel* m_counts;
    QLabel* m_verdicts;
    QLabel* m_timing;
    QLabel* m_verified;
    QWidget* m_progress = nullptr;
    QLabel* m_progressText = nullptr;
    QProgressBar* m_progressBar = nullptr;
    QTimer* m_progressDelay = nullptr;
    QTimer* m_progressPoll = nullptr; ///< runs while a job is running
};

} // namespace crosswalk::ui
