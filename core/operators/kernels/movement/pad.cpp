// SPDX-License-Identifier: Apache-2.0
// Pad of every mode, row by row of the innermost padded axis; neighbouring axes without pads are
// moved as one.
#include "kernels/input_index.h"
#include "ops/geometry/pad.h"

#include <algorithm>
#include <cstring>

#include "kernels/elementwise/reference_kernels.h"
#include "kernels/movement/small_ints.h"
#include "kernels/movement/strided_copy.h"

namespace lapidary {
namespace {

constexpr int max_rank = 8;

struct Axes {
    int rank = 0;
    std::int64_t from[max_rank], to[max_rank];
    PadAxis pads[max_rank];
};

template <typename T>
void pad_rows(const T* from, T* to, const Axes& axes, PadMode mode, T fill,
              KernelContext& context) {
    const int last = axes.rank - 1;
    const std::int64_t width = axes.to[last], dim = axes.from[last];
    const PadAxis pad = axes.pads[last];
    // new elements in front
    const std::int64_t left = std::clamp<std::int64_t>(pad.before, 0, width);
    // of the row that stays
    const std::int64_t first = std::max<std::int64_t>(-pad.before, 0);
    const std::int64_t middle = std::clamp<std::int64_t>(
        dim - first + std::min<std::int64_t>(pad.after, 0), 0, width - left);
    std::int64_t rows = 1;
    for (int d = 0; d < last; ++d) rows *= axes.to[d];
    const auto body = [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            T* target = to + row * width;
            std::int64_t rest = row, stride = dim, offset = 0;
            bool inside = true;
            for (int d = last; d-- > 0;) {
                const std::int64_t source =
                    pad_source(rest % axes.to[d], axes.from[d], axes.pads[d], mode);
                rest /= axes.to[d];
                inside = inside && source >= 0;
                offset += source * stride;
                stride *= axes.from[d];
            }
            if (!inside) {
                std::fill_n(target, width, fill);
                continue;
            }
            const T* source = from + offset;
            const auto edge = [&](std::int64_t i) {
                const std::int64_t p = pad_source(i, dim, pad, mode);
                return p < 0 ? fill : source[p];
            };
            for (std::int64_t i = 0; i < left; ++i) target[i] = edge(i);
            if (middle > 0)
                std::memcpy(target + left, source + first,
                            static_cast<std::size_t>(middle) * sizeof(T));
            for (std::int64_t i = left + middle; i < width; ++i) target[i] = edge(i);
        }
    };
    const std::int64_t bytes = width * static_cast<std::int64_t>(sizeof(T)) + 16;
    if (rows * bytes <= grain_bytes) body(0, rows);
    else context.threads().parallel_for(rows, std::max<std::int64_t>(1, grain_bytes / bytes), body);
}

class PadKernel final : public Kernel {
public:
    PadKernel(PadMode mode, std::int64_t version) : mode_(mode), version_(version) {}

