#include "core/convert/forms/tensor/computed_constant.h"

#include "core/convert/forms/tensor/fill.h"

#include <array>
#include <cstring>
#include <fmt/format.h>

namespace crosswalk::forms {
namespace {

/// Elements that follow from their index, made when they are read.
class ComputedSource final : public ByteSource {
public:
    ComputedSource(std::uint64_t width, std::uint64_t count, ConstantElement element)
        : m_width(width)
        , m_count(count)
        , m_element(std::move(element))
    {
    }
    std::uint64_t size() const override { return m_width * m_count; }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        std::array<std::byte, sizeof(double)> whole{};
        for (std::size_t done = 0; done < out.size();) {
            const std::uint64_t within = (offset + done) % m_width;
            const auto take = std::min<std::size_t>(m_width - within, out.size() - done);
            m_element((offset + done) / m_width, whole.data());
            std::memcpy(out.data() + done, whole.data() + within, take);
            done += take;
        }
    }

private:
    std::uint64_t m_width;
    std::uint64_t m_count;
    ConstantElement m_element;
};

} // namespace

OnnxValue computedConstant(const NodeContext& ctx, ElementType type, const Ints& dims, ConstantElement element)
{
    const auto count = elementCount(shapeOf(dims));
    if (!count || *count > elementLimit) {
        ctx.invalid("the tensor would have more than 2^31 elements");
    }
    return ctx.onnx.constant(Tensor::generated(
        type, dims,
        std::make_shared<ComputedSource>(byteSize(type), static_cast<std::uint64_t>(*count), std::move(element))));
}

OnnxValue computedConstant(const NodeContext& ctx, ElementType type, const Ints& dims,
                           std::function<double(std::uint64_t index)> element)
{
    return computedConstant(
        ctx, type, dims, ConstantElement([type, element = std::move(element)](std::uint64_t index, std::byte* out) {
            const double value = element(index);
            convertElements(ElementType::Float64, reinterpret_cast<const std::byte*>(&value), type, out, 1);
        }));
}

} // namespace crosswalk::forms
