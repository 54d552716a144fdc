// SPDX-License-Identifier: Apache-2.0
// ConvTranspose of f32 with 1 or 2 spatial axes and a constant weight. Per axis, output positions o with one
// r = (o + pad) mod stride, o = stride * q + r - pad, see the taps k with k * dilation = r (mod stride) only, and those read
// input position q - (k * dilation - r) / stride: for each of these phases it is a convolution of stride 1 over the grid of
// q. A task takes a tile of the grid and some filters, makes all phases of it and interleaves them.
#include <algorithm>
#include <vector>

#include "kernels/kernel.h"
#include "kernels/vector/column.h"
#include "ops/geometry/window.h"

namespace lapidary {
namespace {

constexpr std::int64_t band_inner = 384;        // rows of columns of all phases at a time
constexpr std::int64_t tile_positions = 192;    // of the grid
constexpr std::int64_t sums_bytes = 256 << 10;  // of all phases of a tile, for the filters of a task

/// Taps of one phase, per axis.
struct Phase {
    std::vector<std::int64_t> taps_y, taps_x;  // kernel positions
    std::int64_t first_tap = 0;                // taps of the phases before it
    std::int64_t taps() const { return static_cast<std::int64_t>(taps_y.size() * taps_x.size()); }
};

struct Layout {
    std::int64_t groups, channels, filters;  // channels and filters of one group
    std::int64_t taps, at_once;              // of the window; filters multiplied at once
    std::vector<Phase> phases;

    std::int64_t blocks() const { return (filters + at_once - 1) / at_once; }
    std::int64_t first(std::int64_t block) const { return block * filters / blocks(); }
    /// Where the weights of a group, phase and block begin: [channels, taps of the phase, filters of the block].
    std::int64_t place(std::int64_t group, const Phase& phase, std::int64_t block) const {
        return ((group * taps + phase.first_tap) * filters + phase.taps() * first(block)) * channels;
    }
};

/// The weight [channels of all groups, filters, taps] of one group to the place of its blocks.
void pack_group(const Layout& l, const float* weight, std::int64_t kernel_x, std::int64_t group, float* to) {
    for (const Phase& phase : l.phases)
        for (std::int64_t b = 0; b < l.blocks(); ++b) {
            float* p = to + l.place(group, phase, b);
            for (std::int64_t c = 0; c < l.channels; ++c)
                for (const std::int64_t ky : phase.taps_y)
                    for (const std::int64_t kx : phase.taps_x)
                        for (std::int64_t f = l.first(b); f < l.first(b + 1); ++f)
                            *p++ = weight[((group * l.channels + c) * l.filters + f) * l.taps + ky * kernel_x + kx];
        }
}

/// One axis of the grid.
struct GridAxis {
    std::int64_t input, output, stride, dilation, pad;
    std::int64_t first, count, reach;  // first q, how many, and how far back taps reach

