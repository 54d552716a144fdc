// SPDX-License-Identifier: Apache-2.0
// Resize and Upsample along one axis or two neighbouring ones, whatever the others are: to the
// nearest, which copies the bytes of any type, and linear of 8-bit integers, in doubles and cut off
// towards 0 as the reference kernel does.
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "kernels/expected_input.h"
#include "kernels/input_index.h"
#include "kernels/integer/quantization_input.h"
#include "kernels/pooling/pool_node.h"
#include "kernels/pooling/resize_request.h"
#include "kernels/reference/image/resize_sampling.h"
#include "kernels/vector/integer/byte_resize.h"

namespace lapidary {
namespace {

using pooling::ReadResize;
using reference::ResizeAxis;
using reference::ResizeGeometry;

/// Output position o is input position low[o] times low_weight[o] plus high[o] times
/// high_weight[o], or just low[o].
struct ByteTaps {
    bool blends = false;
    // how often each input position repeats, in order; 0 where it is not as simple as that
    std::int64_t times = 0;
    std::vector<std::int64_t> low, high;
    std::vector<double> low_weight, high_weight;

    ByteTaps(const ResizeGeometry& options, const ResizeAxis& axis) {
        reference::AxisSampling s = reference::sample_axis(options, axis);
        blends = options.mode == reference::ResizeMode::linear && !s.is_identity;
        if (!blends) {
            low = std::move(s.index);
            times = axis.input > 0 && axis.output % axis.input == 0 ? axis.output / axis.input : 0;
            for (std::int64_t o = 0; o < axis.output && times > 0; ++o)
                if (low[static_cast<std::size_t>(o)] != o / times) times = 0;
            return;
        }
        for (std::size_t at = 0; at + 1 < s.index.size(); at += 2) {
            low.push_back(s.index[at]);
            high.push_back(s.index[at + 1]);
            low_weight.push_back(static_cast<double>(s.weight[at]));
            high_weight.push_back(static_cast<double>(s.weight[at + 1]));
        }
    }
};

/// What stays the same in all runs. Axes with input -1 take any size and have a scale.
struct ByteResizeRequest {
    ResizeGeometry options;  // without axes
    DType dtype = DType::undefined;
    std::size_t rank = 0, width_axis = 0;
    bool has_height = false;  // the axis in front of it is resized too
    ResizeAxis height{1, 1, 1, 0, 1}, width;
};

class ByteResize final : public Kernel {
public:
    explicit ByteResize(ByteResizeRequest request) : request_(std::move(request)) {
        // positions; a run refuses what no budget allows before it looks
        constexpr std::int64_t most_kept = 1 << 20;
        const ResizeAxis &height = request_.height, &width = request_.width;
        if (height.input > 0 && height.output <= most_kept)
            height_taps_.emplace(request_.options, height);
        if (width.input > 0 && width.output <= most_kept)
            width_taps_.emplace(request_.options, width);
    }

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const Shape& shape = x.shape();
        if (x.dtype() != request_.dtype || shape.size() != request_.rank)
            fail_expected(
                context, 0,
                std::string(name_of(request_.dtype)) + " of rank " + std::to_string(request_.rank),
                x);
        const std::size_t w = request_.width_axis, h = request_.has_height ? w - 1 : w;
        Image image;
        image.width = pooling::sized_axis(context, request_.width, shape[w]);
        image.height = request_.has_height ? pooling::sized_axis(context, request_.height, shape[h])
                                           : request_.height;
        image.is_signed = x.dtype() == DType::i8;
        const auto element = static_cast<std::int64_t>(bit_width(x.dtype()) / 8);
        image.inner = element;
        for (std::size_t i = w + 1; i < shape.size(); ++i) image.inner *= shape[i];
        Shape result = shape;
        result[w] = image.width.output;
        if (request_.has_height) result[h] = image.height.output;
        Tensor& y = context.output(0, x.dtype(), std::move(result));
        if (y.size() == 0) return;
        std::optional<ByteTaps> own_height, own_width;
        if (!height_taps_) own_height.emplace(request_.options, image.height);
        if (!width_taps_) own_width.emplace(request_.options, image.width);
        image.rows = height_taps_ ? &*height_taps_ : &*own_height;
        image.columns = width_taps_ ? &*width_taps_ : &*own_width;
        image.from = static_cast<const std::uint8_t*>(x.raw());
        image.to = static_cast<std::uint8_t*>(y.mutable_raw());
        const std::int64_t rows = y.size() * element / image.out_row();
        if (image.rows->blends || image.columns->blends) blend(context, image, rows);
        else pick(context, image, rows);
    }

private:
    struct Image {
        ResizeAxis height, width;
        std::int64_t inner = 1;  // bytes of a position
        bool is_signed = false;
        const ByteTaps *rows = nullptr, *columns = nullptr;
        const std::uint8_t* from = nullptr;
        std::uint8_t* to = nullptr;

