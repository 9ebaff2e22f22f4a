#pragma once

#include "crosswalk/crosswalk.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk::app {

/// Parses --shape NAME=2,N,224 options into shapes by name. Throws ModelError "usage" if one is invalid.
using Shapes = decltype(ConvertOptions::shapes);
Shapes parseShapes(const std::vector<std::string>& texts);

/// MODEL [WEIGHTS] and the conversion options that several commands share.
class ModelArguments {
public:
    void addModel(CLI::App& command);
    void addOutputs(CLI::App& command);
    void addSignature(CLI::App& command);
    /// Shapes and types of inputs.
    void addShapes(CLI::App& command);
    /// All options of a conversion, those of addOutputs included.
    void addOptions(CLI::App& command);

    const std::string& model() const { return m_model; }
    const std::string& weights() const { return m_weights; }
    /// Model, weights and options, as arguments of crosswalk-gui.
    std::vector<std::string> asArguments() const;
    std::vector<std::string> optionsAsArguments() const;
    /// The options as given. Throws ModelError "usage" if a value is invalid.
    ConvertOptions options() const;

    /// Opens the model. On failure it reports the problem to the user, returns an empty result, and sets `status` to
    /// the exit status.
    std::optional<Model> read(std::stop_token stop, int& status) const;
    /// Opens and converts the model.
    std::optional<OnnxExport> convert(std::stop_token stop, int& status) const;

private:
    bool isOptimized() const { return m_optimize == "true" || m_optimize == "attention"; }

    std::string m_model;
    std::string m_weights;
    std::string m_signature;
    std::vector<std::string> m_tags;
    std::vector<std::string> m_outputs; ///< lists of names
    std::vector<std::string> m_shapes;
    std::vector<std::string> m_types;
    std::vector<std::string> m_strategies;
    std::vector<std::string> m_customOperators;
    std::vector<std::string> m_renames;
    std::string m_recurrent = "exact";
    std::optional<int> m_opset;
    std::string m_scanOverBatch;
    bool m_reroll = false;
    std::string m_optimize; ///< "true", "attention", "false" or empty
    bool m_allowLarge = false;
};

} // namespace crosswalk::app
