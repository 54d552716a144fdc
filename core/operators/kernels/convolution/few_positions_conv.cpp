// SPDX-License-Identifier: Apache-2.0
// Conv and com.microsoft FusedConv of f32 with a handful of output positions (recurrent models step
// by step): the lanes are filters, the rows positions, so that little but the weight is read.
#include <algorithm>

#include "kernels/expected_input.h"
#include "kernels/input_index.h"
#include "kernels/kernel.h"
#include "kernels/vector/elementwise/activation.h"
#include "kernels/vector/convolution/column.h"
#include "ops/geometry/window.h"

namespace lapidary {

std::unique_ptr<Kernel> make_plain_conv(const KernelRequest& request, std::string& reason);

namespace {

constexpr std::int64_t most_positions = 6;
// bytes of a weight that is packed for both kernels when the sizes are not known
constexpr std::size_t most_twice = 1 << 20;

class FewPositionsConv final : public Kernel {
public:
    /// `otherwise` serves runs with more positions.
    FewPositionsConv(WindowAttributes window, Shape weight, Activation activation,
                     std::shared_ptr<const PackedWeight> packed, std::unique_ptr<Kernel> otherwise)
        : window_(std::move(window)), weight_(std::move(weight)), activation_(activation),
          packed_(std::move(packed)), otherwise_(std::move(otherwise)), kernels_(column_kernels()),
          activations_(activation_kernels()) {
        for (std::size_t i = 2; i < weight_.size(); ++i) inner_ *= weight_[i];
        inner_ *= weight_[1];
    }

    void run(KernelContext& context) const override {
        const Tensor& x = expect_channels(context, 0, DType::f32, weight_.size(), weight_[1]);
        const Tensor* bias = optional_floats(context, 2, {weight_[0]});
        WindowAxis axes[2];
        for (WindowAxis& a : axes) a.input = a.output = 1;
        const std::size_t spatial = weight_.size() - 2;
        Shape shape{x.dim(0), weight_[0]};
        for (std::size_t i = 0; i < spatial; ++i) {
            axes[2 - spatial + i] = window_axis(window_, i, x.dim(i + 2), weight_[i + 2]);
            shape.push_back(axes[2 - spatial + i].output);
        }
        const std::int64_t positions = axes[0].output * axes[1].output;
        if (positions > most_positions) {
            if (!otherwise_)
                context.fail("input 0: " + to_string(x.shape()) +
                             " is larger than it was known to be");
            return otherwise_->run(context);
        }
        Tensor& y = context.output(0, DType::f32, std::move(shape));
        const std::int64_t panel = kernels_.panel, panels = (weight_[0] + panel - 1) / panel;
        if (y.size() == 0) return;
        const int threads = context.threads().threads();
        Tensor columns = context.scratch(DType::f32, {inner_, positions}),
               sums = context.scratch(DType::f32, {threads, positions, panel});
        float* const to = y.mutable_data<float>().data();
        for (std::int64_t image = 0; image < x.dim(0); ++image) {
            context.cancel().throw_if_cancelled();
            lay_columns(x.data<float>().data() + image * (x.size() / x.dim(0)), axes, positions,
                        columns.mutable_data<float>().data());
            const auto body = [&](std::int64_t p, int worker) {
                one_panel(p, positions, columns.data<float>().data(),
                          sums.mutable_data<float>().data() + worker * positions * panel,
                          bias ? bias->data<float>().data() : nullptr,
                          to + image * weight_[0] * positions);
            };
            if (threads == 1 || inner_ * weight_[0] < 200000)
                for (std::int64_t p = 0; p < panels; ++p) body(p, 0);
            else context.threads().parallel_tasks(panels, body);
        }
    }

private:
    /// [channels * taps, positions]
    void lay_columns(const float* image, const WindowAxis (&axes)[2], std::int64_t positions,
                     float* to) const {
        const auto& [height, width] = axes;
        for (std::int64_t c = 0; c < weight_[1]; ++c, image += height.input * width.input)
            for (std::int64_t ky = 0; ky < height.kernel; ++ky)
                for (std::int64_t kx = 0; kx < width.kernel; ++kx)
                    for (std::int64_t p = 0; p < positions; ++p) {
                        const std::int64_t y = p / width.output * height.stride - height.pad_begin +
                                               ky * height.dilation;
                        const std::int64_t x =
                            p % width.output * width.stride - width.pad_begin + kx * width.dilation;
                        *to++ = y >= 0 && y < height.input && x >= 0 && x < width.input
                                    ? image[y * width.input + x]
                                    : 0.0f;
                    }
    }

