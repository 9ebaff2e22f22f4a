#include "core/formats/keras/weight_conversions.h"

#include "core/formats/keras/dtype_policy.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

/// The elements of a tensor in another order: element i of the result is element source(i).
template <class Source>
Tensor rearranged(const Tensor& tensor, Ints dims, Source source)
{
    const std::vector<std::byte> in = tensor.toBytes();
    std::vector<std::byte> out(in.size());
    const std::size_t each = byteSize(tensor.type());
    for (std::size_t i = 0; i * each < out.size(); ++i) {
        std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(source(i) * each), each,
                    out.begin() + static_cast<std::ptrdiff_t>(i * each));
    }
    return Tensor::owned(tensor.type(), std::move(dims), std::move(out));
}

/// A kernel (k..., in, out) turned by 180 degrees along its spatial axes: these are the outer ones, so that their
/// positions together are reversed.
Tensor turned(const Tensor& kernel)
{
    if (kernel.rank() < 3 || kernel.elements() == 0) {
        return kernel;
    }
    const auto inner = static_cast<std::size_t>(kernel.dims()[kernel.rank() - 2] * kernel.dims()[kernel.rank() - 1]);
    const std::size_t positions = static_cast<std::size_t>(kernel.elements()) / inner;
    return rearranged(kernel, kernel.dims(),
                      [&](std::size_t i) { return (positions - 1 - i / inner) * inner + i % inner; });
}

void turnKernels(const LayerConfig& layer, LayerWeights& weights)
{
    constexpr auto classes =
        std::to_array<std::string_view>({"Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose", "ConvLSTM2D"});
    if (std::ranges::find(classes, layer.className) == classes.end()) {
        return;
    }
    for (LayerWeight& weight : weights) {
        if (weight.tensor && (weight.spec.name == "kernel" || weight.spec.name == "recurrent_kernel")) {
            weight.tensor = turned(*weight.tensor);
        }
    }
}

/// A kernel of Theano's order (out, in, k...) as (k..., in, out).
Tensor inOrderOfTensorflow(const Tensor& kernel)
{
    const auto out = static_cast<std::size_t>(kernel.dims()[0]);
    const auto in = static_cast<std::size_t>(kernel.dims()[1]);
    Ints dims(kernel.dims().begin() + 2, kernel.dims().end());
    dims.insert(dims.end(), {kernel.dims()[1], kernel.dims()[0]});
    const std::size_t positions = out * in == 0 ? 0 : static_cast<std::size_t>(kernel.elements()) / (out * in);
    return rearranged(kernel, std::move(dims), [&](std::size_t i) {
        const std::size_t position = i / (in * out);
        return (i % out * in + i / out % in) * positions + position;
    });
}

/// Keras 1 stores the kernels of layers whose channels are first in the order of Theano.
void reorderKernels(const LayerConfig& layer, LayerWeights& weights)
{
    constexpr auto classes =
        std::to_array<std::string_view>({"Conv2D", "Conv3D", "Conv2DTranspose", "SeparableConv2D"});
    const ConfigValue* wrapped = layer.className == "TimeDistributed" ? layer.config.find("layer") : nullptr;
    const std::string className = wrapped != nullptr ? wrapped->text("class_name") : layer.className;
    const ConfigValue* config = wrapped != nullptr ? wrapped->find("config") : &layer.config;
    if (std::ranges::find(classes, className) == classes.end() || config == nullptr ||
        config->text("data_format") != "channels_first") {
        return;
    }
    for (LayerWeight& weight : weights) {
        if (weight.tensor && weight.tensor->rank() >= 4 && weight.spec.name.ends_with("kernel")) {
            weight.tensor = inOrderOfTensorflow(*weight.tensor);
        }
    }
}

