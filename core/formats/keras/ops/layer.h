#pragma once

#include "core/convert/emit.h"
#include "core/formats/keras/dtype_policy.h"
#include "core/formats/keras/keras_forms.h"
#include "core/formats/keras/ops/layer_settings.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace crosswalk::keras {

/// A call of a layer during its translation: of the node itself, or of a layer that the node's layer wraps. Tensors
/// are in the type in which the layer computes.
class Layer {
public:
    /// The call of the node.
    explicit Layer(NodeContext& context);
    /// The call of a layer that is a setting ("layer", "cells.0") of this one, with weights below `owner`.
    Layer inner(const std::string& setting, const std::string& owner, OnnxValues inputs) const;
    /// The same with named arguments.
    Layer inner(const std::string& setting, const std::string& owner, OnnxValues inputs,
                std::map<std::string, OnnxValue> named) const;
    /// The same without the casts of the inner layer, which computes in the type of this one.
    Layer innerInOwnType(const std::string& setting, const std::string& owner, OnnxValues inputs,
                         std::map<std::string, OnnxValue> named) const;
    /// A dense layer that this one consists of, "query_dense", called with x.
    Layer part(const std::string& owner, OnnxValue x) const;

    NodeContext& ctx;
    const std::string& op() const { return m_op; } ///< class of the layer or the operation
    Settings settings;

    int major() const { return m_major; } ///< version of Keras
    /// The type in which the layer computes; nothing for an operation and for layers of files without types.
    std::optional<ElementType> computeType() const { return m_computeType; }

    const DtypePolicy& policy() const { return m_policy; }
    bool isQuantized() const { return !m_policy.mode.empty(); }

    /// The tensors among the positional arguments, in order.
    std::size_t inputCount() const { return m_inputs.size(); }
    OnnxValue input(std::size_t i) const;
    const OnnxValues& inputs() const { return m_inputs; }
    /// A tensor that is passed by name, or by position ("0", "0.1"); absent if there is none. "initial_state.0".
    OnnxValue named(const std::string& name) const;
    /// The tensors that are passed by a name, or in lists of that name, in the order of the call.
    OnnxValues allNamed(const std::string& name) const;
    /// The implicit mask of an input, (batch, time); absent if it has none.
    OnnxValue mask(std::size_t i = 0) const;

    bool hasWeight(const std::string& path) const;
    /// With its correction of low rank (LoRA). Throws "missing-weight" if the layer has none.
    OnnxValue weight(const std::string& path) const;
    OnnxValue storedWeight(const std::string& path) const; ///< in the type that it is stored in
    /// Throws "wrong-weight" if the shape of a weight differs; unknown dimensions match any.
    OnnxValue weight(const std::string& path, const Shape& expected) const;
    /// Throws "wrong-weight" if the shape of `value`, the weight at a path, differs.
    void requireShape(const std::string& path, OnnxValue value, const Shape& expected) const;

    /// Throws as NodeContext does.
    [[noreturn]] void refuse(std::string message, std::string setting = {}, std::string hint = {}) const
    {
        ctx.refuse(std::move(message), std::move(setting), std::move(hint));
    }

private:
    Layer(NodeContext& context, Settings own, std::string op)
        : ctx(context)
        , settings(std::move(own))
        , m_op(std::move(op))
    {
    }
    void computeOperationWidely();
    std::string typeSetting() const;
    void readTypes(const std::string& policyName);
    Layer unconnected(const std::string& setting, const std::string& owner) const;
    void connect(const OnnxValues& inputs, std::map<std::string, OnnxValue> named);
    OnnxValue adapted(OnnxValue value) const;
    OnnxValue argument(OnnxValue value) const;
    void takeWeights(const Layer& from, const std::string& owner);

    std::string m_op;
    int m_major = 2;
    std::optional<ElementType> m_computeType;
    bool m_truncates = false; ///< floating-point arguments: Keras 3 casts them to the integers of the layer's type
    DtypePolicy m_policy;
    OnnxValues m_inputs;
    std::map<std::string, OnnxValue> m_named;
    std::vector<std::string> m_order; ///< of the names in the call of a node
    std::map<std::string, OnnxValue> m_weights;
};

} // namespace crosswalk::keras
