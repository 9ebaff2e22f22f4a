#include "core/convert/conversion.h"
#include "core/onnx/proto.h"
#include "tests/support/text_graph.h"

#include <QtTest>

using namespace crosswalk;
using test::textGraph;

namespace {

Conversion converted(const QByteArray& source, int opset)
{
    auto result = convert(textGraph(source.toStdString()), {.opset = opset});
    if (!result) {
        throw std::runtime_error(result.problem().message);
    }
    return std::move(result.value());
}

QByteArrayList operators(const Conversion& conversion)
{
    QByteArrayList names;
    for (const auto& node : conversion.model.whole().proto->graph().node()) {
        names << QByteArray::fromStdString(node.op_type());
    }
    return names;
}

} // namespace

/// Operators of detectors and of images, where the recorded cases do not reach: which form is taken at which opset and
/// for which type, and what is not taken. What they compute is the recorded cases' to say.
class TestMxnetVision : public QObject {
    Q_OBJECT
private slots:
    void takesTheFormOfTheOpset_data();
    void takesTheFormOfTheOpset();
    void keepsOpenSizes_data();
    void keepsOpenSizes();
    void says_data();
    void says();
};

void TestMxnetVision::takesTheFormOfTheOpset_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<int>("opset");
    QTest::addColumn<QByteArray>("present");
    QTest::addColumn<QByteArray>("absent");
    const QByteArray blocks = "y = depth_to_space(x) block_size=2\noutput y";
    QTest::newRow("blocks of floats") << "x = input 2x8x3x3\n" + blocks << 11 << QByteArray("DepthToSpace")
                                      << QByteArray("Transpose");
    QTest::newRow("blocks of integers") << "x = input int32 2x8x3x3\n" + blocks << 11 << QByteArray("Transpose")
                                        << QByteArray("DepthToSpace");
    const QByteArray regions = "x = input 2x4x9x9\nr = input 3x5\n";
    const QByteArray pooled = regions + "y = ROIPooling(x,r) pooled_size=(2,2) spatial_scale=0.5\noutput y";
    QTest::newRow("pooled regions") << pooled << 21 << QByteArray("MaxRoiPool") << QByteArray("Scan");
    QTest::newRow("pooled regions, which the runtime lost")
        << pooled << 22 << QByteArray("Scan") << QByteArray("MaxRoiPool");
    const QByteArray plain = regions + "y = _contrib_ROIAlign(x,r) pooled_size=(2,2) spatial_scale=0.5";
    QTest::newRow("regions") << plain + "\noutput y" << 11 << QByteArray("RoiAlign") << QByteArray("Scan");
    QTest::newRow("shifted regions") << plain + " aligned=True\noutput y" << 16 << QByteArray("RoiAlign")
                                     << QByteArray("Scan");
    QTest::newRow("shifted regions before their opset")
        << plain + " aligned=True\noutput y" << 15 << QByteArray("Scan") << QByteArray("RoiAlign");
    const QByteArray sampler = "x = input 2x4x9x9\ng = input 2x2x3x3\ny = BilinearSampler(x,g)\noutput y";
    QTest::newRow("a grid") << sampler << 16 << QByteArray("GridSample") << QByteArray("Gather");
    QTest::newRow("a grid before its opset") << sampler << 15 << QByteArray("Gather") << QByteArray("GridSample");
    const QByteArray moved = "x = input 2x4x9x9\no = input 2x18x9x9\nw = weight 6x4x3x3\n"
                             "y = _contrib_DeformableConvolution(x,o,w) kernel=(3,3) pad=(1,1) num_filter=6 "
                             "no_bias=True\noutput y";
    QTest::newRow("moved kernels") << moved << 19 << QByteArray("DeformConv") << QByteArray("Gather");
    QTest::newRow("moved kernels before their opset")
        << moved << 18 << QByteArray("Gather") << QByteArray("DeformConv");
    const QByteArray image = "x = input uint8 4x5x3\ny = _image_resize(x) size=(3,2) interp=0\noutput y";
    QTest::newRow("the nearest pixels of bytes") << image << 17 << QByteArray("Gather") << QByteArray("MatMul");
}

