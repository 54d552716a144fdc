// SPDX-License-Identifier: Apache-2.0
// ConvTranspose of f32 with 1 to 3 spatial axes and a constant weight, by the convolutions of
// transposed_layout.h. A task takes a tile of the grid and some filters, makes all phases of it and
// interleaves them.
#include <algorithm>
#include <vector>

#include "kernels/convolution/transposed_layout.h"
#include "kernels/expected_input.h"
#include "kernels/kernel.h"
#include "kernels/vector/convolution/column.h"

namespace lapidary {
namespace {

constexpr std::int64_t phase_band = 384;  // rows of columns of all phases at a time
constexpr std::int64_t grid_tile = 192;   // of the grid
// of all phases of a tile, for the filters of a task
constexpr std::int64_t sums_bytes = 256 << 10;

/// One axis of the grid.
struct GridAxis {
    std::int64_t input, output, stride, pad;
    std::int64_t first, count, reach;  // first q, how many, and how far back taps reach

    explicit GridAxis(const WindowAxis& a)
        : input(a.input), output(a.output), stride(a.stride), pad(a.pad_begin),
          first(a.pad_begin / a.stride),
          count(a.output == 0 ? 0 : (a.output - 1 + a.pad_begin) / a.stride - first + 1),
          reach((a.kernel - 1) * a.dilation / a.stride) {}
};

class TransposedConv final : public Kernel {
public:
    TransposedConv(WindowAttributes window, TransposedLayout layout, Shape weight,
                   std::shared_ptr<const PackedWeight> packed)
        : window_(std::move(window)), layout_(std::move(layout)), weight_(std::move(weight)),
          packed_(std::move(packed)), kernels_(column_kernels()) {
        for (const PhaseGroup& g : layout_.phase_groups) {
            if (g.classes[2] != 0) continue;
            const PhaseClass &z = layout_.of(g, 0), &y = layout_.of(g, 1);
            const std::size_t width = layout_.of(g, 2).phases.size();
            for (std::size_t iz = 0; iz < z.phases.size(); ++iz)
                for (std::size_t iy = 0; iy < y.phases.size(); ++iy)
                    lines_.push_back(
                        {z.phases[iz], y.phases[iy], g.first_phase, g.phases,
                         static_cast<std::int64_t>((iz * y.phases.size() + iy) * width)});
        }
    }

    void run(KernelContext& context) const override {
        const Tensor& x = expect_channels(context, 0, DType::f32, weight_.size(), weight_[0]);
        const std::size_t spatial = weight_.size() - 2;
        const std::int64_t filters = layout_.groups * layout_.filters;
        const Tensor* bias = optional_floats(context, 2, {filters});
        const std::vector<WindowAxis> axes = transposed_window_axes(
            window_, {x.shape().data() + 2, spatial}, {weight_.data() + 2, spatial});
        WindowAxis none;
        none.input = none.output = 1;
        Shape shape{x.dim(0), filters};
        std::int64_t size = 1;
        for (const WindowAxis& a : axes) {
            shape.push_back(a.output);
            size *= a.output;
        }
        Tensor& y = context.output(0, DType::f32, std::move(shape));
        if (y.size() == 0) return;
        if (x.size() == 0) {  // nothing but the bias
            const auto to = y.mutable_data<float>();
            for (std::size_t i = 0; i < to.size(); ++i)
                to[i] = bias ? bias->data<float>()[i / static_cast<std::size_t>(size) %
                                                   static_cast<std::size_t>(filters)]
                             : 0.0f;
            return;
        }
        const auto axis = [&](std::size_t from_last) {
            return GridAxis(from_last < spatial ? axes[spatial - 1 - from_last] : none);
        };
        const Run r{axis(2),
                    axis(1),
                    axis(0),
                    x.data<float>().data(),
                    bias ? bias->data<float>().data() : nullptr,
                    y.mutable_data<float>().data()};
        convolve(context, r, x.dim(0) * layout_.groups);
    }

private:
    /// The offset of the sums of phase (z, y) of output lines: at phase 0 along x, in its phase
    /// group.
    struct LinePhase {
        std::int64_t z, y, first_phase, phases, index;
    };
    struct Run {
        GridAxis z, y, x;
        const float *input, *bias;
        float* output;
    };
    /// Positions [z, z + planes), [y, y + rows) and [x, x + columns) of the grid, counted from its
    /// first ones.
    struct Tile {
        std::int64_t z, planes, y, rows, x, columns;
        std::int64_t size() const { return planes * rows * columns; }
    };
    /// The input that a tile's taps reach, from the first position on: the image itself or a copy
    /// with zeros around it. Elements from channel to channel, plane to plane and row to row.
    struct Band {
        const float* from;
        std::int64_t channel, plane, row;
    };
    struct Workspace {
        std::int64_t* offsets;
        float *band, *panels, *sums;  // sums [phase group, filter, phase, position]
    };

