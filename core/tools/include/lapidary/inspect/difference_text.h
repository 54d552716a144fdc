// SPDX-License-Identifier: Apache-2.0
// What a search for a first difference found, in sentences: commands print them, the window shows
// them. Names are printable (shown_text.h).
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/node_source.h>
#include <lapidary/inspect/first_difference.h>
#include <lapidary/inspect/recording_check.h>

namespace lapidary {

/// A line of a finding.
struct FoundLine {
    std::string title;  // "DIFFERS", "cause", at most 8 characters; empty: goes on with the last
    std::string text;   // one line
};

/// The verdict, each cause with what differs about it, and how many values were compared.
/// `tolerance`: that the values were judged by.
std::vector<FoundLine> lines_of(const Divergence& divergence,
                                const Tolerance& tolerance = same_result);

/// The counts of modules, the first one that differs, what of the model it is, and what was not
/// compared.
std::vector<FoundLine> lines_of(const Recording& recording, const RecordingCheck& check);

/// "net.py:12 in encoder.layer.0 (BertLayer)", or the part of it that is known.
std::string source_text(const NodeSource& source);

}  // namespace lapidary
