// x[...] with NumPy's indices: numbers, slices, new axes and an ellipsis.

#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"

#include <fmt/format.h>
#include <limits>

namespace crosswalk::keras {
namespace {

constexpr std::int64_t beyondEnd = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t beforeStart = std::numeric_limits<std::int64_t>::min() + 1;

/// One index of the list in the brackets.
struct Index {
    enum class Kind : std::uint8_t { Number, Slice, NewAxis, Ellipsis };
    Kind kind = Kind::Slice;
    std::optional<std::int64_t> start = {}; ///< or the number
    std::optional<std::int64_t> stop = {};
    std::int64_t step = 1;
};

std::optional<std::int64_t> optionalInteger(const Settings& settings, const std::string& name)
{
    return settings.has(name) ? std::optional(settings.integer(name)) : std::nullopt;
}

class IndexReader {
public:
    explicit IndexReader(const Layer& layer)
        : m_layer(layer)
        , m_key(layer.op().starts_with("tf.") ? "call.slice_spec" : "call.1")
    {
    }

    std::vector<Index> read() const
    {
        const AttributeValue* whole = m_layer.ctx.node.attribute(m_key);
        if (whole != nullptr) {
            return ofValue(*whole);
        }
        if (isObject(m_key)) {
            return {ofObject(m_key)};
        }
        std::vector<Index> indices;
        for (std::size_t i = 0;; ++i) {
            const std::string key = fmt::format("{}.{}", m_key, i);
            if (const AttributeValue* value = m_layer.ctx.node.attribute(key)) {
                indices.push_back(ofScalar(*value));
            } else if (m_layer.settings.hasBelow(key)) {
                indices.push_back(ofObject(key));
            } else {
                break;
            }
        }
        if (indices.empty()) {
            m_layer.refuse("indices that are computed or missing");
        }
        return indices;
    }

private:
    bool isObject(const std::string& key) const
    {
        const Settings below = m_layer.settings.below(key);
        return below.has("class_name") || m_layer.ctx.node.attribute(key + ".step") != nullptr;
    }

    std::vector<Index> ofValue(const AttributeValue& value) const
    {
        std::vector<Index> indices;
        if (const auto* numbers = std::get_if<Ints>(&value)) {
            for (const std::int64_t number : *numbers) {
                indices.push_back({.kind = Index::Kind::Number, .start = number});
            }
        } else if (const auto* list = std::get_if<AttributeList>(&value)) {
            for (const AttributeValue& item : *list) {
                indices.push_back(ofScalar(item));
            }
        } else {
            indices.push_back(ofScalar(value));
        }
        return indices;
    }

    Index ofScalar(const AttributeValue& value) const
    {
        if (std::holds_alternative<std::monostate>(value)) {
            return {.kind = Index::Kind::NewAxis};
        }
        if (const auto* number = std::get_if<std::int64_t>(&value)) {
            return {.kind = Index::Kind::Number, .start = *number};
        }
        const auto* text = std::get_if<std::string>(&value);
        if (text != nullptr && (*text == "..." || *text == "__ellipsis__")) {
            return {.kind = Index::Kind::Ellipsis};
        }
        m_layer.refuse("an index that is neither a number nor a slice");
    }

    Index ofObject(const std::string& key) const
    {
        Settings object = m_layer.settings.below(key);
        const std::string kind = object.text("class_name");
        if (kind == "__ellipsis__") {
            return {.kind = Index::Kind::Ellipsis};
        }
        if (kind == "__slice__") {
            object = object.below("config");
        } else if (!kind.empty()) {
            m_layer.refuse(fmt::format("an index of class {}", kind));
        }
        const std::int64_t step = object.integer("step", 1);
        if (step == 0) {
            m_layer.ctx.invalid("a slice with a step of 0");
        }
        return {.start = optionalInteger(object, "start"), .stop = optionalInteger(object, "stop"), .step = step};
    }

    const Layer& m_layer;
    std::string m_key;
};

/// What the indices do, axis by axis.
class Indexing {
public:
    Indexing(const Layer& layer, OnnxValue x)
        : m_layer(layer)
        , m_x(x)
        , m_rank(static_cast<std::int64_t>(layer.ctx.rank(x)))
    {
    }

    void add(const std::vector<Index>& indices)
    {
        std::int64_t used = 0;
        for (const Index& index : indices) {
            used += index.kind == Index::Kind::Number || index.kind == Index::Kind::Slice ? 1 : 0;
        }
        if (used > m_rank) {
            m_layer.ctx.invalid(fmt::format("{} indices for {} axes", used, m_rank));
        }
        for (const Index& index : indices) {
            switch (index.kind) {
            case Index::Kind::NewAxis:
                m_fresh.push_back(m_result++);
                break;
            case Index::Kind::Ellipsis:
                m_axis += m_rank - used;
                m_result += m_rank - used;
                break;
            case Index::Kind::Number:
                cut(*index.start, *index.start == -1 || *index.start == beyondEnd ? beyondEnd : *index.start + 1, 1);
                m_gone.push_back(m_axis++);
                break;
            case Index::Kind::Slice:
                if (index.start || index.stop || index.step != 1) {
                    const bool isAhead = index.step > 0;
                    cut(index.start.value_or(isAhead ? 0 : beyondEnd),
                        index.stop.value_or(isAhead ? beyondEnd : beforeStart), index.step);
                }
                ++m_axis;
                ++m_result;
                break;
            }
        }
    }

    OnnxValue result() const
    {
        const NodeContext& ctx = m_layer.ctx;
        OnnxValue y = m_axes.empty() ? m_x : emit::slice(ctx, m_x, m_starts, m_ends, m_axes, m_steps);
        y = m_gone.empty() ? y : emit::squeeze(ctx, y, m_gone);
        return m_fresh.empty() ? y : emit::unsqueeze(ctx, y, m_fresh);
    }

private:
    void cut(std::int64_t start, std::int64_t end, std::int64_t step)
    {
        m_starts.push_back(start);
        m_ends.push_back(end);
        m_steps.push_back(step);
        m_axes.push_back(m_axis);
    }

    const Layer& m_layer;
    OnnxValue m_x;
    std::int64_t m_rank;
    std::int64_t m_axis = 0;   ///< of x, of the next index
    std::int64_t m_result = 0; ///< of the result
    Ints m_starts;
    Ints m_ends;
    Ints m_steps;
    Ints m_axes;
    Ints m_gone;  ///< axes of x with a number as index
    Ints m_fresh; ///< new axes of the result
};

OnnxValues getItem(const Layer& layer)
{
    Indexing indexing(layer, layer.input(0));
    indexing.add(IndexReader(layer).read());
    return {indexing.result()};
}

} // namespace

std::span<const OpRow> getItemOperations()
{
    static constexpr OpRow rows[] = {
        {"ops.GetItem", getItem, "Slice, Squeeze, Unsqueeze"},
        {"tf.__operators__.getitem", getItem, "Slice, Squeeze, Unsqueeze"},
    };
    return rows;
}

} // namespace crosswalk::keras
