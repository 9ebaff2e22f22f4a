#include "core/formats/keras/keras1_dialect.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace crosswalk::keras {
namespace {

struct Renaming {
    std::string_view from;
    std::string_view to;
};

constexpr auto classes = std::to_array<Renaming>({
    {"Convolution1D", "Conv1D"},
    {"Convolution2D", "Conv2D"},
    {"Convolution3D", "Conv3D"},
    {"AtrousConvolution1D", "Conv1D"},
    {"AtrousConvolution2D", "Conv2D"},
    {"AtrousConv1D", "Conv1D"},
    {"AtrousConv2D", "Conv2D"},
    {"Deconvolution2D", "Conv2DTranspose"},
    {"Deconv2D", "Conv2DTranspose"},
    {"SeparableConvolution2D", "SeparableConv2D"},
    {"TimeDistributedDense", "Dense"},
});

constexpr auto settings = std::to_array<Renaming>({
    {"output_dim", "units"},
    {"nb_filter", "filters"},
    {"filter_length", "kernel_size"},
    {"subsample", "strides"},
    {"subsample_length", "strides"},
    {"border_mode", "padding"},
    {"bias", "use_bias"},
    {"inner_activation", "recurrent_activation"},
    {"atrous_rate", "dilation_rate"},
    {"pool_length", "pool_size"},
    {"stride", "strides"},
    {"p", "rate"},
    {"input_dtype", "dtype"},
});

/// Sizes that Keras 1 has as one setting for each axis.
void joinSizes(ConfigValue& config, std::string_view to, std::initializer_list<const char*> from)
{
    ConfigList sizes;
    for (const char* key : from) {
        if (const ConfigValue* size = config.find(key)) {
            sizes.push_back(*size);
        }
    }
    if (sizes.size() == from.size()) {
        for (const char* key : from) {
            config.erase(key);
        }
        config.set(to, std::move(sizes));
    }
}

} // namespace

void translateKeras1(std::string& className, ConfigValue& config)
{
    const bool isEmbedding = className == "Embedding"; // its output_dim keeps the name
    for (const Renaming& renaming : settings) {
        if (config.find(renaming.to) == nullptr && !(isEmbedding && renaming.to == "units")) {
            config.rename(renaming.from, std::string(renaming.to));
        }
    }
    joinSizes(config, "kernel_size", {"nb_row", "nb_col"});
    joinSizes(config, "kernel_size", {"kernel_dim1", "kernel_dim2", "kernel_dim3"});
    if (const ConfigValue* ordering = config.find("dim_ordering")) {
        const bool isFirst = textOf(*ordering) == "th";
        config.erase("dim_ordering");
        config.set("data_format", std::string(isFirst ? "channels_first" : "channels_last"));
    }
    if (className == "UpSampling1D") {
        config.rename("length", "size");
    }
    if (className == "LSTM" || className == "GRU" || className == "SimpleRNN") {
        config.set("use_bias", true);
    }
    const auto* found = std::ranges::find(classes, className, &Renaming::from);
    if (found != classes.end()) {
        className = found->to;
    }
}

} // namespace crosswalk::keras
