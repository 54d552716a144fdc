// SPDX-License-Identifier: GPL-3.0-or-later
// What is remembered of other machines between starts of the window.
#pragma once

#include <QString>

#include <optional>
#include <vector>

#include "worker/remote/target.h"

namespace lapidary::app {

/// A target of the user's list, with what it said of itself when it was last tested.
struct RememberedTarget {
    QString host;  // as read_target() reads it
    std::optional<TargetFacts> facts;
};

constexpr int most_targets = 50;

/// Leaves out what read_target() refuses.
std::vector<RememberedTarget> loadTargets();
void saveTargets(const std::vector<RememberedTarget>& targets);

/// The target that jobs of that document run on, by its file or sample; empty: this computer.
QString loadTargetOf(const QString& document);
/// An empty `host` forgets it.
void saveTargetOf(const QString& document, const QString& host);

}  // namespace lapidary::app
