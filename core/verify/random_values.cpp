#include "core/verify/random_values.h"

#include "core/onnx/node.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"
#include "core/onnx/proto_reads.h"

#include <algorithm>
#include <map>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

class RandomNodes {
public:
    explicit RandomNodes(const OnnxModel& model)
    {
        for (std::size_t i = 0; i < model.weights.size(); ++i) {
            const auto& stub = model.proto->graph().initializer(static_cast<int>(i));
            if (model.weights[i].type() == ElementType::Bool && model.weights[i].elements() == 1) {
                m_flags[stub.name()] = model.weights[i].toInts().front() != 0;
            }
        }
        // A function may call one that follows it.
        for (bool isNew = true; isNew;) {
            isNew = false;
            for (const auto& function : model.proto->functions()) {
                const Key key{function.domain(), function.name()};
                isNew = (drawIn(function.node()) && m_functions.insert(key).second) || isNew;
            }
        }
    }

    bool draws(const NodeProto& node) const
    {
        if (m_functions.contains({node.domain(), node.op_type()})) {
            return true;
        }
        const bool isOnnx = isOnnxDomain(node.domain());
        if (isOnnx && (node.op_type() == "Dropout" ? isTraining(node) : isRandom(node.op_type()))) {
            return true;
        }
        return std::ranges::any_of(node.attribute(), [this](const auto& attribute) {
            return attribute.has_g() && drawIn(attribute.g().node());
        });
    }

private:
    using Key = std::pair<std::string, std::string>;

    bool drawIn(const auto& nodes) const
    {
        return std::ranges::any_of(nodes, [this](const NodeProto& node) { return draws(node); });
    }

    /// Since opset 12 an input says so; a computed one may.
    bool isTraining(const NodeProto& node) const
    {
        const std::string mode = inputOf(node, 2);
        const auto known = m_flags.find(mode);
        return !mode.empty() && (known == m_flags.end() || known->second);
    }

    std::map<std::string, bool> m_flags; ///< stored booleans
    std::set<Key> m_functions;           ///< that draw numbers
};

} // namespace

std::set<std::string> randomValues(const OnnxModel& model)
{
    const RandomNodes nodes(model);
    std::set<std::string> random;
    for (const NodeProto& node : model.proto->graph().node()) {
        bool isDrawn = nodes.draws(node);
        forEachRead(node, [&](const std::string& name) { isDrawn = isDrawn || random.contains(name); });
        if (isDrawn) {
            random.insert(node.output().begin(), node.output().end());
        }
    }
    random.erase(std::string());
    return random;
}

} // namespace crosswalk
