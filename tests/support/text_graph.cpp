#include "tests/support/text_graph.h"

#include "core/formats/mxnet/attribute_parser.h"
#include "core/formats/onnx/onnx_reader.h"
#include "core/graph/attribute_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace crosswalk::test {
namespace {

Shape parseShape(const std::string& text)
{
    Shape shape;
    std::istringstream dims(text);
    for (std::string dim; std::getline(dims, dim, 'x');) {
        shape.push_back(std::isdigit(static_cast<unsigned char>(dim[0])) != 0 ? Dim(std::stoll(dim)) : Dim(dim));
    }
    return shape;
}

Tensor counting(const Shape& shape)
{
    std::vector<std::int64_t> dims;
    for (const Dim& dim : shape) {
        dims.push_back(dim.size);
    }
    std::vector<float> values(static_cast<std::size_t>(*elementCount(shape)));
    std::iota(values.begin(), values.end(), 0.0F);
    for (float& value : values) {
        value /= static_cast<float>(values.size());
    }
    return Tensor::of<float>(ElementType::Float32, dims, values);
}

class Parser {
public:
    Graph run(std::string_view text)
    {
        std::istringstream lines{std::string(text)};
        for (std::string line; std::getline(lines, line);) {
            const auto begin = line.find_first_not_of(' ');
            if (begin != std::string::npos) {
                parseLine(line.substr(begin));
            }
        }
        return std::move(m_graph);
    }
    Graph m_graph;

private:
    void parseLine(const std::string& line)
    {
        std::istringstream words(line);
        std::vector<std::string> names;
        std::string word;
        while (words >> word && word != "=") {
            if (word == "output") {
                words >> word;
                m_graph.outputs.push_back(m_values.at(word));
                return;
            }
            names.push_back(word.ends_with(',') ? word.substr(0, word.size() - 1) : word);
        }
        words >> word;
        if (word == "input") {
            return addInput(names.at(0), words);
        }
        if (word == "weight") {
            words >> word;
            const ValueId id = m_graph.addValue({.name = names.at(0)});
            const Tensor tensor = counting(parseShape(word));
            m_graph.value(id).type = {tensor.type(), shapeOf(tensor.dims())};
            m_graph.value(id).tensor = m_graph.addTensor(tensor);
            m_graph.value(id).role = Role::Parameter;
            m_values[names[0]] = id;
            return;
        }
        addNode(names, word, words);
    }

    void addInput(const std::string& name, std::istringstream& words)
    {
        Value value{.name = name};
        for (std::string word; words >> word;) {
            if (const auto type = elementTypeFromName(word)) {
                value.type.element = *type;
            } else {
                value.type.shape = parseShape(word);
            }
        }
        m_values[name] = m_graph.addValue(value);
        m_graph.inputs.push_back(m_values[name]);
    }

    void addNode(const std::vector<std::string>& names, std::string call, std::istringstream& words)
    {
        while (call.find(')') == std::string::npos) {
            std::string more;
            if (!(words >> more)) {
                throw std::invalid_argument("no ) in " + call);
            }
            call += more;
        }
        const auto open = call.find('(');
        Node node{.op = call.substr(0, open), .name = names.at(0)};
        std::istringstream arguments(call.substr(open + 1, call.size() - open - 2));
        for (std::string argument; std::getline(arguments, argument, ',');) {
            node.inputs.push_back(m_values.at(argument));
        }
        for (std::string word; words >> word;) {
            const auto mark = word.find('=');
            node.attributes.push_back(mxnet::parsedAttribute(word.substr(0, mark), word.substr(mark + 1)));
        }
        const NodeId id = m_graph.addNode(std::move(node));
        for (const std::string& name : names) {
            m_values[name] = m_graph.addOutput(id, name);
        }
    }

    std::map<std::string, ValueId> m_values;
};

std::string show(const Graph& graph, ValueId id)
{
    const Tensor* stored = graph.tensorOf(id);
    constexpr std::int64_t few = 8;
    if (stored == nullptr || stored->elements() > few || graph.value(id).name.find("constant") == std::string::npos) {
        return graph.value(id).name;
    }
    return fmt::format("[{}]", fmt::join(stored->toDoubles(), ","));
}

struct Show {
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(double v) const { return fmt::format("{:.6g}", v); }
    std::string operator()(const std::string& v) const { return v; }
    std::string operator()(const std::vector<std::int64_t>& v) const { return fmt::format("[{}]", fmt::join(v, ",")); }
    std::string operator()(const std::vector<double>& v) const { return fmt::format("[{:.6g}]", fmt::join(v, ",")); }
    std::string operator()(const std::vector<std::string>& v) const { return fmt::format("[{}]", fmt::join(v, ",")); }
    std::string operator()(TensorId) const { return "tensor"; }
    std::string operator()(SubgraphId) const { return "graph"; }
    std::string operator()(const std::vector<SubgraphId>&) const { return "graphs"; }
    template <typename Other>
    std::string operator()(const Other& v) const
    {
        return attributeText(AttributeValue(v), Graph());
    }
};

std::string show(const AttributeValue& value)
{
    return std::visit(Show{}, value);
}

} // namespace

Graph textGraph(std::string_view text, bool numpyShapes)
{
    Parser parser;
    parser.m_graph.format = "mxnet";
    parser.m_graph.metadata["is_np_shape"] = numpyShapes ? "1" : "0";
    return parser.run(text);
}

std::string dump(const OnnxModel& model)
{
    const Graph graph = graphOf(model);
    std::string text;
    for (const Node& node : graph.nodes()) {
        std::vector<std::string> outputs;
        std::vector<std::string> inputs;
        std::vector<std::string> attributes;
        for (const ValueId id : node.outputs) {
            outputs.push_back(id ? graph.value(id).name : "-");
        }
        for (const ValueId id : node.inputs) {
            inputs.push_back(id ? show(graph, id) : "-");
        }
        for (const Attribute& attribute : node.attributes) {
            attributes.push_back(fmt::format(" {}={}", attribute.name, show(attribute.value)));
        }
        std::sort(attributes.begin(), attributes.end());
        text += fmt::format("{} = {}({}){}\n", fmt::join(outputs, ", "), node.op, fmt::join(inputs, ", "),
                            fmt::join(attributes, ""));
    }
    return text;
}

} // namespace crosswalk::test
