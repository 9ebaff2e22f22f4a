#include "core/base/diagnostic.h"
#include "core/convert/conversion.h"
#include "core/formats/onnx/onnx_reader.h"
#include "core/onnx/writer.h"
#include "crosswalk/crosswalk.h"
#include "tests/support/onnx_files.h"
#include "tests/support/onnx_models.h"
#include "tests/support/temporary_files.h"

#include <QtTest>
#include <algorithm>
#include <tuple>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

/// As it is read from a file.
Graph opened(const OnnxModel& model)
{
    const TemporaryFiles files; // what is mapped stays
    const auto path = files.write("m.onnx", "");
    writeOnnx(model, path);
    return graphOfFile(*ModelSource::at(path));
}

bool hasProblem(const Conversion& conversion, Code code, const std::string& node)
{
    return std::any_of(conversion.problems.begin(), conversion.problems.end(),
                       [&](const Diagnostic& problem) { return problem.code == code && problem.node == node; });
}

/// Everything but what a conversion adds of its own.
std::string withoutProvenance(const ::onnx::ModelProto& model)
{
    ::onnx::ModelProto copy = model;
    copy.clear_metadata_props();
    for (auto& node : *copy.mutable_graph()->mutable_node()) {
        node.clear_metadata_props();
    }
    return copy.SerializeAsString();
}

void setOpset(OnnxModel& model, int opset)
{
    model.proto->mutable_opset_import(0)->set_version(opset);
}

/// y = Squeeze(x + w) over axis 0, in the form of opset 11; w is large.
OnnxModel squeezeModel()
{
    OnnxModel model = emptyModel();
    setOpset(model, 11);
    model.proto->set_ir_version(6);
    addInput(model, "x", {ElementType::Float32, Shape{1, 1000}});
    std::vector<float> values(1000, 0.5F);
    addWeight(model, "w", Tensor::of<float>(ElementType::Float32, {1, 1000}, values));
    addNode(model, "Add", {"x", "w"}, {"s"});
    auto* axes = addNode(model, "Squeeze", {"s"}, {"y"}).add_attribute();
    axes->set_name("axes");
    axes->set_type(::onnx::AttributeProto::INTS);
    axes->add_ints(0);
    addOutput(model, "y", {ElementType::Float32, Shape{1000}});
    return model;
}

void describe(auto& item, const std::string& name)
{
    item.set_doc_string("text of " + name);
    auto* entry = item.add_metadata_props();
    entry->set_key("note");
    entry->set_value("about " + name);
}

/// Gives all parts of a graph texts, metadata and denotations.
void describeAll(::onnx::GraphProto& graph)
{
    describe(graph, graph.name());
    for (auto* infos : {graph.mutable_input(), graph.mutable_output(), graph.mutable_value_info()}) {
        for (auto& info : *infos) {
            describe(info, info.name());
            info.mutable_type()->set_denotation("TENSOR");
            for (auto& dim : *info.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) {
                dim.set_denotation("AXIS");
            }
        }
    }
    for (auto& stored : *graph.mutable_initializer()) {
        describe(stored, stored.name());
    }
    for (auto& node : *graph.mutable_node()) {
        describe(node, node.op_type());
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                describeAll(*attribute.mutable_g());
            }
        }
    }
}

/// A line for each part that has texts, metadata or denotations.
QStringList descriptionsOf(const ::onnx::GraphProto& graph)
{
    QStringList lines;
    const auto add = [&lines](const auto& item, const std::string& name) {
        QStringList notes{QString::fromStdString(name), QString::fromStdString(item.doc_string())};
        for (const auto& entry : item.metadata_props()) {
            if (!entry.key().starts_with("crosswalk.")) {
                notes.append(QString::fromStdString(entry.key() + "=" + entry.value()));
            }
        }
        lines.append(notes.join(QStringLiteral(", ")));
    };
    add(graph, graph.name());
    for (const auto* infos : {&graph.input(), &graph.output(), &graph.value_info()}) {
        for (const auto& info : *infos) {
            add(info, info.name());
            lines.last() += QStringLiteral(", ") + QString::fromStdString(info.type().denotation());
            for (const auto& dim : info.type().tensor_type().shape().dim()) {
                lines.last() += QStringLiteral(" ") + QString::fromStdString(dim.denotation());
            }
        }
    }
    for (const auto& stored : graph.initializer()) {
        add(stored, stored.name());
    }
    for (const auto& node : graph.node()) {
        add(node, node.op_type());
        for (const auto& attribute : node.attribute()) {
            if (attribute.has_g()) {
                lines.append(descriptionsOf(attribute.g()));
            }
        }
    }
    lines.sort();
    return lines;
}

