// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/signed_text.h"

#include <QCoreApplication>

#include <cmath>

#include "theme/theme.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

QString withSign(double difference, const QString& size, bool lessIsBetter = true) {
    if (difference == 0) return QStringLiteral("= ") + size;
    return QStringLiteral("%1 %2%3").arg(betterGlyph(difference, lessIsBetter),
                                         difference < 0 ? QStringLiteral("−") : QStringLiteral("+"),
                                         size);
}

QString plainPercent(double share) {
    const QString sign = share < 0   ? QStringLiteral("−")
                         : share > 0 ? QStringLiteral("+")
                                     : QString();
    return sign + formatPercent(std::fabs(share));
}

}  // namespace

QString betterGlyph(double difference, bool lessIsBetter) {
    if (difference == 0) return QStringLiteral("=");
    return (difference < 0) == lessIsBetter ? QStringLiteral("✓") : QStringLiteral("✗");
}

QString signedMilliseconds(double milliseconds) {
    return withSign(milliseconds, formatMilliseconds(std::fabs(milliseconds)));
}

QString signedPercent(double share, bool lessIsBetter) {
    return withSign(share, formatPercent(std::fabs(share)), lessIsBetter);
}

QString signedBytes(double bytes) {
    return withSign(bytes, formatBytes(static_cast<std::uint64_t>(std::fabs(bytes))));
}

QString signedCount(qint64 count) {
    const QString size = formatCount(std::abs(count));
    return count < 0 ? QStringLiteral("−") + size : count > 0 ? QStringLiteral("+") + size : size;
}

QString percentInterval(double low, double high) {
    return QCoreApplication::translate("SignedText", "%1 to %2")
        .arg(plainPercent(low), plainPercent(high));
}

QColor differenceColor(double difference, const QPalette& palette, bool lessIsBetter) {
    const ThemeColors& colors = themeColors(palette);
    if (difference == 0) return colors.mutedText;
    return (difference < 0) == lessIsBetter ? colors.good : colors.error;
}

}  // namespace lapidary::views
