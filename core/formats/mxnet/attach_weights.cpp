#include "core/formats/mxnet/attach_weights.h"

#include "core/formats/mxnet/match_by_order.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace crosswalk::mxnet {
namespace {

constexpr std::string_view ownWeights = "pass the weights of this model";

void say(std::vector<Diagnostic>& problems, Severity severity, Code code, std::string message,
         std::string_view hint = {})
{
    problems.push_back({.severity = severity, .code = code, .message = std::move(message), .hint = std::string(hint)});
}

class Attacher {
public:
    Attacher(BuiltGraph& built, const std::vector<StoredArray>& arrays, std::vector<Diagnostic>& problems)
        : m_graph(built.graph)
        , m_built(built)
        , m_arrays(arrays)
        , m_problems(problems)
    {
    }

    void attachAll()
    {
        if (m_arrays.empty()) {
            return;
        }
        if (!attachByName()) {
            attachOtherwise();
        }
        std::erase_if(m_graph.inputs, [&](ValueId input) { return static_cast<bool>(m_graph.value(input).tensor); });
    }

private:
    /// False if no name matches a variable.
    bool attachByName()
    {
        std::unordered_map<std::string_view, const StoredArray*> byName;
        for (const StoredArray& array : m_arrays) {
            byName.try_emplace(array.name, &array);
        }
        std::size_t used = 0;
        for (const Variable& variable : m_built.variables) {
            const std::string& name = m_graph.value(variable.value).name;
            const auto array = name.empty() ? byName.end() : byName.find(name);
            if (array != byName.end()) {
                attach(variable.value, array->second->tensor);
                array->second = nullptr;
                ++used;
            }
        }
        if (used > 0 && used < byName.size()) {
            noteUnused(byName);
        }
        return used > 0;
    }

    void noteUnused(const std::unordered_map<std::string_view, const StoredArray*>& byName)
    {
        std::vector<std::string_view> names;
        for (const auto& [name, array] : byName) {
            if (array != nullptr) {
                names.push_back(name);
            }
        }
        std::sort(names.begin(), names.end());
        constexpr std::size_t shown = 3;
        const std::size_t count = names.size();
        names.resize(std::min(count, shown));
        say(m_problems, Severity::Note, "unused-weights",
            fmt::format("the model does not use {} of the {} arrays in the weights file: {}{}", count, byName.size(),
                        fmt::join(names, ", "), count > shown ? ", ..." : ""));
    }

    void attachOtherwise()
    {
        if (!areStructural(m_arrays)) {
            say(m_problems, Severity::Warning, "foreign-weights",
                fmt::format("none of the {} arrays in the weights file has the name of a variable of the model",
                            m_arrays.size()),
                ownWeights);
            return;
        }
        const OrderMatch match = matchByOrder(m_built, m_arrays);
        if (!match.refusal.empty()) {
            say(m_problems, Severity::Error, "ambiguous-weights",
                "no array name in the weights file matches the model, and the arrays cannot be matched by order and "
                "shape: " +
                    match.refusal,
                "save both files together, in gluon with net.export(...)");
            return;
        }
        for (const auto& [value, array] : match.pairs) {
            attach(value, array->tensor);
        }
        say(m_problems, Severity::Note, "weights-by-order",
            fmt::format("the {} arrays of the weights file are matched by order and shape, because their names differ "
                        "from the model's",
                        m_arrays.size()));
    }

    void attach(ValueId id, const Tensor& tensor)
    {
        if (tensor.type() == ElementType::Undefined) {
            return; // MXNet can save an array without content; it is skipped.
        }
        Value& value = m_graph.value(id);
        if (value.type.shape && isFixed(*value.type.shape) && *value.type.shape != shapeOf(tensor.dims())) {
            say(m_problems, Severity::Error, "wrong-weight",
                fmt::format("the weight '{}' is {} in the weights file, but {} in the model", value.name,
                            toString(shapeOf(tensor.dims())), toString(*value.type.shape)),
                ownWeights);
        }
        value.type = {tensor.type(), shapeOf(tensor.dims())};
        value.tensor = m_graph.addTensor(tensor);
    }

    Graph& m_graph;
    BuiltGraph& m_built;
    const std::vector<StoredArray>& m_arrays;
    std::vector<Diagnostic>& m_problems;
};

} // namespace

void attachWeights(BuiltGraph& built, const std::vector<StoredArray>& arrays, std::vector<Diagnostic>& problems)
{
    Attacher(built, arrays, problems).attachAll();
}

} // namespace crosswalk::mxnet