/// A matrix (rows, gates * units): of each gate, `source` gives the place in the block of that gate (rows, units).
template <class Source>
Tensor rearrangedGates(const Tensor& matrix, std::size_t gates, Source source)
{
    const auto rows = static_cast<std::size_t>(matrix.dims()[0]);
    const auto columns = static_cast<std::size_t>(matrix.dims()[1]);
    const std::size_t units = columns / gates;
    return rearranged(matrix, matrix.dims(), [&](std::size_t i) {
        const std::size_t column = i % columns;
        const std::size_t from = source(i / columns, column % units, rows, units); // in the block of the gate
        return from / units * columns + column / units * units + from % units;
    });
}

Tensor summedHalves(const Tensor& bias)
{
    const std::vector<double> all = bias.toDoubles();
    std::vector<float> sums(all.size() / 2);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] = static_cast<float>(all[i]) + static_cast<float>(all[i + sums.size()]);
    }
    return Tensor::of<float>(ElementType::Float32, {static_cast<std::int64_t>(sums.size())}, sums);
}

/// Weights of cuDNN as those of a plain layer, which has the same gates in the same order: cuDNN's matrices are packed
/// column by column, and it has a bias for the input and one for the recurrence.
void unpackCudnn(std::size_t gates, LayerWeight& kernel, LayerWeight& recurrent, LayerWeight& bias)
{
    kernel.tensor =
        rearrangedGates(*kernel.tensor, gates, [](std::size_t row, std::size_t column, std::size_t rows, std::size_t) {
            return row + rows * column;
        });
    recurrent.tensor = rearrangedGates(
        *recurrent.tensor, gates,
        [](std::size_t row, std::size_t column, std::size_t, std::size_t units) { return column * units + row; });
    bias.tensor = gates == 4 ? summedHalves(*bias.tensor) : bias.tensor->reshaped({2, bias.tensor->elements() / 2});
}

/// The gates of a recurrent layer's class; 0 for any other.
std::size_t gatesOf(std::string_view className)
{
    return className == "LSTM" || className == "CuDNNLSTM" ? 4 : className == "GRU" || className == "CuDNNGRU" ? 3 : 0;
}

/// Three weights of one recurrent layer that have the shapes of cuDNN: a bias of rank 1 with twice the gates.
void unpackWhereCudnn(std::size_t gates, std::span<LayerWeight> weights)
{
    if (gates == 0 || weights.size() != 3 ||
        std::ranges::any_of(weights, [](const LayerWeight& weight) { return !weight.tensor; })) {
        return;
    }
    const auto& kernel = weights[0].tensor->dims();
    const auto& recurrent = weights[1].tensor->dims();
    const auto& bias = weights[2].tensor->dims();
    if (kernel.size() != 2 || recurrent.size() != 2 || bias.size() != 1) {
        return;
    }
    const auto columns = static_cast<std::int64_t>(gates) * recurrent[0];
    if (kernel[1] == columns && recurrent[1] == columns && bias[0] == 2 * columns) {
        unpackCudnn(gates, weights[0], weights[1], weights[2]);
    }
}

std::string nestedClass(const ConfigValue& config, std::string_view key)
{
    const ConfigValue* layer = config.find(key);
    return layer != nullptr ? layer->text("class_name") : std::string();
}

void unpackRecurrent(const LayerConfig& layer, LayerWeights& weights)
{
    const std::size_t gates = gatesOf(layer.className);
    if (gates > 0) {
        unpackWhereCudnn(gates, weights);
    } else if (layer.className == "Bidirectional" && weights.size() == 6) {
        unpackWhereCudnn(gatesOf(nestedClass(layer.config, "layer")), std::span(weights).first(3));
        unpackWhereCudnn(gatesOf(nestedClass(layer.config, "layer")), std::span(weights).last(3));
    }
}