        std::int64_t in_row() const { return width.input * inner; }
        std::int64_t out_row() const { return width.output * inner; }
        const std::uint8_t* row(std::int64_t plane, std::int64_t at) const {
            return from + (plane * height.input + at) * in_row();
        }
    };

    static void pick(KernelContext& context, const Image& image, std::int64_t rows) {
        const std::int64_t out_row = image.out_row();
        pooling::for_row_chunks(
            context, rows, rows * out_row, [&](std::int64_t first, std::int64_t end, int) {
                for (std::int64_t r = first; r < end; ++r) {
                    const std::int64_t y = r % image.height.output;
                    const auto low = image.rows->low.begin() + y;
                    std::uint8_t* out = image.to + r * out_row;
                    if (r > first && y > 0 && low[0] == low[-1])  // the row above again
                        std::memcpy(out, out - out_row, static_cast<std::size_t>(out_row));
                    else pick_row(image, image.row(r / image.height.output, *low), out);
                }
            });
    }

    static void pick_row(const Image& image, const std::uint8_t* from, std::uint8_t* to) {
        const ByteTaps& columns = *image.columns;
        const std::int64_t count = image.width.output;
        if (columns.times == 1) std::memcpy(to, from, static_cast<std::size_t>(image.out_row()));
        else if (image.inner == 1 && columns.times > 0)
            byte_resize_kernels().repeat_positions(from, columns.times, count, to);
        else if (image.inner == 1)
            byte_resize_kernels().pick_positions(from, columns.low.data(), count, to);
        else
            for (std::int64_t x = 0; x < count; ++x, to += image.inner)
                std::memcpy(to, from + columns.low[static_cast<std::size_t>(x)] * image.inner,
                            static_cast<std::size_t>(image.inner));
    }

    static void blend(KernelContext& context, const Image& image, std::int64_t rows) {
        const ByteResizeKernels& kernels = byte_resize_kernels();
        const std::int64_t in_row = image.in_row(), out_row = image.out_row(),
                           line = (in_row + 7) / 8 * 8;
        Tensor lines = context.scratch(DType::f64, {context.threads().threads(), line});
        double* const all_lines = lines.mutable_data<double>().data();
        pooling::for_row_chunks(
            context, rows, 8 * rows * out_row,
            [&](std::int64_t first, std::int64_t end, int worker) {
                double* const blended = all_lines + worker * line;
                const ByteTaps &down = *image.rows, &across = *image.columns;
                for (std::int64_t r = first; r < end; ++r) {
                    const std::int64_t plane = r / image.height.output;
                    const auto y = static_cast<std::size_t>(r % image.height.output);
                    const std::uint8_t* low = image.row(plane, down.low[y]);
                    if (down.blends)
                        kernels.blend_rows(low, image.row(plane, down.high[y]), down.low_weight[y],
                                           down.high_weight[y], in_row, image.is_signed, blended);
                    else kernels.blend_rows(low, low, 1, 0, in_row, image.is_signed, blended);
                    std::uint8_t* out = image.to + r * out_row;
                    if (across.blends)
                        kernels.blend_positions(blended, across.low.data(), across.high.data(),
                                                across.low_weight.data(), across.high_weight.data(),
                                                image.width.output, image.inner, image.is_signed,
                                                out);
                    else kernels.cut_off(blended, out_row, image.is_signed, out);
                }
            });
    }

