// SPDX-License-Identifier: Apache-2.0
// Col2Im (18) of float images of one or two dimensions, the blocks of a tap at a time; others by
// the reference kernel. Each element gets its terms in the order of the taps, as there.
#include <algorithm>
#include <cstring>

#include "kernels/float_inputs.h"
#include "kernels/movement/small_ints.h"
#include "kernels/vector/convolution/column_image.h"
#include "ops/geometry/window.h"

namespace lapidary {

namespace reference {
void col2im(KernelContext&);
}

namespace {

class ColumnImageKernel final : public Kernel {
public:
    ColumnImageKernel(WindowAttributes window, std::size_t rank)
        : window_(std::move(window)), rank_(rank), vector_(column_image_kernels()) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        SmallInts image, block;
        WindowAxis rows{.input = 1, .output = 1}, columns;
        const FallbackReason why =
            x.dtype() != DType::f32 ? fallback::element_type
            : x.shape().size() != 3 ? fallback::rank
            : !image.read(context.input(1)) || !block.read(context.input(2)) ||
                    image.count != rank_ || block.count != rank_
                ? fallback::list_input
            : (rank_ == 2 && !resolve(0, image[0], block[0], rows)) ||
                    !resolve(rank_ - 1, image[rank_ - 1], block[rank_ - 1], columns)
                ? FallbackReason("the blocks do not fit into the image")
                : fallback::none;
        if (why) return context.run_on_reference(reference::col2im, why);
        const std::int64_t taps = rows.kernel * columns.kernel,
                           blocks = rows.output * columns.output, size = rows.input * columns.input;
        if (x.size() == 0)
            return context.run_on_reference(reference::col2im, fallback::no_elements);
        if (x.dim(1) % taps != 0 || x.dim(2) != blocks)
            return context.run_on_reference(reference::col2im, fallback::shapes);
        const std::int64_t channels = x.dim(1) / taps, count = x.dim(0) * channels;
        const auto* from = static_cast<const float*>(x.raw());
        Shape shape{x.dim(0), channels, image[0]};
        if (rank_ == 2) shape.push_back(image[1]);
        auto* to =
            static_cast<float*>(context.output(0, DType::f32, std::move(shape)).mutable_raw());
        constexpr std::int64_t grain = 32768;  // elements
        context.threads().parallel_for(
            count, std::max<std::int64_t>(1, grain / (taps * blocks)),
            [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t channel = begin; channel < end; ++channel) {
                    context.cancel().throw_if_cancelled();
                    sum_channel(from + channel * taps * blocks, to + channel * size, rows, columns);
                }
            });
    }

private:
    /// False for sizes out of the ordinary.
    bool resolve(std::size_t axis, std::int64_t size, std::int64_t kernel,
                 WindowAxis& resolved) const {
        constexpr std::int64_t most = 1 << 15;
        if (size < 1 || size > most || kernel < 1 || kernel > most ||
            window_.strides[axis] > most || window_.dilations[axis] > most ||
            window_.pads_begin[axis] > most || window_.pads_end[axis] > most)
            return false;
        resolved = {size,
                    kernel,
                    window_.strides[axis],
                    window_.dilations[axis],
                    window_.pads_begin[axis],
                    window_.pads_end[axis]};
        const std::int64_t room = size + resolved.pad_begin + resolved.pad_end - resolved.extent();
        if (room < 0) return false;
        resolved.output = room / resolved.stride + 1;
        return true;
    }

    void sum_channel(const float* x, float* y, const WindowAxis& rows,
                     const WindowAxis& columns) const {
        std::memset(y, 0, static_cast<std::size_t>(rows.input * columns.input) * sizeof(float));
        for (std::int64_t tap = 0; tap < rows.kernel * columns.kernel;
             ++tap, x += rows.output * columns.output) {
            const Reach down = reach(rows, tap / columns.kernel),
                        across = reach(columns, tap % columns.kernel);
            if (down.count <= 0 || across.count <= 0) continue;
            const float* source = x + down.first * columns.output + across.first;
            float* to = y + down.at * columns.input + across.at;
            const std::int64_t y_stride = rows.stride * columns.input;
            if (columns.stride == 1)
                vector_.add_rows(source, columns.output, to, y_stride, down.count, across.count);
            else
                for (std::int64_t row = 0; row < down.count;
                     ++row, source += columns.output, to += y_stride)
                    for (std::int64_t i = 0; i < across.count; ++i)
                        to[i * columns.stride] += source[i];
        }
    }

    /// Along one axis, the blocks [first, first + count) have a tap within the image; that of the
    /// first block is at position `at`.
    struct Reach {
        std::int64_t first, count, at;
    };
    static Reach reach(const WindowAxis& axis, std::int64_t tap) {
        const std::int64_t begin = tap * axis.dilation - axis.pad_begin;
        const std::int64_t first = begin < 0 ? (-begin + axis.stride - 1) / axis.stride : 0;
        const std::int64_t last =
            begin >= axis.input ? 0
                                : std::min(axis.output, (axis.input - 1 - begin) / axis.stride + 1);
        return {first, last - first, begin + first * axis.stride};
    }

    const WindowAttributes window_;
    const std::size_t rank_;
    const ColumnImageKernels& vector_;
};

}  // namespace

std::unique_ptr<Kernel> make_column_image(const KernelRequest& request, std::string& reason) {
    if (!takes_floats(request, {0}, reason)) return nullptr;
    const Tensor* image = request.constant(1);
    if (!image || image->size() < 1 || image->size() > 2) {
        reason = image ? "an image of one or two dimensions is expected"
                       : "the size of the image is computed at run time";
        return nullptr;
    }
    const auto rank = static_cast<std::size_t>(image->size());
    if (!request.node.string_attribute("auto_pad", "").empty()) {
        reason = "attribute auto_pad is left to the reference kernel";
        return nullptr;
    }
    return std::make_unique<ColumnImageKernel>(read_window_attributes(request.node, rank), rank);
}

}  // namespace lapidary
