// SPDX-License-Identifier: Apache-2.0
// Conv, FusedConv, ConvTranspose, pools, Resize.
#include "kernels/convolution/convolution.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/convolution/convolution_few_channels.h"
#include "kernels/convolution/convolution_tiles.h"
#include "kernels/hopper/product.h"
#include "kernels/hopper/window_clusters.h"
#include "kernels/product/product_plan.h"
#include "kernels/reduction/reduction.h"
#include "operators/elementwise.h"
#include "operators/makers.h"
#include "operators/movement.h"
#include "operators/product.h"
#include "operators/window.h"
#include "kernel_tuner.h"

namespace lapidary::cuda {
namespace {

using Made = std::unique_ptr<NodeKernel>;

/// The dimensions of [N, spatial..., C] in the order [N, C, spatial...], and the reverse.
Dims channels_first_dims(Dims dims) {
    if (dims.size() > 1) std::rotate(dims.begin() + 1, dims.end() - 1, dims.end());
    return dims;
}
Dims channels_last_dims(Dims dims) {
    if (dims.size() > 1) std::rotate(dims.begin() + 1, dims.begin() + 2, dims.end());
    return dims;
}

std::int32_t pixels_of(const ConvolutionArgs& args) {
    return args.window.output[0] * args.window.output[1] * args.window.output[2];
}

/// The sizes of a convolution weight, for any of its layouts.
struct WeightShape {
    Dims taps;
    std::int64_t channels = 0, filters = 0;  // of all groups
};

class Convolution final : public NodeKernel {
public:
    explicit Convolution(const NodeView& node) : window(node) {}
    WindowAttributes window;
    std::int64_t groups = 1;
    Step activation;
    Arithmetic arithmetic = Arithmetic::exact;
    bool is_transposed = false, channels_last = false;
    bool has_constant_weight = false;
    // channels last except for input 0, which may be f32 where the weight is f16
    bool image_first = false;
    std::shared_ptr<KernelTuner> tuner;