    ByteResizeRequest request_;
    std::optional<ByteTaps> height_taps_, width_taps_;
};

/// The shape of input 0, of whole bytes, with 1 for what is not known; else nothing, with `reason`.
std::optional<Shape> byte_shape(const KernelRequest& request, std::string& reason) {
    const Type& type = request.input_type(0);
    if (!type.is_tensor() || type.dtype == DType::undefined || type.dtype == DType::string ||
        is_packed(type.dtype) || !type.shape || type.shape->empty()) {
        reason = "its input is " + to_string(type) +
                 ", this kernel takes elements of whole bytes and known rank";
        return std::nullopt;
    }
    const bool is_known =
        std::ranges::all_of(*type.shape, [](const Dim& d) { return d.is_known(); });
    for (std::size_t i = 1; i < request.node.inputs.size(); ++i)
        if (request.has_input(i) && !request.constant(i)) {
            reason = "its scales or sizes are computed at run time";
            return std::nullopt;
        }
    if (const Tensor* sizes = request.constant(resize_input::sizes);
        sizes && sizes->size() > 0 && !is_known) {
        reason = "its output sizes are given, and those of its input are known only when it runs";
        return std::nullopt;
    }
    Shape shape;
    for (const Dim& dim : *type.shape) shape.push_back(dim.is_known() ? dim.value() : 1);
    return shape;
}

std::string why_not_resized(const ResizeGeometry& geometry, DType dtype) {
    if (geometry.mode == reference::ResizeMode::linear && !is_byte(dtype))
        return "it interpolates " + std::string(name_of(dtype)) + ", this kernel u8 and i8";
    if (geometry.mode == reference::ResizeMode::cubic) return "cubic filters have more than 2 taps";
    if (geometry.antialias || geometry.exclude_outside)
        return "it filters or weighs what lies outside (antialias, exclude_outside)";
    if (geometry.coordinates == reference::ResizeCoordinates::tf_crop_and_resize)
        return "it crops and extrapolates";
    return {};
}

std::unique_ptr<Kernel> make_resize_of(const KernelRequest& request, ReadResize read,
                                       std::string& reason) {
    const auto shape = byte_shape(request, reason);
    if (!shape) return nullptr;
    ResizeGeometry geometry =
        read(request.node, *shape, [&](std::size_t input) { return request.constant(input); });
    const DType dtype = request.input_type(0).dtype;
    reason = why_not_resized(geometry, dtype);
    std::vector<std::size_t> resized;
    for (std::size_t i = 0; i < geometry.axes.size(); ++i)
        if (geometry.axes[i].input != geometry.axes[i].output || geometry.axes[i].scale != 1)
            resized.push_back(i);
    if (reason.empty() &&
        (resized.size() > 2 || (resized.size() == 2 && resized[0] + 1 != resized[1])))
        reason = "it resizes " + std::to_string(resized.size()) +
                 " axes, this kernel does one or two neighbours";
    if (!reason.empty()) return nullptr;
    ByteResizeRequest made;
    made.dtype = dtype;
    made.rank = geometry.axes.size();
    made.width_axis = resized.empty() ? made.rank - 1 : resized.back();
    made.has_height = resized.size() == 2;
    made.width = pooling::of_any_size(request, geometry.axes[made.width_axis], made.width_axis);
    if (made.has_height)
        made.height =
            pooling::of_any_size(request, geometry.axes[made.width_axis - 1], made.width_axis - 1);
    geometry.axes.clear();
    made.options = std::move(geometry);
    return std::make_unique<ByteResize>(std::move(made));
}

}  // namespace

std::unique_ptr<Kernel> make_byte_resize(const KernelRequest& request, std::string& reason) {
    return make_resize_of(request, &reference::read_resize, reason);
}
std::unique_ptr<Kernel> make_byte_upsample(const KernelRequest& request, std::string& reason) {
    return make_resize_of(request, &reference::read_upsample, reason);
}

}  // namespace lapidary
