#include "core/api/without_exceptions.h"
#include "core/compare/model_diff.h"
#include "core/formats/read_model.h"
#include "crosswalk/crosswalk.h"

#include <algorithm>

namespace crosswalk {
namespace {

DiffReport reportOf(const Graph& first, const Graph& second, const std::stop_token& stop)
{
    ModelDiff diff = compareGraphs(first, second, stop);
    const NodeNames names(first);
    const NodeNames others(second);
    DiffReport report{.model = std::move(diff.model), .same = diff.count(Change::Same)};
    for (std::uint32_t i = 0; i < diff.ofFirst.size(); ++i) {
        const NodeId id{i};
        NodeChange node{diff.ofFirst[i], names.of(id), first.node(id).op};
        if (node.change == Change::Changed) {
            node.counterpart = others.of(diff.match.ofFirst[i]);
            node.differences = std::move(diff.differences[i]);
        }
        if (node.change != Change::Same) {
            report.nodes.push_back(std::move(node));
        }
    }
    for (std::uint32_t i = 0; i < diff.ofSecond.size(); ++i) {
        if (diff.ofSecond[i] == Change::Added) {
            report.nodes.push_back({Change::Added, others.of(NodeId{i}), second.node(NodeId{i}).op});
        }
    }
    return report;
}

} // namespace

std::size_t DiffReport::count(Change change) const
{
    const auto isOne = [&](const NodeChange& node) { return node.change == change; };
    return change == Change::Same ? same : static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), isOne));
}

Result<DiffReport> diff(const Model& first, const Model& second, std::stop_token stop)
{
    for (const Model* model : {&first, &second}) {
        const auto& problems = model->loaded().problems;
        const auto error = std::ranges::find(problems, Severity::Error, &Diagnostic::severity);
        if (error != problems.end()) { // what was not read of it is not compared
            return *error;
        }
    }
    return withoutExceptions<DiffReport>([&] { return reportOf(*first.loaded().graph, *second.loaded().graph, stop); });
}

} // namespace crosswalk
