// SPDX-License-Identifier: Apache-2.0
// Resize of f32 along the last two axes with filters of any number of taps: cubic, and linear with
// antialias, with exclude_outside or of a crop. Rows are filtered along y and x in the order that
// takes less: growing images along x first, where a ring of rows serves the output rows that share
// them.
#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "kernels/expected_input.h"
#include "kernels/pooling/pool_node.h"
#include "kernels/pooling/resize_request.h"
#include "kernels/reference/image/resize_sampling.h"
#include "kernels/vector/pooling/resize.h"

namespace lapidary {
namespace {

using reference::ResizeAxis;

/// The taps of one axis, those of an output position side by side, or (of x) tap by tap.
struct AxisFilter {
    std::int64_t taps = 1;
    bool is_identity = false;
    std::vector<std::int32_t> index;
    std::vector<float> weight;
    // output positions that take the extrapolation value, ascending
    std::vector<std::int64_t> outside;

    AxisFilter(const reference::ResizeGeometry& options, const ResizeAxis& axis, bool tap_by_tap) {
        if (axis.input > std::numeric_limits<std::int32_t>::max())
            fail_limit("Resize: an axis of " + std::to_string(axis.input) + " is too long");
        const reference::AxisSampling s = reference::sample_axis(options, axis);
        taps = s.taps;
        is_identity = s.is_identity;
        index.resize(s.index.size());
        weight.resize(s.weight.size());
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(index.size()); ++i) {
            const auto at = static_cast<std::size_t>(tap_by_tap ? i % taps * axis.output + i / taps
                                                                : i),
                       from = static_cast<std::size_t>(i);
            index[at] = static_cast<std::int32_t>(s.index[from]);
            weight[at] = s.weight[from];
        }
        for (std::size_t o = 0; o < s.is_extrapolated.size(); ++o)
            if (s.is_extrapolated[o]) outside.push_back(static_cast<std::int64_t>(o));
    }
};

class ResizeFilter final : public Kernel {
public:
    /// Axes of input -1 take any size and have a scale.
    ResizeFilter(reference::ResizeGeometry options, ResizeAxis height, ResizeAxis width)
        : options_(std::move(options)), height_(height), width_(width) {
        // positions; the run refuses sizes that no budget allows before it makes tables
        constexpr std::int64_t most_kept = 1 << 20;
        if (height.input > 0 && height.output <= most_kept)
            y_filter_.emplace(options_, height, false);
        if (width.input > 0 && width.output <= most_kept) x_filter_.emplace(options_, width, true);
    }

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const auto rank = x.shape().size();
        if (x.dtype() != DType::f32 || rank < 2) fail_expected(context, 0, "f32 images", x);
        const ResizeAxis height = pooling::sized_axis(context, height_, x.dim(rank - 2)),
                         width = pooling::sized_axis(context, width_, x.dim(rank - 1));
        Shape shape = x.shape();
        shape[rank - 2] = height.output;
        shape[rank - 1] = width.output;
        Tensor& y = context.output(0, DType::f32, std::move(shape));
        if (y.size() == 0) return;
        std::optional<AxisFilter> own_y, own_x;
        if (!y_filter_) own_y.emplace(options_, height, false);
        if (!x_filter_) own_x.emplace(options_, width, true);
        const Run run{
            y_filter_ ? *y_filter_ : *own_y, x_filter_ ? *x_filter_ : *own_x, height, width,
            x.data<float>().data(),          y.mutable_data<float>().data()};
        filter(context, run, y.size() / width.output);
    }

private:
    struct Run {
        const AxisFilter &y, &x;
        ResizeAxis height, width;
        const float* from;
        float* to;
    };
    /// A worker's memory: rows filtered along x (of which input row, + 1) or one row filtered along
    /// y, and the taps of a row.
    struct Workspace {
        float *lines, *weights;
        std::int64_t* held;
        const float** rows;
    };

