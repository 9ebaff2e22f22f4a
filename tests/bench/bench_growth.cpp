// Growth of the conversion with what a hostile file repeats: equal names, equal outputs, equal nodes. Ten times as many
// must take about ten times as long; the target is at most twenty times.

#include "core/onnx/builder.h"
#include "core/rewrite/optimize.h"
#include "crosswalk/options.h"

#include <array>
#include <ctime>
#include <fmt/format.h>

using namespace crosswalk;

namespace {

constexpr std::array<std::size_t, 2> sizes{10'000, 100'000};
constexpr double aimedFactor = 20;

OnnxValue input(OnnxBuilder& onnx)
{
    return onnx.input("x", {ElementType::Float32, Shape{Dim(4)}});
}

void nameEqually(std::size_t count)
{
    OnnxBuilder onnx(defaultOpset);
    OnnxValue x = input(onnx);
    for (std::size_t i = 0; i < count; ++i) {
        onnx.setSource("a", {});
        x = onnx.add("Relu", {x});
        onnx.setName(x, "a");
    }
    onnx.output(x, "y");
    onnx.finish("g", {});
}

void returnEqually(std::size_t count)
{
    OnnxBuilder onnx(defaultOpset);
    const OnnxValue y = onnx.add("Relu", {input(onnx)});
    for (std::size_t i = 0; i < count; ++i) {
        onnx.output(y, fmt::format("y{}", i));
    }
    onnx.finish("g", {});
}

void mergeEqually(std::size_t count)
{
    Graph source;
    OnnxBuilder onnx(defaultOpset);
    const OnnxValue x = input(onnx);
    OnnxValues terms;
    for (std::size_t i = 0; i < count; ++i) {
        const NodeId node = source.addNode({.op = "Relu", .name = fmt::format("a{}", i)});
        onnx.setSource(source.node(node).name, {{{}, node}});
        terms.push_back(onnx.add("Relu", {x}));
    }
    onnx.output(onnx.add("Sum", terms), "y");
    auto finished = onnx.finish("g", {});
    ValueTypes types;
    eliminateCommonSubexpressions({finished.model, finished.sources, types}, NodeNames(source));
}

bool measure(const char* what, void (*work)(std::size_t))
{
    std::array<double, sizes.size()> seconds{};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto start = std::clock();
        work(sizes[i]);
        seconds[i] = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    }
    const double factor = seconds[1] / seconds[0];
    fmt::print("{:14} {:7.3f} s at {}, {:7.3f} s at {}: {:5.1f} times, target {:.0f}\n", what, seconds[0], sizes[0],
               seconds[1], sizes[1], factor, aimedFactor);
    return factor <= aimedFactor;
}

} // namespace

int main()
{
    bool isReached = measure("equal names", nameEqually);
    isReached = measure("equal outputs", returnEqually) && isReached;
    isReached = measure("equal nodes", mergeEqually) && isReached;
    return isReached ? 0 : 1;
}
