// SPDX-License-Identifier: Apache-2.0
// Filters of integer convolutions as products read them.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/integer/byte_product.h"
#include "kernels/kernel.h"

namespace lapidary {

struct ConvWeight {
    /// What a row of the product is made of: the channels of each tap, where they lie; all taps
    /// side by side, gathered; the taps of each line of the window, which are one run where the
    /// image was copied with its padding.
    enum class Rows : std::uint8_t { taps, gathered, lines } rows = Rows::taps;
    ByteLayout layout;            // of one group
    std::size_t group_bytes = 0;  // from one group to the next
    std::shared_ptr<const PackedWeight> packed;

    /// Packs w [filters, channels, taps...] of u8 or i8. `may_read_beyond`: rows may end in
    /// elements that belong to something else, which zero filters keep out of the sums; not where
    /// sums of rows are wanted too.
    static ConvWeight pack(const KernelRequest& request, const Tensor& w, std::int64_t groups,
                           bool may_read_beyond);
};

}  // namespace lapidary
