#include "core/convert/framework.h"
#include "core/formats/keras/keras_framework.h"
#include "core/formats/mxnet/mxnet_framework.h"
#include "core/formats/onnx/onnx_framework.h"
#include "core/formats/pytorch/pytorch_framework.h"
#include "core/formats/tensorflow/tensorflow_framework.h"

#include <array>

namespace crosswalk {

std::span<const Framework* const> frameworks()
{
    // The first one is the default of `crosswalk ops`.
    static const std::array<const Framework*, 5> all = {
        &mxnet::framework(), &onnxFramework(), &keras::framework(), &pytorch::framework(), &tensorflow::framework(),
    };
    return all;
}

} // namespace crosswalk
