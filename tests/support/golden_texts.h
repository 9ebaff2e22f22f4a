#pragma once

// Golden texts: reviewed files. UPDATE_GOLDENS=1 rewrites them.

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QtTest>

namespace crosswalk::test {

/// Checks that a text equals the golden file.
inline void verifyAsBefore(const QByteArray& now, const QString& golden)
{
    QFile file(golden);
    if (qEnvironmentVariableIsSet("UPDATE_GOLDENS")) {
        QDir().mkpath(QFileInfo(golden).path());
        QVERIFY2(file.open(QIODevice::WriteOnly) && file.write(now) == now.size(), qPrintable(golden));
        return;
    }
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(golden));
    QCOMPARE(now, file.readAll());
}

} // namespace crosswalk::test
