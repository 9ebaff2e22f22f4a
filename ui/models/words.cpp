#include "ui/models/words.h"

#include "core/graph/operator_info.h"
#include "ui/models/shape_text.h"

#include <QRegularExpression>

namespace crosswalk::ui {
namespace {

struct WindowHint {
    Code code;
    const char* text;
    bool isOneWayOfSome = false; ///< shown only if core offers this choice
};

// Core's hints name command-line options; these name the equivalents in the window.
constexpr WindowHint windowHints[] = {
    {"training-only", QT_TRANSLATE_NOOP("crosswalk::ui::Words", "Save the model without its training nodes")},
    {"unsupported-operator", QT_TRANSLATE_NOOP("crosswalk::ui::Words", "It is exported as a named gap")},
    {"unsupported-attribute", QT_TRANSLATE_NOOP("crosswalk::ui::Words", "It is exported as a named gap")},
    {"unknown-shape", QT_TRANSLATE_NOOP("crosswalk::ui::Words", "Set the unknown shapes in the Inputs panel")},
    {"baked-size",
     QT_TRANSLATE_NOOP("crosswalk::ui::Words",
                       "Choose Run samples one at a time in the Model menu, which keeps the model unchanged"),
     true},
    {"wrong-input",
     QT_TRANSLATE_NOOP("crosswalk::ui::Words", "Choose test data of this model, or set the shape in the Inputs panel")},
    {"open-dimension", QT_TRANSLATE_NOOP("crosswalk::ui::Words", "Set the size in the Inputs panel")},
    {"missing-weight",
     QT_TRANSLATE_NOOP("crosswalk::ui::Words", "Choose the weights file, or put it beside the model")},
    {"wrong-weight", QT_TRANSLATE_NOOP("crosswalk::ui::Words", "Choose the weights file that belongs to this model")},
    {"unknown-format", QT_TRANSLATE_NOOP("crosswalk::ui::Words", "Open the model file that belongs to it"), true},
    {"newest-epoch",
     QT_TRANSLATE_NOOP("crosswalk::ui::Words", "Choose another file with Choose weights in the File menu")},
    {"too-large",
     QT_TRANSLATE_NOOP("crosswalk::ui::Words", "Choose Reload without limits in the File menu to convert it anyway"),
     true},
    {"no-weights-file",
     QT_TRANSLATE_NOOP("crosswalk::ui::Words", "Choose the weights file, or put it beside the model")},
};

QString withBreakableWords(const QString& text, qsizetype longest)
{
    QStringList words = text.split(u' ');
    for (QString& word : words) {
        if (word.size() > longest) {
            word = breakable(std::move(word));
        }
    }
    return words.join(u' ');
}

} // namespace

QString capitalised(QString text)
{
    if (!text.isEmpty()) {
        text[0] = text[0].toUpper();
    }
    return text;
}

QString beginningOf(const QString& text, qsizetype length)
{
    const bool isCut = length > 0 && length < text.size() && text[length].isLowSurrogate();
    return text.left(isCut ? length - 1 : length);
}

QString endOf(const QString& text, qsizetype length)
{
    const bool isCut = length > 0 && length < text.size() && text[text.size() - length].isLowSurrogate();
    return text.right(isCut ? length - 1 : length);
}

QString breakable(QString name)
{
    constexpr qsizetype longest = 400; // characters
    constexpr qsizetype shown = 150;   // of the beginning, and of the end
    if (name.size() > longest) {
        name = beginningOf(name, shown) + QChar(0x2026) + endOf(name, shown);
    }
    // Not the point of a number. What has no such place for 30 characters breaks after 24.
    static const QRegularExpression place(QStringLiteral("([_/]|\\.(?!\\d)|[^\\s_/.]{24}(?=[^\\s_/.]{6}))"));
    return name.replace(place, QStringLiteral("\\1\u200B"));
}

QString wrappable(const QString& text)
{
    constexpr qsizetype longest = 60; // characters
    return withBreakableWords(text, longest);
}

QString wrappableInColumn(const QString& text)
{
    return withBreakableWords(text, 0);
}

QString toolTipText(const QString& text)
{
    constexpr qsizetype longestLine = 90; // characters
    constexpr qsizetype mostLines = 40;
    QStringList lines;
    for (QString line : text.split(u'\n')) {
        while (line.size() > longestLine && lines.size() < mostLines) {
            const qsizetype space = line.lastIndexOf(u' ', longestLine);
            const qsizetype end = space > 0 ? space : beginningOf(line, longestLine).size();
            lines.append(line.left(end));
            line = line.mid(space > 0 ? end + 1 : end);
        }
        if (lines.size() >= mostLines) {
            lines.append(QStringLiteral("\u2026"));
            break;
        }
        lines.append(line);
    }
    return lines.join(u'\n');
}

QString counted(int count, const QString& one, const QString& several)
{
    return count == 1 ? one : several;
}

QString verdictWord(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Exact:
        return Words::tr("exact");
    case Verdict::Decomposed:
        return Words::tr("decomposed");
    case Verdict::Approximate:
        return Words::tr("approximate");
    case Verdict::Unsupported:
        return Words::tr("unsupported");
    case Verdict::Folded:
        return Words::tr("folded");
    }
    return {};
}

