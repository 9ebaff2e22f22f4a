#include "core/onnx/generated_symbols.h"

#include "core/graph/generated_names.h"
#include "core/onnx/proto.h"

namespace crosswalk {

std::set<std::string> statedSymbols(const ::onnx::GraphProto& graph)
{
    std::set<std::string> symbols;
    for (const auto* infos : {&graph.input(), &graph.output(), &graph.value_info()}) {
        for (const auto& info : *infos) {
            for (const auto& dim : info.type().tensor_type().shape().dim()) {
                symbols.insert(dim.dim_param());
            }
        }
    }
    return symbols;
}

void removeGeneratedSymbols(::onnx::GraphProto& inferred, const ::onnx::GraphProto& original)
{
    const std::set<std::string> stated = statedSymbols(original);
    for (auto* infos : {inferred.mutable_input(), inferred.mutable_output(), inferred.mutable_value_info()}) {
        for (auto& info : *infos) {
            if (!info.type().tensor_type().has_shape()) {
                continue;
            }
            for (auto& dim : *info.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) {
                if (isGeneratedSymbol(dim.dim_param()) && !stated.contains(dim.dim_param())) {
                    dim.clear_value();
                }
            }
        }
    }
}

} // namespace crosswalk
