// SPDX-License-Identifier: Apache-2.0
// Names of blocks of shared memory: lapidary-<process>-<number>. A slash goes before it for POSIX
// shared memory, the word "file:" for a file in the temporary folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lapidary {

inline constexpr std::string_view shared_file_mark = "file:";

/// "lapidary-1234-0"
std::string shared_memory_name(long process, unsigned number);
/// The process that such a name was made by. Empty where the name is not one of ours.
std::optional<long> process_of_shared_memory(std::string_view plain);

}  // namespace lapidary
