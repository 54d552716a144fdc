// SPDX-License-Identifier: Apache-2.0
// MaxPool and AveragePool of f32 [N, C, spatial...] with 1 to 3 spatial axes. A row of the output
// is made in two steps: the rows under the window are joined into one padded row, then the taps
// along it.
#include <cmath>
#include <limits>

#include "kernels/expected_input.h"
#include "kernels/pooling/pool_node.h"
#include "kernels/vector/pooling/pool.h"

namespace lapidary {
namespace {

using namespace pooling;

class PlainPool final : public Kernel {
public:
    PlainPool(PoolNode pool, bool is_max)
        : pool_(std::move(pool)), is_max_(is_max), kernels_(pool_kernels()) {}

    void run(KernelContext& context) const override {
        const Tensor& x = expect_rank(context, 0, DType::f32, pool_.rank + 2);
        PlaneWindow planes = plane_window(pool_, x.shape());
        Tensor& y = context.output(0, DType::f32, std::move(planes.shape));
        if (y.size() == 0) return;
        pool_planes(context, planes.axes, x, y);
    }

private:
    void pool_planes(KernelContext& context, const WindowAxis (&axes)[3], const Tensor& x,
                     Tensor& y) const {
        const auto& [depth, height, width] = axes;
        const std::int64_t last =
            (width.output - 1) * width.stride + (width.kernel - 1) * width.dilation + 1;
        const std::int64_t line =
            (std::max(last, width.pad_begin + width.input) + pool_overread + 15) / 16 * 16;
        Tensor lines = context.scratch(DType::f32, {context.threads().threads(), line});
        Tensor factors = context.scratch(DType::f32, {width.output});
        float* const all_lines = lines.mutable_data<float>().data();
        float* const column_factors = factors.mutable_data<float>().data();
        fill_factors(width, pool_.counts_padding && !is_max_, column_factors);
        const bool has_empty = std::any_of(column_factors, column_factors + width.output,
                                           [](float f) { return f == 0; });
        const float* from = x.data<float>().data();
        float* to = y.mutable_data<float>().data();
        const std::int64_t plane_rows = depth.output * height.output,
                           plane = depth.input * height.input * width.input;
        const std::int64_t taps = depth.kernel * height.kernel + width.kernel;
        for_row_chunks(
            context, x.dim(0) * x.dim(1) * plane_rows, 2 * y.size() * taps,
            [&](std::int64_t first, std::int64_t end, int worker) {
                float* row = all_lines + worker * line;
                std::fill_n(row, line, is_max_ ? -std::numeric_limits<float>::infinity() : 0.0f);
                for (std::int64_t r = first; r < end; ++r) {
                    const std::int64_t in_plane = r % plane_rows;
                    const std::int64_t od = in_plane / height.output, oh = in_plane % height.output;
                    float* out = to + r * width.output;
                    if (!join_rows(axes, from + r / plane_rows * plane, od, oh,
                                   row + width.pad_begin)) {
                        std::fill_n(out, width.output, 0.0f);
                        continue;
                    }
                    if (is_max_) {
                        kernels_.max_taps(row, width.kernel, width.stride, width.dilation,
                                          width.output, out);
                        if (has_empty)
                            for (std::int64_t i = 0; i < width.output; ++i)
                                if (column_factors[i] == 0) out[i] = 0;
                    } else {
                        const float row_factor = factor_at(depth, pool_.counts_padding, od) *
                                                 factor_at(height, pool_.counts_padding, oh);
                        kernels_.average_taps(row, width.kernel, width.stride, width.dilation,
                                              width.output, column_factors, row_factor, out);
                    }
                }
            });
    }

    /// False when the window lies outside the input.
    bool join_rows(const WindowAxis (&axes)[3], const float* plane, std::int64_t od,
                   std::int64_t oh, float* to) const {
        const auto& [depth, height, width] = axes;
        const TapRange deep = taps_inside(depth, od), high = taps_inside(height, oh);
        if (deep.begin == deep.end || high.begin == high.end) return false;
        const std::int64_t top =
            oh * height.stride - height.pad_begin + high.begin * height.dilation;
        for (std::int64_t d = deep.begin; d < deep.end; ++d) {
            const std::int64_t z = od * depth.stride - depth.pad_begin + d * depth.dilation;
            const float* first = plane + (z * height.input + top) * width.input;
            const auto join = is_max_ ? kernels_.max_rows : kernels_.add_rows;
            join(first, height.dilation * width.input, high.end - high.begin, width.input,
                 d > deep.begin, to);
        }
        return true;
    }

    PoolNode pool_;
    bool is_max_;
    const PoolKernels& kernels_;
};

std::unique_ptr<Kernel> make_plain(const KernelRequest& request, bool is_max, std::string& reason) {
    if (!has_dtype(request, DType::f32, reason)) return nullptr;
    if (request.node.outputs.size() > 1 && request.node.outputs[1]) {
        reason = "the indices of the maxima are wanted";
        return nullptr;
    }
    auto pool = read_pool(request.node, 3, reason);
    return pool ? std::make_unique<PlainPool>(std::move(*pool), is_max) : nullptr;
}

}  // namespace

std::unique_ptr<Kernel> make_plain_max_pool(const KernelRequest& request, std::string& reason) {
    return make_plain(request, true, reason);
}
std::unique_ptr<Kernel> make_plain_average_pool(const KernelRequest& request, std::string& reason) {
    return make_plain(request, false, reason);
}

}  // namespace lapidary
