// SPDX-License-Identifier: Apache-2.0
// QLinearConv (of ai.onnx, and of com.microsoft with channels last), also followed by an addition,
// and ConvInteger, also with float results: products of input positions and packed filters.
// Pointwise convolutions read the input as a matrix, others through the addresses of taps. Few
// channels are read from a padded copy or from gathered rows. One filter per channel has its own
// kernel. Tensors with channels second are transposed first and back afterwards.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "kernels/integer/byte_product.h"
#include "kernels/integer/conv_geometry.h"
#include "kernels/integer/conv_roles.h"
#include "kernels/integer/conv_weight.h"
#include "kernels/integer/depthwise_weight.h"
#include "kernels/integer/quantization_input.h"
#include "kernels/integer/workspace.h"
#include "kernels/vector/elementwise/activation.h"
#include "kernels/vector/integer/byte_transpose.h"

namespace lapidary {
namespace {

std::size_t index_of_role(int role) { return static_cast<std::size_t>(role); }

/// Working memory of a run. `outside`: what taps outside of the image read; `turned`: channels last
/// where the tensor has them first.
enum class Part {
    offsets,
    scales,
    bias,
    outside,
    tap_offsets,
    prepared,
    turned_input,
    turned_output,
    product
};
using Work = Workspace<Part>;

class IntegerConv final : public Kernel {
    using Rows = ConvWeight::Rows;

public:
    IntegerConv(const KernelRequest& request, const ConvRoles& roles)
        : roles_(roles), channels_last_(request.node.int_attribute("channels_last", 0) != 0),
          groups_(request.node.int_attribute("group", 1)),
          window_(read_window_attributes(
              request.node, request.constant(index_of_role(roles.w))->shape().size() - 2)) {
        const Tensor& w = *request.constant(index_of_role(roles.w));
        w_shape_ = w.shape();
        filters_ = w.dim(0);
        inner_ = w.dim(1);
        taps_ = 1;
        for (std::size_t i = 2; i < w_shape_.size(); ++i) taps_ *= w.dim(i);
        const std::int32_t shift = w.dtype() == DType::u8 ? 128 : 0;
        const Tensor* zero = request.has_input(index_of_role(roles.w_zero))
                                 ? request.constant(index_of_role(roles.w_zero))
                                 : nullptr;
        bool has_zeros = false;
        zeros_.assign(static_cast<std::size_t>(filters_) + 64, 0);
        for (std::int64_t n = 0; n < filters_; ++n) {
            zeros_[static_cast<std::size_t>(n)] =
                (zero ? byte_at(*zero, zero->size() == 1 ? 0 : n) : 0) - shift;
            has_zeros |= zeros_[static_cast<std::size_t>(n)] != 0;
        }
        if (!has_zeros) zeros_.clear();
        is_depthwise_ = inner_ == 1 && groups_ == filters_ && groups_ > 1;
        if (is_depthwise_) {
            depthwise_ = DepthwiseWeight::pack(request, w, taps_, zeros_);
            layout_ = depthwise_.layout;
            weight_ = depthwise_.packed;
        } else {
            ConvWeight made = ConvWeight::pack(request, w, groups_, zeros_.empty());
            layout_ = made.layout;
            group_bytes_ = made.group_bytes;
            rows_ = made.rows;
            weight_ = std::move(made.packed);
        }
        request.unread_inputs.push_back(index_of_role(roles.w));
        prepare_scales(request);
        if (roles.real_scale != ConvRoles::none)
            if (const auto activation =
                    activation_of(request.node.string_attribute("activation", ""),
                                  request.node.floats_attribute("activation_params")))
                activation_ = *activation;
    }

    StorageSharing sharing() const override {
        if (roles_.addend == ConvRoles::none) return {};
        return {StorageSharing::overwrite, 1u << roles_.addend};
    }

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(index_of_role(roles_.x));
        const ConvGeometry g = geometry(context, x);
        const std::int64_t positions = g.images * g.outputs(),
                           element = layout_.kernels->element_bytes;
        const DType dtype = out_type(context);
        const std::int64_t out_bytes = dtype == DType::i32 || dtype == DType::f32 ? 4 : 1;

