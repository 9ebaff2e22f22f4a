// Lookups in tables of fixed content.

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"
#include "core/formats/tensorflow/ops/untranslatable_operators.h"
#include "core/graph/attributes.h"

#include <fmt/format.h>
#include <unordered_set>

namespace crosswalk::tensorflow {
namespace {

/// A tensor of strings or integers as an attribute with one of two names, without dropped elements.
OnnxAttribute listOf(const char* textName, const char* numberName, const Tensor& tensor,
                     const std::vector<bool>& isDropped)
{
    std::vector<std::string> texts;
    Ints numbers;
    const bool isText = tensor.type() == ElementType::String;
    const Ints all = isText ? Ints() : tensor.toInts();
    for (std::size_t i = 0; i < isDropped.size(); ++i) {
        if (!isDropped[i]) {
            if (isText) {
                texts.push_back(tensor.toStrings()[i]);
            } else {
                numbers.push_back(all[i]);
            }
        }
    }
    return isText ? OnnxAttribute{textName, texts} : OnnxAttribute{numberName, numbers};
}

template <typename Items>
std::vector<bool> repeated(const Items& items)
{
    std::unordered_set<typename Items::value_type> known;
    std::vector<bool> isRepeated;
    isRepeated.reserve(items.size());
    for (const auto& item : items) {
        isRepeated.push_back(!known.insert(item).second);
    }
    return isRepeated;
}

bool isKept(ElementType type)
{
    return type == ElementType::String || type == ElementType::Int64 || type == ElementType::Int32;
}

/// Keys that the table lacks get input 1.
OnnxValues lookup(NodeContext& ctx)
{
    const auto* storedKeys = attributeOf<TensorId>(ctx.node, "keys");
    const auto* storedValues = attributeOf<TensorId>(ctx.node, "values");
    if (storedKeys == nullptr || storedValues == nullptr) {
        Untranslatable why = whyUntranslatable(ctx.node.op);
        throw ModelError("unsupported-operator", std::move(why.message), std::move(why.hint));
    }
    const Tensor& keys = ctx.graph.tensor(*storedKeys);
    const Tensor& values = ctx.graph.tensor(*storedValues);
    const Tensor* missing = ctx.onnx.content(ctx.input(1));
    if (!isKept(keys.type()) || !isKept(values.type())) {
        ctx.refuse(fmt::format("a table from {} to {} has no form in ONNX", elementTypeName(keys.type()),
                               elementTypeName(values.type())),
                   "Tin", "look the keys up outside of the model");
    }
    if (ctx.element(ctx.input(0)) != keys.type()) {
        ctx.invalid(fmt::format("the table has keys of {}", elementTypeName(keys.type())), "Tin");
    }
    if (missing == nullptr || missing->elements() != 1 || missing->type() != values.type()) {
        ctx.refuse("the value of missing keys is computed", {}, "look the keys up outside of the model");
    }
    if (keys.elements() == 0) {
        return {emit::expand(ctx, ctx.input(1), emit::shapeVector(ctx, ctx.input(0)))};
    }
    const bool isByText = keys.type() == ElementType::String;
    const bool isToText = values.type() == ElementType::String;
    const std::vector<bool> isRepeated = isByText ? repeated(keys.toStrings()) : repeated(keys.toInts());
    OnnxAttributes attributes{listOf("keys_strings", "keys_int64s", keys, isRepeated),
                              listOf("values_strings", "values_int64s", values, isRepeated)};
    if (isToText) {
        attributes.emplace_back("default_string", missing->toStrings().front());
    } else {
        attributes.emplace_back("default_int64", missing->toInts().front());
    }
    const OnnxValue x = isByText ? ctx.input(0) : emit::cast(ctx, ctx.input(0), ElementType::Int64);
    const OnnxValue found = ctx.onnx.add("LabelEncoder", {x}, attributes, 1, "ai.onnx.ml").front();
    return {isToText ? found : emit::cast(ctx, found, values.type())};
}

} // namespace

std::span<const OpRow> lookupOps()
{
    static constexpr std::string_view note = "tables that the model fills with constants or from an asset";
    static constexpr OpRow rows[] = {
        {"LookupTableFind", lookup, "ai.onnx.ml.LabelEncoder", note},
        {"LookupTableFindV2", lookup, "ai.onnx.ml.LabelEncoder", note},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
