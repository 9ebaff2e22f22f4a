#include "tests/bench/resnet50.h"

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace crosswalk::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Parameter {
    std::string name; ///< with MXNet's prefix, arg: or aux:
    std::vector<std::int64_t> dims;
};

/// Builds the network as MXNet's symbol JSON. Nodes are identified by their index.
class Network {
public:
    std::size_t variable(const std::string& name)
    {
        m_arguments.push_back(m_nodes.size());
        m_nodes.push_back({{"op", "null"}, {"name", name}, {"inputs", Json::array()}});
        return m_nodes.size() - 1;
    }
    std::size_t parameter(const std::string& name, std::vector<std::int64_t> dims, const char* prefix = "arg:")
    {
        m_parameters.push_back({prefix + name, std::move(dims)});
        return variable(name);
    }
    std::size_t add(const char* op, const std::string& name, Json attributes, const std::vector<std::size_t>& inputs)
    {
        Json node{{"op", op}, {"name", name}};
        if (!attributes.empty()) {
            node["attrs"] = std::move(attributes);
        }
        node["inputs"] = Json::array();
        for (const std::size_t input : inputs) {
            node["inputs"].push_back({input, 0, 0});
        }
        m_nodes.push_back(std::move(node));
        return m_nodes.size() - 1;
    }

    std::size_t convolution(std::size_t input, const std::string& name, int in, int out, int kernel, int stride)
    {
        const auto pair = [](int n) { return "(" + std::to_string(n) + ", " + std::to_string(n) + ")"; };
        const auto weight = parameter(name + "_weight", {out, in, kernel, kernel});
        return add("Convolution", name,
                   {{"dilate", pair(1)},
                    {"kernel", pair(kernel)},
                    {"no_bias", "True"},
                    {"num_filter", std::to_string(out)},
                    {"num_group", "1"},
                    {"pad", pair(kernel / 2)},
                    {"stride", pair(stride)}},
                   {input, weight});
    }
    std::size_t batchNorm(std::size_t input, const std::string& name, int channels)
    {
        const auto gamma = parameter(name + "_gamma", {channels});
        const auto beta = parameter(name + "_beta", {channels});
        const auto mean = parameter(name + "_running_mean", {channels}, "aux:");
        const auto variance = parameter(name + "_running_var", {channels}, "aux:");
        return add("BatchNorm", name,
                   {{"axis", "1"},
                    {"eps", "1e-05"},
                    {"fix_gamma", "False"},
                    {"momentum", "0.9"},
                    {"use_global_stats", "False"}},
                   {input, gamma, beta, mean, variance});
    }
    std::size_t relu(std::size_t input, const std::string& name)
    {
        return add("Activation", name, {{"act_type", "relu"}}, {input});
    }
    std::size_t bottleneck(std::size_t input, const std::string& name, int in, int out, int stride);

    std::string json() const;
    const std::vector<Parameter>& parameters() const { return m_parameters; }

private:
    Json m_nodes = Json::array();
    std::vector<std::size_t> m_arguments;
    std::vector<Parameter> m_parameters;
};

std::size_t Network::bottleneck(std::size_t input, const std::string& name, int in, int out, int stride)
{
    const int middle = out / 4;
    auto x = relu(batchNorm(convolution(input, name + "_conv0", in, middle, 1, stride), name + "_bn0", middle),
                  name + "_relu0");
    x = relu(batchNorm(convolution(x, name + "_conv1", middle, middle, 3, 1), name + "_bn1", middle), name + "_relu1");
    x = batchNorm(convolution(x, name + "_conv2", middle, out, 1, 1), name + "_bn2", out);
    auto shortcut = input;
    if (in != out) {
        shortcut = batchNorm(convolution(input, name + "_conv3", in, out, 1, stride), name + "_bn3", out);
    }
    return relu(add("elemwise_add", name + "_plus", Json::object(), {x, shortcut}), name + "_relu2");
}

std::string Network::json() const
{
    std::vector<std::size_t> rows(m_nodes.size() + 1);
    std::iota(rows.begin(), rows.end(), 0);
    const Json symbol{{"nodes", m_nodes},
                      {"arg_nodes", m_arguments},
                      {"node_row_ptr", rows},
                      {"heads", Json::array({Json::array({m_nodes.size() - 1, 0, 0})})},
                      {"attrs", {{"mxnet_version", {"int", 10901}}}}};
    return symbol.dump(2);
}

Network resnet50()
{
    Network net;
    auto x = net.convolution(net.variable("data"), "resnet_conv0", 3, 64, 7, 2);
    x = net.relu(net.batchNorm(x, "resnet_bn0", 64), "resnet_relu0");
    x = net.add("Pooling", "resnet_pool0",
                {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"pool_type", "max"}, {"stride", "(2, 2)"}}, {x});
    int channels = 64;
    const std::array<int, 4> units{3, 4, 6, 3};
    for (std::size_t stage = 0; stage < units.size(); ++stage) {
        const int out = 256 << stage;
        for (int unit = 0; unit < units[stage]; ++unit) {
            const auto name = "resnet_stage" + std::to_string(stage + 1) + "_unit" + std::to_string(unit + 1);
            x = net.bottleneck(x, name, channels, out, unit == 0 && stage > 0 ? 2 : 1);
            channels = out;
        }
    }
    x = net.add("Pooling", "resnet_pool1", {{"global_pool", "True"}, {"kernel", "(7, 7)"}, {"pool_type", "avg"}}, {x});
    const auto weight = net.parameter("resnet_dense0_weight", {1000, channels});
    const auto bias = net.parameter("resnet_dense0_bias", {1000});
    net.add("FullyConnected", "resnet_dense0", {{"flatten", "True"}, {"num_hidden", "1000"}}, {x, weight, bias});
    return net;
}

template <typename T>
void put(std::ofstream& file, T value)
{
    file.write(reinterpret_cast<const char*>(&value), sizeof(value));
}

void writeArray(std::ofstream& file, const std::vector<std::int64_t>& dims, std::minstd_rand& random)
{
    put(file, std::uint32_t{0xF993FAC9}); // V2, dense
    put(file, std::int32_t{0});
    put(file, static_cast<std::int32_t>(dims.size()));
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) {
        put(file, dim);
        count *= dim;
    }
    put(file, std::int32_t{1}); // on the CPU, device 0, float32
    put(file, std::int32_t{0});
    put(file, std::int32_t{0});
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) {
        value = 0.05F * static_cast<float>(random()) / static_cast<float>(std::minstd_rand::max());
    }
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(float)));
}

void writeParameters(const fs::path& path, const std::vector<Parameter>& parameters)
{
    std::ofstream file(path, std::ios::binary);
    std::minstd_rand random(50);
    put(file, std::uint64_t{0x112});
    put(file, std::uint64_t{0});
    put(file, std::uint64_t{parameters.size()});
    for (const Parameter& parameter : parameters) {
        writeArray(file, parameter.dims, random);
    }
    put(file, std::uint64_t{parameters.size()});
    for (const Parameter& parameter : parameters) {
        put(file, std::uint64_t{parameter.name.size()});
        file << parameter.name;
    }
}

} // namespace

MxnetFiles writeResnet50(const fs::path& folder)
{
    const Network net = resnet50();
    MxnetFiles files{folder / "model-symbol.json", folder / "model-0000.params"};
    std::ofstream(files.symbol) << net.json();
    writeParameters(files.params, net.parameters());
    files.bytes = fs::file_size(files.symbol) + fs::file_size(files.params);
    return files;
}

} // namespace crosswalk::bench