    explicit GridAxis(const WindowAxis& a)
        : input(a.input), output(a.output), stride(a.stride), dilation(a.dilation), pad(a.pad_begin), first(a.pad_begin / a.stride),
          count(a.output == 0 ? 0 : (a.output - 1 + a.pad_begin) / a.stride - first + 1), reach((a.kernel - 1) * a.dilation / a.stride) {}
    /// Of the tap among those of its phase: positions from the first one in the band.
    std::int64_t shift(std::int64_t tap) const { return reach - tap * dilation / stride; }
};

class TransposedConv final : public Kernel {
public:
    TransposedConv(WindowAttributes window, Layout layout, Shape weight, std::shared_ptr<const PackedWeight> packed)
        : window_(std::move(window)), layout_(std::move(layout)), weight_(std::move(weight)), packed_(std::move(packed)), kernels_(column_kernels()) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const std::size_t spatial = weight_.size() - 2;
        const std::int64_t filters = layout_.groups * layout_.filters;
        if (x.dtype() != DType::f32 || x.rank() != static_cast<int>(weight_.size()) || x.dim(1) != weight_[0])
            context.fail("input 0: expected f32 of rank " + std::to_string(weight_.size()) + " with " + std::to_string(weight_[0]) + " channels, found " +
                         std::string(name_of(x.dtype())) + to_string(x.shape()));
        const Tensor* bias = context.optional_input(2);
        if (bias && (bias->dtype() != DType::f32 || bias->rank() != 1 || bias->dim(0) != filters))
            context.fail("input 2: expected f32[" + std::to_string(filters) + "], found " + std::string(name_of(bias->dtype())) + to_string(bias->shape()));
        WindowAxis height;
        height.input = height.output = 1;
        if (spatial == 2) height = transposed_window_axis(window_, 0, x.dim(2), weight_[2]);
        const WindowAxis width = transposed_window_axis(window_, spatial - 1, x.dim(spatial + 1), weight_[spatial + 1]);
        Tensor& y = context.output(0, DType::f32, spatial == 2 ? Shape{x.dim(0), filters, height.output, width.output} : Shape{x.dim(0), filters, width.output});
        if (y.size() == 0) return;
        if (x.size() == 0) {  // nothing but the bias
            const auto to = y.mutable_data<float>();
            const std::size_t size = static_cast<std::size_t>(height.output * width.output);
            for (std::size_t i = 0; i < to.size(); ++i) to[i] = bias ? bias->data<float>()[i / size % static_cast<std::size_t>(filters)] : 0.0f;
            return;
        }
        const Run r{GridAxis(height), GridAxis(width), x.data<float>().data(), bias ? bias->data<float>().data() : nullptr, y.mutable_data<float>().data()};
        convolve(context, r, x.dim(0) * layout_.groups);
    }

private:
    struct Run {
        GridAxis y, x;
        const float *input, *bias;
        float* output;
    };
    /// Rows [y, y + rows) and columns [x, x + columns) of the grid, counted from its first ones.
    struct Tile {
        std::int64_t y, rows, x, columns;
        std::int64_t size() const { return rows * columns; }
    };

    void convolve(KernelContext& context, const Run& r, std::int64_t products) const {
        const Layout& l = layout_;
        const std::int64_t columns = std::min(r.x.count, tile_positions), rows = std::clamp<std::int64_t>(tile_positions / columns, 1, r.y.count);
        const std::int64_t tiles_x = (r.x.count + columns - 1) / columns, tiles_y = (r.y.count + rows - 1) / rows, tile = rows * columns;
        const std::int64_t phases = static_cast<std::int64_t>(l.phases.size()), blocks = l.blocks();
        const int threads = context.threads().threads();
        std::int64_t parts = std::clamp<std::int64_t>(l.filters * phases * tile * 4 / sums_bytes, 1, blocks);
        if (threads > 1 && products * tiles_x * tiles_y * parts < 2 * threads) parts = std::min<std::int64_t>(blocks, 2 * threads);
        const std::int64_t part_filters = (blocks + parts - 1) / parts * l.at_once;
        const std::int64_t channels_at_once = std::clamp<std::int64_t>(band_inner / l.taps, 1, l.channels);
        const std::int64_t panel_columns = (tile + kernels_.panel - 1) / kernels_.panel * kernels_.panel;
        std::int64_t most_taps = 0;
        for (const Phase& p : l.phases) most_taps = std::max(most_taps, p.taps());
        const std::int64_t band = channels_at_once * (rows + r.y.reach) * (columns + r.x.reach), inner = channels_at_once * most_taps;
        const std::int64_t panels = panel_columns * inner + column_overread, sums = phases * part_filters * tile;
        const std::int64_t space = (2 * inner + band + panels + sums + 15) / 16 * 16;
        Tensor work = context.scratch(DType::f32, {threads, space});
        float* const memory = work.mutable_data<float>().data();
        const auto body = [&](std::int64_t task, int worker) {
            context.cancel().throw_if_cancelled();
            float* at = memory + worker * space;
            const Workspace ws{reinterpret_cast<std::int64_t*>(at), at + 2 * inner, at + 2 * inner + band, at + 2 * inner + band + panels};
            const std::int64_t part = task % parts, place = task / parts % (tiles_x * tiles_y), product = task / parts / (tiles_x * tiles_y);
            Tile t{place / tiles_x * rows, 0, place % tiles_x * columns, 0};
            t.rows = std::min(rows, r.y.count - t.y);
            t.columns = std::min(columns, r.x.count - t.x);
            one_tile(r, product, t, part * blocks / parts, (part + 1) * blocks / parts, channels_at_once, ws);
        };
        const std::int64_t tasks = products * tiles_x * tiles_y * parts;
        if (threads == 1 || tasks == 1)
            for (std::int64_t i = 0; i < tasks; ++i) body(i, 0);
        else context.threads().parallel_tasks(tasks, body);
    }

