// SPDX-License-Identifier: Apache-2.0
// com.microsoft.nchwc::Conv over blocks of channels and over images of few channels in plain order:
// how the work is cut so that what is read again and again stays in a core's cache.
#include <algorithm>
#include <vector>

#include <lapidary/base/error.h>

#include "kernels/convolution/blocked_geometry.h"
#include "kernels/convolution/blocked_pixels.h"
#include "kernels/convolution/task_split.h"

namespace lapidary {
namespace {

using blocked::Form;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Tasks are images x groups x row ranges x column ranges x block ranges, the last one running
/// fastest.
struct Cut {
    std::int64_t rows = 1, columns = 1, blocks = 1;  // of one task
    std::int64_t row_parts = 1, column_parts = 1, block_parts = 1;

    std::int64_t count() const { return row_parts * column_parts * block_parts; }
};

/// Sizes that follow from the shapes.
struct Geometry {
    DirectConvolution convolution;
    Cut cut;
    WindowAxis axes[2];                   // of one long row where rows need not be distinguished
    std::int64_t blocks = 0, groups = 0;  // output blocks of a group
    std::int64_t weight_size = 0;         // elements
    int threads = 0;
};

class DirectBlockedConvolution final : public Kernel {
public:
    DirectBlockedConvolution(const KernelRequest& request,
                             std::unique_ptr<blocked::Attributes> attributes, Form form)
        : attributes_(std::move(attributes)), form_(form),
          sharing_(blocked::sharing_of(request.node)), kernels_(direct_convolution_kernels()) {
        const Tensor* w = request.constant(1);
        if (w && w->is_deferred() && w->size() > 0) pack(request, *w);
        const Type& x = request.input_type(0);
        if (!w || !x.shape || x.shape->size() != 4) return;
        for (const Dim& d : *x.shape) {
            if (!d.is_known()) return;
            known_input_.push_back(d.value());
        }
        WindowAxis axes[2];
        try {
            for (std::size_t i = 0; i < 2; ++i)
                axes[i] = window_axis(attributes_->window, i, known_input_[2 + i], w->dim(2 + i));
        } catch (const Error&) {  // the run will say so
            known_input_ = {};
            return;
        }
        known_runs_.resize(
            static_cast<std::size_t>(blocked::most_runs(axes[0]) + blocked::most_runs(axes[1])));
        known_ = geometry(axes, known_input_[0], w->shape(), request.options.threads,
                          known_runs_.data());
    }

    StorageSharing sharing() const override { return sharing_; }

    void run(KernelContext& context) const override {
        const blocked::Operands o = blocked::read_operands(context, *attributes_, form_,
                                                           packed_ ? &packed_shape_ : nullptr);
        if (o.y->size() == 0) return;
        const Shape& weight = packed_ ? packed_shape_ : o.w->shape();
        if (form_ == Form::blocks && blocked::is_pixel_product(*attributes_, o, weight))
            return blocked::multiply_pixels(
                context, *attributes_, o, weight,
                packed_ ? packed_->as<const float>() : o.w->data<float>().data());
        const int threads = context.threads().threads();
        if (known_.threads == threads && o.x->shape() == known_input_)
            return run(context, o, known_);
        Tensor scratch = context.scratch(
            DType::i32, {4 * (blocked::most_runs(o.axes[0]) + blocked::most_runs(o.axes[1]))});
        run(context, o,
            geometry(o.axes, o.x->dim(0), weight, threads,
                     static_cast<WindowRun*>(scratch.mutable_raw())));
    }

private:
    /// Adds a weight that is not packed yet to the session's weights, in its own order.
    void pack(const KernelRequest& request, const Tensor& w) {
        packed_shape_ = w.shape();
        const std::int64_t inner = form_ == Form::plain ? 1 : attributes_->block,
                           squares = w.size() / (w.dim(2) * w.dim(3) * attributes_->block * inner);
        const std::size_t bytes = w.byte_size() / static_cast<std::size_t>(squares);
        packed_ =
            request.weights.add(w, "as it lies", w.byte_size(), squares,
                                [w, bytes](std::byte* to, std::int64_t begin, std::int64_t end) {
                                    w.read(static_cast<std::size_t>(begin) * bytes,
                                           static_cast<std::size_t>(end - begin) * bytes,
                                           to + static_cast<std::size_t>(begin) * bytes);
                                });
        request.unread_inputs.push_back(1);
    }

