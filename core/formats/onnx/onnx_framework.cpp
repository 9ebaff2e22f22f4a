#include "core/formats/onnx/onnx_framework.h"

#include "core/convert/states.h"
#include "core/formats/onnx/convert_model.h"
#include "core/formats/onnx/file_types.h"
#include "core/onnx/schema.h"

#include <set>

namespace crosswalk {
namespace {

std::vector<SupportedOperator> operators()
{
    static const std::set<std::string> names = [] {
        std::set<std::string> all;
        for (const ::onnx::OpSchema& schema : ::onnx::OpSchemaRegistry::get_all_schemas()) {
            all.insert(schema.Name());
        }
        return all;
    }();
    std::vector<SupportedOperator> rows;
    rows.reserve(names.size());
    for (const std::string& name : names) {
        rows.push_back({.name = name, .support = Support::Exact, .form = name});
    }
    return rows;
}

} // namespace

const Framework& onnxFramework()
{
    static const Framework table{.format = "onnx",
                                 .translate = nullptr,
                                 .inferInputs = nullptr,
                                 .operators = operators,
                                 .convertWhole = convertOnnx,
                                 .typesOfUnchanged = typesOfFile,
                                 .states = [](const Graph& graph) { return statesIn(graph.metadata); }};
    return table;
}

} // namespace crosswalk
