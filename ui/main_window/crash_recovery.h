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
    std::vector<ModelState> missing; ///< their files do not exist at present: the drive may not be mounted
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
    /// The files that crashes have left, with at least one model that exists. The newest file is the first.
    std::vector<LeftEdits> findLeft() const;
    /// Removes the edits of `left.models`. Those of missing models stay for a later start.
    static void discard(const LeftEdits& left);

private:
    QString m_folder;
    QString m_file;
    std::unique_ptr<QLockFile> m_lock; ///< null while nothing is stored
};

} // namespace crosswalk::ui
