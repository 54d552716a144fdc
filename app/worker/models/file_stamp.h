// SPDX-License-Identifier: Apache-2.0
// Detects whether a file has changed since it was read.
#pragma once

#include <cstdint>
#include <filesystem>

namespace lapidary::app {

/// The system's record of a file. Two equal stamps mean equal contents if the first one was made
/// some time after the last change (was_settled()), because the clocks of file systems tick in
/// milliseconds.
struct FileStamp {
    std::filesystem::path path;
    std::uint64_t device = 0, inode = 0, bytes = 0;
    std::int64_t modified_ns = 0;  // of the contents; programs may set it
    std::int64_t changed_ns = 0;   // of anything about the file; only the system sets it
    friend bool operator==(const FileStamp&, const FileStamp&) = default;

    /// True if nothing about the file changed shortly before or after that moment, which is on the
    /// clock of now_ns().
    bool was_settled(std::int64_t moment_ns) const;
    /// Throws io_failure with the system's reason.
    static FileStamp of(const std::filesystem::path& path);
    static std::int64_t now_ns();
};

}  // namespace lapidary::app