    void convolve(KernelContext& context, const Run& r, std::int64_t products) const {
        const TransposedLayout& l = layout_;
        const std::int64_t columns = std::min(r.x.count, grid_tile),
                           rows = std::clamp<std::int64_t>(grid_tile / columns, 1, r.y.count);
        const std::int64_t planes =
            rows < r.y.count ? 1
                             : std::clamp<std::int64_t>(grid_tile / (columns * rows), 1, r.z.count);
        const std::int64_t tiles_x = (r.x.count + columns - 1) / columns,
                           tiles_y = (r.y.count + rows - 1) / rows,
                           tiles_z = (r.z.count + planes - 1) / planes;
        const std::int64_t tile = planes * rows * columns, tiles = tiles_x * tiles_y * tiles_z,
                           phases = l.phases(), units = l.units();
        const int threads = context.threads().threads();
        std::int64_t parts =
            std::clamp<std::int64_t>(l.filters * phases * tile * 4 / sums_bytes, 1, units);
        if (threads > 1 && products * tiles * parts < 2 * threads)
            parts = std::min<std::int64_t>(units, 2 * threads);
        const std::int64_t part_filters =
            std::min(l.filters, (units + parts - 1) / parts * l.unit_filters);
        const std::int64_t channels_at_once =
            std::clamp<std::int64_t>(phase_band / l.taps, 1, l.channels);
        const std::int64_t panel_columns =
            (tile + kernels_.panel - 1) / kernels_.panel * kernels_.panel;
        std::int64_t most_taps = 0;
        for (const PhaseGroup& g : l.phase_groups) most_taps = std::max(most_taps, g.taps);
        const std::int64_t band = channels_at_once * (planes + r.z.reach) * (rows + r.y.reach) *
                                  (columns + r.x.reach),
                           inner = channels_at_once * most_taps;
        const std::int64_t panels = panel_columns * inner + column_overread,
                           sums = phases * part_filters * tile;
        const std::int64_t space = (2 * inner + band + panels + sums + 15) / 16 * 16,
                           all_rows = l.filters * phases, biases = r.bias ? l.groups * all_rows : 0;
        Tensor work = context.scratch(DType::f32, {threads * space + biases});
        float* const memory = work.mutable_data<float>().data();
        float* const row_bias = r.bias ? memory + threads * space : nullptr;
        for (std::int64_t group = 0; r.bias && group < l.groups; ++group)
            for (const PhaseGroup& g : l.phase_groups)
                for (std::int64_t i = 0; i < l.filters * g.phases; ++i)
                    row_bias[group * all_rows + l.filters * g.first_phase + i] =
                        r.bias[group * l.filters + i / g.phases];
        const auto body = [&](std::int64_t task, int worker) {
            context.cancel().throw_if_cancelled();
            float* at = memory + worker * space;
            const Workspace ws{reinterpret_cast<std::int64_t*>(at), at + 2 * inner,
                               at + 2 * inner + band, at + 2 * inner + band + panels};
            const std::int64_t part = task % parts, place = task / parts % tiles,
                               product = task / parts / tiles;
            Tile t{place / (tiles_x * tiles_y) * planes,
                   0,
                   place / tiles_x % tiles_y * rows,
                   0,
                   place % tiles_x * columns,
                   0};
            t.planes = std::min(planes, r.z.count - t.z);
            t.rows = std::min(rows, r.y.count - t.y);
            t.columns = std::min(columns, r.x.count - t.x);
            one_tile(r, product, t, part * units / parts, (part + 1) * units / parts,
                     channels_at_once,
                     row_bias ? row_bias + product % l.groups * all_rows : nullptr, ws);
        };
        const std::int64_t tasks = products * tiles * parts;
        if (threads == 1 || tasks == 1)
            for (std::int64_t i = 0; i < tasks; ++i) body(i, 0);
        else context.threads().parallel_tasks(tasks, body);
    }

