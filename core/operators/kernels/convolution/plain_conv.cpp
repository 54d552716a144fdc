// SPDX-License-Identifier: Apache-2.0
// Conv and com.microsoft FusedConv of f32 in plain layout, 1 to 3 spatial axes, any groups. A task
// takes a tile of output positions and a range of filters; for some input channels at a time it
// lays out the band of input rows that the tile sees (padded, strided elements apart), packs it
// into columns and multiplies them by the filters. Groups of few filters are multiplied from the
// band directly. Inputs X, W, B, Z (added before the activation).
#include <algorithm>

#include "kernels/expected_input.h"
#include "kernels/input_index.h"
#include "kernels/kernel.h"
#include "kernels/vector/convolution/column.h"
#include "ops/geometry/window.h"

namespace lapidary {
namespace {

// rows of columns at a time: a filter block of them stays in L1
constexpr std::int64_t band_inner = 384;
// of a packed tile: with band_inner rows about a quarter of L2
constexpr std::int64_t tile_positions = 192;
constexpr std::int64_t direct_positions = 1024;
constexpr std::int64_t direct_row = 512;  // of a list of positions
// shorter rows are computed together, including the elements between them
constexpr std::int64_t narrow_row = 64;

struct Filters {
    std::int64_t groups, channels, filters, taps;  // channels and filters of one group
    std::int64_t blocks(std::int64_t at_once) const { return (filters + at_once - 1) / at_once; }
    /// Filters before block i, of blocks as even as possible.
    std::int64_t first(std::int64_t i, std::int64_t at_once) const {
        return i * filters / blocks(at_once);
    }
    std::int64_t inner() const { return channels * taps; }
};

/// [filters, inner] of one group to blocks [inner, filters of the block].
void pack_block(const float* from, std::int64_t inner, std::int64_t first, std::int64_t end,
                float* to) {
    const std::int64_t count = end - first;
    for (std::int64_t f = 0; f < count; ++f)
        for (std::int64_t k = 0; k < inner; ++k) to[k * count + f] = from[(first + f) * inner + k];
}

/// Everything of one run.
struct ConvRun {
    Filters f;
    WindowAxis axes[3];
    const float *x, *w, *bias, *sum;  // w is packed; bias and sum may be null
    float* y;
    std::int64_t input_size, output_size, rows;  // of a channel; rows of a slice of the output
    bool reads_input;                            // the band is the input itself
    std::int64_t length, phases;                 // of a band row: elements of one phase, phases
    Shape shape;                                 // of the output
    const CancelToken* cancel;
};

class PlainConv final : public Kernel {
public:
    PlainConv(WindowAttributes window, Filters filters, Shape weight, Activation activation,
              std::shared_ptr<const PackedWeight> packed)
        : window_(std::move(window)), filters_(filters), weight_(std::move(weight)),
          activation_(activation), packed_(std::move(packed)), kernels_(column_kernels()) {}

    /// Filters handled at once: by the kernel for packed columns, or by the direct one where they
    /// are few.
    static std::int64_t at_once(const Filters& f) {
        const ColumnKernels& k = column_kernels();
        return is_direct(f) ? k.most_direct : k.most_filters;
    }
    static bool is_direct(const Filters& f) { return f.filters <= column_kernels().most_direct; }

    void run(KernelContext& context) const override {
        ConvRun r = begin(context);
        const Tensor packed = packed_ ? Tensor() : pack_now(context, r);
        if (!packed_) r.w = packed.data<float>().data();
        Tensor& y = context.output(0, DType::f32, r.shape);
        if (const Tensor* sum = optional_floats(context, conv_input::sum, y.shape()))
            r.sum = sum->data<float>().data();
        if (y.size() == 0) return;
        r.y = y.mutable_data<float>().data();
        convolve(context, r, context.input(0).dim(0) * filters_.groups);
    }

private:
    /// Rows of the band follow each other as those of the output do, so that one run of sums covers
    /// them.
    static bool is_narrow(const ConvRun& r) {
        return is_direct(r.f) && r.sum == nullptr && r.phases == 1 && r.axes[1].stride == 1 &&
               r.axes[2].output < narrow_row && r.axes[1].output > 1;
    }

