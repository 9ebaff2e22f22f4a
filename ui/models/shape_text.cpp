#include "ui/models/shape_text.h"

#include "core/base/visible_text.h"
#include "core/graph/readable_shape.h"
#include "ui/models/words.h"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace crosswalk::ui {
namespace {

Result<Dim> parseDim(const QString& word)
{
    static const QRegularExpression symbol(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
    if (symbol.match(word).hasMatch()) {
        return Dim(word.toStdString());
    }
    bool isNumber = false;
    const auto size = word.toLongLong(&isNumber);
    if (!isNumber) {
        return Diagnostic{
            .code = "wrong-shape",
            .message = Words::tr("\u201c%1\u201d is neither a size nor a name such as N.").arg(word).toStdString()};
    }
    if (size < 0) {
        return Diagnostic{
            .code = "wrong-shape",
            .message =
                Words::tr("%1 is not a size. For a dynamic dimension, use a name such as N.").arg(word).toStdString()};
    }
    return Dim(size);
}

/// Three significant digits: 25.6, 102, 1.34.
QString threeDigits(double value)
{
    return QLocale().toString(value, 'f', value < 10 ? 2 : value < 100 ? 1 : 0);
}

} // namespace

Result<Shape> parseShape(const QString& text)
{
    QString plain = text.trimmed();
    if ((plain.startsWith(u'(') && plain.endsWith(u')')) || (plain.startsWith(u'[') && plain.endsWith(u']'))) {
        plain = plain.mid(1, plain.size() - 2).trimmed();
    }
    // "x" is a separator only between sizes, "2x3x224"; elsewhere it may be part of a name.
    static const QRegularExpression cross(QStringLiteral("(?<=\\d|\\s)[x\u00d7](?=\\d|\\s)|\u00d7"));
    plain.replace(cross, QStringLiteral(","));
    static const QRegularExpression comma(QStringLiteral("\\s*,\\s*"));
    plain.replace(comma, QStringLiteral(","));
    static const QRegularExpression separator(QStringLiteral("[,\\s]"));
    Shape shape;
    if (plain.isEmpty()) {
        return shape;
    }
    if (plain.endsWith(u',') && plain.size() > 1) {
        plain.chop(1);
    }
    for (const auto& word : plain.split(separator)) {
        if (word.isEmpty()) {
            return Diagnostic{.code = "wrong-shape",
                              .message = Words::tr("Dimension %1 is empty.").arg(shape.size() + 1).toStdString()};
        }
        auto dim = parseDim(word);
        if (!dim) {
            return dim.problem();
        }
        shape.push_back(std::move(dim.value()));
    }
    return shape;
}

QString shapeText(const Shape& shape)
{
    QStringList words;
    for (const auto& dim : shape) {
        words.append(dim.isFixed()          ? QString::number(dim.size)
                     : dim.symbol().empty() ? QStringLiteral("?")
                                            : displayText(dim.symbol()));
    }
    return words.join(QStringLiteral(", "));
}

QString typeText(const TensorType& type)
{
    QStringList parts;
    if (type.element != ElementType::Undefined) {
        parts.append(fromUtf8(elementTypeName(type.element)));
    }
    if (type.shape) {
        parts.append(type.shape->empty() ? Words::tr("scalar") : displayText(readableShape(*type.shape, "\u00d7")));
    }
    return parts.join(u' ');
}

QString edgeShapeText(const TensorType& type)
{
    return type.shape && !type.shape->empty() ? displayText(readableShape(*type.shape, "\u00d7")) : QString();
}

QString fromUtf8(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString displayText(std::string_view text)
{
    return fromUtf8(visibleLine(text));
}

QString displayText(const QString& text)
{
    return displayText(std::string_view(text.toStdString()));
}

QString messageText(std::string_view message)
{
    std::string line(message);
    std::ranges::replace_if(
        line, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
    return displayText(line);
}

QString bytesText(std::uint64_t bytes)
{
    if (bytes < 1000) {
        const auto count = static_cast<int>(bytes);
        return counted(count, Words::tr("1 byte"), Words::tr("%Ln bytes", nullptr, count));
    }
    double value = static_cast<double>(bytes) / 1000;
    for (const QString& unit : {Words::tr("%1 kB"), Words::tr("%1 MB"), Words::tr("%1 GB")}) {
        if (value < 999.5) {
            return unit.arg(threeDigits(value));
        }
        value /= 1000;
    }
    return Words::tr("%1 TB").arg(threeDigits(value));
}

QString countText(std::uint64_t count)
{
    if (count < 10000) {
        return QStringLiteral("%L1").arg(count);
    }
    const auto value = static_cast<double>(count);
    return value < 999.5e3   ? Words::tr("%1 k").arg(threeDigits(value / 1e3))
           : value < 999.5e6 ? Words::tr("%1 M").arg(threeDigits(value / 1e6))
                             : Words::tr("%1 G").arg(threeDigits(value / 1e9));
}

QString secondsText(double seconds)
{
    return seconds < 0.9995 ? Words::tr("%L1 ms").arg(std::max(1.0, std::round(seconds * 1000)))
                            : Words::tr("%1 s").arg(threeDigits(seconds));
}

} // namespace crosswalk::ui
