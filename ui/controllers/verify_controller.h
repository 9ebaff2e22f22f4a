#pragma once

#include "ui/controllers/controller.h"
#include "ui/document/document.h"

#include <filesystem>

namespace crosswalk::ui {

class GraphPanes;
class StatusLine;

/// Verification of the export: recorded tensors or the original model, the result, and help if ONNX Runtime is missing.
class VerifyController final : public Controller {
    Q_OBJECT
public:
    VerifyController(const WindowParts& parts, GraphPanes& panes, StatusLine& status);

    void verifyAgainst(const std::filesystem::path& data);
    void report(const Result<NodeCheck>& result);
    /// Where ONNX Runtime is searched for, and how to install it.
    void explainRuntime(const Diagnostic& problem);

private:
    void ask();
    void verifyEquivalence();
    /// Whether a check can run; otherwise shows the reason.
    bool canVerify();
    void reportFailure(const Diagnostic& problem);
    /// The times of strategies were not measured.
    void reportMeasuringFailed(const Diagnostic& problem);
    void askRuntime();
    void restoreRuntime();

    GraphPanes& m_panes;
    StatusLine& m_status;
    std::filesystem::path m_data; ///< recorded tensors that the user chose last
};

} // namespace crosswalk::ui
