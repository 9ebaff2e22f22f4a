#pragma once

#include "ui/controllers/controller.h"
#include "ui/document/document.h"

#include <string>

namespace crosswalk::ui {

class DockController;

/// Operators that are not converted: maps them to operators of the user's runtime.
class UnknownOperators final : public Controller {
    Q_OBJECT
public:
    UnknownOperators(const WindowParts& parts, DockController& docks);

private:
    /// The first operator of the selected nodes, or of nodes in their bodies, that is unsupported or already mapped;
    /// empty if there is none.
    std::string selectedOperator() const;
    void ask(const std::string& op);
};

} // namespace crosswalk::ui
