// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace lapidary {

/// Identifies the file that was at `path` when it was opened, and its state then.
struct FileIdentity {
    std::filesystem::path path;
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t modified_ns = 0;
    friend bool operator==(const FileIdentity&, const FileIdentity&) = default;

    /// The file that is at `path` now; empty where there is none.
    static std::optional<FileIdentity> at(const std::filesystem::path& path);
    /// True while the same file is there and was not written since.
    bool is_unchanged() const;
};

}  // namespace lapidary