    void filter(KernelContext& context, const Run& run, std::int64_t rows) const {
        const bool is_x_first = run.height.output >= run.height.input && !run.x.is_identity;
        const auto padded = [](std::int64_t count) { return (count + 15) / 16 * 16; };
        const std::int64_t taps = run.y.taps,
                           line = padded(is_x_first ? run.width.output : run.width.input),
                           lines = is_x_first ? taps : 1;
        const std::int64_t space = lines * line + padded(taps) + 2 * padded(2 * taps),
                           threads = context.threads().threads();
        Tensor work = context.scratch(DType::f32, {threads, space});
        float* const memory = work.mutable_data<float>().data();
        const auto workspace = [&](std::int64_t worker) {
            float* const at = memory + worker * space;
            float* const weights = at + lines * line;
            return Workspace{
                at, weights, reinterpret_cast<std::int64_t*>(weights + padded(taps)),
                reinterpret_cast<const float**>(weights + padded(taps) + padded(2 * taps))};
        };
        for (std::int64_t worker = 0; worker < threads; ++worker)
            std::fill_n(workspace(worker).held, taps, 0);
        const std::int64_t cost = rows * (run.width.output * (run.x.taps + taps) +
                                          (is_x_first ? 0 : run.width.input * taps));
        pooling::for_row_chunks(context, rows, cost,
                                [&](std::int64_t first, std::int64_t end, int worker) {
                                    const Workspace ws = workspace(worker);
                                    for (std::int64_t r = first; r < end; ++r)
                                        one_row(run, r, is_x_first, line, ws);
                                });
    }

    void one_row(const Run& run, std::int64_t r, bool is_x_first, std::int64_t line,
                 const Workspace& ws) const {
        const ResizeKernels& kernels = resize_kernels();
        const std::int64_t y = r % run.height.output, plane = r / run.height.output,
                           width = run.width.output;
        float* const out = run.to + r * width;
        if (std::ranges::binary_search(run.y.outside, y)) {
            std::fill_n(out, width, options_.extrapolation);
            return;
        }
        std::int64_t taps = 0;
        for (std::int64_t t = 0; t < run.y.taps; ++t) {
            const auto at = static_cast<std::size_t>(y * run.y.taps + t);
            const std::int64_t row = plane * run.height.input + run.y.index[at];
            const float* source = run.from + row * run.width.input;
            if (is_x_first) {  // neighbouring rows, so that each has a place of its own
                const std::int64_t place = run.y.index[at] % run.y.taps;
                float* const held = ws.lines + place * line;
                if (ws.held[place] != row + 1)
                    kernels.filter_positions(source, run.x.index.data(), run.x.weight.data(),
                                             run.x.taps, width, held);
                ws.held[place] = row + 1;
                source = held;
            }
            ws.rows[taps] = source;
            ws.weights[taps++] = run.y.weight[at];
        }
        if (is_x_first || run.x.is_identity)
            kernels.filter_rows(ws.rows, ws.weights, taps, width, out);
        else {
            kernels.filter_rows(ws.rows, ws.weights, taps, run.width.input, ws.lines);
            kernels.filter_positions(ws.lines, run.x.index.data(), run.x.weight.data(), run.x.taps,
                                     width, out);
        }
        for (const std::int64_t x : run.x.outside) out[x] = options_.extrapolation;
    }

    reference::ResizeGeometry options_;  // without axes
    ResizeAxis height_, width_;
    std::optional<AxisFilter> y_filter_, x_filter_;
};

}  // namespace

std::unique_ptr<Kernel> make_resize_filter(const KernelRequest& request, std::string& reason) {
    auto plane = pooling::resized_plane(request, &reference::read_resize, reason);
    if (!plane) return nullptr;
    reference::ResizeGeometry& geometry = plane->options;
    if (geometry.mode == reference::ResizeMode::nearest) {
        reason = "it picks the nearest positions, this kernel filters";
        return nullptr;
    }
    if (plane->has_channels_last) {
        reason = "it resizes axis " + std::to_string(geometry.axes.size() - 3) +
                 ", this kernel does the last two";
        return nullptr;
    }
    // The crop of an axis that keeps its size extrapolates as well.
    for (std::size_t i = 0; i + 2 < geometry.axes.size(); ++i)
        if (geometry.coordinates == reference::ResizeCoordinates::tf_crop_and_resize &&
            (geometry.axes[i].roi_start != 0 || geometry.axes[i].roi_end != 1)) {
            reason = "it crops axis " + std::to_string(i) + ", this kernel does the last two";
            return nullptr;
        }
    geometry.axes.clear();
    return std::make_unique<ResizeFilter>(std::move(geometry), plane->height, plane->width);
}

}  // namespace lapidary
