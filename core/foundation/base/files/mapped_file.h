// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "base/files/file_identity.h"
#include "base/files/held_files.h"
#include "base/files/mapping_guard.h"

namespace lapidary {

/// Files of fewer bytes are copied.
inline constexpr std::size_t map_from_bytes = std::size_t{4} << 20;

/// An open file of the system: a descriptor, on Windows a HANDLE.
using NativeFile = std::intptr_t;

/// The read-only contents of a regular file. Small files are read into memory, so later changes of
/// the file do not matter. Larger ones are mapped; if another program truncates the file, the
/// missing bytes read as zeros (see is_unchanged()). Holds no descriptor. Refuses FIFOs and
/// devices, so it never blocks. Throws Error{io_failure} with the reason.
class MappedFile {
public:
    /// in_passing: the file does not count as an input for InputProtection.
    enum class Reading { input, in_passing };
    static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path,
                                                  Reading reading = Reading::input);
    /// Takes an open file (and closes it in any case); `path` serves messages.
    static std::shared_ptr<const MappedFile> adopt(NativeFile opened,
                                                   const std::filesystem::path& path,
                                                   Reading reading = Reading::input);
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    std::span<const std::byte> bytes() const { return {data_, size_}; }
    const std::filesystem::path& path() const { return identity_.path; }
    const FileIdentity& identity() const { return identity_; }
    /// False where the bytes were copied, so that later changes of the file do not matter.
    bool is_mapped() const { return mapping_ != nullptr; }
    /// True while the file on disk is still the one that was opened, with the same size and time.
    bool is_unchanged() const;
    /// How many names the file had when it was opened (above 1: hard links).
    std::uint64_t link_count() const { return links_; }

private:
    MappedFile() = default;
    void read_all(NativeFile opened);
    FileIdentity identity_;
    std::vector<std::byte> copy_;  // of a small file
    void* mapping_ = nullptr;      // of a large one
    std::unique_ptr<MappingGuard> guard_;
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::uint64_t links_ = 1;
    std::unique_ptr<HeldFileEntry> entry_;  // last, so that it is destroyed before the bytes
};

}  // namespace lapidary
