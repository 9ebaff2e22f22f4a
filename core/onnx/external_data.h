#pragma once

#include "core/graph/tensor.h"
#include "core/onnx/proto.h"

#include <filesystem>
#include <map>
#include <memory>

namespace crosswalk {

/// The files beside a model that hold elements of its tensors. Each is mapped once.
class ExternalData {
public:
    /// `folder` is the model's.
    explicit ExternalData(std::filesystem::path folder)
        : m_folder(std::move(folder))
    {
    }

    /// Content of a stub that says that it lies elsewhere. Throws ModelError "damaged" for a path that leads out of the
    /// folder or nonsense in the stub, "truncated" where the file is too short, "unreadable" where it is not there.
    Tensor tensor(const ::onnx::TensorProto& stub);

private:
    const std::shared_ptr<const MappedFile>& open(const std::string& location, const std::string& tensorName);

    std::filesystem::path m_folder;
    std::map<std::string, std::shared_ptr<const MappedFile>> m_files; ///< by location
};

} // namespace crosswalk
