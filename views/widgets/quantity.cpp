// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/quantity.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

#include "workbench/bounded_text.h"

namespace lapidary::views {
namespace {

bool binary_bytes = false;

/// Three significant digits without an exponent.
QString three_digits(double value) {
    const double size = std::fabs(value);
    return QLocale().toString(value, 'f', size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

QString with_unit(double value, const char* unit) {
    return QStringLiteral("%1 %2").arg(three_digits(value), exactText(unit));
}

}  // namespace

void setBytesInPowersOf1024(bool binary) { binary_bytes = binary; }

QString formatBytes(std::uint64_t bytes) {
    static const char* const decimal[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    static const char* const binary[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    const double power = binary_bytes ? 1024 : 1000;
    if (double(bytes) < power) return QStringLiteral("%1 B").arg(bytes);
    double value = double(bytes) / power;
    int unit = 0;
    while (value >= power - 0.5 && unit < 5) value /= power, ++unit;
    return with_unit(value, binary_bytes ? binary[unit] : decimal[unit]);
}

QString formatCount(std::int64_t count) { return QLocale().toString(qlonglong(count)); }

QString formatCompactCount(std::int64_t count) {
    const double value = double(count);
    if (std::fabs(value) < 10'000) return formatCount(count);
    if (std::fabs(value) < 999'500) return with_unit(value / 1e3, "k");
    if (std::fabs(value) < 999'500'000) return with_unit(value / 1e6, "M");
    return with_unit(value / 1e9, "G");
}

QString formatMilliseconds(double milliseconds) {
    return formatNanoseconds(std::int64_t(std::llround(milliseconds * 1e6)));
}

QString formatMedian(double median_ms, double low_ms, double high_ms) {
    const QString text = formatMilliseconds(median_ms);
    const double size = std::fabs(median_ms) * 1e6;  // ns, as formatNanoseconds() chooses units
    const double unit_ms = size < 1000 ? 1e-6 : size < 999'500 ? 1e-3 : size < 999'500'000 ? 1 : 1000;
    const double off = std::max({high_ms - median_ms, median_ms - low_ms, 0.0}) / unit_ms;
    if (off * unit_ms > std::fabs(median_ms))  // so noisy that the ends say more
        return QStringLiteral("%1 (%2 – %3)").arg(text, formatMilliseconds(low_ms), formatMilliseconds(high_ms));
    const double shown = std::fabs(median_ms) / unit_ms;
    const int digits = unit_ms < 1e-5 ? 0 : shown >= 100 ? 0 : shown >= 10 ? 1 : 2;
    return QStringLiteral("%1 ± %2").arg(text, QLocale().toString(off, 'f', digits));
}

QString formatNanoseconds(std::int64_t nanoseconds) {
    const double value = double(nanoseconds);
    const double size = std::fabs(value);
    if (size < 1000) return QStringLiteral("%1 ns").arg(nanoseconds);
    if (size < 999'500) return with_unit(value / 1e3, "µs");
    if (size < 999'500'000) return with_unit(value / 1e6, "ms");
    return with_unit(value / 1e9, "s");
}

QString formatDecibels(double ratio) {
    if (std::isinf(ratio) && ratio > 0) return QCoreApplication::translate("Quantity", "equal");
    return std::isfinite(ratio) ? QLocale().toString(ratio, 'f', 1) + QStringLiteral(" dB") : QStringLiteral("–");
}

QString formatPercent(double share) { return QStringLiteral("%1 %").arg(QLocale().toString(share * 100, 'f', 1)); }

}  // namespace lapidary::views
