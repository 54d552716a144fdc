// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers with units, as people read them.
#pragma once

#include <QString>

#include <cstdint>

namespace lapidary::views {

QString formatBytes(std::uint64_t bytes);  // "512 B", "97.8 MB" (powers of 1000), "93.3 MiB" (of 1024)
/// For all that is told from then on; at first powers of 1000.
void setBytesInPowersOf1024(bool binary);
QString formatCount(std::int64_t count);               // grouped digits
QString formatCompactCount(std::int64_t count);        // "25.6 M"
QString formatMilliseconds(double milliseconds);       // "1.24 s", "3.02 ms", "18.5 µs"
/// "42.0 ms ± 1.1": the median and the farther end of its interval, in one unit; "42.0 ms (20.1 ms – 1.20 s)" where
/// that is farther off than the median is large.
QString formatMedian(double median_ms, double low_ms, double high_ms);
QString formatNanoseconds(std::int64_t nanoseconds);   // "18.5 µs"
// "38.4 dB"; "equal" for infinity, "–" for minus infinity and NaN
QString formatDecibels(double ratio);
QString formatPercent(double share);                   // 0..1 -> "71.3 %"

}  // namespace lapidary::views
