#pragma once

#include "ui/main_window/session.h"

#include <QString>

#include <memory>
#include <vector>

class QLockFile;

namespace crosswalk::ui {

/// The edited models of a window that no longer exists. The file is locked, so that only one window offers it.
struct LeftEdits {
    QString file;
    std::shared_ptr<QLockFile> lock;
    std::vector<ModelState> models;
};

/// Stores the edited models of a window while it is open. The window removes the file when it closes, so that a file
/// without a running process is one of a crash.
class CrashRecovery {
public:
    /// Files are stored in `folder`, which need not exist. Nothing is stored if it cannot be written to.
    explicit CrashRecovery(QString folder);
    ~CrashRecovery();
    CrashRecovery(const CrashRecovery&) = delete;
    CrashRecovery& operator=(const CrashRecovery&) = delete;

    /// Replaces the stored models; removes the file if there are none.
    void store(const std::vector<ModelState>& models);
    /// The files that crashes have left, with the models that still exist.
    std::vector<LeftEdits> findLeft() const;
    static void discard(const LeftEdits& left);

private:
    QString m_folder;
    QString m_file;
    std::unique_ptr<QLockFile> m_lock; ///< null while nothing is stored
};

} // namespace crosswalk::ui
