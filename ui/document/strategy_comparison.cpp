#include "ui/document/strategy_comparison.h"

#include "core/formats/onnx_graph.h"
#include "core/onnx/work.h"
#include "core/verify/latency.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace crosswalk::ui {
namespace {

Result<Conversion> convertedWith(const StrategyComparison::Subject& subject, Strategy strategy,
                                 const std::stop_token& stop)
{
    ConvertOptions options = subject.options;
    options.strategies.insert_or_assign(subject.name, strategy);
    return convert(*subject.graph, options, stop);
}

StrategyCost costOf(const StrategyComparison::Subject& subject, Strategy strategy, const std::stop_token& stop)
{
    StrategyCost cost{strategy, {}, {}};
    auto conversion = convertedWith(subject, strategy, stop);
    if (!conversion || subject.node.index >= conversion.value().targets.size()) {
        return cost;
    }
    const auto& targets = conversion.value().targets[subject.node.index];
    if (conversion.value().verdicts[subject.node.index] == Verdict::Unsupported || targets.empty()) {
        return cost;
    }
    cost.nodes = targets.size();
    try {
        const auto works = worksByNode(graphOf(conversion.value()));
        std::int64_t sum = 0;
        for (const std::uint32_t target : targets) {
            if (works[target].unknownNodes > 0) {
                return cost;
            }
            sum += works[target].multiplyAdds;
        }
        cost.multiplyAdds = sum;
    } catch (const ModelError&) { // a graph that cannot be read has no known work
        return cost;
    }
    return cost;
}

/// The time of the ONNX nodes of the subject's node.
Result<double> secondsOf(const StrategyComparison::Subject& subject, Strategy strategy, const std::stop_token& stop)
{
    const auto conversion = convertedWith(subject, strategy, stop);
    if (!conversion) {
        return conversion.problem();
    }
    const auto latencies = measureLatency(conversion.value().model, subject.data, stop);
    if (!latencies) {
        return latencies.problem();
    }
    double sum = 0;
    for (const std::uint32_t target : conversion.value().targets[subject.node.index]) {
        sum += target < latencies.value().nodes.size() ? latencies.value().nodes[target].value_or(0) : 0;
    }
    return sum;
}

bool isSame(const CustomOperator& a, const CustomOperator& b)
{
    return a.domain == b.domain && a.name == b.name;
}

bool isSame(const StrategyComparison::Subject& a, const StrategyComparison::Subject& b)
{
    const auto fields = [](const ConvertOptions& options) {
        // Lists all members, so that a new one does not compile until it is considered here.
        const auto& [opset, shapes, types, recurrent, strategies, customOperators, renames, outputs, part,
                     scanOverBatch, reroll, optimize, fuseAttention] = options;
        return std::tie(opset, shapes, types, recurrent, strategies, renames, outputs, part, scanOverBatch, reroll,
                        optimize, fuseAttention);
    };
    const auto& customA = a.options.customOperators;
    const auto& customB = b.options.customOperators;
    return a.graph == b.graph && a.node == b.node && a.name == b.name && a.strategies == b.strategies &&
           a.data == b.data && fields(a.options) == fields(b.options) &&
           std::equal(customA.begin(), customA.end(), customB.begin(), customB.end(),
                      [](const auto& x, const auto& y) { return x.first == y.first && isSame(x.second, y.second); });
}

} // namespace

StrategyComparison::StrategyComparison(QObject* parent)
    : QObject(parent)
    , m_comparing(tr("Comparing strategies"), this)
    , m_measuring(tr("Measuring strategies"), this)
{
    connect(&m_comparing, &JobRunner::finished, this, [this] {
        if (m_costs.empty()) { // cancelled: the next request for the same node compares again
            m_subject.reset();
        }
    });
    connect(&m_measuring, &JobRunner::finished, this, &StrategyComparison::changed); // also if cancelled
}

void StrategyComparison::compare(Subject subject)
{
    subject.options.strategies.erase(subject.name);
    if (m_subject && isSame(*m_subject, subject)) {
        return;
    }
    clear();
    m_subject = subject;
    m_comparing.run(
        this,
        [subject = std::move(subject)](const std::stop_token& stop) {
            std::vector<StrategyCost> costs;
            for (const Strategy strategy : subject.strategies) {
                if (!stop.stop_requested()) {
                    costs.push_back(costOf(subject, strategy, stop));
                }
            }
            return costs;
        },
        [this](std::vector<StrategyCost> costs) {
            m_costs = std::move(costs);
            emit changed();
        });
}

void StrategyComparison::clear()
{
    m_subject.reset();
    m_costs.clear();
    m_comparing.cancel();
    m_measuring.cancel();
}

void StrategyComparison::measure()
{
    if (!m_subject || m_costs.empty()) {
        return;
    }
    m_measuring.run(
        this,
        [subject = *m_subject, costs = m_costs](const std::stop_token& stop) -> Result<std::vector<StrategyCost>> {
            auto measured = costs;
            for (StrategyCost& cost : measured) {
                if (!cost.nodes) {
                    continue;
                }
                const auto seconds = secondsOf(subject, cost.strategy, stop);
                if (!seconds) {
                    return seconds.problem();
                }
                cost.seconds = seconds.value();
            }
            return measured;
        },
        [this](const Result<std::vector<StrategyCost>>& measured) {
            if (measured) {
                m_costs = measured.value();
            } else {
                emit measuringFailed(measured.problem());
            }
        });
    emit changed();
}

} // namespace crosswalk::ui
