// SPDX-License-Identifier: Apache-2.0
// Storage in which planned graph outputs leave the session. Each run takes one for every group of
// outputs that the plan lays together: the caller's memory if there is some, else one of two that
// are reused once their other holders have released them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <lapidary/tensor/runtime_value.h>

#include "exec/memory/budget.h"
#include "exec/memory/memory_pattern.h"
#include "exec/run/output_buffers.h"

namespace lapidary {

class OutputStorages {
public:
    /// For MemoryPattern::handed_out of a new plan. Releases those of the plan before.
    void place(const MemoryPattern& pattern);
    /// A value of the plan that lies in one of them; `type` has its element type and shape.
    void add(std::uint32_t value, const MemoryPattern::Place& at, const Tensor& type);
    /// Lays the values into storages for one run: their slots become tensors without an owner.
    /// `buffers` null: the caller gave no memory. Throws limit_exceeded.
    void take(std::vector<RuntimeValue>& slots, const OutputBuffers* buffers, Budget& budget);
    /// Of the storage of this run in which the value at `at` lies; null: the caller's.
    const std::shared_ptr<const void>& owner(const MemoryPattern::Place& at) const {
        return storages_[at.storage - 1].owner;
    }
    /// After a run: its storages belong to the holders of the outputs.
    void release() {
        for (Storage& storage : storages_) storage.owner = nullptr;
    }

private:
    struct Part {
        std::uint32_t value;   // ValueId::index
        std::uint64_t offset;  // in the storage
        Tensor type;           // element type and shape, no data
    };
    struct Storage {
        static constexpr std::size_t most_kept = 2;  // a loop reads one and writes the other
        std::uint64_t bytes = 0;
        std::vector<Part> parts;
        std::vector<Tensor> kept;
        std::size_t oldest = 0;             // of those kept
        std::shared_ptr<const void> owner;  // of the memory of this run; null: the caller's
    };
    /// The caller's memory for the output in which all parts lie; null: none.
    static void* callers_memory(const Storage& storage, const OutputBuffers& buffers);
    /// Kept memory that nothing else holds, else new memory.
    static Tensor& own_memory(Storage& storage, Budget& budget);

    std::vector<Storage> storages_;  // as in MemoryPattern::handed_out
};

}  // namespace lapidary
