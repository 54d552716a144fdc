// SPDX-License-Identifier: Apache-2.0
// com.microsoft.nchwc::Conv over blocks of channels and over images of few channels in plain order: how the work is cut
// so that what is read again and again stays in a core's cache.
#include <algorithm>

#include "kernels/convolution/blocked_geometry.h"

namespace lapidary {
namespace {

using blocked::Form;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Tasks are images x groups x row ranges x column ranges x block ranges, the last one running fastest.
struct Cut {
    std::int64_t rows = 1, columns = 1, blocks = 1;           // of one task
    std::int64_t row_parts = 1, column_parts = 1, block_parts = 1;

    std::int64_t count() const { return row_parts * column_parts * block_parts; }
    void set_rows(std::int64_t all, std::int64_t each) { rows = std::clamp<std::int64_t>(each, 1, all), row_parts = ceil_div(all, rows); }
    void set_columns(std::int64_t all, std::int64_t each) { columns = std::clamp<std::int64_t>(each, 1, all), column_parts = ceil_div(all, columns); }
    void set_blocks(std::int64_t all, std::int64_t each) { blocks = std::clamp<std::int64_t>(each, 1, all), block_parts = ceil_div(all, blocks); }
};

class DirectBlockedConvolution final : public Kernel {
public:
    DirectBlockedConvolution(const Node& node, std::unique_ptr<blocked::Attributes> attributes, Form form)
        : attributes_(std::move(attributes)), form_(form), sharing_(blocked::sharing_of(node)), kernels_(direct_convolution_kernels()) {}

    StorageSharing sharing() const override { return sharing_; }

    void run(KernelContext& context) const override {
        const blocked::Operands o = blocked::read_operands(context, *attributes_, form_);
        if (o.y->size() == 0) return;
        const std::int64_t block = attributes_->block, group = attributes_->group, images = o.x->dim(0);
        const bool reads_plain = form_ == Form::plain;
        WindowAxis axes[2] = {o.axes[0], o.axes[1]};
        if (is_flat(axes)) {  // one long row: tiles need not end where rows do
            axes[1].input = axes[1].output = axes[0].output * axes[1].output;
            axes[0].input = axes[0].output = 1;
        }
        Tensor scratch = context.scratch(DType::i32, {4 * (blocked::most_runs(axes[0]) + blocked::most_runs(axes[1]))});
        auto* runs = static_cast<WindowRun*>(scratch.mutable_raw());

        DirectConvolution c;
        c.block = block;
        c.reads_plain = reads_plain;
        c.inputs = reads_plain ? o.w->dim(1) : o.w->dim(1) / block;
        c.input_pixel = reads_plain ? 1 : block;
        c.input_row = axes[1].input * c.input_pixel;
        c.input_step = axes[0].input * c.input_row;
        c.output_row = axes[1].output * block;
        c.output_step = axes[0].output * c.output_row;
        for (int i = 0; i < 2; ++i) {
            c.kernel[i] = axes[i].kernel, c.stride[i] = axes[i].stride, c.dilation[i] = axes[i].dilation, c.pad[i] = axes[i].pad_begin;
            c.runs[i] = runs;
            c.run_count[i] = blocked::window_runs(axes[i], runs);
            runs += blocked::most_runs(axes[i]);
        }
        c.activation = attributes_->activation;
        const std::int64_t blocks = o.w->dim(0) / block / group;
        c.inputs_at_once = inputs_at_once(c);
        const Cut cut = cut_for(c, axes, blocks, images * group, context.threads().threads());

        const auto *x = o.x->data<float>().data(), *w = o.w->data<float>().data();
        const float* bias = o.bias ? o.bias->data<float>().data() : nullptr;
        const float* sum = o.sum ? o.sum->data<float>().data() : nullptr;
        float* y = o.y->mutable_data<float>().data();
        const std::int64_t weight_step = o.w->size() / (blocks * group);
        context.threads().parallel_tasks(images * group * cut.count(), [&](std::int64_t index, int) {
            context.cancel().throw_if_cancelled();
            const std::int64_t part = index % cut.block_parts;
            index /= cut.block_parts;
            const std::int64_t column = index % cut.column_parts * cut.columns;
            index /= cut.column_parts;
            const std::int64_t row = index % cut.row_parts * cut.rows, plane = index / cut.row_parts;  // of images x groups
            const std::int64_t first = part * cut.blocks, in_group = plane % group * blocks + first, overall = plane * blocks + first;
            DirectTask task;
            task.input = x + plane * c.inputs * c.input_step;
            task.weight = w + in_group * weight_step;
            task.bias = bias ? bias + in_group * block : nullptr;
            task.sum = sum ? sum + overall * c.output_step : nullptr;
            task.output = y + overall * c.output_step;
            task.blocks = std::min(cut.blocks, blocks - first);
            task.begin[0] = row, task.end[0] = std::min(row + cut.rows, axes[0].output);
            task.begin[1] = column, task.end[1] = std::min(column + cut.columns, axes[1].output);
            kernels_.run(c, task);
        });
    }

private:
    bool is_flat(const WindowAxis* axes) const {
        const auto keeps = [](const WindowAxis& a) { return a.kernel == 1 && a.stride == 1 && a.pad_begin == 0 && a.output == a.input; };
        return keeps(axes[0]) && keeps(axes[1]);
    }

