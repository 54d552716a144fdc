// SPDX-License-Identifier: GPL-3.0-or-later
// Names of one model begin and end alike ("bert/encoder/layer.3/attention/Add"). Where there is no
// room for them, what they have in common goes first, so that what distinguishes them can be read.
#pragma once

#include <QStringList>

class QFontMetrics;

namespace lapidary::views {

/// How many characters all names of a list begin and end with, whole parts between separators
/// alone.
struct SharedEnds {
    qsizetype front = 0, back = 0;
    friend bool operator==(const SharedEnds&, const SharedEnds&) = default;
};

/// Nothing for fewer than two names, and where one would vanish.
SharedEnds sharedEnds(const QStringList& names);

/// The name as it is where it fits into `width` pixels; else without the shared front, then without
/// the shared back, an ellipsis in their places. It may still be too wide: the view elides the
/// rest.
QString withoutSharedEnds(const QString& name, const SharedEnds& ends, const QFontMetrics& metrics,
                          int width);

/// `name`, as it would be elided in `mode`, must not read as one of `neighbours` does, the names
/// above and below it: where it would, it loses the front that it has in common with that one,
/// whole parts alone.
QString distinguished(const QString& name, const QStringList& neighbours,
                      const QFontMetrics& metrics, Qt::TextElideMode mode, int width);

}  // namespace lapidary::views
