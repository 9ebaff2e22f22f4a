#pragma once

#include "core/formats/keras/config_value.h"
#include "core/graph/element_type.h"

#include <cstdint>
#include <optional>
#include <string>

namespace crosswalk::keras {

/// The types of a layer by the name of their policy: "mixed_float16", "int8_from_float32", "int4/128_from_bfloat16",
/// "gptq/4/128_from_float32" (bits and block).
struct DtypePolicy {
    std::string mode;        ///< of quantization: "int8", "int4", "float8", "gptq", "awq"; empty without
    std::int64_t block = -1; ///< weights of int4 in a row that share a scale; -1: all
    std::int64_t bits = 0;   ///< of a weight of gptq and awq; 0 if the name does not state it
    std::string source;      ///< the name without the quantization
};

/// Instead of the name of a policy that cannot be determined.
inline constexpr const char* unknownPolicy = "policy_map";

DtypePolicy dtypePolicy(const std::string& name);

/// The name of a type or policy, "float32" or "mixed_float16", from any of its spellings; empty for none. A policy that
/// the file leaves to the settings of the process is float32, their default.
std::string typeName(const ConfigValue* value);

/// The type of a name, "float32" or "bfloat16"; nothing for a name that is none.
std::optional<ElementType> typeOfName(const std::string& name);
/// The type of an array in a configuration: that of its name, but 32 bits in place of 64, as in Keras's backend JAX.
std::optional<ElementType> typeOfArray(const std::string& name);

/// The name of the policy of a part of an attention layer, "query_dense", by the settings of the layer.
std::string partPolicy(const ConfigValue& config, const std::string& part);
/// The name of a part in paths, "query" for "query_dense".
std::string partName(const std::string& part);

/// Whether the value is a DTypePolicyMap, which has policies by the paths of layers.
bool isPolicyMap(const ConfigValue& value);
/// The name of the policy that a DTypePolicyMap has for a path: that of the key that equals it, else of the only key
/// that matches it as a regular expression, else the default; nothing if that cannot be determined.
std::optional<std::string> policyAt(const ConfigValue& map, const std::string& path);

} // namespace crosswalk::keras
