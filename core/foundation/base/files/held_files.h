// SPDX-License-Identifier: Apache-2.0
// Where the contents of opened files lie in memory, so that an address says whether it is one of
// theirs.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace lapidary {

struct HeldFile {
    std::span<const std::byte> bytes;
    bool is_mapped = false;  // false: a copy, which is memory of the process
};

/// Known from its construction on, until it goes. From any thread.
class HeldFileEntry {
public:
    explicit HeldFileEntry(const HeldFile& file);
    HeldFileEntry(const HeldFileEntry&) = delete;
    HeldFileEntry& operator=(const HeldFileEntry&) = delete;
    ~HeldFileEntry();

private:
    const std::byte* begin_;
};

/// The file that the address lies in; nothing: none. It may be gone when its owner is.
std::optional<HeldFile> held_file_at(const void* address);

}  // namespace lapidary
