#pragma once

#include "core/formats/keras/ops/layer.h"

namespace crosswalk::keras {

/// Whether a layer is called with training=True, which holds at inference, too. Keras 3 infers with False whatever the
/// argument of the call is.
bool isTraining(const Layer& layer);

/// Throws for a call of a layer with an argument that its translation does not heed, or with training=True where that
/// makes the results random. Notes what Keras 3 computes with training=True only outside of predict().
void checkCall(const Layer& layer);

} // namespace crosswalk::keras
