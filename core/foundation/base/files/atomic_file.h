// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace lapidary {

/// A file that appears at `path` whole or not at all. It is written without a name where the file
/// system supports that, so that a killed process leaves nothing; else to a temporary in the same
/// folder. Then it is synced and renamed, and the folder is synced. Without commit() the destructor
/// removes what was written. Also removes temporaries in the folder whose writers have ended.
/// Refuses folders, devices and, while an InputProtection exists, files that were read. Throws
/// Error{io_failure} with the operating system's reason.
class AtomicFile {
public:
    enum class Replace { no_input, any };

    explicit AtomicFile(std::filesystem::path path, Replace replace = Replace::no_input);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile();

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    std::uint64_t size() const { return size_; }
    void commit();
    /// True once the new contents stand at `path` (commit() can still fail after that, syncing the
    /// folder).
    bool is_in_place() const { return is_in_place_; }
    /// The file that is written: `path`, or the target of a symbolic link.
    const std::filesystem::path& target() const { return path_; }

private:
    void open();
    void give_name();
    std::filesystem::path path_, temporary_;  // `temporary_` is empty while the file has no name
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
    bool is_in_place_ = false;
};

}  // namespace lapidary
