#include "core/onnx/builder.h"

#include "core/base/budget.h"
#include "core/base/diagnostic.h"
#include "core/graph/unknown_dim.h"

#include "core/onnx/builder_state.h"
#include "core/onnx/fold.h"
#include "core/onnx/node.h"
#include "core/onnx/operand_checks.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto_reads.h"
#include "core/onnx/size_arithmetic.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace crosswalk {
namespace {

constexpr std::int64_t mostSizes = 64; ///< more than tensors have axes

/// Whether an equal node can be reused. Not a random operator, which returns other numbers; not one of another domain,
/// which may have side effects; and not an Identity, whose purpose is to create a separate value.
bool isRepeatable(const ::onnx::NodeProto& node)
{
    return node.domain().empty() && !isRandom(node.op_type()) && node.op_type() != "Identity" && !hasBody(node);
}

/// Only constants up to this many bytes are deduplicated; larger ones are not worth comparing.
constexpr std::uint64_t shareLimit = 256;

std::string shareKey(const Tensor& tensor)
{
    std::string key = fmt::format("{};{};", static_cast<int>(tensor.type()), fmt::join(tensor.dims(), ","));
    const auto bytes = tensor.toBytes();
    key.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (tensor.type() == ElementType::String) {
        for (const std::string& value : tensor.toStrings()) {
            key += fmt::format("{}:{}", value.size(), value);
        }
    }
    return key;
}

void fillAttribute(const OnnxAttribute& attribute, ::onnx::AttributeProto& proto)
{
    proto.set_name(std::string(attribute.name));
    struct Fill {
        ::onnx::AttributeProto& proto;
        void operator()(std::int64_t v) const
        {
            proto.set_type(::onnx::AttributeProto::INT);
            proto.set_i(v);
        }
        void operator()(float v) const
        {
            proto.set_type(::onnx::AttributeProto::FLOAT);
            proto.set_f(v);
        }
        void operator()(const std::string& v) const
        {
            proto.set_type(::onnx::AttributeProto::STRING);
            proto.set_s(v);
        }
        void operator()(const Ints& v) const
        {
            proto.set_type(::onnx::AttributeProto::INTS);
            proto.mutable_ints()->Add(v.begin(), v.end());
        }
        void operator()(const Floats& v) const
        {
            proto.set_type(::onnx::AttributeProto::FLOATS);
            proto.mutable_floats()->Add(v.begin(), v.end());
        }
        void operator()(const std::vector<std::string>& v) const
        {
            proto.set_type(::onnx::AttributeProto::STRINGS);
            for (const std::string& s : v) {
                proto.add_strings(s);
            }
        }
        void operator()(const Tensor& v) const
        {
            proto.set_type(::onnx::AttributeProto::TENSOR);
            fillStub(v, *proto.mutable_t());
            if (v.type() != ElementType::String) {
                const auto bytes = v.toBytes();
                proto.mutable_t()->set_raw_data(bytes.data(), bytes.size());
            }
        }
        void operator()(const OnnxBody& v) const
        {
            proto.set_type(::onnx::AttributeProto::GRAPH);
            *proto.mutable_g() = *v;
        }
    };
    std::visit(Fill{proto}, attribute.value);
}

} // namespace

OnnxBuilder::OnnxBuilder(int opset, const Budget& budget)
    : m_opset(opset)
    , m_state(std::make_unique<State>(opset, budget))
{
}
OnnxBuilder::~OnnxBuilder() = default;

OnnxValue OnnxBuilder::State::addValue(TensorType type)
{
    const OnnxValue id{static_cast<std::uint32_t>(values.size())};
    Known& known = values.emplace_back();
    known.id = idName(id);
    setType(id, type);
    return id;
}

void OnnxBuilder::State::setType(OnnxValue value, const TensorType& type)
{
    Known& known = at(value);
    known.element = type.element;
    known.shape = type.shape;
    if (known.shape) {
        for (Dim& dim : *known.shape) {
            if (dim.isUnknown()) { // a unique symbol, so that data propagation can distinguish it
                dim = Dim(fmt::format("{}{}", unknownDimMark, nextSymbol++));
            }
        }
    }
    if (known.element == ElementType::Undefined) {
        types.erase(known.id);
        return;
    }
    toProto({known.element, known.shape}, known.proto);
    types[known.id] = &known.proto;
}

