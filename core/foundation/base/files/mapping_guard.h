// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lapidary {

/// Keeps a read of a mapped file alive when another program truncates the file: instead of dying of
/// SIGBUS, the process reads zeros from there on and the mapping counts as damaged. The first guard
/// installs a handler for SIGBUS, which passes on every fault that no guarded mapping has.
class MappingGuard {
public:
    /// `begin` must be aligned to a page. Beyond 1024 guards at a time the mapping stays unguarded.
    MappingGuard(void* begin, std::size_t size);
    MappingGuard(const MappingGuard&) = delete;
    MappingGuard& operator=(const MappingGuard&) = delete;
    ~MappingGuard();

    /// True once a read met a part of the file that is gone.
    bool is_damaged() const;

    /// How often a read of any guarded mapping met missing bytes, in the life of the process.
    static std::uint64_t damage_count();
    /// True when `address` lies in a guarded mapping that is damaged.
    static bool is_damaged_at(const void* address);
    /// Throws Error (io_failure) where is_damaged_at(address): what was read there are zeros, not
    /// the model's weights.
    static void require_whole(const void* address);
    /// The pages wholly inside [data, data + bytes) no longer count as this process' memory; read
    /// again, they come back from the file. Nothing happens to memory that is no guarded mapping.
    static void drop_pages(const void* data, std::size_t bytes);

private:
    int slot_ = -1;
};

}  // namespace lapidary