/// A model with descriptions of all parts.
OnnxModel describedModel(const TemporaryFolder& folder)
{
    OnnxModel model = modelOf(folder, R"(g (float[N,4] x, bool c) => (float[N,4] y)
        <float[4] w = {1, 2, 3, 4}, float[N,4] t> {
        t = Add(x, w)
        y = If(c)<then_branch = b () => (float[N,4] o) <float[4] v = {4, 3, 2, 1}, float[N,4] u>
                      { u = Mul(t, v) o = Neg(u) },
                  else_branch = e () => (float[N,4] q) { q = Softmax(t) }>
    })");
    describeAll(*model.proto->mutable_graph());
    return model;
}

} // namespace

class TestOnnxConvert : public QObject {
    Q_OBJECT
private slots:
    void everythingStaysAsItIs()
    {
        OnnxModel model = smallModel();
        setOpset(model, 9); // older than any that is written otherwise
        addNode(model, "SequenceConstruct", {"y", "y"}, {"q"});
        addNode(model, "Mine", {"y"}, {"z"}).set_domain("local");
        setOpset(model, 12);
        auto* imported = model.proto->add_opset_import();
        imported->set_domain("local");
        imported->set_version(1);
        auto* function = model.proto->add_functions();
        function->set_name("Mine");
        function->set_domain("local");
        function->add_input("a");
        function->add_output("b");
        auto* body = function->add_node();
        body->set_op_type("Neg");
        body->add_input("a");
        body->add_output("b");
        auto* opset = function->add_opset_import();
        opset->set_domain("");
        opset->set_version(12);
        addOutput(model, "z", {ElementType::Float32, Shape{Dim("N"), 1000}});

        const Conversion conversion = converted(model);
        QVERIFY(conversion.problems.empty());
        QCOMPARE(withoutProvenance(*conversion.model.whole().proto), withoutProvenance(*model.proto));
        QCOMPARE(conversion.opset, 12);
        QCOMPARE(conversion.irVersion, std::int64_t{8});
        QCOMPARE(conversion.model.whole().weights[0].toBytes(), model.weights[0].toBytes());
        QCOMPARE(conversion.verdicts, std::vector<Verdict>(3, Verdict::Exact));
        QCOMPARE(conversion.targets[2], (std::vector<std::uint32_t>{2}));
        QCOMPARE(conversion.sources[1], (std::vector<NodeId>{NodeId{1}}));
        checkModel(conversion.model.whole());
    }

    /// ONNX Runtime has Elu of float32 only.
    void warnsOfOperatorsThatTheRuntimeLacks()
    {
        for (const ElementType type : {ElementType::Float32, ElementType::Float64}) {
            OnnxModel model = emptyModel();
            addInput(model, "x", {type, Shape{2}});
            addNode(model, "Elu", {"x"}, {"y"});
            addOutput(model, "y", {type, Shape{2}});
            const Conversion conversion = converted(model);
            QCOMPARE(conversion.problems.size(), std::size_t{type == ElementType::Float64});
            QVERIFY(!conversion.hasErrors());
            if (type == ElementType::Float64) {
                QCOMPARE(conversion.problems[0].code, Code("no-kernel"));
            }
        }
    }

    void typesStayInTheirBodies()
    {
        const TemporaryFolder folder;
        const auto problemsOf = [&folder](const std::string& text) {
            return converted(modelOf(folder, text)).problems.size();
        };
        const std::string otherBranch = "else_branch = b () => (float[2] p) { q = Neg(x) r = Elu(q) p = Abs(r) }";
        QCOMPARE(problemsOf("g (float[2] x, bool c) => (float[2] y) { y = If(c)<"
                            "then_branch = a () => (float[2] o) <double[2] q> "
                            "{ q = Cast<to = 11>(x) r = Relu(q) o = Cast<to = 1>(r) }, " +
                            otherBranch + "> }"),
                 std::size_t{0});
        QCOMPARE(problemsOf("g (float[2] x, bool c) => (float[2] y) <double[2] q> { s = If(c)<"
                            "then_branch = a () => (float[2] o) { o = Neg(x) }, " +
                            otherBranch + "> q = Cast<to = 11>(s) t = Relu(q) y = Cast<to = 1>(t) }"),
                 std::size_t{0});
        QCOMPARE(problemsOf("g (float[2] x, bool c) => (float[2] y) <double[2] d> { d = Cast<to = 11>(x) y = If(c)<"
                            "then_branch = a () => (float[2] o) { e = Elu(d) o = Cast<to = 1>(e) }, " +
                            otherBranch + "> }"),
                 std::size_t{1}); // a captured value
    }