    struct Workspace {
        std::int64_t* offsets;
        float *band, *panels, *sums;  // sums [phase, filter, position]
    };

    void one_tile(const Run& r, std::int64_t product, const Tile& t, std::int64_t first_block, std::int64_t end_block, std::int64_t channels_at_once,
                  const Workspace& ws) const {
        const Layout& l = layout_;
        const std::int64_t group = product % l.groups, first_filter = l.first(first_block), filters = l.first(end_block) - first_filter;
        for (std::int64_t c = 0; c < l.channels; c += channels_at_once) {
            const std::int64_t channels = std::min(channels_at_once, l.channels - c);
            lay_band(r, r.input + (product * l.channels + c) * r.y.input * r.x.input, channels, t, ws.band);
            for (std::size_t p = 0; p < l.phases.size(); ++p) {
                const Phase& phase = l.phases[p];
                const std::int64_t inner = channels * phase.taps();
                pack_columns(r, phase, channels, t, ws);
                for (std::int64_t b = first_block; b < end_block; ++b) {
                    const std::int64_t f = l.first(b), count = l.first(b + 1) - f;
                    const float* w = packed_->as<float>() + l.place(group, phase, b) + c * phase.taps() * count;
                    float* to = ws.sums + (static_cast<std::int64_t>(p) * filters + f - first_filter) * t.size();
                    const ColumnEnd end{c == 0, c + channels == l.channels, r.bias ? r.bias + group * l.filters + f : nullptr, nullptr, {}};
                    for (std::int64_t at = 0; at < t.size(); at += kernels_.panel)
                        kernels_.multiply(w, count, ws.panels + at * inner, inner, std::min(kernels_.panel, t.size() - at), to + at, t.size(), end);
                }
            }
        }
        for (std::int64_t f = 0; f < filters; ++f)
            interleave(r, t, ws.sums + f * t.size(), filters * t.size(), r.output + (product * l.filters + first_filter + f) * r.y.output * r.x.output);
    }

    /// Input rows and columns that the tile's taps reach, zeros outside the image: [channels, rows + reach, columns + reach].
    void lay_band(const Run& r, const float* image, std::int64_t channels, const Tile& t, float* to) const {
        const std::int64_t length = t.columns + r.x.reach, top = r.y.first + t.y - r.y.reach, left = r.x.first + t.x - r.x.reach;
        const std::int64_t skip = std::clamp<std::int64_t>(left, 0, r.x.input), pad = std::max<std::int64_t>(-left, 0);
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t i = 0; i < t.rows + r.y.reach; ++i, to += length) {
                const bool exists = top + i >= 0 && top + i < r.y.input;
                kernels_.deal_row(exists ? image + (c * r.y.input + top + i) * r.x.input + skip : nullptr, r.x.input - skip, pad, 1, length, to);
            }
    }

    void pack_columns(const Run& r, const Phase& phase, std::int64_t channels, const Tile& t, const Workspace& ws) const {
        const std::int64_t length = t.columns + r.x.reach, inner = channels * phase.taps();
        std::int64_t* offset = ws.offsets;
        for (std::int64_t c = 0; c < channels; ++c)
            for (const std::int64_t ky : phase.taps_y)
                for (const std::int64_t kx : phase.taps_x) *offset++ = (c * (t.rows + r.y.reach) + r.y.shift(ky)) * length + r.x.shift(kx);
        ColumnRun runs[64];  // at most one per position of a panel
        for (std::int64_t at = 0; at < t.size(); at += kernels_.panel) {
            std::int64_t count = 0;
            for (std::int64_t p = at; p < std::min(t.size(), at + kernels_.panel);) {
                const std::int64_t x = p % t.columns, run = std::min({t.columns - x, t.size() - p, at + kernels_.panel - p});
                runs[count++] = {p - at, run, p / t.columns * length + x};
                p += run;
            }
            kernels_.pack(ws.band, ws.offsets, inner, runs, count, ws.panels + at * inner);
        }
    }

