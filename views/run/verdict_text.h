// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "run/run_digest.h"

namespace lapidary::views {

/// Where the time goes and how near to the machine's peak that is, in one sentence.
QString verdictOf(const RunDigest& digest);
/// The same from the totals alone, without the machine's peak.
QString verdictOf(const ProfileSummary& summary);
/// What goes with it: on which devices it ran and what copies cost, what was odd, why the processor
/// counted nothing; empty: nothing.
QString remarksOf(const RunDigest& digest);
/// Which outputs are not as they were recorded, and how the first of them differs; empty: none.
QString checkSentence(const app::OutputCheck& check);
/// The verdict of a part of the recording, `nanoseconds` long.
QString verdictOf(const RunTotals& totals, std::int64_t nanoseconds);
/// What the peak is that shares are of: "154 GFLOP/s, 610 GOP/s with int8, 11.0 GB/s, on 2
/// threads", and of devices.
QString describePeak(const Roofs& roofs);
/// A node's share of the peak; `isAbove`: see isAbovePeak().
QString peakShareText(double share, bool isAbove);
/// What rounding floats on a device changed, measured on the inputs of the run, as a sentence.
QString precisionSentence(const LoweredPrecision& lowered);
/// "MatMul + Add + Gelu (fused)", "Gelu" of "com.microsoft::Gelu".
QString operatorWords(std::string_view op);

}  // namespace lapidary::views
