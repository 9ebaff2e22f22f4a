// Manual pages and completions: they contain every option of every command, and the tools that read them accept them.

#include "tests/app/command_line.h"

#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace crosswalk::test;

namespace {

/// The lines that a tool prints on both streams; fails the test if it ends with an error.
QByteArray output(const QString& tool, const QStringList& arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    process.setProcessEnvironment(environment);
    process.start(tool, arguments);
    const bool ended = process.waitForFinished(60000) && process.exitStatus() == QProcess::NormalExit;
    const QByteArray said = process.readAll();
    if (!ended || process.exitCode() != 0) {
        QTest::qFail(qPrintable(tool + u' ' + arguments.join(u' ') + QStringLiteral(": ") + QString::fromUtf8(said)),
                     __FILE__, __LINE__);
    }
    return said;
}

bool isInstalled(const char* tool)
{
    return !QStandardPaths::findExecutable(QLatin1String(tool)).isEmpty();
}

QStringList captures(const QByteArray& text, const char* pattern)
{
    QStringList found;
    auto matches = QRegularExpression(QLatin1String(pattern), QRegularExpression::MultilineOption)
                       .globalMatch(QString::fromUtf8(text));
    while (matches.hasNext()) {
        found << matches.next().captured(1);
    }
    return found;
}

/// The options that a help page lists.
QStringList optionsIn(const QByteArray& help)
{
    return captures(help, "^ +(?:-\\w, ?)?(--[a-z][a-z-]*)");
}

} // namespace