OnnxValue OnnxBuilder::State::addConstant(Tensor tensor)
{
    const OnnxValue id = addValue({tensor.type(), shapeOf(tensor.dims())});
    Known& known = at(id);
    fillStub(tensor, known.stub);
    if (tensor.bytes() <= OnnxModel::stubLimit) {
        contents[known.id] = &known.stub;
    }
    known.content = std::move(tensor);
    return id;
}

OnnxValue OnnxBuilder::input(std::string name, TensorType type)
{
    const OnnxValue id = m_state->addValue(type);
    m_state->at(id).name = std::move(name);
    m_state->at(id).isInput = true;
    m_state->inputs.push_back(id);
    return id;
}

OnnxValue OnnxBuilder::weight(std::string name, Tensor tensor)
{
    const OnnxValue id = m_state->addConstant(std::move(tensor));
    m_state->at(id).name = std::move(name);
    return id;
}

/// Counts and sizes of a file can be anything.
void OnnxBuilder::State::countEmitted(std::size_t outputs)
{
    const std::size_t emitted = std::exchange(emittedOfSource, 0) + std::max<std::size_t>(outputs, 1);
    budget.expectEmitted(emitted); // if it throws, the node is replaced by a gap
    emittedOfSource = emitted;
}

OnnxValue OnnxBuilder::constant(Tensor tensor)
{
    m_state->countEmitted(1);
    if (tensor.bytes() > shareLimit) {
        const OnnxValue id = m_state->addConstant(std::move(tensor));
        m_state->at(id).base = m_state->sourceName;
        return id;
    }
    const auto [entry, isNew] = m_state->shared.try_emplace(shareKey(tensor));
    if (isNew) {
        entry->second = m_state->addConstant(std::move(tensor));
        m_state->at(entry->second).base = m_state->sourceName;
    }
    return entry->second;
}

OnnxValues OnnxBuilder::add(std::string_view op, const OnnxValues& inputs, const OnnxAttributes& attributes,
                            std::size_t outputs, std::string_view domain)
{
    assert(op != "Constant" || !domain.empty()); // the nodes that read it would not be checked with its content
    State& state = *m_state;
    state.countEmitted(outputs);
    ::onnx::NodeProto node;
    node.set_op_type(std::string(op));
    node.set_domain(std::string(domain));
    std::size_t last = inputs.size();
    while (last > 0 && !inputs[last - 1]) {
        --last; // omit trailing absent inputs
    }
    for (std::size_t i = 0; i < last; ++i) {
        node.add_input(inputs[i] ? state.at(inputs[i]).id : std::string());
    }
    for (const OnnxAttribute& attribute : attributes) {
        fillAttribute(attribute, *node.add_attribute());
        if (const auto* tensor = std::get_if<Tensor>(&attribute.value)) {
            state.attributeBytes += tensor->bytes();
        }
    }
    const std::string key =
        isRepeatable(node) ? fmt::format("{} {}", outputs, node.SerializeAsString()) : std::string();
    if (const auto before = state.repeatable.find(key); before != state.repeatable.end()) {
        return before->second;
    }
    OnnxValues results;
    for (std::size_t i = 0; i < outputs; ++i) {
        results.push_back(state.addValue({}));
        node.add_output(state.at(results.back()).id);
    }
    state.infer(node, results);
    const std::vector<const Tensor*> contents = state.contentsOf(inputs);
    checkOperands(node, contents, [&](const std::string& value) {
        const auto type = state.types.find(value);
        return type != state.types.end() ? fromProto(*type->second).shape : std::nullopt;
    });
    state.propagateSizes(node, inputs, results);
    if (auto known = state.fold(node, inputs, contents, results)) {
        return {constant(std::move(*known))};
    }
    if (op == "Cast" && domain.empty()) {
        state.at(results.front()).castFrom = state.at(inputs.front()).element;
    }
    state.scopes.back().nodes.push_back({std::move(node), state.sourceName, state.sources});
    ++state.emitted;
    if (!key.empty()) {
        state.repeatable.emplace(key, results);
    }
    return results;
}

