#include "core/verify/size_matching.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk {
namespace {

[[noreturn]] void refuse(const RuntimeSession::Port& original, const RuntimeSession::Port& edited)
{
    throw ModelError("other-size",
                     fmt::format("input {} is now {}, but {} in the original: no input is valid for both", edited.name,
                                 toString(*edited.type.shape), toString(*original.type.shape)));
}

} // namespace

SizeMatching::SizeMatching(const std::vector<RuntimeSession::Port>& original,
                           const std::vector<RuntimeSession::Port>& edited,
                           const std::map<std::string, std::string>& originals, TimeAxes timeAxes)
    : m_timeAxes(std::move(timeAxes))
{
    for (const auto& port : edited) {
        const auto renamed = originals.find(port.name);
        const std::string& name = renamed != originals.end() ? renamed->second : port.name;
        const auto found =
            std::find_if(original.begin(), original.end(), [&](const auto& o) { return o.name == name; });
        if (found != original.end() && found->type.shape && port.type.shape) {
            pair(*found, port);
        }
    }
    for (const auto& port : original) {
        const Shape shape = port.type.shape.value_or(Shape());
        if (shape.size() > 1 && !shape.front().symbol().empty()) {
            m_sizes.try_emplace(shape.front().symbol(), 2);
        }
    }
    m_sizes.erase(std::string());
    if (m_fixed > 1) {
        m_times = {m_fixed};
    } else if (!m_opened.empty() && m_limit.empty()) {
        m_times = {1, 3, 8};
    }
}

/// A batch axis is the first axis, or the second in tensors of rank 3 or less (time, batch, features). Time axes are
/// not batch axes.
bool SizeMatching::canBeBatchAxis(const std::string& input, std::size_t axis, std::size_t rank) const
{
    const auto times = m_timeAxes.find(input);
    return (axis == 0 || (axis == 1 && rank <= 3)) && (times == m_timeAxes.end() || !times->second.contains(axis));
}

void SizeMatching::pair(const RuntimeSession::Port& original, const RuntimeSession::Port& edited)
{
    const Shape& was = *original.type.shape;
    const Shape& now = *edited.type.shape;
    if (was.size() != now.size()) {
        refuse(original, edited);
    }
    std::vector<std::size_t> opened;
    for (std::size_t axis = 0; axis < was.size(); ++axis) {
        if (was[axis] == now[axis]) {
            continue;
        }
        if (!was[axis].isFixed()) {
            if (now[axis].isFixed()) {
                m_given[original.name][axis] = now[axis].size;
                m_sizes[was[axis].symbol()] = now[axis].size;
            }
        } else if (!now[axis].isFixed()) {
            opened.push_back(axis);
        } else {
            const std::int64_t times = was[axis].size > 0 ? now[axis].size / was[axis].size : 0;
            const bool isMultiple = times > 1 && times * was[axis].size == now[axis].size;
            const bool isFirst = m_opened.empty() && m_fixed == 0;
            if (!isMultiple || !canBeBatchAxis(original.name, axis, was.size()) || (!isFirst && m_fixed != times) ||
                m_opened.contains(original.name)) {
                refuse(original, edited);
            }
            m_fixed = times;
            m_opened[original.name] = axis;
        }
    }
    if (!opened.empty()) {
        open(original.name, opened, now);
    }
}

void SizeMatching::open(const std::string& input, const std::vector<std::size_t>& axes, const Shape& now)
{
    std::vector<std::size_t> batchAxes;
    std::ranges::copy_if(axes, std::back_inserter(batchAxes),
                         [&](std::size_t axis) { return canBeBatchAxis(input, axis, now.size()); });
    if (batchAxes.size() > 1) { // the usual name of the batch axis
        std::erase_if(batchAxes, [&](std::size_t axis) { return now[axis].symbol() != "N"; });
    }
    for (const std::size_t axis : axes) {
        if (batchAxes.size() != 1 || axis != batchAxes.front()) {
            m_held = fmt::format("axis {} of {} is not a batch axis: the original accepts only one size", axis, input);
        }
    }
    if (batchAxes.size() != 1) {
        return;
    }
    const std::string& symbol = now[batchAxes.front()].symbol();
    if (m_opened.contains(input)) {
        m_limit =
            fmt::format("axis {} of {} is symbolic, and another axis is a multiple: the original accepts only one size",
                        batchAxes.front(), input);
    } else if (!m_opened.empty() && m_symbol != symbol) {
        m_limit = fmt::format("{} and {} are symbolic: the original accepts only one size of each", m_symbol, symbol);
    }
    m_symbol = symbol;
    m_opened.emplace(input, batchAxes.front());
}

void SizeMatching::setShapes(const std::map<std::string, Shape, std::less<>>& shapes,
                             const std::vector<RuntimeSession::Port>& original)
{
    for (const auto& [name, wanted] : shapes) {
        const auto port = std::ranges::find(original, name, &RuntimeSession::Port::name);
        if (port == original.end()) {
            throw ModelError("usage", fmt::format("--shape: the original has no input '{}'", name));
        }
        const Shape own = port->type.shape.value_or(Shape());
        bool fits = own.size() == wanted.size();
        for (std::size_t axis = 0; axis < own.size() && fits; ++axis) {
            fits = wanted[axis].isFixed() && (!own[axis].isFixed() || own[axis] == wanted[axis]);
            if (fits && !own[axis].isFixed()) {
                const auto [given, isNew] = m_given[name].try_emplace(axis, wanted[axis].size);
                fits = isNew || given->second == wanted[axis].size;
                m_sizes[own[axis].symbol()] = wanted[axis].size;
            }
        }
        if (!fits) {
            throw ModelError("usage", fmt::format("--shape {}: the original requires {}, not {}", name, toString(own),
                                                  toString(wanted)));
        }
    }
    m_sizes.erase(std::string());
}

std::vector<std::int64_t> SizeMatching::original(const RuntimeSession::Port& port, std::int64_t freeSize) const
{
    std::vector<std::int64_t> dims;
    const auto given = m_given.find(port.name);
    const Shape shape = port.type.shape.value_or(Shape());
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis].isFixed()) {
            dims.push_back(shape[axis].size);
        } else if (given != m_given.end() && given->second.contains(axis)) {
            dims.push_back(given->second.at(axis));
        } else {
            const auto known = m_sizes.find(shape[axis].symbol());
            dims.push_back(known != m_sizes.end() ? known->second : freeSize);
        }
    }
    return dims;
}

std::optional<std::size_t> SizeMatching::openedAxis(const std::string& original) const
{
    const auto found = m_opened.find(original);
    return found != m_opened.end() ? std::optional(found->second) : std::nullopt;
}

} // namespace crosswalk
