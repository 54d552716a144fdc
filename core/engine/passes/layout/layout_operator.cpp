// SPDX-License-Identifier: Apache-2.0
#include "passes/layout/layout_operator.h"

#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "ops/dimensions/dim_algebra.h"
#include "ops/operator_traits.h"
#include "passes/axis_arguments.h"
#include "tensor/channel_blocks.h"

namespace lapidary {
namespace {

constexpr std::int64_t fill_unit = 4;  // ORT's ReorderInput takes whole multiples of it

/// Sizes that are not known count as this many.
std::int64_t nominal(const Dim& dim, std::int64_t stand_in) {
    std::map<std::string, std::int64_t> sizes;
    for (const std::string& name : names_in(dim)) sizes[name] = stand_in;
    const Dim known = substitute(dim, sizes);
    return known.is_known() ? std::max<std::int64_t>(1, known.value()) : stand_in;
}

double positions(const Type& type) {
    const SymbolicShape& shape = *type.shape;
    double count = 1;
    for (const std::int64_t size :
         {nominal(shape[0], 1), nominal(shape[2], 64), nominal(shape[3], 64)})
        count *= static_cast<double>(size);
    return count;
}

/// A limit such that sums stay within 64 bits, whatever sizes a file declares.
std::int64_t whole_bytes(double bytes) {
    constexpr double most = 1e15;
    return std::llround(std::clamp(bytes, -most, most));
}

std::string sized(const Scope& scope, ValueId id) { return to_string(scope.type(id)); }

/// Why the value cannot be a blocked image; empty: it can.
std::string image_problem(const Scope& scope, ValueId id, std::string_view what) {
    const Type& type = scope.type(id);
    if (!type.is_tensor() || type.dtype != DType::f32)
        return std::string(what) + " is " + to_string(type) + ", blocked operators take f32";
    if (!type.shape) return "the rank of " + std::string(what) + " is not known";
    if (type.shape->size() != 4)
        return std::string(what) + " has rank " + std::to_string(type.shape->size()) +
               ", blocked images have 4";
    if (!(*type.shape)[1].is_known())
        return "the channels of " + std::string(what) + " are not known";
    if ((*type.shape)[1].value() < 1) return std::string(what) + " has no channels";
    return {};
}

std::int64_t channels_of(const Scope& scope, ValueId id) { return scope.dim(id, 1); }
bool is_whole(const Scope& scope, ValueId id, std::int64_t block) {
    return channels_of(scope, id) % block == 0;
}

/// Gain of a blocked convolution over a plain one, as bytes of memory traffic; a core does about
/// eight operations while it moves a byte. A plain convolution has some 60 % of the blocked speed
/// and copies the window of every position (half of that stays in cache). A blocked one also
/// computes padding channels.
std::int64_t conv_gain(double operations, double fill, double window_entries) {
    constexpr double byte_per_operation = 0.12, plain_efficiency = 0.6;
    return whole_bytes(operations * byte_per_operation * (1 / plain_efficiency - fill) +
                       4 * window_entries);
}

/// Why weight, bias or activation do not fit a blocked convolution; empty: they do. The weight must
/// be a constant.
std::string conv_operand_problem(const Scope& scope, const Node& node, const Tensor& w) {
    if (w.dtype() != DType::f32)
        return "the weight is " + std::string(name_of(w.dtype())) +
               ", blocked convolutions take f32";
    if (w.rank() != 4)
        return "the weight has rank " + std::to_string(w.rank()) +
               ", blocked convolutions take images (rank 4)";
    if (w.size() == 0) return "the weight is empty";
    if (std::string problem = image_problem(scope, node.outputs.at(0), "the result");
        !problem.empty())
        return problem;
    if (node.inputs.size() > 2 && node.inputs[2] && !scope.constant(node.inputs[2]))
        return "the bias is no constant";
    const std::string activation = node.string_attribute("activation", "");
    if (!activation.empty() && !is_conv_activation(activation))
        return "blocked convolutions have no activation " + activation;
    return {};
}

/// Why the groups of a convolution are no whole blocks; empty: they are. Depthwise ones always fit.
std::string conv_group_problem(std::int64_t group, std::int64_t inputs, std::int64_t outputs,
                               std::int64_t block) {
    if (group == 1) return {};
    if (outputs % fill_unit != 0)
        return "it has " + std::to_string(outputs) +
               " filters in groups, which must be a multiple of 4";
    if (inputs == 1 && outputs == group) return {};
    if (inputs % block != 0)
        return "a group has " + std::to_string(inputs) + " input channels, needs a multiple of " +
               std::to_string(block);
    if (outputs / group % block != 0)
        return "a group has " + std::to_string(outputs / group) + " filters, needs a multiple of " +
               std::to_string(block);
    return {};
}

/// The blocked images that a convolution reads: its input, unless that stays plain, and the addend
/// of FusedConv.
std::string find_conv_images(const Scope& scope, const Node& node, LayoutOperator& conv) {
    if (!conv.reads_plain) {
        if (std::string problem = image_problem(scope, node.inputs[0], "the input");
            !problem.empty())
            return problem;
        conv.images.push_back(node.inputs[0]);
    }
    if (node.inputs.size() > 3 && node.inputs[3]) {
        if (!same_shape(scope.type(node.inputs[3]), scope.type(node.outputs[0])))
            return "the added input is not known to have the shape of the result";
        conv.images.push_back(node.inputs[3]);
    }
    return {};
}

/// The ratio of the channels of whole blocks to the channels of a value.
double fill_of(std::int64_t channels, std::int64_t block) {
    return static_cast<double>(rounded_to_block(channels, block)) / static_cast<double>(channels);
}

LayoutOperator conv_operator(const Scope& scope, const Node& node, std::int64_t block) {
    LayoutOperator result{LayoutRole::conv, {}, {}, {}, false, 0};
    const auto fail = [&](std::string problem) {
        result.problem = std::move(problem);
        return result;
    };
    const Tensor* w = scope.constant(node.inputs.at(1));
    if (!w) return fail("the weight is no constant");
    if (std::string problem = conv_operand_problem(scope, node, *w); !problem.empty())
        return fail(std::move(problem));
    const std::int64_t group = node.int_attribute("group", 1), outputs = w->dim(0),
                       inputs = w->dim(1), taps = w->dim(2) * w->dim(3);
    const Dim x_channels =
        scope.rank(node.inputs[0]) == 4 ? (*scope.type(node.inputs[0]).shape)[1] : Dim();
    if (group < 1 || (x_channels.is_known() && x_channels.value() != inputs * group))
        return fail("the weight does not fit the input");
    if (std::string problem = conv_group_problem(group, inputs, outputs, block); !problem.empty())
        return fail(std::move(problem));
    result.reads_plain = group == 1 && inputs < block;
    double fill = fill_of(outputs, block);
    if (group == 1 && !result.reads_plain) fill *= fill_of(inputs, block);
    if (std::string problem = find_conv_images(scope, node, result); !problem.empty())
        return fail(std::move(problem));
    const auto strides = node.ints_attribute("strides");
    const bool copies_windows = taps > 1 || group > 1 ||
                                std::ranges::any_of(strides, [](std::int64_t s) { return s != 1; });
    const double spots = positions(scope.type(node.outputs[0]));
    const double sums = spots * static_cast<double>(inputs * taps);
    result.gain = conv_gain(2 * sums * static_cast<double>(outputs), fill,
                            copies_windows ? sums * static_cast<double>(group) : 0);
    return result;
}

std::string pool_problem(const Node& node) {
    if (node.outputs.size() > 1 && node.outputs[1])
        return "its indices are wanted, blocked pools have none";
    if (node.op_type != "AveragePool") return {};
    if (node.int_attribute("ceil_mode", 0) != 0 && node.int_attribute("count_include_pad", 0) != 0)
        return "it counts padding in windows that ceil_mode adds, which blocked pools count "
               "differently";
    const auto dilations = node.ints_attribute("dilations");
    if (std::ranges::any_of(dilations, [](std::int64_t d) { return d != 1; }))
        return "it is dilated, blocked averages are not";
    return {};
}

std::string norm_problem(const Scope& scope, const Node& node) {
    if (node.int_attribute("training_mode", 0) != 0) return "it is in training mode";
    for (std::size_t i = 1; i < node.outputs.size(); ++i)
        if (node.outputs[i]) return "its statistics are wanted too";
    for (std::size_t i = 1; i < 5; ++i) {
        const Tensor* t = i < node.inputs.size() ? scope.constant(node.inputs[i]) : nullptr;
        if (!t) return "a parameter is no constant";
        if (t->dtype() != DType::f32 || t->rank() != 1 ||
            t->size() != channels_of(scope, node.inputs[0]))
            return "a parameter is not one f32 per channel";
    }
    return {};
}

/// Factors of height and width from a constant: its scales, or its sizes for an image of known
/// size.
std::vector<double> stated_factors(const Scope& scope, const Node& node, const Tensor& stated,
                                   bool are_sizes) {
    std::vector<double> factors = to_doubles(stated);
    for (int axis = 0; are_sizes && axis < 4; ++axis) {
        const std::int64_t size = scope.dim(node.inputs[0], axis);
        if (size < 1) return {};
        at(factors, axis) /= static_cast<double>(size);
    }
    return factors;
}

/// Why the scales or sizes of Upsample or Resize are no integer factors of the image; empty: they
/// are.
std::string factors_problem(const Scope& scope, const Node& node,
                            std::vector<std::int64_t>& factors) {
    const std::size_t scales = node.op_type == "Resize" && node.version > 10 ? 2 : 1,
                      sizes = scales + 1;
    const bool are_sizes = node.inputs.size() > sizes && node.inputs[sizes];
    const std::size_t input = are_sizes ? sizes : scales;
    const Tensor* stated =
        input < node.inputs.size() ? scope.constant(node.inputs[input]) : nullptr;
    if (!stated) return are_sizes ? "the sizes are no constant" : "the scales are no constant";
    if (stated->dtype() != (are_sizes ? DType::i64 : DType::f32) || stated->size() != 4 ||
        node.has_attribute("axes"))
        return are_sizes ? "the sizes are not one per axis" : "the scales are not one per axis";
    if (are_sizes && node.string_attribute("keep_aspect_ratio_policy", "stretch") != "stretch")
        return "it keeps the aspect ratio, which blocked upsampling does not";
    const std::vector<double> found = stated_factors(scope, node, *stated, are_sizes);
    if (found.empty()) return "its output sizes are given, and those of the image are not known";
    if (found[0] != 1 || found[1] != 1) return "it scales images or channels";
    for (double f : found)
        if (f < 1 || f != std::floor(f) || f > 1024)
            return "a scale is " + std::to_string(f) + ", blocked upsampling takes whole factors";
    for (double f : found) factors.push_back(std::llround(f));
    return {};
}

/// Why the mode of Upsample (or of Resize before opset 11, `has_coordinates` false) does not fit
/// blocked upsampling; empty: it does.
std::string sampling_problem(const Node& node, bool has_coordinates) {
    const std::string mode = node.string_attribute("mode", "nearest");
    const std::string coordinates =
        has_coordinates ? node.string_attribute("coordinate_transformation_mode", "half_pixel")
                        : "asymmetric";
    const std::string rounding =
        has_coordinates ? node.string_attribute("nearest_mode", "round_prefer_floor") : "floor";
    if (mode == "nearest") {
        const bool as_floor = (coordinates == "asymmetric" && rounding == "floor") ||
                              (coordinates == "half_pixel" && rounding.starts_with("round"));
        return as_floor ? ""
                        : "nearest mode with " + coordinates + " coordinates and " + rounding +
                              " is no blocked upsampling";
    }
    if (mode == "linear" && (coordinates == "asymmetric" || coordinates == "align_corners" ||
                             coordinates == "half_pixel"))
        return {};
    return mode + " mode with " + coordinates + " coordinates is no blocked upsampling";
}

/// Upsample and Resize by whole factors; nearest pixels as the floor of asymmetric coordinates,
/// which all half-pixel spellings come to for whole factors.
std::string upsample_problem(const Scope& scope, const Node& node) {
    std::vector<std::int64_t> factors;
    if (std::string problem = factors_problem(scope, node, factors); !problem.empty())
        return problem;
    if (node.int_attribute("antialias", 0) != 0) return "it filters (antialias)";
    return sampling_problem(node, node.op_type == "Resize" && node.version > 10);
}

/// True when `b` is [N, C, 1, 1] to the [N, C, H, W] of `a`.
bool is_per_channel(const Type& a, const Type& b) {
    if (!a.shape || !b.shape || a.shape->size() != 4 || b.shape->size() != 4) return false;
    const auto &p = *a.shape, &q = *b.shape;
    return !p[0].is_unknown() && p[0] == q[0] && p[1].is_known() && p[1] == q[1] &&
           q[2].value() == 1 && q[3].value() == 1;
}

/// Cost of a node that only changes a shape: a core moves so many bytes in a microsecond.
constexpr std::int64_t view_cost = 8192;

/// Mul of one image by one number per channel: a depthwise convolution of one tap whose weight is
/// computed. Channels that do not fill blocks are filled in both operands, by a reorder of the
/// factor where it is not blocked.
LayoutOperator scale_operator(const Scope& scope, const Node& node, std::int64_t block) {
    const ValueId y = node.outputs[0];
    if (node.op_type != "Mul" || node.inputs.size() != 2 || scope.dtype(y) != DType::f32 ||
        scope.rank(y) != 4 || scope.dim(y, 0) != 1)
        return {};
    for (std::size_t i : {0u, 1u}) {
        const ValueId image = node.inputs[i], factor = node.inputs[1 - i];
        if (!image || !factor || scope.constant(image) || scope.constant(factor) ||
            !same_shape(scope.type(image), scope.type(y)))
            continue;
        if (is_per_channel(scope.type(y), scope.type(factor)) &&
            (is_whole(scope, y, block) || is_whole(scope, y, fill_unit)))
            return {LayoutRole::scale, {}, {image}, factor, false, -view_cost};
    }
    return {};
}

/// Adds input `i` of an elementwise operator to the images, or a problem if it cannot be one.
/// Single numbers need not be images.
void take_operand(const Scope& scope, const Node& node, std::size_t i, LayoutOperator& result) {
    const ValueId x = node.inputs[i], y = node.outputs[0];
    const Tensor* constant = scope.constant(x);
    if (constant && constant->size() == 1 && constant->rank() <= 4) return;
    if (constant)
        result.problem = "input " + std::to_string(i) + " is a constant " +
                         to_string(constant->shape()) + ", only single numbers are not laid out";
    else if (scope.dtype(x) != DType::f32)
        result.problem = "input " + std::to_string(i) + " is " + sized(scope, x) +
                         ", blocked operators take f32";
    else if (same_shape(scope.type(x), scope.type(y))) result.images.push_back(x);
    else if (is_per_channel(scope.type(y), scope.type(x))) {
        result.role = LayoutRole::broadcast;
        result.gain = -3 * view_cost;  // of both operands and of the result
        result.images.push_back(x);
    } else
        result.problem = "input " + std::to_string(i) + " is " + sized(scope, x) +
                         ", not known to have the shape " + sized(scope, y) + " of the result";
}

/// `keeps_fill_finite` false: the operator may turn padding channels into NaN or infinity, which
/// would spread. It can then only work on whole blocks.
LayoutOperator elementwise_operator(const Scope& scope, const Node& node, std::int64_t block,
                                    bool keeps_fill_finite) {
    LayoutOperator result{LayoutRole::elementwise, {}, {}, {}, false, 0};
    const ValueId y = node.outputs[0];
    if (LayoutOperator scale = scale_operator(scope, node, block); scale.role == LayoutRole::scale)
        return scale;
    if ((result.problem = image_problem(scope, y, "the result")); !result.problem.empty())
        return result;
    for (std::size_t i = 0; i < node.inputs.size() && result.problem.empty(); ++i)
        if (node.inputs[i] && (node.op_type != "Clip" || i == 0))
            take_operand(scope, node, i, result);
    if (result.problem.empty() && result.images.empty()) result.problem = "it reads constants only";
    if (result.problem.empty() && !keeps_fill_finite && !is_whole(scope, y, block))
        result.problem = "its " + std::to_string(channels_of(scope, y)) +
                         " channels do not fill blocks of " + std::to_string(block) + ", and " +
                         node.op_type + " of the fill might not be finite";
    return result;
}

LayoutOperator concat_operator(const Scope& scope, const Node& node, std::int64_t block) {
    LayoutOperator result{LayoutRole::concat, {}, {}, {}, false, 0};
    result.problem = image_problem(scope, node.outputs[0], "the result");
    const std::int64_t axis = node.int_attribute("axis", 1);
    if (result.problem.empty() && axis != 1 && axis != -3)
        result.problem =
            "it joins axis " + std::to_string(axis) + ", blocked tensors join along channels";
    for (std::size_t i = 0; i < node.inputs.size() && result.problem.empty(); ++i) {
        result.problem = image_problem(scope, node.inputs[i], "input " + std::to_string(i));
        if (result.problem.empty() && i + 1 < node.inputs.size() &&
            !is_whole(scope, node.inputs[i], block))
            result.problem = "input " + std::to_string(i) + " has " +
                             std::to_string(channels_of(scope, node.inputs[i])) +
                             " channels, needs a multiple of " + std::to_string(block);
        result.images.push_back(node.inputs[i]);
    }
    return result;
}

LayoutOperator split_operator(const Scope& scope, const Node& node, std::int64_t block) {
    LayoutOperator result{LayoutRole::split, {}, {node.inputs[0]}, {}, false, 0};
    result.problem = image_problem(scope, node.inputs[0], "the input");
    const std::int64_t axis = node.int_attribute("axis", 0);
    if (result.problem.empty() && axis != 1 && axis != -3)
        result.problem =
            "it splits axis " + std::to_string(axis) + ", blocked tensors split along channels";
    if (result.problem.empty() && !is_whole(scope, node.inputs[0], block))
        result.problem = "its channels do not fill whole blocks";
    for (ValueId y : node.outputs) {
        if (!result.problem.empty()) break;
        result.problem = y ? image_problem(scope, y, "a part") : "a part is not wanted";
        if (result.problem.empty() && !is_whole(scope, y, block))
            result.problem = "a part does not fill whole blocks";
    }
    return result;
}

}  // namespace

std::int64_t blocked_bytes(const Type& type, std::int64_t channels, std::int64_t block) {
    return whole_bytes(4 * positions(type) *
                       static_cast<double>(rounded_to_block(channels, block)));
}

std::vector<std::int64_t> upsampling_factors(const Scope& scope, const Node& node) {
    std::vector<std::int64_t> factors;
    factors_problem(scope, node, factors);
    return factors;
}

bool is_conv_activation(std::string_view name) {
    return newest_traits_of("", name).has(OperatorFact::conv_activation);
}

bool is_transpose(const Node* node, const std::vector<std::int64_t>& permutation) {
    return node && node->domain.empty() && node->op_type == "Transpose" &&
           node->ints_attribute("perm") == permutation;
}

namespace {

/// ReduceMean over height and width that keeps the axes equals GlobalAveragePool.
bool is_spatial_mean(const Scope& scope, const Node& node) {
    return node.op_type == "ReduceMean" && node.domain.empty() &&
           node.int_attribute("keepdims", 1) == 1 && scope.rank(node.inputs[0]) == 4 &&
           named_axes(scope, node, 4) == Ints{2, 3};
}

/// An operator with one image as input and output. `problem`: another reason why it cannot be
/// blocked.
LayoutOperator image_operator(const Scope& scope, const Node& node, LayoutRole role,
                              std::string problem) {
    LayoutOperator result{
        role, image_problem(scope, node.inputs[0], "the input"), {node.inputs[0]}, {}, false, 0};
    if (result.problem.empty())
        result.problem = image_problem(scope, node.outputs[0], "the result");
    if (result.problem.empty()) result.problem = std::move(problem);
    return result;
}

}  // namespace

LayoutOperator layout_operator(const Scope& scope, const Node& node, std::int64_t block) {
    if (node.outputs.empty() || !node.outputs[0] || node.inputs.empty() || !node.inputs[0])
        return {};
    const std::string op = node.qualified_op();
    if ((op == "Conv" || op == "com.microsoft::FusedConv") && node.inputs.size() > 1)
        return conv_operator(scope, node, block);
    if (op == "MaxPool" || op == "AveragePool")
        return image_operator(scope, node, LayoutRole::pool, pool_problem(node));
    if (op == "GlobalMaxPool" || op == "GlobalAveragePool" || is_spatial_mean(scope, node))
        return image_operator(scope, node, LayoutRole::global_pool, {});
    if (op == "Concat") return concat_operator(scope, node, block);
    if (op == "Split") return split_operator(scope, node, block);
    if (op == "BatchNormalization")
        return image_operator(scope, node, LayoutRole::norm, norm_problem(scope, node));
    if (op == "Upsample" || op == "Resize")
        return image_operator(scope, node, LayoutRole::upsample, upsample_problem(scope, node));
    if (const OperatorTraits& traits = traits_of(node); traits.is_elementwise())
        return elementwise_operator(scope, node, block, traits.has(OperatorFact::keeps_finite));
    return {};
}

}  // namespace lapidary