void OnnxBuilder::State::propagateSizes(const ::onnx::NodeProto& node, const OnnxValues& inputs,
                                        const OnnxValues& results)
{
    if (results.size() != 1) {
        return;
    }
    const auto& type = at(results.front());
    const bool isSize = type.element == ElementType::Int64 && type.shape &&
                        (type.shape->empty() || (type.shape->size() == 1 && type.shape->front().isFixed()));
    if (!isSize || propagated.contains(type.id)) {
        return;
    }
    const std::int64_t count = type.shape->empty() ? 1 : type.shape->front().size;
    if (count < 1 || count > mostSizes) {
        return;
    }
    std::vector<std::optional<std::vector<Dim>>> known;
    for (const OnnxValue input : inputs) {
        known.push_back(input ? integers(input) : std::nullopt);
    }
    if (const auto sizes = computedSizes(node, known, static_cast<std::size_t>(count))) {
        auto& data = propagated[type.id];
        for (const std::int64_t size : *sizes) {
            data.add_dim()->set_dim_value(size);
        }
    }
}

std::vector<const Tensor*> OnnxBuilder::State::contentsOf(const OnnxValues& inputs)
{
    std::vector<const Tensor*> contents;
    for (const OnnxValue input : inputs) {
        contents.push_back(input && at(input).content ? &*at(input).content : nullptr);
    }
    return contents;
}

std::optional<Tensor> OnnxBuilder::State::fold(const ::onnx::NodeProto& node, const OnnxValues& inputs,
                                               std::span<const Tensor* const> contents, const OnnxValues& results)
{
    if (results.size() != 1 || contents.empty() || contents.front() == nullptr) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i] && contents[i] == nullptr) {
            return std::nullopt;
        }
    }
    return folded(node, contents, {at(results[0]).element, at(results[0]).shape});
}

OnnxValue OnnxBuilder::add(std::string_view op, const OnnxValues& inputs, const OnnxAttributes& attributes)
{
    return add(op, inputs, attributes, 1).front();
}

ElementType OnnxBuilder::element(OnnxValue value) const
{
    return m_state->at(value).element;
}

const std::optional<Shape>& OnnxBuilder::shape(OnnxValue value) const
{
    return m_state->at(value).shape;
}

const Tensor* OnnxBuilder::content(OnnxValue value) const
{
    const auto& content = m_state->at(value).content;
    return content ? &*content : nullptr;
}

ElementType OnnxBuilder::castFrom(OnnxValue value) const
{
    return m_state->at(value).castFrom;
}

std::optional<std::vector<Dim>> OnnxBuilder::integers(OnnxValue value) const
{
    return m_state->integers(value);
}

std::optional<std::vector<Dim>> OnnxBuilder::State::integers(OnnxValue value) const
{
    const Known& known = values[value.index];
    if (known.content) {
        if (!isInteger(known.element) || known.content->rank() > 1 || known.content->bytes() > OnnxModel::stubLimit) {
            return std::nullopt;
        }
        const auto values = known.content->toInts();
        return std::vector<Dim>(values.begin(), values.end());
    }
    const auto entry = propagated.find(known.id);
    if (entry == propagated.end()) {
        return std::nullopt;
    }
    std::vector<Dim> result;
    for (const auto& dim : entry->second.dim()) {
        result.push_back(dim.has_dim_value() ? Dim(dim.dim_value()) : Dim(dim.dim_param()));
    }
    return result;
}

void OnnxBuilder::refine(OnnxValue value, const Shape& shape)
{
    const auto& known = m_state->at(value);
    Shape merged = shape;
    if (known.shape) {
        if (known.shape->size() != shape.size()) {
            throw ModelError("shape-conflict", fmt::format("its output has shape {}, but {} is inferred",
                                                           toString(shape), toString(*known.shape)));
        }
        for (std::size_t i = 0; i < shape.size(); ++i) {
            const Dim& inferred = (*known.shape)[i];
            if (inferred.isFixed() && shape[i].isFixed() && inferred != shape[i]) {
                throw ModelError("shape-conflict", fmt::format("its output has shape {}, but {} is inferred",
                                                               toString(shape), toString(*known.shape)));
            }
            if (!shape[i].isFixed() && (inferred.isFixed() || shape[i].isUnknown())) {
                merged[i] = inferred;
            }
        }
    }
    m_state->setType(value, {known.element, merged});
}

