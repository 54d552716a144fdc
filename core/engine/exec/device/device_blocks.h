// SPDX-License-Identifier: Apache-2.0
// Blocks of one device for values that no plan places: what is let go of is taken again, since a
// device takes long to give memory and waits for all that is queued before it takes it back. For
// the runs of one slot, which follow each other; within a run what is queued later finds what was
// queued before done with the block.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "exec/provider.h"

namespace lapidary {

/// What to ask a device for where so many bytes are needed: an eighth more at most, so that values
/// that grow slowly stay where they are.
std::uint64_t roomy_bytes(std::uint64_t bytes);

class DeviceBlocks : public std::enable_shared_from_this<DeviceBlocks> {
public:
    explicit DeviceBlocks(const DeviceProvider& device) : device_(device) {}

    /// Goes back when nobody holds it. Throws limit_exceeded.
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
