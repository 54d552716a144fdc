// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/shared_memory.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>

#include "base/memory/shared_memory_name.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// blocks live for milliseconds: older ones of unknown processes are stale
constexpr std::chrono::seconds settled{60};

fs::path temporary_folder() {
    std::error_code none;
    const fs::path folder = fs::temp_directory_path(none);
    return none ? fs::path("/tmp") : folder;
}

fs::path temporary_file_of(const std::string& name) {
    return temporary_folder() / name.substr(shared_file_mark.size());
}

/// Opens a block by the name that was handed on; sets errno as the system does.
int open_named(const std::string& name, int flags) {
    if (name.starts_with(shared_file_mark))
        return ::open(temporary_file_of(name).c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600);
    return ::shm_open(name.c_str(), flags, 0600);
}

void unlink_named(const std::string& name) {
    if (name.starts_with(shared_file_mark)) ::unlink(temporary_file_of(name).c_str());
    else ::shm_unlink(name.c_str());
}

/// Reserves the space now: running out of it later would raise a signal in the middle of writing.
int reserve(int descriptor, std::size_t bytes) {
#if defined(__linux__)
    int status = 0;
    do status = ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
    while (status == EINTR);
    return status;
#else
    return ::ftruncate(descriptor, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
#endif
}

/// Calls `take` for every existing block of this program, with its process.
void each_left(const std::function<void(const fs::path&, long, const std::string&)>& take) {
    const auto look = [&](const fs::path& folder, const std::string& before) {
        std::error_code ended;
        for (fs::directory_iterator at(folder, ended), end; !ended && at != end;
             at.increment(ended))
            if (const auto plain = at->path().filename().string();
                const auto process = process_of_shared_memory(plain))
                take(at->path(), *process, before + plain);
    };
#if defined(__linux__)
    look("/dev/shm", "/");
#endif
    look(temporary_folder(), std::string(shared_file_mark));
}

}  // namespace

SharedMemory SharedMemory::create(std::size_t bytes) {
    static std::atomic<unsigned> counter{0};
    if (bytes == 0) fail(ErrorCode::internal, "a block of shared memory without bytes");
    const std::string plain = shared_memory_name(::getpid(), counter++);
    int reason = 0;
    for (const std::string& name : {'/' + plain, std::string(shared_file_mark) + plain}) {
        int descriptor = open_named(name, O_RDWR | O_CREAT | O_EXCL);
        if (descriptor < 0 && errno == EEXIST) {  // left by an earlier process with our process id
            unlink_named(name);
            descriptor = open_named(name, O_RDWR | O_CREAT | O_EXCL);
        }
        if (descriptor < 0) {
            reason = errno;
            continue;
        }
        SharedMemory block;
        block.name_ = name;
        block.size_ = bytes;
        block.owns_name_ = true;
        reason = reserve(descriptor, bytes);
        if (reason == 0) block.map(descriptor, false);
        ::close(descriptor);
        if (reason == 0 && block.data_ == nullptr) reason = ENOMEM;
        if (reason == 0) return block;
    }
    fail(reason == ENOSPC || reason == ENOMEM || reason == EDQUOT || reason == EFBIG
             ? ErrorCode::limit_exceeded
             : ErrorCode::io_failure,
         "no shared memory of " + std::to_string(bytes) +
             " bytes for the result: " + std::strerror(reason));
}

SharedMemory SharedMemory::take(const std::string& name, std::size_t bytes) {
    std::string_view plain = name;
    if (plain.starts_with(shared_file_mark)) plain.remove_prefix(shared_file_mark.size());
    else if (plain.starts_with('/')) plain.remove_prefix(1);
    else plain = {};
    if (!process_of_shared_memory(plain) || bytes == 0)
        fail(ErrorCode::invalid_input, quote(name) + " with " + std::to_string(bytes) +
                                           " bytes is no block of shared memory");
    const int descriptor = open_named(name, O_RDWR);
    if (descriptor < 0)
        fail(ErrorCode::io_failure,
             "the shared memory " + quote(name) + " cannot be opened: " + std::strerror(errno));
    unlink_named(name);
    struct stat info {};
    const bool known = ::fstat(descriptor, &info) == 0;
    SharedMemory block;
    block.name_ = name;
    block.size_ = bytes;
    const bool fits =
        known && info.st_size >= 0 && static_cast<std::uintmax_t>(info.st_size) == bytes;
    if (fits) block.map(descriptor, true);
    ::close(descriptor);
    if (!fits)
        fail(ErrorCode::invalid_input, "the shared memory " + quote(name) + " has " +
                                           std::to_string(info.st_size) + " bytes, expected " +
                                           std::to_string(bytes));
    if (block.data_ == nullptr)
        fail(ErrorCode::limit_exceeded,
             "no memory for the " + std::to_string(bytes) + " bytes of a result");
    return block;
}

void SharedMemory::map(int descriptor, bool is_private) {
    void* data = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                        is_private ? MAP_PRIVATE | MAP_NORESERVE : MAP_SHARED, descriptor, 0);
    if (data != MAP_FAILED) data_ = static_cast<std::byte*>(data);
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept { *this = std::move(other); }

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(name_, other.name_);
    std::swap(owns_name_, other.owns_name_);
    return *this;
}

SharedMemory::~SharedMemory() {
    if (data_ != nullptr) ::munmap(data_, size_);
    if (owns_name_) unlink_named(name_);
}

bool SharedMemory::remove_left_by(long process) {
    bool found = false;
    each_left([&](const fs::path&, long of, const std::string& name) {
        if (of != process) return;
        unlink_named(name);
        found = true;
    });
    return found;
}

void SharedMemory::remove_abandoned() {
    each_left([&](const fs::path& path, long of, const std::string& name) {
        if (::kill(static_cast<pid_t>(of), 0) == 0 || errno != ESRCH) return;
        std::error_code gone;
        const auto written = fs::last_write_time(path, gone);
        if (!gone && fs::file_time_type::clock::now() - written > settled) unlink_named(name);
    });
}

}  // namespace lapidary