    void one_tile(const Run& r, std::int64_t product, const Tile& t, std::int64_t first_unit,
                  std::int64_t end_unit, std::int64_t channels_at_once, const float* row_bias,
                  const Workspace& ws) const {
        const TransposedLayout& l = layout_;
        const std::int64_t group = product % l.groups, first_filter = l.first_filter(first_unit),
                           filters = l.first_filter(end_unit) - first_filter;
        for (std::int64_t c = 0; c < l.channels; c += channels_at_once) {
            const std::int64_t channels = std::min(channels_at_once, l.channels - c);
            const Band band =
                band_of(r, r.input + (product * l.channels + c) * r.z.input * r.y.input * r.x.input,
                        channels, t, ws.band);
            for (const PhaseGroup& g : l.phase_groups) {
                const std::int64_t inner = channels * g.taps;
                pack_columns(r, g, channels, t, band, ws);
                for (std::int64_t unit = first_unit; unit < end_unit; ++unit)
                    for (std::int64_t b = 0; b < l.blocks(g, unit); ++b) {
                        const TransposedLayout::Block block = l.block(group, g, unit, b);
                        const float* w =
                            packed_->as<float>() + block.place + c * g.taps * block.count;
                        // among those of the phase group
                        const std::int64_t row = l.first_filter(unit) * g.phases + block.first;
                        float* to =
                            ws.sums +
                            (filters * g.first_phase + row - first_filter * g.phases) * t.size();
                        const ColumnEnd end{
                            c == 0,
                            c + channels == l.channels,
                            row_bias ? row_bias + l.filters * g.first_phase + row : nullptr,
                            nullptr,
                            {}};
                        for (std::int64_t at = 0; at < t.size(); at += kernels_.panel)
                            kernels_.multiply(w, block.count, ws.panels + at * inner, inner,
                                              std::min(kernels_.panel, t.size() - at), to + at,
                                              t.size(), end);
                    }
            }
        }
        for (std::int64_t f = 0; f < filters; ++f)
            interleave(r, t, ws.sums, filters, f,
                       r.output + (product * l.filters + first_filter + f) * r.z.output *
                                      r.y.output * r.x.output);
    }

    Band band_of(const Run& r, const float* image, std::int64_t channels, const Tile& t,
                 float* memory) const {
        const std::int64_t length = t.columns + r.x.reach, height = t.rows + r.y.reach,
                           depth = t.planes + r.z.reach;
        const std::int64_t front = r.z.first + t.z - r.z.reach, top = r.y.first + t.y - r.y.reach,
                           left = r.x.first + t.x - r.x.reach;
        const auto is_inside = [](std::int64_t begin, std::int64_t count, const GridAxis& a) {
            return begin >= 0 && begin + count <= a.input;
        };
        const std::int64_t plane = r.y.input * r.x.input;
        if (is_inside(front, depth, r.z) && is_inside(top, height, r.y) &&
            is_inside(left, length, r.x))
            return {image + front * plane + top * r.x.input + left, r.z.input * plane, plane,
                    r.x.input};
        const std::int64_t skip = std::clamp<std::int64_t>(left, 0, r.x.input),
                           pad = std::max<std::int64_t>(-left, 0);
        float* to = memory;
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t z = front; z < front + depth; ++z)
                for (std::int64_t y = top; y < top + height; ++y, to += length) {
                    const bool exists = z >= 0 && z < r.z.input && y >= 0 && y < r.y.input;
                    kernels_.deal_row(
                        exists ? image + (c * r.z.input + z) * plane + y * r.x.input + skip
                               : nullptr,
                        r.x.input - skip, pad, 1, length, to);
                }
        return {memory, depth * height * length, height * length, length};
    }

    void pack_columns(const Run& r, const PhaseGroup& g, std::int64_t channels, const Tile& t,
                      const Band& band, const Workspace& ws) const {
        const std::int64_t inner = channels * g.taps;
        std::int64_t* offset = ws.offsets;
        for (std::int64_t c = 0; c < channels; ++c)
            for (const std::int64_t z : layout_.of(g, 0).steps)
                for (const std::int64_t y : layout_.of(g, 1).steps)
                    for (const std::int64_t x : layout_.of(g, 2).steps)
                        *offset++ = c * band.channel + (r.z.reach - z) * band.plane +
                                    (r.y.reach - y) * band.row + r.x.reach - x;
        ColumnRun runs[64];  // at most one per position of a panel
        for (std::int64_t at = 0; at < t.size(); at += kernels_.panel) {
            std::int64_t count = 0;
            for (std::int64_t p = at; p < std::min(t.size(), at + kernels_.panel);) {
                const std::int64_t x = p % t.columns, line = p / t.columns,
                                   run = std::min(
                                       {t.columns - x, t.size() - p, at + kernels_.panel - p});
                runs[count++] = {p - at, run,
                                 line / t.rows * band.plane + line % t.rows * band.row + x};
                p += run;
            }
            kernels_.pack(band.from, ws.offsets, inner, runs, count, ws.panels + at * inner);
        }
    }

