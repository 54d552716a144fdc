// SPDX-License-Identifier: Apache-2.0
// Holds figures against limits. None of these functions measures anything.
#pragma once

#include <optional>
#include <string>

#include <lapidary/internal/located_json.h>

#include "cli/ci/ci_baseline.h"
#include "cli/ci/ci_file.h"
#include "cli/ci/ci_result.h"

namespace lapidary::cli {

/// What a figure is compared with.
struct CiReference {
    std::optional<double> then;  // in the baseline
    std::string why_none;        // why there is nothing to compare with
    bool is_update = false;      // the figure becomes the baseline
};

/// A number of bytes, of the file or of memory.
CiCheck judge_growth(double bytes, const CiGrowth& limit, const CiReference& reference);

/// An accuracy from 0 to 1 with its interval, if it has one.
CiCheck judge_share(double share, const std::optional<CiInterval>& interval, const CiLimits& limits,
                    const CiReference& reference);

/// A configuration of what bench printed. `held`: what bench's gate says of it; null: it was not
/// asked.
CiCheck judge_time(const LocatedJson& configuration, const LocatedJson* held,
                   const std::optional<double>& most_per_cent, const CiReference& reference);

}  // namespace lapidary::cli
