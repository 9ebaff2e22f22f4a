// Pickles as data: nothing is imported or called.

#include "core/base/diagnostic.h"
#include "core/formats/pytorch/pickle.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::pytorch;

namespace {

Pickle read(std::string_view bytes)
{
    return readPickle(std::as_bytes(std::span(bytes)), "p.pkl");
}

} // namespace

class TestPickle : public QObject {
    Q_OBJECT
private slots:
    void readsValues()
    {
        using namespace std::string_view_literals;
        // {"a": (1, -2, 0.5, None, True), "b": [70000]}
        const Pickle pickle = read("\x80\x02}q\x00(X\x01\x00\x00\x00"
                                   "a(K\x01J\xfe\xff\xff\xffG\x3f\xe0\x00\x00\x00\x00\x00\x00N\x88t"
                                   "X\x01\x00\x00\x00"
                                   "b](\x8a\x03\x70\x11\x01"
                                   "eu."sv);
        const auto entries = entriesOf(pickle.root);
        QCOMPARE(entries.size(), std::size_t{2});
        QCOMPARE(std::get<std::string>(entries[0].first), std::string("a"));
        const PickleObject* tuple = objectIn(entries[0].second, PickleObject::Kind::Tuple);
        QVERIFY(tuple != nullptr);
        QCOMPARE(std::get<std::int64_t>(tuple->items[0]), std::int64_t{1});
        QCOMPARE(std::get<std::int64_t>(tuple->items[1]), std::int64_t{-2});
        QCOMPARE(std::get<double>(tuple->items[2]), 0.5);
        QVERIFY(std::holds_alternative<std::monostate>(tuple->items[3]));
        QVERIFY(std::get<bool>(tuple->items[4]));
        const PickleObject* list = objectIn(entries[1].second, PickleObject::Kind::List);
        QVERIFY(list != nullptr);
        QCOMPARE(std::get<std::int64_t>(list->items[0]), std::int64_t{70000});
    }

    void namesWhatItWouldImport()
    {
        using namespace std::string_view_literals;
        const Pickle pickle = read("\x80\x02"
                                   "cos\nsystem\nX\x02\x00\x00\x00"
                                   "ls\x85R."sv);
        QCOMPARE(pickle.globals, (std::vector<std::string>{"os system"}));
        QVERIFY(argumentsOf(pickle.root, "os system") != nullptr);
        QVERIFY(argumentsOf(pickle.root, "os popen") == nullptr);
    }

    void releasesCycles()
    {
        // A list that contains itself: the leak sanitizer sees whether it is released.
        const Pickle pickle = read("\x80\x02]q\x01h\x01"
                                   "a.");
        QCOMPARE(objectIn(pickle.root)->items.size(), std::size_t{1});
    }

    void rejectsDamage_data()
    {
        using namespace std::string_view_literals;
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const char* name, std::string_view bytes, const char* code) {
            QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())) << QByteArray(code);
        };
        row("nothing", ""sv, "truncated");
        row("ends inside a number", "\x80\x02J\x01"sv, "truncated");
        row("a text longer than the file", "\x80\x02X\xff\xff\xff\x7f"sv, "truncated");
        row("an empty stack", "\x80\x02."sv, "damaged");
        row("no mark", "\x80\x02t."sv, "damaged");
        row("nothing above the mark", "\x80\x02(."sv, "damaged");
        row("an unknown opcode", "\x80\x02\xff."sv, "damaged");
        row("a protocol of the future", "\x80\x63."sv, "damaged");
        row("a value that was not stored", "\x80\x02h\x07."sv, "damaged");
        const std::string repeated =
            std::string("\x80\x02X\x00\x00\x10\x00", 7) + std::string(1U << 20U, 'a') + std::string(64, '2') + ".";
        row("a text that is repeated", repeated, "damaged");
        row("an item of a number",
            "\x80\x02K\x01K\x02"
            "a."sv,
            "damaged");
    }
    void rejectsDamage()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QByteArray, code);
        try {
            read({bytes.data(), static_cast<std::size_t>(bytes.size())});
            QFAIL("accepted");
        } catch (const ModelError& error) {
            QCOMPARE(QByteArray::fromStdString(std::string(error.diagnostic.code.text())), code);
        }
    }
};

QTEST_APPLESS_MAIN(TestPickle)
#include "tst_pickle.moc"
