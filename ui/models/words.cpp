#include "ui/models/words.h"

#include "ui/models/shape_text.h"

#include <QCoreApplication>

namespace crosswalk::ui {
namespace {

struct WindowHint {
    Code code;
    const char* text;
};

// Core's own hints name options of the command line; these name what the window offers for the same.
constexpr WindowHint windowHints[] = {
    {"training-only", QT_TRANSLATE_NOOP("Hints", "Save the model without what trains it")},
    {"unsupported-operator", QT_TRANSLATE_NOOP("Hints", "The rest converts; an export keeps this node as a named gap")},
    {"unsupported-attribute",
     QT_TRANSLATE_NOOP("Hints", "The rest converts; an export keeps this node as a named gap")},
    {"unknown-shape", QT_TRANSLATE_NOOP("Hints", "Give the shapes that are open in the Inputs panel")},
    {"open-dimension", QT_TRANSLATE_NOOP("Hints", "Give the size in the Inputs panel")},
    {"missing-weight", QT_TRANSLATE_NOOP("Hints", "Choose the weights file, or put it beside the model")},
    {"wrong-weight", QT_TRANSLATE_NOOP("Hints", "Choose the weights file that belongs to this model")},
    {"no-weights-file", QT_TRANSLATE_NOOP("Hints", "Choose the weights file, or put it beside the model")},
};

struct GapName {
    std::string_view attribute;
    const char* text;
};

constexpr GapName gapNames[] = {
    {"lstm_state_clip_min", QT_TRANSLATE_NOOP("Hints", "Cell state clipped, which ONNX's LSTM cannot say")},
    {"projection_size", QT_TRANSLATE_NOOP("Hints", "State projected in each step, which ONNX's LSTM cannot say")},
};

QString tr(const char* text)
{
    return QCoreApplication::translate("Hints", text);
}

} // namespace

QString capitalised(QString text)
{
    if (!text.isEmpty()) {
        text[0] = text[0].toUpper();
    }
    return text;
}

QString breakable(QString name)
{
    for (const char16_t separator : {u'_', u'/', u'.'}) {
        name.replace(QChar(separator), QString(QChar(separator)) + QChar(0x200B));
    }
    return name;
}

QString counted(qsizetype count, const QString& one, const QString& several)
{
    return count == 1 ? one : several.arg(count);
}

QString problemSentence(const Diagnostic& problem)
{
    return capitalised(fromUtf8(problem.message));
}

QString problemHint(const Diagnostic& problem)
{
    if (!problem.choices.empty()) {
        return {};
    }
    const bool namesOptions = problem.hint.find("--") != std::string::npos;
    for (const auto& hint : windowHints) {
        if (hint.code == problem.code && (namesOptions || problem.hint.empty())) {
            return tr(hint.text);
        }
    }
    return namesOptions ? QString() : capitalised(fromUtf8(problem.hint));
}

QString problemCause(const Diagnostic& problem)
{
    for (const auto& gap : gapNames) {
        if (gap.attribute == problem.attribute) {
            return tr(gap.text);
        }
    }
    if (problem.code == Code("unsupported-operator")) {
        return tr("No ONNX form for this operator");
    }
    QString code = fromUtf8(problem.code.text());
    code.replace(u'-', u' ');
    const QString what = problem.attribute.empty() || !problem.choices.empty()
                             ? capitalised(code)
                             : QStringLiteral("%1: %2").arg(fromUtf8(problem.attribute), code);
    return tr("%1; for instance: %2").arg(what, fromUtf8(problem.message));
}

QString problemText(const Diagnostic& problem)
{
    const QString hint = problemHint(problem);
    return hint.isEmpty() ? problemSentence(problem) : QStringLiteral("%1. %2.").arg(problemSentence(problem), hint);
}

} // namespace crosswalk::ui
