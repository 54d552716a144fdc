// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <lapidary/exec/compute.h>

#include "workbench/jobs/comparison.h"

namespace lapidary::views {

/// "fp16: 1.7 × as fast, SQNR 61 dB, no answer changed.", where weights are rounded on one side
/// alone and nothing else tells the sides apart; the speed where it differs beyond noise. Empty: it
/// is another comparison, or outputs were not compared. Where no weight is large enough to be
/// rounded, it says so instead.
QString computePriceSentence(const app::ComparisonRecord& record);

/// What that side holds its weights in; exact: it is another comparison.
Compute roundedOnOneSide(const app::ComparisonRecord& record);

}  // namespace lapidary::views
