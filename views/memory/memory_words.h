// SPDX-License-Identifier: GPL-3.0-or-later
// MemoryReport::verdict in the language of the window.
#pragma once

#include <QString>

#include <lapidary/cost/memory_report.h>

namespace lapidary::views {

/// What tables and pictures call it: its name in the model, or whose working memory it is.
QString nameOf(const TensorLifetime& tensor);

/// Where the peak is, what is alive there and what for, in one sentence.
QString peakSentence(const MemoryReport& report);
/// What a process that runs it takes, in one sentence.
QString processSentence(const ProcessMemory& process);
/// What that is made of, in one or two sentences.
QString processParts(const MemoryReport& report);

}  // namespace lapidary::views
