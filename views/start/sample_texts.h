// SPDX-License-Identifier: GPL-3.0-or-later
// Titles and summaries of the built-in samples in the language of the window.
#pragma once

#include <QString>

#include <span>
#include <string_view>

namespace lapidary::views {

/// A title or summary of a SampleInfo, translated; as it is where there is none of that text.
QString sampleText(std::string_view text);
/// What the catalogues have a translation of.
std::span<const char* const> sampleTexts();

}  // namespace lapidary::views
