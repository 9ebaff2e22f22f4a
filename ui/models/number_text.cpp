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

/// Whether the nearest value of the type to a number is `value`. A number halfway between two values is not: which one
/// it becomes depends on the rounding.
bool rounds(double number, double value, ElementType type)
{
    // Half the distance of neighbours: the significand has 11 bits in float16 and 8 in bfloat16, with the leading one.
    const auto isNear = [&](int bits, int minExponent) {
        const int exponent = value == 0 ? minExponent : std::max(std::ilogb(value), minExponent);
        return std::abs(number - value) < std::ldexp(1.0, exponent - bits);
    };
    switch (type) {
    case ElementType::Float64:
        return number == value;
    case ElementType::Float16:
        return isNear(11, -14);
    case ElementType::BFloat16:
        return isNear(8, -126);
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
