#include "core/onnx/descriptions.h"

#include "core/onnx/node.h"
#include "core/onnx/proto.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>

namespace crosswalk {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;
using ::onnx::TensorProto;
using ::onnx::TypeProto;
using ::onnx::ValueInfoProto;

/// Copies to each item of a list the description of the item of the same name.
template <typename Item>
void copyByName(const std::unordered_map<std::string_view, const Item*>& described,
                ::google::protobuf::RepeatedPtrField<Item>& items)
{
    for (Item& item : items) {
        const auto found = described.find(item.name());
        if (found == described.end()) {
            continue;
        }
        const Item& from = *found->second;
        if (from.has_doc_string()) {
            item.set_doc_string(from.doc_string());
        }
        *item.mutable_metadata_props() = from.metadata_props();
        if constexpr (std::is_same_v<Item, ValueInfoProto>) {
            if (item.has_type()) {
                copyDenotations(from.type(), *item.mutable_type());
            }
        }
    }
}

void copyValues(const GraphProto& from, GraphProto& to)
{
    std::unordered_map<std::string_view, const ValueInfoProto*> values;
    for (const auto* infos : {&from.input(), &from.output(), &from.value_info()}) {
        for (const ValueInfoProto& info : *infos) {
            values.emplace(info.name(), &info);
        }
    }
    for (auto* infos : {to.mutable_input(), to.mutable_output(), to.mutable_value_info()}) {
        copyByName(values, *infos);
    }
    std::unordered_map<std::string_view, const TensorProto*> stored;
    for (const TensorProto& weight : from.initializer()) {
        stored.emplace(weight.name(), &weight);
    }
    copyByName(stored, *to.mutable_initializer());
}

void copyToBodies(const GraphProto& from, GraphProto& to, bool isBody);

void copyToBodies(const NodeProto& from, NodeProto& to)
{
    for (const auto& attribute : from.attribute()) {
        auto* target = attribute.has_g() ? findAttribute(to, attribute.name()) : nullptr;
        if (target != nullptr && target->has_g()) {
            *target->mutable_g()->mutable_metadata_props() = attribute.g().metadata_props();
            copyValues(attribute.g(), *target->mutable_g());
            copyToBodies(attribute.g(), *target->mutable_g(), true);
        }
    }
}

/// Nodes with an equal output correspond.
void copyToBodies(const GraphProto& from, GraphProto& to, bool isBody)
{
    std::unordered_map<std::string_view, const NodeProto*> producers;
    for (const NodeProto& node : from.node()) {
        for (const std::string& output : node.output()) {
            if (!output.empty()) {
                producers.emplace(output, &node);
            }
        }
    }
    for (NodeProto& node : *to.mutable_node()) {
        const auto known =
            std::ranges::find_if(node.output(), [&](const std::string& output) { return producers.contains(output); });
        if (known == node.output().end()) {
            continue;
        }
        const NodeProto& source = *producers.at(*known);
        if (isBody) {
            *node.mutable_metadata_props() = source.metadata_props();
        }
        copyToBodies(source, node);
    }
}

} // namespace

void copyDenotations(const TypeProto& from, TypeProto& to)
{
    if (from.has_denotation()) {
        to.set_denotation(from.denotation());
    }
    if (!from.has_tensor_type() || !to.has_tensor_type() || !to.tensor_type().has_shape()) {
        return;
    }
    const auto& axes = from.tensor_type().shape().dim();
    auto& targets = *to.mutable_tensor_type()->mutable_shape()->mutable_dim();
    for (int i = 0; i < targets.size() && axes.size() == targets.size(); ++i) {
        if (axes[i].has_denotation()) {
            targets[i].set_denotation(axes[i].denotation());
        }
    }
}

void copyDescriptions(const GraphProto& from, GraphProto& to)
{
    *to.mutable_metadata_props() = from.metadata_props();
    copyValues(from, to);
    copyToBodies(from, to, false);
}

} // namespace crosswalk
