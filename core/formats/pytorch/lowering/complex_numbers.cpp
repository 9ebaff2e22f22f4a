#include "core/formats/pytorch/lowering/complex_numbers.h"

#include "core/formats/pytorch/argument_names.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>
#include <optional>

namespace crosswalk::pytorch {
namespace {

/// The real and the imaginary part of a value.
struct Parts {
    ValueId real;
    ValueId imaginary;
};

ElementType partType(ElementType type)
{
    return type == ElementType::Complex128 ? ElementType::Float64 : ElementType::Float32;
}

template <std::size_t count>
bool isAtenOneOf(std::string_view op, const std::array<std::string_view, count>& names)
{
    constexpr std::string_view space = "aten::";
    return op.starts_with(space) && std::ranges::find(names, op.substr(space.size())) != names.end();
}

/// Operators that read the sizes of their operand alone.
bool isOfSizes(std::string_view op)
{
    return isAtenOneOf(op, std::to_array<std::string_view>({"dim", "len", "numel", "size", "sym_numel", "sym_size"}));
}

/// Operators that act on both parts alike.
bool isOfEachPart(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>({"view",
                                                                   "reshape",
                                                                   "_unsafe_view",
                                                                   "view_as",
                                                                   "reshape_as",
                                                                   "flatten",
                                                                   "unflatten",
                                                                   "ravel",
                                                                   "unsqueeze",
                                                                   "squeeze",
                                                                   "permute",
                                                                   "transpose",
                                                                   "swapaxes",
                                                                   "swapdims",
                                                                   "t",
                                                                   "mT",
                                                                   "numpy_T",
                                                                   "movedim",
                                                                   "moveaxis",
                                                                   "expand",
                                                                   "expand_as",
                                                                   "broadcast_to",
                                                                   "repeat",
                                                                   "tile",
                                                                   "slice",
                                                                   "narrow",
                                                                   "select",
                                                                   "split",
                                                                   "chunk",
                                                                   "unbind",
                                                                   "flip",
                                                                   "roll",
                                                                   "unfold",
                                                                   "alias",
                                                                   "clone",
                                                                   "contiguous",
                                                                   "detach",
                                                                   "index",
                                                                   "gather",
                                                                   "sum",
                                                                   "mean",
                                                                   "cumsum",
                                                                   "diagonal",
                                                                   "tril",
                                                                   "triu",
                                                                   "neg",
                                                                   "negative",
                                                                   "lift_fresh",
                                                                   "lift_fresh_copy",
                                                                   "resolve_conj",
                                                                   "resolve_neg",
                                                                   "index_select",
                                                                   "split_with_sizes",
                                                                   "fft_fftshift",
                                                                   "fft_ifftshift"});
    return isAtenOneOf(op, names);
}

/// The same, of several tensors, of which some may be real.
bool isJoin(std::string_view op)
{
    return isAtenOneOf(op, std::to_array<std::string_view>({"cat", "concat", "concatenate", "stack", "where"}));
}

bool isProduct(std::string_view op)
{
    return isAtenOneOf(
        op, std::to_array<std::string_view>({"mul", "multiply", "matmul", "mm", "bmm", "mv", "dot", "outer"}));
}

/// Spectra, which return complex numbers.
bool isSpectrum(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"fft_fft", "fft_ifft", "fft_fft2", "fft_ifft2", "fft_fftn", "fft_ifftn", "fft_rfft", "fft_rfft2", "fft_rfftn",
         "fft_ihfft", "fft_ihfft2", "fft_ihfftn", "_fft_r2c", "_fft_c2c", "stft"});
    return isAtenOneOf(op, names);
}

/// Their inverses, which return real numbers.
bool isSignal(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"fft_irfft", "fft_irfft2", "fft_irfftn", "fft_hfft", "fft_hfft2", "fft_hfftn", "_fft_c2r", "istft"});
    return isAtenOneOf(op, names);
}

