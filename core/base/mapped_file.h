// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace lapidary {

/// A regular file mapped read-only. Never blocks on FIFOs and devices: they are refused. Throws
/// Error{io_failure} with the reason.
class MappedFile {
public:
    static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);
    /// Maps an open descriptor (and closes it in any case); `path` serves messages.
    static std::shared_ptr<const MappedFile> adopt(int descriptor, const std::filesystem::path& path);
    ~MappedFile();

    std::span<const std::byte> bytes() const { return {data_, size_}; }
    const std::filesystem::path& path() const { return path_; }
    /// True while the file on disk still has the size and time it was mapped with.
    bool is_unchanged() const;

private:
    MappedFile() = default;
    std::filesystem::path path_;
    int descriptor_ = -1;
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::int64_t modified_ns_ = 0;
};

}  // namespace lapidary
