// SPDX-License-Identifier: Apache-2.0
#include "cli/pages/shell_text.h"

#include <algorithm>

namespace lapidary::cli {

std::string single_quoted(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty()) text += separator;
        text += word;
    }
    return text;
}

std::string first_line(const std::string& help) {
    const std::string line = help.substr(0, help.find('\n'));
    return line.size() < help.size() && line.ends_with(':') ? line.substr(0, line.size() - 1)
                                                            : line;
}

std::size_t WordLists::number_of(const std::vector<std::string>& words) {
    const auto at = std::ranges::find(lists_, words);
    if (at != lists_.end()) return static_cast<std::size_t>(at - lists_.begin());
    lists_.push_back(words);
    return lists_.size() - 1;
}

std::string name_of_list(std::size_t number) {
    return "_lapidary_cli_words_" + std::to_string(number);
}

}  // namespace lapidary::cli
