#pragma once

#include "core/onnx/external_stubs.h"
#include "core/onnx/inferred_model.h"
#include "core/onnx/schemas.h"

#include <fmt/format.h>
#include <map>
#include <string>

namespace crosswalk::test {

/// The first difference between a model as inferred by InferredModel and by onnx's InferShapes; empty if there is none.
/// The model must have passed the checker.
inline std::string differenceFromInferShapes(const OnnxModel& model)
{
    const InferredModel inferred(model);
    ::onnx::ModelProto reference = withExternalStubs(model);
    if (reference.opset_import().empty()) {
        reference.add_opset_import()->set_version(1); // InferShapes also requires it of files that predate it
    }
    std::string error;
    try {
        ::onnx::shape_inference::InferShapes(reference, &schemas(), ::onnx::ShapeInferenceOptions(true, 1, true));
    } catch (const std::exception& thrown) {
        error = thrown.what();
    }
    const std::string ownError = inferred.error().value_or("").c_str(); // what() ends at a null character of a name
    if (ownError != error) {
        return fmt::format("the error is\n{}\nin place of\n{}", ownError, error);
    }
    // Of several declared types of one name, InferShapes takes the last.
    std::map<std::string, const ::onnx::TypeProto*> types;
    const auto& graph = reference.graph();
    const auto add = [&types](const auto& infos, const auto& declared) {
        for (int i = 0; i < infos.size(); ++i) {
            if (i >= declared.size() || declared[i].has_type()) {
                types[infos[i].name()] = &infos[i].type();
            }
        }
    };
    const auto& original = model.proto->graph();
    add(graph.value_info(), original.value_info());
    add(graph.input(), original.input());
    add(graph.output(), original.output());
    for (const auto& node : graph.node()) {
        for (const std::string& output : node.output()) {
            types.emplace(output, nullptr);
        }
    }
    for (const auto& [name, type] : types) {
        const auto* own = inferred.find(name);
        if ((own != nullptr ? own->SerializeAsString() : "") != (type != nullptr ? type->SerializeAsString() : "")) {
            return fmt::format("the type of {} is\n{}\nin place of\n{}", name,
                               own != nullptr ? own->ShortDebugString() : "unknown",
                               type != nullptr ? type->ShortDebugString() : "unknown");
        }
    }
    return {};
}

} // namespace crosswalk::test
