#pragma once

#include "tests/support/paths.h"

#include <QProcess>
#include <QStringList>
#include <QtTest>

namespace crosswalk::test {

inline const QString examples = sourceFolder() + QStringLiteral("/resources/examples/");
inline const QString lstm = examples + QStringLiteral("request_bilstm/model-symbol.json");

/// What came of a run of crosswalk; the status is -1 where it crashed or did not end.
struct Ran {
    int status;
    QByteArray out;
    QByteArray err;
};

inline Ran run(const QStringList& arguments)
{
    QProcess process;
    process.start(programFolder() + QStringLiteral("/crosswalk"), arguments);
    const bool ended = process.waitForFinished(60000);
    return {ended && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            process.readAllStandardOutput(), process.readAllStandardError()};
}

inline void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

inline QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace crosswalk::test
