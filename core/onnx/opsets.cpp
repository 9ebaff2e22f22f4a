#include "core/onnx/opsets.h"

#include "core/onnx/onnx_model.h"
#include "core/onnx/proto.h"
#include "core/onnx/schema.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <string>

namespace crosswalk {

std::int64_t irVersionFor(int opset)
{
    assert(opset >= oldestOpset && opset <= newestOpset);
    // The IR version of the first onnx release with the opset.
    struct Row {
        int opset;
        std::int64_t ir;
    };
    constexpr Row rows[] = {{11, 6}, {12, 7}, {15, 8}, {19, 9}, {21, 10}, {23, 11}, {24, 12}, {25, 13}};
    std::int64_t ir = 6;
    for (const Row& row : rows) {
        if (opset >= row.opset) {
            ir = row.ir;
        }
    }
    return ir;
}

bool isOnnxDomain(std::string_view domain)
{
    return domain.empty() || domain == "ai.onnx";
}

int domainVersion(std::string_view domain, int opset)
{
    if (isOnnxDomain(domain)) {
        return opset;
    }
    if (domain != "ai.onnx.ml") {
        return 1;
    }
    // From the table of releases in onnx's Versioning.md.
    return opset >= 21 ? 5 : opset >= 20 ? 4 : opset >= 16 ? 3 : 2;
}

std::optional<int> firstOpset(std::string_view op)
{
    static const auto first = [] {
        std::map<std::string, int, std::less<>> opsets;
        for (const auto& schema : ::onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
            // A deprecated version does not count: GroupNormalization-18 is replaced by version 21.
            if (schema.domain().empty() && !schema.Deprecated()) {
                const auto [known, isNew] = opsets.emplace(schema.Name(), schema.SinceVersion());
                known->second = std::min(known->second, schema.SinceVersion());
            }
        }
        return opsets;
    }();
    const auto found = first.find(op);
    return found != first.end() ? std::optional(found->second) : std::nullopt;
}

int opsetOf(const OnnxModel& model)
{
    return opsetOf(*model.proto);
}

int opsetOf(const ::onnx::ModelProto& model)
{
    for (const auto& opset : model.opset_import()) {
        if (isOnnxDomain(opset.domain())) {
            return static_cast<int>(opset.version());
        }
    }
    return 1;
}

std::unordered_map<std::string, int> opsetImports(const ::onnx::ModelProto& model)
{
    std::unordered_map<std::string, int> imports;
    for (const auto& import : model.opset_import()) {
        imports[import.domain()] = static_cast<int>(import.version());
    }
    if (imports.empty()) {
        imports[""] = 1;
    }
    return imports;
}

void raiseIrVersion(::onnx::ModelProto& model)
{
    constexpr std::int64_t firstWithoutListedWeights = 4;
    model.set_ir_version(std::max(firstWithoutListedWeights, model.ir_version()));
    if (model.opset_import().empty()) {
        model.add_opset_import()->set_version(1);
    }
}

bool usesOnnxDomain(const OnnxModel& model)
{
    const auto& imports = model.proto->opset_import();
    return imports.empty() || std::any_of(imports.begin(), imports.end(),
                                          [](const auto& import) { return isOnnxDomain(import.domain()); });
}

} // namespace crosswalk
