#pragma once

#include "core/collection/model_outcome.h"

#include <cstdint>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace crosswalk {

using Json = nlohmann::ordered_json;

Json toJson(const ModelOutcome& outcome);
/// Throws ModelError "damaged" for JSON that is no outcome.
ModelOutcome outcomeFromJson(const Json& json);
/// The problems of `convert --json`, `diagnose --json` and of reports. Throws Json::exception.
std::vector<ReportedProblem> problemsFromJson(const Json& json);

/// The count that an object has at `key`, 0 without it. Throws ModelError "damaged" for anything but a whole number
/// from 0 on.
std::uint64_t countAt(const Json& json, const char* key);

/// JSON as text. Bytes that are no UTF-8 become U+FFFD.
std::string textOf(const Json& json, int indent);

} // namespace crosswalk
