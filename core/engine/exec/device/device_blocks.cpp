// SPDX-License-Identifier: Apache-2.0
#include "exec/device/device_blocks.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include <lapidary/base/error.h>

namespace lapidary {

std::uint64_t roomy_bytes(std::uint64_t bytes) {
    if (bytes > std::uint64_t{1} << 62) return bytes;
    const std::uint64_t step = std::max<std::uint64_t>(std::bit_floor(bytes) / 8, 256);
    return std::max<std::uint64_t>((bytes + step - 1) / step * step, step);
}

DeviceBlocks::Block DeviceBlocks::take_free(std::uint64_t& bytes) {
    const std::lock_guard lock(mutex_);
    const auto at = free_.lower_bound(bytes);
    if (at == free_.end() || at->first / 2 > bytes) return nullptr;
    bytes = at->first;
    Block block = std::move(at->second);
    free_.erase(at);
    free_bytes_ -= bytes;
    return block;
}

std::shared_ptr<DeviceBlock> DeviceBlocks::take(std::uint64_t asked) {
    std::uint64_t bytes = roomy_bytes(asked);
    Block block = take_free(bytes);
    if (!block) {
        try {
            block = device_.allocate(bytes);
        } catch (const Error& e) {
            if (e.code() != ErrorCode::limit_exceeded) throw;
            shrink();
            bytes = std::max<std::uint64_t>(asked, 1);
            block = device_.allocate(bytes);
        }
    }
    {
        const std::lock_guard lock(mutex_);
        used_bytes_ += bytes;
        most_used_ = std::max(most_used_, used_bytes_);
    }
    DeviceBlock* const raw = block.get();
    return {raw, [pool = weak_from_this(), bytes, block = std::move(block)](DeviceBlock*) mutable {
                if (const auto alive = pool.lock()) alive->give_back(bytes, std::move(block));
            }};
}

// Never keeps more than the largest amount that was in use at a time.
void DeviceBlocks::give_back(std::uint64_t bytes, Block block) noexcept {
    const std::lock_guard lock(mutex_);
    used_bytes_ -= bytes;
    try {
        free_.emplace(bytes, std::move(block));
    } catch (const std::bad_alloc&) { return; }  // it goes back to the device
    free_bytes_ += bytes;
    while (free_bytes_ > most_used_) {
        free_bytes_ -= free_.begin()->first;
        free_.erase(free_.begin());
    }
}

void DeviceBlocks::shrink() noexcept {
    const std::lock_guard lock(mutex_);
    free_.clear();
    free_bytes_ = 0;
    most_used_ = used_bytes_;
}

}  // namespace lapidary
