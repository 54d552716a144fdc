// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/graph_look.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary::views {

QString GraphLook::figureOf(OutlineIndex box) const {
    if (colorBy != ColorBy::Value || !written || box >= heat.size() || std::isnan(heat[box]))
        return {};
    return written(heat[box] * heatMost);
}

QColor mixed(const QColor& a, const QColor& b, double share) {
    const double keep = 1 - share;
    return QColor::fromRgbF(static_cast<float>(a.redF() * keep + b.redF() * share),
                            static_cast<float>(a.greenF() * keep + b.greenF() * share),
                            static_cast<float>(a.blueF() * keep + b.blueF() * share));
}

QColor heatColor(double share, const QPalette& palette) {
    static const std::array<QColor, 4> light{QColor(0xfdf6ea), QColor(0xf8c67e), QColor(0xe5731c),
                                             QColor(0x8f1d0c)};
    static const std::array<QColor, 4> dark{QColor(0x2a2c33), QColor(0x74401d), QColor(0xd9702a),
                                            QColor(0xffdf9e)};
    const auto& stops = isDark(palette) ? dark : light;
    const double at = std::clamp(share, 0.0, 1.0) * 3;
    const auto i = static_cast<std::size_t>(std::min(at, 2.0));
    return mixed(stops[i], stops[i + 1], at - static_cast<double>(i));
}

QColor kindColor(int kind, const QPalette& palette) {
    using Family = OperatorFamily;
    constexpr std::array families{Family::movement,      Family::convolution, Family::activation,
                                  Family::normalization, Family::recurrent,   Family::matrix,
                                  Family::arithmetic,    Family::reduction};
    const auto index = static_cast<std::size_t>(std::max(kind, 0));
    return operatorColor(families[index == 0 ? 0 : 1 + (index - 1) % (families.size() - 1)],
                         palette);
}

QColor readableOn(const QColor& fill) {
    auto linear = [](double v) {
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    const double luminance = 0.2126 * linear(fill.redF()) + 0.7152 * linear(fill.greenF()) +
                             0.0722 * linear(fill.blueF());
    // contrast with black is (l + 0.05) / 0.05, with white 1.05 / (l + 0.05): equal at 0.179
    return luminance > 0.179 ? QColor(Qt::black) : QColor(Qt::white);
}

}  // namespace lapidary::views
