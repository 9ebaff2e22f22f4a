#pragma once

namespace crosswalk::test {

/// Two models that differ in a node taken out, a node added, and an attribute.
inline constexpr const char* before = R"(g (float[2,4] x) => (float[2,4] y) <float[4] w = {1, 2, 3, 4}> {
    [add] s = Add(x, w)
    [relu] t = Relu(s)
    [leaky] y = LeakyRelu<alpha = 0.5>(t)
})";
inline constexpr const char* after = R"(g (float[2,4] x) => (float[2,4] y) <float[4] w = {1, 2, 3, 4}> {
    [add] s = Add(x, w)
    [leaky] u = LeakyRelu<alpha = 0.25>(s)
    [neg] y = Neg(u)
})";

} // namespace crosswalk::test
