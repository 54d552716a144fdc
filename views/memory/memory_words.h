// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences about a memory report in the language of the window, like MemoryReport::verdict.
#pragma once

#include <QString>

#include <lapidary/cost/memory_report.h>

namespace lapidary::views {

/// The name that tables and pictures show: its name in the model, or the node whose working memory
/// it is.
QString nameOf(const TensorLifetime& tensor);

/// One sentence about where the peak is, and what is alive there and why.
QString peakSentence(const MemoryReport& report);
/// One sentence about the memory of a process that runs the model.
QString processSentence(const ProcessMemory& process);
/// One or two sentences about the parts of that memory.
QString processParts(const MemoryReport& report);

}  // namespace lapidary::views
