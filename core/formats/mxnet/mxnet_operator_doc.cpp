#include "core/formats/mxnet/mxnet_operator_doc.h"

#include <algorithm>
#include <array>

namespace crosswalk::mxnet {
namespace {

struct DocRow {
    std::string_view op;
    std::string_view text;
    std::string_view attributes; ///< "name=default", blank between; nothing behind = where it must be given
};

// Sorted by operator. A row is an operator.
// clang-format off
constexpr auto docs = std::to_array<DocRow>({
    {"Activation", "A nonlinearity on every element: relu, sigmoid, tanh, softrelu or softsign, selected by act_type.", "act_type="},
    {"BatchNorm", "Normalises each channel with its mean and variance, then scales by gamma and shifts by beta. Inference uses the moving averages.", "axis=1 eps=0.001 momentum=0.9 fix_gamma=True use_global_stats=False output_mean_var=False"},
    {"BlockGrad", "Passes its input through; in training it stops the gradient.", ""},
    {"Cast", "Converts every element to another type; conversion from float to integer truncates.", "dtype="},
    {"Concat", "Joins its inputs along one axis.", "dim=1"},
    {"Convolution", "Slides a window of weights over the spatial axes and sums over the input channels of a group.", "kernel= num_filter= stride=1 dilate=1 pad=0 num_group=1 no_bias=False layout=None"},
    {"Crop", "Crops the spatial axes to a given size or to the size of a second input.", "offset=(0,0) h_w=(0,0) center_crop=False"},
    {"Deconvolution", "A transposed convolution: each input element adds its multiple of the window to the output.", "kernel= num_filter= stride=1 dilate=1 pad=0 adj=0 target_shape=() num_group=1 no_bias=True layout=None"},
    {"Dropout", "Sets random elements to zero in training; passes its input through at inference.", "p=0.5 mode=training axes=()"},
    {"Embedding", "Looks up one row of the weight for each index; indices outside are clipped to the first or last row.", "input_dim= output_dim= dtype=float32 sparse_grad=False"},
    {"Flatten", "Keeps the first axis and joins all others into one.", ""},
    {"FullyConnected", "Multiplies by the transposed weight and adds the bias. With flatten it first joins all axes but the first.", "num_hidden= no_bias=False flatten=True"},
    {"GroupNorm", "Normalises over groups of channels and all spatial axes of one sample.", "num_groups=1 eps=1e-05 output_mean_var=False"},
    {"InstanceNorm", "Normalises each channel of each sample over its spatial axes.", "eps=0.001"},
    {"L2Normalization", "Divides by the Euclidean norm over a sample, the channels, or each channel's spatial axes.", "eps=1e-10 mode=instance"},
    {"LRN", "Divides by a power of the squares summed over neighbouring channels.", "nsize= alpha=0.0001 beta=0.75 knorm=2"},
    {"LayerNorm", "Normalises along one axis, then scales by gamma and shifts by beta.", "axis=-1 eps=1e-05 output_mean_var=False"},
    {"LeakyReLU", "A nonlinearity that keeps positive elements and reduces negative ones: leaky, prelu, elu, selu, gelu or rrelu, selected by act_type.", "act_type=leaky slope=0.25 lower_bound=0.125 upper_bound=0.334"},
    {"LinearRegressionOutput", "Passes its input through; in training the loss is the squared error.", "grad_scale=1"},
    {"LogisticRegressionOutput", "The sigmoid of its input; in training the loss is the cross entropy.", "grad_scale=1"},
    {"MakeLoss", "Passes its input through, which is the loss in training.", "grad_scale=1 valid_thresh=0 normalization=null"},
    {"Pad", "Pads the spatial axes with a constant, the repeated edge, or the reflected interior.", "mode= pad_width= constant_value=0"},
    {"Pooling", "The maximum, average, sum or Lp norm of a window that slides over the spatial axes.", "kernel=() pool_type=max global_pool=False pooling_convention=valid stride=1 pad=0 p_value=None count_include_pad=True layout=None"},
    {"RNN", "Recurrent layers in one operator: LSTM, GRU or a plain RNN over time, one direction or both. One vector contains all weights.", "mode= state_size= num_layers= bidirectional=False state_outputs=False p=0 projection_size=None use_sequence_length=False lstm_state_clip_min=None lstm_state_clip_max=None lstm_state_clip_nan=False"},
    {"Reshape", "Changes the shape. 0 keeps a dimension, -1 infers it, -2 copies the rest, -3 joins two, -4 splits one.", "shape=() reverse=False target_shape=() keep_highest=False"},
    {"SequenceLast", "The last element of each sequence along time, or the last within its length.", "use_sequence_length=False axis=0"},
    {"SequenceMask", "Sets the elements beyond each sequence's length to a value.", "use_sequence_length=False value=0 axis=0"},
    {"SequenceReverse", "Reverses time, for each sequence up to its length.", "use_sequence_length=False axis=0"},
    {"SliceChannel", "Cuts one axis into equal parts.", "num_outputs= axis=1 squeeze_axis=False"},
    {"SoftmaxActivation", "Softmax over the classes of a sample, or over the channels at each position.", "mode=instance"},
    {"SoftmaxOutput", "Softmax; in training the loss is the cross entropy with the label. Inference ignores the label.", "grad_scale=1 ignore_label=-1 multi_output=False use_ignore=False preserve_shape=False normalization=null out_grad=False smooth_alpha=0"},
    {"SwapAxis", "Exchanges two axes.", "dim1=0 dim2=0"},
    {"UpSampling", "Upsamples the spatial axes by an integer factor: nearest neighbour, or a transposed convolution (bilinear).", "scale= sample_type= num_filter=0 multi_input_mode=concat"},
    {"WarpCTC", "Softmax over the classes; in training the loss is connectionist temporal classification with the label. Inference ignores the label.", "label_length=0 input_length=0"},
    {"_arange", "Numbers from start to stop in equal steps.", "start=0 stop=None step=1 repeat=1 dtype=float32"},
    {"_cond", "Runs one of two bodies, selected by a condition.", ""},
    {"_contrib_AdaptiveAvgPooling2D", "Averages over windows chosen to produce the requested output size.", "output_size=()"},
    {"_contrib_BilinearResize2D", "Bilinear interpolation to another height and width, with aligned corners.", "height=1 width=1 scale_height=None scale_width=None mode=size align_corners=True"},
    {"_contrib_arange_like", "Evenly spaced numbers, one for each element of the input or for each index of one of its axes.", "start=0 step=1 repeat=1 axis=None"},
    {"_contrib_box_nms", "Non-maximum suppression: keeps the best of overlapping boxes.", "overlap_thresh=0.5 valid_thresh=0 topk=-1 coord_start=2 score_index=1 id_index=-1 background_id=-1 force_suppress=False in_format=corner out_format=corner"},
    {"_contrib_div_sqrt_dim", "Divides by the square root of the last dimension.", ""},
    {"_contrib_interleaved_matmul_selfatt_qk", "Self-attention scores, queries times keys divided by the square root of the head size, from one interleaved projection.", "heads="},
    {"_contrib_interleaved_matmul_selfatt_valatt", "Self-attention values weighted by the scores, from one interleaved projection.", "heads="},
    {"_copy", "Passes its input through.", ""},
    {"_div_scalar", "Divides every element by a number.", "scalar=1 is_int=True"},
    {"_foreach", "Runs its body once for each slice along the first axis and carries states.", ""},
    {"_full", "A tensor filled with one value.", "shape= value= dtype=float32"},
    {"_minus_scalar", "Subtracts a number from every element.", "scalar=1 is_int=True"},
    {"_mul_scalar", "Multiplies every element by a number.", "scalar=1 is_int=True"},
    {"_ones", "A tensor of ones.", "shape= dtype=float32"},
    {"_plus_scalar", "Adds a number to every element.", "scalar=1 is_int=True"},
    {"_power_scalar", "Raises every element to a power.", "scalar=1 is_int=True"},
    {"_rdiv_scalar", "Divides a number by every element.", "scalar=1 is_int=True"},
    {"_rminus_scalar", "Subtracts every element from a number.", "scalar=1 is_int=True"},
    {"_rnn_param_concat", "Joins the weights and biases of recurrent layers into the parameter vector of RNN.", "dim=1"},
    {"_while_loop", "Runs its body while a condition holds, at most a given number of times.", "max_iterations="},
    {"_zeros", "A tensor of zeros. A dimension of 0 is open and inferred from the consumers.", "shape= dtype=float32"},
    {"add_n", "The sum of all its inputs.", ""},
    {"argmax", "The index of the largest element along an axis, as a float.", "axis=None keepdims=False"},
    {"batch_dot", "A matrix product for each element of the batch.", "transpose_a=False transpose_b=False"},
    {"broadcast_add", "Adds, with broadcasting.", ""},
    {"broadcast_axis", "Broadcasts axes of size 1.", "axis=() size=()"},
    {"broadcast_div", "Divides, with broadcasting.", ""},
    {"broadcast_like", "Broadcasts to the shape of the second input.", "lhs_axes=None rhs_axes=None"},
    {"broadcast_mul", "Multiplies, with broadcasting.", ""},
    {"broadcast_sub", "Subtracts, with broadcasting.", ""},
    {"broadcast_to", "Broadcasts to a given shape; 0 keeps a dimension.", "shape=()"},
    {"clip", "Limits every element to a range.", "a_min= a_max="},
    {"dot", "The product over the last axis of the first input and the first of the second.", "transpose_a=False transpose_b=False"},
    {"elemwise_add", "Adds two inputs of equal shape.", ""},
    {"elemwise_div", "Divides two inputs of equal shape.", ""},
    {"elemwise_mul", "Multiplies two inputs of equal shape.", ""},
    {"elemwise_sub", "Subtracts two inputs of equal shape.", ""},
    {"expand_dims", "Inserts an axis of size 1.", "axis="},
    {"log_softmax", "The logarithm of softmax along an axis.", "axis=-1 temperature=None dtype=None use_length=False"},
    {"max", "The largest element along axes.", "axis=None keepdims=False exclude=False"},
    {"mean", "The mean along axes; all axes by default.", "axis=None keepdims=False exclude=False"},
    {"min", "The smallest element along axes.", "axis=None keepdims=False exclude=False"},
    {"norm", "The L1 or L2 norm along axes.", "ord=2 axis=None out_dtype=None keepdims=False"},
    {"one_hot", "on_value at the position of each index, off_value elsewhere.", "depth= on_value=1 off_value=0 dtype=float32"},
    {"pick", "Selects one element along an axis by index.", "axis=-1 keepdims=False mode=clip"},
    {"prod", "The product along axes.", "axis=None keepdims=False exclude=False"},
    {"relu", "Sets negative elements to zero.", ""},
    {"repeat", "Repeats every element along an axis.", "repeats= axis=None"},
    {"sigmoid", "1 / (1 + exp(-x)) of every element.", ""},
    {"slice", "Extracts a range of each axis.", "begin= end= step=()"},
    {"slice_axis", "Extracts a range of one axis.", "axis= begin= end="},
    {"slice_like", "Crops axes to the size of another input.", "axes=()"},
    {"softmax", "Exponentials divided by their sum along an axis.", "axis=-1 temperature=None dtype=None use_length=False"},
    {"squeeze", "Removes axes of size 1.", "axis=None"},
    {"stack", "Joins its inputs along a new axis.", "axis=0"},
    {"sum", "The sum along axes; all axes by default.", "axis=None keepdims=False exclude=False"},
    {"take", "Looks up slices along an axis by index.", "axis=0 mode=clip"},
    {"tanh", "The hyperbolic tangent of every element.", ""},
    {"tile", "Repeats the whole tensor along its axes.", "reps="},
    {"topk", "The largest or smallest elements along an axis, or their indices.", "axis=-1 k=1 ret_typ=indices is_ascend=False dtype=float32"},
    {"transpose", "Permutes the axes; reverses them by default.", "axes=()"},
    {"where", "Selects elements of one input or the other by a condition.", ""},
});
// clang-format on

static_assert(std::ranges::is_sorted(docs, {}, &DocRow::op));

} // namespace

OperatorDoc operatorDoc(std::string_view op)
{
    OperatorDoc doc;
    const auto row = std::ranges::lower_bound(docs, op, {}, &DocRow::op);
    if (row == docs.end() || row->op != op) {
        return doc;
    }
    doc.text = row->text;
    std::string_view rest = row->attributes;
    while (!rest.empty()) {
        const auto blank = std::min(rest.find(' '), rest.size());
        const std::string word(rest.substr(0, blank));
        const auto equals = word.find('=');
        doc.attributes.push_back({word.substr(0, equals), word.substr(equals + 1)});
        rest.remove_prefix(std::min(blank + 1, rest.size()));
    }
    return doc;
}

} // namespace crosswalk::mxnet
