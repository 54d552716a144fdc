// SPDX-License-Identifier: GPL-3.0-or-later
// Text for differences: the sign, and a glyph and a colour that say whether it is better or worse.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

namespace lapidary::views {

/// "✓": better, "✗": worse, "=": neither.
QString betterGlyph(double difference, bool lessIsBetter = true);
QString signedMilliseconds(double milliseconds);                // "✓ −1.24 ms"
QString signedPercent(double share, bool lessIsBetter = true);  // -0.118 -> "✓ −11.8 %"
QString signedBytes(double bytes);                              // "✗ +1.2 MB"
/// "−12", "+12", "0" without a glyph: nodes of one operator that became another are no gain and no
/// loss.
QString signedCount(qint64 count);
/// "−12.9 % to −10.6 %" without glyphs.
QString percentInterval(double low, double high);

/// The colour for "better" or "worse", by the sign of the difference.
QColor differenceColor(double difference, const QPalette& palette, bool lessIsBetter = true);

}  // namespace lapidary::views