    /// The tile's part of one output channel, `filter` of `filters`, from its phases.
    void interleave(const Run& r, const Tile& t, const float* sums, std::int64_t filters,
                    std::int64_t filter, float* to) const {
        const std::int64_t left = (r.x.first + t.x) * r.x.stride - r.x.pad,
                           begin = std::max<std::int64_t>(left, 0);
        const std::int64_t end = std::min(r.x.output, left + t.columns * r.x.stride);
        if (begin >= end) return;
        const bool is_together = layout_.axes[2].size() == 1;
        for (const LinePhase& line : lines_) {
            const std::int64_t phase_stride = (is_together ? 1 : filters * line.phases) * t.size();
            const float* from =
                sums + (filters * line.first_phase + filter * line.phases + line.index) * t.size();
            for (std::int64_t p = 0; p < t.planes; ++p)
                for (std::int64_t q = 0; q < t.rows; ++q) {
                    const std::int64_t z = (r.z.first + t.z + p) * r.z.stride + line.z - r.z.pad,
                                       y = (r.y.first + t.y + q) * r.y.stride + line.y - r.y.pad;
                    if (z < 0 || z >= r.z.output || y < 0 || y >= r.y.output) continue;
                    kernels_.gather_row(from + (p * t.rows + q) * t.columns, r.x.stride,
                                        phase_stride, begin - left, end - begin,
                                        to + (z * r.y.output + y) * r.x.output + begin);
                }
        }
    }

    WindowAttributes window_;
    TransposedLayout layout_;
    Shape weight_;
    std::shared_ptr<const PackedWeight> packed_;
    std::vector<LinePhase> lines_;
    const ColumnKernels& kernels_;
};

}  // namespace

std::unique_ptr<Kernel> make_transposed_conv(const KernelRequest& request, std::string& reason) {
    constexpr std::int64_t most_phases = 64;
    const Node& node = request.node;
    const Tensor* w = request.constant(1);
    const Type& type = request.input_type(0);
    const std::int64_t groups = node.int_attribute("group", 1);
    const auto kernel = node.ints_attribute("kernel_shape");
    if (!w) reason = "the weight is computed at run time";
    else if (w->dtype() != DType::f32 || !type.is_tensor() || type.dtype != DType::f32)
        reason = "its operands are " + to_string(type) + " and " +
                 std::string(name_of(w->dtype())) + ", this kernel takes f32";
    else if (w->rank() < 3 || w->rank() > 5)
        reason = "the weight " + to_string(w->shape()) + " has " + std::to_string(w->rank()) +
                 " axes, this kernel takes 3 to 5";
    else if (w->size() == 0 || groups < 1 || w->dim(0) % groups != 0)
        reason = "the weight " + to_string(w->shape()) + " does not fit " + std::to_string(groups) +
                 " groups";
    else if (!kernel.empty() &&
             !std::equal(kernel.begin(), kernel.end(), w->shape().begin() + 2, w->shape().end()))
        reason = "kernel_shape differs from the weight " + to_string(w->shape());
    if (!reason.empty()) return nullptr;
    const std::size_t spatial = w->shape().size() - 2;
    WindowAttributes window = read_window_attributes(node, spatial);
    std::int64_t count = 1;
    for (const std::int64_t stride : window.strides) count *= std::min(stride, most_phases + 1);
    if (count > most_phases) {
        reason = "its strides are long, an output position in " + std::to_string(most_phases) +
                 " sees the same taps at most";
        return nullptr;
    }
    TransposedLayout layout(window, w->shape(), groups, column_kernels().most_filters);
    std::string format = "transposed filters of " + std::to_string(groups) + " groups by " +
                         std::to_string(layout.block_rows) + " strides";
    for (std::size_t i = 0; i < spatial; ++i)
        format +=
            " " + std::to_string(window.strides[i]) + "/" + std::to_string(window.dilations[i]);
    auto packed =
        request.weights.add(*w, format, w->byte_size(), groups,
                            [layout, from = w->data<float>().data()](
                                std::byte* to, std::int64_t begin, std::int64_t end) {
                                for (std::int64_t group = begin; group < end; ++group)
                                    layout.pack(from, group, reinterpret_cast<float*>(to));
                            });
    request.unread_inputs.push_back(1);
    return std::make_unique<TransposedConv>(std::move(window), std::move(layout), w->shape(),
                                            std::move(packed));
}

}  // namespace lapidary