        ByteProduct product;
        product.rows = positions;
        product.layout = layout_;
        if (rows_ == Rows::gathered)
            product.buffer_per_row = static_cast<std::size_t>(layout_.padded_inner() * element);
        if (is_depthwise_) depthwise_.prepare(product, out_bytes == 1, g.axis[2].stride);
        else if (!zeros_.empty()) product.finish.column_zero = zeros_.data();
        const bool is_padded = rows_ == Rows::lines,
                   prepares = x.dtype() == DType::i8 || element != 1;
        const PaddedImage image(g);
        const auto elements = static_cast<std::size_t>(x.size()),
                   outs = static_cast<std::size_t>(positions * filters_ * out_bytes);
        const auto columns =
            std::size_t(filters_ + 128 + (is_depthwise_ ? 1 : groups_) * layout_.padded_columns()) *
            4;
        Work work(context,
                  {{Part::offsets, columns},
                   {Part::scales, columns},
                   {Part::bias, columns},
                   {Part::outside, static_cast<std::size_t>(layout_.padded_inner() * element) + 64},
                   {Part::tap_offsets, static_cast<std::size_t>(taps_) * 8},
                   {Part::prepared, is_padded  ? image.bytes()
                                    : prepares ? elements * static_cast<std::size_t>(element)
                                               : 0},
                   {Part::turned_input, channels_last_ ? 0 : elements},
                   {Part::turned_output, channels_last_ ? 0 : outs},
                   {Part::product, byte_product_workspace(product, context.threads().threads())}});
        Tensor& y = context.output(0, dtype, out_shape(g, x));
        if (y.size() == 0) return;

        const auto* source = static_cast<const std::byte*>(
            channels_last_input(context, x, g, prepares && !is_padded, work));
        const std::int32_t x_zero = (roles_.x_zero == ConvRoles::none
                                         ? 0
                                         : zero_point_of(context, index_of_role(roles_.x_zero))) +
                                    (x.dtype() == DType::i8 ? 128 : 0);
        auto* outside = work.part<std::byte>(Part::outside);
        fill_outside(outside, x_zero);
        if (is_padded)
            image.fill(source, x.dtype() == DType::i8, x_zero, *layout_.kernels, context.threads(),
                       work.part<std::byte>(Part::prepared));
        g.tap_offsets(work.part<std::int64_t>(Part::tap_offsets));

        fill_finish(context, product.finish, x_zero, work);
        void* const result =
            channels_last_ ? y.mutable_raw() : work.part<void>(Part::turned_output);
        product.finish.out_stride = filters_;
        product.finish.out = static_cast<std::byte*>(result);
        if (roles_.addend != ConvRoles::none) read_addend(context, y, product.finish);
        const auto in_lines = [&](std::int64_t begin, std::int64_t end, const void** places,
                                  std::byte*) {
            image.find(work.part<std::byte>(Part::prepared), begin, end, places);
        };
        if (is_padded) {
            product.packed_b = weight_->data();
            product.places = RowPlaces(in_lines);
            multiply(product, context.threads(), context.cancel(),
                     work.part<std::byte>(Part::product));
        } else
            multiply_groups(context, product, g, {source, source + x.size() * element}, out_bytes,
                            work);
        if (channels_last_) return;
        if (out_bytes == 1)
            turn(context, static_cast<const std::uint8_t*>(result), g.images, g.outputs(), filters_,
                 static_cast<std::uint8_t*>(y.mutable_raw()));
        else
            turn(context, static_cast<const std::uint32_t*>(result), g.images, g.outputs(),
                 filters_, static_cast<std::uint32_t*>(y.mutable_raw()));
    }

private:
    /// What taps outside of the image read: the zero point of x.
    void fill_outside(std::byte* outside, std::int32_t x_zero) const {
        if (layout_.kernels->element_bytes == 1)
            std::memset(outside, x_zero, static_cast<std::size_t>(layout_.padded_inner()));
        else
            std::fill_n(reinterpret_cast<std::int16_t*>(outside), layout_.padded_inner(),
                        static_cast<std::int16_t>(x_zero));
    }

