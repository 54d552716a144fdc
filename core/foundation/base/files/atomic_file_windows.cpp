// SPDX-License-Identifier: Apache-2.0
#include "base/files/atomic_file.h"

#include <io.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/internal/file_bounds.h>

#include "base/files/file_identity.h"
#include "base/files/input_protection.h"
#include "base/files/temporary_file.h"

namespace lapidary {
namespace {

constexpr std::size_t largest_write = std::size_t{64} << 20;

[[noreturn]] void fail_io(const std::filesystem::path& path, const std::string& what) {
    fail(ErrorCode::io_failure, quote(path.string(), 4096) + " " + what);
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
    const std::filesystem::path folder = path.parent_path();
    return folder.empty() ? std::filesystem::path(".") : folder;
}

std::string write_failure(int error, std::uint64_t written, std::size_t bytes,
                          const std::filesystem::path& folder) {
    std::string text =
        "cannot be written at byte " + std::to_string(written) + ": " + std::strerror(error);
    std::error_code failed;
    const auto space = std::filesystem::space(folder, failed);
    if (error == ENOSPC && !failed)
        text += " (at least " + std::to_string(bytes) + " more bytes needed, " +
                std::to_string(space.available) + " free)";
    return text;
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path, Replace replace) : path_(std::move(path)) {
    namespace fs = std::filesystem;
    if (path_.filename().empty() || path_.filename() == "." || path_.filename() == "..")
        fail_io(path_, "names no file");
    std::error_code failed;
    // A symbolic link is written through: the file it names is replaced, the link stays.
    for (int hops = 0; fs::is_symlink(path_, failed); ++hops) {
        if (hops == 16) fail_io(path_, "cannot be written: too many levels of symbolic links");
        const fs::path target = fs::read_symlink(path_, failed);
        if (failed) fail_io(path_, "cannot be written: " + failed.message());
        path_ = target.is_absolute() ? target : folder_of(path_) / target;
    }
    require_writable(path_);
    if (const fs::file_status status = fs::status(path_, failed); fs::exists(status)) {
        if (fs::is_directory(status)) fail_io(path_, "is a folder, expected a file");
        if (!fs::is_regular_file(status))
            fail_io(path_, "is a device, FIFO or socket, expected a regular file");
        if ((status.permissions() & fs::perms::owner_write) == fs::perms::none)
            fail_io(path_, std::string("cannot be replaced: ") + std::strerror(EACCES));
        const auto file = FileIdentity::at(path_);
        const auto input = file ? input_file_at(file->device, file->inode) : std::nullopt;
        if (input && replace == Replace::no_input)
            fail_io(path_, "is the file " + quote(input->string(), 4096) +
                               " that was read as an input: writing it would destroy that, choose "
                               "another file");
    }
    open();
}

void AtomicFile::open() {
    remove_stale_temporaries(folder_of(path_));
    for (int attempt = 0; descriptor_ < 0; ++attempt) {
        temporary_ = temporary_name_for(path_);
        descriptor_ = create_locked(temporary_);
        if (descriptor_ >= 0) break;
        const int error = errno;
        temporary_.clear();
        if (error == EEXIST && attempt < 100) continue;
        fail_io(path_, std::string("cannot be created: ") + std::strerror(error));
    }
}

void AtomicFile::give_name() {}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::_close(descriptor_);
    std::error_code ignored;
    if (!temporary_.empty()) std::filesystem::remove(temporary_, ignored);
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    if (descriptor_ < 0) fail(ErrorCode::internal, "AtomicFile written after commit");
    while (!bytes.empty()) {
        const auto step = static_cast<unsigned>(std::min(bytes.size(), largest_write));
        const int written = ::_write(descriptor_, bytes.data(), step);
        if (written <= 0)
            fail_io(path_, write_failure(written < 0 ? errno : ENOSPC, size_, bytes.size(),
                                         folder_of(path_)));
        size_ += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void AtomicFile::write(std::string_view text) {
    write(std::as_bytes(std::span(text.data(), text.size())));
}

void AtomicFile::commit() {
    if (descriptor_ < 0) fail(ErrorCode::internal, "AtomicFile committed twice");
    if (::_commit(descriptor_) != 0)
        fail_io(path_, std::string("could not be brought to the disk: ") + std::strerror(errno));
    ::_close(std::exchange(descriptor_, -1));
    if (!::MoveFileExW(temporary_.c_str(), path_.c_str(),
                       MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) {
        const std::error_code error(static_cast<int>(::GetLastError()), std::system_category());
        fail_io(path_, "cannot be replaced: " + error.message());
    }
    temporary_.clear();
    is_in_place_ = true;
}

}  // namespace lapidary
