// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/quantity.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

#include <lapidary/base/quantity_text.h>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

bool binary_bytes = false;

QString numberText(double value, const ShownUnit& unit) {
    return QLocale().toString(value / unit.divisor, 'f', unit.digits);
}

QString withUnit(double value, const ShownUnit& unit) {
    return QStringLiteral("%1 %2").arg(numberText(value, unit), exactText(unit.unit));
}

}  // namespace

void setBytesInPowersOf1024(bool binary) { binary_bytes = binary; }

bool areBytesInPowersOf1024() { return binary_bytes; }

QString formatBytes(std::uint64_t bytes) {
    return withUnit(double(bytes), unit_of_bytes(double(bytes), binary_bytes));
}

QString formatCount(std::int64_t count) { return QLocale().toString(qlonglong(count)); }

QString formatCompactCount(std::int64_t count) {
    const double value = double(count), size = std::fabs(value);
    if (size < 10'000) return formatCount(count);
    ShownUnit unit = size < 999'500       ? ShownUnit{1e3, 0, "k"}
                     : size < 999'500'000 ? ShownUnit{1e6, 0, "M"}
                                          : ShownUnit{1e9, 0, "G"};
    const double shown = size / unit.divisor;
    unit.digits = shown >= 100 ? 0 : shown >= 10 ? 1 : 2;
    return withUnit(value, unit);
}

QString formatMilliseconds(double milliseconds) {
    return withUnit(milliseconds, unit_of_time(milliseconds));
}

QString formatMedian(double median_ms, double low_ms, double high_ms) {
    const ShownInterval shown = shown_interval(median_ms, low_ms, high_ms);
    const QString median = withUnit(median_ms, shown.unit);
    switch (shown.kind) {
    case ShownInterval::Kind::none: return median;
    case ShownInterval::Kind::symmetric:
        return QStringLiteral("%1 ± %2").arg(median,
                                             QLocale().toString(shown.off, 'f', shown.unit.digits));
    case ShownInterval::Kind::ends:
        return QStringLiteral("%1 (%2 – %3)")
            .arg(median, numberText(low_ms, shown.unit), numberText(high_ms, shown.unit));
    case ShownInterval::Kind::apart: break;
    }
    return QStringLiteral("%1 (%2 – %3)")
        .arg(median, formatMilliseconds(low_ms), formatMilliseconds(high_ms));
}

QString formatNanoseconds(std::int64_t nanoseconds) {
    return formatMilliseconds(double(nanoseconds) / 1e6);
}

QString formatDecibels(double ratio) {
    if (std::isinf(ratio) && ratio > 0) return QCoreApplication::translate("Quantity", "equal");
    return std::isfinite(ratio) ? QLocale().toString(ratio, 'f', 1) + QStringLiteral(" dB")
                                : QStringLiteral("–");
}

QString formatPercent(double share) {
    if (share != 0 && std::fabs(share) < least_percent)
        return QStringLiteral("< %1 %").arg(QLocale().toString(0.1, 'f', 1));
    return QStringLiteral("%1 %").arg(QLocale().toString(share * 100, 'f', 1));
}

QString formatRoundPercent(double share) {
    if (share != 0 && std::fabs(share) < least_percent) return formatPercent(share);
    return QStringLiteral("%1 %").arg(QLocale().toString(share * 100, 'f', percent_digits(share)));
}

}  // namespace lapidary::views
