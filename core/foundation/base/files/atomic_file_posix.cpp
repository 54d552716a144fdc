// SPDX-License-Identifier: Apache-2.0
#include "base/files/atomic_file.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/file_bounds.h>

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

/// The message for a failed write of `bytes`: the system's reason, and for a full disk the numbers.
std::string write_failure(int error, std::uint64_t written, std::size_t bytes,
                          const std::filesystem::path& folder) {
    std::string text = "cannot be written at byte " + std::to_string(written) + ": ";
    if (error == EFAULT)
        return text + "the mapped file that holds what belongs there was truncated; load it again";
    text += std::strerror(error);
    struct statvfs info;
    if ((error == ENOSPC || error == EDQUOT) && ::statvfs(folder.c_str(), &info) == 0)
        text += " (at least " + std::to_string(bytes) + " more bytes needed, " +
                std::to_string(static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize) +
                " free)";
    return text;
}

/// The permissions the finished file gets: those of the file it replaces, else what the umask
/// leaves.
mode_t mode_for(const std::filesystem::path& path) {
    struct stat info;
    if (::stat(path.c_str(), &info) == 0) return info.st_mode & 0777;
    const mode_t mask = ::umask(022);
    ::umask(mask);
    return 0666 & ~mask;
}

/// Lets a write beyond RLIMIT_FSIZE fail with EFBIG instead of ending the process by SIGXFSZ.
void ignore_file_size_signal() {
    static const bool once = [] {
        struct sigaction now {};
        if (::sigaction(SIGXFSZ, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
            ::signal(SIGXFSZ, SIG_IGN);
        return true;
    }();
    static_cast<void>(once);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path, Replace replace) : path_(std::move(path)) {
    ignore_file_size_signal();
    if (path_.filename().empty() || path_.filename() == "." || path_.filename() == "..")
        fail_io(path_, "names no file");
    std::error_code link_error;
    // A symbolic link is written through: the file it names is replaced, the link stays.
    for (int hops = 0; std::filesystem::is_symlink(path_, link_error); ++hops) {
        if (hops == 16) fail_io(path_, "cannot be written: too many levels of symbolic links");
        const std::filesystem::path target = std::filesystem::read_symlink(path_, link_error);
        if (link_error) fail_io(path_, "cannot be written: " + link_error.message());
        path_ = target.is_absolute() ? target : folder_of(path_) / target;
    }
    require_writable(path_);
    struct stat info;
    if (::stat(path_.c_str(), &info) == 0) {
        if (S_ISDIR(info.st_mode)) fail_io(path_, "is a folder, expected a file");
        if (!S_ISREG(info.st_mode))
            fail_io(path_, "is a device, FIFO or socket, expected a regular file");
        if (::access(path_.c_str(), W_OK) != 0)
            fail_io(path_, std::string("cannot be replaced: ") + std::strerror(errno));
        if (const auto input = input_file_at(info.st_dev, info.st_ino);
            input && replace == Replace::no_input)
            fail_io(path_, "is the file " + quote(input->string(), 4096) +
                               " that was read as an input: writing it would destroy that, choose "
                               "another file");
    }
    open();
}

void AtomicFile::open() {
    remove_stale_temporaries(folder_of(path_));
    descriptor_ = open_unnamed(folder_of(path_));
    for (int attempt = 0; descriptor_ < 0; ++attempt) {
        temporary_ = temporary_name_for(path_);
        descriptor_ = create_locked(temporary_);
        if (descriptor_ >= 0) break;
        const int error = errno;
        temporary_.clear();
        if (error == EINTR || (error == EEXIST && attempt < 100)) continue;
        fail_io(path_, std::string("cannot be created: ") + std::strerror(error));
    }
}

void AtomicFile::give_name() {
    for (int attempt = 0; temporary_.empty(); ++attempt) {
        const std::filesystem::path name = temporary_name_for(path_);
        const int error = link_unnamed(descriptor_, name);
        if (error == 0) temporary_ = name;
        else if (error != EINTR && (error != EEXIST || attempt == 100))
            fail_io(path_, std::string("cannot be created: ") + std::strerror(error));
    }
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    if (descriptor_ < 0) fail(ErrorCode::internal, "AtomicFile written after commit");
    while (!bytes.empty()) {
        const ssize_t written =
            ::write(descriptor_, bytes.data(), std::min(bytes.size(), largest_write));
        if (written < 0 && errno == EINTR) continue;
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
    // A file that cannot take the permissions (some network and FAT volumes) is still a good file.
    [[maybe_unused]] const int ignored = ::fchmod(descriptor_, mode_for(path_));
    while (::fsync(descriptor_) != 0) {
        // After a failed fsync the pages count as clean, so another try would wrongly report
        // success.
        if (errno != EINTR)
            fail_io(path_,
                    std::string("could not be brought to the disk: ") + std::strerror(errno));
    }
    give_name();
    // Renamed before it is closed: the lock keeps others from taking it for a stale one. fsync()
    // has reported any error that close() could.
    if (::rename(temporary_.c_str(), path_.c_str()) != 0)
        fail_io(path_, std::string("cannot be replaced: ") + std::strerror(errno));
    ::close(std::exchange(descriptor_, -1));
    temporary_.clear();
    is_in_place_ = true;
    const int folder = ::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        // a folder that may be written but not read: the rename stands
        if (errno == EACCES) return;
        fail_io(path_, std::string("is written, but its folder cannot be synced: ") +
                           std::strerror(errno));
    }
    int synced;
    do synced = ::fsync(folder);
    while (synced != 0 && errno == EINTR);
    const int error = errno;
    ::close(folder);
    // some file systems cannot sync folders
    if (synced != 0 && error != EINVAL && error != ENOTSUP)
        fail_io(path_, std::string("is written, but its folder could not be synced: ") +
                           std::strerror(error));
}

}  // namespace lapidary
