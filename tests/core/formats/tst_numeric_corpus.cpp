// The cases of tests/data/numeric, at least one for each translated operator and each form of recurrent layers:
// converted, run in ONNX Runtime and compared with what the framework computed. make.py there chooses and writes them.

#include "core/base/temporary_folder.h"
#include "core/convert/framework.h"
#include "core/formats/read_model.h"
#include "core/graph/attributes.h"
#include "core/onnx/check.h"
#include "core/onnx/writer.h"
#include "tests/support/numeric_corpus.h"
#include "tests/support/paths.h"

#include <QtTest>
#include <map>
#include <set>

using namespace crosswalk;
using test::CorpusCase;

namespace {

using Names = std::set<std::string, std::less<>>;

constexpr const char* formats[] = {"mxnet", "tensorflow", "keras", "pytorch"};

QString folderOf(const QByteArray& format)
{
    return test::dataFolder() + QStringLiteral("/numeric/") + QString::fromLatin1(format);
}

const std::vector<CorpusCase>& corpus(const QByteArray& format)
{
    static std::map<QByteArray, std::vector<CorpusCase>> cases;
    if (!cases.contains(format)) {
        cases[format] = test::readCorpus(folderOf(format).toStdString());
    }
    return cases[format];
}

ConvertOptions optionsFor(const CorpusCase& one)
{
    ConvertOptions options;
    for (const NamedTensor& input : one.inputs) {
        options.shapes.emplace(input.name, shapeOf(input.tensor.dims()));
        if (input.tensor.type() != ElementType::Float32) {
            options.types.emplace(input.name, input.tensor.type());
        }
    }
    return options;
}

/// Reads the model in a folder, for the recorded inputs: their shapes can determine what a script does.
Result<LoadedModel> readCase(const CorpusCase& one, const TemporaryFolder& files)
{
    ReadRequest request{.model = test::writeModel(one, files.path())};
    if (request.model.extension() == ".pt") {
        request.shapes = optionsFor(one).shapes;
        for (const NamedTensor& input : one.inputs) {
            request.inputs.push_back(input.name);
        }
    }
    return readModel(request);
}

/// The recorded tensors for the inputs that the export has: it drops labels and what nothing reads.
std::vector<NamedTensor> inputsFor(const RuntimeSession& session, const CorpusCase& one)
{
    std::vector<NamedTensor> given;
    for (const auto& port : session.inputs()) {
        const auto found = std::ranges::find(one.inputs, port.name, &NamedTensor::name);
        if (found == one.inputs.end()) {
            throw ModelError("missing-input", port.name);
        }
        given.push_back(*found);
    }
    return given;
}

void addOperators(const Graph& graph, Names& operators)
{
    for (const Node& node : graph.nodes()) {
        operators.insert(node.op);
    }
    for (const auto& inner : graph.subgraphs) {
        addOperators(*inner, operators);
    }
}

/// The forms of a recurrent layer of Keras, whose settings begin with a prefix: its class and what surrounds it, alone
/// and with each setting.
void addRecurrentForms(const Node& node, const std::string& op, const std::string& prefix, std::string form,
                       Names& forms)
{
    const auto isOn = [&](const char* setting) {
        const bool* value = attributeOf<bool>(node, prefix + setting);
        return value != nullptr && *value;
    };
    const auto* cell = attributeOf<std::string>(node, prefix + "cell.class_name");
    form = (cell != nullptr ? *cell : op) + (op == "GRU" && !isOn("reset_after") ? " reset before" : "") + form;
    forms.insert(form);
    for (const auto& [setting, word] : {std::pair("return_sequences", "sequences"), std::pair("return_state", "states"),
                                        std::pair("go_backwards", "backwards"), std::pair("stateful", "stateful"),
                                        std::pair("unroll", "unrolled"), std::pair("time_major", "time major")}) {
        if (isOn(setting)) {
            forms.insert(form + ' ' + word);
        }
    }
}

/// The forms of the recurrent layers of Keras in a model.
void addRecurrentForms(const Graph& graph, Names& forms)
{
    const bool isMasked = std::ranges::any_of(graph.nodes(), [](const Node& node) {
        const bool* masks = attributeOf<bool>(node, "mask_zero");
        return node.op == "Masking" || (masks != nullptr && *masks);
    });
    const std::string mask = isMasked ? " masked" : "";
    for (const Node& node : graph.nodes()) {
        const auto* inner = attributeOf<std::string>(node, "layer.class_name");
        if (node.op == "Bidirectional") {
            const auto* merge = attributeOf<std::string>(node, "merge_mode");
            addRecurrentForms(node, *inner, "layer.config.",
                              " bidirectional " + (merge != nullptr ? *merge : "separate") + mask, forms);
        } else if (node.op == "TimeDistributed") {
            addRecurrentForms(node, *inner, "layer.config.", " distributed" + mask, forms);
        } else {
            addRecurrentForms(node, node.op, "", mask, forms);
        }
    }
}

/// The names of `some` that `others` lacks.
QByteArray namesOnlyIn(const Names& some, const Names& others)
{
    QByteArray text;
    for (const std::string& name : some) {
        text += others.contains(name) ? std::string() : name + ' ';
    }
    return text;
}

/// The operators in absent.txt, a line each: those of which no case is recorded.
Names absentOperators(const QByteArray& format)
{
    Names names;
    QFile file(folderOf(format) + QStringLiteral("/absent.txt"));
    if (!file.open(QIODevice::ReadOnly)) {
        qFatal("absent.txt cannot be read");
    }
    while (!file.atEnd()) {
        names.insert(file.readLine().trimmed().toStdString());
    }
    return names;
}

} // namespace

