#include "core/formats/tensorflow/graph_def.h"

#include "core/base/diagnostic.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// Runs `parse`, and adds the name of the parsed object to an error without a name.
template <typename Parse>
void naming(const std::string_view& name, Parse&& parse)
{
    try {
        parse();
    } catch (ModelError& error) {
        if (error.diagnostic.node.empty()) {
            error.diagnostic.node = name;
        }
        throw;
    }
}

NodeDef parseNode(std::span<const std::byte> file, const WireField& field)
{
    NodeDef node;
    node.begin = field.begin;
    naming(node.name, [&] {
        WireReader reader = messageOf(file, field);
        for (WireField part; reader.next(part);) {
            switch (part.number) {
            case 1:
                node.name = textOf(part);
                break;
            case 2:
                node.op = textOf(part);
                break;
            case 3:
                node.inputs.push_back(textOf(part));
                break;
            case 4:
                node.device = textOf(part);
                break;
            case 5:
                appendAttr(file, part, node.attrs);
                break;
            default:
                break;
            }
        }
        if (node.name.empty() || node.op.empty()) {
            throw ModelError("damaged", fmt::format("the node at byte {} has no {}", field.begin,
                                                    node.name.empty() ? "name" : "operator"));
        }
        sortAttrs(node.attrs);
    });
    return node;
}

ArgDef parseArg(std::span<const std::byte> file, const WireField& field)
{
    ArgDef arg;
    WireReader reader = messageOf(file, field);
    for (WireField part; reader.next(part);) {
        switch (part.number) {
        case 1:
            arg.name = textOf(part);
            break;
        case 3:
            arg.type = dataType(static_cast<std::uint64_t>(integerOf(part)));
            break;
        case 4:
            arg.typeAttr = textOf(part);
            break;
        case 5:
            arg.numberAttr = textOf(part);
            break;
        case 6:
            arg.typeListAttr = textOf(part);
            break;
        default:
            break;
        }
    }
    return arg;
}

OpDef parseOpDef(std::span<const std::byte> file, const WireField& field)
{
    OpDef signature;
    WireReader reader = messageOf(file, field);
    for (WireField part; reader.next(part);) {
        switch (part.number) {
        case 1:
            signature.name = textOf(part);
            break;
        case 2:
            signature.inputs.push_back(parseArg(file, part));
            break;
        case 3:
            signature.outputs.push_back(parseArg(file, part));
            break;
        case 17:
            signature.isStateful = boolOf(part);
            break;
        default:
            break;
        }
    }
    return signature;
}

void appendPair(std::span<const std::byte> file, const WireField& field, std::vector<NamePair>& pairs)
{
    const MapEntry entry = mapEntryOf(file, field);
    pairs.push_back({entry.key, entry.value.number != 0 ? textOf(entry.value) : std::string_view()});
}

/// An entry of a map<uint32, ArgAttrs>.
void appendArgAttrs(std::span<const std::byte> file, const WireField& field, FunctionDef& function)
{
    auto& entry = function.argAttrs.emplace_back();
    WireReader reader = messageOf(file, field);
    for (WireField part; reader.next(part);) {
        if (part.number == 1) {
            entry.first = static_cast<std::uint32_t>(integerOf(part));
        } else if (part.number == 2) {
            WireReader attrs = messageOf(file, part);
            for (WireField attr; attrs.next(attr);) {
                if (attr.number == 1) {
                    appendAttr(file, attr, entry.second);
                }
            }
        }
    }
    sortAttrs(entry.second);
}

FunctionDef parseFunction(std::span<const std::byte> file, const WireField& field)
{
    FunctionDef function;
    function.begin = field.begin;
    naming(function.signature.name, [&] {
        WireReader reader = messageOf(file, field);
        for (WireField part; reader.next(part);) {
            switch (part.number) {
            case 1:
                function.signature = parseOpDef(file, part);
                break;
            case 3:
                function.nodes.push_back(parseNode(file, part));
                break;
            case 4:
                appendPair(file, part, function.results);
                break;
            case 5:
                appendAttr(file, part, function.attrs);
                break;
            case 6:
                appendPair(file, part, function.controlResults);
                break;
            case 7:
                appendArgAttrs(file, part, function);
                break;
            default:
                break;
            }
        }
        if (function.signature.name.empty()) {
            throw ModelError("damaged", fmt::format("the function at byte {} has no name", field.begin));
        }
        sortAttrs(function.attrs);
    });
    return function;
}

} // namespace

GraphDef parseGraphDef(std::span<const std::byte> file, std::size_t begin, std::size_t end,
                       const std::function<void()>& checkStop)
{
    GraphDef graph;
    WireReader reader(file, begin, end);
    for (WireField part; reader.next(part);) {
        if (part.number == 1) {
            checkStop();
            graph.nodes.push_back(parseNode(file, part));
        } else if (part.number == 2) {
            WireReader library = messageOf(file, part);
            for (WireField entry; library.next(entry);) {
                if (entry.number == 1) {
                    checkStop();
                    graph.functions.push_back(parseFunction(file, entry));
                }
            }
        } else if (part.number == 4) {
            WireReader versions = messageOf(file, part);
            for (WireField entry; versions.next(entry);) {
                graph.producer = entry.number == 1 ? integerOf(entry) : graph.producer;
            }
        } else if (part.number == 3 && graph.producer == 0) {
            graph.producer = integerOf(part); // of TensorFlow before 0.8
        }
    }
    return graph;
}

} // namespace crosswalk::tensorflow
