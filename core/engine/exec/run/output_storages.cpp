// SPDX-License-Identifier: Apache-2.0
#include "exec/run/output_storages.h"

#include <algorithm>
#include <atomic>

#include "base/assert.h"

namespace lapidary {

void OutputStorages::place(const MemoryPattern& pattern) {
    storages_.assign(pattern.handed_out.size(), {});
    for (std::size_t i = 0; i < storages_.size(); ++i) storages_[i].bytes = pattern.handed_out[i];
}

void OutputStorages::add(std::uint32_t value, const MemoryPattern::Place& at, const Tensor& type) {
    LAPIDARY_ASSERT(at.storage != 0 && at.storage <= storages_.size());
    storages_[at.storage - 1].parts.push_back({value, at.offset, type});
}

void* OutputStorages::callers_memory(const Storage& storage, const OutputBuffers& buffers) {
    for (const Part& whole : storage.parts) {
        if (whole.offset != 0) continue;
        void* theirs = buffers.memory_of(whole.value, whole.type.dtype(), whole.type.shape());
        const auto lies_within = [&](const Part& part) {
            return part.offset + part.type.byte_size() <= whole.type.byte_size();
        };
        if (theirs && std::ranges::all_of(storage.parts, lies_within)) return theirs;
    }
    return nullptr;
}

Tensor& OutputStorages::own_memory(Storage& storage, Budget& budget) {
    Tensor* memory = nullptr;
    for (Tensor& t : storage.kept)
        if (t.owner().use_count() == 1) memory = &t;
    // Orders this after the reads of the last holder, which use_count() alone does not. Race
    // detectors do not understand fences; they see that the standard libraries count up
    // atomically with acquire and release.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (memory != nullptr) {
        std::shared_ptr<const void>(memory->owner()).reset();
        return *memory;
    }
    if (storage.kept.size() < Storage::most_kept) {
        storage.kept.reserve(Storage::most_kept);
        memory = &storage.kept.emplace_back();
    } else {
        memory = &storage.kept[storage.oldest++ % Storage::most_kept];
    }
    *memory = Tensor{};
    *memory = budget.allocate(DType::u8, {static_cast<std::int64_t>(storage.bytes)});
    return *memory;
}

void OutputStorages::take(std::vector<RuntimeValue>& slots, const OutputBuffers* buffers,
                          Budget& budget) {
    for (Storage& storage : storages_) {
        storage.owner = nullptr;
        void* at = buffers ? callers_memory(storage, *buffers) : nullptr;
        if (at == nullptr) {
            Tensor& own = own_memory(storage, budget);
            at = own.mutable_raw();
            storage.owner = own.owner();
        }
        for (const Part& part : storage.parts)
            slots[part.value] = Tensor::borrow(part.type.dtype(), part.type.shape(),
                                               static_cast<std::byte*>(at) + part.offset, nullptr);
    }
}

}  // namespace lapidary
