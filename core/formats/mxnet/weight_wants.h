#pragma once

#include "core/formats/mxnet/build_graph.h"
#include "core/formats/mxnet/params_file.h"
#include "core/formats/mxnet/slots.h"

#include <string_view>
#include <vector>

namespace crosswalk::mxnet {

/// A variable that wants a weight, and what is known of it.
struct WeightWant {
    ValueId value;
    std::string_view name;
    NodeId reader; ///< the first node that reads it
    SlotKind slotKind = SlotKind::Data;
    std::string_view slot = {};
    std::vector<Shape> shapes = {}; ///< each says something of its shape
};

/// The variables in parameter slots, in the order of the graph; with `hinted` those in data slots too on which gluon
/// left the marks of a parameter.
std::vector<WeightWant> weightWants(const BuiltGraph& built, bool hinted);

/// "weight" of "features.0.weight", the kind of a structural name; the name itself where it has no dot.
std::string_view kindOf(std::string_view structuralName);
bool isOfKind(const WeightWant& want, std::string_view kind);
bool fits(const WeightWant& want, const Tensor& tensor);

} // namespace crosswalk::mxnet
