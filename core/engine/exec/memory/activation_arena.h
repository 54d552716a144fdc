// SPDX-License-Identifier: Apache-2.0
// Memory for values that are not planned: best fit in regions from the system; free neighbours are
// joined. ONNX Runtime calls this the CPU memory arena.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>

#include <lapidary/exec/session_options.h>

namespace lapidary {

/// Safe to use from any thread.
class ActivationArena {
public:
    static constexpr std::size_t alignment = 64;
    // the first region under ArenaExtend::next_power_of_two
    static constexpr std::size_t first_region = std::size_t{1} << 20;

    /// addresses: no memory at all, only numbers from first_address on. They show how the arena
    /// would lay things out; never read or write there.
    enum class Backing : std::uint8_t { system, addresses };
    static constexpr std::uintptr_t first_address = std::uintptr_t{2} << 20;
    explicit ActivationArena(ArenaExtend extend, Backing backing = Backing::system)
        : extend_(extend), backing_(backing) {}
    ActivationArena(const ActivationArena&) = delete;
    ActivationArena& operator=(const ActivationArena&) = delete;
    ~ActivationArena();  // all memory must have been released

    /// 64-byte aligned. Null if the system refuses.
    void* allocate(std::size_t bytes);
    void release(void* data) noexcept;
    /// Takes a region of this size from the system and touches its pages, so that the first writer
    /// does not wait for them.
    void prepare(std::size_t bytes);
    /// Gives unused regions back to the system, and the free pages of the others.
    void shrink() noexcept;

    std::size_t reserved() const;  // bytes of all regions
    std::size_t in_use() const;

private:
    struct Chunk {
        std::size_t bytes = 0, region = 0;  // regions are numbered in the order they were taken
        bool is_free = false, begins_region = false;
    };
    using Chunks = std::map<std::byte*, Chunk>;
    class Lock;

    Chunks::iterator extend(std::size_t bytes);
    Chunks::iterator add_region(std::size_t region, bool is_large);
    void* map(std::size_t region, bool is_large);
    void make_free(Chunks::iterator chunk);

    const ArenaExtend extend_;
    const Backing backing_;
    mutable std::atomic_flag busy_;
    Chunks chunks_;  // of all regions, by address
    // By size, then by age of the region. Preferring old regions keeps new ones whole for large
    // blocks, and makes the layout independent of the addresses that the system gives.
    using FreeChunk = std::tuple<std::size_t, std::size_t, std::byte*>;
    static FreeChunk key_of(const Chunks::value_type& chunk) {
        return {chunk.second.bytes, chunk.second.region, chunk.first};
    }
    std::set<FreeChunk> free_;
    std::size_t regions_ = 0;  // ever taken
    std::size_t reserved_ = 0, in_use_ = 0, next_region_ = first_region;
};

}  // namespace lapidary
