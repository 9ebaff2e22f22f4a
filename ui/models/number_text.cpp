#include "ui/models/number_text.h"

#include "core/graph/element_type.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

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

/// Whether the type stores the number as `value`.
bool rounds(double number, double value, ElementType type)
{
    std::array<std::byte, sizeof(double)> element{};
    double stored = 0;
    convertElements(ElementType::Float64, reinterpret_cast<const std::byte*>(&number), type, element.data(), 1);
    convertElements(type, element.data(), ElementType::Float64, reinterpret_cast<std::byte*>(&stored), 1);
    return stored == value;
}

/// Texts are copied to other programs, which do not read group separators.
QLocale withoutGroups(QLocale locale)
{
    locale.setNumberOptions(locale.numberOptions() | QLocale::OmitGroupSeparator);
    return locale;
}

} // namespace

QString roundedText(double value)
{
    return QLocale().toString(value, 'g', 4);
}

QString shortestText(double value, ElementType type, const QLocale& locale)
{
    const QLocale plain = withoutGroups(locale);
    const int most = digitsOf(type);
    if (!std::isfinite(value)) {
        return plain.toString(value, 'g', most);
    }
    int digits = 1;
    while (digits < most && !rounds(QString::number(value, 'g', digits).toDouble(), value, type)) {
        ++digits;
    }
    // 100 rather than 1e+02.
    const int whole = std::abs(value) >= 1 ? static_cast<int>(std::log10(std::abs(value))) + 1 : 1;
    return plain.toString(value, 'g', whole <= most ? std::max(digits, whole) : digits);
}

QString elementText(const Tensor& tensor, std::int64_t element, const QLocale& locale)
{
    const Tensor one = tensor.range(element, {1});
    if (isFloating(one.type())) {
        return shortestText(one.toDoubles().front(), one.type(), locale);
    }
    if (one.type() == ElementType::UInt64) {
        quint64 value = 0;
        one.read(0, std::as_writable_bytes(std::span(&value, 1)));
        return withoutGroups(locale).toString(value);
    }
    return withoutGroups(locale).toString(qint64{one.toInts().front()});
}

} // namespace crosswalk::ui
