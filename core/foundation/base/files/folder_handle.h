// SPDX-License-Identifier: Apache-2.0
// A folder whose files are opened safely: never outside of it and never through a symbolic link.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/files/mapped_file.h"

namespace lapidary {

/// Why a file or folder could not be opened.
struct OpenFailure {
    enum class Kind { symbolic_link, outside, system };
    Kind kind = Kind::system;
    std::string reason;  // the system's words
};

class FolderHandle {
public:
    FolderHandle() = default;
    FolderHandle(const FolderHandle&) = delete;
    FolderHandle& operator=(const FolderHandle&) = delete;
    ~FolderHandle();

    bool is_open() const { return folder_ != closed; }
    /// False with the reason where it cannot be opened.
    bool open(const std::filesystem::path& path, OpenFailure& failure);
    /// Names what is at a relative path ("weights/a.bin") if it is not a file: "a folder", "a FIFO
    /// (named pipe)". Null for a regular file, a symbolic link, and where there is nothing. Does
    /// not open anything, because opening a device may have side effects.
    const char* kind_of_no_file(const std::string& location) const;
    /// The file at a relative path; null with the reason where it cannot be opened. Throws what
    /// MappedFile::adopt() does.
    std::shared_ptr<const MappedFile> map(const std::string& location, OpenFailure& failure) const;

private:
    static constexpr NativeFile closed = -1;
    std::filesystem::path path_;
    NativeFile folder_ = closed;
};

}  // namespace lapidary
