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

private:
    std::filesystem::path path_, temporary_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

}  // namespace lapidary
