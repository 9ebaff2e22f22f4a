#include "core/convert/name_dims.h"

#include "core/graph/unknown_dim.h"
#include "core/rewrite/symbolic_shapes.h"

#include <algorithm>

namespace crosswalk {
namespace {

void fill(TensorType& type, const NamedShapes& shapes, const std::string& name)
{
    const auto found = shapes.find(name);
    if (found == shapes.end() || type.element == ElementType::Undefined) {
        return;
    }
    const Shape& named = found->second;
    if (!type.shape) {
        type.shape = named;
    }
    for (std::size_t axis = 0; type.shape->size() == named.size() && axis < named.size(); ++axis) {
        if (isUnnamed((*type.shape)[axis])) {
            (*type.shape)[axis] = named[axis];
        }
    }
}

} // namespace

void nameUnknownDims(Conversion& conversion, Graph& onnx, const std::stop_token& stop)
{
    const auto isOpen = [](const TensorType& type) {
        return !type.shape || std::ranges::any_of(*type.shape, isUnnamed);
    };
    bool isNeeded = std::ranges::any_of(conversion.valueTypes, isOpen);
    for (std::uint32_t i = 0; i < onnx.valueCount() && !isNeeded; ++i) {
        isNeeded = isOpen(onnx.value(ValueId{i}).type);
    }
    if (!isNeeded) {
        return;
    }
    const NamedShapes shapes = symbolicShapes(conversion.model.whole(), stop);
    if (shapes.empty()) {
        return;
    }
    for (std::size_t i = 0; i < conversion.valueTypes.size() && i < conversion.valueNames.size(); ++i) {
        fill(conversion.valueTypes[i], shapes, conversion.valueNames[i]);
    }
    for (std::uint32_t i = 0; i < onnx.valueCount(); ++i) {
        fill(onnx.value(ValueId{i}).type, shapes, onnx.value(ValueId{i}).name);
    }
}

} // namespace crosswalk