    void run(KernelRun& run) const override {
        const Array x = run.input(0), w = run.input(1), bias = run.input(2), sum = run.input(3);
        const Dims image = channels_last && !image_first ? channels_first_dims(x.dims) : x.dims;
        const Dims input = spatial_of(image);
        const WeightShape weight = shape_of(w.dims);
        if (input.size() != weight.taps.size())
            KernelRun::fail("input and weight have not as many axes as each other");
        ConvolutionArgs args;
        args.window = is_transposed ? window.transposed(input, weight.taps)
                                    : window.window(input, weight.taps);
        args.groups = static_cast<std::int32_t>(groups);
        args.batch = static_cast<std::int32_t>(image[0]);
        args.channels_last = channels_last;
        args.has_constant_weight = has_constant_weight;
        if (image[1] != weight.channels) KernelRun::fail("channels of input and weight do not fit");
        args.channels = static_cast<std::int32_t>(weight.channels / groups);
        args.filters = static_cast<std::int32_t>(weight.filters / groups);
        args.x = x.data;
        args.w = w.data;
        args.type = w.type;
        const std::int64_t filters = args.filters * groups;
        if (bias.data && bias.count() != filters)
            KernelRun::fail("the bias is not one of the filters");
        set_epilogue(args.epilogue, bias, sum);
        Dims dims = with_spatial(image[0], filters, args.window, image.size());
        if (channels_last) dims = channels_last_dims(dims);
        if (sum.data && sum.dims != dims)
            KernelRun::fail("input 3 has not the shape of the result");
        count_32(x.dims);
        count_32(dims);
        args.y = run.output(0, w.type, dims);
        if (!args.y) return;
        if (is_transposed) {
            if (const auto flat = spread_convolution_of(args)) return launch_split(run, *flat);
            return launch_transposed_convolution(run.queue(), args);
        }
        const auto few = few_channels_of(args);
        if (image_first && few) return launch_packed(run, args, *few, x.type);
        if (x.type != w.type)
            KernelRun::fail("an image of another type than the weight cannot be packed");
        if (image_first) args.x = turned(run, x);
        if (is_depthwise_of_pieces(args)) launch_depthwise_of_pieces(run.queue(), args);
        else if (args.channels < 4 && args.filters < 4)
            launch_direct_convolution(run.queue(), args);
        else if (is_pointwise(args) && !is_for_window_tiles(args)) launch_pointwise(run, args);
        else if (few) launch_packed(run, args, *few, x.type);
        else launch_split(run, args);
    }

private:
    void set_epilogue(Epilogue& epilogue, const Array& bias, const Array& sum) const {
        epilogue.bias = bias.data;
        epilogue.bias_row = channels_last ? 0 : 1;
        epilogue.bias_column = channels_last ? 1 : 0;
        epilogue.residual = sum.data;
        set_activation(epilogue, activation);
    }
    /// The layout is [M, C/group, taps...]; for transposed convolutions [C, M/group, taps...]; with
    /// channels last [group, taps..., C/group, M/group].
    WeightShape shape_of(const Dims& dims) const {
        const std::size_t least = channels_last && !is_transposed ? 4 : 3;
        if (dims.size() < least || groups <= 0) KernelRun::fail("the weight has too few axes");
        if (channels_last && !is_transposed) {
            if (dims[0] != groups) KernelRun::fail("the weight is not of as many groups");
            const std::size_t last = dims.size() - 1;
            return {Dims(dims.begin() + 1, dims.end() - 2), dims[last - 1] * groups,
                    dims[last] * groups};
        }
        if (dims[0] % groups != 0) KernelRun::fail("channels of input and weight do not fit");
        const Dims taps(dims.begin() + 2, dims.end());
        if (is_transposed) return {taps, dims[0], dims[1] * groups};
        return {taps, dims[1] * groups, dims[0]};
    }
    /// Copies the image to working memory with channels last.
    static const void* turned(KernelRun& run, const Array& x) {
        const Dims from = strides_of(x.dims), dims = channels_last_dims(x.dims);
        void* const y = run.scratch(x.bytes());
        copy_box(run, x.data, channels_last_dims(from), y, strides_of(dims), dims,
                 bytes_of(x.type));
        return y;
    }
    void launch_packed(KernelRun& run, const ConvolutionArgs& args, const FewChannels& few,
                       std::int32_t x_type) const {
        PackArgs pack{args, few.packed, few.together, few.lead, x_type, image_first};
        const std::int64_t of_x = (few.x_bytes + 255) / 256 * 256;
        char* const memory = static_cast<char*>(run.scratch(of_x + few.w_bytes));
        pack.packed.x = memory;
        pack.packed.w = memory + of_x;
        launch_pack(run.queue(), pack);
        launch_split(run, pack.packed);
    }
    void launch_split(KernelRun& run, ConvolutionArgs args) const {
        if (tuner) return tuner->launch(run, args, arithmetic);
        if (run.queue().clusters && is_for_window_clusters(args, run.queue().hopper))
            return launch_window_clusters(run.queue(), args);
        const ProductSplit split = split_of(args, arithmetic);
        if (split.parts > 1) {
            args.parts = split.parts;
            args.part_depth = split.part_depth;
            args.partial = static_cast<float*>(run.scratch(split.partial_bytes));
        }
        launch_convolution(run.queue(), args, arithmetic);
    }

