#pragma once

#include "core/convert/node_context.h"

#include <cstdint>
#include <functional>

namespace crosswalk::forms {

/// ONNX's Loop: `step` receives the iteration (int64, rank 0) and the states, and returns the next states, of equal
/// types and shapes. It may use any outer value. Returns the last states.
OnnxValues loop(const NodeContext& ctx, OnnxValue turns, const OnnxValues& states,
                const std::function<OnnxValues(OnnxValue turn, const OnnxValues& states)>& step);

/// ONNX's Scan without states: `step` receives one element of axis 0 of each input and returns the values stacked on
/// axis 0 of the results.
OnnxValues forEach(const NodeContext& ctx, const OnnxValues& inputs,
                   const std::function<OnnxValues(const OnnxValues& elements)>& step);

/// ONNX's Scan along axis 0 of the inputs, with states. Returns the last states, then the stacked outputs.
struct Scanned {
    OnnxValues states;
    OnnxValues stacked;
};
struct ScanStep {
    OnnxValues states;
    OnnxValues stacked;
};
Scanned scan(const NodeContext& ctx, const OnnxValues& states, const OnnxValues& inputs,
             const std::function<ScanStep(const OnnxValues& states, const OnnxValues& elements)>& step);

/// The same along another axis of the inputs and of the outputs, in reverse on demand. An input that is a vector has
/// one element for each step.
struct ScanAxis {
    std::int64_t axis = 0; ///< not negative
    bool isReverse = false;
};
Scanned scanAlong(const NodeContext& ctx, const ScanAxis& along, const OnnxValues& states, const OnnxValues& inputs,
                  const std::function<ScanStep(const OnnxValues& states, const OnnxValues& elements)>& step);
/// The dimensions of x without an axis, as an int64 vector: those of one step's element.
OnnxValue stepShape(const NodeContext& ctx, OnnxValue x, std::int64_t axis);

} // namespace crosswalk::forms
