// SPDX-License-Identifier: GPL-3.0-or-later
// What the figures of a generation say, in sentences.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>
#include <QStringList>

#include <span>

#include <lapidary/generation/context_memory.h>
#include <lapidary/generation/decoding_advice.h>

#include "worker/protocol/generate_record.h"

namespace lapidary::views {

/// A part of a token's time.
struct TokenPart {
    const char* id;    // "head"
    const char* name;  // in English, translated by nameOf()
    double TokenTime::*ms;
};
/// All of them; together they are the wall time.
std::span<const TokenPart> tokenParts();
QString nameOf(const TokenPart& part);
QColor colorOf(const TokenPart& part, const QPalette& palette);

/// Tokens in a second at so many milliseconds each: "71.4"; "–" for none.
QString rateText(double milliseconds);

/// "71.4 tokens per second; the first after 120 ms."
QString generateSentence(const app::GenerateRecord& record);
/// Under which conditions: threads, prompt, caches.
QStringList generateGrounds(const app::GenerateRecord& record);
/// sentence_of() in the language of the window.
QString adviceText(const DecodingAdvice& advice);
/// What the newest recorded token of the first variant suggests; empty: none was recorded.
QString generateAdvice(const app::GenerateRecord& record);
/// Whether the advice is to quantize.
bool adviseQuantizing(const app::GenerateRecord& record);
/// Tokens per second at the beginning and at the end; empty: there are too few.
QString rateSentence(const app::GenerateRecord& record);
/// Weights, caches and activations behind the newest recorded token; empty: none was recorded.
QString memorySentence(const app::GenerateRecord& record);

/// What a side needs at its recorded tokens.
DecoderMemory memoryOf(const app::GenerateRecord& record, const app::GeneratedSide& side);
/// The mean of the divergences that are finite; 0 of none.
double meanDivergence(const app::GenerateRecord& record);

}  // namespace lapidary::views
