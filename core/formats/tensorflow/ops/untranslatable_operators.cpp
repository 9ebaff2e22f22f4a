#include "core/formats/tensorflow/ops/untranslatable_operators.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

struct Reason {
    std::string_view part; ///< of the operator's name; at its beginning where it starts with ^
    std::string_view reason;
    std::string_view hint;
};

constexpr auto reasons = std::to_array<Reason>({
    {"HashTable", "is a lookup table, which is filled outside of the graph", "look the keys up outside of the model"},
    {"^LookupTable", "reads a lookup table, which is filled outside of the graph",
     "look the keys up outside of the model"},
    {"^InitializeTable", "fills a lookup table, which ONNX does not have", "look the keys up outside of the model"},
    {"PyFunc", "calls a Python function, which the file does not contain",
     "express the function with operators of TensorFlow and save the model again"},
    {"^XlaCallModule", "calls a StableHLO module",
     "save the model with operators of TensorFlow (jax2tf: native_serialization=False)"},
    {"Xla", "calls code that XLA compiles", "save the model without jit_compile"},
    {"TPU", "runs on a TPU", "save the model for a CPU"},
    {"Dataset", "belongs to an input pipeline", "select outputs that do not depend on it with --outputs"},
    {"Iterator", "belongs to an input pipeline", "select outputs that do not depend on it with --outputs"},
});

bool applies(const Reason& reason, std::string_view op)
{
    return reason.part.starts_with('^') ? op.starts_with(reason.part.substr(1))
                                        : op.find(reason.part) != std::string_view::npos;
}

} // namespace

Untranslatable whyUntranslatable(std::string_view op)
{
    const std::string options =
        fmt::format("--partial keeps it as a gap, --custom-op {}=DOMAIN:NAME maps it to your own operator", op);
    const auto* found =
        std::find_if(reasons.begin(), reasons.end(), [&](const Reason& reason) { return applies(reason, op); });
    if (found == reasons.end()) {
        return {fmt::format("operator {} has no translation", op), options};
    }
    return {fmt::format("operator {} {}", op, found->reason), fmt::format("{}; {}", found->hint, options)};
}

} // namespace crosswalk::tensorflow