    /// The tile's part of one output channel from its phases, `phase_stride` apart.
    void interleave(const Run& r, const Tile& t, const float* sums, std::int64_t phase_stride, float* to) const {
        const std::int64_t left = (r.x.first + t.x) * r.x.stride - r.x.pad, begin = std::max<std::int64_t>(left, 0);
        const std::int64_t end = std::min(r.x.output, left + t.columns * r.x.stride);
        for (std::int64_t q = 0; q < t.rows; ++q)
            for (std::int64_t phase = 0; phase < r.y.stride; ++phase) {
                const std::int64_t o = (r.y.first + t.y + q) * r.y.stride + phase - r.y.pad;
                if (o < 0 || o >= r.y.output || begin >= end) continue;
                kernels_.gather_row(sums + phase * r.x.stride * phase_stride + q * t.columns, r.x.stride, phase_stride, begin - left, end - begin,
                                    to + o * r.x.output + begin);
            }
    }

    WindowAttributes window_;
    Layout layout_;
    Shape weight_;
    std::shared_ptr<const PackedWeight> packed_;
    const ColumnKernels& kernels_;
};

std::vector<Phase> phases_of(const WindowAttributes& window, const Shape& weight) {
    const std::size_t spatial = weight.size() - 2;
    const auto taps = [&](std::size_t axis, std::int64_t phase) {
        std::vector<std::int64_t> list;
        for (std::int64_t k = 0; k < weight[axis + 2]; ++k)
            if (k * window.dilations[axis] % window.strides[axis] == phase) list.push_back(k);
        return list;
    };
    std::vector<Phase> phases;
    std::int64_t first = 0;
    for (std::int64_t y = 0; y < (spatial == 2 ? window.strides[0] : 1); ++y)
        for (std::int64_t x = 0; x < window.strides[spatial - 1]; ++x) {
            phases.push_back({spatial == 2 ? taps(0, y) : std::vector<std::int64_t>{0}, taps(spatial - 1, x), first});
            first += phases.back().taps();
        }
    return phases;
}

}  // namespace

std::unique_ptr<Kernel> make_transposed_conv(const KernelRequest& request, std::string& reason) {
    constexpr std::int64_t most_phases = 64;
    const Node& node = request.node;
    const Tensor* w = request.constant(1);
    const Type& type = request.input_type(0);
    const std::int64_t groups = node.int_attribute("group", 1);
    const auto kernel = node.ints_attribute("kernel_shape");
    if (!w) reason = "the weight is computed at run time";
    else if (w->dtype() != DType::f32 || !type.is_tensor() || type.dtype != DType::f32) reason = "its operands are " + to_string(type) + " and " + std::string(name_of(w->dtype())) + ", this kernel takes f32";
    else if (w->rank() != 3 && w->rank() != 4) reason = "the weight " + to_string(w->shape()) + " has " + std::to_string(w->rank()) + " axes, this kernel takes 3 or 4";
    else if (w->size() == 0 || groups < 1 || w->dim(0) % groups != 0) reason = "the weight " + to_string(w->shape()) + " does not fit " + std::to_string(groups) + " groups";
    else if (!kernel.empty() && !std::equal(kernel.begin(), kernel.end(), w->shape().begin() + 2, w->shape().end())) reason = "kernel_shape differs from the weight " + to_string(w->shape());
    if (!reason.empty()) return nullptr;
    const std::size_t spatial = w->shape().size() - 2;
    WindowAttributes window = read_window_attributes(node, spatial);
    std::int64_t count = 1, taps = 1;
    for (std::size_t i = 0; i < spatial; ++i) {
        count *= std::min(window.strides[i], most_phases + 1);
        taps *= w->dim(i + 2);
    }
    if (count > most_phases) {
        reason = "its strides are long, an output position in " + std::to_string(most_phases) + " sees the same taps at most";
        return nullptr;
    }
    Layout layout{groups, w->dim(0) / groups, w->dim(1), taps, column_kernels().most_filters, phases_of(window, w->shape())};
    std::string format = "transposed filters of " + std::to_string(groups) + " groups by " + std::to_string(layout.at_once) + " strides";
    for (std::size_t i = 0; i < spatial; ++i) format += " " + std::to_string(window.strides[i]) + "/" + std::to_string(window.dilations[i]);
    const float* from = w->data<float>().data();
    const std::int64_t kernel_x = w->dim(spatial + 1);
    auto packed = request.weights.add(*w, format, w->byte_size(), groups, [=](std::byte* to, std::int64_t begin, std::int64_t end) {
        for (std::int64_t group = begin; group < end; ++group) pack_group(layout, from, kernel_x, group, reinterpret_cast<float*>(to));
    });
    request.unread_inputs.push_back(1);
    return std::make_unique<TransposedConv>(std::move(window), std::move(layout), w->shape(), std::move(packed));
}

}  // namespace lapidary
