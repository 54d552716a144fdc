// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/windows_command_line.h>

namespace lapidary {

std::string windows_command_line(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty()) text += ' ';
        if (!word.empty() && word.find_first_of(" \t\n\v\"") == std::string::npos) {
            text += word;
            continue;
        }
        text += '"';
        std::size_t backslashes = 0;
        for (const char c : word) {
            if (c == '"') text.append(backslashes + 1, '\\');
            text += c;
            backslashes = c == '\\' ? backslashes + 1 : 0;
        }
        text.append(backslashes, '\\');
        text += '"';
    }
    return text;
}

}  // namespace lapidary
