// What operators of MXNet compute, by numbers that can be worked out by hand.

#include "tests/support/computed.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace crosswalk;
using test::floats;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

using Numbers = std::vector<float>;

std::vector<Numbers> valuesOf(const QByteArray& text, const std::vector<Tensor>& inputs)
{
    Graph graph = test::textGraph(text.toStdString(), true);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        graph.value(graph.inputs[i]).type = {inputs[i].type(), shapeOf(inputs[i].dims())};
    }
    std::vector<Numbers> results;
    for (const Tensor& tensor : test::computed(graph, inputs)) {
        const auto doubles = tensor.toDoubles();
        results.emplace_back(doubles.begin(), doubles.end());
    }
    return results;
}

bool isNear(const Numbers& got, const Numbers& wanted)
{
    return std::equal(got.begin(), got.end(), wanted.begin(), wanted.end(), [](float a, float b) {
        return a == b || std::abs(a - b) < 1e-5F || (std::isnan(a) && std::isnan(b));
    });
}

} // namespace

class TestMxnetValues : public QObject {
    Q_OBJECT
private slots:
    void computes_data()
    {
        QTest::addColumn<QByteArray>("operation"); ///< of a, b and c
        QTest::addColumn<std::vector<Tensor>>("inputs");
        QTest::addColumn<Numbers>("wanted");
        const auto row = [](const char* name, const char* operation, std::vector<Tensor> inputs, Numbers wanted) {
            QTest::newRow(name) << QByteArray(operation) << std::move(inputs) << std::move(wanted);
        };
        const Tensor data = floats({2, 3}, {0, 1, 2, 3, 4, 5});
        row("a logarithm of gamma at the ends", "gammaln(a)", {floats({4}, {-infinity, infinity, -2, 1})},
            {infinity, infinity, infinity, 0});
        row("the first elements", "Reshape(a) shape=(1,2)", {data}, {0, 1});
        row("as many rows as fit", "Reshape(a) shape=(4,-1)", {data}, {0, 1, 2, 3});
    }

    void computes()
    {
        QFETCH(QByteArray, operation);
        QFETCH(std::vector<Tensor>, inputs);
        QFETCH(Numbers, wanted);
        QByteArray text;
        for (const char name : {'a', 'b', 'c'}) {
            text += inputs.size() > static_cast<std::size_t>(name - 'a') ? QByteArray(1, name) + " = input\n" : "";
        }
        const Numbers got = valuesOf(text + "y = " + operation + "\noutput y", inputs).front();
        QVERIFY2(isNear(got, wanted), qPrintable(QStringLiteral("%1 of %2 values, the first %3")
                                                     .arg(got.size())
                                                     .arg(wanted.size())
                                                     .arg(got.empty() ? 0.0 : static_cast<double>(got.front()))));
    }

    /// Each element is dropped by a chance of its own, or together with those along the axes that the node names.
    void dropsWhereItAlwaysDrops()
    {
        const std::vector<Tensor> ones{floats({4, 1000}, Numbers(4000, 1))};
        const Numbers got = valuesOf("a = input\ny = Dropout(a) p=0.75 mode=always\noutput y", ones).front();
        const auto kept = std::count(got.begin(), got.end(), 4.0F);
        QCOMPARE(kept + std::count(got.begin(), got.end(), 0.0F), 4000);
        QVERIFY(kept > 800 && kept < 1200);
        const Numbers rows = valuesOf("a = input\ny = Dropout(a) p=0.5 mode=always axes=(0,)\noutput y", ones).front();
        QVERIFY(std::equal(rows.begin(), rows.begin() + 1000, rows.begin() + 3000));
        QVERIFY(std::count(rows.begin(), rows.begin() + 1000, 0.0F) > 400);
        const Numbers plain = valuesOf("a = input\ny = Dropout(a) p=0.75\noutput y", ones).front();
        QCOMPARE(std::count(plain.begin(), plain.end(), 1.0F), 4000);
    }
};

QTEST_GUILESS_MAIN(TestMxnetValues)
#include "tst_mxnet_values.moc"
