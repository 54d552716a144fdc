// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers with units, formatted as in lapidary/base/quantity_text.h, in the language of the window.
#pragma once

#include <QString>

#include <cstdint>

namespace lapidary::views {

// "512 B", "97.8 MB" (powers of 1000), "93.3 MiB" (of 1024)
QString formatBytes(std::uint64_t bytes);
/// Applies to all text that is made afterwards; initially powers of 1000.
void setBytesInPowersOf1024(bool binary);
bool areBytesInPowersOf1024();
QString formatCount(std::int64_t count);          // grouped digits
QString formatCompactCount(std::int64_t count);   // "25.6 M"
QString formatMilliseconds(double milliseconds);  // "1.24 s", "3.02 ms", "18.5 µs"
/// The median with its interval, formatted by ShownInterval: "42.0 ms ± 1.1", "42.0 ms (41.2 –
/// 47.9)".
QString formatMedian(double median_ms, double low_ms, double high_ms);
QString formatNanoseconds(std::int64_t nanoseconds);  // "18.5 µs"
// "38.4 dB"; "equal" for infinity, "–" for minus infinity and NaN
QString formatDecibels(double ratio);
QString formatPercent(double share);  // 0..1 -> "71.3 %", "< 0.1 %"
// in sentences: 0..1 -> "71 %", "3.4 %", "< 0.1 %"
QString formatRoundPercent(double share);

}  // namespace lapidary::views