void TestMxnetVision::takesTheFormOfTheOpset()
{
    QFETCH(QByteArray, source);
    QFETCH(int, opset);
    QFETCH(QByteArray, present);
    QFETCH(QByteArray, absent);

    const auto conversion = converted(source, opset);

    QVERIFY(!conversion.hasErrors());
    QVERIFY2(operators(conversion).contains(present), operators(conversion).join(' '));
    QVERIFY2(!operators(conversion).contains(absent), operators(conversion).join(' '));
}

void TestMxnetVision::keepsOpenSizes_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("blocks") << QByteArray("x = input int32 Nx8xHx3\ny = depth_to_space(x) block_size=2\noutput y")
                            << QByteArray("int32 Nx2x?x6");
    QTest::newRow("columns") << QByteArray("x = input Nx3x5x5\ny = im2col(x) kernel=(3,3)\noutput y")
                             << QByteArray("float32 Nx27x9");
    QTest::newRow("regions") << QByteArray("x = input Nx4x9x9\nr = input Rx5\n"
                                           "y = _contrib_ROIAlign(x,r) pooled_size=(2,3) spatial_scale=1\noutput y")
                             << QByteArray("float32 Rx4x2x3");
    QTest::newRow("moved kernels") << QByteArray("x = input Nx4xHxW\no = input Nx18xAxB\nw = weight 6x4x3x3\n"
                                                 "y = _contrib_DeformableConvolution(x,o,w) kernel=(3,3) pad=(1,1) "
                                                 "num_filter=6 no_bias=True\noutput y")
                                   << QByteArray("float32 Nx6xAxB");
    QTest::newRow("proposals") << QByteArray("s = input 1x6xHxW\nd = input 1x12xHxW\ni = input 1x3\n"
                                             "y = _contrib_Proposal(s,d,i) scales=(8,) ratios=(0.5,1,2) "
                                             "rpn_post_nms_top_n=7\noutput y")
                               << QByteArray("float32 7x5");
    QTest::newRow("losses") << QByteArray("x = input TxNx5\nl = input Nx3\ny = CTCLoss(x,l)\noutput y")
                            << QByteArray("float32 N");
    QTest::newRow("a grid") << QByteArray("x = input Nx3x8x8\nt = input Nx6\n"
                                          "y = SpatialTransformer(x,t) target_shape=(4,5) transform_type=affine "
                                          "sampler_type=bilinear\noutput y")
                            << QByteArray("float32 Nx3x4x5");
}

void TestMxnetVision::keepsOpenSizes()
{
    QFETCH(QByteArray, source);
    QFETCH(QByteArray, expected);

    const Graph graph = textGraph(source.toStdString());
    const auto result = convert(graph, {.opset = 13});

    QVERIFY(result && !result.value().hasErrors());
    QCOMPARE(QByteArray::fromStdString(toString(result.value().valueTypes[graph.outputs[0].index])), expected);
}