    /// The longest row of at most direct_row positions that the list divides into, unless it is
    /// narrow.
    static std::int64_t row_of(std::int64_t positions) {
        for (std::int64_t row = std::min(positions, direct_row); row >= narrow_row; --row)
            if (positions % row == 0) return row;
        return positions;
    }

    ConvRun begin(KernelContext& context) const {
        const Tensor& x = expect_channels(context, 0, DType::f32, weight_.size(),
                                          filters_.groups * filters_.channels);
        const std::size_t spatial = weight_.size() - 2;
        const Tensor* bias = optional_floats(context, 2, {filters_.groups * filters_.filters});
        ConvRun r{filters_,
                  {},
                  x.data<float>().data(),
                  packed_ ? packed_->as<float>() : nullptr,
                  bias ? bias->data<float>().data() : nullptr,
                  nullptr,
                  nullptr,
                  1,
                  1,
                  1,
                  true,
                  1,
                  1,
                  {x.dim(0), filters_.groups * filters_.filters},
                  &context.cancel()};
        for (WindowAxis& a : r.axes) a.input = a.output = 1;
        for (std::size_t i = 0; i < spatial; ++i) {
            r.axes[3 - spatial + i] = window_axis(window_, i, x.dim(i + 2), weight_[i + 2]);
            r.shape.push_back(r.axes[3 - spatial + i].output);
        }
        if (std::ranges::all_of(r.axes, [](const WindowAxis& a) {
                return a.kernel == 1 && a.stride == 1 && a.pad_begin == 0 && a.output == a.input;
            })) {
            // One tap: positions form one list; it is split into rows where direct tiles are used.
            const std::int64_t positions = r.axes[0].input * r.axes[1].input * r.axes[2].input,
                               row = is_direct(filters_) ? row_of(positions) : positions;
            r.axes[0].input = r.axes[0].output = 1;
            r.axes[1].input = r.axes[1].output = row == 0 ? 1 : positions / row;
            r.axes[2].input = r.axes[2].output = row;
        }
        for (const WindowAxis& a : r.axes) {
            r.input_size *= a.input;
            r.output_size *= a.output;
            r.reads_input = r.reads_input && a.pad_begin == 0 &&
                            (a.output - 1) * a.stride + a.extent() <= a.input;
        }
        const WindowAxis& width = r.axes[2];
        // Direct sums read beyond the end of a row.
        r.reads_input = r.reads_input && width.stride == 1 && !is_direct(filters_);
        r.rows = r.axes[1].output;
        r.phases = r.reads_input ? 1 : width.stride;
        r.length = r.reads_input
                       ? width.input
                       : ((width.output - 1) * width.stride + width.extent() + width.stride - 1) /
                             width.stride;
        return r;
    }

    Tensor pack_now(KernelContext& context, const ConvRun& r) const {
        const Tensor& w = context.input(1);
        expect_shape(context, 1, w, DType::f32, weight_);
        Tensor packed = context.scratch(DType::f32, {w.size()});
        const float* from = w.data<float>().data();
        float* to = packed.mutable_data<float>().data();
        const std::int64_t blocks = r.f.blocks(at_once(r.f)), per_group = r.f.filters * r.f.inner();
        context.threads().parallel_tasks(r.f.groups * blocks, [&](std::int64_t unit, int) {
            const std::int64_t group = unit / blocks,
                               first = r.f.first(unit % blocks, at_once(r.f)),
                               end = r.f.first(unit % blocks + 1, at_once(r.f));
            pack_block(from + group * per_group, r.f.inner(), first, end,
                       to + group * per_group + first * r.f.inner());
        });
        return packed;
    }