    void one_panel(std::int64_t p, std::int64_t positions, const float* columns, float* sums,
                   const float* bias, float* y) const {
        const std::int64_t panel = kernels_.panel, first = p * panel,
                           count = std::min(panel, weight_[0] - first);
        kernels_.multiply(columns, positions, packed_->as<float>() + first * inner_, inner_, panel,
                          sums, panel, {true, true, nullptr, nullptr, {}});
        for (std::int64_t i = 0; i < positions; ++i) {
            float* row = sums + i * panel;
            if (bias)
                for (std::int64_t f = 0; f < count; ++f) row[f] += bias[first + f];
            if (activation_) activations_.apply(row, row, count, activation_);
            for (std::int64_t f = 0; f < count; ++f) y[(first + f) * positions + i] = row[f];
        }
    }

    WindowAttributes window_;
    Shape weight_;
    Activation activation_;
    // panels [inner, filters of a panel], filled up with zeros
    std::shared_ptr<const PackedWeight> packed_;
    std::unique_ptr<Kernel> otherwise_;
    const ColumnKernels& kernels_;
    const ActivationKernels& activations_;
    std::int64_t inner_ = 1;
};

/// The number of output positions over the known sizes up to the first unknown one, and whether all
/// are known.
std::pair<std::int64_t, bool> output_positions(const WindowAttributes& window, const Type& input,
                                               const Shape& weight) {
    std::int64_t positions = 1;
    if (!input.shape || input.shape->size() != weight.size()) return {positions, false};
    for (std::size_t i = 2; i < weight.size(); ++i) {
        const Dim& dim = (*input.shape)[i];
        if (!dim.is_known()) return {positions, false};
        positions *= window_axis(window, i - 2, dim.value(), weight[i]).output;
    }
    return {positions, true};
}

/// Panels [inner, filters of a panel], filled up with zeros.
std::shared_ptr<const PackedWeight> pack_panels(const KernelRequest& request, const Tensor& w) {
    const std::int64_t panel = column_kernels().panel, filters = w.dim(0),
                       panels = (filters + panel - 1) / panel, inner = w.size() / filters;
    const float* from = w.data<float>().data();
    return request.weights.add(
        w, "filters in panels of " + std::to_string(panel),
        static_cast<std::size_t>(panels * panel * inner) * sizeof(float), panels,
        [=](std::byte* to, std::int64_t begin, std::int64_t end) {
            for (std::int64_t p = begin; p < end; ++p) {
                float* out = reinterpret_cast<float*>(to) + p * panel * inner;
                for (std::int64_t k = 0; k < inner; ++k)
                    for (std::int64_t f = p * panel; f < (p + 1) * panel; ++f)
                        *out++ = f < filters ? from[f * inner + k] : 0.0f;
            }
        });
}

}  // namespace

std::unique_ptr<Kernel> make_few_positions_conv(const KernelRequest& request, std::string& reason) {
    const Node& node = request.node;
    const Tensor* w = request.constant(1);
    const Type& type = request.input_type(0);
    const auto activation = activation_of(node.string_attribute("activation", ""),
                                          node.floats_attribute("activation_params"));
    const auto kernel = node.ints_attribute("kernel_shape");
    if (!w || w->dtype() != DType::f32 || (w->rank() != 3 && w->rank() != 4) || w->size() == 0)
        reason = "it needs a constant f32 weight of 3 or 4 axes";
    else if (!type.is_tensor() || type.dtype != DType::f32)
        reason = "its input is " + to_string(type) + ", it needs f32";
    else if (node.int_attribute("group", 1) != 1) reason = "it takes one group";
    else if (request.has_input(conv_input::sum)) reason = "it adds no second result";
    else if (!activation)
        reason = "activation " + node.string_attribute("activation", "") +
                 " is served by the reference kernel";
    else if (!kernel.empty() &&
             !std::equal(kernel.begin(), kernel.end(), w->shape().begin() + 2, w->shape().end()))
        reason = "kernel_shape differs from the weight " + to_string(w->shape());
    if (!reason.empty()) return nullptr;
    const std::size_t spatial = w->shape().size() - 2;
    WindowAttributes window = read_window_attributes(node, spatial);
    const std::int64_t panel = column_kernels().panel, filters = w->dim(0);
    const auto [positions, is_known] = output_positions(window, type, w->shape());
    if (positions > most_positions || column_kernels().most_filters < most_positions ||
        filters < panel / 2) {
        reason = "it has " + std::to_string(positions) + " output positions and " +
                 std::to_string(filters) +
                 " filters: this kernel is for few positions and many filters";
        return nullptr;
    }
    std::unique_ptr<Kernel> otherwise;
    if (!is_known) {
        if (spatial != 1 || w->byte_size() > most_twice)
            reason = "the number of its output positions is known only when it runs";
        else otherwise = make_plain_conv(request, reason);
        if (!otherwise) return nullptr;
    } else request.unread_inputs.push_back(1);
    return std::make_unique<FewPositionsConv>(std::move(window), w->shape(), *activation,
                                              pack_panels(request, *w), std::move(otherwise));
}

}  // namespace lapidary
