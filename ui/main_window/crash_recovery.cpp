#include "ui/main_window/crash_recovery.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSettings>
#include <QUuid>

#include <utility>

namespace crosswalk::ui {
namespace {

const QString modelsKey = QStringLiteral("models");

std::unique_ptr<QLockFile> lockOf(const QString& file)
{
    const QFileInfo info(file);
    auto lock = std::make_unique<QLockFile>(info.dir().filePath(info.completeBaseName() + QStringLiteral(".owner")));
    lock->setStaleLockTime(0); // a window may be open for weeks: only a process that has ended does not need its file
    return lock->tryLock() ? std::move(lock) : nullptr;
}

void writeModels(const QString& file, const std::vector<ModelState>& models)
{
    QSettings settings(file, QSettings::IniFormat);
    settings.clear();
    settings.beginWriteArray(modelsKey);
    for (std::size_t i = 0; i < models.size(); ++i) {
        settings.setArrayIndex(static_cast<int>(i));
        writeState(settings, models[i]);
    }
    settings.endArray();
}

/// Fills `models` and `missing`.
void readModels(LeftEdits& left)
{
    QSettings settings(left.file, QSettings::IniFormat);
    const int count = settings.beginReadArray(modelsKey);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        ModelState state = readState(settings);
        if (state.model.isEmpty()) {
            break; // the count of a damaged file may be huge
        }
        (state.isThere() ? left.models : left.missing).push_back(std::move(state));
    }
}

} // namespace

CrashRecovery::CrashRecovery(QString folder)
    : m_folder(std::move(folder))
    , m_file(QStringLiteral("%1/%2.ini").arg(m_folder, QUuid::createUuid().toString(QUuid::WithoutBraces)))
{
}

CrashRecovery::~CrashRecovery()
{
    store({});
}

void CrashRecovery::store(const std::vector<ModelState>& models)
{
    if (models.empty()) {
        if (m_lock) {
            QFile::remove(m_file);
            m_lock.reset();
        }
        return;
    }
    if (!m_lock) {
        QDir().mkpath(m_folder);
        m_lock = lockOf(m_file);
    }
    if (!m_lock) {
        return;
    }
    writeModels(m_file, models);
}

std::vector<LeftEdits> CrashRecovery::findLeft() const
{
    std::vector<LeftEdits> found;
    for (const QString& name : QDir(m_folder).entryList({QStringLiteral("*.ini")}, QDir::Files, QDir::Time)) {
        const QString file = m_folder + u'/' + name;
        if (file == m_file) {
            continue;
        }
        if (std::shared_ptr<QLockFile> lock = lockOf(file)) {
            LeftEdits left{file, std::move(lock), {}, {}};
            readModels(left);
            if (!left.models.empty()) {
                found.push_back(std::move(left));
            } else if (left.missing.empty()) {
                discard(left); // damaged
            }
        }
    }
    return found;
}

void CrashRecovery::discard(const LeftEdits& left)
{
    const QFileInfo file(left.file);
    if (!left.missing.empty()) {
        writeModels(left.file, left.missing);
    }
    // With what an interrupted write has left, but not the lock, which removes its own file.
    for (const QString& name : file.dir().entryList({file.completeBaseName() + QStringLiteral(".ini*")}, QDir::Files)) {
        if (left.missing.empty() || name != file.fileName()) {
            QFile::remove(file.dir().filePath(name));
        }
    }
}

} // namespace crosswalk::ui
