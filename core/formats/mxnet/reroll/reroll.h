#pragma once

#include "core/convert/framework.h"

namespace crosswalk::mxnet {

/// Puts one RNN in the place of every run of equal steps that is an LSTM, a GRU or a plain RNN, recognised by what
/// its nodes compute, never by their names. Whatever else the graph holds stays, and what reads the steps one by one or
/// all together reads them from the RNN. Says of each run what became of it: "rerolled", or "not-rerolled" with the
/// reason.
RewrittenGraph reroll(const Graph& source);

} // namespace crosswalk::mxnet
