// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of a decoder over its context, as sentence and curve: of a plan, or of what was
// recorded.
#pragma once

#include <QString>

#include <cstdint>

#include <lapidary/generation/context_memory.h>

namespace lapidary::views {

class Plot;

/// Weights, caches and activations behind that many tokens.
std::uint64_t contextMemoryBytes(const DecoderMemory& memory, const ContextMemory& point);
/// "At 4,096 tokens of context: weights ... + caches ... + activations ... = ...".
QString contextMemorySum(const DecoderMemory& memory, const ContextMemory& point);
/// What of the process is not counted.
QString contextMemoryLeftOut();
/// Draws the sum at each point. `name`: of the line; empty: of what it is the sum.
void drawContextMemory(Plot& plot, const DecoderMemory& memory, const QString& name = {});
/// A level at the weights, which all points have.
void drawWeights(Plot& plot, const DecoderMemory& memory);

}  // namespace lapidary::views