    /// The other tensor of a sum, of the type and shape of y.
    void read_addend(KernelContext& context, const Tensor& y, ByteFinish& f) const {
        const Tensor& addend = context.input(index_of_role(roles_.addend));
        if (addend.shape() != y.shape() || addend.dtype() != y.dtype())
            context.fail("the tensor to be added is " + std::string(name_of(addend.dtype())) +
                         to_string(addend.shape()) + ", the result " +
                         std::string(name_of(y.dtype())) + to_string(y.shape()));
        f.addend = static_cast<const std::byte*>(addend.raw());
        f.addend_stride = filters_;
    }

    /// The input with the channels last, prepared as the product reads it where it is not read as
    /// it stands.
    const void* channels_last_input(KernelContext& context, const Tensor& x, const ConvGeometry& g,
                                    bool prepares, Work& work) const {
        const void* source = x.raw();
        if (!channels_last_) {
            turn(context, static_cast<const std::uint8_t*>(source), g.images, g.channels,
                 g.inputs(), work.part<std::uint8_t>(Part::turned_input));
            source = work.part<std::byte>(Part::turned_input);
        }
        if (!prepares) return source;
        const std::int64_t element = layout_.kernels->element_bytes;
        const bool is_signed = x.dtype() == DType::i8;
        const auto* from = static_cast<const std::byte*>(source);
        auto* to = work.part<std::byte>(Part::prepared);
        context.threads().parallel_for(
            x.size(), 1 << 15, [&](std::int64_t begin, std::int64_t end) {
                layout_.kernels->prepare(from + begin, 1, end - begin, 0, is_signed,
                                         to + begin * element, end - begin);
            });
        return to;
    }

    /// Group after group, from `input` into product.finish.out.
    void multiply_groups(KernelContext& context, ByteProduct& product, const ConvGeometry& g,
                         std::span<const std::byte> input, std::int64_t out_bytes,
                         Work& work) const {
        const ByteFinish base = product.finish;
        const std::byte* const from = input.data();
        const auto* outside = work.part<std::byte>(Part::outside);
        const auto* tap_offsets = work.part<std::int64_t>(Part::tap_offsets);
        const std::int64_t element = layout_.kernels->element_bytes;
        const bool is_matrix = !is_depthwise_ && rows_ == Rows::taps && g.is_pointwise();
        const std::int64_t per_group = is_depthwise_ ? filters_ : filters_ / groups_,
                           rounds = is_depthwise_ ? 1 : groups_;
        for (std::int64_t group = 0; group < rounds; ++group) {
            const std::int64_t first = group * per_group, channel = group * inner_;
            product.packed_b = weight_->data() + static_cast<std::size_t>(group) * group_bytes_;
            ByteFinish& f = product.finish;
            f = base;
            f.out = static_cast<std::byte*>(base.out) + first * out_bytes;
            if (f.addend) f.addend = static_cast<const std::byte*>(base.addend) + first;
            if (f.column_scale) f.column_scale += first;
            if (f.column_zero) f.column_zero += first;
            if (f.bias) f.bias += first;
            f.column_offset += group * layout_.padded_columns();
            const auto find = [&](std::int64_t begin, std::int64_t end, const void** places,
                                  std::byte* buffer) {
                g.find(from, channel, tap_offsets, outside, begin, end, places,
                       product.finds_runs ? reinterpret_cast<std::int32_t*>(buffer) : nullptr);
            };
            const auto gather = [&](std::int64_t begin, std::int64_t end, const void** places,
                                    std::byte* buffer) {
                const std::int64_t row_bytes = layout_.padded_inner() * element;
                g.gather(from, from + input.size(), channel, inner_, outside, begin, end, row_bytes,
                         buffer);
                for (std::int64_t r = 0; r < end - begin; ++r) places[r] = buffer + r * row_bytes;
            };
            if (is_matrix) {
                product.a = from + channel * element;
                product.a_stride = g.channels;
                product.places = {};
            } else if (rows_ == Rows::gathered) product.places = RowPlaces(gather);
            else product.places = RowPlaces(find);
            multiply(product, context.threads(), context.cancel(),
                     work.part<std::byte>(Part::product));
        }
    }

