// Rescaling, Normalization, Discretization, CategoryEncoding, IntegerLookup and StringLookup.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/keras/ops/keras_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace crosswalk::keras {
namespace {

OnnxValue floating(const Layer& layer, OnnxValue x)
{
    const ElementType type = layer.computeType().value_or(ElementType::Float32);
    return isFloating(layer.ctx.element(x)) ? x : emit::cast(layer.ctx, x, type);
}

/// The numbers of a setting as a constant, in its dimensions.
OnnxValue numbersOf(const Layer& layer, const std::string& setting, ElementType type)
{
    const std::vector<double> numbers = layer.settings.numbers(setting);
    const Ints extents = layer.settings.extents(setting);
    const Tensor doubles = Tensor::of<double>(ElementType::Float64, extents, numbers);
    return layer.ctx.onnx.constant(Tensor::owned(type, extents, doubles.converted(type).toBytes()));
}

OnnxValues rescaling(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValue y = floating(layer, layer.input(0));
    if (layer.settings.has("scale")) {
        y = ctx.emit("Mul", {y, numbersOf(layer, "scale", ctx.element(y))});
    }
    if (layer.settings.has("offset")) {
        y = ctx.emit("Add", {y, numbersOf(layer, "offset", ctx.element(y))});
    }
    return {y};
}

/// A statistic in the shape of x: with the sizes of x on the axes of the layer, 1 elsewhere.
OnnxValue statistic(const Layer& layer, const std::string& name, OnnxValue x)
{
    const NodeContext& ctx = layer.ctx;
    const bool isSetting = layer.settings.has(name);
    const OnnxValue given = isSetting ? numbersOf(layer, name, ctx.element(x)) : layer.weight(name);
    if (ctx.rank(given) == 0 || !layer.settings.has("axis")) {
        return ctx.rank(given) == 0 ? given : emit::reshape(ctx, given, Ints{-1});
    }
    Ints dims(ctx.rank(x), 1);
    std::int64_t count = 1;
    for (const std::int64_t axis : layer.settings.ints("axis")) {
        const std::int64_t place = ctx.axis(axis, ctx.rank(x));
        dims[static_cast<std::size_t>(place)] = ctx.fixedDim(x, place);
        count *= dims[static_cast<std::size_t>(place)];
    }
    std::int64_t elements = 1;
    for (std::size_t i = 0; i < ctx.rank(given); ++i) {
        elements *= ctx.fixedDim(given, static_cast<std::int64_t>(i));
    }
    if (elements == 1) {
        return emit::reshape(ctx, given, Ints{1});
    }
    if (elements != count) {
        throw ModelError("wrong-weight", fmt::format("{} has {} elements, but must have {}", name, elements, count));
    }
    return emit::reshape(ctx, given, dims);
}

OnnxValues normalization(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = floating(layer, layer.input(0));
    const OnnxValue mean = statistic(layer, "mean", x);
    const OnnxValue root = elementary::sqrt(ctx, statistic(layer, "variance", x));
    const OnnxValue deviation = arithmetic::maximum(ctx, root, emit::scalarLike(ctx, root, 1e-7));
    if (layer.settings.boolean("invert", false)) {
        return {ctx.emit("Add", {mean, ctx.emit("Mul", {x, deviation})})};
    }
    return {ctx.emit("Div", {ctx.emit("Sub", {x, mean}), deviation})};
}

/// How numbers of categories are returned.
OnnxValue encoded(const Layer& layer, OnnxValue ids, std::int64_t count, const std::string& mode,
                  OnnxValue weights = {})
{
    const NodeContext& ctx = layer.ctx;
    if (layer.settings.boolean("sparse", false)) {
        layer.refuse("a sparse result", "sparse");
    }
    if (mode != "one_hot" && mode != "multi_hot" && mode != "count") {
        layer.refuse(fmt::format("output_mode {}", mode), "output_mode");
    }
    const auto rank = static_cast<std::int64_t>(ctx.rank(ids));
    ids = emit::cast(ctx, ids, ElementType::Int64);
    const bool isSingle = rank > 0 && ctx.shape(ids).back().isFixed() && ctx.shape(ids).back().size == 1;
    if (mode == "one_hot" && isSingle && rank > 1) {
        ids = emit::squeeze(ctx, ids, {rank - 1});
    }
    if (mode != "one_hot" && rank < 2) {
        layer.refuse(fmt::format("output_mode {} of {} dimensions", mode, rank), "output_mode");
    }
    const auto newAxis = static_cast<std::int64_t>(ctx.rank(ids));
    const OnnxValue isCategory = ctx.emit("Equal", {emit::unsqueeze(ctx, ids, {newAxis}), countTo(ctx, count)});
    OnnxValue y = emit::cast(ctx, isCategory, ElementType::Float32);
    if (mode == "one_hot") {
        return y;
    }
    if (weights) {
        y = ctx.emit("Mul", {y, emit::unsqueeze(ctx, emit::cast(ctx, weights, ElementType::Float32), {newAxis})});
    }
    // Of several axes, Keras 3 joins the second one.
    const std::int64_t joined = layer.major() >= 3 ? 1 : newAxis - 1;
    return emit::reduce(ctx, mode == "count" ? "ReduceSum" : "ReduceMax", y, {joined}, false);
}

OnnxValue inOutputType(const Layer& layer, OnnxValue y)
{
    return emit::cast(layer.ctx, y, layer.computeType().value_or(ElementType::Float32));
}

OnnxValues categoryEncoding(const Layer& layer)
{
    const std::string mode = layer.settings.text("output_mode", "multi_hot");
    OnnxValue weights = layer.named("count_weights");
    if (!weights && layer.inputCount() > 1) {
        weights = layer.input(1);
    }
    if (weights && mode != "count") {
        layer.ctx.invalid("count_weights without output_mode count", "output_mode");
    }
    return {inOutputType(layer, encoded(layer, layer.input(0), layer.settings.integer("num_tokens"), mode, weights))};
}

/// The number of boundaries that are not above the value.
OnnxValues discretization(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    if (!layer.settings.has("bin_boundaries")) {
        layer.refuse("the boundaries are not in the file", "bin_boundaries",
                     "create the layer with the bin_boundaries that adapt() found");
    }
    const OnnxValue x = emit::cast(ctx, layer.input(0), ElementType::Float32);
    const OnnxValue boundaries = numbersOf(layer, "bin_boundaries", ElementType::Float32);
    const auto axis = static_cast<std::int64_t>(ctx.rank(x));
    const OnnxValue isBelow = ctx.emit("Less", {emit::unsqueeze(ctx, x, {axis}), boundaries});
    const OnnxValue passed = emit::cast(ctx, ctx.emit("Not", {isBelow}), ElementType::Int32);
    const OnnxValue bin = emit::reduce(ctx, "ReduceSum", passed, {axis}, false);
    const std::string mode = layer.settings.text("output_mode", "int");
    if (mode == "int") {
        return {emit::cast(ctx, bin, layer.major() >= 3 ? ElementType::Int32 : ElementType::Int64)};
    }
    const auto bins = static_cast<std::int64_t>(layer.settings.numbers("bin_boundaries").size()) + 1;
    return {inOutputType(layer, encoded(layer, bin, bins, mode))};
}

/// The table of a lookup: what stands for missing values, for unknown ones, and the tokens.
template <class T>
struct Vocabulary {
    std::vector<T> tokens;
    std::optional<T> mask = {};
    bool hasMaskIndex = false; ///< else what is masked is not encoded
    T unknown = {};
    std::int64_t unknownCount = 1;

