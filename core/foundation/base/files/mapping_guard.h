// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lapidary {

/// Protects reads of a mapped file against another program that truncates the file. Instead of
/// ending by SIGBUS, the process reads zeros for the missing bytes, and the mapping counts as
/// damaged. The first guard installs a handler for SIGBUS, which passes on faults outside of
/// guarded mappings.
class MappingGuard {
public:
    /// `begin` must be aligned to a page. Beyond 1024 guards at a time the mapping stays unguarded.
    MappingGuard(void* begin, std::size_t size);
    MappingGuard(const MappingGuard&) = delete;
    MappingGuard& operator=(const MappingGuard&) = delete;
    ~MappingGuard();

    /// True once a read hit a missing part of the file.
    bool is_damaged() const;

    /// How often a read of any guarded mapping hit missing bytes since the process began.
    static std::uint64_t damage_count();
    /// True when `address` lies in a guarded mapping that is damaged.
    static bool is_damaged_at(const void* address);
    /// Throws Error (io_failure) where is_damaged_at(address): what was read there are zeros, not
    /// the model's weights.
    static void require_files_unchanged(const void* address);
    /// Drops the pages that lie wholly in [data, data + bytes) from this process' memory; the next
    /// read loads them from the file again. Does nothing outside of guarded mappings.
    static void drop_pages(const void* data, std::size_t bytes);

private:
    int slot_ = -1;
};

}  // namespace lapidary
