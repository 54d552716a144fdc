// SPDX-License-Identifier: GPL-3.0-or-later
// Titles and summaries of the built-in samples in the language of the window.
#pragma once

#include <QString>

#include <span>
#include <string_view>

namespace lapidary::views {

/// A title or summary of a SampleInfo, translated; unchanged if there is no translation.
QString sampleText(std::string_view text);
/// The texts that the catalogues translate.
std::span<const char* const> sampleTexts();

}  // namespace lapidary::views
