#pragma once

#include "core/formats/pytorch/torchscript/interpreter.h"

namespace crosswalk::pytorch {

/// The same as loadObjects for archives of PyTorch 1.0 to 1.3, whose modules and tensors `model.json` describes.
/// Format: torch.proto of these versions of PyTorch.
ObjectRef loadLegacyObjects(ScriptProgram& program, Interpreter& interpreter);

} // namespace crosswalk::pytorch
