#pragma once

#include "core/formats/mxnet/build_graph.h"
#include "core/formats/mxnet/operand_kinds.h"
#include "core/formats/mxnet/params_file.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::mxnet {

/// A variable that needs a weight, and its known properties.
struct WeightWant {
    ValueId value;
    std::string_view name;
    NodeId reader; ///< the first node that reads it
    OperandKind slotKind = OperandKind::Data;
    std::string_view slot = {};
    std::vector<Shape> shapes = {}; ///< its uses, which constrain its shape
};

/// The variables in parameter slots, in the order of the graph; with `hinted` also those in data slots that have
/// gluon's parameter attributes.
std::vector<WeightWant> weightWants(const BuiltGraph& built, bool hinted);

/// Arrays under one name in the file: "features.0" has weight and bias.
struct FileLayer {
    std::string_view name;
    std::map<std::string_view, const StoredArray*> arrays; ///< by kind, the last part of the name
};

/// Variables of one layer of the graph: "dense0" has weight and bias.
struct GraphLayer {
    std::string name;
    std::map<std::string_view, const WeightWant*> wants; ///< by kind
};

/// The arrays by layer, in the order of the file. An array without name is a layer of its own.
std::vector<FileLayer> fileLayers(const std::vector<StoredArray>& arrays);

/// The variables by layer, in the order given, their kinds from those that the file has. A variable whose name does not
/// end with a kind has the kind of its slot and the layer of the node that reads it. Sets `refusal` to the variable
/// without a kind.
std::vector<GraphLayer> graphLayers(const std::vector<WeightWant>& wants, const std::vector<FileLayer>& file,
                                    std::string& refusal);

/// Whether the layer can have these arrays: the same kinds, in shapes that fit.
bool fits(const GraphLayer& layer, const FileLayer& arrays);

} // namespace crosswalk::mxnet
