// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace lapidary {

/// A file that appears at `path` whole or not at all: written to a temporary in the same folder, synced,
/// renamed, folder synced. Without commit() the destructor removes the temporary. Refuses folders and
/// devices. Throws Error{io_failure} with the operating system's reason.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path path);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile();

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    std::uint64_t size() const { return size_; }
    void commit();
    /// True once the new contents stand at `path` (commit() can still fail after that, syncing the folder).
    bool is_in_place() const { return is_in_place_; }

private:
    std::filesystem::path path_, temporary_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
    bool is_in_place_ = false;
};

}  // namespace lapidary
