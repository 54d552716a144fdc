// SPDX-License-Identifier: Apache-2.0
// How blocks of shared memory are called: lapidary-<process>-<number>, of shared memory with a
// slash before it, of a file in the temporary folder with the word "file:".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lapidary {

inline constexpr std::string_view shared_file_mark = "file:";

/// "lapidary-1234-0"
std::string shared_memory_name(long process, unsigned number);
/// The process that such a name reports; nothing: not one of ours.
std::optional<long> process_of_shared_memory(std::string_view plain);

}  // namespace lapidary