void OnnxBuilder::refineElement(OnnxValue value, ElementType type)
{
    m_state->setType(value, {type, m_state->at(value).shape});
}

void OnnxBuilder::setName(OnnxValue value, const std::string& name)
{
    auto& known = m_state->at(value);
    if (known.name.empty()) {
        known.name = name;
    }
}

void OnnxBuilder::setSource(std::string name, std::vector<NodeRef> sources)
{
    m_state->repeatable.clear();
    m_state->emittedOfSource = 0;
    m_state->sourceName = std::move(name);
    m_state->sources = std::move(sources);
}

const std::string& OnnxBuilder::sourceName() const
{
    return m_state->sourceName;
}

const std::vector<NodeRef>& OnnxBuilder::source() const
{
    return m_state->sources;
}

void OnnxBuilder::output(OnnxValue value, const std::string& name)
{
    const auto& known = m_state->at(value);
    if (known.isOutput || known.content || (known.isInput && known.name != name)) {
        value = add("Identity", {value});
    }
    m_state->at(value).isOutput = true;
    m_state->outputs.push_back({value, name});
}

void OnnxBuilder::beginBody()
{
    if (m_state->scopes.size() > Budget::bodyDepth) {
        throw ModelError(
            "too-large",
            fmt::format("its bodies would be nested more than {} deep, which ONNX files cannot be", Budget::bodyDepth));
    }
    m_state->repeatable.clear();
    m_state->scopes.emplace_back();
}

OnnxValue OnnxBuilder::bodyInput(TensorType type)
{
    assert(m_state->scopes.size() > 1);
    const OnnxValue id = m_state->addValue(type);
    m_state->scopes.back().inputs.push_back(id);
    return id;
}

OnnxBody OnnxBuilder::endBody(const OnnxValues& outputs)
{
    State& state = *m_state;
    assert(state.scopes.size() > 1);
    state.repeatable.clear();
    // An output of a body must be computed in the body, and may be listed only once.
    std::unordered_set<std::string> free;
    for (const State::Emitted& emitted : state.scopes.back().nodes) {
        free.insert(emitted.proto.output().begin(), emitted.proto.output().end());
    }
    OnnxValues made;
    for (const OnnxValue output : outputs) {
        made.push_back(free.erase(state.at(output).id) != 0 ? output : add("Identity", {output}));
    }
    auto graph = std::make_shared<::onnx::GraphProto>();
    graph->set_name("body");
    State::Scope scope = std::move(state.scopes.back());
    state.scopes.pop_back();
    state.dropDead(scope.nodes, made);
    for (const OnnxValue input : scope.inputs) {
        state.describe(input, *graph->add_input(), true);
    }
    for (State::Emitted& emitted : scope.nodes) {
        state.markSources(emitted);
        *graph->add_node() = std::move(emitted.proto);
    }
    for (const OnnxValue output : made) {
        state.describe(output, *graph->add_output(), true);
    }
    return graph;
}

std::size_t OnnxBuilder::bodyDepth() const
{
    return m_state->scopes.size() - 1;
}

void OnnxBuilder::dropBodies(std::size_t depth)
{
    assert(depth <= bodyDepth());
    m_state->repeatable.clear();
    m_state->scopes.resize(depth + 1);
}

/// Eliminates dead nodes of a body; finish() does the same for the top-level graph.
void OnnxBuilder::State::dropDead(std::vector<Emitted>& nodes, const OnnxValues& outputs)
{
    std::unordered_set<std::string> needed;
    for (const OnnxValue output : outputs) {
        needed.insert(at(output).id);
    }
    std::vector<Emitted> kept;
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
        const auto& made = node->proto.output();
        if (std::any_of(made.begin(), made.end(), [&](const std::string& id) { return needed.contains(id); })) {
            forEachRead(node->proto, [&](const std::string& id) { needed.insert(id); });
            kept.push_back(std::move(*node));
        }
    }
    nodes.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
}

std::size_t OnnxBuilder::emitted() const
{
    return m_state->emitted;
}

std::uint64_t OnnxBuilder::attributeBytes() const
{
    return m_state->attributeBytes;
}

const std::string& OnnxBuilder::name(OnnxValue value) const
{
    return m_state->at(value).name;
}

} // namespace crosswalk
