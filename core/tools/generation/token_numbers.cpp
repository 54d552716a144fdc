// SPDX-License-Identifier: Apache-2.0
#include <lapidary/generation/token_numbers.h>

#include <charconv>
#include <string_view>

#include <lapidary/base/error.h>
#include <lapidary/internal/text_file.h>

namespace lapidary {

std::vector<std::int64_t> token_numbers_of(const std::string& line, std::size_t number) {
    std::vector<std::int64_t> numbers;
    const char* at = line.data();
    const char* end = at + line.size();
    while (at < end) {
        if (*at == ' ' || *at == '\t') {
            ++at;
            continue;
        }
        std::int64_t value = 0;
        const auto [after, problem] = std::from_chars(at, end, value);
        if (problem != std::errc() || (after < end && *after != ' ' && *after != '\t'))
            fail_input("line " + std::to_string(number) +
                       ": expected numbers of tokens with spaces between them, found " +
                       quote(std::string_view(at, static_cast<std::size_t>(end - at)), 40));
        numbers.push_back(value);
        at = after;
    }
    return numbers;
}

std::vector<std::int64_t> load_token_numbers(const std::filesystem::path& file) {
    std::vector<std::int64_t> all;
    std::size_t number = 0;
    try {
        for (const std::string& line : load_lines(file, most_text_file_bytes)) {
            const std::vector<std::int64_t> numbers = token_numbers_of(line, ++number);
            all.insert(all.end(), numbers.begin(), numbers.end());
        }
    } catch (Error& error) {
        if (error.code() == ErrorCode::io_failure) throw;  // which names the file
        throw error.at(quote(file.string(), 4096));
    }
    return all;
}

std::vector<std::int64_t> load_text_tokens(const std::filesystem::path& file,
                                           const Tokenizer& tokenizer) {
    try {
        return tokenizer
            .encode(load_text(file, most_text_file_bytes),
                    {.special_tokens = false, .padded = false})
            .ids;
    } catch (Error& error) {
        if (error.code() == ErrorCode::io_failure) throw;  // which names the file
        throw error.at(quote(file.string(), 4096));
    }
}

}  // namespace lapidary
