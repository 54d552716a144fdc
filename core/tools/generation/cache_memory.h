// SPDX-License-Identifier: Apache-2.0
// The memory of a decoder's caches of fixed size, one block for all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// Keeps its block for the next prompt, since getting pages from the system takes longer than to
/// clear what was written. The block is in large pages where the system provides these quickly: a
/// token reads all rows of all caches.
class CacheMemory {
public:
    struct Cache {
        DType dtype = DType::f32;
        Shape shape;
        std::size_t axis = 0;  // of the rows
    };

    /// A tensor of zeros for each cache. Those of an earlier call must not be in use any more;
    /// `used` says how many of their rows may have been written.
    std::vector<Tensor> cleared(const std::vector<Cache>& caches, std::int64_t used);

private:
    std::shared_ptr<std::byte> block_;
    std::vector<Cache> caches_;  // that the block has room for, in order
};

}  // namespace lapidary
