// SPDX-License-Identifier: Apache-2.0
// Filters of integer convolutions, packed for products.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/integer/byte_product.h"
#include "kernels/kernel.h"

namespace lapidary {

struct ConvWeight {
    /// What a row of the product consists of. taps: the channels of each tap, read in place.
    /// gathered: all taps, copied side by side. lines: the taps of each line of the window, which
    /// are contiguous in a padded copy of the image.
    enum class Rows : std::uint8_t { taps, gathered, lines } rows = Rows::taps;
    ByteLayout layout;            // of one group
    std::size_t group_bytes = 0;  // from one group to the next
    std::shared_ptr<const PackedWeight> packed;

    /// Packs w [filters, channels, taps...] of u8 or i8. `may_read_beyond`: rows may end in
    /// elements that do not belong to them; zeros in the filters keep these out of the sums. Not
    /// allowed where sums of rows are needed too.
    static ConvWeight pack(const KernelRequest& request, const Tensor& w, std::int64_t groups,
                           bool may_read_beyond);
};

}  // namespace lapidary
