#pragma once

#include "core/onnx/model.h"
#include "core/rewrite/axis_factors.h"

#include <map>
#include <unordered_set>

namespace crosswalk {

/// Makes the nodes that read sizes off while the model runs, and the constants that go with them. What it makes is
/// inferred at once.
class ShapeNodes {
public:
    using Nodes = google::protobuf::RepeatedPtrField<::onnx::NodeProto>;

    /// New nodes are appended to `nodes`.
    ShapeNodes(OnnxModel& model, MultiShapeInference& sized, const std::vector<DimSource>& sources, Nodes& nodes);

    /// A vector of these lengths, as an int64 tensor of rank 1: a constant where none of them changes.
    std::string vectorOf(const std::vector<AxisFactors>& axes);
    std::string constant(const std::vector<std::int64_t>& elements);
    /// A node of one output, which is named after `base`.
    std::string add(const std::string& op, const std::vector<std::string>& inputs, const std::string& base);

private:
    std::string sizeOf(std::size_t source);
    std::string lengthOf(const AxisFactors& axis);
    std::string unique(const std::string& base);

    OnnxModel& m_model;
    MultiShapeInference& m_sized;
    const std::vector<DimSource>& m_sources;
    Nodes& m_nodes;
    std::unordered_set<std::string> m_names;
    std::map<std::vector<std::int64_t>, std::string> m_constants;
    std::map<std::string, std::string> m_shapes; ///< by value
    std::map<std::size_t, std::string> m_sizes;  ///< by source
};

} // namespace crosswalk
