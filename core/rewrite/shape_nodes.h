#pragma once

#include "core/base/unique_names.h"
#include "core/onnx/onnx_model.h"
#include "core/rewrite/axis_factors.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace crosswalk {

/// Creates nodes and constants that compute dimensions at run time. New nodes are inferred immediately.
class ShapeNodes {
public:
    using Nodes = google::protobuf::RepeatedPtrField<::onnx::NodeProto>;

    /// Appends new nodes to `nodes`.
    ShapeNodes(OnnxModel& model, MultiShapeInference& sized, const std::vector<DimSource>& sources, Nodes& nodes);

    /// An int64 tensor of rank 1 with the lengths of these axes; a constant if none of them is dynamic.
    std::string vectorOf(const std::vector<AxisFactors>& axes);
    std::string constant(const Ints& elements);
    /// Adds a node with one output, named after `base`.
    std::string add(const std::string& op, const std::vector<std::string>& inputs, const std::string& base);

private:
    std::string sizeOf(std::size_t source);
    std::string lengthOf(const AxisFactors& axis);
    std::string unique(const std::string& base);

    OnnxModel& m_model;
    MultiShapeInference& m_sized;
    const std::vector<DimSource>& m_sources;
    Nodes& m_nodes;
    UniqueNames m_names;
    std::map<Ints, std::string> m_constants;
    std::map<std::string, std::string> m_shapes; ///< by value
    std::map<std::size_t, std::string> m_sizes;  ///< by source
};

} // namespace crosswalk
