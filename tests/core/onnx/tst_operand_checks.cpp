#include "core/base/diagnostic.h"
#include "core/onnx/operand_checks.h"
#include "tests/support/onnx_text.h"

#include <algorithm>
#include <optional>
#include <vector>

using namespace crosswalk;

namespace {

using Shapes = std::vector<Shape>;

/// The message of checkOperands() for a node in ONNX's text form, empty if it accepts the operands. The shape of input
/// i is shapes[i], unknown if it is empty or missing; `output` is that of the output.
std::string messageFor(const QByteArray& text, const Shapes& shapes, const std::optional<Shape>& output = {})
{
    ::onnx::NodeProto node;
    ::onnx::OnnxParser parser(text.constData());
    if (!parser.Parse(node).IsOK()) {
        return "the text is not a node";
    }
    const std::vector<const Tensor*> contents(shapes.size(), nullptr);
    try {
        checkOperands(node, contents, [&](const std::string& value) -> std::optional<Shape> {
            const auto place = static_cast<std::size_t>(std::ranges::find(node.input(), value) - node.input().begin());
            if (place == static_cast<std::size_t>(node.input_size())) {
                return output;
            }
            return place < shapes.size() && !shapes[place].empty() ? std::optional(shapes[place]) : std::nullopt;
        });
    } catch (const ModelError& error) {
        return error.diagnostic.message;
    }
    return {};
}

} // namespace

Q_DECLARE_METATYPE(Shapes)

