// SPDX-License-Identifier: Apache-2.0
// What was meant by a name that is not known.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

/// The `most` names of `known` nearest to `name`, nearest first: by the insertions, deletions,
/// replacements and exchanges of neighbouring letters that lead from one to the other, capitals
/// aside. Of long names the first 64 bytes count.
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known,
                                       std::size_t most = 3);

/// "; did you mean \"optimize\"?", for the end of a message; empty where no known name is near
/// enough to be meant.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace lapidary
