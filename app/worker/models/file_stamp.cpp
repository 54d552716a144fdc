// SPDX-License-Identifier: Apache-2.0
#include "worker/models/file_stamp.h"

#include <chrono>

namespace lapidary::app {
namespace {

constexpr std::int64_t tick_ns = 20'000'000;  // of the coarsest clock of a file system in use

}  // namespace

bool FileStamp::was_settled(std::int64_t moment_ns) const {
    return changed_ns < moment_ns - tick_ns;
}

std::int64_t FileStamp::now_ns() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

}  // namespace lapidary::app