class Splitting {
public:
    explicit Splitting(GraphRewriter& graph)
        : m_rewriter(graph)
    {
    }

    /// Returns the nodes of complex numbers that have no form.
    std::vector<NodeId> run()
    {
        std::vector<NodeId> others;
        for (std::uint32_t i = 0; i < m_rewriter.sourceNodes(); ++i) {
            const Node node = m_rewriter.graph().node(NodeId{i});
            const bool reads =
                std::ranges::any_of(node.inputs, [&](ValueId input) { return partsOf(input).has_value(); });
            if (!reads && !returnsComplex(node) && !isSignal(node.op)) {
                continue;
            }
            m_node = &node;
            m_id = NodeId{i};
            m_isSplit = false;
            split(node);
            if (reads && !m_isSplit) {
                others.push_back(m_id);
            }
        }
        for (const auto& [made, source] : m_made) {
            m_rewriter.addOrigins(made, std::array{source});
        }
        return others;
    }

private:
    using Arguments = std::vector<std::pair<std::string, ValueId>>;

    bool returnsComplex(const Node& node) const
    {
        const auto* type = attributeOf<ElementType>(node, "dtype");
        return isSpectrum(node.op) || node.op == "aten::view_as_complex" || node.op == "aten::complex" ||
               node.op == "aten::polar" || (type != nullptr && isComplex(*type));
    }

