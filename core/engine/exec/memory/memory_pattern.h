// SPDX-License-Identifier: Apache-2.0
// One memory layout per set of input shapes. The first run with these shapes records it, later runs
// use it.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/plan/plan.h"

namespace lapidary {

/// What the first run with a set of input shapes needed.
struct MemoryTrace {
    static constexpr std::uint64_t nothing = ~std::uint64_t{0};
    // scratch areas that are planned per step; further ones come from the heap
    static constexpr std::size_t most_scratch = 32;
    std::vector<std::uint64_t> value_bytes;  // by ValueId::index; `nothing`: unknown
    std::vector<Shape> shapes;               // by ValueId::index, of what is planned
    // by ValueId::index: written by a kernel, with a fixed size
    std::vector<std::uint8_t> is_planned;
    std::vector<std::vector<std::uint64_t>> scratch_bytes;  // by step, in the order of requests
};

struct MemoryPattern {
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    struct Place {
        std::uint64_t offset = none;  // none: not planned
        std::uint32_t storage = 0;    // 0: the arena; n: handed_out[n - 1]
    };
    std::vector<Place> values;                        // by ValueId::index
    std::vector<std::uint64_t> value_bytes;           // by ValueId::index
    std::vector<std::vector<std::uint64_t>> scratch;  // offsets in the arena, as traced
    // bytes of the storages in which graph outputs leave the session
    std::vector<std::uint64_t> handed_out;
    std::uint64_t total_bytes = 0;  // of the arena
    // of the block of each device, as in DevicePlan::devices
    std::vector<std::uint64_t> device_bytes;

    bool in_arena(std::size_t value) const {
        return values[value].offset != none && values[value].storage == 0;
    }
};

/// `shares_storage` false: no two values share bytes, views included. Throws cancelled.
MemoryPattern make_pattern(const Plan& plan, const MemoryTrace& trace, bool shares_storage = true,
                           const CancelToken& cancel = {});

}  // namespace lapidary
