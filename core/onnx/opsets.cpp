#include "core/onnx/opsets.h"

#include <cassert>

namespace crosswalk {

std::int64_t irVersionFor(int opset)
{
    assert(opset >= oldestOpset && opset <= newestOpset);
    // The IR version of the first onnx release that carried the opset.
    struct Row {
        int opset;
        std::int64_t ir;
    };
    constexpr Row rows[] = {{11, 6}, {12, 7}, {15, 8}, {19, 9}, {21, 10}, {23, 11}, {24, 12}, {25, 13}};
    std::int64_t ir = 6;
    for (const Row& row : rows) {
        if (opset >= row.opset) {
            ir = row.ir;
        }
    }
    return ir;
}

} // namespace crosswalk
