// SPDX-License-Identifier: Apache-2.0
// Records where the contents of opened files are in memory, so that an address can be traced to its
// file.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "base/files/file_identity.h"

namespace lapidary {

struct HeldFile {
    std::span<const std::byte> bytes;
    bool is_mapped = false;      // false: a copy, which is memory of the process
    FileIdentity identity = {};  // of the file when it was opened
};

/// Registers a file from construction to destruction. Callable from any thread.
class HeldFileEntry {
public:
    explicit HeldFileEntry(const HeldFile& file);
    HeldFileEntry(const HeldFileEntry&) = delete;
    HeldFileEntry& operator=(const HeldFileEntry&) = delete;
    ~HeldFileEntry();

private:
    const std::byte* begin_;
};

/// The file whose contents the address lies in; empty: none. It stays valid only as long as its
/// owner.
std::optional<HeldFile> held_file_at(const void* address);

}  // namespace lapidary
