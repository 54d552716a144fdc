// SPDX-License-Identifier: Apache-2.0
#include "base/files/folder_handle.h"

#include <cerrno>
#include <cstring>
#include <iterator>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

namespace lapidary {
namespace {

constexpr int open_flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

OpenFailure failure_of(int error) {
    return {error == ELOOP   ? OpenFailure::Kind::symbolic_link
            : error == EXDEV ? OpenFailure::Kind::outside
                             : OpenFailure::Kind::system,
            std::strerror(error)};
}

/// Opens folder by folder without following links. Returns the descriptor, or -1 with errno.
int open_part_by_part(int folder, const std::string& location) {
    struct Descriptors {
        std::vector<int> all;  // descriptors of the folder and of those entered
        ~Descriptors() {
            const int error = errno;
            for (int descriptor : all) ::close(descriptor);
            errno = error;
        }
    } open;
    open.all.push_back(::dup(folder));
    if (open.all.back() < 0) {
        open.all.clear();
        return -1;
    }
    const std::filesystem::path path(location);
    for (auto part = path.begin(); part != path.end(); ++part) {
        if (*part == "." || part->empty()) continue;
        // back to the folder that it was entered from, even if that was renamed meanwhile
        if (*part == "..") {
            if (open.all.size() == 1) {
                errno = EXDEV;
                return -1;
            }
            ::close(open.all.back());
            open.all.pop_back();
            continue;
        }
        const int at = open.all.back();
        const bool last = std::next(part) == path.end();
        const int flags =
            last ? open_flags | O_NOFOLLOW : O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
        const int inner = ::openat(at, part->c_str(), flags);
        if (inner < 0) {
            const int error = errno;
            struct stat info;
            const bool is_link = ::fstatat(at, part->c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
                                 S_ISLNK(info.st_mode);
            errno = is_link ? ELOOP : error;
            return -1;
        }
        open.all.push_back(inner);
    }
    const int found = open.all.back();
    open.all.pop_back();
    return found;
}

/// Returns the descriptor, or -1 with errno: ELOOP for a symbolic link, EXDEV for a path that
/// leaves the folder.
int open_beneath(int folder, const std::string& location) {
#ifdef __linux__
    open_how how{};
    how.flags = open_flags;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
    long descriptor;
    do descriptor = ::syscall(SYS_openat2, folder, location.c_str(), &how, sizeof how);
    while (descriptor < 0 && (errno == EINTR || errno == EAGAIN));
    if (descriptor >= 0) return static_cast<int>(descriptor);
    // Otherwise the call is not supported: a kernel before 5.6, an emulator or a sandbox.
    if (errno != ENOSYS && errno != EPERM) return -1;
#endif
    return open_part_by_part(folder, location);
}

}  // namespace

FolderHandle::~FolderHandle() {
    if (is_open()) ::close(static_cast<int>(folder_));
}

bool FolderHandle::open(const std::filesystem::path& path, OpenFailure& failure) {
    path_ = path;
    folder_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (!is_open()) failure = failure_of(errno);
    return is_open();
}

const char* FolderHandle::kind_of_no_file(const std::string& location) const {
    struct stat info;
    if (::fstatat(static_cast<int>(folder_), location.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
        return nullptr;
    if (S_ISREG(info.st_mode) || S_ISLNK(info.st_mode)) return nullptr;
    if (S_ISDIR(info.st_mode)) return "a folder";
    return S_ISFIFO(info.st_mode) ? "a FIFO (named pipe)" : "a device or socket";
}

std::shared_ptr<const MappedFile> FolderHandle::map(const std::string& location,
                                                    OpenFailure& failure) const {
    const int descriptor = open_beneath(static_cast<int>(folder_), location);
    if (descriptor >= 0) return MappedFile::adopt(descriptor, path_ / location);
    failure = failure_of(errno);
    return nullptr;
}

}  // namespace lapidary