class TestManual : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        QCOMPARE(run({QStringLiteral("manual"), m_folder.path()}).status, 0);
        output(programFolder() + QStringLiteral("/crosswalk-gui"), {QStringLiteral("--manual"), m_folder.path()});
        const QByteArray help = run({QStringLiteral("--help")}).out;
        m_commands =
            captures(help.mid(help.indexOf("Subcommands:"), help.indexOf("Examples:") - help.indexOf("Subcommands:")),
                     "^  ([a-z]+) ");
        QVERIFY2(m_commands.contains(QStringLiteral("convert")) && m_commands.size() >= 9, help.constData());
        QVERIFY2(!m_commands.contains(QStringLiteral("manual")), "a command for the build is not in the help");
    }

    void pagesContainEveryOption_data() { programs(); }
    void pagesContainEveryOption()
    {
        QFETCH(QString, page);
        QFETCH(QStringList, options);
        QByteArray text = read(m_folder.filePath(QStringLiteral("man/man1/") + page));
        text.replace("\\-", "-");
        for (const QString& option : options) {
            const QByteArray tag = "\\fB" + option.toUtf8() + "\\fR";
            QVERIFY2(text.contains(tag), qPrintable(page + QStringLiteral(" lacks ") + option));
        }
    }

    void completionsOfferEveryOption_data() { programs(); }
    void completionsOfferEveryOption()
    {
        QFETCH(QString, words);
        QFETCH(QStringList, options);
        const QString program = words.section(u' ', 0, 0);
        const QString bash = m_folder.filePath(QStringLiteral("bash-completion/completions/") + program);
        const QString function = QString(program).replace(u'-', u'_');
        const QByteArray offered = output(
            QStringLiteral("bash"),
            {QStringLiteral("-c"),
             QStringLiteral("source %1; COMP_WORDS=(%2 --); COMP_CWORD=%3; _%4; printf '%s\\n' \"${COMPREPLY[@]}\"")
                 .arg(bash, words, QString::number(words.count(u' ') + 1), function)});
        const QByteArray zsh = read(m_folder.filePath(QStringLiteral("zsh/vendor-completions/_") + program));
        const qsizetype begin =
            words.contains(u' ') ? zsh.indexOf("        " + words.section(u' ', 1).toUtf8() + ")\n") : 0;
        QVERIFY(begin >= 0);
        const QByteArray zshCase = zsh.mid(begin, zsh.indexOf(";;", begin) - begin);
        const QString fish =
            m_folder.filePath(QStringLiteral("fish/vendor_completions.d/") + program + QStringLiteral(".fish"));
        const QByteArray inFish =
            isInstalled("fish")
                ? output(QStringLiteral("fish"), {QStringLiteral("--no-config"), QStringLiteral("-c"),
                                                  QStringLiteral("source %1; complete -C '%2 --'").arg(fish, words)})
                : QByteArray();
        for (const QString& option : options) {
            const QByteArray name = option.toUtf8();
            QVERIFY2(offered.split('\n').contains(name), qPrintable(QStringLiteral("bash lacks ") + option));
            QVERIFY2(zshCase.contains(')' + name + '[') || zshCase.contains(')' + name + "=[") ||
                         zshCase.contains('*' + name + "=["),
                     qPrintable(QStringLiteral("zsh lacks ") + option));
            QVERIFY2(!isInstalled("fish") || inFish.contains(name + '\t'),
                     qPrintable(QStringLiteral("fish lacks ") + option));
        }
    }

    void completionsOfferValues()
    {
        const auto offered = [&](const char* words, int last) {
            const QString script =
                QStringLiteral("source %1; COMP_WORDS=(%2); COMP_CWORD=%3; _crosswalk; echo ${COMPREPLY[*]}")
                    .arg(m_folder.filePath(QStringLiteral("bash-completion/completions/crosswalk")),
                         QLatin1String(words), QString::number(last));
            return output(QStringLiteral("bash"), {QStringLiteral("-c"), script}).trimmed();
        };
        QCOMPARE(offered("crosswalk con", 1), QByteArray("convert"));
        QCOMPARE(offered("crosswalk convert --rnn ''", 3), QByteArray("exact fused unrolled"));
        QCOMPARE(offered("crosswalk convert --rnn = u", 4), QByteArray("unrolled"));
        QCOMPARE(offered("crosswalk convert --rnn =", 3), QByteArray("exact fused unrolled"));
        QCOMPARE(offered("crosswalk render m.json --groups ''", 4), QByteArray("auto open closed"));
        QCOMPARE(offered("crosswalk convert --shape ''", 3), QByteArray());
    }

    /// Which paints its pictures.
    void theWindowHasTheOptionsOfRender()
    {
        QStringList options = optionsIn(run({QStringLiteral("render"), QStringLiteral("--help")}).out);
        for (const char* own : {"--output", "--dark"}) { // --render and --theme of the window
            QCOMPARE(options.removeAll(QLatin1String(own)), 1);
        }
        QVERIFY(options.contains(QStringLiteral("--shape")));
        const QStringList window =
            optionsIn(output(programFolder() + QStringLiteral("/crosswalk-gui"), {QStringLiteral("--help")}));
        for (const QString& option : options) {
            QVERIFY2(window.contains(option), qPrintable(QStringLiteral("crosswalk-gui lacks ") + option));
        }
    }

    void toolsAcceptThem()
    {
        const QDir pages(m_folder.filePath(QStringLiteral("man/man1")));
        for (const QString& page : pages.entryList(QDir::Files)) {
            if (isInstalled("man")) {
                const QByteArray text = output(QStringLiteral("man"), {QStringLiteral("-P"), QStringLiteral("cat"),
                                                                       QStringLiteral("--warnings"),
                                                                       QStringLiteral("-l"), pages.filePath(page)});
                QVERIFY2(!text.contains("warning:") && !text.contains("error:"), text.constData());
            }
            if (isInstalled("mandoc")) {
                output(QStringLiteral("mandoc"), {QStringLiteral("-T"), QStringLiteral("lint"), QStringLiteral("-W"),
                                                  QStringLiteral("warning"), pages.filePath(page)});
            }
        }
        for (const char* program : {"crosswalk", "crosswalk-gui"}) {
            const QString name = QLatin1String(program);
            output(QStringLiteral("bash"),
                   {QStringLiteral("-n"), m_folder.filePath(QStringLiteral("bash-completion/completions/") + name)});
            if (isInstalled("zsh")) {
                output(QStringLiteral("zsh"),
                       {QStringLiteral("-n"), m_folder.filePath(QStringLiteral("zsh/vendor-completions/_") + name)});
            }
            if (isInstalled("fish")) {
                output(QStringLiteral("fish"),
                       {QStringLiteral("--no-execute"), m_folder.filePath(QStringLiteral("fish/vendor_completions.d/") +
                                                                          name + QStringLiteral(".fish"))});
            }
        }
    }

    void reportsFoldersThatItCannotWrite()
    {
        const Ran ran = run({QStringLiteral("manual"), QStringLiteral("/proc/manual")});
        QCOMPARE(ran.status, 5);
        QVERIFY2(ran.err.startsWith("error: /proc/manual"), ran.err.constData());
    }

private:
    /// A row for each command and program: its page, the words before an option, and the options of its help.
    void programs() const
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<QString>("words");
        QTest::addColumn<QStringList>("options");
        const auto row = [](const QString& page, const QString& words, const QByteArray& help) {
            const QStringList options = optionsIn(help);
            QVERIFY2(options.contains(QStringLiteral("--help")), help.constData());
            QTest::newRow(qPrintable(words)) << page << words << options;
        };
        for (const QString& command : m_commands) {
            row(QStringLiteral("crosswalk-%1.1").arg(command), QStringLiteral("crosswalk ") + command,
                run({command, QStringLiteral("--help")}).out);
        }
        row(QStringLiteral("crosswalk.1"), QStringLiteral("crosswalk"), run({QStringLiteral("--help")}).out);
        row(QStringLiteral("crosswalk-gui.1"), QStringLiteral("crosswalk-gui"),
            output(programFolder() + QStringLiteral("/crosswalk-gui"), {QStringLiteral("--help")}));
    }

    QTemporaryDir m_folder;
    QStringList m_commands;
};

QTEST_GUILESS_MAIN(TestManual)
#include "tst_manual.moc"