    /// Whole panels, so that no tile is left with a few positions.
    std::int64_t even_tile(std::int64_t slice) const {
        const std::int64_t tiles = std::max<std::int64_t>(
                               1, (slice + tile_positions / 2) / tile_positions),
                           panel = kernels_.panel;
        return std::min(slice, ((slice + tiles - 1) / tiles + panel - 1) / panel * panel);
    }

    /// Rows of a direct tile, so that all tiles have about equally many.
    static std::int64_t even_rows(std::int64_t rows, std::int64_t row) {
        const std::int64_t most = std::max<std::int64_t>(1, direct_positions / row),
                           tiles = (rows + most - 1) / most;
        return (rows + tiles - 1) / tiles;
    }

    struct Workspace {
        float *band, *panels;  // panels: packed columns, or sums of narrow rows [filter, position]
        std::int64_t* offsets;
    };

    void convolve(KernelContext& context, const ConvRun& r, std::int64_t products) const {
        const bool direct = is_direct(r.f);
        const auto& [depth, height, width] = r.axes;
        // A direct tile is made of whole rows.
        const std::int64_t slice = height.output * width.output;
        const std::int64_t tile =
            direct ? even_rows(height.output, width.output) * width.output : even_tile(slice);
        const std::int64_t tiles = (slice + tile - 1) / tile, blocks = r.f.blocks(at_once(r.f));
        const double operations = 2.0 * static_cast<double>(products * r.f.filters * r.f.inner()) *
                                  static_cast<double>(r.output_size);
        // A direct tile also moves what it reads, at some two operations' time for each element.
        const double moved =
            direct ? 2.0 * static_cast<double>(products * r.f.channels * r.input_size) : 0;
        const int threads = operations + moved < 300e3 ? 1 : context.threads().threads();
        std::int64_t parts = 1;  // each lays out the columns again
        if (threads > 1 && products * depth.output * tiles < 2 * threads)
            parts = std::min<std::int64_t>(blocks, 2 * threads);
        const std::int64_t channels_at_once =
                               std::clamp<std::int64_t>(band_inner / r.f.taps, 1, r.f.channels),
                           inner = channels_at_once * r.f.taps;
        const std::int64_t tile_rows =
            std::min(height.output, (tile + width.output - 2) / width.output + 1);
        const std::int64_t band_rows = (tile_rows - 1) * height.stride + height.extent();
        const std::int64_t band =
            r.reads_input ? 0
                          : channels_at_once * depth.kernel * band_rows * r.phases * r.length +
                                column_overread;
        const std::int64_t panel_space =
            direct ? (is_narrow(r) ? r.f.filters * tile_rows * r.length : 0)
                   : (tile + kernels_.panel - 1) / kernels_.panel * kernels_.panel * inner +
                         column_overread;
        const std::int64_t space = (band + panel_space + 2 * inner + 15) / 16 * 16;
        Tensor work = context.scratch(DType::f32, {threads, space});
        float* const memory = work.mutable_data<float>().data();
        const auto body = [&](std::int64_t task, int worker) {
            context.cancel().throw_if_cancelled();
            float* at = memory + worker * space;
            const Workspace ws{at + 2 * inner, at + 2 * inner + band,
                               reinterpret_cast<std::int64_t*>(at)};
            const std::int64_t part = task % parts, place = task / parts;
            const std::int64_t first = place % tiles * tile, z = place / tiles % depth.output,
                               product = place / tiles / depth.output;
            one_tile(r, product, z, first, std::min(slice, first + tile), part * blocks / parts,
                     (part + 1) * blocks / parts, channels_at_once, ws);
        };
        const std::int64_t tasks = products * depth.output * tiles * parts;
        if (threads == 1)
            for (std::int64_t i = 0; i < tasks; ++i) body(i, 0);
        else {
            // Several small tasks at a time.
            const auto wanted =
                static_cast<std::int64_t>(200e3 * static_cast<double>(tasks) / operations);
            const std::int64_t at_a_time = std::clamp<std::int64_t>(
                wanted, 1, std::max<std::int64_t>(1, tasks / (4 * threads)));
            context.threads().parallel_tasks(
                (tasks + at_a_time - 1) / at_a_time, [&](std::int64_t chunk, int worker) {
                    for (std::int64_t i = chunk * at_a_time;
                         i < std::min(tasks, (chunk + 1) * at_a_time); ++i)
                        body(i, worker);
                });
        }
    }