    /// The parts of a complex value; those of a stored one are cut out of its bytes.
    std::optional<Parts> partsOf(ValueId value)
    {
        if (!value) {
            return std::nullopt;
        }
        const auto found = m_parts.find(value);
        if (found != m_parts.end()) {
            return found->second;
        }
        const Tensor* given = m_rewriter.graph().tensorOf(value);
        if (given == nullptr || !isComplex(given->type())) {
            return std::nullopt;
        }
        const Tensor stored = *given; // adding weights moves those of the graph
        std::vector<std::byte> bytes(stored.bytes());
        stored.read(0, bytes);
        const std::size_t width =
            bytes.size() / std::max<std::size_t>(static_cast<std::size_t>(stored.elements()), 1) / 2;
        std::vector<std::byte> halves[2];
        for (std::size_t at = 0; at < bytes.size(); at += width) {
            auto& half = halves[at / width % 2];
            half.insert(half.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at),
                        bytes.begin() + static_cast<std::ptrdiff_t>(at + width));
        }
        const ElementType type = partType(stored.type());
        const std::string name = m_rewriter.graph().value(value).name;
        const Parts parts{
            m_rewriter.addWeight(name + ".real", Tensor::owned(type, stored.dims(), std::move(halves[0]))),
            m_rewriter.addWeight(name + ".imag", Tensor::owned(type, stored.dims(), std::move(halves[1])))};
        m_parts.emplace(value, parts);
        return parts;
    }

    ValueId made(const std::string& op, const Arguments& arguments, std::vector<Attribute> attributes = {})
    {
        return madeAll(op, arguments, std::move(attributes), 1)[0];
    }

    ValueIds madeAll(const std::string& op, const Arguments& arguments, std::vector<Attribute> attributes,
                     std::size_t outputs)
    {
        std::vector<std::string> names;
        ValueIds inputs;
        for (const auto& [name, value] : arguments) {
            names.push_back(name);
            inputs.push_back(value);
        }
        attributes.push_back({std::string(argumentNames), std::move(names)});
        const std::size_t before = m_rewriter.graph().nodeCount();
        ValueIds values = m_rewriter.add(op, std::move(inputs), std::move(attributes), outputs, m_node->name);
        if (m_rewriter.graph().nodeCount() > before && !values.empty()) {
            m_made.emplace_back(values[0], m_id);
        }
        return values;
    }

    ValueId two(const char* op, ValueId a, ValueId b)
    {
        return made(std::string("aten::") + op, {{"self", a}, {"other", b}});
    }
    ValueId one(const char* op, ValueId x) { return made(std::string("aten::") + op, {{"self", x}}); }

    /// The inputs by their names.
    Arguments argumentsOf(const Node& node) const
    {
        const auto* names = attributeOf<std::vector<std::string>>(node, argumentNames);
        Arguments arguments;
        for (std::size_t i = 0; names != nullptr && i < node.inputs.size() && i < names->size(); ++i) {
            arguments.emplace_back((*names)[i], node.inputs[i]);
        }
        return arguments;
    }

    ValueId argument(const Node& node, std::string_view name) const
    {
        for (const auto& [own, value] : argumentsOf(node)) {
            if (own == name) {
                return value;
            }
        }
        return {};
    }

    /// What the file stores of a node: without the names of its inputs, and with the type of a part for that of
    /// numbers.
    static std::vector<Attribute> settingsOf(const Node& node)
    {
        std::vector<Attribute> settings;
        for (Attribute attribute : node.attributes) {
            if (attribute.name == argumentNames) {
                continue;
            }
            if (auto* type = std::get_if<ElementType>(&attribute.value); type != nullptr && isComplex(*type)) {
                *type = partType(*type);
            }
            settings.push_back(std::move(attribute));
        }
        return settings;
    }

    void define(ValueId value, Parts parts)
    {
        m_parts[value] = parts;
        m_isSplit = true;
    }

    void becomes(const Node& node, ValueId real)
    {
        m_rewriter.replace(node.outputs[0], real);
        m_isSplit = true;
    }

    /// Both parts of an operand; a real one has the imaginary part 0.
    Parts complexOf(ValueId value)
    {
        const auto parts = partsOf(value);
        return parts ? *parts : Parts{value, one("zeros_like", value)};
    }

    /// The node on each part.
    void splitEach(const Node& node, bool isOfAll)
    {
        ValueIds halves[2];
        for (std::size_t half = 0; half < 2; ++half) {
            Arguments arguments = argumentsOf(node);
            for (auto& [name, value] : arguments) {
                const bool isReal = name == "condition" || name == "alpha" || name.starts_with("indices");
                if (const auto parts = isOfAll && !isReal ? complexOf(value) : partsOf(value)) {
                    value = half == 0 ? parts->real : parts->imaginary;
                }
            }
            halves[half] = madeAll(node.op, arguments, settingsOf(node), node.outputs.size());
        }
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            define(node.outputs[i], {halves[0][i], halves[1][i]});
        }
    }

    /// A product, of matrices too.
    Parts product(const Node& node, Parts a, Parts b)
    {
        const Arguments names = argumentsOf(node);
        const auto times = [&](ValueId x, ValueId y) {
            return made(node.op, {{names[0].first, x}, {names[1].first, y}}, settingsOf(node));
        };
        return {two("sub", times(a.real, b.real), times(a.imaginary, b.imaginary)),
                two("add", times(a.real, b.imaginary), times(a.imaginary, b.real))};
    }

    void splitProduct(const Node& node)
    {
        const bool isNumber = node.inputs.size() < 2;
        const bool isBoth = !isNumber && partsOf(node.inputs[0]) && partsOf(node.inputs[1]);
        if (!isBoth) {
            splitEach(node, false);
            return;
        }
        define(node.outputs[0], product(node, *partsOf(node.inputs[0]), *partsOf(node.inputs[1])));
    }

    void splitSum(const Node& node)
    {
        const ValueId factor = argument(node, "alpha");
        if (factor && partsOf(factor)) {
            return;
        }
        if (node.attribute("self") == nullptr && node.attribute("other") == nullptr) {
            splitEach(node, true);
            return;
        }
        const bool isFirst = node.attribute("other") != nullptr && node.op != "aten::rsub";
        const Parts x = complexOf(node.inputs[0]); // and a real number, whose imaginary part is 0
        const auto sumWith = [&](ValueId part, bool isReal) {
            Arguments arguments = argumentsOf(node);
            arguments[0].second = part;
            std::vector<Attribute> settings = settingsOf(node);
            for (Attribute& setting : settings) {
                if (!isReal && (setting.name == "self" || setting.name == "other")) {
                    setting.value = std::int64_t{0};
                }
            }
            return made(node.op, arguments, std::move(settings));
        };
        define(node.outputs[0], {sumWith(x.real, true), isFirst ? x.imaginary : sumWith(x.imaginary, false)});
    }

    /// What reads nothing but the sizes of complex operands reads those of their real parts.
    void readSizes(const Node& node)
    {
        Arguments arguments = argumentsOf(node);
        for (auto& [name, value] : arguments) {
            const auto parts = partsOf(value);
            value = parts ? parts->real : value;
        }
        const ValueIds results = madeAll(node.op, arguments, settingsOf(node), node.outputs.size());
        for (std::size_t i = 0; i < results.size(); ++i) {
            m_rewriter.replace(node.outputs[i], results[i]);
        }
        m_isSplit = true;
    }

    void splitQuotient(const Node& node)
    {
        if (node.inputs.size() < 2 || !partsOf(node.inputs[1])) {
            if (argument(node, "self") && partsOf(argument(node, "self"))) {
                splitEach(node, false);
            }
            return;
        }
        const Parts a = complexOf(node.inputs[0]);
        const Parts b = complexOf(node.inputs[1]);
        const ValueId size = two("add", two("mul", b.real, b.real), two("mul", b.imaginary, b.imaginary));
        const ValueId real = two("add", two("mul", a.real, b.real), two("mul", a.imaginary, b.imaginary));
        const ValueId imaginary = two("sub", two("mul", a.imaginary, b.real), two("mul", a.real, b.imaginary));
        define(node.outputs[0], {two("div", real, size), two("div", imaginary, size)});
    }

    void splitSpectrum(const Node& node)
    {
        Arguments arguments;
        for (const auto& [name, value] : argumentsOf(node)) {
            const auto parts = partsOf(value);
            arguments.emplace_back(name, parts ? parts->real : value);
            if (parts) {
                arguments.emplace_back(name + ".imag", parts->imaginary);
            }
        }
        const std::string op = "complex" + node.op.substr(node.op.find(':'));
        if (isSignal(node.op)) {
            becomes(node, made(op, arguments, settingsOf(node)));
            return;
        }
        const auto outputs = madeAll(op, arguments, settingsOf(node), 2);
        const auto* isKept = attributeOf<bool>(node, "return_complex");
        if (node.op == "aten::stft" && (isKept == nullptr || !*isKept)) {
            becomes(node, joined({outputs[0], outputs[1]}));
            return;
        }
        define(node.outputs[0], {outputs[0], outputs[1]});
    }

    /// Both parts on a last axis of two.
    ValueId joined(Parts parts)
    {
        return made("aten::stack", {{"tensors[0]", parts.real}, {"tensors[1]", parts.imaginary}},
                    {{"tensors", Ints{0, 0}}, {"dim", std::int64_t{-1}}});
    }

    ValueId lastOf(ValueId pairs, std::int64_t index)
    {
        return made("aten::select", {{"self", pairs}}, {{"dim", std::int64_t{-1}}, {"index", index}});
    }

    void split(const Node& node)
    {
        const std::string_view op = node.op;
        const auto first = node.inputs.empty() ? std::nullopt : partsOf(node.inputs[0]);
        if (isSpectrum(op) || isSignal(op)) {
            splitSpectrum(node);
        } else if (op == "aten::view_as_complex" && !first) {
            define(node.outputs[0], {lastOf(node.inputs[0], 0), lastOf(node.inputs[0], 1)});
        } else if (op == "aten::complex") {
            define(node.outputs[0], {argument(node, "real"), argument(node, "imag")});
        } else if (op == "aten::polar") {
            const ValueId size = argument(node, "abs");
            const ValueId angle = argument(node, "angle");
            define(node.outputs[0], {two("mul", size, one("cos", angle)), two("mul", size, one("sin", angle))});
        } else if (op == "aten::to" || op == "aten::_to_copy") {
            convert(node);
        } else if (isOfSizes(op) || (isOfEachPart(op) && !first && node.attribute("dtype") == nullptr)) {
            readSizes(node); // view_as of real numbers, too
        } else if (isOfEachPart(op) && first) {
            splitEach(node, false);
        } else if (isJoin(op)) {
            splitEach(node, true);
        } else if (isProduct(op)) {
            splitProduct(node);
        } else if (op == "aten::add" || op == "aten::sub" || op == "aten::rsub") {
            splitSum(node);
        } else if (op == "aten::div" || op == "aten::true_divide") {
            splitQuotient(node);
        } else if (first) {
            splitFunction(node, *first);
        }
    }

    void splitFunction(const Node& node, Parts x)
    {
        const std::string_view op = node.op;
        if (op == "aten::view_as_real") {
            becomes(node, joined(x));
        } else if (op == "aten::real") {
            becomes(node, x.real);
        } else if (op == "aten::imag") {
            becomes(node, x.imaginary);
        } else if (op == "aten::abs" || op == "aten::absolute") {
            becomes(node, one("sqrt", two("add", two("mul", x.real, x.real), two("mul", x.imaginary, x.imaginary))));
        } else if (op == "aten::angle") {
            becomes(node, two("atan2", x.imaginary, x.real));
        } else if (op == "aten::conj" || op == "aten::_conj" || op == "aten::conj_physical") {
            define(node.outputs[0], {x.real, one("neg", x.imaginary)});
        } else if (op == "aten::adjoint" || op == "aten::mH") {
            define(node.outputs[0], {one("mT", x.real), one("neg", one("mT", x.imaginary))});
        } else if (op == "aten::exp") {
            const ValueId size = one("exp", x.real);
            define(node.outputs[0],
                   {two("mul", size, one("cos", x.imaginary)), two("mul", size, one("sin", x.imaginary))});
        } else if (op == "aten::reciprocal") {
            const ValueId size = two("add", two("mul", x.real, x.real), two("mul", x.imaginary, x.imaginary));
            define(node.outputs[0], {two("div", x.real, size), one("neg", two("div", x.imaginary, size))});
        } else if (op == "aten::square" || isSquare(node)) {
            const ValueId crossed = two("mul", x.real, x.imaginary);
            define(node.outputs[0], {two("sub", two("mul", x.real, x.real), two("mul", x.imaginary, x.imaginary)),
                                     two("add", crossed, crossed)});
        }
    }

    static bool isSquare(const Node& node)
    {
        const auto* exponent = attributeOf<std::int64_t>(node, "exponent");
        return node.op == "aten::pow" && node.inputs.size() == 1 && exponent != nullptr && *exponent == 2;
    }

    /// To another type of complex numbers, from real ones, or to them, which drops the imaginary part.
    void convert(const Node& node)
    {
        const auto* type = attributeOf<ElementType>(node, "dtype");
        const ValueId x = node.inputs.empty() ? ValueId{} : node.inputs[0];
        if (!x) {
            return;
        }
        const auto parts = partsOf(x);
        if (parts && type != nullptr && !isComplex(*type)) {
            Arguments arguments = argumentsOf(node);
            arguments[0].second = parts->real;
            becomes(node, made(node.op, arguments, settingsOf(node)));
            return;
        }
        splitEach(node, true);
    }

    GraphRewriter& m_rewriter;
    std::map<ValueId, Parts> m_parts;
    const Node* m_node = nullptr; ///< that is being split
    NodeId m_id;
    std::vector<std::pair<ValueId, NodeId>> m_made; ///< the first output of each added node, and the node it is for
    bool m_isSplit = false;                         ///< the node that is being split
};

} // namespace

std::vector<NodeId> splitComplexNumbers(GraphRewriter& graph)
{
    return Splitting(graph).run();
}

} // namespace crosswalk::pytorch
