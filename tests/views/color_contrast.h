// SPDX-License-Identifier: Apache-2.0
// Contrast of two colours as WCAG 2.1 defines it, from 1 (equal) to 21 (black on white).
#pragma once

#include <QColor>

#include <algorithm>
#include <cmath>

namespace lapidary::views {

/// Linear light of a part of an sRGB colour, both from 0 to 1.
inline double linearPart(double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

inline double luminanceOf(const QColor& color) {
    return 0.2126 * linearPart(color.redF()) + 0.7152 * linearPart(color.greenF()) +
           0.0722 * linearPart(color.blueF());
}

inline double contrastOf(const QColor& one, const QColor& two) {
    const auto [low, high] = std::minmax({luminanceOf(one), luminanceOf(two)});
    return (high + 0.05) / (low + 0.05);
}

/// What is seen where a translucent colour lies over an opaque one.
inline QColor blended(const QColor& over, const QColor& below) {
    const double share = over.alphaF();
    return QColor::fromRgbF(float(over.redF() * share + below.redF() * (1 - share)),
                            float(over.greenF() * share + below.greenF() * (1 - share)),
                            float(over.blueF() * share + below.blueF() * (1 - share)));
}

}  // namespace lapidary::views
