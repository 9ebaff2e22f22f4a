#include "core/formats/format_reader.h"
#include "core/formats/mxnet/symbol_reader.h"
#include "core/formats/onnx/onnx_reader.h"
#include "core/formats/tensorflow/tensorflow_reader.h"

#include <array>

namespace crosswalk {

std::span<const FormatReader> formatReaders()
{
    static constexpr auto readers = std::to_array<FormatReader>({
        {"Apache MXNet", mxnet::matchSymbol, mxnet::readSymbol, "*.json", "*.params *.npz"},
        {"ONNX", matchOnnx, readOnnx, "*.onnx *.pb"},
        {"TensorFlow", tensorflow::matchTensorflow, tensorflow::readTensorflow, "*.pb *.pbtxt *.meta",
         "*.index *.data-*-of-*"},
    });
    return readers;
}

} // namespace crosswalk