void TestMxnetVision::says_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("code");
    const auto row = [](const char* name, const char* source, const char* code) {
        QTest::newRow(name) << QByteArray(source) << QByteArray(code);
    };
    row("channels that do not divide", "x = input 1x6x2x2\ny = depth_to_space(x) block_size=2\noutput y",
        "invalid-attribute");
    row("a target of one place",
        "x = input 1x6\ny = GridGenerator(x) transform_type=affine target_shape=(1,3)\noutput y",
        "unsupported-attribute");
    row("bytes between pixels", "x = input uint8 4x5x3\ny = _image_resize(x) size=(3,2)\noutput y",
        "unsupported-attribute");
    row("a batch to flip", "x = input 2x4x5x3\ny = _image_flip_top_bottom(x)\noutput y", "invalid-attribute");
    row("a crop that reaches out", "x = input 4x5x3\ny = _image_crop(x) x=3 y=0 width=3 height=2\noutput y",
        "invalid-attribute");
    row("means for other channels", "x = input 3x4x5\ny = _image_normalize(x) mean=(1,2) std=(1,)\noutput y",
        "invalid-attribute");
    row("channels that do not divide among the offsets",
        "x = input 1x4x9x9\no = input 1x54x9x9\nw = weight 6x4x3x3\n"
        "y = _contrib_DeformableConvolution(x,o,w) kernel=(3,3) pad=(1,1) num_filter=6 no_bias=True "
        "num_deformable_group=3\noutput y",
        "invalid-attribute");
    row("an even window to correlate", "x = input 1x4x9x9\ny = Correlation(x,x) kernel_size=2\noutput y",
        "invalid-attribute");
    row("maps of different channels", "x = input 1x4x9x9\nz = input 1x3x9x9\ny = Correlation(x,z)\noutput y",
        "invalid-attribute");
    row("anchors of another number",
        "s = input 1x6x4x4\nd = input 1x12x4x4\ni = input 1x3\n"
        "y = _contrib_Proposal(s,d,i) scales=(8,16) ratios=(1,)\noutput y",
        "invalid-attribute");
    row("a weight for other channels",
        "x = input 1x3x8x8\nw = input 4x5x3x3\ny = Convolution(x,w) kernel=(3,3) num_filter=4 no_bias=True\noutput y",
        "wrong-weight");
    row("a transposed weight for other channels",
        "x = input 1x3x8x8\nw = input 5x4x3x3\ny = Deconvolution(x,w) kernel=(3,3) num_filter=4\noutput y",
        "wrong-weight");
    row("channels that do not divide into groups",
        "x = input 1x3x8x8\nw = weight 4x2x3x3\n"
        "y = Convolution(x,w) kernel=(3,3) num_filter=4 num_group=2 no_bias=True\noutput y",
        "invalid-attribute");
    row("a bias with no_bias",
        "x = input 1x3x8x8\nw = weight 4x3x3x3\nb = weight 4\n"
        "y = Convolution(x,w,b) kernel=(3,3) num_filter=4 no_bias=True\noutput y",
        "invalid-attribute");
    row("lengths without use_sequence_length", "x = input 5x2x3\nn = input 2\ny = SequenceReverse(x,n)\noutput y",
        "invalid-attribute");
    row("lengths without use_length", "x = input 2x5\nn = input int32 2\ny = softmax(x,n)\noutput y",
        "invalid-attribute");
    row("a reflection of more than there is",
        "x = input 1x3x8x4\ny = Pad(x) mode=reflect pad_width=(0,0,0,0,1,1,4,1)\noutput y", "invalid-attribute");
    row("a histogram without its range", "x = input 5\ny, b = _histogram(x) bin_cnt=4\noutput y", "invalid-attribute");
    row("more rows than columns", "x = input 4x3\ny, l = _linalg_gelqf(x)\noutput y", "invalid-attribute");
    row("regions without an image number",
        "x = input 1x4x9x9\nr = input 3x4\n"
        "y = ROIPooling(x,r) pooled_size=(2,2) spatial_scale=1\noutput y",
        "invalid-attribute");
    row("regions of no size",
        "x = input 1x4x9x9\nr = input 3x5\ny = ROIPooling(x,r) pooled_size=(2,2) spatial_scale=0\noutput y",
        "invalid-attribute");
    row("bins without channels of their own",
        "x = input 1x6x9x9\nr = input 3x5\n"
        "y = _contrib_PSROIPooling(x,r) pooled_size=2 output_dim=2 spatial_scale=1\noutput y",
        "invalid-attribute");
}

void TestMxnetVision::says()
{
    QFETCH(QByteArray, source);
    QFETCH(QByteArray, code);

    const auto conversion = converted(source, 17);

    QCOMPARE(conversion.problems.size(), std::size_t{1});
    QCOMPARE(QByteArray(conversion.problems[0].code.text().data()), code);
    QCOMPARE(conversion.problems[0].node, std::string("y"));
}

QTEST_APPLESS_MAIN(TestMxnetVision)
#include "tst_mxnet_vision.moc"
