// SPDX-License-Identifier: GPL-3.0-or-later
// Differences as people read them: sign by glyph as well as by colour.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

namespace lapidary::views {

QString signGlyph(double difference);               // "▲", "▼"; "=" for none
QString signedMilliseconds(double milliseconds);    // "▼ −1.24 ms"
QString signedPercent(double share);                // -0.118 -> "▼ −11.8 %"
QString signedBytes(double bytes);                  // "▲ +1.2 MB"
QString signedCount(qint64 count);                  // "▼ −12"
/// "−12.9 % to −10.6 %" without glyphs.
QString percentInterval(double low, double high);

/// Good where less is better and it became less.
QColor differenceColor(double difference, const QPalette& palette, bool lessIsBetter = true);

}  // namespace lapidary::views