    /// Positions [first, end) of slice z for blocks [first_block, end_block) of filters; product
    /// counts images and groups.
    void one_tile(const ConvRun& r, std::int64_t product, std::int64_t z, std::int64_t first,
                  std::int64_t end, std::int64_t first_block, std::int64_t end_block,
                  std::int64_t channels_at_once, const Workspace& ws) const {
        const auto& [depth, height, width] = r.axes;
        const std::int64_t top = first / width.output, bottom = (end - 1) / width.output,
                           group = product % r.f.groups;
        const std::int64_t band_rows = (bottom - top) * height.stride + height.extent();
        const float* image = r.x + product * r.f.channels * r.input_size;
        for (std::int64_t c = 0; c < r.f.channels; c += channels_at_once) {
            r.cancel->throw_if_cancelled();
            const std::int64_t channels = std::min(channels_at_once, r.f.channels - c);
            const float* from =
                r.reads_input
                    ? image + c * r.input_size +
                          (z * depth.stride * height.input + top * height.stride) * width.input
                    : ws.band;
            if (!r.reads_input)
                lay_band(r, image + c * r.input_size, channels, z, top, band_rows, ws.band);
            fill_offsets(r, channels, band_rows, ws.offsets);
            const bool is_last = c + channels == r.f.channels;
            const ColumnEnd end_of{c == 0, is_last, nullptr, nullptr, activation_};
            if (is_direct(r.f))
                direct_tile(r, product, group, z, c, channels, top, bottom, from, end_of, ws);
            else
                packed_tile(r, product, group, z, c, channels, first, end, first_block, end_block,
                            from, end_of, ws);
        }
    }

    void lay_band(const ConvRun& r, const float* image, std::int64_t channels, std::int64_t z,
                  std::int64_t top, std::int64_t band_rows, float* to) const {
        const auto& [depth, height, width] = r.axes;
        const std::int64_t row = r.phases * r.length,
                           first_y = top * height.stride - height.pad_begin;
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t k = 0; k < depth.kernel; ++k) {
                const std::int64_t plane = z * depth.stride - depth.pad_begin + k * depth.dilation;
                for (std::int64_t i = 0; i < band_rows; ++i, to += row) {
                    // no window looks there
                    if (height.kernel == 1 && i % height.stride != 0) continue;
                    const std::int64_t y = first_y + i;
                    const bool exists =
                        plane >= 0 && plane < depth.input && y >= 0 && y < height.input;
                    kernels_.deal_row(
                        exists ? image + c * r.input_size + (plane * height.input + y) * width.input
                               : nullptr,
                        width.input, width.pad_begin, r.phases, r.length, to);
                }
            }
    }

    void fill_offsets(const ConvRun& r, std::int64_t channels, std::int64_t band_rows,
                      std::int64_t* to) const {
        const auto& [depth, height, width] = r.axes;
        const std::int64_t row = r.phases * r.length;
        const std::int64_t slice =
            r.reads_input ? depth.dilation * height.input * width.input : band_rows * row;
        const std::int64_t channel = r.reads_input ? r.input_size : depth.kernel * slice;
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t kd = 0; kd < depth.kernel; ++kd)
                for (std::int64_t ky = 0; ky < height.kernel; ++ky)
                    for (std::int64_t kx = 0; kx < width.kernel; ++kx) {
                        const std::int64_t x = kx * width.dilation;
                        *to++ = c * channel + kd * slice + ky * height.dilation * row +
                                (r.phases == 1 ? x : x % r.phases * r.length + x / r.phases);
                    }
    }

