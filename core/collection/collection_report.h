#pragma once

#include "core/collection/model_outcome.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk {

/// A reason that keeps models from being converted.
struct Gap {
    std::string code;
    std::string op;                  ///< the source operator; empty if the whole file is meant
    std::string message;             ///< of the first model
    std::vector<std::size_t> models; ///< indices of CollectionReport::models, each once
};

/// Models with the same architectureHash().
struct Architecture {
    std::string hash;
    std::vector<std::size_t> models;
};

struct CollectionReport {
    std::vector<ModelOutcome> models; ///< by name
    std::string folder = {};          ///< of the ONNX files, relative to that of the report; empty if they are the same

    std::array<std::size_t, 8> counts() const; ///< by Outcome
    /// By descending number of models that they block, then by code and operator. A model that several gaps block
    /// counts for each.
    std::vector<Gap> gaps() const;
    /// By descending number of models, then by first model.
    std::vector<Architecture> architectures() const;
};

/// The report without files that are only the weights of another of its models.
CollectionReport withoutWeightFiles(CollectionReport report);

/// Puts the reports of parts of a collection together. Of a model that several have, a conversion wins over any other
/// outcome; otherwise the last report.
CollectionReport merged(std::span<const CollectionReport> parts);

std::string reportJson(const CollectionReport& report);
/// Throws ModelError "damaged" for a text that is no report.
CollectionReport reportFromJson(std::string_view text);

} // namespace crosswalk
