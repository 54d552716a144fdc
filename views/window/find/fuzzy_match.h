// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace lapidary::views {

/// How well `pattern` fits `text`: every letter must occur in order, letter case and blanks of the
/// pattern ignored. Word starts and runs of letters score higher, longer texts lower. Nothing: no
/// fit. An empty pattern fits all equally.
std::optional<int> fuzzyScore(const QString& pattern, const QString& text);

/// Whether every word of `pattern` begins a word of `text`, whatever the case: what was typed on
/// purpose, where fuzzyScore() also takes letters strewn over a text.
bool beginsWords(const QString& pattern, const QString& text);

}  // namespace lapidary::views
