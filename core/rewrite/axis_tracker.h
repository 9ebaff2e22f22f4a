#pragma once

#include "core/rewrite/axis_factors.h"

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace crosswalk {

/// Tracks the factors of the axes of every value of a model.
class AxisTracker {
public:
    explicit AxisTracker(const MultiShapeInference& sized)
        : m_sized(sized)
    {
    }

    /// Adds a DimSource for each dynamic axis of the input.
    void addInput(const std::string& name);
    /// Derives the axes of a node's outputs. The node must have been inferred. Returns false for a Reshape whose axes
    /// are not made of whole factors.
    bool follow(const ::onnx::NodeProto& node);

    /// For a value that no node computes.
    void setAxes(const std::string& value, std::vector<AxisFactors> axes);

    bool isChanging(const std::string& value) const { return m_axes.contains(value); }
    /// Nothing if the dimensions are unknown.
    std::optional<std::vector<AxisFactors>> axes(const std::string& value) const;
    const std::vector<DimSource>& sources() const { return m_sources; }
    /// Whether the axis has a dynamic factor of original size 1, which is indistinguishable from an absent factor.
    bool wasSingle(const AxisFactors& axis) const;

private:
    AxisFactors matchingAxis(const ::onnx::NodeProto& node, const std::string& output, std::size_t axis,
                             const Sizes& sizes);
    std::optional<std::vector<AxisFactors>> reorderedAxes(const ::onnx::NodeProto& node,
                                                          const std::vector<Sizes>& sizes);

    const MultiShapeInference& m_sized;
    std::vector<DimSource> m_sources;
    std::unordered_map<std::string, std::vector<AxisFactors>> m_axes; ///< of values with dynamic dimensions
};

} // namespace crosswalk
