// SPDX-License-Identifier: Apache-2.0
#include "base/memory/shared_memory_name.h"

#include <charconv>

namespace lapidary {
namespace {

constexpr std::string_view stem = "lapidary-";

}  // namespace

std::string shared_memory_name(long process, unsigned number) {
    return std::string(stem) + std::to_string(process) + '-' + std::to_string(number);
}

std::optional<long> process_of_shared_memory(std::string_view plain) {
    if (!plain.starts_with(stem)) return std::nullopt;
    plain.remove_prefix(stem.size());
    long process = 0, number = 0;
    const char* const end = plain.data() + plain.size();
    auto read = std::from_chars(plain.data(), end, process);
    if (read.ec != std::errc() || read.ptr == end || *read.ptr != '-') return std::nullopt;
    read = std::from_chars(read.ptr + 1, end, number);
    return read.ec == std::errc() && read.ptr == end && process > 0 && number >= 0
               ? std::optional(process)
               : std::nullopt;
}

}  // namespace lapidary
