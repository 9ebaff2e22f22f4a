#include "core/onnx/lazy_model.h"

#include "core/onnx/proto.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

namespace crosswalk {

struct LazyModel::Read {
    std::mutex mutex;
    std::optional<OnnxModel> model;
};

LazyModel::LazyModel(OnnxModel model)
    : m_model(std::move(model))
{
}

LazyModel::LazyModel(std::shared_ptr<::onnx::ModelProto> frame, std::shared_ptr<const ModelParts> parts)
    : m_model{.proto = std::move(frame), .weights = {}}
    , m_parts(std::move(parts))
    , m_read(std::make_shared<Read>())
{
}

OnnxModel LazyModel::frameWithWeights() const
{
    assert(m_parts);
    OnnxModel model{.proto = std::make_shared<::onnx::ModelProto>(*m_model.proto), .weights = {}};
    m_parts->addWeights(model);
    return model;
}

std::uint64_t LazyModel::weightBytes() const
{
    const auto sum = [](const std::vector<Tensor>& weights) {
        std::uint64_t bytes = 0;
        for (const Tensor& weight : weights) {
            bytes += std::min(weight.bytes(), std::numeric_limits<std::uint64_t>::max() - bytes);
        }
        return bytes;
    };
    return sum(m_parts ? frameWithWeights().weights : m_model.weights);
}

const OnnxModel& LazyModel::whole() const
{
    if (!m_parts) {
        return m_model;
    }
    const std::scoped_lock lock(m_read->mutex);
    if (!m_read->model) {
        OnnxModel model = frameWithWeights();
        auto& graph = *model.proto->mutable_graph();
        m_parts->forEachNode([&](::onnx::NodeProto& node) { graph.add_node()->Swap(&node); });
        m_parts->forEachType([&](::onnx::ValueInfoProto& type) { graph.add_value_info()->Swap(&type); });
        m_read->model = std::move(model);
    }
    return *m_read->model;
}

OnnxModel& LazyModel::whole()
{
    if (m_parts) {
        m_model = std::as_const(*this).whole();
        m_parts.reset();
        m_read.reset();
    }
    return m_model;
}

} // namespace crosswalk