    static bool is_pointwise(const ConvolutionArgs& args) {
        bool is = args.groups == 1;
        for (int axis = 0; axis < spatial_axes; ++axis)
            is = is && args.window.kernel[axis] == 1 && args.window.stride[axis] == 1 &&
                 args.window.pad[axis] == 0 && args.window.input[axis] == args.window.output[axis];
        return is;
    }
    void launch(KernelRun& run, const ProductArgs& product, bool has_constant_a = false) const {
        const bool hopper = is_for_hopper(product, run.queue().hopper, arithmetic);
        if (tuner) tuner->launch(run, product, arithmetic, hopper, has_constant_a);
        else launch_split_product(run, product, arithmetic);
    }
    /// Copies a b whose rows are not aligned to 16 bytes to aligned working memory, if tensor cores
    /// can then read it in pieces. Otherwise every element of b would be read by itself.
    void put_in_pieces(KernelRun& run, ProductArgs& product) const {
        const std::int64_t bytes = bytes_of(product.type), per = 16 / bytes;
        const std::int64_t pitch = (product.n + per - 1) / per * per,
                           rows = std::int64_t{product.batch} * product.k;
        if (pitch == product.n || product.m < per ||
            rows * pitch > std::numeric_limits<std::int32_t>::max())
            return;
        ProductArgs in_pieces = product;
        in_pieces.b = nullptr;
        in_pieces.b_row = static_cast<std::int32_t>(pitch);
        in_pieces.b_batch[0] = static_cast<std::int32_t>(product.k * pitch);
        if (!is_for_async(in_pieces, arithmetic)) return;
        void* const b = run.scratch(rows * pitch * bytes);
        copy_box(run, product.b, {product.n, 1}, b, {pitch, 1}, {rows, product.n}, bytes);
        product = in_pieces;
        product.b = b;
    }
    /// Multiplies the weight with each image; with channels last, all pixels with the weight in one
    /// product.
    void launch_pointwise(KernelRun& run, const ConvolutionArgs& args) const {
        if (channels_last) {
            ProductArgs product =
                linear_product(args.x, args.w, nullptr, args.y, args.type,
                               static_cast<std::int64_t>(args.batch) * pixels_of(args),
                               args.filters, args.channels);
            product.b_row = args.filters;
            product.b_column = 1;
            product.has_constant_b = args.has_constant_weight;
            product.epilogue = args.epilogue;
            return launch(run, product);
        }
        const std::int32_t pixels = pixels_of(args);
        if (pixels == 1) {  // every image is one row
            ProductArgs product = linear_product(args.x, args.w, nullptr, args.y, args.type,
                                                 args.batch, args.filters, args.channels);
            product.has_constant_b = args.has_constant_weight;
            product.epilogue = args.epilogue;
            product.epilogue.bias_row = 0;
            product.epilogue.bias_column = 1;
            return launch(run, product);
        }
        ProductArgs product;
        product.a = args.w;
        product.b = args.x;
        product.y = args.y;
        product.type = args.type;
        product.m = args.filters;
        product.n = pixels;
        product.k = args.channels;
        product.a_row = args.channels;
        product.b_row = pixels;
        product.batch = args.batch;
        product.batch_rank = 1;
        product.batch_dims[0] = args.batch;
        product.b_batch[0] = args.channels * pixels;
        put_in_pieces(run, product);
        product.epilogue = args.epilogue;
        launch(run, product, args.has_constant_weight);
    }
};

class Pool final : public NodeKernel {
public:
    explicit Pool(const NodeView& node) : window(node) {}
    WindowAttributes window;
    bool is_max = true, counts_pads = false, channels_last = false;

    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        const Dims image = channels_last ? channels_first_dims(x.dims) : x.dims;
        PoolArgs args;
        args.window = window.window(spatial_of(image), window.kernel, args.pad_end);
        args.x = x.data;
        args.type = x.type;
        args.batch = static_cast<std::int32_t>(image[0]);
        args.channels = static_cast<std::int32_t>(image[1]);
        args.channels_last = channels_last;
        args.is_max = is_max;
        args.counts_pads = counts_pads;
        Dims dims = with_spatial(image[0], image[1], args.window, image.size());
        if (channels_last) dims = channels_last_dims(dims);
        count_32(x.dims);
        count_32(dims);
        args.y = run.output(0, x.type, dims);
        if (args.y) launch_pool(run.queue(), args);
    }
};

class GlobalPool final : public NodeKernel {
public:
    explicit GlobalPool(bool is_max) : is_max_(is_max) {}
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        if (x.dims.size() < 2) KernelRun::fail("the input is of rank below 2");
        Dims dims = x.dims;
        std::fill(dims.begin() + 2, dims.end(), 1);
        ReduceArgs args;
        args.input = x.data;
        args.output = run.output(0, x.type, dims);
        args.type = x.type;
        args.reduction = is_max_ ? Reduction::max : Reduction::mean;
        args.outputs = count_32(dims);
        if (args.outputs == 0) return;
        args.reduced = count_32(x.dims) / args.outputs;
        if (args.reduced == 0)  // same as the CPU kernel
            return launch_fill(run.queue(), args.output,
                               static_cast<std::int32_t>(bytes_of(x.type)), args.outputs, 0);
        args.kept_axes = args.reduced_axes = 1;
        args.kept_dims[0] = args.outputs;
        args.kept_strides[0] = args.reduced_dims[0] = args.reduced;
        args.reduced_strides[0] = 1;
        launch_reduce(run.queue(), args);
    }

private:
    bool is_max_;
};

