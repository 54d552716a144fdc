// SPDX-License-Identifier: Apache-2.0
// One memory layout per set of input shapes. The first run with these shapes records it, later runs
// use it. For inputs that grow from run to run (caches of a decoder), a layout with room for
// further runs: with_room().
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
    // by ValueId::index: the value has value_bytes at most, less in some runs; empty: none has
    std::vector<std::uint8_t> grows;
};

/// What two runs in a row needed, `now` behind `before`, with room for `runs` further ones whose
/// sizes go on growing in the same way. Values of never_dies that grow are not planned, nor are
/// those whose sizes change in another way or would have more than `most_bytes`. For plans without
/// steps on devices and without subgraphs. Throws cancelled.
MemoryTrace with_room(const Plan& plan, const MemoryTrace& before, const MemoryTrace& now,
                      std::int64_t runs, std::uint64_t most_bytes, const CancelToken& cancel);

struct MemoryPattern {
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    struct Place {
        std::uint64_t offset = none;  // none: not planned
        std::uint32_t storage = 0;    // 0: the arena; n: handed_out[n - 1]
    };
    std::vector<Place> values;                        // by ValueId::index
    std::vector<std::uint64_t> value_bytes;           // by ValueId::index
    std::vector<std::vector<std::uint64_t>> scratch;  // offsets in the arena, as traced
    // MemoryTrace::grows and ::scratch_bytes of a layout with room; else empty
    std::vector<std::uint8_t> grows;
    std::vector<std::vector<std::uint64_t>> scratch_bytes;
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
