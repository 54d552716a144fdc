// SPDX-License-Identifier: Apache-2.0
// QLinearAveragePool and QLinearGlobalAveragePool on 8-bit tensors.
#include <algorithm>

#include "kernels/expected_input.h"
#include "kernels/input_index.h"
#include "kernels/integer/byte_plane_pool.h"
#include "kernels/integer/conv_geometry.h"
#include "kernels/integer/quantization_input.h"
#include "kernels/integer/workspace.h"
#include "kernels/vector/integer/byte_pool.h"

namespace lapidary {
namespace {

class AveragePool final : public Kernel {
public:
    explicit AveragePool(const KernelRequest& request)
        : window_(read_window_attributes(request.node, request.input_type(0).shape->size() - 2)),
          counts_padding_(request.node.int_attribute("count_include_pad", 0) != 0) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const auto rank = static_cast<std::size_t>(x.rank());
        if (!is_byte(x.dtype()) || rank != window_.strides.size() + 2)
            fail_expected(context, 0,
                          "u8 or i8 of rank " + std::to_string(window_.strides.size() + 2), x);
        ConvGeometry g;
        g.images = x.dim(0);
        g.channels = x.dim(rank - 1);
        for (WindowAxis& a : g.axis) a = {1, 1, 1, 1, 0, 0, 1};
        Shape shape = x.shape();
        for (std::size_t i = 0; i + 2 < rank; ++i) {
            WindowAxis& a = g.axis[i + 5 - rank];
            a = window_axis(window_, i, x.dim(i + 1), window_.kernel[i]);
            shape[i + 1] = a.output;
        }
        const bool is_signed = x.dtype() == DType::i8;
        const ByteScale x_scale = byte_scale_of(context, 1),
                        y_scale = byte_scale_of(context, qlinear_unary_input::y_scale);
        Tensor& y = context.output(0, x.dtype(), shape);
        if (y.size() == 0) return;
        const std::int64_t taps = g.taps(), positions = g.images * g.outputs(),
                           block = std::max<std::int64_t>(
                               1, (1 << 14) / std::max<std::int64_t>(1, taps * g.channels / 16));
        const int workers = context.threads().threads();
        const auto table = static_cast<std::size_t>((taps + 7) / 8 * 8) * sizeof(void*);
        enum class Part : std::uint8_t { offsets, places };
        Workspace<Part> work(context, {{Part::offsets, table},
                                       {Part::places, table * static_cast<std::size_t>(workers)}});
        auto* offsets = work.part<std::int64_t>(Part::offsets);
        g.tap_offsets(offsets);
        const auto* from = static_cast<const std::byte*>(x.raw());
        auto* to = static_cast<std::byte*>(y.mutable_raw());
        const BytePoolKernels& kernels = byte_pool_kernels();
        const auto body = [&](std::int64_t task, int worker) {
            context.cancel().throw_if_cancelled();
            auto** places = reinterpret_cast<const void**>(
                work.part<std::byte>(Part::places) + table * static_cast<std::size_t>(worker));
            for (std::int64_t p = task * block; p < std::min(positions, (task + 1) * block); ++p) {
                g.find(from, 0, offsets, nullptr, p, p + 1, places);
                const std::int64_t inside = std::remove(places, places + taps, nullptr) - places;
                std::byte* out = to + p * g.channels;
                if (inside == 0) {  // a window in the padding alone
                    const float zero = 0;
                    byte_element_kernels().quantize(&zero, 1, y_scale, is_signed, out);
                    std::fill_n(out, g.channels, *out);
                } else {
                    const std::int64_t count = counts_padding_ ? padded_taps(g, p) : inside;
                    kernels.average(places, inside, static_cast<float>(count), g.channels, x_scale,
                                    y_scale, is_signed, out);
                }
            }
        };
        const std::int64_t blocks = (positions + block - 1) / block;
        if (blocks == 1) body(0, 0);
        else context.threads().parallel_tasks(blocks, body);
    }

private:
    /// Taps of an output position in the input or its padding.
    static std::int64_t padded_taps(const ConvGeometry& g, std::int64_t position) {
        std::int64_t count = 1, rest = position % g.outputs();
        for (std::size_t i = 3; i-- > 0;) {
            const WindowAxis& a = g.axis[i];
            const std::int64_t origin = rest % a.output * a.stride - a.pad_begin;
            rest /= a.output;
            std::int64_t here = 0;
            for (std::int64_t k = 0; k < a.kernel; ++k)
                here += origin + k * a.dilation < a.input + a.pad_end;
            count *= here;
        }
        return count;
    }

