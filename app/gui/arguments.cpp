#include "app/gui/arguments.h"

#include "app/crosswalk/exit_status.h"
#include "app/manual/manual.h"
#include "core/base/name_list.h"
#include "ui/models/shape_text.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <cstdio>

namespace crosswalk::ui::gui {
namespace {

constexpr int wrongCommandLine = 2;
constexpr const char* modelsHelp = "Models to open, a tab each.";
constexpr const char* examples =
    "  crosswalk-gui model-symbol.json\n"
    "  crosswalk-gui model-symbol.json --screenshot window.png --size 1600x1000 --scale 2 --theme dark\n"
    "  crosswalk-gui --compare before.onnx after.onnx\n"
    "  crosswalk-gui --collection models\n"
    "  crosswalk-gui model-symbol.json --render graph.pdf --side onnx";

QList<QCommandLineOption> options()
{
    return {
        {QStringLiteral("compare"), QStringLiteral("Show two models side by side, with their differences.")},
        {QStringLiteral("collection"), QStringLiteral("Show the models of a folder with their verdicts."),
         QStringLiteral("DIR")},
        {QStringLiteral("weights"), QStringLiteral("Weights file of the model."), QStringLiteral("FILE")},
        {QStringLiteral("screenshot"), QStringLiteral("Write a picture of the window and exit."),
         QStringLiteral("FILE.png")},
        {QStringLiteral("render"), QStringLiteral("Write a picture of the whole graph and exit."),
         QStringLiteral("FILE.png|pdf")},
        {QStringLiteral("side"), QStringLiteral("Graph to render."), QStringLiteral("source|onnx"),
         QStringLiteral("source")},
        {QStringLiteral("groups"), QStringLiteral("Groups of a rendered graph."),
         QStringLiteral("auto|open|closed|DEPTH"), QStringLiteral("auto")},
        {QStringLiteral("size"), QStringLiteral("Size of the window in a screenshot."), QStringLiteral("WxH"),
         QStringLiteral("1440x900")},
        {QStringLiteral("scale"), QStringLiteral("Scale factor of the picture."), QStringLiteral("N"),
         QStringLiteral("1")},
        {QStringLiteral("theme"), QStringLiteral("Colours of the window."), QStringLiteral("light|dark|system")},
        {QStringLiteral("select"), QStringLiteral("Node to select in a screenshot."), QStringLiteral("NODE")},
        {QStringLiteral("signature"), QStringLiteral("Signature to use, of a model with several."),
         QStringLiteral("NAME")},
        {QStringLiteral("tags"), QStringLiteral("All tags of the graph to use, of a model with several."),
         QStringLiteral("TAG,...")},
        {QStringLiteral("allow-large"),
         QStringLiteral("Accept models that ask for far more than their size justifies.")},
        {QStringLiteral("outputs"), QStringLiteral("Values of the source that become the outputs."),
         QStringLiteral("NAME,...")},
        {QStringLiteral("shape"), QStringLiteral("Shape of an input, as NAME=N,3,224,224."),
         QStringLiteral("NAME=SHAPE")},
        {QStringLiteral("dtype"), QStringLiteral("Type of an input, as NAME=float32."), QStringLiteral("NAME=TYPE")},
        {QStringLiteral("opset"), QStringLiteral("Opset of the conversion."), QStringLiteral("N")},
        {QStringLiteral("rnn"), QStringLiteral("How to express recurrent layers that have no exact ONNX operator."),
         QStringLiteral("exact|fused|unrolled")},
        {QStringLiteral("strategy"), QStringLiteral("The same for one node."),
         QStringLiteral("NODE=exact|fused|unrolled")},
        {QStringLiteral("custom-op"), QStringLiteral("Operator of the runtime to use, as TYPE=DOMAIN:NAME."),
         QStringLiteral("TYPE=DOMAIN:NAME")},
        {QStringLiteral("rename"), QStringLiteral("Another name for an input or output of the export."),
         QStringLiteral("OLD=NEW")},
        {QStringLiteral("each-sample"),
         QStringLiteral("Run a model for one sample on each sample of a dynamic batch N."), QStringLiteral("N")},
        {QStringLiteral("reroll"), QStringLiteral("Replace unrolled recurrent cells by one recurrent node.")},
        {QStringLiteral("optimize"), QStringLiteral("Run exact optimizations; --optimize=attention also turns "
                                                    "attention into Attention nodes (opset 23 and later).")},
    };
}

manual::Argument describe(const QCommandLineOption& option)
{
    manual::Argument argument{.value = option.valueName().toStdString(), .help = option.description().toStdString()};
    for (const QString& name : option.names()) {
        argument.names.push_back((name.size() == 1 ? "-" : "--") + name.toStdString());
    }
    argument.choices = manual::choicesIn(argument.value);
    argument.defaultValue = option.defaultValues().join(u',').toStdString();
    return argument;
}

/// Writes the manual page and completions. Returns the exit status.
int writeManual(const QList<QCommandLineOption>& declared, const QString& folder)
{
    manual::ProgramDescription program{.name = "crosswalk-gui",
                                       .version = CROSSWALK_VERSION,
                                       .date = CROSSWALK_RELEASE_DATE,
                                       .summary = "window for neural-network models and their ONNX graphs",
                                       .seeAlso = {"crosswalk"}};
    program.program = {
        .summary = "Shows a neural-network model and its ONNX graph, and exports the result.",
        .positionals = {{.names = {"MODEL"}, .value = "MODEL", .help = modelsHelp, .isRepeatable = true}},
        .groups = {{.title = "Options"}},
        .notes = std::string("Examples:\n") + examples};
    for (const QCommandLineOption& option : declared) {
        program.program.groups.front().options.push_back(describe(option));
    }
    try {
        manual::writeManual(program, folder.toStdString());
    } catch (const ModelError& error) {
        std::fprintf(stderr, "error: %s\n", error.diagnostic.message.c_str());
        return app::statusOf(error.diagnostic);
    }
    return 0;
}

/// Replaces the placeholder for the program's name: Qt takes the name from the application, which does not exist yet.
QString helpText(const QCommandLineParser& parser)
{
    return parser.helpText().replace(QLatin1String("<executable_name>"), QLatin1String("crosswalk-gui"));
}

int wrongUsage(const QString& message)
{
    std::fprintf(stderr, "error: %s\n", qPrintable(message));
    return wrongCommandLine;
}

/// Splits NAME=VALUE. The name is empty if the text has another form.
std::pair<std::string, QString> assignment(const QString& text)
{
    // Names of inputs and nodes may contain "=", sizes and strategies cannot.
    const auto equals = text.lastIndexOf(u'=');
    return equals > 0 ? std::pair(text.left(equals).toStdString(), text.mid(equals + 1))
                      : std::pair(std::string(), QString());
}

std::vector<std::string> names(const QStringList& lists)
{
    std::vector<std::string> texts;
    std::ranges::transform(lists, std::back_inserter(texts), &QString::toStdString);
    return namesIn(texts);
}

/// Parses the conversion options, which are spelled as on crosswalk's command line. Returns an error message, or an
/// empty string.
QString readOptions(const QCommandLineParser& parser, ConvertOptions& options)
{
    for (const auto& text : parser.values(QStringLiteral("shape"))) {
        const auto [name, value] = assignment(text);
        auto shape = parseShape(value);
        if (name.empty() || !shape) {
            return QStringLiteral("--shape %1: expected NAME=SIZES, such as data=N,3,224,224").arg(text);
        }
        options.shapes[name] = std::move(shape.value());
    }
    for (const auto& text : parser.values(QStringLiteral("dtype"))) {
        const auto [name, value] = assignment(text);
        const auto type = elementTypeFromName(value.toStdString());
        if (name.empty() || !type) {
            return QStringLiteral("--dtype %1: expected NAME=TYPE, such as data=float32").arg(text);
        }
        options.types[name] = *type;
    }
    for (const auto& text : parser.values(QStringLiteral("strategy"))) {
        const auto [name, value] = assignment(text);
        const auto strategy = strategyFromName(value.toStdString());
        if (name.empty() || !strategy) {
            return QStringLiteral("--strategy %1: expected NODE=exact, NODE=fused or NODE=unrolled").arg(text);
        }
        options.strategies[name] = *strategy;
    }
    for (const auto& text : parser.values(QStringLiteral("custom-op"))) {
        const auto [type, target] = assignment(text);
        const auto colon = target.lastIndexOf(u':');
        if (type.empty() || colon <= 0) {
            return QStringLiteral("--custom-op %1: expected TYPE=DOMAIN:NAME").arg(text);
        }
        options.customOperators[type] = {target.left(colon).toStdString(), target.mid(colon + 1).toStdString()};
    }
    for (const auto& text : parser.values(QStringLiteral("rename"))) {
        const auto [name, other] = assignment(text);
        if (name.empty()) {
            return QStringLiteral("--rename %1: expected OLD=NEW").arg(text);
        }
        const auto [earlier, isNew] = options.renames.emplace(name, other.toStdString());
        if (!isNew && earlier->second != other.toStdString()) {
            return QStringLiteral("--rename %1: %2 has another new name already")
                .arg(text, QString::fromStdString(name));
        }
    }
    options.outputs = names(parser.values(QStringLiteral("outputs")));
    if (parser.isSet(QStringLiteral("rnn"))) {
        const auto strategy = strategyFromName(parser.value(QStringLiteral("rnn")).toStdString());
        if (!strategy) {
            return QStringLiteral("--rnn must be exact, fused or unrolled");
        }
        options.recurrent = *strategy;
    }
    if (parser.isSet(QStringLiteral("opset"))) {
        options.opset = parser.value(QStringLiteral("opset")).toInt();
        if (options.opset < oldestOpset || options.opset > newestOpset) {
            return QStringLiteral("--opset must be a number from %1 to %2").arg(oldestOpset).arg(newestOpset);
        }
    }
    options.scanOverBatch = parser.value(QStringLiteral("each-sample")).toStdString();
    options.reroll = parser.isSet(QStringLiteral("reroll"));
    options.optimize = parser.isSet(QStringLiteral("optimize"));
    return {};
}

/// The models to open. Weights, signature and tags are those of the first.
std::vector<OpenedFiles> modelsOf(const QCommandLineParser& parser, const ConvertOptions& options)
{
    std::vector<OpenedFiles> models;
    std::string weights = parser.value(QStringLiteral("weights")).toStdString();
    for (const auto& path : parser.positionalArguments()) {
        // As on crosswalk's command line, weights may follow their model.
        const bool isWeights = path.endsWith(QLatin1String(".params")) || path.endsWith(QLatin1String(".npz"));
        if (isWeights && models.size() == 1) {
            weights = path.toStdString();
        } else {
            models.push_back({.model = path.toStdString(),
                              .weights = {},
                              .options = options,
                              .allowLarge = parser.isSet(QStringLiteral("allow-large"))});
        }
    }
    if (!models.empty()) {
        models.front().weights = weights;
        models.front().signature = parser.value(QStringLiteral("signature")).toStdString();
        models.front().tags = names(parser.values(QStringLiteral("tags")));
    }
    return models;
}

std::optional<ThemeChoice> themeNamed(const QString& name)
{
    if (name == QLatin1String("light")) {
        return ThemeChoice::Light;
    }
    if (name == QLatin1String("dark")) {
        return ThemeChoice::Dark;
    }
    return name == QLatin1String("system") ? std::optional(ThemeChoice::System) : std::nullopt;
}

/// Suppresses Qt's warnings about the offscreen platform and a missing session, which are irrelevant when writing a
/// picture.
void logExceptPlatformWarnings(QtMsgType /*type*/, const QMessageLogContext& /*context*/, const QString& message)
{
    if (!message.startsWith(QLatin1String("This plugin does not support")) &&
        !message.startsWith(QLatin1String("QStandardPaths:"))) {
        std::fprintf(stderr, "%s\n", qPrintable(message));
    }
}

} // namespace

Arguments parseArguments(int argc, char** argv)
{
    QStringList words;
    for (int i = 0; i < argc; ++i) {
        words.append(QString::fromLocal8Bit(argv[i]));
    }
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Shows a neural-network model and its ONNX graph.\n\n") +
                                     QLatin1String(examples));
    parser.addPositionalArgument(QStringLiteral("MODEL"), QLatin1String(modelsHelp), QStringLiteral("[MODEL...]"));
    QList<QCommandLineOption> declared = options();
    // Not addHelpOption(): its --help-all needs an application.
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")},
                                  QStringLiteral("Print this help and exit."));
    const QCommandLineOption version({QStringLiteral("v"), QStringLiteral("version")},
                                     QStringLiteral("Print the version and exit."));
    declared << help << version;
    parser.addOptions(declared);
    QCommandLineOption manual(QStringLiteral("manual"), {}, QStringLiteral("DIR")); // for the build
    manual.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(manual);
    Arguments arguments;
    ConvertOptions options;
    // The value is optional, which no option of Qt's can be.
    for (QString& word : words) {
        if (word == QLatin1String("--optimize=attention")) {
            word = QStringLiteral("--optimize");
            options.fuseAttention = true;
        }
    }
    if (!parser.parse(words)) {
        arguments.exitStatus = wrongUsage(parser.errorText());
        return arguments;
    }
    if (parser.isSet(help)) {
        std::fputs(qPrintable(helpText(parser)), stdout);
        arguments.exitStatus = 0;
    } else if (parser.isSet(version)) {
        std::printf("crosswalk-gui %s\n", CROSSWALK_VERSION);
        arguments.exitStatus = 0;
    } else if (parser.isSet(manual)) {
        arguments.exitStatus = writeManual(declared, parser.value(manual));
    }
    if (const QString wrong = readOptions(parser, options); !wrong.isEmpty()) {
        arguments.exitStatus = wrongUsage(wrong);
    }
    for (const auto* name : {"outputs", "shape", "dtype", "opset", "rnn", "strategy", "custom-op", "rename",
                             "each-sample", "reroll", "optimize"}) {
        arguments.hasOptions = arguments.hasOptions || parser.isSet(QLatin1String(name));
    }
    arguments.models = modelsOf(parser, options);
    if (parser.isSet(QStringLiteral("compare"))) {
        if (arguments.models.size() == 2) {
            arguments.models.front().compared = arguments.models.back().model;
            arguments.models.pop_back();
        } else {
            arguments.exitStatus = wrongUsage(QStringLiteral("--compare takes two models"));
        }
    }
    arguments.collection = parser.value(QStringLiteral("collection"));
    if (!arguments.collection.isEmpty() && !QFileInfo(arguments.collection).isDir()) {
        arguments.exitStatus = wrongUsage(QStringLiteral("--collection %1: not a folder").arg(arguments.collection));
    }
    arguments.screenshot = parser.value(QStringLiteral("screenshot"));
    arguments.render = parser.value(QStringLiteral("render"));
    arguments.select = parser.values(QStringLiteral("select"));
    const QString side = parser.value(QStringLiteral("side"));
    arguments.targetSide = side == QLatin1String("onnx");
    if (!arguments.targetSide && side != QLatin1String("source")) {
        arguments.exitStatus = wrongUsage(QStringLiteral("--side must be source or onnx, not %1").arg(side));
    }
    if (const auto groups = PictureGroups::fromName(parser.value(QStringLiteral("groups")).toStdString())) {
        arguments.groups = *groups;
    } else {
        arguments.exitStatus = wrongUsage(QStringLiteral("--groups must be auto, open, closed or a number"));
    }
    if (parser.isSet(QStringLiteral("theme"))) {
        arguments.theme = themeNamed(parser.value(QStringLiteral("theme")));
        if (!arguments.theme) {
            arguments.exitStatus = wrongUsage(QStringLiteral("--theme must be light, dark or system"));
        }
    }
    static const QRegularExpression size(QStringLiteral("^(\\d{2,5})x(\\d{2,5})$"));
    if (const auto match = size.match(parser.value(QStringLiteral("size"))); match.hasMatch()) {
        arguments.size = {match.captured(1).toInt(), match.captured(2).toInt()};
    } else {
        arguments.exitStatus = wrongUsage(QStringLiteral("--size must be WIDTHxHEIGHT, such as 1440x900"));
    }
    bool isNumber = false;
    arguments.scale = parser.value(QStringLiteral("scale")).toDouble(&isNumber);
    if (!isNumber || arguments.scale < 0.25 || arguments.scale > 8) {
        arguments.exitStatus = wrongUsage(QStringLiteral("--scale must be a number from 0.25 to 8"));
    }
    if ((!arguments.render.isEmpty() && arguments.models.size() != 1) ||
        (!arguments.screenshot.isEmpty() && arguments.models.size() > 1)) {
        arguments.exitStatus = wrongUsage(QStringLiteral("a picture shows only one model"));
    }
    return arguments;
}

void prepareEnvironment(const Arguments& arguments)
{
    const bool picture = !arguments.render.isEmpty() || !arguments.screenshot.isEmpty();
    if (picture) {
        qInstallMessageHandler(logExceptPlatformWarnings);
    }
    const bool noDisplay = qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
#ifdef Q_OS_LINUX
    if ((picture || noDisplay) && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
#endif
    if (picture && !arguments.screenshot.isEmpty()) {
        qputenv("QT_SCALE_FACTOR", QByteArray::number(arguments.scale));
    }
}

} // namespace crosswalk::ui::gui
