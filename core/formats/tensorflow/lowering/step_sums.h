#pragma once

#include "core/formats/tensorflow/lowering/step_matcher.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace crosswalk::tensorflow {

/// One of `count` equal blocks of columns of a stored matrix, or of elements of a stored vector.
struct Block {
    ValueId whole;
    std::size_t index = 0;
    std::size_t count = 1;
    friend bool operator==(const Block&, const Block&) = default;
};

/// A value of a step as a sum.
struct StepSum {
    struct Product {
        ValueId operand; ///< multiplies the weights from the left
        Block weights;
    };
    std::vector<Product> products = {};
    std::vector<Block> biases = {}; ///< stored vectors
    double number = 0;              ///< sum of stored scalars
    std::vector<StepMatcher::Part> others = {};
};

/// The sum that computes a value. A part of a split sum is the sum of the parts.
StepSum sumOf(const StepMatcher& step, ValueId value);

/// The part of a sum that is split along its last axis.
StepSum partOf(const StepSum& whole, const StepMatcher::Part& part);

/// Rows [first, first + count) of a block of columns.
struct BlockRows {
    Block block;
    std::int64_t first = 0;
    std::int64_t count = 0;
};

/// The operands of a sum: the state, and a value that is the input of the step.
struct SumOperands {
    ValueIds x = {}; ///< joined along the features; empty if `projected` is given
    std::optional<BlockRows> input = {};
    std::optional<BlockRows> recurrent = {};
    std::optional<StepMatcher::Part> projected = {}; ///< an input that is added without weights
    std::int64_t width = 0;
};

/// Nothing if a sum is not W x + R h with stored weights, or x + R h; biases are ignored. `stateSize` is the width of
/// h; 0 if that is the width of the sum.
std::optional<SumOperands> operandsOf(const StepMatcher& step, const StepSum& sum, ValueId h, std::int64_t stateSize);

/// The content of a block of a matrix, or of a vector, whose rank is then 1.
Tensor contentOf(const StepMatcher& step, const BlockRows& rows);
Tensor contentOf(const StepMatcher& step, const Block& vector);

} // namespace crosswalk::tensorflow
