#include "core/formats/mxnet/attach_weights.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace crosswalk::mxnet {
namespace {

bool contradicts(const Shape& said, const std::vector<std::int64_t>& dims)
{
    if (!isFixed(said)) {
        return false;
    }
    return said != shapeOf(dims);
}

void checkShape(const Value& value, const Tensor& tensor, std::vector<Diagnostic>& problems)
{
    if (value.type.shape && contradicts(*value.type.shape, tensor.dims())) {
        problems.push_back({.severity = Severity::Error,
                            .code = "wrong-weight-shape",
                            .message = fmt::format("the weight '{}' is {}, and the model says {}", value.name,
                                                   toString(shapeOf(tensor.dims())), toString(*value.type.shape)),
                            .hint = "give the weights that belong to this model"});
    }
}

void attach(Graph& graph, ValueId id, const Tensor& tensor, std::vector<Diagnostic>& problems)
{
    Value& value = graph.value(id);
    checkShape(value, tensor, problems);
    value.type = {tensor.type(), shapeOf(tensor.dims())};
    value.tensor = graph.addTensor(tensor);
}

} // namespace

void attachWeights(BuiltGraph& built, std::vector<StoredArray> arrays, std::vector<Diagnostic>& problems)
{
    Graph& graph = built.graph;
    std::unordered_map<std::string_view, const StoredArray*> byName;
    for (const StoredArray& array : arrays) {
        if (array.tensor.type() != ElementType::Undefined) {
            byName.try_emplace(array.name, &array);
        }
    }
    for (const Variable& variable : built.variables) {
        const auto array = byName.find(graph.value(variable.value).name);
        if (array != byName.end()) {
            attach(graph, variable.value, array->second->tensor, problems);
        }
    }
    std::erase_if(graph.inputs, [&](ValueId input) { return static_cast<bool>(graph.value(input).tensor); });
}

} // namespace crosswalk::mxnet
