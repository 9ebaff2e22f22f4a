#pragma once

#include "core/collection/model_outcome.h"

#include <nlohmann/json.hpp>

namespace crosswalk {

using Json = nlohmann::ordered_json;

Json toJson(const ModelOutcome& outcome);
/// Throws ModelError "damaged" for JSON that is no outcome.
ModelOutcome outcomeFromJson(const Json& json);
/// The problems of `convert --json`, `diagnose --json` and of reports. Throws Json::exception.
std::vector<ReportedProblem> problemsFromJson(const Json& json);

/// JSON as text. Bytes that are no UTF-8 become U+FFFD.
std::string textOf(const Json& json, int indent);

} // namespace crosswalk
