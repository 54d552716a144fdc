// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace lapidary::views {

/// A logarithmic axis over [least, most], both above 0, drawn from pixel `from` to pixel `to`
/// (either may be larger).
struct LogAxis {
    double least = 1, most = 10;
    double from = 0, to = 100;

    double pixelOf(double value) const;
    double valueAt(double pixel) const;
    /// Powers of ten within.
    std::vector<double> decades() const;
};

/// The axis' range that holds all values above 0 with some room around, at least two decades.
LogAxis logAxisFor(const std::vector<double>& values);
/// "0.01", "100", "10 k"
QString decadeLabel(double value);

}  // namespace lapidary::views
