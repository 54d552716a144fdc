// SPDX-License-Identifier: Apache-2.0
#include "exec/device/resident_memory.h"

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>

#include "exec/cpu_provider.h"
#include "exec/device/device_blocks.h"

namespace lapidary {

const std::string& DeviceValue::provider() const {
    return block_ ? block_->memory().device().name() : cpu_provider().name();
}

Tensor DeviceValue::to_host() const { return block_ ? block_->memory().download(*this) : tensor_; }

ResidentBlock::~ResidentBlock() {
    memory_->give_back({std::move(place_.block), bytes_, number_, key_});
}

ResidentMemory::ResidentMemory(std::shared_ptr<const Provider> provider, const Limits& limits,
                               std::shared_ptr<std::atomic<std::int64_t>> of_session)
    : provider_(std::move(provider)), limits_(limits), of_session_(std::move(of_session)) {}

ResidentMemory::Free ResidentMemory::take_free(std::uint32_t key, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto fits = [&](const Free& f) { return f.bytes >= bytes && f.bytes / 4 <= bytes; };
    const auto mine = [&](const Free& f) { return key != no_key && f.key == key; };
    auto best = free_.end();
    for (auto at = free_.begin(); at != free_.end(); ++at)
        if (mine(*at) && fits(*at) && (best == free_.end() || at->number < best->number)) best = at;
    Free taken;
    if (best == free_.end()) {
        std::erase_if(free_, [&](const Free& f) { return mine(f) && !fits(f); });
        taken.number = next_number_++;
        taken.key = key;
        return taken;
    }
    taken = std::move(*best);
    free_.erase(best);
    return taken;
}

std::shared_ptr<DeviceBlock> ResidentMemory::fresh_block(std::uint64_t bytes) {
    try {
        return device().allocate(bytes);
    } catch (const Error& e) {
        if (e.code() != ErrorCode::limit_exceeded) throw;
    }
    shrink();
    return device().allocate(bytes);
}

std::shared_ptr<const ResidentBlock> ResidentMemory::allocate(DType dtype, const Shape& shape,
                                                              std::uint32_t key) {
    const std::uint64_t exact =
        std::max<std::uint64_t>(storage_bytes(dtype, element_count(shape)), 1);
    const auto in_use = static_cast<std::uint64_t>(of_session_->load(std::memory_order_relaxed));
    if (exact > limits_.run_bytes || in_use > limits_.run_bytes - exact)
        fail_limit("a value " + std::string(name_of(dtype)) + to_string(shape) + " that stays on " +
                   quote(device().name()) + " takes " + std::to_string(exact) +
                   " bytes on top of " + std::to_string(in_use) +
                   " in use, the limit for a session is " + std::to_string(limits_.run_bytes));
    // Caches grow by a token at a time: with some spare room a block serves for many steps.
    const std::uint64_t roomy = key == no_key ? exact : roomy_bytes(exact);
    const std::uint64_t bytes = in_use + roomy <= limits_.run_bytes ? roomy : exact;
    Free from = take_free(key, exact);
    if (!from.block) {
        from.block = fresh_block(bytes);
        from.bytes = bytes;
    }
    const auto charged = static_cast<std::int64_t>(from.bytes);
    auto block = std::make_shared<const ResidentBlock>(shared_from_this(),
                                                       DevicePlace{std::move(from.block), 0},
                                                       from.bytes, from.key, from.number);
    of_session_->fetch_add(charged, std::memory_order_relaxed);
    return block;
}

// A value is only released after the runs that read it have ended: no queued work uses the block.
void ResidentMemory::give_back(Free block) noexcept {
    of_session_->fetch_sub(static_cast<std::int64_t>(block.bytes), std::memory_order_relaxed);
    if (block.key == no_key) return;
    const std::lock_guard lock(mutex_);
    if (is_closed_) return;
    try {
        const std::uint32_t key = block.key;
        free_.push_back(std::move(block));
        const auto mine = [&](const Free& f) { return f.key == key; };
        if (std::ranges::count_if(free_, mine) > static_cast<std::ptrdiff_t>(kept))
            free_.erase(std::ranges::find_if(free_, mine));
    } catch (const std::bad_alloc&) {}  // it goes back to the device
}

Tensor ResidentMemory::slot_of(DType dtype, Shape shape,
                               const std::shared_ptr<const ResidentBlock>& block) {
    return Tensor::borrow(dtype, std::move(shape), nullptr,
                          std::shared_ptr<const void>(block, &block->place()));
}

DeviceValue ResidentMemory::upload(const Tensor& tensor) {
    if (!tensor || tensor.dtype() == DType::string)
        fail_input("expected a tensor of numbers to put on " + quote(device().name()) + ", found " +
                   (tensor ? std::string(name_of(tensor.dtype())) + to_string(tensor.shape())
                           : std::string("none")));
    auto block = allocate(tensor.dtype(), tensor.shape(), no_key);
    if (tensor.byte_size() != 0) {
        const std::lock_guard lock(copying_);
        if (!queue_) queue_ = device().make_queue();
        queue_->copy_to_device(block->place(), tensor.raw(), tensor.byte_size());
        queue_->finish();
    }
    return {slot_of(tensor.dtype(), tensor.shape(), block), block};
}

Tensor ResidentMemory::download(const DeviceValue& value) {
    Tensor out(value.dtype(), value.shape());
    if (out.byte_size() == 0) return out;
    const std::lock_guard lock(copying_);
    if (!queue_) queue_ = device().make_queue();
    queue_->copy_to_host(out.mutable_raw(), value.block_->place(), out.byte_size());
    return out;
}

void ResidentMemory::shrink() noexcept {
    const std::lock_guard lock(mutex_);
    free_.clear();
}

void ResidentMemory::close() noexcept {
    {
        const std::lock_guard lock(mutex_);
        is_closed_ = true;
        free_.clear();
    }
    const std::lock_guard lock(copying_);
    queue_ = nullptr;
}

}  // namespace lapidary
