#include "core/convert/forms/uniform_value.h"

#include "core/base/budget.h"

#include <algorithm>

namespace crosswalk::forms {

std::optional<double> uniformValue(const Tensor& tensor)
{
    const std::size_t width = byteSize(tensor.type());
    if (tensor.elements() == 0 || tensor.elements() > Budget::listedElements || width == 0) {
        return std::nullopt;
    }
    std::vector<std::byte> first;
    bool same = true;
    tensor.stream([&](std::span<const std::byte> bytes) {
        if (first.empty()) {
            first.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(width));
        }
        for (std::size_t i = 0; i + width <= bytes.size() && same; i += width) {
            same = std::equal(first.begin(), first.end(), bytes.begin() + static_cast<std::ptrdiff_t>(i));
        }
        return same;
    });
    if (!same) {
        return std::nullopt;
    }
    double value = 0;
    convertElements(tensor.type(), first.data(), ElementType::Float64, reinterpret_cast<std::byte*>(&value), 1);
    return value;
}

} // namespace crosswalk::forms