    /// Input blocks whose weights for one tile of output blocks are read from the L2 cache by tile after tile.
    std::int64_t inputs_at_once(const DirectConvolution& c) const {
        const std::int64_t inner = c.reads_plain ? 1 : c.block;
        const std::int64_t bytes = c.kernel[0] * c.kernel[1] * inner * c.block * kernels_.tile_blocks(c.block) * 4;
        const std::int64_t most = std::max<std::int64_t>(1, weights_in_cache / bytes);
        return ceil_div(c.inputs, ceil_div(c.inputs, most));
    }

    Cut cut_for(const DirectConvolution& c, const WindowAxis* axes, std::int64_t blocks, std::int64_t planes, int threads) const {
        const std::int64_t height = axes[0].output, width = axes[1].output, tile_pixels = kernels_.tile_pixels(c.block), tile_blocks = kernels_.tile_blocks(c.block);
        const std::int64_t inner = c.reads_plain ? 1 : c.block, taps = c.kernel[0] * c.kernel[1];
        const std::int64_t weight_bytes = blocks * c.block * c.inputs * inner * taps * 4;
        const double operations = 2.0 * static_cast<double>(height * width * planes) * static_cast<double>(weight_bytes / 4);
        // Input bytes that an output row, and a pixel of it, reads anew.
        const std::int64_t row_bytes = std::min(c.stride[0], c.kernel[0]) * c.input_row * c.inputs * 4, pixel_bytes = row_bytes / width + 1;
        Cut cut;
        cut.set_blocks(blocks, blocks);
        if (height > 1) {
            cut.set_columns(width, width);
            cut.set_rows(height, std::max<std::int64_t>(1, inputs_in_cache / row_bytes));
            cut.set_rows(height, ceil_div(height, cut.row_parts));
        } else {
            cut.set_rows(1, 1);
            const auto of_tiles = [&](std::int64_t pixels) { return std::max<std::int64_t>(1, pixels / tile_pixels) * tile_pixels; };
            cut.set_columns(width, of_tiles(inputs_in_cache / pixel_bytes));
            cut.set_columns(width, ceil_div(ceil_div(width, cut.column_parts), tile_pixels) * tile_pixels);
        }
        if (threads == 1 || operations < smallest_shared_work) return cut;
        // More tasks than workers, so that none waits long for the last one.
        const std::int64_t wanted = ceil_div(4 * threads, planes);
        if (cut.count() >= wanted) return cut;
        if (weight_bytes <= weights_in_cache || blocks < 2 * tile_blocks) {  // each worker keeps all weights: split pixels
            const std::int64_t parts = ceil_div(wanted, cut.count());
            if (height > 1) cut.set_rows(height, ceil_div(height, cut.row_parts * parts));
            else cut.set_columns(width, std::max(ceil_div(ceil_div(width, cut.column_parts * parts), tile_pixels), std::int64_t{1}) * tile_pixels);
        }
        if (const std::int64_t parts = ceil_div(wanted, cut.count()); parts > 1)
            cut.set_blocks(blocks, std::max<std::int64_t>(1, blocks / parts / tile_blocks) * tile_blocks);
        return cut;
    }

    static constexpr std::int64_t weights_in_cache = 160 << 10, inputs_in_cache = 400 << 10;  // bytes of a core's L2 cache
    static constexpr double smallest_shared_work = 1e6;                                       // operations

    std::unique_ptr<blocked::Attributes> attributes_;
    Form form_;
    StorageSharing sharing_;
    const DirectConvolutionKernels& kernels_;
};

}  // namespace

std::unique_ptr<Kernel> make_blocked_convolution(const KernelRequest& request, std::string& reason) {
    auto attributes = blocked::read_attributes(request, reason);
    Form form{};
    if (!attributes || !blocked::known_form(request, *attributes, form, reason)) return nullptr;
    if (form == Form::depthwise) {
        reason = "one filter per channel, which the depthwise kernel serves";
        return nullptr;
    }
    return std::make_unique<DirectBlockedConvolution>(request.node, std::move(attributes), form);
}

}  // namespace lapidary
