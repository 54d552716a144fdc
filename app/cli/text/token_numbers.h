// SPDX-License-Identifier: Apache-2.0
// Numbers of tokens in files of text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lapidary::cli {

/// Bytes that a file of text has at most.
constexpr std::uint64_t most_text_bytes = 1u << 30;

/// Numbers with spaces between them. `number`: of the line, for the message. Throws invalid_input.
std::vector<std::int64_t> numbers_of(const std::string& line, std::size_t number);

/// All numbers of a file, its lines one behind the other. Throws invalid_input naming file and
/// line, and what load_lines() throws.
std::vector<std::int64_t> load_numbers(const std::filesystem::path& file);

}  // namespace lapidary::cli
