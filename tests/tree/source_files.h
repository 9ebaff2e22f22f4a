#pragma once

#include "tests/support/paths.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QString>
#include <QStringList>

namespace crosswalk::test {

/// Paths of the C++ files below folders of the sources, relative to the root, sorted.
inline QStringList sourceFiles(const QStringList& folders, const QStringList& patterns)
{
    const QDir root(sourceFolder());
    QStringList files;
    for (const QString& folder : folders) {
        QDirIterator found(root.filePath(folder), patterns, QDir::Files, QDirIterator::Subdirectories);
        while (found.hasNext()) {
            files.append(root.relativeFilePath(found.next()));
        }
    }
    files.sort();
    return files;
}

/// The lines of a file of the sources.
inline QStringList linesOf(const QString& path)
{
    QFile file(QDir(sourceFolder()).filePath(path));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(u'\n') : QStringList();
}

} // namespace crosswalk::test
