#pragma once

#include <string>
#include <string_view>

namespace crosswalk::test {

/// Serializes a GraphDef from lines of text:
///
///     x = Placeholder dtype=float shape=[?,3]
///     w = Const float[3] 1 2 3             int32, int64, bool and float; float[] 3 is a scalar
///     y = Mul(x, w) ^other                 ^other: a control input; inputs are named as in GraphDef: node, node:1
///     z = PartitionedCall(y) Tin={float} Tout={float} f=@twice
///
///     function twice(a, n:int32) -> b:int32=last:y:0    arguments and results are float where no type is given;
///                                                       ^node among the results: a control output
///       last = Identity(a)
///     end
///
/// Attributes: integers, true and false, types, [dimensions], {types}, (integers), @functions (@one,@two: a list),
/// tensors (float[2]:1,2); anything else is text. An operator with inputs has T=float where no T is given.
std::string graphDefOf(std::string_view text);

} // namespace crosswalk::test
