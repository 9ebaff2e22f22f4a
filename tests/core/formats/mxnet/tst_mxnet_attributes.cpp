// Attributes that MXNet stores as text: their values, and what the operators' accessors refuse.

#include "core/convert/conversion.h"
#include "core/formats/mxnet/attribute_lookup.h"
#include "core/formats/mxnet/attribute_parser.h"
#include "core/graph/attribute_text.h"
#include "core/graph/graph.h"
#include "tests/support/text_graph.h"

#include <QtTest>
#include <cmath>
#include <fmt/format.h>

using namespace crosswalk;
using mxnet::parseAttributeText;
using test::textGraph;

namespace {

using Reals = std::vector<double>;

AttributeList list(std::initializer_list<AttributeValue> items)
{
    return items;
}

std::string problemsOf(const std::string& call)
{
    const auto result = convert(textGraph("x = input 1x2x6x6\n" + call + "\noutput y\n"), {});
    if (!result) {
        return std::string(result.problem().code.text());
    }
    std::string codes;
    for (const Diagnostic& problem : result.value().problems) {
        codes += fmt::format("{}{}:{}", codes.empty() ? "" : " ", problem.code.text(), problem.attribute);
    }
    return codes;
}

} // namespace

class TestMxnetAttributes : public QObject {
    Q_OBJECT
private slots:
    void valuesHaveTheTypeOfTheirText()
    {
        const std::vector<std::pair<std::string, AttributeValue>> rows{
            {"None", std::monostate()},
            {"True", true},
            {"tRUE", true},
            {" false ", false},
            {"3", std::int64_t{3}},
            {" -3\n", std::int64_t{-3}},
            {"+3", std::int64_t{3}},
            {"3.0", 3.0},
            {"1e-05", 1e-05},
            {"0.5f", 0.5},
            {"1e999", HUGE_VAL},
            {"99999999999999999999", 1e20},
            {"(3, 3)", Ints{3, 3}},
            {"[3,3]", Ints{3, 3}},
            {"(3L,)", Ints{3}},
            {" ( 1L , 2 ) ", Ints{1, 2}},
            {"()", Ints{}},
            {"(3]", Ints{3}},
            {"[3, 4)", Ints{3, 4}},
            {"[ ]", Ints{}},
            {"(0.5, 1)", Reals{0.5, 1}},
            {"(None, 1)", list({std::monostate(), std::int64_t{1}})},
            {"(True, 0)", list({true, std::int64_t{0}})},
            {"((0, 1), (2, 3))", list({Ints{0, 1}, Ints{2, 3}})},
            {"[[1], None]", list({Ints{1}, std::monostate()})},
        };
        for (const auto& [text, value] : rows) {
            QVERIFY2(parseAttributeText(text) == value, text.c_str());
        }
    }

