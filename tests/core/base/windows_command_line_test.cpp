// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lapidary/internal/windows_command_line.h>

namespace lapidary {
namespace {

/// As Windows' programs take a command line apart: 2n backslashes before a quote are n, 2n + 1 are
/// n and the quote.
std::vector<std::string> taken_apart(const std::string& line) {
    std::vector<std::string> words;
    std::string word;
    bool is_quoted = false, has_word = false;
    for (std::size_t i = 0; i < line.size();) {
        std::size_t slashes = 0;
        while (i < line.size() && line[i] == '\\') ++slashes, ++i;
        const bool is_quote = i < line.size() && line[i] == '"';
        word.append(is_quote ? slashes / 2 : slashes, '\\');
        has_word = has_word || slashes > 0;
        if (i == line.size()) break;
        if (is_quote && slashes % 2 == 0) is_quoted = !is_quoted, has_word = true;
        else if (line[i] == ' ' && !is_quoted) {
            if (has_word) words.push_back(std::exchange(word, {}));
            has_word = false;
        } else word += line[i], has_word = true;
        ++i;
    }
    if (has_word) words.push_back(word);
    return words;
}

TEST(WindowsCommandLine, PlainWordsStandAsTheyAre) {
    EXPECT_EQ(windows_command_line({"lapidary-cli.exe", "run", "C:\\models\\a.onnx"}),
              "lapidary-cli.exe run C:\\models\\a.onnx");
}

TEST(WindowsCommandLine, WordsComeBackAsTheyWere) {
    const std::vector<std::string> words{
        "C:\\Program Files\\x.exe", "",     "a b",       "say \"hi\"",  "ends\\", "b lank\\",
        "\\\\host\\share\\",        "\\\"", "tab\there", "\\ \\\" \\\\"};
    EXPECT_EQ(taken_apart(windows_command_line(words)), words);
}

}  // namespace
}  // namespace lapidary