class Resize final : public NodeKernel {
public:
    std::vector<float> scales;  // one per entry of axes; empty: sizes are given
    HostIntegers sizes;
    Dims axes;  // empty: all
    bool is_linear = false;
    Coordinates coordinates = Coordinates::half_pixel;
    Nearest nearest = Nearest::round_prefer_floor;

    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        const std::size_t rank = x.dims.size();
        if (rank > resize_axes)
            throw DeviceError(LP_UNSUPPORTED, "a tensor of more than 5 axes to resize");
        Dims along = axes, dims = x.dims;
        for (std::size_t i = 0; axes.empty() && i < rank; ++i)
            along.push_back(static_cast<std::int64_t>(i));
        const Dims wanted = scales.empty() ? sizes.at(run) : Dims();
        ResizeArgs args;
        std::fill(args.scale, args.scale + resize_axes, 1.0f);
        if ((scales.empty() ? wanted.size() : scales.size()) != along.size())
            KernelRun::fail("scales or sizes have not an element for each axis");
        for (std::size_t i = 0; i < along.size(); ++i) {
            const std::int64_t axis =
                along[i] < 0 ? along[i] + static_cast<std::int64_t>(rank) : along[i];
            if (axis < 0 || axis >= static_cast<std::int64_t>(rank))
                KernelRun::fail("an axis of Resize is out of range");
            const auto at = static_cast<std::size_t>(axis);
            const auto size = static_cast<float>(x.dims[at]);
            dims[at] = scales.empty() ? wanted[i]
                                      : static_cast<std::int64_t>(std::floor(size * scales[i]));
            if (dims[at] < 0) KernelRun::fail("a size of Resize is negative");
            args.scale[at] = !scales.empty()   ? scales[i]
                             : x.dims[at] == 0 ? 1
                                               : static_cast<float>(dims[at]) / size;
        }
        args.count = count_32(dims);
        args.y = run.output(0, x.type, dims);
        if (!args.y) return;
        args.x = x.data;
        args.type = x.type;
        args.axes = static_cast<std::int32_t>(rank);
        for (std::size_t i = 0; i < rank; ++i) {
            if (x.dims[i] == 0 && dims[i] != 0)
                KernelRun::fail("an axis without elements cannot grow");
            args.input[i] = static_cast<std::int32_t>(x.dims[i]);
            args.output[i] = static_cast<std::int32_t>(dims[i]);
        }
        args.is_linear = is_linear;
        args.coordinates = coordinates;
        args.nearest = nearest;
        launch_resize(run.queue(), args);
    }
};

std::vector<float> constant_floats(const NodeView& node, std::size_t input) {
    const auto dims = node.dims(input);
    if (!node.is_constant(input) || node.input_type(input) != f32 || !dims)
        throw Refusal("its scales are no constant");
    const auto* data = static_cast<const float*>(node.constant(input));
    return {data, data + count_of(*dims)};
}

void read_sampling(const NodeView& node, Resize& kernel) {
    struct Word {
        const char* text;
        Coordinates coordinates;
    };
    static constexpr Word words[] = {{"half_pixel", Coordinates::half_pixel},
                                     {"half_pixel_symmetric", Coordinates::half_pixel_symmetric},
                                     {"pytorch_half_pixel", Coordinates::pytorch_half_pixel},
                                     {"align_corners", Coordinates::align_corners},
                                     {"asymmetric", Coordinates::asymmetric}};
    const std::string coordinates = node.text("coordinate_transformation_mode", "half_pixel");
    const auto* word =
        std::ranges::find_if(words, [&](const Word& w) { return coordinates == w.text; });
    if (word == std::end(words)) throw Refusal("its coordinates are " + coordinates);
    kernel.coordinates = word->coordinates;
    const std::string nearest = node.text("nearest_mode", "round_prefer_floor");
    kernel.nearest = nearest == "floor"               ? Nearest::floor
                     : nearest == "ceil"              ? Nearest::ceil
                     : nearest == "round_prefer_ceil" ? Nearest::round_prefer_ceil
                                                      : Nearest::round_prefer_floor;
}

}  // namespace

namespace {

/// Whether the shape of the weight is known to suit few_channels_of(). A window of one tap may
/// still be a plain product.
bool is_packed(const NodeView& node) {
    const auto dims = node.dims(1);
    if (node.op() != "ChannelsLastConv" || node.input_type(1) != f16 || !dims || dims->size() < 4)
        return false;
    return dims->front() == 1 && (*dims)[dims->size() - 2] % 8 != 0 && dims->back() % 8 == 0;
}

}  // namespace

