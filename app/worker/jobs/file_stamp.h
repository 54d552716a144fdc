// SPDX-License-Identifier: Apache-2.0
// Says whether a file still is the one that was read.
#pragma once

#include <cstdint>
#include <filesystem>

namespace lapidary::app {

/// What the system says of a file. Two looks that find the same saw the same contents, if the first
/// came some time after the last change (was_settled): clocks of file systems tick in milliseconds.
struct FileStamp {
    std::filesystem::path path;
    std::uint64_t device = 0, inode = 0, bytes = 0;
    std::int64_t modified_ns = 0;  // of the contents, as programs may set it
    std::int64_t changed_ns = 0;   // of anything about the file, set by the system alone
    friend bool operator==(const FileStamp&, const FileStamp&) = default;

    /// Nothing about the file changed shortly before or after that moment, on the clock of
    /// now_ns().
    bool was_settled(std::int64_t moment_ns) const;
    /// Throws io_failure with the system's reason.
    static FileStamp of(const std::filesystem::path& path);
    static std::int64_t now_ns();
};

}  // namespace lapidary::app
