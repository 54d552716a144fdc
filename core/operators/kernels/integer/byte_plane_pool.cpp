// SPDX-License-Identifier: Apache-2.0
// MaxPool, QLinearAveragePool and QLinearGlobalAveragePool on 8-bit tensors in planes. A row of the
// output is made from rows of the input widened to float and dealt out by the stride, tap by tap in
// the order of the reference kernels, so that sums round alike.
#include "kernels/expected_input.h"
#include "kernels/input_index.h"
#include "kernels/integer/byte_plane_pool.h"

#include <algorithm>
#include <cmath>

#include "kernels/integer/quantization_input.h"
#include "kernels/integer/workspace.h"
#include "kernels/pooling/pool_node.h"
#include "kernels/vector/convolution/column.h"
#include "kernels/vector/integer/byte_pool.h"
#include "kernels/vector/pooling/pool.h"

namespace lapidary {
namespace {

using namespace pooling;

class PlanePool final : public Kernel {
public:
    PlanePool(PoolNode pool, bool is_max) : pool_(std::move(pool)), is_max_(is_max) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        if (!is_byte(x.dtype()) || x.rank() != static_cast<int>(pool_.rank) + 2)
            fail_expected(context, 0, "u8 or i8 of rank " + std::to_string(pool_.rank + 2), x);
        PlaneWindow planes = plane_window(pool_, x.shape());
        Tensor& y = context.output(0, x.dtype(), std::move(planes.shape));
        if (y.size() == 0) return;
        const auto& [depth, height, width] = planes.axes;
        const bool is_signed = x.dtype() == DType::i8;
        // The maximum is taken over bytes counted from 0, so padding, which is 0, never exceeds it.
        const ByteScale bytes{1, is_signed ? -128 : 0},
            x_scale = is_max_ ? bytes : byte_scale_of(context, 1),
            y_scale = is_max_ ? bytes : byte_scale_of(context, qlinear_unary_input::y_scale);
        const std::int64_t length = dealt_length(width);
        const auto floats = [](std::int64_t count) {
            return (static_cast<std::size_t>(count) * sizeof(float) + 63) / 64 * 64;
        };
        const auto threads = static_cast<std::size_t>(context.threads().threads());
        const std::size_t line = floats(width.input), dealt = floats(length * width.stride),
                          sums = floats(width.output), own = line + dealt + 2 * sums;
        enum class Part : std::uint8_t { columns, of_workers };
        Workspace<Part> work(context, {{Part::columns, sums}, {Part::of_workers, own * threads}});
        // taps that count along the row, per position
        float* columns = work.part<float>(Part::columns);
        for (std::int64_t i = 0; i < width.output; ++i) columns[i] = taps_that_count(width, i);
        const bool has_empty =
            std::find(columns, columns + width.output, 0.0f) != columns + width.output;
        const auto* from = static_cast<const std::byte*>(x.raw());
        auto* to = static_cast<std::byte*>(y.mutable_raw());
        const std::int64_t plane_rows = depth.output * height.output,
                           plane = depth.input * height.input * width.input,
                           taps = depth.kernel * height.kernel * width.kernel;
        for_row_chunks(
            context, x.dim(0) * x.dim(1) * plane_rows, 4 * y.size() * taps,
            [&](std::int64_t first, std::int64_t end, int worker) {
                std::byte* memory =
                    work.part<std::byte>(Part::of_workers) + own * static_cast<std::size_t>(worker);
                auto *row = reinterpret_cast<float*>(memory),
                     *rows = reinterpret_cast<float*>(memory + line);
                auto *total = reinterpret_cast<float*>(memory + line + dealt),
                     *divisors = reinterpret_cast<float*>(memory + line + dealt + sums);
                for (std::int64_t r = first; r < end; ++r) {
                    const std::int64_t od = r % plane_rows / height.output, oh = r % height.output;
                    std::byte* out = to + r * width.output;
                    const TapRange deep = taps_inside(depth, od), high = taps_inside(height, oh);
                    bool joins = false;
                    for (std::int64_t d = deep.begin; d < deep.end; ++d)
                        for (std::int64_t h = high.begin; h < high.end; ++h, joins = true) {
                            const std::int64_t z = od * depth.stride - depth.pad_begin +
                                                   d * depth.dilation,
                                               top = oh * height.stride - height.pad_begin +
                                                     h * height.dilation;
                            const std::byte* source = from + r / plane_rows * plane +
                                                      (z * height.input + top) * width.input;
                            byte_element_kernels().dequantize(source, width.input, x_scale,
                                                              is_signed, row);
                            column_kernels().deal_row(row, width.input, width.pad_begin,
                                                      width.stride, length, rows);
                            join_taps(width, rows, length, joins, total);
                        }
                    if (!joins) std::fill_n(total, width.output, 0.0f);
                    if (is_max_) {
                        byte_element_kernels().quantize(total, width.output, y_scale, is_signed,
                                                        out);
                        if (has_empty || !joins) clear_empty(columns, width.output, joins, out);
                        continue;
                    }
                    const float others = taps_that_count(depth, od) * taps_that_count(height, oh);
                    for (std::int64_t i = 0; i < width.output; ++i)
                        divisors[i] = std::max(1.0f, columns[i] * others);
                    byte_pool_kernels().quotients(total, divisors, width.output, y_scale, is_signed,
                                                  out);
                }
            });
    }

private:
    /// Elements of each of the rows that one row of the input is dealt out to.
    static std::int64_t dealt_length(const WindowAxis& width) {
        return (std::max(
                    width.pad_begin + width.input + width.stride - 1,
                    (width.output - 1) * width.stride + (width.kernel - 1) * width.dilation + 1) +
                width.stride - 1) /
                   width.stride +
               column_overread;
    }

