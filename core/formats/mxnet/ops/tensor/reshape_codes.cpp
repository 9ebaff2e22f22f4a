#include "core/formats/mxnet/ops/tensor/reshape_codes.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace crosswalk::mxnet {

std::array<ShapeTerm, 2> splitTerm(const NodeContext& ctx, const ShapeTerm& whole, std::int64_t left,
                                   std::int64_t right)
{
    if ((left == -1 && right == -1) || left == 0 || right == 0 || left < -1 || right < -1) {
        ctx.invalid(fmt::format("a dimension cannot split into {} and {}", left, right), "shape");
    }
    const bool isOpen = left == -1 || right == -1;
    const std::int64_t known = isOpen ? std::max(left, right) : left * right;
    if (whole.dim.isFixed() && (isOpen ? whole.dim.size % known != 0 : whole.dim.size != known)) {
        ctx.invalid(fmt::format("{} and {} do not divide a dimension of {}", left, right, whole.dim.size), "shape");
    }
    const auto half = [&](std::int64_t size) {
        if (size != -1) {
            return fixedTerm(size);
        }
        ShapeTerm term = whole;
        term.dim = whole.dim.isFixed() ? Dim(whole.dim.size / known) : known == 1 ? whole.dim : Dim();
        term.divisor = known;
        return term;
    };
    return {half(left), half(right)};
}

namespace {

class CodeReader {
public:
    CodeReader(const NodeContext& ctx, OnnxValue x, Ints codes, bool reverse)
        : m_ctx(ctx)
        , m_x(x)
        , m_codes(std::move(codes))
        , m_rank(ctx.rank(x))
        , m_reverse(reverse)
    {
        for (const auto code : m_codes) {
            if (code < -4 || code > std::numeric_limits<std::int32_t>::max()) {
                ctx.invalid(fmt::format("{} in shape has no meaning", code), "shape");
            }
        }
        if (reverse) {
            std::reverse(m_codes.begin(), m_codes.end());
        }
    }

    ShapeTerms read()
    {
        std::optional<std::size_t> rest;
        for (std::size_t i = 0; i < m_codes.size(); ++i) {
            switch (m_codes[i]) {
            case 0:
                m_terms.push_back(termOf(m_ctx, m_x, {next()}));
                break;
            case -1:
                if (rest) {
                    m_ctx.invalid("more than one -1 in shape", "shape");
                }
                // MXNet writes the inferred size at the code's index, which is the wrong dimension after a code that
                // produces more or fewer than one: such a shape never worked.
                rest = i;
                if (m_terms.size() != i) {
                    m_ctx.invalid("-1 after a code that does not produce one dimension", "shape");
                }
                m_terms.push_back(restTerm());
                ++m_used;
                break;
            case -2:
                while (m_used < m_rank) {
                    m_terms.push_back(termOf(m_ctx, m_x, {next()}));
                }
                break;
            case -3: {
                const std::int64_t a = next();
                const std::int64_t b = next();
                m_terms.push_back(termOf(m_ctx, m_x, {std::min(a, b), std::max(a, b)}));
                break;
            }
            case -4:
                if (i + 2 >= m_codes.size()) {
                    m_ctx.invalid("-4 requires two numbers after it", "shape");
                }
                for (const ShapeTerm& half :
                     splitTerm(m_ctx, termOf(m_ctx, m_x, {next()}), m_codes[i + 1], m_codes[i + 2])) {
                    m_terms.push_back(half);
                }
                i += 2;
                break;
            default:
                m_terms.push_back(fixedTerm(m_codes[i]));
                ++m_used;
            }
        }
        if (m_reverse) {
            std::reverse(m_terms.begin(), m_terms.end());
        }
        return std::move(m_terms);
    }

private:
    /// The next dimension of x that a code has not used yet.
    std::int64_t next()
    {
        if (m_used >= m_rank) {
            m_ctx.invalid(fmt::format("shape requires more dimensions than the input's {}", m_rank), "shape");
        }
        const std::size_t place = m_reverse ? m_rank - 1 - m_used : m_used;
        ++m_used;
        return static_cast<std::int64_t>(place);
    }

    const NodeContext& m_ctx;
    OnnxValue m_x;
    Ints m_codes;
    std::size_t m_rank;
    bool m_reverse;
    std::size_t m_used = 0;
    ShapeTerms m_terms;
};

} // namespace

ShapeTerms reshapeTerms(const NodeContext& ctx, OnnxValue x, Ints codes, bool reverse)
{
    return CodeReader(ctx, x, std::move(codes), reverse).read();
}

} // namespace crosswalk::mxnet