    void run(KernelContext& context) const override {
        const Tensor& data = context.input(0);
        const std::size_t rank = data.shape().size();
        SmallInts pads, axes;
        const auto leave = [&](FallbackReason why) {
            context.run_on_reference(reference::pad, why);
        };
        if (!is_plainly_copied(data.dtype())) return leave(fallback::element_type);
        if (rank == 0 || rank > max_rank) return leave(fallback::rank);
        if (!pads.read(context.input(1))) return leave(fallback::list_input);
        const bool has_axes = version_ >= 18 && context.has_input(pad_input::axes);
        if (has_axes && !axes.read(context.input(pad_input::axes)))
            return leave(fallback::list_input);
        const std::size_t count = has_axes ? axes.count : rank;
        if (pads.count != 2 * count) return leave("there are not two pads for each axis");
        std::uint64_t fill = 0;
        if (const Tensor* value = context.optional_input(2); value && value->size() != 0) {
            if (value->dtype() != data.dtype() || value->size() != 1)
                return leave("constant_value is not one value of the data's type");
            std::memcpy(&fill, value->raw(), bit_width(data.dtype()) / 8);
        }
        PadAxis of[max_rank];
        for (std::size_t i = 0; i < count; ++i) {
            std::int64_t axis = has_axes ? axes[i] : static_cast<std::int64_t>(i);
            if (axis < 0) axis += static_cast<std::int64_t>(rank);
            if (axis < 0 || axis >= static_cast<std::int64_t>(rank))
                return leave(fallback::axis_outside);
            of[axis] = {pads[i], pads[i + count]};
        }
        Shape shape = data.shape();
        for (std::size_t i = 0; i < rank; ++i) {
            shape[i] = padded_dim(data.dim(i), of[i], i);
            const std::int64_t left = data.dim(i) + std::min<std::int64_t>(of[i].before, 0) +
                                      std::min<std::int64_t>(of[i].after, 0);
            if (mode_ != PadMode::constant && left <= 0)
                return leave("nothing of the data is left to repeat or mirror");
        }
        // Its size is known to be representable from here on, and so are the products of merged
        // axes.
        Tensor& y = context.output(0, data.dtype(), shape);
        if (y.size() == 0) return;
        write_elements(context, data, y, merge_axes(data.shape(), shape, of), fill);
    }

private:
    /// Selects the instance by the width of an element; `fill` begins with the bytes of one.
    void write_elements(KernelContext& context, const Tensor& data, Tensor& y, const Axes& axes,
                        std::uint64_t fill) const {
        switch (bit_width(data.dtype())) {
        case 8: return write<std::uint8_t>(context, data, y, axes, fill);
        case 16: return write<std::uint16_t>(context, data, y, axes, fill);
        case 32: return write<std::uint32_t>(context, data, y, axes, fill);
        default: return write<std::uint64_t>(context, data, y, axes, fill);
        }
    }

    /// Axes that are moved whole join the axis before them: constants and cuts multiply, mirrored
    /// ones do not.
    Axes merge_axes(const Shape& from, const Shape& to, const PadAxis* of) const {
        Axes merged;
        for (std::size_t i = 0; i < from.size(); ++i) {
            const bool plain = of[i].before == 0 && of[i].after == 0;
            const int at = merged.rank - 1;
            const bool before_is_plain =
                at >= 0 && merged.pads[at].before == 0 && merged.pads[at].after == 0;
            if (plain && at >= 0 && (before_is_plain || mode_ == PadMode::constant)) {
                merged.from[at] *= from[i];
                merged.to[at] *= from[i];
                merged.pads[at] = {merged.pads[at].before * from[i],
                                   merged.pads[at].after * from[i]};
            } else {
                merged.from[merged.rank] = from[i];
                merged.to[merged.rank] = to[i];
                merged.pads[merged.rank++] = of[i];
            }
        }
        return merged;
    }

    template <typename T>
    void write(KernelContext& context, const Tensor& data, Tensor& y, const Axes& axes,
               std::uint64_t fill_bits) const {
        T fill;
        std::memcpy(&fill, &fill_bits, sizeof fill);
        pad_rows(static_cast<const T*>(data.raw()), static_cast<T*>(y.mutable_raw()), axes, mode_,
                 fill, context);
    }

    PadMode mode_;
    std::int64_t version_;
};

}  // namespace

std::unique_ptr<Kernel> make_pad(const KernelRequest& request, std::string& reason) {
    if (request.node.version < 11) {
        reason = "pads as attributes, as before opset 11, are served by the reference kernel";
        return nullptr;
    }
    const std::string mode = request.node.string_attribute("mode", "constant");
    if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap") {
        reason = "an unknown mode";
        return nullptr;
    }
    return std::make_unique<PadKernel>(parse_pad_mode(mode), request.node.version);
}

}  // namespace lapidary
