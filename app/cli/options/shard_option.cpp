// SPDX-License-Identifier: Apache-2.0
#include "cli/options/shard_option.h"

#include <lapidary/base/error.h>

#include "cli/exit_code.h"
#include "cli/options/value_checks.h"

namespace lapidary::cli {

std::pair<std::size_t, std::size_t> shard_of(const std::string& text) {
    const std::size_t slash = text.find('/');
    const std::string first = text.substr(0, slash),
                      second = slash == std::string::npos ? "" : text.substr(slash + 1);
    if (first.empty() || second.empty() || !count_problem(first).empty() ||
        !count_problem(second).empty() || std::stoull(second) == 0 ||
        std::stoull(first) >= std::stoull(second))
        throw UsageError("--shard: expected I/N with I from 0 to N - 1, found " + quote(text));
    return {std::stoull(first), std::stoull(second)};
}

}  // namespace lapidary::cli
