#pragma once

#include "core/base/zip_archive.h"
#include "core/formats/pytorch/pickle.h"
#include "core/graph/tensor.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace crosswalk::pytorch {

struct SavedTensor {
    Tensor tensor;
    std::string storage; ///< equal for tensors of one file that share memory
};

/// The tensors of an archive of torch.save, whose root is a dictionary of names and tensors, or of the tensor itself,
/// which then has an empty name. Records lie in the archive's folder, "archive/data.pkl" and "archive/data/0".
///
/// Throws ModelError "damaged" for an archive without data.pkl, storages that are missing or too short, and the errors
/// of readPickle.
std::map<std::string, SavedTensor, std::less<>> savedTensors(const std::shared_ptr<const SourceFile>& file);

/// The element type of a storage class, "torch FloatStorage"; Undefined for any other name.
ElementType storageType(std::string_view name);

/// A storage that a pickle refers to.
struct PickledStorage {
    ElementType type = ElementType::Undefined;
    std::string key;
    std::int64_t offset = 0; ///< elements before the first one, of a view of a storage
    std::string device = {}; ///< "cpu", "cuda:0"
};
/// Nothing for a value that is not the reference to a storage.
std::optional<PickledStorage> storageIn(const PickleValue& value);

/// The tensor of a pickled `_rebuild_tensor_v2` or `_rebuild_parameter`, or the integers of a `_rebuild_qtensor`;
/// nothing for any other value. `open` returns the storage of a key.
using OpenStorage = std::function<std::shared_ptr<const SourceFile>(const std::string& key)>;
std::optional<Tensor> tensorIn(const PickleValue& value, const OpenStorage& open, std::string_view name);
/// The type of a pickled tensor, without opening its storage; nothing for any other value.
std::optional<TensorType> tensorTypeIn(const PickleValue& value);
/// Whether the strides of a pickled tensor are those of a new one.
bool isRowMajor(const PickleValue& value);
/// The device on which a pickled tensor was when it was saved, "cpu" or "cuda:0"; empty for any other value.
std::string deviceOf(const PickleValue& value);
/// The storage and the view of a pickled tensor as a text, equal for tensors with the same elements.
std::string tensorKey(const PickleValue& value);

} // namespace crosswalk::pytorch