    /// The factors of the sums, when they are all known.
    void prepare_scales(const KernelRequest& request) {
        if (roles_.w_scale == ConvRoles::none) return;
        const Tensor *x = request.constant(index_of_role(roles_.x_scale)),
                     *w = request.constant(index_of_role(roles_.w_scale)),
                     *y = request.constant(index_of_role(roles_.y_scale));
        if (!x || !w || !y || w->size() == 1) return;
        for (std::int64_t n = 0; n < filters_; ++n)
            multipliers_.push_back(x->data<float>()[0] *
                                   w->data<float>()[static_cast<std::size_t>(n)] /
                                   y->data<float>()[0]);
        is_bounded_ = std::ranges::all_of(multipliers_, [](float m) { return std::fabs(m) < 1; });
        multipliers_.resize(multipliers_.size() + 64, 0.0f);
    }

    ConvGeometry geometry(KernelContext& context, const Tensor& x) const {
        const std::size_t rank = w_shape_.size();
        if (static_cast<std::size_t>(x.rank()) != rank || !is_byte(x.dtype()))
            context.fail("input " + std::to_string(roles_.x) + ": expected u8 or i8 of rank " +
                         std::to_string(rank) + ", found " + std::string(name_of(x.dtype())) +
                         to_string(x.shape()));
        ConvGeometry g;
        g.images = x.dim(0);
        g.channels = x.dim(channels_last_ ? rank - 1 : 1);
        g.element_bytes = layout_.kernels->element_bytes;
        if (g.channels != inner_ * groups_)
            context.fail("x " + to_string(x.shape()) + " has " + std::to_string(g.channels) +
                         " channels, the filters " + to_string(w_shape_) + " in " +
                         std::to_string(groups_) + " groups need " +
                         std::to_string(inner_ * groups_));
        for (WindowAxis& a : g.axis) a = {1, 1, 1, 1, 0, 0, 1};
        for (std::size_t i = 0; i + 2 < rank; ++i)
            g.axis[i + 5 - rank] =
                window_axis(window_, i, x.dim(channels_last_ ? i + 1 : i + 2), w_shape_[i + 2]);
        return g;
    }

    Shape out_shape(const ConvGeometry& g, const Tensor& x) const {
        Shape shape = x.shape();
        const std::size_t rank = shape.size();
        shape[channels_last_ ? rank - 1 : 1] = filters_;
        for (std::size_t i = 0; i + 2 < rank; ++i)
            shape[channels_last_ ? i + 1 : i + 2] = g.axis[i + 5 - rank].output;
        return shape;
    }

    DType out_type(KernelContext& context) const {
        if (roles_.real_scale != ConvRoles::none) return DType::f32;
        if (roles_.y_scale == ConvRoles::none) return DType::i32;
        return context.input(index_of_role(roles_.y_zero)).dtype();
    }

