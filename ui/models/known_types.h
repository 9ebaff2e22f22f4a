#pragma once

#include "core/convert/conversion.h"

#include <span>

namespace crosswalk::ui {

/// The types inferred by a conversion for the values of its source and of the bodies in it.
struct KnownTypes {
    std::span<const TensorType> values = {}; ///< by value; empty if only the types in the graph are known
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

    /// The types of a body, or of a body nested in it.
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
    /// The type of a value of the graph.
    TensorType of(const Graph& graph, ValueId value) const
    {
        if (const Tensor* stored = graph.tensorOf(value)) {
            return {stored->type(), shapeOf(stored->dims())};
        }
        return value.index < values.size() ? values[value.index] : graph.value(value).type;
    }
};

} // namespace crosswalk::ui
