#pragma once

#include "ui/controllers/controller.h"
#include "ui/document/document.h"

#include <set>
#include <string>
#include <vector>

namespace crosswalk::ui {

class DockController;
class GraphPanes;

/// Reports over the graphs on what a conversion lacks, on its failure, and on the effects of edited inputs.
class ConversionReports final : public Controller {
    Q_OBJECT
public:
    ConversionReports(const WindowParts& parts, GraphPanes& panes, DockController& docks);

private:
    void reportUnknownShapes();
    void reportMissingWeights();
    /// Changed nodes downstream, and the first conflict.
    void reportEditedInputs();
    void reportCancelled();
    /// Options for inputs, outputs and nodes that a model no longer has.
    void reportDropped(const std::set<std::string>& names);
    void reportFailed(const Diagnostic& problem);

    GraphPanes& m_panes;
    DockController& m_docks;
    std::vector<Diagnostic> m_problemsBefore; ///< of the previous conversion
};

} // namespace crosswalk::ui
