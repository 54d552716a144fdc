// SPDX-License-Identifier: Apache-2.0
#include "kernels/integer/depthwise_weight.h"

#include <string>

namespace lapidary {

DepthwiseWeight DepthwiseWeight::pack(const KernelRequest& request, const Tensor& w,
                                      std::int64_t taps, const std::vector<std::int32_t>& zeros) {
    const ByteDepthwiseKernels& kernels = byte_depthwise_kernels();
    const std::int64_t filters = w.dim(0), width = kernels.panel_width,
                       padded = (filters + width - 1) / width * width;
    DepthwiseWeight made;
    made.kernels = &kernels;
    made.is_plain = zeros.empty();
    made.layout = ByteLayout::of(taps, filters, filters);
    made.layout.width = width;
    made.sums_at =
        static_cast<std::size_t>((kernels.bytes(taps, filters, !made.is_plain) + 63) / 64 * 64);
    std::string format = "depthwise " + made.layout.format();
    for (const std::int32_t z : zeros) format += "," + std::to_string(z);
    made.packed =
        request.weights.add(w, format, made.sums_at + static_cast<std::size_t>(padded + 64) * 4, 1,
                            [&kernels, source = w, zeros, taps, filters, at = made.sums_at](
                                std::byte* to, std::int64_t, std::int64_t) {
                                kernels.pack(source.raw(), source.dtype() == DType::u8,
                                             zeros.empty() ? nullptr : zeros.data(), taps, filters,
                                             to, reinterpret_cast<std::int32_t*>(to + at));
                            });
    return made;
}

void DepthwiseWeight::prepare(ByteProduct& product, bool gives_bytes, std::int64_t stride) const {
    // output rows from which runs pay; with fewer rows threads share the channels instead
    constexpr std::int64_t worthwhile = 256;
    product.multiply = is_plain ? kernels->multiply_plain : kernels->multiply_centered;
    product.finds_runs = is_plain && gives_bytes && product.rows >= worthwhile &&
                         kernels->wants_runs(layout.columns, stride);
    if (!product.finds_runs) return;
    product.run_step = stride;
    product.buffer_per_row = sizeof(std::int32_t);
    // a run holds all channels, so one panel does
    product.layout.width = (layout.columns + layout.width - 1) / layout.width * layout.width;
}

}  // namespace lapidary
