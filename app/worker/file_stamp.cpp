// SPDX-License-Identifier: Apache-2.0
#include "worker/file_stamp.h"

#include <sys/stat.h>
#include <time.h>

#include <cerrno>
#include <cstring>

#include <lapidary/error.h>

namespace lapidary::app {
namespace {

constexpr std::int64_t tick_ns = 20'000'000;  // of the coarsest clock of a file system in use

std::int64_t in_ns(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

}  // namespace

bool FileStamp::was_settled(std::int64_t moment_ns) const { return changed_ns < moment_ns - tick_ns; }

FileStamp FileStamp::of(const std::filesystem::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0)
        throw Error(ErrorCode::io_failure, std::string("the file cannot be read: ") + std::strerror(errno))
            .at(path.string());
    return {path,
            info.st_dev,
            info.st_ino,
            static_cast<std::uint64_t>(info.st_size),
            in_ns(info.st_mtim),
            in_ns(info.st_ctim)};
}

std::int64_t FileStamp::now_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return in_ns(now);
}

}  // namespace lapidary::app
