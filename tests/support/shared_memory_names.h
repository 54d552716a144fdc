// SPDX-License-Identifier: Apache-2.0
// Counts shared memory of a process, to find blocks that it left behind.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace lapidary::test {

/// The number of named blocks of a process. On Windows 0, because a block ends with its last
/// handle.
inline std::size_t shared_memory_names(long process) {
    std::size_t count = 0;
#ifndef _WIN32
    for (const auto& entry : std::filesystem::directory_iterator("/dev/shm"))
        count += entry.path().filename().string().starts_with("lapidary-" +
                                                              std::to_string(process) + "-");
#else
    (void)process;
#endif
    return count;
}

}  // namespace lapidary::test