    void fill_finish(KernelContext& context, ByteFinish& f, std::int32_t x_zero, Work& work) const {
        auto* offsets = work.part<std::int32_t>(Part::offsets);
        const Tensor* bias = roles_.bias == ConvRoles::none
                                 ? nullptr
                                 : context.optional_input(index_of_role(roles_.bias));
        if (bias && bias->size() != filters_)
            context.fail("input " + std::to_string(roles_.bias) + ": expected a bias [" +
                         std::to_string(filters_) + "], found " + to_string(bias->shape()));
        const std::int32_t* biases = bias ? bias->data<std::int32_t>().data() : nullptr;
        if (is_depthwise_) {
            const auto* sums =
                reinterpret_cast<const std::int32_t*>(weight_->data() + depthwise_.sums_at);
            for (std::int64_t n = 0; n < filters_; ++n)
                offsets[n] = static_cast<std::int32_t>(
                    (biases ? static_cast<std::uint32_t>(biases[n]) : 0u) -
                    static_cast<std::uint32_t>(x_zero) * static_cast<std::uint32_t>(sums[n]));
            std::fill_n(offsets + filters_, 64, 0);
        } else {
            const std::int64_t per_group = filters_ / groups_;
            for (std::int64_t g = 0; g < groups_; ++g)
                byte_column_offsets(layout_,
                                    weight_->data() + static_cast<std::size_t>(g) * group_bytes_,
                                    x_zero, biases ? biases + g * per_group : nullptr,
                                    zeros_.empty() ? nullptr : zeros_.data() + g * per_group,
                                    offsets + g * layout_.padded_columns());
        }
        f.column_offset = offsets;
        if (roles_.real_scale != ConvRoles::none) {
            finish_real(context, f, work);
            return;
        }
        if (roles_.y_scale == ConvRoles::none) return;
        f.to = ByteFinish::To::bytes;
        f.is_signed = context.input(index_of_role(roles_.y_zero)).dtype() == DType::i8;
        f.zero_point = zero_point_of(context, index_of_role(roles_.y_zero));
        f.low = f.is_signed ? -128 : 0;
        f.high = f.low + 255;
        const float y_scale = scale_of(context, index_of_role(roles_.y_scale));
        if (multipliers_.empty()) {
            const Tensor& w_scale = context.input(index_of_role(roles_.w_scale));
            const float x_scale = scale_of(context, index_of_role(roles_.x_scale));
            if (w_scale.size() == 1) {
                f.scale = x_scale * w_scale.data<float>()[0] / y_scale;
                f.is_bounded = std::fabs(f.scale) < 1;
            } else {
                if (w_scale.size() != filters_)
                    context.fail("input " + std::to_string(roles_.w_scale) +
                                 ": expected one scale or " + std::to_string(filters_) +
                                 ", found " + to_string(w_scale.shape()));
                auto* scales = work.part<float>(Part::scales);
                for (std::int64_t n = 0; n < filters_; ++n)
                    scales[n] =
                        x_scale * w_scale.data<float>()[static_cast<std::size_t>(n)] / y_scale;
                f.column_scale = scales;
            }
        } else {
            f.column_scale = multipliers_.data();
            f.is_bounded = is_bounded_;
        }
        if (roles_.addend == ConvRoles::none) return;
        const ByteScale other = byte_scale_of(context, index_of_role(roles_.addend + 1)),
                        total = byte_scale_of(context, index_of_role(roles_.addend + 3));
        f.own_scale = y_scale;
        f.addend_scale = other.scale;
        f.addend_zero = other.zero_point;
        f.total_scale = total.scale;
        f.total_zero = total.zero_point;
    }

    void finish_real(KernelContext& context, ByteFinish& f, Work& work) const {
        const Tensor& scale = context.input(index_of_role(roles_.real_scale));
        const auto spread = [&](const Tensor& t, float* to) {
            if (t.dtype() != DType::f32 || (t.size() != 1 && t.size() != filters_))
                context.fail("expected one f32 or one per channel, found " +
                             std::string(name_of(t.dtype())) + to_string(t.shape()));
            for (std::int64_t n = 0; n < filters_; ++n)
                to[n] = t.data<float>()[t.size() == 1 ? 0 : static_cast<std::size_t>(n)];
            return to;
        };
        f.to = ByteFinish::To::real;
        if (scale.size() == 1) f.scale = scale_of(context, index_of_role(roles_.real_scale));
        else f.column_scale = spread(scale, work.part<float>(Part::scales));
        if (const Tensor* bias = context.optional_input(index_of_role(roles_.real_scale + 1)))
            f.bias = spread(*bias, work.part<float>(Part::bias));
        f.activation = activation_;
        f.activate = activation_kernels().apply;
    }

