// SPDX-License-Identifier: Apache-2.0
// Suggests known names for a misspelled one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

/// The `most` names of `known` nearest to `name`, nearest first: by the number of insertions,
/// deletions, replacements and swaps of neighbouring letters between them, ignoring case. Only the
/// first 64 bytes of long names count.
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known,
                                       std::size_t most = 3);

/// "; did you mean \"optimize\"?", for the end of a message; empty where no known name is near
/// enough.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace lapidary
