// SPDX-License-Identifier: Apache-2.0
#include "kernels/convolution/blocked_geometry.h"

#include <algorithm>
#include <limits>

#include <lapidary/base/error.h>

#include "kernels/expected_input.h"
#include "kernels/input_index.h"
#include "ops/channel_block.h"

namespace lapidary::blocked {
namespace {

bool overlap(const Tensor& a, const Tensor& b) {
    const auto *p = static_cast<const std::byte*>(a.raw()),
               *q = static_cast<const std::byte*>(b.raw());
    return std::less<>()(p, q + b.byte_size()) && std::less<>()(q, p + a.byte_size());
}

}  // namespace

std::unique_ptr<Attributes> read_attributes(const KernelRequest& request, std::string& reason) {
    const Node& node = request.node;
    auto a = std::make_unique<Attributes>();
    a->block = node.int_attribute(channel_block_attribute, cpu_channel_block());
    a->group = node.int_attribute("group", 1);
    if (a->block != 8 && a->block != 16)
        reason =
            "blocks of " + std::to_string(a->block) + " channels, vector kernels take 8 and 16";
    else if (a->group < 1) reason = "attribute group is " + std::to_string(a->group);
    const std::string activation = node.string_attribute("activation", "");
    const auto known = activation_of(activation, node.floats_attribute("activation_params"));
    if (!known) reason = "activation " + quote(activation) + " is not known";
    if (!reason.empty()) return nullptr;
    a->activation = *known;
    try {
        a->window = read_window_attributes(node, 2);
    } catch (const Error& e) {
        reason = e.what();
        return nullptr;
    }
    return a;
}

Form form_of(const Attributes& a, std::int64_t filters, std::int64_t inputs) {
    if (a.group > 1 && inputs == 1 && filters == a.group) return Form::depthwise;
    return a.group == 1 && inputs < a.block ? Form::plain : Form::blocks;
}

bool known_form(const KernelRequest& request, const Attributes& attributes, Form& form,
                std::string& reason) {
    std::int64_t filters = -1, inputs = -1;
    if (const Tensor* w = request.constant(1)) {
        if (w->rank() == 4) filters = w->dim(0), inputs = w->dim(1);
    } else if (const Type& type = request.input_type(1); type.shape && type.shape->size() == 4 &&
                                                         (*type.shape)[0].is_known() &&
                                                         (*type.shape)[1].is_known()) {
        filters = (*type.shape)[0].value(), inputs = (*type.shape)[1].value();
    }
    if (filters < 0) {
        reason = "the weight's shape is not known before the run";
        return false;
    }
    form = form_of(attributes, filters, inputs);
    const bool whole = form != Form::blocks || (inputs % attributes.block == 0 &&
                                                filters / attributes.group % attributes.block == 0);
    if (inputs > 0 && filters % attributes.group == 0 && whole) return true;
    reason = std::to_string(filters) + " filters of " + std::to_string(inputs) +
             " channels are no whole blocks in each of " + std::to_string(attributes.group) +
             " group(s)";
    return false;
}

Operands read_operands(KernelContext& context, const Attributes& a, Form form, const Shape* shape) {
    const Tensor& x = expect_rank(context, 0, DType::f32, 4);
    const Tensor* w = shape ? nullptr : &expect_rank(context, 1, DType::f32, 4);
    const Shape& weight = shape ? *shape : w->shape();
    const std::int64_t filters = weight[0], inputs = weight[1];
    if (form_of(a, filters, inputs) != form)
        context.fail("input 1: the weight " + to_string(weight) +
                     " is of another kind than when the kernel was chosen");
    const auto misfit = [&] {
        context.fail("X " + to_string(x.shape()) + " and W " + to_string(weight) + " do not fit " +
                     std::to_string(a.group) + " group(s)");
    };
    if (filters % a.block != 0)
        context.fail("input 1: " + std::to_string(filters) + " filters are no whole blocks of " +
                     std::to_string(a.block));
    if (filters % a.group != 0 || x.dim(1) % a.group != 0 || x.dim(1) / a.group != inputs ||
        inputs < 1)
        misfit();
    if (form == Form::blocks && (inputs % a.block != 0 || filters / a.group % a.block != 0))
        misfit();
    if (weight[2] < 1 || weight[3] < 1)
        context.fail("input 1: the weight " + to_string(weight) + " has no taps");
    if (!a.window.kernel.empty() &&
        (a.window.kernel[0] != weight[2] || a.window.kernel[1] != weight[3]))
        context.fail("kernel_shape " + to_string(a.window.kernel) + " differs from the weight " +
                     to_string(weight));
    Operands o{&x,      w, context.optional_input(2), context.optional_input(conv_input::sum),
               nullptr, {}};
    for (std::size_t i = 0; i < 2; ++i) {
        o.axes[i] = window_axis(a.window, i, x.dim(2 + i), weight[2 + i]);
        if (std::max({o.axes[i].output, o.axes[i].input, o.axes[i].kernel, o.axes[i].stride,
                      o.axes[i].dilation, o.axes[i].pad_begin}) >
            std::numeric_limits<std::int32_t>::max())
            fail_limit("an axis of more than 2^31 positions, taps or padding");
    }
    if (o.bias) expect_shape(context, 2, *o.bias, DType::f32, {filters});
    o.y = &context.output(0, DType::f32, {x.dim(0), filters, o.axes[0].output, o.axes[1].output});
    if (o.sum) expect_shape(context, conv_input::sum, *o.sum, DType::f32, o.y->shape());
    if (o.y->size() > 0 && (overlap(*o.y, x) || (w && overlap(*o.y, *w))))
        fail(ErrorCode::internal,
             "the output of a convolution lies on an input that it reads until the end");
    return o;
}

StorageSharing sharing_of(const Node& node) {
    if (node.inputs.size() < 4 || !node.inputs[conv_input::sum] ||
        node.inputs[conv_input::sum] == node.inputs[0] ||
        node.inputs[conv_input::sum] == node.inputs[1])
        return {};
    return {StorageSharing::overwrite, 1u << conv_input::sum};
}

std::int64_t window_runs(const WindowAxis& axis, WindowRun* to) {
    struct Taps {
        std::int64_t first, end;
        bool operator==(const Taps&) const = default;
    };
    // Tap k of output o reads position start + k * dilation.
    const auto taps_of = [&](std::int64_t o) {
        const std::int64_t start = o * axis.stride - axis.pad_begin;
        const std::int64_t first =
            start >= 0 ? 0 : std::min(axis.kernel, (-start + axis.dilation - 1) / axis.dilation);
        const std::int64_t end =
            start >= axis.input
                ? 0
                : std::min(axis.kernel, (axis.input - 1 - start) / axis.dilation + 1);
        return Taps{first, std::max(first, end)};
    };
    std::int64_t count = 0;
    for (std::int64_t o = 0; o < axis.output;) {
        const Taps taps = taps_of(o);
        std::int64_t last = o + 1;
        if (taps == Taps{0, axis.kernel}) {  // until the last tap leaves the image
            const std::int64_t reach = axis.input - axis.extent() + axis.pad_begin;
            last = std::clamp(reach / axis.stride + 1, last, axis.output);
        } else {
            while (last < axis.output && taps_of(last) == taps) ++last;
        }
        to[count++] = {static_cast<std::int32_t>(o), static_cast<std::int32_t>(last),
                       static_cast<std::int32_t>(taps.first), static_cast<std::int32_t>(taps.end)};
        o = last;
    }
    return count;
}

}  // namespace lapidary::blocked
