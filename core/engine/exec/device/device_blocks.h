// SPDX-License-Identifier: Apache-2.0
// Blocks of device memory for values that are not planned. Freed blocks are kept and used again,
// because a device is slow to allocate and waits for all queued work before it frees. They serve
// the runs of one slot, which follow each other. Within a run the queue keeps the order, so that a
// block may be used again before the work on it is done.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "exec/provider.h"

namespace lapidary {

/// Bytes to request from a device for a value of `bytes`: up to an eighth more, so that a value
/// that grows slowly keeps its block.
std::uint64_t roomy_bytes(std::uint64_t bytes);

class DeviceBlocks : public std::enable_shared_from_this<DeviceBlocks> {
public:
    explicit DeviceBlocks(const DeviceProvider& device) : device_(device) {}

    /// The block is kept for later use once its last holder releases it. Throws limit_exceeded.
    std::shared_ptr<DeviceBlock> take(std::uint64_t bytes);
    /// Gives free blocks back to the device.
    void shrink() noexcept;

private:
    using Block = std::shared_ptr<DeviceBlock>;
    Block take_free(std::uint64_t& bytes);
    void give_back(std::uint64_t bytes, Block block) noexcept;

    const DeviceProvider& device_;
    std::mutex mutex_;
    std::multimap<std::uint64_t, Block> free_;  // by bytes
    std::uint64_t free_bytes_ = 0, used_bytes_ = 0, most_used_ = 0;
};

}  // namespace lapidary