    void packed_tile(const ConvRun& r, std::int64_t product, std::int64_t group, std::int64_t z,
                     std::int64_t c, std::int64_t channels, std::int64_t first, std::int64_t end,
                     std::int64_t first_block, std::int64_t end_block, const float* from,
                     ColumnEnd end_of, const Workspace& ws) const {
        const auto& [depth, height, width] = r.axes;
        const std::int64_t inner = channels * r.f.taps, panel = kernels_.panel,
                           top = first / width.output, row = height.stride * r.phases * r.length;
        ColumnRun runs[64];  // at most one per position of a panel
        for (std::int64_t at = first; at < end; at += panel) {
            std::int64_t count = 0;
            for (std::int64_t p = at; p < std::min(end, at + panel);) {
                const std::int64_t x = p % width.output,
                                   length = std::min({width.output - x, end - p, at + panel - p});
                runs[count++] = {p - at, length, (p / width.output - top) * row + x};
                p += length;
            }
            kernels_.pack(from, ws.offsets, inner, runs, count, ws.panels + (at - first) * inner);
        }
        const std::int64_t most = at_once(r.f);
        for (std::int64_t b = first_block; b < end_block; ++b) {
            r.cancel->throw_if_cancelled();
            const std::int64_t f = r.f.first(b, most), filters = r.f.first(b + 1, most) - f,
                               filter = group * r.f.filters + f;
            const float* w = r.w + (group * r.f.filters + f) * r.f.inner() + c * r.f.taps * filters;
            end_of.bias = r.bias ? r.bias + filter : nullptr;
            const std::int64_t place =
                (product * r.f.filters + f) * r.output_size + z * height.output * width.output;
            for (std::int64_t at = first; at < end; at += panel) {
                end_of.sum = r.sum ? r.sum + place + at : nullptr;
                kernels_.multiply(w, filters, ws.panels + (at - first) * inner, inner,
                                  std::min(panel, end - at), r.y + place + at, r.output_size,
                                  end_of);
            }
        }
    }

    void direct_tile(const ConvRun& r, std::int64_t product, std::int64_t group, std::int64_t z,
                     std::int64_t c, std::int64_t channels, std::int64_t top, std::int64_t bottom,
                     const float* from, ColumnEnd end_of, const Workspace& ws) const {
        const auto& [depth, height, width] = r.axes;
        const float* w = r.w + group * r.f.filters * r.f.inner() + c * r.f.taps * r.f.filters;
        end_of.bias = r.bias ? r.bias + group * r.f.filters : nullptr;
        if (is_narrow(r)) {
            const std::int64_t columns = (bottom - top) * r.length + width.output;
            kernels_.direct(w, r.f.filters, from, ws.offsets, channels * r.f.taps, columns,
                            ws.panels, columns, end_of);
            if (!end_of.is_last) return;
            for (std::int64_t f = 0; f < r.f.filters; ++f)
                for (std::int64_t y = top; y <= bottom; ++y)
                    kernels_.deal_row(ws.panels + f * columns + (y - top) * r.length, width.output,
                                      0, 1, width.output,
                                      r.y + (product * r.f.filters + f) * r.output_size +
                                          (z * height.output + y) * width.output);
            return;
        }
        for (std::int64_t y = top; y <= bottom; ++y) {
            const std::int64_t place =
                product * r.f.filters * r.output_size + (z * height.output + y) * width.output;
            end_of.sum = r.sum ? r.sum + place : nullptr;
            kernels_.direct(w, r.f.filters, from + (y - top) * height.stride * r.phases * r.length,
                            ws.offsets, channels * r.f.taps, width.output, r.y + place,
                            r.output_size, end_of);
        }
    }

