#pragma once

#include "tests/support/form_run.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

/// Values for tests of forms, and comparisons of what they compute.
namespace crosswalk::test {

using Dims = std::vector<std::int64_t>;
using Reals = std::vector<double>;

inline Tensor numbers(Dims dims, const Reals& values, ElementType type = ElementType::Float32)
{
    return Tensor::of<double>(ElementType::Float64, std::move(dims), values).converted(type);
}

inline std::size_t elementsOf(const Dims& dims)
{
    return static_cast<std::size_t>(std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>()));
}

/// 1, 2, 3... in these dimensions.
inline Tensor counted(const Dims& dims, ElementType type = ElementType::Float32)
{
    Reals values(elementsOf(dims));
    std::iota(values.begin(), values.end(), 1.0);
    return numbers(dims, values, type);
}

/// Numbers from -1 to 1 without a pattern, the same in every run.
inline Tensor scattered(const Dims& dims, ElementType type = ElementType::Float32, double seed = 1)
{
    Reals values(elementsOf(dims));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double phase = std::sin((static_cast<double>(i) + seed) * 12.9898) * 43758.5453;
        values[i] = static_cast<double>(static_cast<float>(2 * (phase - std::floor(phase)) - 1));
    }
    return numbers(dims, values, type);
}

/// Whether the elements differ by at most `margin`; the first that does not is printed. NaN equals NaN.
inline bool isNear(const Tensor& got, const Dims& dims, const Reals& wanted, double margin = 1e-5)
{
    if (got.dims() != dims) {
        qWarning("%zu dimensions or other sizes, expected %zu", got.dims().size(), dims.size());
        return false;
    }
    const Reals values = got.toDoubles();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool isSame =
            std::isnan(wanted.at(i)) ? std::isnan(values[i]) : std::abs(values[i] - wanted[i]) <= margin;
        if (!isSame) {
            qWarning("element %zu is %.9g, expected %.9g", i, values[i], wanted[i]);
            return false;
        }
    }
    return values.size() == wanted.size();
}

inline ConvertOptions atOpset(int opset)
{
    ConvertOptions options;
    options.opset = opset;
    return options;
}

} // namespace crosswalk::test
