// SPDX-License-Identifier: GPL-3.0-or-later
// Translates sentences of the engine, which are English, into the language of the window.
#pragma once

#include <QString>

#include <string>

namespace lapidary::app {

/// For Requirement::sentence, SweepRecommendation::sentence, why a target cannot be reached, and
/// the subjects of core_phrases.h.
/// Known phrases are translated, numbers get the decimal sign of the language, and the rest stays
/// English.
QString inWindowLanguage(const std::string& sentence);

}  // namespace lapidary::app