    std::int64_t maskIndex() const { return hasMaskIndex ? 0 : -1; }
    std::int64_t unknownStart() const { return hasMaskIndex ? 1 : 0; }
    std::int64_t tokenStart() const { return unknownStart() + unknownCount; }
    std::int64_t size() const { return tokenStart() + static_cast<std::int64_t>(tokens.size()); }
    /// The tokens may be listed with those that stand for missing and unknown values before them.
    void dropSpecial()
    {
        std::vector<T> special;
        if (hasMaskIndex) {
            special.push_back(*mask);
        }
        special.insert(special.end(), static_cast<std::size_t>(unknownCount), unknown);
        if (!special.empty() && tokens.size() >= special.size() &&
            std::equal(special.begin(), special.end(), tokens.begin())) {
            tokens.erase(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(special.size()));
        }
    }
};

/// The number of indices of unknown tokens, each of which has an entry in a table.
std::int64_t unknownCount(const Layer& layer)
{
    constexpr std::int64_t most = 1 << 16;
    const std::int64_t count = layer.settings.integer("num_oov_indices", 1);
    if (count < 0 || count > most) {
        layer.ctx.invalid(fmt::format("num_oov_indices is {}, not from 0 to {}", count, most), "num_oov_indices");
    }
    return count;
}

void checkVocabulary(const Layer& layer)
{
    if (!layer.settings.has("vocabulary")) {
        layer.refuse("its vocabulary is not in the file", "vocabulary", "save the layer with its vocabulary");
    }
    if (layer.settings.isText("vocabulary")) {
        layer.refuse("its vocabulary is a file outside the model", "vocabulary",
                     "create the layer with the list of the tokens");
    }
}

bool returnsIndices(const Layer& layer)
{
    return layer.settings.text("output_mode", "int") == "int";
}

/// The weight of each index: those that the file has, or those of the tokens with their mean before them.
OnnxValue inverseFrequencies(const Layer& layer, std::int64_t size)
{
    const NodeContext& ctx = layer.ctx;
    if (!layer.settings.has("idf_weights")) {
        return layer.weight("idf_weights", {Dim(size)});
    }
    std::vector<double> weights = layer.settings.numbers("idf_weights");
    const auto missing = size - static_cast<std::int64_t>(weights.size());
    if (weights.empty() || missing < 0 || missing > 65'536) {
        ctx.invalid(fmt::format("{} idf_weights for {} indices", weights.size(), size), "idf_weights");
    }
    double sum = 0;
    for (const double weight : weights) {
        sum += weight;
    }
    weights.insert(weights.begin(), static_cast<std::size_t>(missing), sum / static_cast<double>(weights.size()));
    const Tensor doubles = Tensor::of<double>(ElementType::Float64, {size}, weights);
    return ctx.onnx.constant(
        Tensor::owned(ElementType::Float32, {size}, doubles.converted(ElementType::Float32).toBytes()));
}

/// The index in the vocabulary as the layer returns it.
OnnxValue lookupResult(const Layer& layer, OnnxValue index, std::int64_t size)
{
    if (returnsIndices(layer)) {
        return emit::cast(layer.ctx, index,
                          layer.settings.text("dtype", "int64") == "int32" ? ElementType::Int32 : ElementType::Int64);
    }
    const std::string mode = layer.settings.text("output_mode");
    if (mode == "tf_idf") {
        if (layer.settings.boolean("pad_to_max_tokens", false)) {
            layer.refuse("output_mode tf_idf with pad_to_max_tokens", "pad_to_max_tokens");
        }
        const OnnxValue counts = encoded(layer, index, size, "count");
        return inOutputType(layer, layer.ctx.emit("Mul", {counts, inverseFrequencies(layer, size)}));
    }
    if (layer.settings.boolean("pad_to_max_tokens", false)) {
        size = layer.settings.integer("max_tokens");
    }
    return inOutputType(layer, encoded(layer, index, size, mode));
}

OnnxValues stringLookup(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    checkVocabulary(layer);
    Vocabulary<std::string> vocabulary{.tokens = layer.settings.texts("vocabulary")};
    if (layer.settings.has("mask_token")) {
        vocabulary.mask = layer.settings.text("mask_token");
    }
    vocabulary.hasMaskIndex = vocabulary.mask && returnsIndices(layer);
    vocabulary.unknown = layer.settings.text("oov_token", "[UNK]");
    vocabulary.unknownCount = unknownCount(layer);
    vocabulary.dropSpecial();
    if (layer.settings.text("encoding", "utf-8") != "utf-8") {
        layer.refuse("an encoding other than UTF-8", "encoding");
    }
    if (layer.settings.boolean("invert", false)) {
        std::vector<std::string> all;
        if (vocabulary.hasMaskIndex) {
            all.push_back(*vocabulary.mask);
        }
        all.insert(all.end(), static_cast<std::size_t>(vocabulary.unknownCount), vocabulary.unknown);
        all.insert(all.end(), vocabulary.tokens.begin(), vocabulary.tokens.end());
        Ints keys(all.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            keys[i] = static_cast<std::int64_t>(i);
        }
        const OnnxValue ids = emit::cast(ctx, layer.input(0), ElementType::Int64);
        return ctx.onnx.add(
            "LabelEncoder", {ids},
            {{"keys_int64s", Ints(keys)}, {"values_strings", all}, {"default_string", vocabulary.unknown}}, 1,
            "ai.onnx.ml");
    }
    if (vocabulary.unknownCount > 1) {
        layer.refuse("unknown strings are hashed (FarmHash) into several indices, which ONNX cannot", "num_oov_indices",
                     "use num_oov_indices of 0 or 1");
    }
    if (vocabulary.unknownCount == 0) {
        layer.refuse("strings outside of the vocabulary are errors, which ONNX cannot raise", "num_oov_indices",
                     "use num_oov_indices of 1");
    }
    std::vector<std::string> keys;
    Ints values;
    if (vocabulary.mask) {
        keys.push_back(*vocabulary.mask);
        values.push_back(vocabulary.maskIndex());
    }
    for (std::size_t i = 0; i < vocabulary.tokens.size(); ++i) {
        keys.push_back(vocabulary.tokens[i]);
        values.push_back(vocabulary.tokenStart() + static_cast<std::int64_t>(i));
    }
    const OnnxValues index =
        ctx.onnx.add("LabelEncoder", {layer.input(0)},
                     {{"keys_strings", keys}, {"values_int64s", values}, {"default_int64", vocabulary.unknownStart()}},
                     1, "ai.onnx.ml");
    return {lookupResult(layer, index.front(), vocabulary.size())};
}

OnnxValues integerLookup(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    checkVocabulary(layer);
    Vocabulary<std::int64_t> vocabulary{.tokens = layer.settings.ints("vocabulary")};
    if (layer.settings.has("mask_token")) {
        vocabulary.mask = layer.settings.integer("mask_token");
    }
    vocabulary.hasMaskIndex = vocabulary.mask && returnsIndices(layer);
    vocabulary.unknown = layer.settings.integer("oov_token", -1);
    vocabulary.unknownCount = unknownCount(layer);
    vocabulary.dropSpecial();
    if (layer.settings.boolean("invert", false)) { // an index beyond the vocabulary is unknown
        Ints table;
        if (vocabulary.hasMaskIndex) {
            table.push_back(*vocabulary.mask);
        }
        table.insert(table.end(), static_cast<std::size_t>(vocabulary.unknownCount), vocabulary.unknown);
        table.insert(table.end(), vocabulary.tokens.begin(), vocabulary.tokens.end());
        table.push_back(vocabulary.unknown);
        const OnnxValue ids = emit::cast(ctx, layer.input(0), ElementType::Int64);
        const auto number = [&](std::int64_t value) {
            return ctx.onnx.scalar(ElementType::Int64, static_cast<double>(value));
        };
        const auto last = static_cast<std::int64_t>(table.size()) - 1;
        const OnnxValue isLow = ctx.emit("Less", {ids, number(0)});
        const OnnxValue isHigh = ctx.emit("Greater", {ids, number(last)});
        const OnnxValue safe = ctx.emit("Where", {ctx.emit("Or", {isLow, isHigh}), number(last), ids});
        return {emit::gather(ctx, ctx.onnx.ints(table), safe, 0)};
    }
    if (vocabulary.unknownCount == 0) {
        layer.refuse("numbers outside of the vocabulary are errors, which ONNX cannot raise", "num_oov_indices",
                     "use num_oov_indices of 1");
    }
    Ints keys = vocabulary.tokens;
    Ints indices;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        indices.push_back(vocabulary.tokenStart() + static_cast<std::int64_t>(i));
    }
    if (vocabulary.mask) {
        keys.push_back(*vocabulary.mask);
        indices.push_back(vocabulary.maskIndex());
    }
    const OnnxValue x = emit::cast(ctx, layer.input(0), ElementType::Int64);
    const auto axis = static_cast<std::int64_t>(ctx.rank(x));
    const OnnxValue isKey = ctx.emit("Equal", {emit::unsqueeze(ctx, x, {axis}), ctx.onnx.ints(keys)});
    const OnnxValue hits = emit::cast(ctx, isKey, ElementType::Int64);
    const OnnxValue known =
        emit::reduce(ctx, "ReduceSum", ctx.emit("Mul", {hits, ctx.onnx.ints(indices)}), {axis}, false);
    const OnnxValue isKnown = emit::cast(ctx, emit::reduce(ctx, "ReduceSum", hits, {axis}, false), ElementType::Bool);
    OnnxValue unknown = ctx.onnx.scalar(ElementType::Int64, static_cast<double>(vocabulary.unknownStart()));
    if (vocabulary.unknownCount > 1) { // several indices in turn
        if (layer.settings.text("oov_method", "floormod") != "floormod") {
            layer.refuse("unknown numbers are hashed (FarmHash, SipHash), which ONNX cannot", "oov_method",
                         "use oov_method of floormod");
        }
        const OnnxValue turn = arithmetic::modulo(
            ctx, x, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(vocabulary.unknownCount)));
        unknown = ctx.emit("Add", {turn, unknown});
    }
    return {lookupResult(layer, ctx.emit("Where", {isKnown, known, unknown}), vocabulary.size())};
}

} // namespace

std::span<const OpRow> preprocessingLayers()
{
    static constexpr OpRow rows[] = {
        {"CategoryEncoding", categoryEncoding, "Equal, ReduceSum"},
        {"Discretization", discretization, "Less, ReduceSum"},
        {"IntegerLookup", integerLookup, "Equal, ReduceSum, Where"},
        {"Normalization", normalization, "Sub, Div"},
        {"Rescaling", rescaling, "Mul, Add"},
        {"StringLookup", stringLookup, "ai.onnx.ml.LabelEncoder"},
    };
    return rows;
}

} // namespace crosswalk::keras
