#include "core/formats/mxnet/outputs.h"

#include <algorithm>
#include <array>

namespace crosswalk::mxnet {
namespace {

OutputCount exactly(std::uint64_t visible, std::uint64_t all)
{
    return {visible, all, true};
}

template <std::uint64_t visible, std::uint64_t all = visible>
OutputCount fixed(AttributeSpan)
{
    return exactly(visible, all);
}

std::uint64_t positive(std::optional<std::int64_t> number)
{
    return number && *number > 0 ? static_cast<std::uint64_t>(*number) : 1;
}

OutputCount countFromNumOutputs(AttributeSpan attributes)
{
    const auto count = positive(integer(attributes, "num_outputs"));
    return exactly(count, count);
}

OutputCount countFromNumArgs(AttributeSpan attributes)
{
    const auto count = positive(integer(attributes, "num_args"));
    return exactly(count, count);
}

/// The requested outputs, of four; with a single output the others are hidden.
OutputCount unique(AttributeSpan attributes)
{
    std::uint64_t count = 1;
    for (const std::string_view name : {"return_index", "return_inverse", "return_counts"}) {
        count += flag(attributes, name, false) ? 1U : 0U;
    }
    return exactly(count, count);
}

OutputCount average(AttributeSpan attributes)
{
    return exactly(flag(attributes, "returned", false) ? 2 : 1, 2);
}

OutputCount split(AttributeSpan attributes)
{
    if (const auto sections = integer(attributes, "sections"); sections && *sections > 0) {
        return exactly(positive(sections), positive(sections));
    }
    // The split positions; the first is always 0.
    const auto indices = integers(attributes, "indices");
    const auto count = indices && !indices->empty() ? indices->size() : 1;
    return exactly(count, count);
}

OutputCount topk(AttributeSpan attributes)
{
    const auto kind = findAttribute(attributes, "ret_typ").value_or("indices");
    return kind == "both" ? exactly(2, 2) : exactly(1, kind == "value" ? 2 : 1);
}

OutputCount recurrentOutputs(AttributeSpan attributes)
{
    const bool states = flag(attributes, "state_outputs", false);
    const std::uint64_t count = !states ? 1 : findAttribute(attributes, "mode") == "lstm" ? 3 : 2;
    return exactly(count, count);
}

template <std::uint64_t all>
OutputCount normalisation(AttributeSpan attributes)
{
    return exactly(flag(attributes, "output_mean_var", false) ? 3 : 1, all);
}

OutputCount proposal(AttributeSpan attributes)
{
    return exactly(flag(attributes, "output_score", false) ? 2 : 1, 2);
}

OutputCount leakyReluOutputs(AttributeSpan attributes)
{
    return findAttribute(attributes, "act_type") == "rrelu" ? exactly(2, 2) : exactly(1, 1);
}

OutputCount sampled(AttributeSpan attributes)
{
    return flag(attributes, "get_prob", false) ? exactly(2, 2) : exactly(1, 1);
}

OutputCount quantizedProduct(AttributeSpan attributes)
{
    return flag(attributes, "enable_float_output", false) ? exactly(1, 1) : exactly(3, 3);
}

struct OutputRow {
    std::string_view op;
    OutputCount (*count)(AttributeSpan attributes);
    std::array<std::string_view, 3> names = {}; ///< empty: "output", numbered where there are several
};

// Operators with several outputs or with special output names, and the most common operators with one output.
constexpr auto outputRows = std::to_array<OutputRow>({
    {"Activation", fixed<1>},
    {"BatchNorm", normalisation<3>, {"output", "mean", "var"}},
    {"BatchNorm_v1", normalisation<3>, {"output", "mean", "var"}},
    {"BilinearSampler", fixed<1, 2>, {"output", "tmp"}},
    {"CTCLoss", fixed<1, 2>},
    {"Cast", fixed<1>},
    {"Concat", fixed<1>},
    {"Convolution", fixed<1>},
    {"Correlation", fixed<1, 3>, {"output", "tmp1", "tmp2"}},
    {"Deconvolution", fixed<1>},
    {"Dropout", fixed<1, 2>, {"output", "mask"}},
    {"Embedding", fixed<1>},
    {"Flatten", fixed<1>},
    {"FullyConnected", fixed<1>},
    {"GroupNorm", normalisation<3>, {"output", "mean", "std"}},
    {"InstanceNorm", fixed<1, 3>, {"output", "mean", "var"}},
    {"L2Normalization", fixed<1, 2>, {"output", "norm"}},
    {"LRN", fixed<1, 2>, {"output", "tmp_norm"}},
    {"LayerNorm", normalisation<3>, {"output", "mean", "std"}},
    {"LeakyReLU", leakyReluOutputs, {"output", "mask"}},
    {"LinearRegressionOutput", fixed<1>},
    {"LogisticRegressionOutput", fixed<1>},
    {"MAERegressionOutput", fixed<1>},
    {"RNN", recurrentOutputs, {"output", "state_output", "statecell_output"}},
    {"ROIPooling", fixed<1, 2>, {"output", "maxidx"}},
    {"Reshape", fixed<1>},
    {"SliceChannel", countFromNumOutputs},
    {"SoftmaxActivation", fixed<1>},
    {"SoftmaxOutput", fixed<1>},
    {"SpatialTransformer", fixed<1, 2>, {"output", "grid"}},
    {"SwapAxis", fixed<1>},
    {"WarpCTC", fixed<1>},
    {"_cond", countFromNumOutputs},
    {"_contrib_BatchNormWithReLU", normalisation<4>, {"output", "mean", "var"}},
    {"_contrib_DeformablePSROIPooling", fixed<1, 2>, {"output", "top_count"}},
    {"_contrib_MultiBoxTarget", fixed<3>, {"loc_target", "loc_mask", "cls_target"}},
    {"_contrib_MultiProposal", proposal, {"output", "score"}},
    {"_contrib_PSROIPooling", fixed<1, 2>, {"output", "mapping_channel"}},
    {"_contrib_Proposal", proposal, {"output", "score"}},
    {"_contrib_SyncBatchNorm", normalisation<3>, {"output", "mean", "var"}},
    {"_contrib_bipartite_matching", fixed<2>},
    {"_contrib_box_encode", fixed<2>},
    {"_contrib_box_nms", fixed<1, 2>},
    {"_contrib_hawkesll", fixed<2>},
    {"_contrib_mrcnn_mask_target", fixed<2>},
    {"_contrib_quantize", fixed<3>},
    {"_contrib_quantize_v2", fixed<3>},
    {"_contrib_quantized_act", fixed<3>, {"output", "min_output", "max_output"}},
    {"_contrib_quantized_batch_norm", fixed<3>, {"output", "min_output", "max_output"}},
    {"_contrib_quantized_concat", fixed<3>, {"output", "min_output", "max_output"}},
    {"_contrib_quantized_conv", fixed<3>, {"output", "min_output", "max_output"}},
    {"_contrib_quantized_elemwise_add", fixed<3>, {"output", "min_output", "max_output"}},
    {"_contrib_quantized_elemwise_mul", quantizedProduct, {"output", "min_output", "max_output"}},
    {"_contrib_quantized_embedding", fixed<3>, {"output", "min_output", "max_output"}},
    {"_contrib_quantized_flatten", fixed<3>, {"output", "min_output", "max_output"}},
    {"_contrib_quantized_fully_connected", fixed<3>, {"output", "min_output", "max_output"}},
    {"_contrib_quantized_pooling", fixed<3>, {"output", "min_output", "max_output"}},
    {"_contrib_requantize", fixed<3>},
    {"_foreach", countFromNumOutputs},
    {"_histogram", fixed<2>},
    {"_linalg_det", fixed<1, 3>},
    {"_linalg_gelqf", fixed<2>},
    {"_linalg_slogdet", fixed<2, 4>},
    {"_linalg_syevd", fixed<2>},
    {"_np_atleast_1d", countFromNumArgs},
    {"_np_atleast_2d", countFromNumArgs},
    {"_np_atleast_3d", countFromNumArgs},
    {"_npi_average", average},
    {"_npi_concatenate", fixed<1>, {"out"}},
    {"_npi_dsplit", split},
    {"_npi_dstack", fixed<1>, {"out"}},
    {"_npi_eig", fixed<2>},
    {"_npi_eigh", fixed<2>},
    {"_npi_exponential", fixed<1, 2>},
    {"_npi_gumbel", fixed<1, 2>},
    {"_npi_hsplit", split},
    {"_npi_hstack", fixed<1>, {"out"}},
    {"_npi_logistic", fixed<1, 2>},
    {"_npi_matmul", fixed<1>, {"out"}},
    {"_npi_norm", fixed<1, 2>},
    {"_npi_normal", fixed<1, 2>},
    {"_npi_normal_n", fixed<1, 2>},
    {"_npi_pareto", fixed<1, 2>},
    {"_npi_rayleigh", fixed<1, 2>},
    {"_npi_std", fixed<1, 2>, {"std", "mean"}},
    {"_npi_svd", fixed<3>},
    {"_npi_unique", unique},
    {"_npi_var", fixed<1, 2>, {"var", "mean"}},
    {"_npi_weibull", fixed<1, 2>},
    {"_sample_multinomial", sampled},
    {"_split_v2", split},
    {"_while_loop", countFromNumOutputs},
    {"add_n", fixed<1>},
    {"amp_multicast", countFromNumOutputs},
    {"elemwise_add", fixed<1>},
    {"elemwise_mul", fixed<1>},
    {"make_loss", fixed<1>, {"loss"}},
    {"moments", fixed<2>},
    {"relu", fixed<1>},
    {"sigmoid", fixed<1>},
    {"softmax", fixed<1>},
    {"sort", fixed<1, 2>},
    {"tanh", fixed<1>},
    {"topk", topk},
    {"transpose", fixed<1>},
});
static_assert(std::is_sorted(outputRows.begin(), outputRows.end(),
                             [](const OutputRow& a, const OutputRow& b) { return a.op < b.op; }));

const OutputRow* findOutputRow(std::string_view op)
{
    const auto row = std::lower_bound(outputRows.begin(), outputRows.end(), op,
                                      [](const OutputRow& r, std::string_view name) { return r.op < name; });
    return row != outputRows.end() && row->op == op ? &*row : nullptr;
}

} // namespace

OutputCount outputCount(std::string_view op, AttributeSpan attributes)
{
    const OutputRow* row = findOutputRow(op);
    return row != nullptr ? row->count(attributes) : OutputCount{};
}

std::string outputSuffix(std::string_view op, OutputCount count, std::uint32_t index)
{
    const OutputRow* row = findOutputRow(op);
    if (row != nullptr && index < row->names.size() && !row->names[index].empty()) {
        return "_" + std::string(row->names[index]);
    }
    // Legacy operators number even a single output. Hidden outputs count: CTCLoss returns "_output0".
    return count.all > 1 || op == "SliceChannel" ? "_output" + std::to_string(index) : "_output";
}

} // namespace crosswalk::mxnet
