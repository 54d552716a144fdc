// SPDX-License-Identifier: Apache-2.0
// GridSample of f32 images: the taps of some locations go into a table that serves all channels.
#include <algorithm>
#include <array>

#include "kernels/float_inputs.h"
#include "kernels/reference/image/grid_sampling.h"
#include "kernels/vector/pooling/resize.h"

namespace lapidary {
namespace {

using reference::GridGeometry;

constexpr std::int64_t locations = 256;  // of one table
constexpr std::int64_t most_taps = 16;

/// index[t * count + i] and weight[t * count + i] are tap t of location i. A tap outside the image
/// repeats a tap inside, and both get half of its weight, so that no other element (perhaps NaN)
/// enters the sum.
struct TapTable {
    std::int32_t *index, *nowhere;  // nowhere: locations without a tap inside
    float* weight;
    std::int64_t taps = 0, count = 0, nowhere_count = 0;

    /// Fills the table for `n` locations (x, y).
    void fill(const GridGeometry& g, const float* grid, std::int64_t n) {
        count = n;
        nowhere_count = 0;
        for (std::int64_t i = 0; i < count; ++i) {
            const auto y = reference::taps_of<float>(g, g.sizes[0], grid[2 * i + 1]),
                       x = reference::taps_of<float>(g, g.sizes[1], grid[2 * i]);
            taps = y.count * x.count;
            std::array<std::int64_t, most_taps> inside, outside;
            std::size_t inside_count = 0, outside_count = 0;
            for (std::int64_t t = 0; t < taps; ++t) {
                const auto ty = static_cast<std::size_t>(t / x.count),
                           tx = static_cast<std::size_t>(t % x.count);
                const std::int64_t at = t * count + i;
                const bool is_inside = y.index[ty] >= 0 && x.index[tx] >= 0;
                index[at] = is_inside
                                ? static_cast<std::int32_t>(y.index[ty] * g.sizes[1] + x.index[tx])
                                : 0;
                weight[at] = is_inside ? x.weight[tx] * y.weight[ty] : 0;
                (is_inside ? inside[inside_count++] : outside[outside_count++]) = at;
            }
            if (inside_count == 0) nowhere[nowhere_count++] = static_cast<std::int32_t>(i);
            else
                for (std::size_t k = 0; k < outside_count; ++k)
                    halve(inside[k % inside_count], outside[k]);
        }
    }

private:
    void halve(std::int64_t from, std::int64_t to) {
        weight[from] /= 2;
        weight[to] = weight[from];
        index[to] = index[from];
    }
};

class GridSampleKernel final : public Kernel {
public:
    void run(KernelContext& context) const override {
        const Tensor &x = context.input(0), &grid = context.input(1);
        if (x.dtype() != DType::f32 || grid.dtype() != DType::f32 || x.rank() != 4)
            context.fail("expected f32 images and grid, found " + std::string(name_of(x.dtype())) +
                         to_string(x.shape()) + " and " + std::string(name_of(grid.dtype())) +
                         to_string(grid.shape()));
        GridGeometry g = reference::read_grid_sample(context.node(), x, grid);
        if (g.input_size > INT32_MAX)
            context.fail("an image of " + std::to_string(g.input_size) + " pixels is too large");
        Tensor& y = context.output(0, DType::f32, std::move(g.output));
        if (y.size() == 0) return;
        const auto *from = x.data<float>().data(), *at = grid.data<float>().data();
        float* const to = y.mutable_data<float>().data();
        const std::int64_t chunks = (g.output_size + locations - 1) / locations;
        constexpr std::int64_t table_size = (2 * most_taps + 1) * locations;
        Tensor work = context.scratch(DType::f32, {context.threads().threads(), table_size});
        float* const memory = work.mutable_data<float>().data();
        context.threads().parallel_tasks(g.images * chunks, [&](std::int64_t task, int worker) {
            context.cancel().throw_if_cancelled();
            float* const own = memory + worker * table_size;
            auto* const integers = reinterpret_cast<std::int32_t*>(own);
            TapTable table{integers, integers + most_taps * locations,
                           own + (most_taps + 1) * locations};
            const std::int64_t image = task / chunks, first = task % chunks * locations,
                               count = std::min(locations, g.output_size - first);
            table.fill(g, at + (image * g.output_size + first) * 2, count);
            for (std::int64_t c = image * g.channels; c < (image + 1) * g.channels; ++c)
                sample(g, table, from + c * g.input_size, to + c * g.output_size + first);
        });
    }

private:
    void sample(const GridGeometry& g, const TapTable& table, const float* plane, float* to) const {
        if (g.mode == reference::SampleMode::nearest)
            kernels_.pick_positions(plane, table.index, table.count, 1, to);
        else
            kernels_.filter_positions(plane, table.index, table.weight, table.taps, table.count,
                                      to);
        for (std::int64_t k = 0; k < table.nowhere_count; ++k) to[table.nowhere[k]] = 0;
    }

    const ResizeKernels& kernels_ = resize_kernels();
};

}  // namespace

std::unique_ptr<Kernel> make_grid_sample(const KernelRequest& request, std::string& reason) {
    if (!takes_floats(request, {0, 1}, reason)) return nullptr;
    const Type& type = request.input_type(0);
    if (!type.shape || type.shape->size() != 4) {
        reason = "its input is " + to_string(type) + ", this kernel takes images";
        return nullptr;
    }
    return std::make_unique<GridSampleKernel>();
}

}  // namespace lapidary
