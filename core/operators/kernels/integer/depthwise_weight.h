// SPDX-License-Identifier: Apache-2.0
// Filters of one channel each, packed for the depthwise kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/integer/byte_product.h"
#include "kernels/kernel.h"
#include "kernels/vector/integer/byte_depthwise.h"

namespace lapidary {

struct DepthwiseWeight {
    const ByteDepthwiseKernels* kernels = nullptr;
    ByteLayout layout;  // of a product of `taps` taps and as many rows as columns
    // bytes from `packed` on: one i32 per filter, 0 up to a whole panel and 64 more
    std::size_t sums_at = 0;
    bool is_plain = true;  // all zero points are 0
    std::shared_ptr<const PackedWeight> packed;

    /// Sets the product's multiply function and, for byte results, whether runs of positions are
    /// searched for, `stride` pixels from one to the next.
    void prepare(ByteProduct& product, bool gives_bytes, std::int64_t stride) const;

    /// Packs w [filters, 1, taps...] of u8 or i8; `zeros` has a zero point per filter after 128 is
    /// subtracted from u8, or is empty where all are 0.
    static DepthwiseWeight pack(const KernelRequest& request, const Tensor& w, std::int64_t taps,
                                const std::vector<std::int32_t>& zeros);
};

}  // namespace lapidary
