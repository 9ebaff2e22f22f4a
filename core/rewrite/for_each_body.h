#pragma once

#include "core/rewrite/optimize.h"

#include <functional>

namespace crosswalk {

/// Calls a pass for each body, a body before those inside it. The types that a body states are added to those of the
/// graphs around it, and those of the same names are restored afterwards.
void forEachBody(RewrittenModel model, const std::function<void(const RewrittenModel& body)>& pass);

} // namespace crosswalk
