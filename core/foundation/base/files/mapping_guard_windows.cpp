// SPDX-License-Identifier: Apache-2.0
// Windows does not let anyone truncate a mapped file, so there is nothing to guard against.
#include "base/files/mapping_guard.h"

#include <windows.h>

#include "base/memory/page_memory.h"

namespace lapidary {

MappingGuard::MappingGuard(void*, std::size_t) {}
MappingGuard::~MappingGuard() = default;
bool MappingGuard::is_damaged() const { return false; }
std::uint64_t MappingGuard::damage_count() { return 0; }
bool MappingGuard::is_damaged_at(const void*) { return false; }
void MappingGuard::require_files_unchanged(const void*) {}

void MappingGuard::drop_pages(const void* data, std::size_t bytes) {
    MEMORY_BASIC_INFORMATION info;
    if (bytes != 0 && ::VirtualQuery(data, &info, sizeof info) != 0 && info.Type == MEM_MAPPED)
        discard_pages(const_cast<void*>(data), bytes);
}

}  // namespace lapidary
