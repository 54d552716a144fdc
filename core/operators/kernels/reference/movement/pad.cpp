// SPDX-License-Identifier: Apache-2.0
// Pad and CenterCropPad.
#include "kernels/input_index.h"
#include "ops/geometry/pad.h"

#include <optional>

#include "kernels/reference/movement/element_copy.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

// One element of the data's type holding the attribute `value` of Pad-2.
Tensor fill_of_attribute(KernelContext& context, DType dtype) {
    const float value = context.node().float_attribute("value", 0);
    Tensor fill;
    dispatch<NumericOrBoolTypes>(
        dtype, [&]<typename T>() { fill = Tensor::scalar<T>(static_cast<T>(value)); });
    return fill;
}

Tensor zero_of(KernelContext& context, DType dtype) {
    Tensor zero = context.scratch(is_packed(dtype) ? DType::u8 : dtype, {});
    dispatch_by_width(zero.dtype(), [&]<typename T>() { *elements<T>(zero) = T{}; });
    return zero;
}

void write_padded(KernelContext& context, const Tensor& data, const std::vector<PadAxis>& pads,
                  PadMode mode, const Tensor& fill) {
    Shape shape = data.shape();
    for (std::size_t i = 0; i < shape.size(); ++i) {
        shape[i] = padded_dim(data.dim(i), pads[i], i);
        const std::int64_t left = data.dim(i) + std::min<std::int64_t>(pads[i].before, 0) +
                                  std::min<std::int64_t>(pads[i].after, 0);
        if (mode != PadMode::constant && left <= 0 && shape[i] > 0) {
            context.fail("axis " + std::to_string(i) + " of " + describe(data) +
                         " has no element left to pad from");
        }
    }
    ByteWideOutput out(context, 0, data.dtype(), shape);
    if (out.tensor().size() == 0) return;
    std::vector<std::vector<std::int64_t>> tables(shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i) {
        for (std::int64_t p = 0; p < shape[i]; ++p)
            tables[i].push_back(pad_source(p, data.dim(i), pads[i], mode));
    }
    copy_mapped(context, byte_wide(context, data), tables, &fill, out.tensor());
    out.finish();
}

}  // namespace

void pad(KernelContext& context) {
    const Tensor& data = context.input(0);
    const PadMode mode = parse_pad_mode(context.node().string_attribute("mode", "constant"));
    const auto rank = static_cast<std::size_t>(data.rank());
    if (context.version() < 11) {
        const std::vector<PadAxis> pads =
            resolve_pads(context.node().ints_attribute("pads"), nullptr, data.rank());
        write_padded(context, data, pads, mode, fill_of_attribute(context, data.dtype()));
        return;
    }
    std::optional<std::vector<std::int64_t>> axes;
    if (context.version() >= 18 && context.has_input(pad_input::axes))
        axes = int_list(context.input(pad_input::axes), "axes", rank);
    const std::vector<PadAxis> pads = resolve_pads(int_list(context.input(1), "pads", 2 * rank),
                                                   axes ? &*axes : nullptr, data.rank());
    Tensor fill = zero_of(context, data.dtype());
    if (const Tensor* value = context.optional_input(2); value && value->size() != 0) {
        if (value->dtype() != data.dtype() || value->size() != 1) {
            context.fail("constant_value must be one element of " +
                         std::string(name_of(data.dtype())) + ", found " + describe(*value));
        }
        fill = byte_wide(context, *value);
    }
    write_padded(context, data, pads, mode, fill);
}

void center_crop_pad(KernelContext& context) {
    const Tensor& data = context.input(0);
    const auto rank = static_cast<std::size_t>(data.rank());
    const std::vector<std::int64_t> target = int_list(context.input(1), "the target shape", rank);
    std::vector<std::int64_t> axes = context.node().ints_attribute("axes");
    if (!context.node().has_attribute("axes")) {
        for (std::size_t i = 0; i < rank; ++i) axes.push_back(static_cast<std::int64_t>(i));
    }
    if (axes.size() != target.size()) {
        context.fail("the target shape has " + std::to_string(target.size()) + " dimensions for " +
                     std::to_string(axes.size()) + " axes");
    }
    std::vector<PadAxis> pads(rank);
    const std::vector<int> normal = normalize_axes(axes, data.rank());
    for (std::size_t i = 0; i < normal.size(); ++i) {
        const auto axis = static_cast<std::size_t>(normal[i]);
        if (target[i] < 0)
            context.fail("the target shape has the negative dimension " +
                         std::to_string(target[i]));
        // Of an odd difference the smaller half goes to the front.
        const std::int64_t difference = target[i] - data.dim(axis);
        const std::int64_t before = difference / 2;
        pads[axis] = {before, difference - before};
    }
    write_padded(context, data, pads, PadMode::constant, zero_of(context, data.dtype()));
}

}  // namespace lapidary::reference
