#include "core/formats/format_reader.h"
#include "core/formats/keras/keras_operator_info.h"
#include "core/formats/keras/keras_reader.h"
#include "core/formats/mxnet/mxnet_file_kind.h"
#include "core/formats/mxnet/mxnet_operator_info.h"
#include "core/formats/mxnet/symbol_reader.h"
#include "core/formats/onnx/onnx_operator_info.h"
#include "core/formats/onnx/onnx_reader.h"
#include "core/formats/pytorch/pytorch_file_kind.h"
#include "core/formats/pytorch/pytorch_operator_info.h"
#include "core/formats/pytorch/pytorch_reader.h"
#include "core/formats/tensorflow/tensorflow_file_kind.h"
#include "core/formats/tensorflow/tensorflow_operator_info.h"
#include "core/formats/tensorflow/tensorflow_reader.h"

#include <array>

namespace crosswalk {

std::span<const FormatReader> formatReaders()
{
    static constexpr auto readers = std::to_array<FormatReader>({
        {.format = "mxnet",
         .name = "Apache MXNet",
         .match = mxnet::matchSymbol,
         .read = mxnet::readSymbol,
         .operators = mxnet::operatorInfo,
         .files = "*.json",
         .modelFiles = "*-symbol.json",
         .weights = "*.params *.npz",
         .mainFile = "model-symbol.json",
         .stemEnding = "-symbol",
         .recogniseKind = mxnet::recogniseKind,
         .guessKind = mxnet::guessKind},
        {.format = "onnx",
         .name = "ONNX",
         .match = matchOnnx,
         .read = readOnnx,
         .operators = onnxOperatorInfo,
         .files = "*.onnx *.pb",
         .modelFiles = "*.onnx"},
        {.format = "tensorflow",
         .name = "TensorFlow",
         .match = tensorflow::matchTensorflow,
         .read = tensorflow::readTensorflow,
         .operators = tensorflow::operatorInfo,
         .files = "*.pb *.pbtxt *.meta",
         .modelFiles = "*.pb *.meta",
         .weights = "*.index *.data-*-of-*",
         .recogniseKind = tensorflow::recogniseKind},
        {.format = "keras",
         .name = "Keras",
         .match = keras::matchKeras,
         .read = keras::readKeras,
         .operators = keras::operatorInfo,
         .files = "*.h5 *.hdf5 *.keras *.json",
         .modelFiles = "*.h5 *.hdf5 *.keras",
         .weights = "*.h5 *.hdf5",
         .hasOnlyWeights = keras::hasOnlyWeights},
        {.format = "pytorch",
         .name = "PyTorch",
         .match = pytorch::matchPytorch,
         .read = pytorch::readPytorch,
         .operators = pytorch::operatorInfo,
         .files = "*.pt *.pth *.ptl *.pt2",
         .modelFiles = "*.pt *.pth *.ptl *.pt2",
         .recogniseKind = pytorch::recogniseKind},
    });
    return readers;
}

} // namespace crosswalk
