// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace lapidary::views {

/// How well `pattern` fits `text`: every letter must occur in order, letter case and blanks of the pattern
/// ignored. Word starts and runs of letters score higher, longer texts lower. Nothing: no fit. An empty
/// pattern fits all equally.
std::optional<int> fuzzyScore(const QString& pattern, const QString& text);

}  // namespace lapidary::views
