#include "core/rewrite/axis_tracker.h"

#include "core/onnx/node.h"
#include "core/onnx/proto_reads.h"

#include <algorithm>
#include <array>

namespace crosswalk {
namespace {

/// Whether the operator preserves the order of the elements.
bool keepsOrder(const std::string& op)
{
    static constexpr std::array<std::string_view, 5> names{"Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze"};
    return std::find(names.begin(), names.end(), op) != names.end();
}

Ints permutationOf(const ::onnx::NodeProto& node, std::size_t rank)
{
    if (const auto* perm = findAttribute(node, "perm")) {
        return {perm->ints().begin(), perm->ints().end()};
    }
    Ints reversed;
    for (std::size_t i = rank; i-- > 0;) {
        reversed.push_back(static_cast<std::int64_t>(i));
    }
    return reversed;
}

} // namespace

void AxisTracker::addInput(const std::string& name)
{
    const auto sizes = m_sized.dims(name);
    if (!sizes || std::none_of(sizes->begin(), sizes->end(), [](const Sizes& s) { return crosswalk::isChanging(s); })) {
        return;
    }
    auto& axes = m_axes[name];
    for (std::size_t axis = 0; axis < sizes->size(); ++axis) {
        const Sizes& size = (*sizes)[axis];
        if (crosswalk::isChanging(size)) {
            axes.push_back({{size[0], m_sources.size()}});
            m_sources.push_back({name, axis, size});
        } else {
            axes.push_back({{size[0]}});
        }
    }
}

void AxisTracker::setAxes(const std::string& value, std::vector<AxisFactors> axes)
{
    if (std::ranges::any_of(axes, [](const AxisFactors& axis) { return crosswalk::isChanging(axis); })) {
        m_axes[value] = std::move(axes);
    } else {
        m_axes.erase(value);
    }
}

std::optional<std::vector<AxisFactors>> AxisTracker::axes(const std::string& value) const
{
    if (const auto known = m_axes.find(value); known != m_axes.end()) {
        return known->second;
    }
    const auto sizes = m_sized.dims(value);
    if (!sizes) {
        return std::nullopt;
    }
    std::vector<AxisFactors> literals;
    for (const Sizes& size : *sizes) {
        literals.push_back({{size[0]}});
    }
    return literals;
}

bool AxisTracker::wasSingle(const AxisFactors& axis) const
{
    return std::any_of(axis.begin(), axis.end(), [](const AxisFactor& f) { return !f.isLiteral() && f.size == 1; });
}

std::optional<std::vector<AxisFactors>> AxisTracker::reorderedAxes(const ::onnx::NodeProto& node,
                                                                   const std::vector<Sizes>& sizes)
{
    const auto in = axes(node.input(0));
    if (!in) {
        return std::nullopt;
    }
    const auto fits = [&](const std::vector<AxisFactors>& out) {
        return std::equal(out.begin(), out.end(), sizes.begin(), sizes.end(),
                          [&](const AxisFactors& axis, const Sizes& size) { return sizesOf(axis, m_sources) == size; });
    };
    if (node.op_type() == "Transpose") {
        std::vector<AxisFactors> out;
        for (const std::int64_t axis : permutationOf(node, in->size())) {
            out.push_back(in->at(static_cast<std::size_t>(axis)));
        }
        return fits(out) ? std::optional(std::move(out)) : std::nullopt;
    }
    if (node.op_type() == "Tile") {
        const auto repeats = m_sized.literals(inputOf(node, 1));
        std::vector<AxisFactors> out;
        for (std::size_t axis = 0; repeats && axis < std::min(in->size(), repeats->size()); ++axis) {
            out.push_back({{(*repeats)[axis]}});
            out.back().insert(out.back().end(), (*in)[axis].begin(), (*in)[axis].end());
        }
        return fits(out) ? std::optional(std::move(out)) : std::nullopt;
    }
    Ints before;
    before.reserve(sizes.size());
    for (const Sizes& size : sizes) {
        before.push_back(size[0]);
    }
    // The inferred sizes determine the axis to which a factor of original size 1 was moved.
    for (std::size_t candidate = 0; candidate <= sizes.size(); ++candidate) {
        auto out = regrouped(*in, before, candidate == 0 ? std::nullopt : std::optional(candidate));
        if (out && fits(*out)) {
            return out;
        }
    }
    return regroupedBySizes(*in, sizes, m_sources);
}

/// The factors of an input's axis that has the same length at all three sizes; otherwise a new source.
AxisFactors AxisTracker::matchingAxis(const ::onnx::NodeProto& node, const std::string& output, std::size_t axis,
                                      const Sizes& sizes)
{
    std::optional<AxisFactors> same;
    std::optional<AxisFactors> any;
    bool isAmbiguous = false;
    forEachRead(node, [&](const std::string& input) {
        const auto known = m_axes.find(input);
        if (known == m_axes.end()) {
            return;
        }
        for (std::size_t i = 0; i < known->second.size(); ++i) {
            const AxisFactors& factors = known->second[i];
            if (!crosswalk::isChanging(factors) || sizesOf(factors, m_sources) != sizes) {
                continue;
            }
            if (i == axis && !same) {
                same = factors;
            }
            isAmbiguous = isAmbiguous || (any && *any != factors);
            any = factors;
        }
    });
    if (same) {
        return *same;
    }
    if (any && !isAmbiguous) {
        return *any;
    }
    m_sources.push_back({output, axis, sizes});
    return {{sizes[0], m_sources.size() - 1}};
}

bool AxisTracker::follow(const ::onnx::NodeProto& node)
{
    bool areTracked = true;
    for (const std::string& output : node.output()) {
        m_axes.erase(output); // bodies can have equal names
        const auto sizes = output.empty() ? std::nullopt : m_sized.dims(output);
        if (!sizes ||
            std::none_of(sizes->begin(), sizes->end(), [](const Sizes& s) { return crosswalk::isChanging(s); })) {
            continue;
        }
        if (keepsOrder(node.op_type()) || node.op_type() == "Transpose" || node.op_type() == "Tile") {
            if (auto axes = reorderedAxes(node, *sizes)) {
                m_axes[output] = std::move(*axes);
                continue;
            }
            areTracked = !keepsOrder(node.op_type());
        }
        std::vector<AxisFactors> axes;
        for (std::size_t axis = 0; axis < sizes->size(); ++axis) {
            const Sizes& size = (*sizes)[axis];
            axes.push_back(crosswalk::isChanging(size) ? matchingAxis(node, output, axis, size)
                                                       : AxisFactors{AxisFactor{size[0]}});
        }
        m_axes[output] = std::move(axes);
    }
    return areTracked;
}

} // namespace crosswalk