    /// onnx's checker accepts them without a definition, and ONNX Runtime has some of them for old models.
    void warnsOfExperimentalOperators()
    {
        for (const auto& [op, opset, count] : {std::tuple("Affine", 9, 0), {"Affine", 17, 1}, {"ATen", 9, 1}}) {
            OnnxModel model = emptyModel();
            setOpset(model, opset);
            addInput(model, "x", {ElementType::Float32, Shape{2}});
            addNode(model, op, {"x"}, {"y"});
            addOutput(model, "y", {ElementType::Float32, Shape{2}});
            const Conversion conversion = converted(model);
            QCOMPARE(conversion.problems.size(), static_cast<std::size_t>(count));
            QVERIFY(!conversion.hasErrors());
            if (count == 1) {
                QCOMPARE(conversion.problems[0].code, Code("no-kernel"));
            }
            const Conversion changed = converted(model, {.opset = 13});
            QCOMPARE(changed.problems[0].code, Code("opset-change"));
            QCOMPARE(changed.problems[0].op, std::string(op));
        }
    }

    /// ONNX Runtime rejects a file by the versions that it imports, whatever operators it contains.
    void warnsOfVersionsThatTheRuntimeLacks()
    {
        OnnxModel model = smallModel();
        setOpset(model, newestOpset);
        model.proto->set_ir_version(13);
        QVERIFY(converted(model).problems.empty());

        setOpset(model, newestOpset + 1);
        model.proto->set_ir_version(14);
        auto* machineLearning = model.proto->add_opset_import();
        machineLearning->set_domain("ai.onnx.ml");
        machineLearning->set_version(6);
        const Conversion conversion = converted(model);
        QVERIFY(!conversion.hasErrors());
        QStringList messages;
        for (const Diagnostic& problem : conversion.problems) {
            QCOMPARE(problem.code, Code("newer-version"));
            messages.append(QString::fromStdString(problem.message));
        }
        const QString newer = QStringLiteral("%1 is newer than %2, the newest that ONNX Runtime 1.31 loads");
        QCOMPARE(messages, (QStringList{newer.arg("IR version 14").arg(13), newer.arg("opset 27").arg(26),
                                        newer.arg("ai.onnx.ml 6").arg(5)}));
        QVERIFY(converted(model, {.opset = newestOpset}).problems.size() < conversion.problems.size());
    }

    void oldOpsetsStay()
    {
        OnnxModel model = smallModel();
        setOpset(model, 7);
        model.proto->set_ir_version(3);
        const Conversion conversion = converted(model);
        QVERIFY(conversion.problems.empty());
        QCOMPARE(conversion.opset, 7);
        QCOMPARE(conversion.irVersion, std::int64_t{4}); // the weight is no input, which version 3 would ask for
        checkModel(conversion.model.whole());

        model.proto->set_ir_version(2);
        model.proto->clear_opset_import(); // which came with version 3
        const Conversion older = converted(model);
        QVERIFY(older.problems.empty());
        QCOMPARE(older.opset, 1);
        checkModel(older.model.whole());
    }

    void provenanceNamesTheNodes()
    {
        const Conversion conversion = converted(smallModel());
        const auto& entry = conversion.model.whole().proto->graph().node(0).metadata_props(0);
        QCOMPARE(entry.key(), std::string("crosswalk.source"));
        QCOMPARE(entry.value(), std::string("[\"Add_y\"]"));
    }

    void provenanceOfAnEarlierConversionStays()
    {
        OnnxModel model = smallModel();
        auto* format = model.proto->add_metadata_props();
        format->set_key("crosswalk.source_format");
        format->set_value("mxnet");
        auto* source = model.proto->mutable_graph()->mutable_node(0)->add_metadata_props();
        source->set_key("crosswalk.source");
        source->set_value("[\"fc1\"]");
        const Conversion conversion = converted(model);
        QCOMPARE(conversion.model.whole().proto->metadata_props(0).value(), std::string("mxnet"));
        QCOMPARE(conversion.model.whole().proto->graph().node(0).metadata_props_size(), 1);
        QCOMPARE(conversion.model.whole().proto->graph().node(0).metadata_props(0).value(), std::string("[\"fc1\"]"));
    }

