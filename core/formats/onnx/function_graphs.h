#pragma once

#include "core/graph/graph.h"
#include "core/onnx/opsets.h"

#include <cstdint>
#include <map>
#include <string>

namespace onnx {
class ModelProto;
}

namespace crosswalk {

/// Adds the functions of a model to its graph. A function is named "domain.name", with ":overload" where it has one. An
/// attribute that takes its value from the call is a list: the name of the function's attribute, and its default value
/// if there is one.
void addFunctions(Graph& graph, const ::onnx::ModelProto& model);

/// The opsets that a model or a function imports, by domain.
template <typename Proto>
std::map<std::string, std::int64_t> importedOpsets(const Proto& proto)
{
    std::map<std::string, std::int64_t> opsets;
    for (const auto& opset : proto.opset_import()) {
        opsets[isOnnxDomain(opset.domain()) ? std::string() : opset.domain()] = opset.version();
    }
    return opsets;
}

} // namespace crosswalk
