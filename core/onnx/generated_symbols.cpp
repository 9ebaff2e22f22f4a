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

namespace {

bool isInvented(const std::string& symbol, const std::set<std::string>& stated)
{
    return isGeneratedSymbol(symbol) && !stated.contains(symbol);
}

} // namespace

void removeGeneratedSymbols(::onnx::GraphProto& inferred, const ::onnx::GraphProto& original)
{
    const std::set<std::string> stated = statedSymbols(original);
    for (auto* infos : {inferred.mutable_input(), inferred.mutable_output(), inferred.mutable_value_info()}) {
        for (auto& info : *infos) {
            if (!info.type().tensor_type().has_shape()) {
                continue;
            }
            for (auto& dim : *info.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) {
                if (isInvented(dim.dim_param(), stated)) {
                    dim.clear_value();
                }
            }
        }
    }
}

TensorType inferredType(const ::onnx::TypeProto& type, const std::set<std::string>& stated)
{
    TensorType tensor = fromProto(type);
    if (tensor.shape) {
        for (Dim& dim : *tensor.shape) {
            if (isInvented(dim.symbol(), stated)) {
                dim = Dim();
            }
        }
    }
    return tensor;
}

} // namespace crosswalk
