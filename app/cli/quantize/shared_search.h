// SPDX-License-Identifier: Apache-2.0
// `quantize --search` by several processes: --shard, --trials and --known-trials.
#pragma once

#include <lapidary/inputs/preprocessing.h>
#include <lapidary/quantize/known_trials.h>

#include "cli/options/option_list.h"
#include "cli/quantize/quantize_text.h"
#include "cli/terminal.h"

namespace lapidary::cli {

void declare_shared_search(OptionList& options, SharedSearch& shared);
/// Throws UsageError for options that contradict each other.
void check_shared_search(const QuantizeCommandOptions& options, bool is_json);

/// Tries the recipes of this process and writes what they reached. Returns the exit code.
int try_shared(const QuantizeCommandOptions& options, const ModelPtr& model,
               const PreparedSamples& samples, Terminal& terminal);
/// What the files of --known-trials have. Throws with the file's name.
std::vector<KnownTrial> load_known_trials(const SharedSearch& shared);

}  // namespace lapidary::cli