    void anythingElseIsAString_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"",
                                 " ",
                                 "relu",
                                 "none",
                                 "3L",
                                 "(3",
                                 "3)",
                                 "(1, 2))",
                                 "(1,,2)",
                                 "(,)",
                                 "(a, b)",
                                 "1, 2",
                                 "(1 2)",
                                 "((0 0), (1 1))",
                                 "((0, 0) (1, 1))",
                                 "((1)",
                                 "(1)(2)",
                                 "0x10",
                                 "--1",
                                 "((((((((((1))))))))))"}) {
            QTest::newRow(text) << QByteArray(text);
        }
    }
    void anythingElseIsAString()
    {
        QFETCH(QByteArray, text);
        QVERIFY(parseAttributeText(text.toStdString()) == AttributeValue(text.toStdString()));
    }

    void theTextIsKept()
    {
        const Attribute attribute = mxnet::parsedAttribute("kernel", "[3L, 3L]");
        QCOMPARE(attribute.text, std::string("[3L, 3L]"));
        QCOMPARE(attributeText(attribute, Graph()), std::string("[3L, 3L]"));
        QCOMPARE(attributeText(attribute.value, Graph()), std::string("(3, 3)"));
    }

    void passesReadWhatIsOfTheirKind()
    {
        const std::vector<Attribute> attributes{
            mxnet::parsedAttribute("one", "1"),     mxnet::parsedAttribute("two", "(2,)"),
            mxnet::parsedAttribute("none", "None"), mxnet::parsedAttribute("word", "word"),
            mxnet::parsedAttribute("yes", "TRUE"),  mxnet::parsedAttribute("half", "0.5"),
        };
        QVERIFY(mxnet::flag(attributes, "one", false));
        QVERIFY(mxnet::flag(attributes, "yes", false));
        QVERIFY(mxnet::flag(attributes, "word", true));
        QVERIFY(mxnet::flag(attributes, "none", true));
        QVERIFY(mxnet::integer(attributes, "two") == 2);
        QVERIFY(mxnet::integer(attributes, "none", 7) == 7);
        QVERIFY(!mxnet::integer(attributes, "word", 7));
        QVERIFY(mxnet::number(attributes, "half") == 0.5);
        QVERIFY(mxnet::number(attributes, "one") == 1);
        QVERIFY(mxnet::integers(attributes, "one") == Ints{1});
        QVERIFY(!mxnet::integers(attributes, "half"));
        QVERIFY(mxnet::findAttribute(attributes, "one") == "1");
        QVERIFY(!mxnet::findAttribute(attributes, "absent"));
    }

    void operatorsTakeWhatMxnetTakes_data()
    {
        QTest::addColumn<QByteArray>("call");
        QTest::addColumn<QByteArray>("problems");
        const auto row = [](const char* call, const char* problems) {
            QTest::newRow(call) << QByteArray(call) << QByteArray(problems);
        };
        row("y = Pooling(x) kernel=(2,2) global_pool=0", "");
        row("y = Pooling(x) kernel=[2L,2L] global_pool=fAlse", "");
        row("y = Pooling(x) kernel=(2,2) global_pool=2", "invalid-attribute:global_pool");
        row("y = Pooling(x) kernel=(2,2) global_pool=+1", "invalid-attribute:global_pool");
        row("y = Pooling(x) kernel=(2,2) global_pool=01", "invalid-attribute:global_pool");
        row("y = Pooling(x) kernel=(2,2) global_pool=1.0", "invalid-attribute:global_pool");
        row("y = Pooling(x) kernel=(2,2) global_pool=None", "");
        row("y = Pooling(x) kernel=(2,b)", "invalid-attribute:kernel");
        row("y = Pooling(x) kernel=(2,None)", "invalid-attribute:kernel");
        row("y = Pooling(x) kernel=(2,2", "invalid-attribute:kernel");
        row("y = Pooling(x) kernel=(2,2) pool_type=3", "invalid-attribute:pool_type");
        row("y = Concat(x,x) dim=1L", "invalid-attribute:dim");
        row("y = argmax(x) axis=1L", "");
        row("y = argmax(x) axis=1LL", "invalid-attribute:axis");
        row("y = Concat(x,x) dim=(1,)", "invalid-attribute:dim");
        row("y = Concat(x,x) dim=1.0", "invalid-attribute:dim");
        row("y = _plus_scalar(x) scalar=True", "");
        row("y = _plus_scalar(x) scalar=word", "invalid-attribute:scalar");
        row("y = slice(x) begin=(None,1) end=(None,2)", "");
        row("y = slice(x) begin=(None,True) end=(None,2)", "invalid-attribute:begin");
        row("y = Cast(x) dtype=3", "invalid-attribute:dtype");
        row("y = _npi_pad(x) pad_width=((0,0),(0,0),[1,1],(1,1)) mode=constant", "");
        row("y = _npi_pad(x) pad_width=((0,0),(0,0),(1,b),(1,1)) mode=constant", "invalid-attribute:pad_width");
        row("y = _npi_pad(x) pad_width=((0,0),(0,0),(1,-1),(1,1)) mode=constant", "invalid-attribute:pad_width");
        row("y = Pooling(x) kernel=(2,2) pool_type=None", "invalid-attribute:pool_type");
        row("y = squeeze(x) axis=(0,-4)", "invalid-attribute:axis");
        row("y = reverse(x) axis=(1,-1)", "invalid-attribute:axis");
        row("y = Dropout(x) p=2", "invalid-attribute:p");
        row("y = Dropout(x) p=1", "");
        row("i = _zeros() shape=(1,6,6)\ny = pick(x,i) axis=1", "");
        row("i = _zeros() shape=(1,1,6,6)\ny = pick(x,i) axis=1", "");
        row("i = _zeros() shape=(1,5,6)\ny = pick(x,i) axis=1", "invalid-attribute:axis");
    }
    void operatorsTakeWhatMxnetTakes()
    {
        QFETCH(QByteArray, call);
        QFETCH(QByteArray, problems);
        QCOMPARE(problemsOf(call.toStdString()), problems.toStdString());
    }

    void theSignOfANegativeZeroStays()
    {
        const std::string model = test::dump(
            convert(textGraph("x = input 2\ny = _mul_scalar(x) scalar=-0\noutput y\n"), {}).value().model.whole());
        QVERIFY2(model.find("-0") != std::string::npos, model.c_str());
    }
};

QTEST_APPLESS_MAIN(TestMxnetAttributes)
#include "tst_mxnet_attributes.moc"