    void run(KernelContext& context, const blocked::Operands& o, const Geometry& g) const {
        const DirectConvolution& c = g.convolution;
        const Cut& cut = g.cut;
        const float *x = o.x->data<float>().data(),
                    *w = packed_ ? packed_->as<const float>() : o.w->data<float>().data();
        const float* bias = o.bias ? o.bias->data<float>().data() : nullptr;
        const float* sum = o.sum ? o.sum->data<float>().data() : nullptr;
        float* y = o.y->mutable_data<float>().data();
        const std::int64_t weight_step = g.weight_size / (g.blocks * g.groups);
        context.threads().parallel_tasks(
            o.x->dim(0) * g.groups * cut.count(), [&](std::int64_t index, int) {
                context.cancel().throw_if_cancelled();
                const std::int64_t part = index % cut.block_parts;
                index /= cut.block_parts;
                const std::int64_t column = index % cut.column_parts * cut.columns;
                index /= cut.column_parts;
                // of images x groups
                const std::int64_t row = index % cut.row_parts * cut.rows,
                                   plane = index / cut.row_parts;
                const std::int64_t first = part * cut.blocks,
                                   in_group = plane % g.groups * g.blocks + first,
                                   overall = plane * g.blocks + first;
                DirectTask task;
                task.input = x + plane * c.inputs * c.input_step;
                task.weight = w + in_group * weight_step;
                task.bias = bias ? bias + in_group * c.block : nullptr;
                task.sum = sum ? sum + overall * c.output_step : nullptr;
                task.output = y + overall * c.output_step;
                task.blocks = std::min(cut.blocks, g.blocks - first);
                task.begin[0] = row, task.end[0] = std::min(row + cut.rows, g.axes[0].output);
                task.begin[1] = column,
                task.end[1] = std::min(column + cut.columns, g.axes[1].output);
                kernels_.run(c, task);
            });
    }

    static bool is_flat(const WindowAxis* axes) {
        const auto keeps = [](const WindowAxis& a) {
            return a.kernel == 1 && a.stride == 1 && a.pad_begin == 0 && a.output == a.input;
        };
        return keeps(axes[0]) && keeps(axes[1]);
    }

    /// `runs`: room for those of both axes.
    Geometry geometry(const WindowAxis* window, std::int64_t images, const Shape& weight,
                      int threads, WindowRun* runs) const {
        Geometry g;
        g.threads = threads;
        g.groups = attributes_->group;
        g.blocks = weight[0] / attributes_->block / g.groups;
        g.weight_size = element_count(weight);
        g.axes[0] = window[0], g.axes[1] = window[1];
        if (is_flat(window)) {  // one long row: tiles need not end where rows do
            g.axes[1].input = g.axes[1].output = window[0].output * window[1].output;
            g.axes[0].input = g.axes[0].output = 1;
        }
        DirectConvolution& c = g.convolution;
        c.block = attributes_->block;
        c.reads_plain = form_ == Form::plain;
        c.inputs = c.reads_plain ? weight[1] : weight[1] / c.block;
        c.input_pixel = c.reads_plain ? 1 : c.block;
        c.input_row = g.axes[1].input * c.input_pixel;
        c.input_step = g.axes[0].input * c.input_row;
        c.output_row = g.axes[1].output * c.block;
        c.output_step = g.axes[0].output * c.output_row;
        for (int i = 0; i < 2; ++i) {
            const WindowAxis& a = g.axes[i];
            c.kernel[i] = a.kernel, c.stride[i] = a.stride, c.dilation[i] = a.dilation,
            c.pad[i] = a.pad_begin;
            c.runs[i] = runs;
            c.run_count[i] = blocked::window_runs(a, runs);
            runs += blocked::most_runs(a);
        }
        c.activation = attributes_->activation;
        c.inputs_at_once = inputs_at_once(c);
        if (g.axes[0].output > 0 && g.axes[1].output > 0 && images > 0)
            g.cut = cut_for(g, images * g.groups);
        return g;
    }

    /// Input blocks whose weights for one tile of output blocks are read from the L2 cache by tile
    /// after tile.
    std::int64_t inputs_at_once(const DirectConvolution& c) const {
        const std::int64_t inner = c.reads_plain ? 1 : c.block;
        const std::int64_t bytes =
            c.kernel[0] * c.kernel[1] * inner * c.block * kernels_.tile_blocks(c.block) * 4;
        const std::int64_t most = std::max<std::int64_t>(1, weights_in_cache / bytes);
        return ceil_div(c.inputs, ceil_div(c.inputs, most));
    }

