// SPDX-License-Identifier: Apache-2.0
#include "worker/models/file_stamp.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include <lapidary/base/error.h>

namespace lapidary::app {
namespace {

std::int64_t in_ns(const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

FileStamp FileStamp::of(const std::filesystem::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0)
        throw Error(ErrorCode::io_failure,
                    std::string("the file cannot be read: ") + std::strerror(errno))
            .at(path.string());
    return {path,
            info.st_dev,
            info.st_ino,
            static_cast<std::uint64_t>(info.st_size),
            in_ns(info.st_mtim),
            in_ns(info.st_ctim)};
}

}  // namespace lapidary::app
