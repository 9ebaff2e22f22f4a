// A stranger's use of the library: reads a model and writes it as ONNX.

#include "core/convert/conversion.h"
#include "core/formats/read_model.h"
#include "core/onnx/writer.h"

#include <cstdio>

int main(int /*argc*/, char** argv)
{
    using namespace crosswalk;
    const auto model = readModel({.model = argv[1]});
    if (!model) {
        std::fputs(model.problem().message.c_str(), stderr);
        return 1;
    }
    const auto conversion = convert(*model.value().graph, {});
    if (!conversion || conversion.value().hasErrors()) {
        std::fputs("the example does not convert", stderr);
        return 1;
    }
    const auto report = writeOnnx(conversion.value().model, argv[2]);
    std::printf("%llu bytes\n", static_cast<unsigned long long>(report.bytes));
    return 0;
}
