#include "core/formats/tensorflow/lowering/step_sums.h"

#include "core/graph/attributes.h"

#include <algorithm>
#include <array>

namespace crosswalk::tensorflow {
namespace {

constexpr std::array<std::int64_t, 2> swapAxes{1, 0};

bool isTransposed(const Node& product)
{
    const auto isSet = [&](std::string_view name) {
        const auto* flag = attributeOf<bool>(product, name);
        return flag != nullptr && *flag;
    };
    return isSet("transpose_a") || isSet("transpose_b");
}

/// A matrix product with stored weights.
std::optional<StepSum::Product> productOf(const StepMatcher& step, ValueId value)
{
    const Node* product = step.node(value, "MatMul");
    if (product == nullptr || product->inputs.size() != 2 || isTransposed(*product)) {
        return std::nullopt;
    }
    const Tensor* weights = step.stored(product->inputs[1]);
    return weights != nullptr && weights->rank() == 2
               ? std::optional(StepSum::Product{product->inputs[0], {product->inputs[1]}})
               : std::nullopt;
}

/// Whether a tensor of elements (batch, features) is the same for all samples.
bool isBias(const Tensor& tensor)
{
    return isFloating(tensor.type()) && (tensor.rank() == 1 || (tensor.rank() == 2 && tensor.dims()[0] == 1));
}

void add(StepSum& sum, const StepSum& more)
{
    sum.products.insert(sum.products.end(), more.products.begin(), more.products.end());
    sum.biases.insert(sum.biases.end(), more.biases.begin(), more.biases.end());
    sum.others.insert(sum.others.end(), more.others.begin(), more.others.end());
    sum.number += more.number;
}

} // namespace

StepSum partOf(const StepSum& whole, const StepMatcher::Part& part)
{
    const auto cut = [&](auto& block) {
        block.index = block.index * part.count + part.index;
        block.count *= part.count;
    };
    StepSum sum = whole;
    for (StepSum::Product& product : sum.products) {
        cut(product.weights);
    }
    std::for_each(sum.biases.begin(), sum.biases.end(), cut);
    std::for_each(sum.others.begin(), sum.others.end(), cut);
    return sum;
}

StepSum sumOf(const StepMatcher& step, ValueId value)
{
    StepSum sum;
    for (const ValueId summand : step.summands(value)) {
        const Tensor* stored = step.stored(summand);
        if (const auto number = step.number(summand)) {
            sum.number += *number;
        } else if (stored != nullptr && isBias(*stored)) {
            sum.biases.push_back({summand});
        } else if (const auto product = productOf(step, summand)) {
            sum.products.push_back(*product);
        } else if (const auto part = step.part(summand)) {
            add(sum, partOf(sumOf(step, part->whole), *part));
        } else {
            sum.others.push_back({summand});
        }
    }
    return sum;
}

namespace {

bool take(std::optional<BlockRows>& slot, const Block& block, std::int64_t first, std::int64_t count)
{
    if (slot || count < 1) {
        return false;
    }
    slot = BlockRows{block, first, count};
    return true;
}

/// Divides the weights of a product by their operands: x, h, or both joined in either order.
bool takeProduct(const StepMatcher& step, SumOperands& operands, const StepSum::Product& product, ValueId h,
                 std::int64_t stateSize)
{
    const std::int64_t rows = step.stored(product.weights.whole)->dims()[0];
    if (product.operand == h) {
        return rows == stateSize && take(operands.recurrent, product.weights, 0, rows);
    }
    const Node* concat = step.node(product.operand, "ConcatV2");
    ValueIds joined = concat != nullptr ? concat->inputs : ValueIds{};
    if (std::find(joined.begin(), joined.end(), h) == joined.end()) {
        operands.x = {product.operand};
        return take(operands.input, product.weights, 0, rows);
    }
    const auto axis = step.integer(joined.back());
    joined.pop_back();
    const bool isFirst = joined.front() == h;
    if (!axis || (*axis != 1 && *axis != -1) || (!isFirst && joined.back() != h)) {
        return false;
    }
    joined.erase(isFirst ? joined.begin() : joined.iteratorAt(joined.size() - 1));
    const std::int64_t features = rows - stateSize;
    operands.x = joined;
    return std::find(joined.begin(), joined.end(), h) == joined.end() && !joined.empty() &&
           take(operands.input, product.weights, isFirst ? stateSize : 0, features) &&
           take(operands.recurrent, product.weights, isFirst ? 0 : features, stateSize);
}

} // namespace

std::optional<SumOperands> operandsOf(const StepMatcher& step, const StepSum& sum, ValueId h, std::int64_t stateSize)
{
    SumOperands operands;
    for (const StepSum::Product& product : sum.products) {
        const auto& dims = step.stored(product.weights.whole)->dims();
        const auto count = static_cast<std::int64_t>(product.weights.count);
        if (dims[1] % count != 0 || (operands.width != 0 && operands.width != dims[1] / count)) {
            return std::nullopt;
        }
        operands.width = dims[1] / count;
    }
    for (const StepSum::Product& product : sum.products) {
        if (!takeProduct(step, operands, product, h, stateSize != 0 ? stateSize : operands.width)) {
            return std::nullopt;
        }
    }
    if (sum.others.size() > 1 || (!sum.others.empty() && operands.input)) {
        return std::nullopt;
    }
    if (!sum.others.empty()) {
        operands.projected = sum.others.front();
    }
    const bool fits = std::all_of(sum.biases.begin(), sum.biases.end(), [&](const Block& bias) {
        return step.stored(bias.whole)->elements() == operands.width * static_cast<std::int64_t>(bias.count);
    });
    return fits && operands.width > 0 ? std::optional(std::move(operands)) : std::nullopt;
}

Tensor contentOf(const StepMatcher& step, const BlockRows& rows)
{
    Tensor matrix = *step.stored(rows.block.whole);
    const std::int64_t columns = matrix.dims()[1];
    if (rows.count != matrix.dims()[0]) {
        matrix = matrix.range(rows.first * columns, {rows.count, columns});
    }
    if (rows.block.count == 1) {
        return matrix;
    }
    const std::int64_t width = columns / static_cast<std::int64_t>(rows.block.count);
    const auto first = static_cast<std::int64_t>(rows.block.index) * width;
    return matrix.transposed(swapAxes).range(first * rows.count, {width, rows.count}).transposed(swapAxes);
}

Tensor contentOf(const StepMatcher& step, const Block& vector)
{
    const Tensor& whole = *step.stored(vector.whole);
    const std::int64_t width = whole.elements() / static_cast<std::int64_t>(vector.count);
    return whole.range(static_cast<std::int64_t>(vector.index) * width, {width});
}

} // namespace crosswalk::tensorflow
