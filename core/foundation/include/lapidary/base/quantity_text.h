// SPDX-License-Identifier: Apache-2.0
// Quantities as people read them: one function for each kind, for command line, reports and window.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

/// How a number is written: divided by `divisor`, with `digits` digits after the point, then the
/// unit.
struct ShownUnit {
    double divisor = 1;     // the number is divided by this
    int digits = 0;         // behind the point
    std::string_view unit;  // "ms", "MB"
};

/// Three digits: "845 ns", "18.5 µs", "3.02 ms", "1.24 s".
ShownUnit unit_of_time(double ms);
/// Three digits: "512 B", "97.8 MB"; of powers of 1024 "93.3 MiB".
ShownUnit unit_of_bytes(double bytes, bool binary = false);

/// A median with its interval, both in the unit of the median. They have as many digits as the
/// interval justifies: two significant digits of its half where that begins with 1 or 2, else one.
struct ShownInterval {
    /// How the interval is shown.
    enum class Kind : std::uint8_t {
        none,       // it has no width: the median alone, "42.0 ms"
        symmetric,  // "23.3 µs ± 0.9"
        /// one side is at least 1.5 times as long as the other: "42.0 ms (41.2 – 47.9)"
        ends,
        /// an end is farther from the median than the median is from 0. Each end has its own unit:
        /// "42.0 ms (20.1 ms – 1.20 s)"
        apart
    };
    Kind kind = Kind::none;  // how the interval is written
    ShownUnit unit;          // of the median, and of the interval unless its kind is `apart`
    /// of a symmetric one: the longer side, divided by the divisor; never written as 0
    double off = 0;
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
/// "1 node", "3 nodes". `plural` is needed only where it is not the noun with an s.
std::string count_text(std::int64_t count, std::string_view noun, std::string_view plural = {});

}  // namespace lapidary
