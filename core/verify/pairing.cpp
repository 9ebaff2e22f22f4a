#include "core/verify/pairing.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk {

const NamedTensor* findNamed(const std::vector<NamedTensor>& tensors, std::string_view name)
{
    const auto found =
        std::find_if(tensors.begin(), tensors.end(), [&](const NamedTensor& tensor) { return tensor.name == name; });
    return found == tensors.end() ? nullptr : &*found;
}

std::vector<NamedTensor> pairInputs(const std::vector<RuntimeSession::Port>& ports, const DataSet& set)
{
    std::vector<NamedTensor> given;
    std::string lacking;
    for (const auto& port : ports) {
        if (const NamedTensor* tensor = findNamed(set.inputs, port.name)) {
            given.push_back(*tensor);
        } else if (lacking.empty()) {
            lacking = port.name;
        }
    }
    if (given.size() == ports.size()) {
        return given;
    }
    if (set.inputs.size() != ports.size()) {
        throw ModelError("missing-input",
                         fmt::format("{} has no tensor for the model's input {}", set.folder.string(), lacking));
    }
    given.clear();
    for (std::size_t i = 0; i < ports.size(); ++i) {
        given.push_back({ports[i].name, set.inputs[i].tensor});
    }
    return given;
}

} // namespace crosswalk