    static void turn(KernelContext& context, const std::uint8_t* from, std::int64_t images,
                     std::int64_t rows, std::int64_t columns, std::uint8_t* to) {
        turn_by(context, byte_transpose_kernels().bytes, from, images, rows, columns, to);
    }
    static void turn(KernelContext& context, const std::uint32_t* from, std::int64_t images,
                     std::int64_t rows, std::int64_t columns, std::uint32_t* to) {
        turn_by(context, byte_transpose_kernels().words, from, images, rows, columns, to);
    }
    /// [images, rows, columns] to [images, columns, rows], in blocks of rows.
    template <typename Function, typename T>
    static void turn_by(KernelContext& context, Function function, const T* from,
                        std::int64_t images, std::int64_t rows, std::int64_t columns, T* to) {
        const std::int64_t block = std::max<std::int64_t>(
                               16, (1 << 14) / std::max<std::int64_t>(1, columns) / 16 * 16),
                           blocks = (rows + block - 1) / block;
        const auto body = [&](std::int64_t task, int) {
            const std::int64_t image = task / blocks, begin = task % blocks * block,
                               end = std::min(rows, begin + block);
            function(from + (image * rows + begin) * columns, end - begin, columns, columns,
                     to + image * rows * columns + begin, rows);
        };
        if (images * blocks <= 2)
            for (std::int64_t t = 0; t < images * blocks; ++t) body(t, 0);
        else context.threads().parallel_tasks(images * blocks, body);
    }

    ConvRoles roles_;
    bool channels_last_;
    std::int64_t groups_;
    WindowAttributes window_;
    Shape w_shape_;
    std::int64_t filters_ = 0, inner_ = 0, taps_ = 0;
    bool is_depthwise_ = false;
    Rows rows_ = Rows::taps;
    ByteLayout layout_;
    std::size_t group_bytes_ = 0;
    std::shared_ptr<const PackedWeight> weight_;
    DepthwiseWeight depthwise_;
    // of the filters as i8, and 64 more; empty where all are 0
    std::vector<std::int32_t> zeros_;
    bool is_bounded_ = false;  // all multipliers are below 1
    // per filter, and 64 more; empty where one does or they are not known
    std::vector<float> multipliers_;
    Activation activation_;
};

std::unique_ptr<Kernel> make_conv(const KernelRequest& request, const ConvRoles& roles,
                                  std::string& reason) {
    reason = why_not_conv(request, roles);
    if (!reason.empty()) return nullptr;
    return std::make_unique<IntegerConv>(request, roles);
}

constexpr ConvRoles qlinear{.x = 0,
                            .x_scale = 1,
                            .x_zero = 2,
                            .w = 3,
                            .w_scale = 4,
                            .w_zero = 5,
                            .y_scale = 6,
                            .y_zero = 7,
                            .bias = 8};

}  // namespace

std::unique_ptr<Kernel> make_qlinear_conv(const KernelRequest& request, std::string& reason) {
    return make_conv(request, qlinear, reason);
}

std::unique_ptr<Kernel> make_qlinear_conv_sum(const KernelRequest& request, std::string& reason) {
    ConvRoles roles = qlinear;
    roles.addend = 9;
    return make_conv(request, roles, reason);
}

std::unique_ptr<Kernel> make_conv_integer(const KernelRequest& request, std::string& reason) {
    return make_conv(request, {.x = 0, .x_zero = 2, .w = 1, .w_zero = 3}, reason);
}

std::unique_ptr<Kernel> make_conv_integer_to_float(const KernelRequest& request,
                                                   std::string& reason) {
    return make_conv(request, {.x = 0, .x_zero = 2, .w = 1, .w_zero = 3, .real_scale = 4}, reason);
}

}  // namespace lapidary
