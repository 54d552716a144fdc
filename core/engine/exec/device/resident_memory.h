// SPDX-License-Identifier: Apache-2.0
// Memory of one device for values that stay there between the runs of a session
// (lapidary/exec/device_value.h), counted against Limits::run_bytes. Once the earlier values of a
// graph output are released, the output takes their blocks again, always in the same order. A loop
// that passes values back and forth therefore sees the same addresses again, and captured runs can
// be replayed. Values hold this object, because they may outlive the session.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <lapidary/exec/device_value.h>
#include <lapidary/base/limits.h>

#include "exec/provider.h"

namespace lapidary {

class ResidentMemory;

/// The block of one value. Its destructor returns the memory to the ResidentMemory.
class ResidentBlock {
public:
    ResidentBlock(std::shared_ptr<ResidentMemory> memory, DevicePlace place, std::uint64_t bytes,
                  std::uint32_t key, std::uint64_t number)
        : memory_(std::move(memory)), place_(std::move(place)), bytes_(bytes), key_(key),
          number_(number) {}
    ResidentBlock(const ResidentBlock&) = delete;
    ResidentBlock& operator=(const ResidentBlock&) = delete;
    ~ResidentBlock();

    const DevicePlace& place() const { return place_; }
    ResidentMemory& memory() const { return *memory_; }

private:
    std::shared_ptr<ResidentMemory> memory_;
    DevicePlace place_;
    std::uint64_t bytes_;  // of the block
    std::uint32_t key_;
    std::uint64_t number_;
};

class ResidentMemory : public std::enable_shared_from_this<ResidentMemory> {
public:
    static constexpr std::uint32_t no_key = ~std::uint32_t{0};
    // free blocks that a key keeps: a loop reads one and writes the other
    static constexpr std::size_t kept = 2;

    /// `of_session`: bytes in use by all runs of the session, which count against
    /// Limits::run_bytes.
    ResidentMemory(std::shared_ptr<const Provider> provider, const Limits& limits,
                   std::shared_ptr<std::atomic<std::int64_t>> of_session);

    const DeviceProvider& device() const { return *provider_->device(); }
    /// Memory whose contents are not yet written. `key`: reuses the blocks of the same key. no_key:
    /// the block is not reused but goes back to the device. Throws limit_exceeded naming the
    /// requested bytes, those in use and the limit.
    std::shared_ptr<const ResidentBlock> allocate(DType dtype, const Shape& shape,
                                                  std::uint32_t key);
    /// Throws limit_exceeded, and what the device throws.
    DeviceValue upload(const Tensor& tensor);
    Tensor download(const DeviceValue& value);
    /// Gives free blocks back to the device.
    void shrink() noexcept;
    /// Called when the session ends: from then on blocks go back to the device when their values
    /// end.
    void close() noexcept;

    /// The slot tensor of a frame for the value: element type and shape without data, owned by its
    /// block.
    static Tensor slot_of(DType dtype, Shape shape,
                          const std::shared_ptr<const ResidentBlock>& block);
    static const Tensor& slot_of(const DeviceValue& value) { return value.tensor_; }
    static DeviceValue value_of(Tensor slot, std::shared_ptr<const ResidentBlock> block) {
        return {std::move(slot), std::move(block)};
    }
    /// Null if the value lies in host memory.
    static const ResidentMemory* memory_of(const DeviceValue& value) {
        return value.block_ ? &value.block_->memory() : nullptr;
    }

private:
    friend class ResidentBlock;
    struct Free {
        std::shared_ptr<DeviceBlock> block;
        std::uint64_t bytes = 0, number = 0;
        std::uint32_t key = no_key;
    };
    Free take_free(std::uint32_t key, std::uint64_t bytes);
    std::shared_ptr<DeviceBlock> fresh_block(std::uint64_t bytes);
    void give_back(Free block) noexcept;

    const std::shared_ptr<const Provider> provider_;
    const Limits limits_;
    const std::shared_ptr<std::atomic<std::int64_t>> of_session_;
    std::mutex mutex_;  // of the members below
    std::vector<Free> free_;
    std::uint64_t next_number_ = 0;
    bool is_closed_ = false;
    std::mutex copying_;                  // of queue_
    std::unique_ptr<DeviceQueue> queue_;  // for copies outside runs; null until the first one
};

/// By device, as in DevicePlan::devices.
using ResidentMemories = std::vector<std::shared_ptr<ResidentMemory>>;

}  // namespace lapidary
