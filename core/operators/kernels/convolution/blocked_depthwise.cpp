// SPDX-License-Identifier: Apache-2.0
// com.microsoft.nchwc::Conv with one filter per channel. The weight need not be constant: a Mul by
// one number per channel becomes a window of one tap.
#include <algorithm>

#include "kernels/convolution/blocked_geometry.h"
#include "kernels/convolution/task_split.h"
#include "kernels/vector/convolution/depthwise_convolution.h"

namespace lapidary {
namespace {

using blocked::Form;

class DepthwiseBlockedConvolution final : public Kernel {
public:
    DepthwiseBlockedConvolution(const Node& node, std::unique_ptr<blocked::Attributes> attributes)
        : attributes_(std::move(attributes)), sharing_(blocked::sharing_of(node)),
          kernels_(depthwise_convolution_kernels()) {}

    StorageSharing sharing() const override { return sharing_; }

    void run(KernelContext& context) const override {
        const blocked::Operands o = blocked::read_operands(context, *attributes_, Form::depthwise);
        if (o.y->size() == 0) return;
        const std::int64_t block = attributes_->block, blocks = o.w->dim(0) / block,
                           planes = o.x->dim(0) * blocks;
        const std::int64_t height = o.axes[0].output, width = o.axes[1].output;
        DepthwiseConvolution c;
        c.block = block;
        c.output_width = width;
        for (int i = 0; i < 2; ++i) {
            const WindowAxis& a = o.axes[i];
            c.input_size[i] = a.input, c.kernel[i] = a.kernel, c.stride[i] = a.stride,
            c.dilation[i] = a.dilation, c.pad[i] = a.pad_begin;
        }
        c.activation = attributes_->activation;
        const std::int64_t taps = c.kernel[0] * c.kernel[1];
        const double row_work = static_cast<double>(width * (taps + 6));
        const int threads = row_work * static_cast<double>(height * planes) < smallest_task
                                ? 1
                                : context.threads().threads();
        // Several planes, or some rows of one.
        const TaskSplit by_planes = split_tasks(
            planes, planes, 1, threads, row_work * static_cast<double>(height), smallest_task / 16);
        const TaskSplit by_rows =
            split_tasks(height, height, planes, threads, row_work, smallest_task / 16);
        const bool whole = by_planes.time <= by_rows.time;
        const std::int64_t together = whole ? by_planes.each : 1,
                           rows = whole ? height : by_rows.each,
                           row_parts = whole ? 1 : by_rows.parts;
        const std::int64_t tasks = planes * row_parts;

        const auto *x = o.x->data<float>().data(), *w = o.w->data<float>().data();
        const float* bias = o.bias ? o.bias->data<float>().data() : nullptr;
        const float* sum = o.sum ? o.sum->data<float>().data() : nullptr;
        float* y = o.y->mutable_data<float>().data();
        const std::int64_t input_step = c.input_size[0] * c.input_size[1] * block,
                           output_step = height * width * block;
        context.threads().parallel_tasks(
            (tasks + together - 1) / together, [&](std::int64_t group, int) {
                context.cancel().throw_if_cancelled();
                for (std::int64_t task = group * together;
                     task < std::min(tasks, (group + 1) * together); ++task) {
                    const std::int64_t plane = task / row_parts, row = task % row_parts * rows,
                                       b = plane % blocks;
                    kernels_.run(c, {x + plane * input_step, w + b * taps * block,
                                     bias ? bias + b * block : nullptr,
                                     sum ? sum + plane * output_step : nullptr,
                                     y + plane * output_step, row, std::min(row + rows, height)});
                }
            });
    }

private:
    static constexpr double smallest_task = 8000;  // vectors of products: some microseconds

    std::unique_ptr<blocked::Attributes> attributes_;
    StorageSharing sharing_;
    const DepthwiseConvolutionKernels& kernels_;
};

}  // namespace

std::unique_ptr<Kernel> make_blocked_depthwise_convolution(const KernelRequest& request,
                                                           std::string& reason) {
    auto attributes = blocked::read_attributes(request, reason);
    Form form{};
    if (!attributes || !blocked::known_form(request, *attributes, form, reason)) return nullptr;
    if (form != Form::depthwise) {
        reason = "not one filter per channel";
        return nullptr;
    }
    return std::make_unique<DepthwiseBlockedConvolution>(request.node, std::move(attributes));
}

}  // namespace lapidary
