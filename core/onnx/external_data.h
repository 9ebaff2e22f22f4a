#pragma once

#include "core/base/model_source.h"
#include "core/graph/tensor.h"
#include "core/onnx/proto.h"

#include <map>
#include <memory>

namespace crosswalk {

/// The files beside a model that hold elements of its tensors. Each is mapped once.
class ExternalData {
public:
    /// The source must outlive this.
    explicit ExternalData(const ModelSource& source)
        : m_source(source)
    {
    }

    /// Content of a stub that says that it lies elsewhere. Throws ModelError "damaged" for a path that leads out of the
    /// folder or nonsense in the stub, "truncated" where the file is too short, "unreadable" where it is not there.
    Tensor tensor(const ::onnx::TensorProto& stub);

private:
    const std::shared_ptr<const SourceFile>& open(const std::string& location, const std::string& tensorName);

    const ModelSource& m_source;
    std::map<std::string, std::shared_ptr<const SourceFile>> m_files; ///< by location
};

} // namespace crosswalk