    /// The maximum of no taps is 0: where none counts along the row, or none across it.
    static void clear_empty(const float* columns, std::int64_t count, bool joins, std::byte* out) {
        for (std::int64_t i = 0; i < count; ++i)
            if (!joins || columns[i] == 0) out[i] = std::byte{0};
    }

    float taps_that_count(const WindowAxis& axis, std::int64_t position) const {
        const float factor = factor_at(axis, pool_.counts_padding && !is_max_, position);
        return factor == 0 ? 0.0f : std::round(1 / factor);
    }

    void join_taps(const WindowAxis& width, const float* rows, std::int64_t length, bool joins,
                   float* to) const {
        const PoolKernels& kernels = pool_kernels();
        for (std::int64_t k = 0; k < width.kernel; ++k) {
            const std::int64_t at = k * width.dilation;
            (is_max_ ? kernels.max_rows : kernels.add_rows)(
                rows + at % width.stride * length + at / width.stride, 0, 1, width.output,
                joins || k > 0, to);
        }
    }

    PoolNode pool_;
    bool is_max_;
};

class PlaneMean final : public Kernel {
public:
    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        if (x.rank() < 3 || !is_byte(x.dtype()))
            fail_expected(context, 0, "u8 or i8 [N, C, spatial...]", x);
        const ByteScale x_scale = byte_scale_of(context, 1),
                        y_scale = byte_scale_of(context, qlinear_unary_input::y_scale);
        Shape shape(x.shape().size(), 1);
        shape[0] = x.dim(0);
        shape[1] = x.dim(1);
        Tensor& y = context.output(0, x.dtype(), shape);
        if (y.size() == 0) return;
        const bool is_signed = x.dtype() == DType::i8;
        const std::int64_t positions = x.size() / y.size();
        const auto* from = static_cast<const std::byte*>(x.raw());
        auto* to = static_cast<std::byte*>(y.mutable_raw());
        for_row_chunks(context, y.size(), x.size(), [&](std::int64_t first, std::int64_t end, int) {
            constexpr std::int64_t most = 64;
            for (std::int64_t c = first; c < end; c += most) {
                float means[most];
                const std::int64_t count = std::min(most, end - c);
                for (std::int64_t i = 0; i < count; ++i) {
                    const double sum = byte_pool_kernels().total(from + (c + i) * positions,
                                                                 positions, x_scale, is_signed);
                    means[i] = positions == 0
                                   ? 0.0f
                                   : static_cast<float>(sum / static_cast<double>(positions));
                }
                byte_element_kernels().quantize(means, count, y_scale, is_signed, to + c);
            }
        });
    }
};

std::unique_ptr<Kernel> make_pool(const KernelRequest& request, bool is_max, std::string& reason) {
    auto pool = read_pool(request.node, 3, reason);
    return pool ? std::make_unique<PlanePool>(std::move(*pool), is_max) : nullptr;
}

}  // namespace

std::unique_ptr<Kernel> make_average_of_planes(const KernelRequest& request, std::string& reason) {
    return make_pool(request, false, reason);
}
std::unique_ptr<Kernel> make_mean_of_planes() { return std::make_unique<PlaneMean>(); }

std::unique_ptr<Kernel> make_byte_max_pool(const KernelRequest& request, std::string& reason) {
    const Type& x = request.input_type(0);
    if (!is_byte(x.dtype))
        reason = "its input is " + to_string(x) + ", this kernel takes u8 and i8";
    else if (request.node.outputs.size() > 1 && request.node.outputs[1])
        reason = "the indices of the maxima are wanted";
    return reason.empty() ? make_pool(request, true, reason) : nullptr;
}

}  // namespace lapidary
