// SPDX-License-Identifier: Apache-2.0
#include <lapidary/base/quantity_text.h>

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

namespace lapidary {
namespace {

// an interval counts as symmetric up to this ratio of its longer to its shorter side
constexpr double most_uneven = 1.5;
constexpr int most_digits = 6;  // behind the point

int digits_of_three(double value) {
    const double size = std::abs(value);
    return size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
}

/// The unit in which `value` has one to three digits before the point; `units` ascend.
ShownUnit unit_among(double value, double power, std::span<const std::string_view> units) {
    ShownUnit shown{1, 0, units.front()};
    if (std::abs(value) < power) return shown;
    std::size_t unit = 0;
    while (unit + 1 < units.size() && std::abs(value) / shown.divisor >= power - 0.5)
        shown.divisor *= power, ++unit;
    shown.unit = units[unit];
    shown.digits = digits_of_three(value / shown.divisor);
    return shown;
}

/// Digits behind the point that a deviation of `off` supports.
int digits_of_interval(double off) {
    const double exponent = std::floor(std::log10(off));
    const double first = off / std::pow(10, exponent);
    return static_cast<int>(-exponent) + (first < 2.95 ? 1 : 0);
}

std::string text_of(double value, const ShownUnit& unit) {
    return fmt::format("{:.{}f} {}", value / unit.divisor, unit.digits, unit.unit);
}

}  // namespace

ShownUnit unit_of_time(double ms) {
    static constexpr std::string_view units[] = {"ns", "µs", "ms", "s"};
    ShownUnit shown = unit_among(ms * 1e6, 1000, units);
    shown.divisor *= 1e-6;  // of milliseconds
    return shown;
}

ShownUnit unit_of_bytes(double bytes, bool binary) {
    static constexpr std::string_view decimal[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    static constexpr std::string_view powers_of_two[] = {"B",   "KiB", "MiB", "GiB",
                                                         "TiB", "PiB", "EiB"};
    return binary ? unit_among(bytes, 1024, powers_of_two) : unit_among(bytes, 1000, decimal);
}

ShownInterval shown_interval(double median_ms, double low_ms, double high_ms) {
    ShownInterval shown;
    shown.unit = unit_of_time(median_ms);
    const double down = median_ms - low_ms, up = high_ms - median_ms, longer = std::max(down, up);
    if (!std::isfinite(median_ms) || !std::isfinite(longer) || longer <= 0) return shown;
    if (longer > std::abs(median_ms)) {
        shown.kind = ShownInterval::Kind::apart;
        return shown;
    }
    const int digits_alone = shown.unit.digits;
    shown.off = longer / shown.unit.divisor;
    shown.unit.digits = std::clamp(digits_of_interval(shown.off), 0, most_digits);
    const double step = std::pow(10, -shown.unit.digits);
    const bool is_uneven = longer > most_uneven * std::max(std::min(down, up), 0.0);
    const bool differs = std::abs(up - down) / shown.unit.divisor > step;
    shown.kind = is_uneven && differs ? ShownInterval::Kind::ends : ShownInterval::Kind::symmetric;
    if (shown.kind == ShownInterval::Kind::ends)  // the shorter arm is shown, too
        shown.unit.digits = std::max(shown.unit.digits, digits_alone);
    shown.off = std::max(shown.off, step);
    return shown;
}

std::string time_text(double ms) { return std::isfinite(ms) ? text_of(ms, unit_of_time(ms)) : "-"; }

std::string time_text(double median_ms, double low_ms, double high_ms) {
    if (!std::isfinite(median_ms)) return "-";
    const ShownInterval shown = shown_interval(median_ms, low_ms, high_ms);
    const std::string median = text_of(median_ms, shown.unit);
    const auto in_unit = [&](double ms) {
        return fmt::format("{:.{}f}", ms / shown.unit.divisor, shown.unit.digits);
    };
    switch (shown.kind) {
    case ShownInterval::Kind::none: return median;
    case ShownInterval::Kind::symmetric:
        return fmt::format("{} ± {:.{}f}", median, shown.off, shown.unit.digits);
    case ShownInterval::Kind::ends:
        return fmt::format("{} ({} – {})", median, in_unit(low_ms), in_unit(high_ms));
    case ShownInterval::Kind::apart: break;
    }
    return fmt::format("{} ({} – {})", median, time_text(low_ms), time_text(high_ms));
}

std::string bytes_text(double bytes) { return text_of(bytes, unit_of_bytes(bytes)); }

int percent_digits(double share) { return share == 0 || std::abs(share) >= 0.095 ? 0 : 1; }

std::string percent_text(double share) {
    if (!std::isfinite(share)) return "-";
    if (share != 0 && std::abs(share) < least_percent) return "< 0.1 %";
    return fmt::format("{:.{}f} %", 100 * share, percent_digits(share));
}

std::string count_text(std::int64_t count, std::string_view noun, std::string_view plural) {
    if (count == 1) return fmt::format("1 {}", noun);
    return plural.empty() ? fmt::format("{} {}s", count, noun)
                          : fmt::format("{} {}", count, plural);
}

}  // namespace lapidary
