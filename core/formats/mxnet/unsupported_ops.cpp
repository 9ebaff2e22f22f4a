#include "core/formats/mxnet/unsupported_ops.h"

#include <algorithm>
#include <array>

namespace crosswalk::mxnet {
namespace {

constexpr std::string_view update = "is a step of an optimizer";
constexpr std::string_view scaling = "manages the loss scale of training";
constexpr std::string_view augmentation = "augments images in training";
constexpr std::string_view gpu = "exists only in MXNet's GPU builds, and its results could not be checked";
constexpr std::string_view backend =
    "results from optimizing a model for one kind of CPU: export the model from before that step";
constexpr std::string_view image = "works on image files and NDArrays at run time, not on a graph's tensors";
constexpr std::string_view callback = "calls back into the program that built the graph, whose code is not in the file";
constexpr std::string_view sampling = "samples a graph that is stored as a sparse matrix: ONNX has no such tensor";
constexpr std::string_view assignment = "writes into an existing NDArray: MXNet cannot run it in a graph";

constexpr std::string_view complexValues =
    "needs eigenvalues of matrices that are not symmetric, which may be complex: MXNet drops their imaginary part";
constexpr std::string_view leastSquares = "the shape of its residuals depends on the rank of the matrix";

// Sorted by name.
constexpr auto unsupported = std::to_array<UnsupportedOperator>({
    {"Custom", Support::NotSupported, "runs user code, which is not in the file: --custom-op maps it to an operator"},
    {"_CustomFunction", Support::NotSupported, callback},
    {"_NDArray", Support::NotSupported, callback},
    {"_Native", Support::NotSupported, callback},
    {"_NoGradient", Support::TrainingOnly, "represents a missing gradient"},
    {"_adamw_update", Support::TrainingOnly, update},
    {"_backward_*", Support::TrainingOnly, "computes a gradient"},
    {"_contrib_calibrate_entropy", Support::TrainingOnly, "computes the thresholds of a quantization"},
    {"_contrib_count_sketch", Support::NotSupported, gpu},
    {"_contrib_dgl_adjacency", Support::NotSupported, sampling},
    {"_contrib_dgl_csr_neighbor_non_uniform_sample", Support::NotSupported, sampling},
    {"_contrib_dgl_csr_neighbor_uniform_sample", Support::NotSupported, sampling},
    {"_contrib_dgl_graph_compact", Support::NotSupported, sampling},
    {"_contrib_dgl_subgraph", Support::NotSupported, sampling},
    {"_contrib_edge_id", Support::NotSupported, sampling},
    {"_contrib_fft", Support::NotSupported, gpu},
    {"_contrib_getnnz", Support::NotSupported, sampling},
    {"_contrib_group_adagrad_update", Support::TrainingOnly, update},
    {"_contrib_hawkesll", Support::TrainingOnly, "is the training likelihood of a point process"},
    {"_contrib_ifft", Support::NotSupported, gpu},
    {"_contrib_quantize_asym", Support::NotSupported, backend},
    {"_contrib_quantized_rnn", Support::NotSupported, backend},
    {"_cvcopyMakeBorder", Support::NotSupported, image},
    {"_cvimdecode", Support::NotSupported, image},
    {"_cvimread", Support::NotSupported, image},
    {"_cvimresize", Support::NotSupported, image},
    {"_image_adjust_lighting", Support::TrainingOnly, augmentation},
    {"_image_random_brightness", Support::TrainingOnly, augmentation},
    {"_image_random_color_jitter", Support::TrainingOnly, augmentation},
    {"_image_random_contrast", Support::TrainingOnly, augmentation},
    {"_image_random_flip_left_right", Support::TrainingOnly, augmentation},
    {"_image_random_flip_top_bottom", Support::TrainingOnly, augmentation},
    {"_image_random_hue", Support::TrainingOnly, augmentation},
    {"_image_random_lighting", Support::TrainingOnly, augmentation},
    {"_image_random_saturation", Support::TrainingOnly, augmentation},
    {"_imdecode", Support::NotSupported, image},
    {"_mp_adamw_update", Support::TrainingOnly, update},
    {"_multi_adamw_update", Support::TrainingOnly, update},
    {"_multi_lamb_update", Support::TrainingOnly, update},
    {"_multi_mp_adamw_update", Support::TrainingOnly, update},
    {"_multi_mp_lamb_update", Support::TrainingOnly, update},
    {"_npi_eig", Support::NotSupported, complexValues},
    {"_npi_eigvals", Support::NotSupported, complexValues},
    {"_npi_lstsq", Support::NotSupported, leastSquares},
    {"_npi_share_memory", Support::NotSupported, "reports the run-time storage of NDArrays"},
    {"_onehot_encode", Support::NotSupported, assignment},
    {"_sample_unique_zipfian", Support::TrainingOnly, "draws the negative samples of a training loss"},
    {"_set_value", Support::NotSupported, assignment},
    {"_sparse_adagrad_update", Support::TrainingOnly, update},
    {"_sparse_retain", Support::NotSupported, "keeps rows of a row-sparse array: ONNX has no such tensor"},
    {"adam_update", Support::TrainingOnly, update},
    {"all_finite", Support::TrainingOnly, scaling},
    {"ftml_update", Support::TrainingOnly, update},
    {"ftrl_update", Support::TrainingOnly, update},
    {"lamb_update_phase1", Support::TrainingOnly, update},
    {"lamb_update_phase2", Support::TrainingOnly, update},
    {"mp_lamb_update_phase1", Support::TrainingOnly, update},
    {"mp_lamb_update_phase2", Support::TrainingOnly, update},
    {"mp_nag_mom_update", Support::TrainingOnly, update},
    {"mp_sgd_mom_update", Support::TrainingOnly, update},
    {"mp_sgd_update", Support::TrainingOnly, update},
    {"multi_all_finite", Support::TrainingOnly, scaling},
    {"multi_lars", Support::TrainingOnly, update},
    {"multi_mp_sgd_mom_update", Support::TrainingOnly, update},
    {"multi_mp_sgd_update", Support::TrainingOnly, update},
    {"multi_sgd_mom_update", Support::TrainingOnly, update},
    {"multi_sgd_update", Support::TrainingOnly, update},
    {"multi_sum_sq", Support::TrainingOnly, update},
    {"nag_mom_update", Support::TrainingOnly, update},
    {"preloaded_multi_mp_sgd_mom_update", Support::TrainingOnly, update},
    {"preloaded_multi_mp_sgd_update", Support::TrainingOnly, update},
    {"preloaded_multi_sgd_mom_update", Support::TrainingOnly, update},
    {"preloaded_multi_sgd_update", Support::TrainingOnly, update},
    {"reset_arrays", Support::TrainingOnly, "resets the gradients between two steps"},
    {"rmsprop_update", Support::TrainingOnly, update},
    {"rmspropalex_update", Support::TrainingOnly, update},
    {"sgd_mom_update", Support::TrainingOnly, update},
    {"sgd_update", Support::TrainingOnly, update},
    {"signsgd_update", Support::TrainingOnly, update},
    {"signum_update", Support::TrainingOnly, update},
});

static_assert(std::ranges::is_sorted(unsupported, {}, &UnsupportedOperator::name));

const UnsupportedOperator* findRow(std::string_view name)
{
    const auto row = std::ranges::lower_bound(unsupported, name, {}, &UnsupportedOperator::name);
    return row != unsupported.end() && row->name == name ? &*row : nullptr;
}

/// `_backward_X`, and the rare `_contrib_backward_X`, `_npi_backward_X` and `X_backward`.
bool isGradient(std::string_view name)
{
    return name.starts_with("_backward_") || name.starts_with("_contrib_backward_") ||
           name.starts_with("_npi_backward_") || name.ends_with("_backward");
}

} // namespace

const UnsupportedOperator* findUnsupported(std::string_view name)
{
    return findRow(isGradient(name) ? "_backward_*" : name);
}

std::span<const UnsupportedOperator> unsupportedOperators()
{
    return unsupported;
}

} // namespace crosswalk::mxnet
