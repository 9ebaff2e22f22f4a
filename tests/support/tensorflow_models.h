#pragma once

#include "tests/support/tensorflow_files.h"

#include <string>

namespace crosswalk::test {

inline Message enter(std::string_view name, std::string_view input)
{
    return nodeDef(name, "Enter", {input}, {{"T", typeAttr(1)}, {"frame_name", textAttr("loop")}});
}

/// A GraphDef with a loop of TensorFlow 1: three times x = tanh(x) * w. The constant in the loop runs behind a node of
/// it.
inline std::string whileLoop()
{
    return graphDef({placeholder("x", {-1, 3}),
                     constant("loop/start", floatTensor({}, {0})),
                     enter("loop/Enter", "loop/start"),
                     enter("loop/Enter_1", "x"),
                     constant("loop/w", floatTensor({3}, {1, 2, 3})),
                     nodeDef("loop/Merge", "Merge", {"loop/Enter", "loop/NextIteration"},
                             {{"T", typeAttr(1)}, {"N", intAttr(2)}}),
                     nodeDef("loop/Merge_1", "Merge", {"loop/Enter_1", "loop/NextIteration_1"},
                             {{"T", typeAttr(1)}, {"N", intAttr(2)}}),
                     constant("loop/limit", floatTensor({}, {3})),
                     binary("loop/Less", "Less", "loop/Merge", "loop/limit"),
                     nodeDef("loop/LoopCond", "LoopCond", {"loop/Less"}),
                     binary("loop/Switch", "Switch", "loop/Merge", "loop/LoopCond"),
                     binary("loop/Switch_1", "Switch", "loop/Merge_1", "loop/LoopCond"),
                     unary("loop/Identity", "Identity", "loop/Switch:1"),
                     unary("loop/Identity_1", "Identity", "loop/Switch_1:1"),
                     nodeDef("loop/one", "Const", {"^loop/Identity"},
                             {{"dtype", typeAttr(1)}, {"value", Message().message(8, floatTensor({}, {1}))}}),
                     binary("loop/add", "AddV2", "loop/Identity", "loop/one"),
                     nodeDef("loop/Tanh", "Tanh", {"loop/Identity_1", "^loop/add"}, {{"T", typeAttr(1)}}),
                     binary("loop/mul", "Mul", "loop/Tanh", "loop/w"),
                     unary("loop/NextIteration", "NextIteration", "loop/add"),
                     unary("loop/NextIteration_1", "NextIteration", "loop/mul"),
                     unary("loop/Exit", "Exit", "loop/Switch"),
                     unary("loop/Exit_1", "Exit", "loop/Switch_1"),
                     unary("y", "Identity", "loop/Exit_1")})
        .content();
}

/// y = twice(x), of a function that the model has: x + x, then `op`.
inline std::string calledFunction(std::string_view op)
{
    const Message function = functionDef(
        {"twice", {"a"}, {{"b", "last:y:0"}}, {binary("sum", "AddV2", "a", "a"), unary("last", op, "sum:z:0")}});
    const Message types = Message().message(1, Message().bytes(6, std::string(1, '\1')));
    return graphDef({placeholder("x", {-1, 3}),
                     nodeDef("call", "PartitionedCall", {"x"},
                             {{"Tin", types}, {"Tout", types}, {"f", functionAttr("twice")}}),
                     unary("y", "Identity", "call")},
                    {function})
        .content();
}

} // namespace crosswalk::test
