#pragma once

#include "core/formats/pytorch/pickle.h"
#include "core/graph/tensor.h"

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace crosswalk {
class SourceFile;
}

namespace crosswalk::pytorch {

/// The tensor of a pickled value; nothing for any other value. `name` is for messages.
using FindTensor = std::function<std::optional<Tensor>(const PickleValue& value, std::string_view name)>;

/// The object of a file of torch.save, and how to find the tensors in it.
struct SavedObject {
    Pickle pickle;
    FindTensor tensor;
};

/// Whether the file is one stream of pickles and storages, as PyTorch 0.1.10 to 1.5 writes it.
bool isSavedStream(std::string_view head);
/// Whether the file is a tar archive with the members of PyTorch before 0.1.10: pickle, storages and tensors.
bool isSavedTar(std::string_view head);

/// Both throw ModelError "damaged" and "truncated", with the offset or the tensor, and "unsupported-version" for a
/// stream of a big-endian machine. Nothing is executed, and the tensors are read from where they lie in the file.
SavedObject readSavedStream(const std::shared_ptr<const SourceFile>& file);
SavedObject readSavedTar(const std::shared_ptr<const SourceFile>& file);

} // namespace crosswalk::pytorch