class TestOperandChecks : public QObject {
    Q_OBJECT
private slots:
    void comparesShapes_data()
    {
        QTest::addColumn<QByteArray>("node");
        QTest::addColumn<Shapes>("fitting");
        QTest::addColumn<Shapes>("others");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* name, const char* node, const Shapes& fitting, const Shapes& others,
                            const char* message) {
            QTest::newRow(name) << QByteArray(node) << fitting << others << QByteArray(message);
        };
        const Dim n("N");
        row("channels", "y = Conv (a, b, c)", {{n, 3, 8}, {4, 3, 2}, {4}}, {{n, 5, 8}, {4, 3, 2}, {4}},
            "the channel axis of the data has 5 instead of 3");
        row("channels of groups", "y = Conv <group = 2> (a, b)", {{1, 6, 8}, {4, 3, 2}}, {{1, 6, 8}, {3, 3, 2}},
            "3 filters are not divisible by 2");
        row("a bias", "y = Conv (a, b, c)", {{1, n, 8}, {4, 3, 2}, {4}}, {{1, n, 8}, {4, 3, 2}, {3}},
            "the bias has 3 instead of 4");
        row("quantized channels", "y = QLinearConv (a, b, c, d)", {{1, 3, 8}, {}, {}, {4, 3, 2}},
            {{1, 2, 8}, {}, {}, {4, 3, 2}}, "the channel axis of the data has 2 instead of 3");
        row("transposed channels", "y = ConvTranspose (a, b)", {{1, 3, 8}, {3, 4, 2}}, {{1, 4, 8}, {3, 4, 2}},
            "the channel axis of the data has 4 instead of 3");
        row("offsets", "y = DeformConv (a, b, c)", {{2, 3, 8, 8}, {4, 3, 2, 2}, {2, 8, 7, 7}},
            {{2, 3, 8, 8}, {4, 3, 2, 2}, {1, 8, 7, 7}}, "the batch axis of the offsets has 1 instead of 2");
        row("features", "y = LSTM <direction = \"bidirectional\"> (a, b, c, d)",
            {{n, 2, 3}, {2, 20, 3}, {2, 20, 5}, {2, 40}}, {{n, 2, 4}, {2, 20, 3}, {2, 20, 5}, {2, 40}},
            "W has shape 2x20x3 instead of 2x20x4");
        row("a state", "y = GRU (a, b, c, d, e, f)", {{n, 2, 3}, {1, 15, 3}, {1, 15, 5}, {}, {2}, {1, 2, 5}},
            {{n, 2, 3}, {1, 15, 3}, {1, 15, 5}, {}, {2}, {1, 3, 5}}, "initial_h has shape 1x3x5 instead of 1x2x5");
        row("lengths", "y = RNN <layout = 1> (a, b, c, d, e)", {{2, n, 3}, {1, 5, 3}, {1, 5, 5}, {}, {2}},
            {{2, n, 3}, {1, 5, 3}, {1, 5, 5}, {}, {3}}, "sequence_lens has shape 3 instead of 2");
        const char* einsum = R"(y = Einsum <equation = "b i...j, jk -> b...k"> (a, b))";
        row("letters", einsum, {{1, 2, 7, 3}, {3, 4}}, {{1, 2, 7, 5}, {3, 4}}, "j is an axis of 5 and of 3");
        row("a letter of 1", einsum, {{1, 2, 1}, {3, 4}}, {{1, 2, 2}, {3, 4}}, "j is an axis of 2 and of 3");
        row("an added matrix", "y = Gemm <transB = 1> (a, b, c)", {{2, 3}, {4, 3}, {2, 1}}, {{2, 3}, {4, 3}, {3}},
            "C of shape 3 cannot be broadcast to 2x4");
        row("scales of channels", "y = InstanceNormalization (a, b, c)", {{1, 3, 4}, {3}, {3}}, {{1, 3, 4}, {4}, {3}},
            "the scale has 4 instead of 3");
        row("scales of a layer", "y = LayerNormalization (a, b, c)", {{n, 3, 4}, {3, 4}, {4}}, {{n, 3, 4}, {4, 4}, {4}},
            "the scale of shape 4x4 cannot be broadcast to Nx3x4");
        row("scales of an axis", "y = DequantizeLinear <axis = 0> (a, b)", {{6}, {6}}, {{6}, {2}},
            "the scale has 2 instead of 6");
        row("scales of blocks", "y = DequantizeLinear <axis = 0, block_size = 4> (a, b)", {{6}, {2}}, {{6}, {3}},
            "the scale has 3 instead of 2");
        row("a slope", "y = PRelu (a, b)", {{n, 3, 4}, {3, 1}}, {{n, 3, 4}, {2, n, 3, 4}},
            "the slope of shape 2xNx3x4 cannot be broadcast to Nx3x4");
        row("indices", "y = GatherElements (a, b)", {{2, 3}, {7, 3}}, {{2, 3}, {2, 4}},
            "indices of shape 2x4 exceed data of shape 2x3");
        row("updates of elements", "y = ScatterElements <axis = -1> (a, b, c)", {{2, 3}, {2, 5}, {2, 5}},
            {{2, 3}, {2, 5}, {2, 4}}, "the tensor of updates has shape 2x4 instead of 2x5");
        row("updates of rows", "y = ScatterND (a, b, c)", {{2, 3}, {5, 1}, {5, 3}}, {{2, 3}, {5, 1}, {5, 4}},
            "the tensor of updates has shape 5x4 instead of 5x3");
        row("numbers of an index", "y = ScatterND (a, b, c)", {{2, 3}, {5, 2}, {5}}, {{2, 3}, {5, 3}, {5}},
            "indices of 3 numbers address data of shape 2x3");
        row("batches of indices", "y = GatherND <batch_dims = 1> (a, b)", {{2, 3}, {2, 1}}, {{2, 3}, {3, 1}},
            "a batch axis of the indices has 3 instead of 2");
        row("sequences", "y = ReverseSequence (a, b)", {{5, 2}, {2}}, {{5, 2}, {3}},
            "sequence_lens has 3 instead of 2");
        row("boxes", "y = NonMaxSuppression (a, b)", {{1, 6, 4}, {1, 2, 6}}, {{1, 6, 4}, {1, 2, 5}},
            "the box axis of the scores has 5 instead of 6");
        row("heads", "y = Attention (a, b, c)", {{1, 4, 5, 8}, {1, 2, 6, 8}, {1, 2, 6, 7}},
            {{1, 3, 5, 8}, {1, 2, 6, 8}, {1, 2, 6, 7}}, "3 heads are not divisible by 2");
        row("channels of blocks", "y = DepthToSpace <blocksize = 2> (a)", {{1, 8, 3, 3}}, {{1, 6, 3, 3}},
            "6 channels are not divisible by 4");
        row("columns of blocks", "y = SpaceToDepth <blocksize = 2> (a)", {{1, 3, 4, 6}}, {{1, 3, 4, 5}},
            "5 columns are not divisible by 2");
        row("axes", "y = Transpose <perm = [1, 0]> (a)", {{2, 3}}, {{2, 3, 4}},
            "perm is not a permutation of the axes of the input");
    }

    void comparesShapes()
    {
        QFETCH(const QByteArray, node);
        QFETCH(const Shapes, fitting);
        QFETCH(const Shapes, others);
        QFETCH(const QByteArray, message);
        QCOMPARE(messageFor(node, fitting, Shape{2, 4}), std::string());
        const std::string wrong = messageFor(node, others, Shape{2, 4});
        QVERIFY2(wrong.ends_with(": " + message.toStdString()), wrong.c_str());
    }

    void comparesElementsOfReshape()
    {
        QCOMPARE(messageFor("y = Reshape (a, b)", {{2, 3, 2}}, Shape{2, 6}), std::string());
        QCOMPARE(messageFor("y = Reshape (a, b)", {{Dim("N"), 4, 2}}, Shape{2, 6}), std::string());
        QCOMPARE(messageFor("y = Reshape (a, b)", {{2, 4, 2}}, Shape{2, 6}),
                 std::string("as ONNX's Reshape: a tensor of shape 2x4x2 cannot be reshaped to 2x6"));
        QCOMPARE(messageFor("y = Reshape <allowzero = 1> (a, b)", {{2, 3, 2}}, Shape{0, 6}),
                 std::string("as ONNX's Reshape: a tensor of shape 2x3x2 cannot be reshaped to 0x6"));
    }
};

QTEST_APPLESS_MAIN(TestOperandChecks)
#include "tst_operand_checks.moc"
