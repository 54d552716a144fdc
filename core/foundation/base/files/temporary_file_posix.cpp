// SPDX-License-Identifier: Apache-2.0
#include "base/files/temporary_file.h"

#include <cerrno>
#include <string>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lapidary {
namespace {

/// Whether `name` in `folder` still is the file behind `descriptor`.
bool is_named(int descriptor, int folder, const char* name) {
    struct stat open_file, named;
    return ::fstat(descriptor, &open_file) == 0 &&
           ::fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

bool is_locked_and_named(int descriptor, const std::filesystem::path& name) {
    return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
           is_named(descriptor, AT_FDCWD, name.c_str());
}

template <typename Before>
void remove_if_stale(int folder, const char* name, const Before& before) {
    const int descriptor = ::openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return;
    struct stat info;
    if (::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) &&
        ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_named(descriptor, folder, name)) {
        before(name);
        ::unlinkat(folder, name, 0);
    }
    ::close(descriptor);
}

}  // namespace

int open_unnamed(const std::filesystem::path& folder) {
#ifdef O_TMPFILE
    // needed to give the file a name later
    static const bool can_link = ::access("/proc/self/fd", X_OK) == 0;
    if (!can_link) return -1;
    const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (descriptor >= 0) ::flock(descriptor, LOCK_EX | LOCK_NB);
    return descriptor;
#else
    return -1;
#endif
}

int link_unnamed(int descriptor, const std::filesystem::path& name) {
    const std::string from = "/proc/self/fd/" + std::to_string(descriptor);
    return ::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0
                                                                                            : errno;
}

int create_locked(const std::filesystem::path& name) {
    for (int attempt = 0;; ++attempt) {
        const int descriptor =
            ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (descriptor < 0) return -1;
        // Between these two calls another process may think that the file is stale; it then holds
        // the lock or has removed the file. On a file system without locks no process gets one, so
        // none removes anything there.
        const bool has_locks = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno == EWOULDBLOCK;
        if (!has_locks || is_locked_and_named(descriptor, name) || attempt == 100)
            return descriptor;
        ::close(descriptor);
    }
}

void remove_locked(int descriptor, const std::filesystem::path& name) {
    ::unlink(name.c_str());
    ::close(descriptor);
}

void remove_stale_temporaries(
    const std::filesystem::path& folder, std::string_view ending,
    const std::function<void(const std::filesystem::path&)>& before) noexcept {
    DIR* entries = ::opendir(folder.c_str());
    if (entries == nullptr) return;
    while (const dirent* entry = ::readdir(entries)) {
        if (!is_temporary_name(entry->d_name, ending)) continue;
        remove_if_stale(::dirfd(entries), entry->d_name, [&](const char* name) noexcept {
            if (before) before(folder / name);
        });
    }
    ::closedir(entries);
}

}  // namespace lapidary