    void provenanceOutlivesAnotherOpset()
    {
        OnnxModel model = squeezeModel();
        auto* format = model.proto->add_metadata_props();
        format->set_key("crosswalk.source_format");
        format->set_value("mxnet");
        auto* squeeze = model.proto->mutable_graph()->mutable_node(1);
        for (const auto& [key, value] : {std::pair("crosswalk.source", "[\"fc1\"]"), std::pair("mine", "kept")}) {
            auto* entry = squeeze->add_metadata_props();
            entry->set_key(key);
            entry->set_value(value);
        }
        const Conversion conversion = converted(model, {.opset = 17});
        const auto& graph = conversion.model.whole().proto->graph();
        const auto& last = graph.node(graph.node_size() - 1);
        QCOMPARE(last.metadata_props_size(), 2);
        QCOMPARE(last.metadata_props(0).value(), std::string("[\"fc1\"]"));
        QCOMPARE(last.metadata_props(1).value(), std::string("kept"));
    }

    void newShapesReachTheOutputs()
    {
        const Conversion conversion = converted(smallModel(), {.shapes = {{"x", Shape{Dim("A"), 4, 1000}}}});
        QVERIFY(conversion.problems.empty());
        const auto& output = conversion.model.whole().proto->graph().output(0);
        QCOMPARE(toString(fromProto(output.type())), std::string("float32 Ax4x1000"));
        QCOMPARE(toString(conversion.valueTypes.back()), std::string("float32 Ax4x1000"));
        checkModel(conversion.model.whole());
    }