class TestNumericCorpus : public QObject {
    Q_OBJECT
private slots:
    void computesWhatIsRecorded_data()
    {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<qsizetype>("index");
        try {
            Runtime::load();
        } catch (const ModelError& error) {
            QSKIP(error.what());
        }
        for (const char* format : formats) {
            const auto& cases = corpus(format);
            for (std::size_t i = 0; i < cases.size(); ++i) {
                QTest::newRow(cases[i].name.c_str()) << QByteArray(format) << static_cast<qsizetype>(i);
            }
        }
    }

    void computesWhatIsRecorded()
    {
        QFETCH(const QByteArray, format);
        QFETCH(const qsizetype, index);
        const CorpusCase& one = corpus(format)[static_cast<std::size_t>(index)];
        const TemporaryFolder files;
        const auto loaded = readCase(one, files);
        QVERIFY2(loaded, loaded ? "" : loaded.problem().message.c_str());
        const auto converted = convert(*loaded.value().graph, optionsFor(one));
        QVERIFY2(converted, converted ? "" : converted.problem().message.c_str());
        for (const auto* problems : {&loaded.value().problems, &converted.value().problems}) {
            for (const Diagnostic& problem : *problems) {
                QVERIFY2(problem.severity != Severity::Error, problem.message.c_str());
            }
        }
        checkModel(converted.value().model.whole());
        const auto path = files.path() / "model.onnx";
        writeOnnx(converted.value().model, path);
        const RuntimeSession session(Runtime::load(), path, {.threads = 1});
        const std::string difference = differenceFrom(one, session.run(inputsFor(session, one)));
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void isSmall()
    {
        constexpr qint64 limit = 5'000'000;
        qint64 bytes = 0;
        for (const char* format : formats) {
            for (const QFileInfo& file : QDir(folderOf(format)).entryInfoList(QDir::Files)) {
                bytes += file.size();
            }
        }
        QCOMPARE_LT(bytes, limit); // make.py chooses small cases
    }

    void everyTranslatedOperatorHasACase_data()
    {
        QTest::addColumn<QByteArray>("format");
        for (const char* format : formats) {
            QTest::newRow(format) << QByteArray(format);
        }
    }

    void everyTranslatedOperatorHasACase()
    {
        QFETCH(const QByteArray, format);
        const Framework& framework = *findFramework(format.toStdString());
        Names recorded;
        for (const CorpusCase& one : corpus(format)) {
            const TemporaryFolder files;
            const auto loaded = readCase(one, files);
            QVERIFY2(loaded, one.name.c_str());
            addOperators(*loaded.value().graph, recorded);
            addOperators(framework.lower(*loaded.value().graph, {}).graph, recorded);
        }
        Names lacking;
        for (const SupportedOperator& each : framework.operators()) {
            const bool isTranslated = each.support == Support::Exact || each.support == Support::ExactWithStrategy ||
                                      each.support == Support::Approximate;
            if (isTranslated && !recorded.contains(each.name)) {
                lacking.emplace(each.name);
            }
        }
        const Names absent = absentOperators(format);
        QCOMPARE(namesOnlyIn(lacking, absent), QByteArray()); // new: make.py takes a case of each
        QCOMPARE(namesOnlyIn(absent, lacking), QByteArray()); // gone, or there is a case now
    }

    void everyFormOfRecurrentLayersHasACase_data()
    {
        QTest::addColumn<QString>("form");
        const auto row = [](const QString& form) { QTest::newRow(qPrintable(form)) << form; };
        for (const char* mode : {"rnn_relu", "rnn_tanh", "gru", "lstm"}) {
            for (const char* form : {"", " bidirectional", " multi-layer", " multi-layer bidirectional", " lengths",
                                     " bidirectional lengths"}) {
                row(QString::fromLatin1(mode) + QLatin1String(form));
            }
        }
        for (const char* form :
             {"projection", "bidirectional projection", "multi-layer projection", "clip", "bidirectional clip",
              "multi-layer clip", "multi-layer bidirectional projection clip", "multi-layer projection lengths"}) {
            row(QStringLiteral("lstm ") + QLatin1String(form));
        }
    }

    void everyFormOfRecurrentLayersHasACase()
    {
        QFETCH(QString, form);
        QVERIFY(std::ranges::any_of(corpus("mxnet"), [&](const CorpusCase& one) {
            return std::ranges::count(one.recurrentForms, form.toStdString()) > 0;
        }));
    }

    void everyFormOfLayersOfKerasHasACase()
    {
        Names recorded;
        for (const CorpusCase& one : corpus("keras")) {
            const TemporaryFolder files;
            const auto loaded = readCase(one, files);
            QVERIFY2(loaded, one.name.c_str());
            addRecurrentForms(*loaded.value().graph, recorded);
        }
        Names wanted{"GRU reset before",
                     "GRU reset before masked sequences",
                     "GRU time major",
                     "LSTM distributed",
                     "SimpleRNN bidirectional mul",
                     "LSTM bidirectional ave",
                     "LSTM bidirectional separate sequences",
                     "GRU bidirectional sum masked sequences",
                     "CuDNNLSTM",
                     "CuDNNGRU",
                     "ConvLSTM1D sequences",
                     "ConvLSTM2D states",
                     "ConvLSTM2D backwards",
                     "ConvLSTM3D",
                     "SimpleRNNCell backwards",
                     "GRUCell masked states",
                     "LSTMCell sequences",
                     "StackedRNNCells sequences",
                     "StackedRNNCells states"};
        for (const std::string layer : {"SimpleRNN", "GRU", "LSTM"}) {
            for (const char* form : {" sequences", " states", " backwards", " stateful", " unrolled", " masked",
                                     " masked sequences", " bidirectional concat", " bidirectional concat sequences",
                                     " bidirectional concat states", " bidirectional concat masked"}) {
                wanted.insert(layer + form);
            }
        }
        QCOMPARE(namesOnlyIn(wanted, recorded), QByteArray());
    }
};

QTEST_APPLESS_MAIN(TestNumericCorpus)
#include "tst_numeric_corpus.moc"
