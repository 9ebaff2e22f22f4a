#include "core/rewrite/scaled_rows.h"

#include <algorithm>
#include <cassert>

namespace crosswalk {
namespace {

class ScaledSource final : public ByteSource {
public:
    ScaledSource(Tensor from, std::vector<double> factors)
        : m_from(std::move(from))
        , m_factors(std::move(factors))
        , m_row(static_cast<std::uint64_t>(m_from.elements()) / m_factors.size())
    {
    }
    std::uint64_t size() const override { return m_from.bytes(); }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        if (out.empty()) {
            return;
        }
        const std::uint64_t width = byteSize(m_from.type());
        const std::uint64_t first = offset / width;
        const std::uint64_t count = (offset + out.size() + width - 1) / width - first;
        std::vector<std::byte> bytes(count * width);
        m_from.read(first * width, bytes);
        std::vector<double> values(count);
        convertElements(m_from.type(), bytes.data(), ElementType::Float64, reinterpret_cast<std::byte*>(values.data()),
                        count);
        for (std::uint64_t i = 0; i < count; ++i) {
            values[i] *= m_factors[(first + i) / m_row];
        }
        convertElements(ElementType::Float64, reinterpret_cast<const std::byte*>(values.data()), m_from.type(),
                        bytes.data(), count);
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset - first * width), out.size(), out.begin());
    }

private:
    Tensor m_from;
    std::vector<double> m_factors;
    std::uint64_t m_row; ///< elements of a row
};

} // namespace

Tensor scaledRows(const Tensor& tensor, std::vector<double> factors)
{
    assert(isFloating(tensor.type()) && tensor.elements() > 0);
    assert(tensor.rank() > 0 && tensor.dims()[0] == static_cast<std::int64_t>(factors.size()));
    return Tensor::generated(tensor.type(), tensor.dims(), std::make_shared<ScaledSource>(tensor, std::move(factors)));
}

} // namespace crosswalk