/// Two numbers of four bits in each byte, the lower half first, along the last axis or the first one, as bytes. They
/// have a sign if the bytes have one.
Tensor unpackedHalves(const Tensor& packed, bool isAlongLast, std::int64_t length)
{
    const bool isSigned = packed.type() == ElementType::Int8;
    const std::vector<std::byte> in = packed.toBytes();
    const auto rows = static_cast<std::size_t>(packed.dims()[0]);
    const auto columns = static_cast<std::size_t>(packed.dims()[1]);
    const auto wanted = static_cast<std::size_t>(length);
    const std::size_t outRows = isAlongLast ? rows : wanted;
    const std::size_t outColumns = isAlongLast ? wanted : columns;
    std::vector<std::byte> out(outRows * outColumns);
    for (std::size_t row = 0; row < outRows; ++row) {
        for (std::size_t column = 0; column < outColumns; ++column) {
            const std::size_t place = isAlongLast ? column : row;
            const std::size_t source = isAlongLast ? row * columns + column / 2 : row / 2 * columns + column;
            const auto both = std::to_integer<unsigned>(in[source]);
            const unsigned half = place % 2 == 0 ? both & 15U : both >> 4U;
            out[row * outColumns + column] = static_cast<std::byte>(isSigned ? (half ^ 8U) - 8U : half);
        }
    }
    return Tensor::owned(packed.type(), {static_cast<std::int64_t>(outRows), static_cast<std::int64_t>(outColumns)},
                         std::move(out));
}

/// Unpacks a matrix of four bits whose axis has the length; one of another shape is wrong and stays as it is.
void unpack(LayerWeight& weight, bool isAlongLast, std::int64_t length)
{
    const auto& packed = weight.tensor;
    const bool isOfBytes = packed && (packed->type() == ElementType::Int8 || packed->type() == ElementType::UInt8);
    if (isOfBytes && packed->rank() == 2 && packed->dims()[isAlongLast ? 1 : 0] == (length + 1) / 2) {
        weight.tensor = unpackedHalves(*packed, isAlongLast, length);
    }
}

/// The policy of a weight's owner.
DtypePolicy policyOf(const LayerConfig& layer, const WeightSpec& spec)
{
    return dtypePolicy(spec.owner.empty() ? layer.config.text("dtype") : partPolicy(layer.config, spec.owner));
}

void unpackQuantized(const LayerConfig& layer, LayerWeights& weights)
{
    const ConfigValue* setting = layer.config.find("output_dim");
    const std::int64_t features = setting != nullptr ? integerOf(*setting).value_or(0) : 0; // of an embedding
    for (LayerWeight& weight : weights) {
        const DtypePolicy policy = policyOf(layer, weight.spec);
        const bool isCalibrated = policy.mode == "gptq" || policy.mode == "awq";
        if (policy.mode != "int4" && !(isCalibrated && policy.bits == 4)) {
            continue;
        }
        if (weight.spec.name == "kernel") { // whose columns, or rows where it is calibrated, have a scale each
            const auto scale = std::ranges::find_if(weights, [&](const LayerWeight& other) {
                return other.spec.owner == weight.spec.owner && other.spec.name == "kernel_scale";
            });
            if (scale != weights.end() && scale->tensor && scale->tensor->rank() > 0) {
                const auto& dims = scale->tensor->dims();
                unpack(weight, !isCalibrated, isCalibrated ? dims.front() : dims.back());
            }
        } else if (features > 0 && weight.spec.name == "embeddings") {
            unpack(weight, true, features);
        } else if (features > 0 && weight.spec.name == "reverse_embeddings") {
            unpack(weight, false, features);
        }
    }
}

} // namespace

void convertWeights(const Dialect& dialect, WeightsByLayer& weights)
{
    for (auto& [layer, list] : weights) {
        if (dialect.major == 2 && dialect.backend == "theano") {
            turnKernels(*layer, list);
        }
        if (dialect.major == 1) {
            reorderKernels(*layer, list);
        }
        unpackRecurrent(*layer, list);
        unpackQuantized(*layer, list);
    }
}

} // namespace crosswalk::keras
