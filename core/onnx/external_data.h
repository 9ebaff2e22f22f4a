#pragma once

#include "core/base/model_source.h"
#include "core/graph/tensor.h"
#include "core/onnx/proto.h"

#include <map>
#include <memory>
#include <string>

namespace crosswalk {

/// The external data files of a model. Each file is mapped once.
class ExternalData {
public:
    /// The source must outlive this.
    explicit ExternalData(const ModelSource& source)
        : m_source(source)
    {
    }

    /// Content of a tensor with external data. Throws ModelError "damaged" for a path that leads out of the folder or
    /// an invalid entry, "truncated" if the file is too short, "unreadable" if it does not exist.
    Tensor tensor(const ::onnx::TensorProto& stub);

private:
    const std::shared_ptr<const SourceFile>& open(const std::string& location, const std::string& tensorName);

    const ModelSource& m_source;
    std::map<std::string, std::shared_ptr<const SourceFile>> m_files; ///< by location
};

} // namespace crosswalk