    WindowAttributes window_;
    bool counts_padding_;
};

class GlobalAverage final : public Kernel {
public:
    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        if (x.rank() < 3 || !is_byte(x.dtype()))
            fail_expected(context, 0, "u8 or i8 [N, spatial..., C]", x);
        const ByteScale x_scale = byte_scale_of(context, 1),
                        y_scale = byte_scale_of(context, qlinear_unary_input::y_scale);
        Shape shape(x.shape().size(), 1);
        shape[0] = x.dim(0);
        shape.back() = x.shape().back();
        Tensor& y = context.output(0, x.dtype(), shape);
        if (y.size() == 0) return;
        const std::int64_t channels = shape.back(), positions = x.size() / y.size();
        const auto* from = static_cast<const std::byte*>(x.raw());
        auto* to = static_cast<std::byte*>(y.mutable_raw());
        if (positions == 0) {  // the mean of nothing is taken for 0
            std::fill_n(to, y.size(), static_cast<std::byte>(y_scale.zero_point));
            return;
        }
        constexpr std::int64_t block = 256;
        const std::int64_t blocks = (channels + block - 1) / block;
        const auto body = [&](std::int64_t task, int) {
            const std::int64_t image = task / blocks, first = task % blocks * block;
            byte_pool_kernels().mean(from + image * positions * channels + first, positions,
                                     channels, std::min(block, channels - first), x_scale, y_scale,
                                     x.dtype() == DType::i8, to + image * channels + first);
        };
        if (x.size() <= 1 << 14)
            for (std::int64_t task = 0; task < shape[0] * blocks; ++task) body(task, 0);
        else context.threads().parallel_tasks(shape[0] * blocks, body);
    }
};

std::string why_not_pool(const KernelRequest& request) {
    const Type& x = request.input_type(0);
    if (!is_byte(x.dtype))
        return x.dtype == DType::undefined
                   ? "the element type of x is not known"
                   : "x is " + std::string(name_of(x.dtype)) + ", this kernel takes u8 and i8";
    if (!x.has_shape()) return "the rank of x is not known";
    if (x.shape->size() < 3 || x.shape->size() > 5)
        return "x has rank " + std::to_string(x.shape->size()) +
               ", this kernel takes 1 to 3 spatial axes";
    for (const std::size_t first : {std::size_t{1}, std::size_t{3}}) {
        if (std::string reason = why_not_type(request, first, DType::f32, "a scale");
            !reason.empty())
            return reason;
        if (std::string reason = why_not_one(request, first, "a scale"); !reason.empty())
            return reason;
        if (std::string reason = why_not_one(request, first + 1, "a zero point"); !reason.empty())
            return reason;
        if (std::string reason = why_not_type(request, first + 1, x.dtype, "a zero point");
            !reason.empty())
            return reason;
    }
    return {};
}

}  // namespace

std::unique_ptr<Kernel> make_qlinear_average_pool(const KernelRequest& request,
                                                  std::string& reason) {
    reason = why_not_pool(request);
    if (reason.empty() && !request.node.has_attribute("kernel_shape"))
        reason = "there is no kernel_shape";
    if (!reason.empty()) return nullptr;
    if (request.node.int_attribute("channels_last", 0) == 0)
        return make_average_of_planes(request, reason);
    return std::make_unique<AveragePool>(request);
}

std::unique_ptr<Kernel> make_qlinear_global_average_pool(const KernelRequest& request,
                                                         std::string& reason) {
    reason = why_not_pool(request);
    if (!reason.empty()) return nullptr;
    if (request.node.int_attribute("channels_last", 0) == 0) return make_mean_of_planes();
    return std::make_unique<GlobalAverage>();
}

}  // namespace lapidary