    /// Tries to split pixels, output blocks and both. Times are in operations.
    Cut cut_for(const Geometry& g, std::int64_t planes) const {
        const DirectConvolution& c = g.convolution;
        const std::int64_t height = g.axes[0].output, width = g.axes[1].output,
                           tile_pixels = kernels_.tile_pixels(c.block),
                           tile_blocks = kernels_.tile_blocks(c.block);
        const std::int64_t inner = c.reads_plain ? 1 : c.block;
        const std::int64_t block_weights = c.block * c.inputs * inner * c.kernel[0] * c.kernel[1];
        // Input floats that an output row, and a pixel of it, reads anew.
        const std::int64_t row_floats = std::min(c.stride[0], c.kernel[0]) * c.input_row * c.inputs,
                           pixel_floats = row_floats / width + 1;
        const bool by_rows = height > 1;
        const std::int64_t units = by_rows ? height : ceil_div(width, tile_pixels),
                           unit_pixels = by_rows ? width : tile_pixels;
        const std::int64_t most =
            inputs_in_cache / 4 / (by_rows ? row_floats : pixel_floats * tile_pixels);
        const std::int64_t all_panels = ceil_div(g.blocks, tile_blocks);
        // of one output block
        const double unit_work = 2.0 * static_cast<double>(unit_pixels * block_weights);
        const bool is_small =
            unit_work * static_cast<double>(units * g.blocks * planes) < smallest_shared_work;
        const int threads = is_small ? 1 : g.threads;
        Cut best;
        double best_time = 0;
        for (std::int64_t parts = 1; parts <= all_panels; parts *= 2) {
            const std::int64_t panels = ceil_div(all_panels, parts),
                               block_parts = ceil_div(all_panels, panels),
                               blocks = std::min(g.blocks, panels * tile_blocks);
            // A task reads its weights once, from the L2 cache where they stay there, and its
            // pixels from beyond.
            const std::int64_t weight_bytes = blocks * block_weights * 4;
            const double byte_time =
                weight_bytes <= 2 * inputs_in_cache ? near_byte_time : far_byte_time;
            const double inputs =
                static_cast<double>(pixel_floats * unit_pixels * 4) * far_byte_time;
            const TaskSplit split =
                split_tasks(units, most, planes * block_parts, threads,
                            unit_work * static_cast<double>(blocks) + inputs,
                            task_time + static_cast<double>(weight_bytes) * byte_time);
            const double time = split.time;
            if (best_time == 0 || time < best_time) {
                best_time = time;
                best.blocks = blocks, best.block_parts = ceil_div(g.blocks, blocks);
                best.rows = by_rows ? split.each : 1, best.row_parts = by_rows ? split.parts : 1;
                best.columns = by_rows ? width : split.each * tile_pixels,
                best.column_parts = by_rows ? 1 : ceil_div(width, best.columns);
            }
            if (threads == 1) break;
        }
        return best;
    }

    static constexpr std::int64_t weights_in_cache = 160 << 10,
                                  inputs_in_cache = 400 << 10;  // bytes of a core's L2 cache
    // In operations, of which a core does some hundreds in a nanosecond: a byte from the L2 cache
    // and from beyond, taking a task.
    static constexpr double near_byte_time = 2, far_byte_time = 4, task_time = 4e4,
                            smallest_shared_work = 1e6;

    std::unique_ptr<blocked::Attributes> attributes_;
    Form form_;
    StorageSharing sharing_;
    std::shared_ptr<const PackedWeight> packed_;  // null: the weight is input 1 of the run
    Shape packed_shape_;
    const DirectConvolutionKernels& kernels_;
    // the input's shape that known_ is for; empty when it is not known before the run
    Shape known_input_;
    std::vector<WindowRun> known_runs_;
    Geometry known_;
};

}  // namespace

std::unique_ptr<Kernel> make_blocked_convolution(const KernelRequest& request,
                                                 std::string& reason) {
    auto attributes = blocked::read_attributes(request, reason);
    Form form{};
    if (!attributes || !blocked::known_form(request, *attributes, form, reason)) return nullptr;
    if (form == Form::depthwise) {
        reason = "one filter per channel, which the depthwise kernel serves";
        return nullptr;
    }
    return std::make_unique<DirectBlockedConvolution>(request, std::move(attributes), form);
}

}  // namespace lapidary