    WindowAttributes window_;
    Filters filters_;
    Shape weight_;
    Activation activation_;
    std::shared_ptr<const PackedWeight> packed_;  // null: the weight is computed at run time
    const ColumnKernels& kernels_;
};

/// The shape of W when it is known and fits the node; else nothing with the reason.
std::optional<Shape> weight_shape(const KernelRequest& request, std::string& reason) {
    const Type& type = request.input_type(1);
    const Tensor* w = request.constant(1);
    const DType dtype = w ? w->dtype() : type.dtype;
    if (dtype != DType::f32 || !request.input_type(0).is_tensor() ||
        request.input_type(0).dtype != DType::f32) {
        reason = "its operands are " + to_string(request.input_type(0)) + " and " +
                 to_string(type) + ", this kernel takes f32";
        return std::nullopt;
    }
    if (!w && !type.is_static()) {
        reason = "the shape of the weight is known only when it runs";
        return std::nullopt;
    }
    const Shape shape = w ? w->shape() : Shape(type.static_shape());
    const auto kernel = request.node.ints_attribute("kernel_shape");
    const std::int64_t groups = request.node.int_attribute("group", 1);
    if (shape.size() < 3 || shape.size() > 5)
        reason = "the weight " + to_string(shape) + " has " + std::to_string(shape.size()) +
                 " axes, this kernel takes 3 to 5";
    else if (element_count(shape) == 0) reason = "the weight " + to_string(shape) + " is empty";
    else if (groups < 1 || shape[0] % groups != 0)
        reason = "the weight " + to_string(shape) + " does not fit " + std::to_string(groups) +
                 " groups";
    else if (!kernel.empty() &&
             !std::equal(kernel.begin(), kernel.end(), shape.begin() + 2, shape.end()))
        reason = "kernel_shape differs from the weight " + to_string(shape);
    else return shape;
    return std::nullopt;
}

}  // namespace

std::unique_ptr<Kernel> make_plain_conv(const KernelRequest& request, std::string& reason) {
    const Node& node = request.node;
    const auto shape = weight_shape(request, reason);
    if (!shape) return nullptr;
    const auto activation = activation_of(node.string_attribute("activation", ""),
                                          node.floats_attribute("activation_params"));
    if (!activation) {
        reason = "activation " + node.string_attribute("activation", "") +
                 " is served by the reference kernel";
        return nullptr;
    }
    const std::int64_t groups = node.int_attribute("group", 1);
    Filters f{groups, (*shape)[1], (*shape)[0] / groups, 1};
    for (std::size_t i = 2; i < shape->size(); ++i) f.taps *= (*shape)[i];
    std::shared_ptr<const PackedWeight> packed;
    if (const Tensor* w = request.constant(1)) {
        const std::int64_t at_once = PlainConv::at_once(f), blocks = f.blocks(at_once);
        const float* from = w->data<float>().data();
        packed = request.weights.add(
            *w,
            "plain filters of " + std::to_string(groups) + " groups by " + std::to_string(at_once),
            w->byte_size(), groups * blocks,
            [=](std::byte* to, std::int64_t begin, std::int64_t end) {
                const std::int64_t per_group = f.filters * f.inner();
                for (std::int64_t unit = begin; unit < end; ++unit) {
                    const std::int64_t group = unit / blocks,
                                       first = f.first(unit % blocks, at_once),
                                       last = f.first(unit % blocks + 1, at_once);
                    pack_block(
                        from + group * per_group, f.inner(), first, last,
                        reinterpret_cast<float*>(to) + group * per_group + first * f.inner());
                }
            });
        request.unread_inputs.push_back(1);
    }
    return std::make_unique<PlainConv>(read_window_attributes(node, shape->size() - 2), f, *shape,
                                       *activation, std::move(packed));
}

}  // namespace lapidary