    void operandsThatInferenceTakesForGrantedAreChecked_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("batch axes")
            << QByteArray("g (float[2,3] x, int64[2,1] i) => (float[N] y) { y = GatherND <batch_dims = -300> (x, i) }")
            << QByteArray("batch_dims is -300");
        QTest::newRow("computed dimensions")
            << QByteArray("g (float[2,3] x, int64[2,1] i) => (float[N] y) <int64[4] p = {0, 0, 0, -300}> "
                          "{ j = Pad(i, p) y = GatherND(x, j) }")
            << QByteArray("is -299");
        QTest::newRow("vectors as scalars")
            << QByteArray("g (int64[4] x) => (int64[N] y) { y = Range(x, x, x) }") << QByteArray("must be a scalar");
        QTest::newRow("a dimension whose products overflow")
            << QByteArray("g (float[1099511627777] x) => (float[N] y) { y = Neg(x) }")
            << QByteArray("at most 1099511627776 is supported");
        QTest::newRow("dimensions whose product overflows")
            << QByteArray("g (float[1099511627776,4194305] x) => (float[N,M] y) { y = Neg(x) }")
            << QByteArray("too many elements");
        QTest::newRow("an axis beyond 32 bits")
            << QByteArray("g (float[2,3] x) => (float[N,M] y) { y = Concat <axis = 4294967297> (x, x) }")
            << QByteArray("axis is 4294967297");
    }

    void operandsThatInferenceTakesForGrantedAreChecked()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, message);
        const TemporaryFolder folder;
        const Conversion conversion = converted(modelOf(folder, text.toStdString()));
        QCOMPARE(conversion.problems.size(), std::size_t{1});
        QVERIFY2(conversion.problems[0].message.find(message.toStdString()) != std::string::npos,
                 conversion.problems[0].message.c_str());
        QCOMPARE(conversion.problems[0].code, Code("invalid-model"));
    }

    /// Windows with strides of 0, and no parts, have no form at a lower opset.
    void attributesAreCheckedBeforeTheOpsetChanges()
    {
        const TemporaryFolder folder;
        OnnxModel pool = modelOf(folder, "g (float[1,1,8,8] x) => (float[1,1,N,M] y) { y = AveragePool <kernel_shape = "
                                         "[2, 2], strides = [0, 0], dilations = [2, 2], ceil_mode = 1> (x) }");
        setOpset(pool, 19);
        OnnxModel parts =
            modelOf(folder, "g (float[1,N] x) => (float[1,M] y) { y = Split <axis = 1, num_outputs = -1> (x) }");
        setOpset(parts, 18);
        for (const OnnxModel& model : {pool, parts}) {
            const Conversion conversion = converted(model, {.opset = 13});
            QCOMPARE(conversion.problems.size(), std::size_t{1});
            QCOMPARE(conversion.problems[0].code, Code("invalid-model"));
        }
    }

    void negativeDimensionsOfFilesAreUnknown()
    {
        OnnxModel model = smallModel();
        auto& shape = *model.proto->mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type();
        shape.mutable_shape()->mutable_dim(0)->set_dim_value(-4000);
        const Conversion conversion = converted(model);
        QVERIFY(conversion.problems.empty());
        const auto& written = conversion.model.whole().proto->graph().input(0).type().tensor_type().shape().dim(0);
        QVERIFY(!written.has_dim_value());
    }

    void shapesThatDoNotFitAreReportedAtTheNode()
    {
        const Conversion conversion = converted(smallModel(), {.shapes = {{"x", Shape{2, 999}}}});
        QVERIFY(hasProblem(conversion, "baked-size", "Add_y"));
        QCOMPARE(conversion.problems.size(), std::size_t{1});
        QCOMPARE(conversion.problems[0].nodeIndex, std::optional<std::uint32_t>(0));
        QVERIFY(!conversion.inputIsBad());
        const Conversion types = converted(smallModel(), {.types = {{"x", ElementType::Int64}}});
        QVERIFY(hasProblem(types, "shape-conflict", "Add_y"));
    }

    /// Nodes of an ONNX model with errors stay as they are, so that it can be invalid with them.
    void conflictsCannotBeLeftInAnExport()
    {
        const TemporaryFiles files;
        const auto path = files.write("m.onnx", "");
        writeOnnx(smallModel(), path);
        const auto exported = crosswalk::convert(open(path).value(), {.types = {{"x", ElementType::Int64}}});
        const auto written = write(exported.value(), files.write("out.onnx", ""), {.partial = true});
        QVERIFY(!written);
        QVERIFY(written.problem().code == Code("not-convertible"));
    }

    void optionsThatNameNothingAreRefused()
    {
        QCOMPARE(codeOf([] {
                     converted(smallModel(), {.shapes = {{"w", Shape{1000}}}});
                 }),
                 std::string("unknown-input"));
        QCOMPARE(codeOf([] {
                     converted(smallModel(), {.types = {{"q", ElementType::Int8}}});
                 }),
                 std::string("unknown-input"));
        QCOMPARE(codeOf([] {
                     converted(smallModel(), {.strategies = {{"q", Strategy::Fused}}});
                 }),
                 std::string("unknown-node"));
    }

    void anotherOpsetIsReached()
    {
        const Conversion conversion = converted(squeezeModel(), {.opset = 17});
        QVERIFY(conversion.problems.empty());
        QCOMPARE(conversion.opset, 17);
        QCOMPARE(conversion.irVersion, std::int64_t{8});
        const auto& graph = conversion.model.whole().proto->graph();
        const auto& squeeze = graph.node(graph.node_size() - 1);
        QCOMPARE(squeeze.op_type(), std::string("Squeeze"));
        QCOMPARE(squeeze.input_size(), 2); // the axes have become an input
        QCOMPARE(conversion.sources.back(), (std::vector<NodeId>{NodeId{1}}));
        QCOMPARE(conversion.sources.size(), static_cast<std::size_t>(graph.node_size()));
        for (const auto& sources : conversion.sources) {
            QVERIFY(!sources.empty());
        }
        QCOMPARE(graph.initializer(0).name(), std::string("w"));
        QCOMPARE(conversion.model.whole().weights[0].toBytes(), squeezeModel().weights[0].toBytes());
        QVERIFY(!graph.initializer(0).has_data_location());
        checkModel(conversion.model.whole());
    }

    void anotherOpsetKeepsDescriptions_data()
    {
        QTest::addColumn<int>("opset");
        QTest::newRow("older") << 13;
        QTest::newRow("newer") << 21;
    }
    void anotherOpsetKeepsDescriptions()
    {
        QFETCH(const int, opset);
        const TemporaryFolder folder;
        const OnnxModel model = describedModel(folder);
        const Conversion conversion = converted(model, {.opset = opset});
        QCOMPARE(conversion.opset, opset);
        QCOMPARE(descriptionsOf(conversion.model.whole().proto->graph()), descriptionsOf(model.proto->graph()));
    }

    void newShapesKeepDenotations()
    {
        const TemporaryFolder folder;
        ConvertOptions options;
        options.shapes["x"] = Shape{2, 4};
        const Conversion conversion = converted(describedModel(folder), options);
        const auto& graph = conversion.model.whole().proto->graph();
        for (const auto* info : {&graph.input(0), &graph.output(0)}) {
            QCOMPARE(info->type().denotation(), std::string("TENSOR"));
            QCOMPARE(info->type().tensor_type().shape().dim(0).dim_value(), std::int64_t{2});
            QCOMPARE(info->type().tensor_type().shape().dim(0).denotation(), std::string("AXIS"));
        }
    }

    void pixelsAreCountedAsBeforeOpset11()
    {
        OnnxModel model = emptyModel();
        setOpset(model, 9);
        addInput(model, "x", {ElementType::Float32, Shape{1, 1, 4, 4}});
        const std::array<float, 4> scales{1, 1, 2, 2};
        addWeight(model, "scales", Tensor::of<float>(ElementType::Float32, {4}, scales));
        auto* mode = addNode(model, "Upsample", {"x", "scales"}, {"y"}).add_attribute();
        mode->set_name("mode");
        mode->set_type(::onnx::AttributeProto::STRING);
        mode->set_s("linear");
        addOutput(model, "y", {ElementType::Float32, Shape{1, 1, 8, 8}});
        const Conversion conversion = converted(model, {.opset = 17});
        QVERIFY(conversion.problems.empty());
        bool isSaid = false;
        for (const auto& node : conversion.model.whole().proto->graph().node()) {
            for (const auto& attribute : node.attribute()) {
                isSaid = isSaid || (node.op_type() == "Resize" && attribute.s() == "asymmetric");
            }
        }
        QVERIFY(isSaid);
    }

    void whatTheVersionConverterGetsWrongIsRefused_data()
    {
        QTest::addColumn<QByteArray>("op");
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::addColumn<QByteArray>("attribute");
        QTest::addColumn<int>("value");
        QTest::addColumn<bool>("isRefused");
        QTest::newRow("Hardmax over several axes")
            << QByteArray("Hardmax") << 11 << 17 << QByteArray("axis") << 1 << true;
        QTest::newRow("Hardmax without axis") << QByteArray("Hardmax") << 11 << 17 << QByteArray() << 0 << true;
        QTest::newRow("Hardmax over the last")
            << QByteArray("Hardmax") << 11 << 17 << QByteArray("axis") << -1 << false;
        QTest::newRow("Hardmax where it does not change")
            << QByteArray("Hardmax") << 13 << 17 << QByteArray("axis") << 1 << false;
        QTest::newRow("Softmax down") << QByteArray("Softmax") << 17 << 11 << QByteArray("axis") << 1 << false;
        QTest::newRow("Hardmax down") << QByteArray("Hardmax") << 17 << 11 << QByteArray("axis") << 1 << false;
        QTest::newRow("activation down") << QByteArray("HardSwish") << 17 << 11 << QByteArray() << 0 << false;
        QTest::newRow("younger operator") << QByteArray("Trilu") << 17 << 11 << QByteArray() << 0 << true;
        QTest::newRow("younger operator of older ones") << QByteArray("Mish") << 18 << 17 << QByteArray() << 0 << false;
        QTest::newRow("Softmax down over the last")
            << QByteArray("Softmax") << 17 << 11 << QByteArray("axis") << -1 << false;
        QTest::newRow("Softmax up") << QByteArray("Softmax") << 11 << 17 << QByteArray("axis") << 1 << false;
        QTest::newRow("reducing nothing")
            << QByteArray("ReduceSum") << 17 << 11 << QByteArray("noop_with_empty_axes") << 1 << false;
    }
    void whatTheVersionConverterGetsWrongIsRefused()
    {
        QFETCH(QByteArray, op);
        QFETCH(int, from);
        QFETCH(int, to);
        QFETCH(QByteArray, attribute);
        QFETCH(int, value);
        QFETCH(bool, isRefused);
        OnnxModel model = emptyModel();
        setOpset(model, from);
        addInput(model, "x", {ElementType::Float32, Shape{2, 3, 4}});
        auto& node = addNode(model, op.toStdString(), {"x"}, {"y"});
        if (!attribute.isEmpty()) {
            auto* added = node.add_attribute();
            added->set_name(attribute.toStdString());
            added->set_type(::onnx::AttributeProto::INT);
            added->set_i(value);
        }
        addOutput(model, "y", {ElementType::Float32, Shape{2, 3, 4}});
        const Conversion conversion = converted(model, {.opset = to});
        QCOMPARE(hasProblem(conversion, "opset-change", op.toStdString() + "_y"), isRefused);
        QCOMPARE(conversion.opset, isRefused ? from : to);
    }

    void outputsNeedNoShape()
    {
        OnnxModel model = smallModel();
        model.proto->mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
        const Conversion conversion = converted(model);
        QVERIFY(conversion.problems.empty());
        QCOMPARE(toString(conversion.valueTypes.back()), std::string("float32 Nx1000"));
        checkModel(conversion.model.whole());
    }

    void theSameOpsetChangesNothing()
    {
        const Conversion conversion = converted(smallModel(), {.opset = 17});
        QCOMPARE(withoutProvenance(*conversion.model.whole().proto), withoutProvenance(*smallModel().proto));
    }

    void whatTheVersionConverterCannotDoIsReported()
    {
        OnnxModel functions = squeezeModel();
        functions.proto->add_functions()->set_name("f");
        functions.proto->mutable_functions(0)->set_domain("local");
        QVERIFY(hasProblem(converted(functions, {.opset = 17}), "opset-change", ""));

        OnnxModel down = emptyModel(); // Trilu came with opset 14
        addInput(down, "x", {ElementType::Float32, Shape{3, 3}});
        addNode(down, "Trilu", {"x"}, {"y"});
        addOutput(down, "y", {ElementType::Float32, Shape{3, 3}});
        const Conversion conversion = converted(down, {.opset = 11});
        QVERIFY(hasProblem(conversion, "opset-change", "Trilu_y"));
        QCOMPARE(conversion.opset, 17);
        QVERIFY(!conversion.inputIsBad());
    }

    void defaultAxesAreNoFault()
    {
        OnnxModel model = emptyModel();
        setOpset(model, 13);
        addInput(model, "x", {ElementType::Float32, Shape{3, 3, 3, 1}});
        addNode(model, "MeanVarianceNormalization", {"x"}, {"y"});
        addOutput(model, "y", {ElementType::Float32, Shape{3, 3, 3, 1}});
        const Conversion conversion = converted(model);
        QVERIFY(conversion.problems.empty());
        checkModel(conversion.model.whole());
    }

    void aFaultyModelIsBadInput()
    {
        OnnxModel model = smallModel();
        model.proto->mutable_graph()->mutable_node(0)->set_op_type("Addd");
        const Conversion conversion = converted(model);
        QVERIFY(hasProblem(conversion, "invalid-model", ""));
        QVERIFY(conversion.inputIsBad());

        OnnxModel shapes = smallModel();
        shapes.proto->mutable_graph()
            ->mutable_input(0)
            ->mutable_type()
            ->mutable_tensor_type()
            ->mutable_shape()
            ->mutable_dim(1)
            ->set_dim_value(7);
        QVERIFY(hasProblem(converted(shapes), "invalid-model", "Add_y"));
    }

    void gapsAreReportedUntilTheyAreNamed()
    {
        OnnxModel model = smallModel();
        addNode(model, "Odd", {"y"}, {"z"}).set_domain("crosswalk.gap");
        auto* imported = model.proto->add_opset_import();
        imported->set_domain("crosswalk.gap");
        imported->set_version(1);
        QVERIFY(hasProblem(converted(model), "unsupported-operator", "Odd_z"));
        QCOMPARE(converted(model).verdicts[1], Verdict::Unsupported);
        const Conversion named = converted(model, {.customOperators = {{"Odd", {"my.domain", "Even"}}}});
        QVERIFY(named.problems.empty());
        QCOMPARE(named.model.whole().proto->graph().node(1).domain(), std::string("my.domain"));
        QCOMPARE(named.model.whole().proto->graph().node(1).op_type(), std::string("Even"));
        checkModel(named.model.whole());
    }

    void unsortedFilesAreSorted()
    {
        OnnxModel model = emptyModel();
        addInput(model, "x", {ElementType::Float32, Shape{3}});
        addNode(model, "Neg", {"b"}, {"c"});
        addNode(model, "Abs", {"x"}, {"a"});
        addNode(model, "Exp", {"a"}, {"b"});
        addOutput(model, "c", {ElementType::Float32, Shape{3}});
        const Conversion conversion = converted(model);
        QVERIFY(conversion.problems.empty());
        QCOMPARE(conversion.model.whole().proto->graph().node(0).op_type(), std::string("Abs"));
        QCOMPARE(conversion.model.whole().proto->graph().node(2).op_type(), std::string("Neg"));
        checkModel(conversion.model.whole());
    }

    void refusesCallsThatExpandWithoutEnd_data()
    {
        QTest::addColumn<int>("functions");
        QTest::addColumn<bool>("isCyclic");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("few") << 4 << false << QByteArray();
        QTest::newRow("2^30 nodes") << 30 << false << QByteArray("too-large");
        QTest::newRow("2^100 nodes") << 100 << false << QByteArray("too-large");
        QTest::newRow("a function that calls itself") << 4 << true << QByteArray("damaged");
        QTest::newRow("calls deeper than the stack") << 100000 << false << QByteArray("damaged");
    }

    /// Function i calls function i + 1 twice.
    void refusesCallsThatExpandWithoutEnd()
    {
        QFETCH(int, functions);
        QFETCH(bool, isCyclic);
        QFETCH(QByteArray, code);
        OnnxModel model = emptyModel();
        auto* import = model.proto->add_opset_import();
        import->set_domain("f");
        import->set_version(1);
        const auto call = [](::onnx::NodeProto& node, int function, const char* from, const char* to) {
            node.set_op_type("F" + std::to_string(function));
            node.set_domain("f");
            node.add_input(from);
            node.add_output(to);
        };
        for (int i = 0; i <= functions; ++i) {
            auto& function = *model.proto->add_functions();
            function.set_name("F" + std::to_string(i));
            function.set_domain("f");
            function.add_input("a");
            function.add_output("b");
            *function.mutable_opset_import() = model.proto->opset_import();
            if (i < functions || isCyclic) {
                call(*function.add_node(), i < functions ? i + 1 : 0, "a", "m");
                call(*function.add_node(), i < functions ? i + 1 : 0, "m", "b");
            } else {
                auto& last = *function.add_node();
                last.set_op_type("Relu");
                last.add_input("a");
                last.add_output("b");
            }
        }
        addInput(model, "x", {ElementType::Float32, Shape{3}});
        addOutput(model, "y", {ElementType::Float32, Shape{3}});
        call(*model.proto->mutable_graph()->add_node(), 0, "x", "y");
        const auto result = convert(opened(model), {});
        const std::string_view said = result ? std::string_view() : result.problem().code.text();
        QCOMPARE(QByteArray(said.data(), static_cast<qsizetype>(said.size())), code);
    }

    void functionsWithOverloads()
    {
        OnnxModel model = emptyModel();
        model.proto->set_ir_version(10);
        auto* import = model.proto->add_opset_import();
        import->set_domain("f");
        import->set_version(1);
        for (const std::string overload : {"", "inner"}) {
            auto& function = *model.proto->add_functions();
            function.set_name("F");
            function.set_domain("f");
            function.set_overload(overload);
            function.add_input("a");
            function.add_output("b");
            *function.mutable_opset_import() = model.proto->opset_import();
            auto& node = *function.add_node();
            node.set_op_type(overload.empty() ? "F" : "Relu");
            node.set_domain(overload.empty() ? "f" : "");
            node.set_overload(overload.empty() ? "inner" : "");
            node.add_input("a");
            node.add_output("b");
        }
        addInput(model, "x", {ElementType::Float32, Shape{3}});
        addNode(model, "F", {"x"}, {"y"}).set_domain("f");
        addOutput(model, "y", {ElementType::Float32, Shape{3}});
        QVERIFY(converted(model).problems.empty());
    }

    void sparseWeightsAreOperands()
    {
        OnnxModel model = emptyModel();
        addInput(model, "x", {ElementType::Float32, Shape{2, 3}});
        auto& sparse = *model.proto->mutable_graph()->add_sparse_initializer();
        sparse.add_dims(3);
        sparse.add_dims(4);
        sparse.mutable_values()->set_name("w");
        sparse.mutable_values()->set_data_type(::onnx::TensorProto::FLOAT);
        sparse.mutable_values()->add_dims(1);
        sparse.mutable_values()->add_float_data(2);
        sparse.mutable_indices()->set_data_type(::onnx::TensorProto::INT64);
        sparse.mutable_indices()->add_dims(1);
        sparse.mutable_indices()->add_int64_data(7);
        addNode(model, "MatMul", {"x", "w"}, {"y"});
        addOutput(model, "y", {ElementType::Float32, std::nullopt});
        const Conversion conversion = converted(model);
        QVERIFY(conversion.problems.empty());
        QCOMPARE(toString(conversion.valueTypes.back()), std::string("float32 2x4"));
    }

    void invalidModelsAreNotWritten()
    {
        const TemporaryFiles files;
        OnnxModel invalid = smallModel();
        addWeight(invalid, "v", Tensor::filled(ElementType::Float32, {7}, 1));
        addNode(invalid, "Add", {"y", "v"}, {"z"});
        const auto path = files.write("m.onnx", "");
        writeOnnx(invalid, path);
        const auto exported = convert(crosswalk::open(path).value());
        const auto obstacle = obstacleTo(exported.value(), files.write("out.onnx", ""));
        QVERIFY(obstacle);
        QCOMPARE(obstacle->code, Code("invalid-model"));
    }

    void cancellingStops()
    {
        std::stop_source stop;
        stop.request_stop();
        const Graph graph = opened(smallModel());
        const auto result = convert(graph, {}, stop.get_token());
        QVERIFY(!result);
        QCOMPARE(result.problem().code, Code("cancelled"));
    }
};

QTEST_APPLESS_MAIN(TestOnnxConvert)
#include "tst_onnx_convert.moc"
