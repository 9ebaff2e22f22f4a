#include "core/convert/framework.h"

#include "core/formats/mxnet/mxnet_framework.h"
#include "core/formats/onnx/onnx_framework.h"
#include "core/formats/tensorflow/tensorflow_framework.h"

#include <array>

namespace crosswalk {

std::string_view supportName(Support support)
{
    switch (support) {
    case Support::Exact:
        return "exact";
    case Support::ExactWithStrategy:
        return "exact with a strategy";
    case Support::Approximate:
        return "approximate";
    case Support::TrainingOnly:
        return "training only";
    case Support::NotSupported:
        break;
    }
    return "not supported";
}

std::span<const Framework* const> frameworks()
{
    static const std::array<const Framework*, 3> all = {
        &mxnet::framework(),
        &onnxFramework(),
        &tensorflow::framework(),
    };
    return all;
}

const Framework* findFramework(std::string_view format)
{
    for (const Framework* framework : frameworks()) {
        if (framework->format == format) {
            return framework;
        }
    }
    return nullptr;
}

} // namespace crosswalk
