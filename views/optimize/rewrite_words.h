// SPDX-License-Identifier: GPL-3.0-or-later
// Words for rewrites that describe the effect on the model instead of the names of passes.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include <cstdint>
#include <span>
#include <string_view>

#include <lapidary/passes/optimize.h>

namespace lapidary::views {

/// What a rewrite does, in the order in which a headline lists it.
enum class RewriteKind : std::uint8_t {
    attention,
    residualNorm,
    norm,
    activation,
    embedding,
    foldedScale,  // batch norms, factors and biases that go into weights
    takenIn,      // activations and sums that are fused into a product or convolution
    quantized,
    layout,
    constant,
    movement,
    idle,
    edit,  // a line of a script
    rule,  // of the user
    other
};
constexpr std::size_t rewrite_kinds = std::size_t(RewriteKind::other) + 1;

/// The kind of a pass, by its name; `other` for those without a kind.
RewriteKind kindOf(std::string_view pass);
/// "12 attention blocks fused", "1 constant folded".
QString wordsFor(RewriteKind kind, std::size_t count);
/// "12 attention blocks fused, 24 residual norms fused, 30 other rewrites": at most `most` kinds by
/// name, the most important first. Empty if nothing was rewritten.
QString headlineOf(std::span<const AppliedRewrite> rewrites, std::size_t most = 3);
/// The colour of a kind, which differs from the others on the theme's background.
QColor colorOf(RewriteKind kind, const QPalette& palette);

}  // namespace lapidary::views
