// SPDX-License-Identifier: Apache-2.0
// Quantities as people read them: one function for each kind, for command line, reports and window.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

/// A number as it is written: divided by `divisor`, with `digits` behind the point, before the
/// unit.
struct ShownUnit {
    double divisor = 1;     // of what is written
    int digits = 0;         // behind the point
    std::string_view unit;  // "ms", "MB"
};

/// Three digits: "845 ns", "18.5 µs", "3.02 ms", "1.24 s".
ShownUnit unit_of_time(double ms);
/// Three digits: "512 B", "97.8 MB"; of powers of 1024 "93.3 MiB".
ShownUnit unit_of_bytes(double bytes, bool binary = false);

/// A median with its interval, both in the unit of the median and with the digits that the interval
/// supports: two where its half begins with 1 or 2, else one.
struct ShownInterval {
    /// How the interval is shown.
    enum class Kind : std::uint8_t {
        none,       // it has no width: the median alone, "42.0 ms"
        symmetric,  // "23.3 µs ± 0.9"
        /// one arm is half as long again as the other, or longer: "42.0 ms (41.2 – 47.9)"
        ends,
        /// farther off than the median is large, each end in its own unit: "42.0 ms (20.1 ms – 1.20
        /// s)"
        apart
    };
    Kind kind = Kind::none;  // how the interval is written
    ShownUnit unit;          // of the median, and of the interval but where its ends are apart
    double off = 0;  // of a symmetric one: the longer arm, by the divisor; never written as 0
};
/// In ms. A value that is not finite has no interval.
ShownInterval shown_interval(double median_ms, double low_ms, double high_ms);

/// "3.02 ms"; "-" where it is not finite.
std::string time_text(double ms);
/// As ShownInterval says.
std::string time_text(double median_ms, double low_ms, double high_ms);
/// "97.8 MB".
std::string bytes_text(double bytes);

/// Digits behind the point of a share in per cent: none from 9.5 % on.
int percent_digits(double share);
/// Below this a share is "< 0.1 %", not 0.
constexpr double least_percent = 0.0005;
/// 0..1: "71 %", "3.4 %", "< 0.1 %", "0 %" only of exactly nothing.
std::string percent_text(double share);
/// "1 node", "3 nodes"; `plural`: where it is not the noun with an s.
std::string count_text(std::int64_t count, std::string_view noun, std::string_view plural = {});

}  // namespace lapidary
