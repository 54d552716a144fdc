// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "rewrite/pass_entry.h"

namespace lapidary {

/// all_passes() with what makes them, in the order they run.
std::span<const PassEntry> pass_entries();

/// Those of level session, which are the last of them.
std::span<const PassEntry> session_entries();

/// Which entries `options` selects, and why each of the others is skipped ("" for selected),
/// parallel to pass_entries(). Throws invalid_input for a name that no pass answers to.
std::vector<std::string> skipped_passes(const OptimizeOptions& options);

}  // namespace lapidary
