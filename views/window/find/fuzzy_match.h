// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace lapidary::views {

/// A score of how well `pattern` fits `text`: every letter must occur in order, letter case and
/// blanks of the pattern ignored. Word starts and runs of letters score higher, longer texts lower.
/// Empty: it does not fit. An empty pattern fits all equally.
std::optional<int> fuzzyScore(const QString& pattern, const QString& text);

/// True if every word of `pattern` begins a word of `text`, ignoring case. This is stricter than
/// fuzzyScore(), which also accepts letters anywhere in the text.
bool beginsWords(const QString& pattern, const QString& text);

}  // namespace lapidary::views
