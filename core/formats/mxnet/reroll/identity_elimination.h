#pragma once

#include "core/formats/mxnet/reroll/rewriting.h"

namespace crosswalk::mxnet {

/// Lets the results of nodes that do nothing at inference (dropout, masks of ones) be what they were given.
void eliminateIdentities(Rewriting& graph);

} // namespace crosswalk::mxnet
