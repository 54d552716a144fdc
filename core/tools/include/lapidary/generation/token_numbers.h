// SPDX-License-Identifier: Apache-2.0
// The tokens of files of text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/tokenizer/tokenizer.h>

namespace lapidary {

/// Bytes that a file of text has at most.
constexpr std::uint64_t most_text_file_bytes = 1u << 30;

/// Numbers of tokens with spaces between them. `number`: of the line, for the message. Throws
/// invalid_input.
std::vector<std::int64_t> token_numbers_of(const std::string& line, std::size_t number);

/// All numbers of a file, its lines one behind the other. Throws invalid_input naming file and
/// line, and what load_lines() throws.
std::vector<std::int64_t> load_token_numbers(const std::filesystem::path& file);

/// What a tokenizer makes of a file of text, without special tokens around. Throws what load_text()
/// and Tokenizer::encode() throw, naming the file.
std::vector<std::int64_t> load_text_tokens(const std::filesystem::path& file,
                                           const Tokenizer& tokenizer);

}  // namespace lapidary
