#include "core/formats/mxnet/natural_order.h"

#include <algorithm>

namespace crosswalk::mxnet {
namespace {

bool startsWithDigit(std::string_view text)
{
    return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

/// Consumes the number at the front of a text, without leading zeros.
std::string_view takeNumber(std::string_view& text)
{
    const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
    std::string_view digits = text.substr(0, end);
    text.remove_prefix(end);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
}

} // namespace

std::string withoutNumbers(std::string_view name)
{
    std::string pattern;
    while (!name.empty()) {
        if (startsWithDigit(name)) {
            takeNumber(name);
            pattern += '#';
        } else {
            pattern += name.front();
            name.remove_prefix(1);
        }
    }
    return pattern;
}

std::strong_ordering naturalOrder(std::string_view a, std::string_view b)
{
    while (!a.empty() && !b.empty()) {
        if (startsWithDigit(a) && startsWithDigit(b)) {
            const auto first = takeNumber(a);
            const auto second = takeNumber(b);
            if (first.size() != second.size()) {
                return first.size() <=> second.size();
            }
            if (const auto order = first.compare(second); order != 0) {
                return order <=> 0;
            }
        } else if (a.front() != b.front()) {
            return a.front() <=> b.front();
        } else {
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    return a.size() <=> b.size();
}

} // namespace crosswalk::mxnet
