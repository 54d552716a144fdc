// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/nodes/log_axis.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lapidary::views {

double LogAxis::pixelOf(double value) const {
    return from + (std::log10(std::max(value, 1e-300)) - std::log10(least)) /
                      (std::log10(most) - std::log10(least)) * (to - from);
}

double LogAxis::valueAt(double pixel) const {
    return least * std::pow(most / least, (pixel - from) / (to - from));
}

std::vector<double> LogAxis::decades() const {
    std::vector<double> marks;
    for (int power = int(std::ceil(std::log10(least) - 1e-9)); power <= std::log10(most) + 1e-9;
         ++power)
        marks.push_back(std::pow(10.0, power));
    return marks;
}

LogAxis logAxisFor(const std::vector<double>& values) {
    double low = 1e300, high = 0;
    for (double v : values)
        if (v > 0 && std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
    if (high <= 0) low = 1, high = 1;
    low /= 2, high *= 2;
    if (high / low < 100) {
        const double middle = std::sqrt(low * high);
        low = middle / 10, high = middle * 10;
    }
    return {low, high, 0, 100};
}

QString decadeLabel(double value) {
    if (value >= 10'000) return QLocale().toString(value / 1000, 'g', 6) + QStringLiteral(" k");
    return QLocale().toString(value, 'g', 6);
}

}  // namespace lapidary::views
