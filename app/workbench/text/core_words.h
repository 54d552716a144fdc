// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of the engine, which speaks English alone, in the language of the window.
#pragma once

#include <QString>

#include <string>

namespace lapidary::app {

/// Of Requirement::sentence and SweepRecommendation::sentence: known turns of phrase are
/// translated, decimals get the sign of the language, all else stays as it is. In English the
/// sentence itself.
QString inWindowLanguage(const std::string& sentence);

}  // namespace lapidary::app
