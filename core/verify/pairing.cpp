#include "core/verify/pairing.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk {
namespace {

/// Why the tensor cannot be the input; empty if it can.
std::string mismatch(const TensorType& expected, const Tensor& found)
{
    if (expected.element != ElementType::Undefined && expected.element != found.type()) {
        return fmt::format("it is {}, {} expected", elementTypeName(found.type()), elementTypeName(expected.element));
    }
    // A runtime reports no dimensions for an input of unknown rank, as for a scalar.
    if (!expected.shape || expected.shape->empty()) {
        return {};
    }
    const auto& dims = found.dims();
    if (dims.size() != expected.shape->size()) {
        return fmt::format("its rank is {} ({}), {} expected ({})", dims.size(), toString(shapeOf(dims)),
                           expected.shape->size(), toString(*expected.shape));
    }
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const Dim& dim = (*expected.shape)[i];
        if (dim.isFixed() && dim.size != dims[i]) {
            return fmt::format("its dimension {} is {}, {} expected ({}, the model's input is {})", i, dims[i],
                               dim.size, toString(shapeOf(dims)), toString(*expected.shape));
        }
    }
    return {};
}

void checkInputs(const std::vector<RuntimeSession::Port>& ports, const std::vector<NamedTensor>& given,
                 const DataSet& set)
{
    for (std::size_t i = 0; i < ports.size(); ++i) {
        if (const std::string why = mismatch(ports[i].type, given[i].tensor); !why.empty()) {
            throw ModelError("wrong-input",
                             fmt::format("the tensor for input {} in {} does not fit the model: {}", ports[i].name,
                                         set.folder.string(), why),
                             fmt::format("record the inputs of this model, or give the input its shape with --shape {}",
                                         ports[i].name));
        }
    }
}

} // namespace

const NamedTensor* findNamed(const std::vector<NamedTensor>& tensors, std::string_view name)
{
    const auto found =
        std::find_if(tensors.begin(), tensors.end(), [&](const NamedTensor& tensor) { return tensor.name == name; });
    return found == tensors.end() ? nullptr : &*found;
}

std::vector<std::optional<std::size_t>> pairNames(const std::vector<std::string>& names,
                                                  const std::vector<std::string>& recorded)
{
    std::vector<std::optional<std::size_t>> pairs(names.size());
    std::vector<bool> isPaired(recorded.size());
    const auto pair = [&](std::size_t name, auto found) {
        if (found < recorded.end()) {
            pairs[name] = static_cast<std::size_t>(found - recorded.begin());
            isPaired[*pairs[name]] = true;
        }
    };
    for (std::size_t i = 0; i < names.size(); ++i) {
        pair(i, std::ranges::find(recorded, names[i]));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!pairs[i]) {
            pair(i, recorded.begin() + (std::ranges::find(isPaired, false) - isPaired.begin()));
        }
    }
    return pairs;
}

std::vector<NamedTensor> pairInputs(const std::vector<RuntimeSession::Port>& ports, const DataSet& set)
{
    std::vector<std::string> names;
    for (const auto& port : ports) {
        names.push_back(port.name);
        if (set.inputs.size() != ports.size() && findNamed(set.inputs, port.name) == nullptr) {
            throw ModelError("missing-input",
                             fmt::format("{} has no tensor for the model's input {}", set.folder.string(), port.name));
        }
    }
    std::vector<std::string> recorded;
    for (const NamedTensor& tensor : set.inputs) {
        recorded.push_back(tensor.name);
    }
    std::vector<NamedTensor> given;
    for (const auto& index : pairNames(names, recorded)) {
        given.push_back({names[given.size()], set.inputs[index.value()].tensor});
    }
    checkInputs(ports, given, set);
    return given;
}

} // namespace crosswalk