QString severityWord(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return Words::tr("Error");
    case Severity::Warning:
        return Words::tr("Warning");
    case Severity::Note:
        return Words::tr("Note");
    }
    return {};
}

QString changeWord(Change change)
{
    switch (change) {
    case Change::Same:
        return Words::tr("same");
    case Change::Changed:
        return Words::tr("changed");
    case Change::Removed:
        return Words::tr("removed");
    case Change::Added:
        return Words::tr("added");
    }
    return {};
}

QString strategyWord(std::string_view name)
{
    const auto strategy = strategyFromName(name);
    if (!strategy) {
        return capitalised(displayText(name));
    }
    switch (*strategy) {
    case Strategy::Exact:
        return Words::tr("Exact");
    case Strategy::Fused:
        return Words::tr("Fused");
    case Strategy::Unrolled:
        return Words::tr("Unrolled");
    }
    return {};
}

QString problemSentence(const Diagnostic& problem)
{
    return capitalised(messageText(problem.message));
}

QString shortSentence(const Diagnostic& problem)
{
    constexpr qsizetype longest = 110; // characters
    const QString text = problemSentence(problem);
    const qsizetype end = text.lastIndexOf(QStringLiteral(", "), longest);
    return problem.code == Code("missing-weight") && text.size() > longest && end > 0
               ? text.left(end) + QStringLiteral(", \u2026")
               : text;
}

QString problemHint(const Diagnostic& problem)
{
    if (!problem.choices.empty()) {
        return {};
    }
    const bool namesOptions =
        problem.hint.find("--") != std::string::npos || problem.hint.find("WEIGHTS") != std::string::npos;
    for (const auto& hint : windowHints) {
        if (hint.code == problem.code && (namesOptions || (problem.hint.empty() && !hint.isOneWayOfSome))) {
            return Words::tr(hint.text);
        }
    }
    return namesOptions ? QString() : capitalised(messageText(problem.hint));
}

QString withHint(const QString& sentence, const Diagnostic& problem)
{
    const QString hint = problemHint(problem);
    return hint.isEmpty() ? sentence : sentence + u' ' + hint + u'.';
}

QString problemCause(const Diagnostic& problem)
{
    switch (recurrentFeature(problem.attribute)) {
    case RecurrentFeature::CellClip:
        return Words::tr("Cell state clipped, which ONNX's LSTM does not support");
    case RecurrentFeature::Projection:
        return Words::tr("State projected in each step, which ONNX's LSTM does not support");
    case RecurrentFeature::CellClipOfNan:
    case RecurrentFeature::SequenceLengths:
    case RecurrentFeature::None:
        break;
    }
    if (problem.code == Code("unsupported-operator")) {
        return Words::tr("ONNX has no equivalent operator");
    }
    QString code = displayText(problem.code.text());
    code.replace(u'-', u' ');
    const QString what = problem.attribute.empty() || !problem.choices.empty()
                             ? capitalised(code)
                             : QStringLiteral("%1: %2").arg(displayText(problem.attribute), code);
    return Words::tr("%1; for example: %2").arg(what, messageText(problem.message));
}

QString problemText(const Diagnostic& problem)
{
    const QString hint = problemHint(problem);
    return hint.isEmpty() ? problemSentence(problem) : QStringLiteral("%1. %2.").arg(problemSentence(problem), hint);
}

} // namespace crosswalk::ui
