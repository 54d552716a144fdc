// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/plot_axis_ticks.h"

#include <algorithm>
#include <cmath>

#include <lapidary/base/quantity_text.h>
#include <qcustomplot.h>

#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

class CountTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override {
        return std::max(1.0, std::round(QCPAxisTicker::getTickStep(range)));
    }
    int getSubTickCount(double tickStep) override {
        const int between = QCPAxisTicker::getSubTickCount(tickStep);
        return std::fmod(tickStep, between + 1) == 0 ? between : 0;
    }
    /// A plot's locale leaves out what groups digits.
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return formatCount(std::llround(tick));
    }
};

class ShareTicker final : public CountTicker {
protected:
    int getSubTickCount(double) override { return 0; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        const int power = int(std::lround(tick)) - share_axis_decades;
        if (power <= -share_axis_decades) return QStringLiteral("0");
        return power == 0 ? QStringLiteral("1") : QStringLiteral("1e%1").arg(power);
    }
};

class ByteTicker final : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override {
        unit_ = unit_of_bytes(std::max(std::fabs(range.lower), std::fabs(range.upper)),
                              areBytesInPowersOf1024());
        const double step = QCPAxisTicker::getTickStep(
            QCPRange(range.lower / unit_.divisor, range.upper / unit_.divisor));
        digits_ = step >= 1 || step <= 0 ? 0 : int(std::ceil(-std::log10(step) - 1e-9));
        if (step > 0 && std::fabs(step * std::pow(10, digits_) -
                                  std::round(step * std::pow(10, digits_))) > 1e-6)
            ++digits_;  // 0.25, 2.5
        return std::max(step * unit_.divisor, 1.0);
    }
    QString getTickLabel(double tick, const QLocale& locale, QChar, int) override {
        return QStringLiteral("%1 %2").arg(locale.toString(tick / unit_.divisor, 'f', digits_),
                                           exactText(unit_.unit));
    }

private:
    ShownUnit unit_;
    int digits_ = 0;
};

}  // namespace

QSharedPointer<QCPAxisTicker> makeAxisTicker(AxisKind kind) {
    switch (kind) {
    case AxisKind::count: return QSharedPointer<CountTicker>::create();
    case AxisKind::share: return QSharedPointer<ShareTicker>::create();
    case AxisKind::bytes: return QSharedPointer<ByteTicker>::create();
    case AxisKind::number: break;
    }
    return QSharedPointer<QCPAxisTicker>::create();
}

QStringList axisLabels(AxisKind kind, double low, double high) {
    QVector<double> ticks;
    QVector<QString> labels;
    makeAxisTicker(kind)->generate(QCPRange(low, high), QLocale(), u'g', 6, ticks, nullptr,
                                   &labels);
    return {labels.begin(), labels.end()};
}

}  // namespace lapidary::views
