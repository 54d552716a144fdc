// SPDX-License-Identifier: Apache-2.0
// DepthToSpace, SpaceToDepth and ReverseSequence: fixed permutations of elements.
#include "base/checked.h"
#include "kernels/reference/movement/element_copy.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

// Writes the input, seen as a tensor of `split` dimensions, in the axis order `permutation` under
// `shape`.
void write_permuted(KernelContext& context, const Tensor& data, const Shape& split,
                    const std::vector<std::size_t>& permutation, Shape shape) {
    const Shape own = strides_of(split);
    Shape permuted, strides;
    for (const std::size_t axis : permutation) {
        permuted.push_back(split[axis]);
        strides.push_back(own[axis]);
    }
    ByteWideOutput out(context, 0, data.dtype(), std::move(shape));
    Tensor view = out.tensor().reshaped(permuted);
    copy_strided(context, byte_wide(context, data), 0, strides, view);
    out.finish();
}

std::int64_t block_size(KernelContext& context, const Tensor& data) {
    if (data.rank() != 4)
        context.fail("expected a tensor of 4 dimensions, found " + describe(data));
    const std::int64_t block = context.node().int_attribute("blocksize", 0);
    if (block < 1 || block > 1'000'000)
        context.fail("blocksize " + std::to_string(block) + " is not usable");
    return block;
}

}  // namespace

void depth_to_space(KernelContext& context) {
    const Tensor& data = context.input(0);
    const std::int64_t b = block_size(context, data);
    const std::int64_t n = data.dim(0), c = data.dim(1), h = data.dim(2), w = data.dim(3);
    if (c % (b * b) != 0)
        context.fail(std::to_string(c) + " channels are no multiple of blocksize " +
                     std::to_string(b) + " squared");
    const auto height = checked_multiply(h, b), width = checked_multiply(w, b);
    if (!height || !width)
        fail_limit("the output of blocksize " + std::to_string(b) + " is too large");
    const Shape shape{n, c / (b * b), *height, *width};
    const std::string mode = context.node().string_attribute("mode", "DCR");
    if (mode == "DCR")
        write_permuted(context, data, {n, b, b, c / (b * b), h, w}, {0, 3, 4, 1, 5, 2}, shape);
    else if (mode == "CRD")
        write_permuted(context, data, {n, c / (b * b), b, b, h, w}, {0, 1, 4, 2, 5, 3}, shape);
    else context.fail("mode " + quote(mode) + " is neither DCR nor CRD");
}

void space_to_depth(KernelContext& context) {
    const Tensor& data = context.input(0);
    const std::int64_t b = block_size(context, data);
    const std::int64_t n = data.dim(0), c = data.dim(1), h = data.dim(2), w = data.dim(3);
    if (h % b != 0 || w % b != 0)
        context.fail("height and width of " + describe(data) + " are no multiples of blocksize " +
                     std::to_string(b));
    const auto channels = checked_multiply(c, b * b);
    if (!channels) fail_limit("the output of blocksize " + std::to_string(b) + " is too large");
    const std::string mode = context.node().string_attribute("mode", "DCR");
    if (mode != "DCR" && mode != "CRD")
        context.fail("mode " + quote(mode) + " is neither DCR nor CRD");
    const std::vector<std::size_t> order = mode == "DCR"
                                               ? std::vector<std::size_t>{0, 3, 5, 1, 2, 4}
                                               : std::vector<std::size_t>{0, 1, 3, 5, 2, 4};
    write_permuted(context, data, {n, c, h / b, b, w / b, b}, order, {n, *channels, h / b, w / b});
}

void reverse_sequence(KernelContext& context) {
    const Tensor& data = context.input(0);
    if (data.rank() < 2) context.fail("expected at least 2 dimensions, found " + describe(data));
    const std::int64_t time_axis = context.node().int_attribute("time_axis", 0),
                       batch_axis = context.node().int_attribute("batch_axis", 1);
    if (!(time_axis == 0 && batch_axis == 1) && !(time_axis == 1 && batch_axis == 0)) {
        context.fail("time_axis " + std::to_string(time_axis) + " and batch_axis " +
                     std::to_string(batch_axis) + " must be 0 and 1 in some order");
    }
    const std::int64_t time = data.dim(static_cast<std::size_t>(time_axis)),
                       batch = data.dim(static_cast<std::size_t>(batch_axis));
    const Tensor& given = context.input(1);
    if (given.shape() != Shape{batch})
        context.fail("sequence_lens " + describe(given) + " should have shape " +
                     to_string(Shape{batch}));
    const std::vector<std::int64_t> lengths = to_int64s(given);
    for (const std::int64_t length : lengths) {
        if (length < 0 || length > time)
            context.fail("sequence length " + std::to_string(length) + " is not in [0, " +
                         std::to_string(time) + "]");
    }
    const Tensor source = byte_wide(context, data);
    ByteWideOutput out(context, 0, data.dtype(), data.shape());
    if (data.size() == 0) return;
    const std::int64_t inner = dim_product(data.shape(), 2, data.shape().size());
    const std::int64_t time_stride = time_axis == 0 ? batch * inner : inner,
                       batch_stride = time_axis == 0 ? inner : time * inner;
    for (std::int64_t b = 0; b < batch; ++b) {
        const std::int64_t length = lengths[static_cast<std::size_t>(b)];
        for (std::int64_t t = 0; t < time; ++t) {
            const std::int64_t from = t < length ? length - 1 - t : t;
            copy_elements(source, b * batch_stride + from * time_stride, out.tensor(),
                          b * batch_stride + t * time_stride, inner);
        }
    }
    out.finish();
}

}  // namespace lapidary::reference