Made make_convolution(const NodeView& node, Making& making) {
    require_spatial(node);
    require_type(node, 0, is_float(node.input_type(0)));
    auto kernel = std::make_unique<Convolution>(node);
    kernel->groups = node.integer("group", 1);
    kernel->channels_last = node.op().starts_with("ChannelsLast");
    kernel->has_constant_weight = node.is_constant(1);
    kernel->image_first = node.integer("image_first", 0) != 0;
    const bool packs_floats =
        kernel->image_first && node.input_type(0) == f32 && node.input_type(1) == f16;
    require_type(node, 1, node.input_type(1) == node.input_type(0) || packs_floats);
    kernel->is_transposed = node.op().ends_with("ConvTranspose");
    kernel->tuner = making.tuner;
    const std::string activation = node.text("activation", "");
    const std::vector<float> parameters = node.reals("activation_params");
    const std::size_t needed =
        activation == "Clip" || activation == "HardSigmoid" ? 2 : activation == "LeakyRelu";
    if (parameters.size() < needed)
        throw Refusal("attribute activation_params is too short for " + activation);
    kernel->activation = activation_step(activation, parameters);
    kernel->arithmetic = arithmetic_of(node.input_type(1), making.precision);
    making.kernel = kernel->is_transposed
                        ? std::string("transposed_convolution")
                        : std::string("convolution_") + name_of(kernel->arithmetic);
    if (kernel->channels_last) making.kernel += "_channels_last";
    if (is_packed(node)) making.kernel += "_packed";
    return kernel;
}

Made make_pool(const NodeView& node, Making& making) {
    require_spatial(node);
    require_type(node, 0, is_float(node.input_type(0)));
    if (node.has_output(1)) throw Refusal("its indices are asked for");
    auto kernel = std::make_unique<Pool>(node);
    kernel->channels_last = node.op() == "ChannelsLastPool";
    kernel->is_max =
        (kernel->channels_last ? node.text("pool", "") : std::string(node.op())) == "MaxPool";
    kernel->counts_pads = node.integer("count_include_pad", 0) != 0;
    if (static_cast<std::int32_t>(kernel->window.kernel.size()) != node.rank(0) - 2)
        throw Refusal("kernel_shape does not fit the input");
    making.kernel = std::string(kernel->is_max ? "max_pool" : "average_pool") +
                    (kernel->channels_last ? "_channels_last" : "");
    return kernel;
}

Made make_global_pool(const NodeView& node, Making& making) {
    require_type(node, 0, is_float(node.input_type(0)));
    making.kernel = "reduce";
    return std::make_unique<GlobalPool>(node.op() == "GlobalMaxPool");
}

Made make_resize(const NodeView& node, Making& making) {
    require_type(node, 0, is_float(node.input_type(0)));
    auto kernel = std::make_unique<Resize>();
    const std::string mode = node.text("mode", "nearest");
    if (mode != "nearest" && mode != "linear" && mode != "bilinear")
        throw Refusal("its mode is " + mode);
    kernel->is_linear = mode != "nearest";
    making.kernel = kernel->is_linear ? "resize_linear" : "resize_nearest";
    if (node.rank(0) < 0 || node.rank(0) > resize_axes)
        throw Refusal("input 0 is not known to have at most 5 axes");
    if (node.op() == "Upsample" || node.version() < 11) {
        kernel->coordinates = Coordinates::asymmetric;
        kernel->nearest = Nearest::truncate_or_ceil;
        const bool is_attribute = node.op() == "Upsample" && node.version() < 9;
        kernel->scales = is_attribute ? node.reals("scales") : constant_floats(node, 1);
        if (!is_attribute) making.leave_unread(1);
        if (kernel->scales.empty()) throw Refusal("it has no scales");
        return kernel;
    }
    read_sampling(node, *kernel);
    if (node.integer("antialias", 0) != 0) throw Refusal("it is antialiased");
    if (node.text("keep_aspect_ratio_policy", "stretch") != "stretch")
        throw Refusal("it keeps the aspect ratio");
    if (node.integer("exclude_outside", 0) != 0) throw Refusal("it excludes what is outside");
    kernel->axes = node.integers("axes");
    if (node.has_input(1)) making.leave_unread(1);
    if (node.has_input(3)) {
        kernel->sizes = HostIntegers(node, 3, making);
        if (node.has_input(2)) making.leave_unread(2);
    } else {
        kernel->scales = constant_floats(node, 2);
        making.leave_unread(2);
        if (kernel->scales.empty()) throw Refusal("it has neither scales nor sizes");
    }
    if (node.has_input(1) && !node.is_constant(1)) throw Refusal("its region is no constant");
    return kernel;
}

}  // namespace lapidary::cuda
