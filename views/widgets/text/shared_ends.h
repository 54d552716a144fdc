// SPDX-License-Identifier: GPL-3.0-or-later
// Names in one model often begin and end alike ("bert/encoder/layer.3/attention/Add"). If there is
// no room for them, their common parts are left out first, so that the parts that differ can be
// read.
#pragma once

#include <QStringList>

class QFontMetrics;

namespace lapidary::views {

/// The number of characters at the beginning and end that all names of a list have in common,
/// counted in whole parts between separators.
struct SharedEnds {
    qsizetype front = 0, back = 0;
    friend bool operator==(const SharedEnds&, const SharedEnds&) = default;
};

/// Zero for fewer than two names, or if nothing would be left of one.
SharedEnds sharedEnds(const QStringList& names);

/// The name unchanged if it fits into `width` pixels; else with an ellipsis in place of the shared
/// front, then also of the shared back. If it is still too wide, the view elides it.
QString withoutSharedEnds(const QString& name, const SharedEnds& ends, const QFontMetrics& metrics,
                          int width);

/// Shortens `name` if, elided in `mode`, it looked like one of `neighbours`, the names above and
/// below it. Then the front that both have in common is left out, in whole parts.
QString distinguished(const QString& name, const QStringList& neighbours,
                      const QFontMetrics& metrics, Qt::TextElideMode mode, int width);

}  // namespace lapidary::views
