#include "core/formats/tensorflow/references.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// The highest output index; a larger one means a damaged file.
constexpr std::uint32_t highestIndex = (1U << 16U) - 1;

[[noreturn]] void damagedReference(std::string_view node, std::string message)
{
    ModelError error("damaged", std::move(message));
    error.diagnostic.node = node;
    throw error;
}

std::optional<std::uint32_t> indexOf(std::string_view digits)
{
    std::uint32_t index = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    const bool isNumber = error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
    return isNumber && index <= highestIndex ? std::optional(index) : std::nullopt;
}

} // namespace

References::References(const Scope& scope)
    : m_scope(scope)
    , m_outputs(scope.nodes.size())
    , m_isOpen(scope.nodes.size())
    , m_argumentSizes(scope.function != nullptr ? scope.function->signature.inputs.size() : 0, 1)
{
    indexNames();
    for (const NodeDef& node : scope.nodes) {
        for (const std::string_view input : node.inputs) {
            noteOpenOutputs(input);
        }
    }
    if (scope.function != nullptr) {
        for (const NamePair& result : scope.function->results) {
            noteOpenOutputs(result.value);
        }
    }
    addOutputs();
}

void References::indexNames()
{
    if (m_scope.function != nullptr) {
        const auto& arguments = m_scope.function->signature.inputs;
        for (std::uint32_t i = 0; i < arguments.size(); ++i) {
            m_arguments.emplace(arguments[i].name, i);
        }
    }
    m_nodes.reserve(m_scope.nodes.size());
    for (std::uint32_t i = 0; i < m_scope.nodes.size(); ++i) {
        const NodeDef& node = m_scope.nodes[i];
        if (!m_nodes.emplace(node.name, i).second) {
            damagedReference(node.name,
                             fmt::format("two nodes have this name (the second one at byte {})", node.begin));
        }
        const auto function = m_scope.functions.find(node.op);
        const OpDef* op = function != m_scope.functions.end() ? &function->second->signature : findOpDef(node.op);
        m_isOpen[i] = op == nullptr;
        if (op != nullptr) {
            try {
                m_outputs[i] = outputsOf(node, *op);
            } catch (const ModelError& error) {
                damagedReference(node.name, error.diagnostic.message);
            }
            countOutputs(m_outputs[i].types.size());
        }
    }
}

References::Parts References::split(std::string_view text) const
{
    Parts parts;
    if (text.starts_with('^')) {
        return {.name = text.substr(1), .output = {}, .index = 0, .isControl = true};
    }
    const std::size_t colon = text.find(':');
    parts.name = text.substr(0, colon);
    if (colon == std::string_view::npos) {
        return parts;
    }
    std::string_view rest = text.substr(colon + 1);
    const std::size_t second = rest.find(':');
    if (second != std::string_view::npos) {
        parts.output = rest.substr(0, second);
        rest = rest.substr(second + 1);
    }
    if (const auto index = indexOf(rest)) {
        parts.index = *index;
    } else if (parts.output.empty()) {
        parts.output = rest; // `name:output`
    } else {
        damagedReference({}, fmt::format("'{}' is not a reference to an output", text));
    }
    return parts;
}

void References::noteOpenOutputs(std::string_view text)
{
    const Parts parts = split(text);
    if (const auto argument = m_arguments.find(parts.name); argument != m_arguments.end()) {
        std::uint32_t& size = m_argumentSizes[argument->second];
        size = std::max(size, parts.index + 1);
        return;
    }
    const auto node = m_nodes.find(parts.name);
    if (parts.isControl || node == m_nodes.end() || !m_isOpen[node->second]) {
        return;
    }
    auto& arguments = m_outputs[node->second].arguments;
    auto argument = std::find_if(arguments.begin(), arguments.end(),
                                 [&](const NodeOutputs::Argument& each) { return each.name == parts.output; });
    if (argument == arguments.end()) {
        argument = arguments.insert(arguments.end(), {.name = parts.output});
    }
    argument->count = std::max(argument->count, parts.index + 1);
}

void References::addOutputs()
{
    for (std::size_t i = 0; i < m_outputs.size(); ++i) {
        NodeOutputs& outputs = m_outputs[i];
        if (m_isOpen[i]) {
            if (outputs.arguments.empty()) {
                outputs.arguments.push_back({.name = {}, .first = 0, .count = 1});
            }
            std::uint32_t count = 0;
            for (NodeOutputs::Argument& argument : outputs.arguments) {
                argument.first = count;
                count += argument.count;
            }
            if (count > highestIndex) {
                damagedReference(m_scope.nodes[i].name, fmt::format("{} outputs: no node has that many", count));
            }
            countOutputs(count);
            outputs.types.resize(count, DataType::Invalid);
        }
    }
    for (const std::uint32_t size : m_argumentSizes) {
        countOutputs(size);
    }
}

void References::countOutputs(std::size_t outputs)
{
    if (outputs > 1) {
        m_scope.budget.addImpliedOutputs(outputs - 1);
    }
}

std::optional<Reference> References::resolve(std::string_view text, std::string_view reader) const
{
    const Parts parts = split(text);
    if (const auto argument = m_arguments.find(parts.name); argument != m_arguments.end()) {
        const Reference reference{Reference::Kind::Argument, argument->second, parts.index};
        return parts.isControl ? std::nullopt : std::optional(reference);
    }
    const auto node = m_nodes.find(parts.name);
    if (node == m_nodes.end()) {
        damagedReference(reader, fmt::format("reads '{}', but there is no node '{}'", text, parts.name));
    }
    if (parts.isControl) {
        return Reference{Reference::Kind::Control, node->second, 0};
    }
    const NodeOutputs& outputs = m_outputs[node->second];
    if (parts.output.empty() && !m_isOpen[node->second]) {
        if (parts.index < outputs.types.size()) {
            return Reference{Reference::Kind::Output, node->second, parts.index};
        }
    } else if (const auto output = outputs.find(parts.output, parts.index)) {
        return Reference{Reference::Kind::Output, node->second, *output};
    }
    damagedReference(reader, fmt::format("reads '{}', but node '{}' ({}) has no such output", text, parts.name,
                                         m_scope.nodes[node->second].op));
}

} // namespace crosswalk::tensorflow
