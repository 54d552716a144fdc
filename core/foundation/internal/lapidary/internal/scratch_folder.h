// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace lapidary {

/// A new folder among the system's temporary files, removed with all that is in it at the end of
/// its life.
class ScratchFolder {
public:
    /// Throws io_failure where the folder cannot be made.
    ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder();
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace lapidary
