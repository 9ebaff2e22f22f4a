#pragma once

#include "core/convert/conversion.h"

#include <span>

namespace crosswalk::ui {

/// What a conversion knows of the values of its source, and of those of the bodies in it.
struct KnownTypes {
    std::span<const TensorType> values = {}; ///< by value; empty where nothing is known but what the graph itself says
    const BodyTypes* bodies = nullptr;       ///< may be null

    KnownTypes() = default;
    explicit KnownTypes(std::span<const TensorType> ofValues)
        : values(ofValues)
    {
    }
    explicit KnownTypes(const Conversion& conversion)
        : values(conversion.valueTypes)
        , bodies(&conversion.bodyTypes)
    {
    }

    /// The same of a body, or of a body in it.
    KnownTypes of(const Graph& body) const
    {
        KnownTypes inner;
        inner.bodies = bodies;
        if (bodies != nullptr) {
            if (const auto found = bodies->find(&body); found != bodies->end()) {
                inner.values = found->second;
            }
        }
        return inner;
    }
    /// Of a value of the graph.
    TensorType of(const Graph& graph, ValueId value) const
    {
        if (const Tensor* stored = graph.tensorOf(value)) {
            return {stored->type(), shapeOf(stored->dims())};
        }
        return value.index < values.size() ? values[value.index] : graph.value(value).type;
    }
};

} // namespace crosswalk::ui
