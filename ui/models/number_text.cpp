#include "ui/models/number_text.h"

#include "core/graph/element_type.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace crosswalk::ui {
namespace {

/// Decimal digits that identify every value of the type.
int digitsOf(ElementType type)
{
    switch (type) {
    case ElementType::Float64:
        return 17;
    case ElementType::Float16:
        return 5;
    case ElementType::BFloat16:
        return 4;
    default:
        return 9; // float32
    }
}

/// Whether the nearest value of the type to a number is `value`.
bool rounds(double number, double value, ElementType type)
{
    switch (type) {
    case ElementType::Float64:
        return number == value;
    case ElementType::Float16: // half of the last of 11 bits
        return std::abs(number - value) <= std::abs(value) * 0x1p-12;
    case ElementType::BFloat16: // half of the last of 8 bits
        return std::abs(number - value) <= std::abs(value) * 0x1p-9;
    default:
        return static_cast<double>(static_cast<float>(number)) == value;
    }
}

} // namespace

QString roundedText(double value)
{
    return QLocale().toString(value, 'g', 4);
}

QString shortestText(double value, ElementType type)
{
    // Values are copied to other programs, which do not read group separators.
    QLocale locale;
    locale.setNumberOptions(locale.numberOptions() | QLocale::OmitGroupSeparator);
    if (!std::isfinite(value) || !isFloating(type)) {
        return std::isfinite(value) && std::abs(value) < 9e15 ? locale.toString(static_cast<qint64>(value))
                                                              : locale.toString(value, 'g', 17);
    }
    const int most = digitsOf(type);
    int digits = 1;
    while (digits < most && !rounds(QString::number(value, 'g', digits).toDouble(), value, type)) {
        ++digits;
    }
    // 100 rather than 1e+02.
    const int whole = std::abs(value) >= 1 ? static_cast<int>(std::log10(std::abs(value))) + 1 : 1;
    return locale.toString(value, 'g', whole <= most ? std::max(digits, whole) : digits);
}

} // namespace crosswalk::ui
