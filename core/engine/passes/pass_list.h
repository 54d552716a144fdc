// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "rewrite/pass_entry.h"

namespace lapidary {

/// The entries of all_passes(), in the order they run.
std::span<const PassEntry> pass_entries();

/// Those of level session, which come last.
std::span<const PassEntry> session_entries();

/// Which entries `options` selects, and why each of the others is skipped ("" for selected),
/// parallel to pass_entries(). Throws invalid_input for a name that no pass has.
std::vector<std::string> skipped_passes(const OptimizeOptions& options);
/// The same of other entries, those of rules among them; parallel to them.
std::vector<std::string> skipped_passes(const OptimizeOptions& options,
                                        std::span<const PassEntry> entries);

}  // namespace lapidary
