// SPDX-License-Identifier: Apache-2.0
// Text functions for the completion scripts of all three shells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option_list.h"

namespace lapidary::cli {

/// The text in single quotes, for bash and zsh.
std::string single_quoted(std::string_view text);
std::string joined(const std::vector<std::string>& words, std::string_view separator);
/// The first line of an option's help, which is its summary.
std::string first_line(const std::string& help);

/// The name of list `number` of a WordLists in the scripts.
std::string name_of_list(std::size_t number);

/// Long lists of words that several options share, such as the names of passes. A script defines
/// each list once, at its beginning.
class WordLists {
public:
    /// The number of the list, which is added if it is new.
    std::size_t number_of(const std::vector<std::string>& words);
    const std::vector<std::vector<std::string>>& lists() const { return lists_; }

private:
    std::vector<std::vector<std::string>> lists_;
};

}  // namespace lapidary::cli
