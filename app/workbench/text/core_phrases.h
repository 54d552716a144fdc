// SPDX-License-Identifier: GPL-3.0-or-later
// Phrases of the engine that inWindowLanguage() translates, by subject.
#pragma once

#include <span>

namespace lapidary::app {

struct CorePhrase {
    const char* pattern;  // regular expression over the English sentence
    const char* text;     // the translated text, in which %1 and so on are the captured parts
};

/// Why a node was quantized or not: NodeDecision::reason.
std::span<const CorePhrase> decisionPhrases();
/// QuantizeVerdict::warnings, and notes about samples.
std::span<const CorePhrase> quantizePhrases();
/// What ExportTargetInfo says, notes of exports, and why a model is no decoder.
std::span<const CorePhrase> targetPhrases();

}  // namespace lapidary::app
