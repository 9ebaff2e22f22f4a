// Compares the includes between folders with the table in HACKING.md.

#include "tests/tree/source_files.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>

using namespace crosswalk::test;

namespace {

/// A row of the table. A folder is a pattern: `core/formats/*` stands for every folder in core/formats.
struct Layer {
    QString folder;
    QStringList mayInclude; ///< folders of other rows
    QStringList privateHeaders;
};

QStringList codeWords(const QString& cell)
{
    static const QRegularExpression word(QStringLiteral("`([^`]+)`"));
    QStringList words;
    for (auto found = word.globalMatch(cell); found.hasNext();) {
        words.append(found.next().captured(1));
    }
    return words;
}

QList<Layer> readTable()
{
    QList<Layer> layers;
    bool isInTable = false;
    for (const QString& line : linesOf(QStringLiteral("HACKING.md"))) {
        if (line.startsWith(QLatin1String("| folder | may include |"))) {
            isInTable = true;
        } else if (isInTable && !line.startsWith(u'|')) {
            break;
        } else if (isInTable && !line.startsWith(QLatin1String("|---"))) {
            const QStringList cells = line.split(u'|');
            const QStringList folders = codeWords(cells.value(1));
            for (const QString& folder : folders) {
                layers.append({folder, codeWords(cells.value(2)), codeWords(cells.value(3))});
            }
        }
    }
    return layers;
}

bool matches(const QString& path, const QString& folder)
{
    if (folder.endsWith(QLatin1String("/*"))) {
        return path.startsWith(folder.chopped(1)) && path.indexOf(u'/', folder.size() - 1) > 0;
    }
    return path == folder || path.startsWith(folder + u'/');
}

class Layers {
public:
    Layers()
        : m_layers(readTable())
    {
    }
    const QList<Layer>& all() const { return m_layers; }
    QStringList roots() const
    {
        QStringList roots;
        for (const Layer& layer : m_layers) {
            roots.append(layer.folder.section(u'/', 0, 0));
        }
        roots.removeDuplicates();
        return roots;
    }
    /// The row of a file: of those that match, the one for the deepest folder, and a name before a pattern. Null where
    /// no row matches.
    const Layer* of(const QString& path) const
    {
        const auto rank = [](const Layer& layer) {
            return std::pair(layer.folder.count(u'/'), layer.folder.endsWith(QLatin1String("/*")) ? 0 : 1);
        };
        const Layer* best = nullptr;
        for (const Layer& layer : m_layers) {
            if (matches(path, layer.folder) && (best == nullptr || rank(layer) > rank(*best))) {
                best = &layer;
            }
        }
        return best;
    }
    /// What one file may not include of another; empty if it may.
    QString violation(const QString& file, const QString& header) const
    {
        const Layer* from = of(file);
        const Layer* to = of(header);
        if (from == nullptr || to == nullptr) {
            return QStringLiteral("%1: the table in HACKING.md has no row for %2")
                .arg(file, from == nullptr ? file : header);
        }
        const bool isWithin = from == to && groupOf(file, *from) == groupOf(header, *to);
        const bool isPublic = to->folder == QLatin1String("include/crosswalk");
        if (!isWithin && !isPublic && !from->mayInclude.contains(to->folder)) {
            return QStringLiteral("%1 includes %2: %3 may not include %4")
                .arg(file, header, groupOf(file, *from), groupOf(header, *to));
        }
        if (!isWithin && to->privateHeaders.contains(QFileInfo(header).fileName())) {
            return QStringLiteral("%1 includes %2, which is private to %3").arg(file, header, to->folder);
        }
        return {};
    }

private:
    /// `core/formats/mxnet` of a file of the row `core/formats/*`: its folders are layers of their own.
    static QString groupOf(const QString& path, const Layer& layer)
    {
        return layer.folder.endsWith(QLatin1String("/*")) ? path.section(u'/', 0, layer.folder.count(u'/'))
                                                          : layer.folder;
    }

    QList<Layer> m_layers;
};

} // namespace

class TestLayering : public QObject {
    Q_OBJECT
private slots:
    void tableIsAcyclic()
    {
        QVERIFY2(m_layers.all().size() > 10, "HACKING.md has no table of folders");
        QSet<QString> above;
        for (const Layer& layer : m_layers.all()) {
            for (const QString& other : layer.mayInclude) {
                QVERIFY2(
                    above.contains(other),
                    qPrintable(QStringLiteral("%1 may include %2, which is no row above it").arg(layer.folder, other)));
            }
            above.insert(layer.folder);
        }
    }

    void rowsMatchExistingFiles()
    {
        QSet<const Layer*> found;
        for (const QString& file : m_files) {
            found.insert(m_layers.of(file));
        }
        for (const Layer& layer : m_layers.all()) {
            QVERIFY2(found.contains(&layer), qPrintable(layer.folder));
            for (const QString& header : layer.privateHeaders) {
                QVERIFY2(m_files.contains(layer.folder + u'/' + header), qPrintable(header));
            }
        }
    }

    void includesAreAllowed()
    {
        static const QRegularExpression include(QStringLiteral("^\\s*#\\s*include\\s+\"([^\"]+)\""));
        const QSet<QString> known(m_files.begin(), m_files.end());
        QStringList violations;
        for (const QString& file : m_files) {
            for (const QString& line : linesOf(file)) {
                QString header = include.match(line).captured(1);
                if (header.startsWith(QLatin1String("crosswalk/"))) {
                    header.prepend(QLatin1String("include/"));
                }
                if (header.isEmpty() || header.endsWith(QLatin1String(".moc"))) {
                    continue;
                }
                const QString violation =
                    known.contains(header)
                        ? m_layers.violation(file, header)
                        : QStringLiteral("%1 includes %2, which is no path from the root of the sources")
                              .arg(file, header);
                if (!violation.isEmpty()) {
                    violations.append(violation);
                }
            }
        }
        QVERIFY2(violations.isEmpty(), qPrintable(violations.join(u'\n')));
    }

    /// What shows a document takes a DocumentView: only controllers change documents.
    void panelsDoNotChangeDocuments()
    {
        const QString document = QStringLiteral("#include \"ui/document/document.h\"");
        QStringList violations;
        for (const QString& file : m_files) {
            if ((matches(file, QStringLiteral("ui/panels")) || matches(file, QStringLiteral("ui/models"))) &&
                linesOf(file).contains(document)) {
                violations.append(file);
            }
        }
        QVERIFY2(violations.isEmpty(), qPrintable(violations.join(u'\n')));
    }

    void headerNamesAreUnique()
    {
        QHash<QString, QString> pathOf;
        QStringList violations;
        for (const QString& file : m_files) {
            if (file.endsWith(QLatin1String(".h"))) {
                const auto [first, isNew] =
                    std::pair(pathOf.value(QFileInfo(file).fileName()), !pathOf.contains(QFileInfo(file).fileName()));
                if (!isNew) {
                    violations.append(QStringLiteral("%1 and %2 have one name").arg(first, file));
                }
                pathOf.insert(QFileInfo(file).fileName(), file);
            }
        }
        QVERIFY2(violations.isEmpty(), qPrintable(violations.join(u'\n')));
    }

private:
    const Layers m_layers;
    const QStringList m_files =
        sourceFiles(m_layers.roots(), {QStringLiteral("*.h"), QStringLiteral("*.cpp"), QStringLiteral("*.inc")});
};

QTEST_APPLESS_MAIN(TestLayering)
#include "tst_layering.moc"
