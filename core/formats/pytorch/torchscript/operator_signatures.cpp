#include "core/formats/pytorch/torchscript/operator_signatures.h"

#include <cassert>
#include <fmt/format.h>
#include <map>

namespace crosswalk::pytorch {
namespace {

ArgumentKind kindOf(char code)
{
    switch (code) {
    case 'T':
        return ArgumentKind::Tensor;
    case 'L':
        return ArgumentKind::TensorList;
    case 'O':
        return ArgumentKind::OptionalTensorList;
    case 'i':
        return ArgumentKind::Int;
    case 'I':
        return ArgumentKind::Ints;
    case 'f':
        return ArgumentKind::Float;
    case 'F':
        return ArgumentKind::Floats;
    case 'b':
        return ArgumentKind::Bool;
    case 'B':
        return ArgumentKind::Bools;
    case 'N':
        return ArgumentKind::Number;
    case 'M':
        return ArgumentKind::Numbers;
    case 's':
        return ArgumentKind::Text;
    case 'd':
        return ArgumentKind::ElementType;
    default:
        assert(code == 'x');
        return ArgumentKind::Ignored;
    }
}

SignatureArgument argumentIn(std::string_view text, bool isKeywordOnly)
{
    const std::size_t space = text.find(' ');
    const std::string_view code = text.substr(0, space);
    return {.name = text.substr(space + 1),
            .kind = kindOf(code[0]),
            .mayBeNone = code.find('?') != std::string_view::npos || code[0] == 'x',
            .hasDefault = code.ends_with('='),
            .isKeywordOnly = isKeywordOnly};
}

using Names = std::map<std::string, std::vector<Signature>, std::less<>>;

/// The first text of a row, up to the overload or the arguments.
std::string operatorOf(std::string_view row)
{
    const std::string_view name = row.substr(0, row.find_first_of(".("));
    return name.find(':') != std::string_view::npos ? std::string(name) : fmt::format("aten::{}", name);
}

Signature parsed(std::string_view row)
{
    const std::size_t open = row.find('(');
    const std::size_t close = row.find(')', open);
    const std::size_t dot = row.find('.');
    Signature signature;
    if (dot < open) {
        signature.overload = row.substr(dot + 1, open - dot - 1);
    }
    bool isKeywordOnly = false;
    for (std::size_t at = open + 1; at < close;) {
        const std::size_t end = std::min(row.find(',', at), close);
        const std::string_view argument = row.substr(at, end - at);
        if (argument == "*") {
            isKeywordOnly = true;
        } else {
            signature.arguments.push_back(argumentIn(argument, isKeywordOnly));
        }
        at = end + 1;
    }
    std::string_view results = row.substr(close + 1);
    if (results.starts_with('~')) {
        signature.isView = true;
        results.remove_prefix(1);
    }
    for (const char code : results) {
        signature.results.push_back(kindOf(code));
    }
    return signature;
}

Names makeTable()
{
    Names names;
    for (const std::string_view row : signatureRows()) {
        names[operatorOf(row)].push_back(parsed(row));
    }
    for (auto& [name, overloads] : names) {
        for (Signature& signature : overloads) {
            signature.op = name;
        }
    }
    return names;
}

} // namespace

std::span<const Signature> signaturesOf(std::string_view op)
{
    static const Names names = makeTable();
    const auto found = names.find(op);
    return found != names.end() ? std::span<const Signature>(found->second) : std::span<const Signature>();
}

} // namespace crosswalk::pytorch
