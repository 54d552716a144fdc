// SPDX-License-Identifier: Apache-2.0
// What the scripts for the three shells have in common.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option_list.h"

namespace lapidary::cli {

/// In single quotes, as bash and zsh read it.
std::string single_quoted(std::string_view text);
std::string joined(const std::vector<std::string>& words, std::string_view separator);
/// The first line of an option's help; what follows says more.
std::string first_line(const std::string& help);

/// What the scripts call list `number` of a WordLists.
std::string name_of_list(std::size_t number);

/// Long lists of words, each kept once under a name that scripts define in front: several options
/// take the same passes.
class WordLists {
public:
    /// The number of the list.
    std::size_t number_of(const std::vector<std::string>& words);
    const std::vector<std::vector<std::string>>& lists() const { return lists_; }

private:
    std::vector<std::vector<std::string>> lists_;
};

}  // namespace lapidary::cli
