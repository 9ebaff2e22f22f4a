#pragma once

#include "core/rewrite/axis_factors.h"

namespace crosswalk {

/// Knows of every value of a model what its axes are made of.
class AxisTracker {
public:
    explicit AxisTracker(const MultiShapeInference& sized)
        : m_sized(sized)
    {
    }

    /// Each axis of the input that changes is a source of its own.
    void addInput(const std::string& name);
    /// Takes over the outputs of a node that has been inferred.
    void follow(const ::onnx::NodeProto& node);

    bool isChanging(const std::string& value) const { return m_axes.contains(value); }
    /// Nothing where the dimensions are not known.
    std::optional<std::vector<AxisFactors>> axes(const std::string& value) const;
    const std::vector<DimSource>& sources() const { return m_sources; }
    /// Whether a size stands in the axis that changes and was 1: nothing told it from "no axis at all".
    bool wasSingle(const AxisFactors& axis) const;

private:
    AxisFactors axisLike(const ::onnx::NodeProto& node, const std::string& output, std::size_t axis,
                         const Sizes& sizes);
    std::optional<std::vector<AxisFactors>> rearranged(const ::onnx::NodeProto& node, const std::vector<Sizes>& sizes);

    const MultiShapeInference& m_sized;
    std::vector<DimSource> m_sources;
    std::unordered_map<std::string, std::vector<AxisFactors>> m_axes; ///< of values that change
};

} // namespace crosswalk
