// SPDX-License-Identifier: Apache-2.0
// Colours that stand side by side are distinguished by eyes without one kind of cones too: vision
// simulated as Machado, Oliveira and Fernandes (2009) do for severity 1, differences by CIEDE2000.
#include <gtest/gtest.h>

#include <QApplication>

#include <array>
#include <cmath>
#include <numbers>

#include "canvas/graph_look.h"
#include "memory/memory_picture.h"
#include "theme/theme.h"
#include "views/color_contrast.h"

namespace lapidary::views {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr double least_difference = 10;
constexpr double least_contrast = 2.9;  // with the canvas
constexpr int families = int(OperatorFamily::other) + 1;
constexpr int providers = 6;  // of one model
constexpr int memory_parts = int(MemoryPart::waste) + 1;

struct Vision {
    const char* name;
    Matrix matrix;
};
const Vision visions[] = {{"three kinds of cones", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
                          {"protanopia",
                           {{{0.152286, 1.052583, -0.204868},
                             {0.114503, 0.786281, 0.099216},
                             {-0.003882, -0.048116, 1.051998}}}},
                          {"deuteranopia",
                           {{{0.367322, 0.860646, -0.227968},
                             {0.280085, 0.672501, 0.047413},
                             {-0.011820, 0.042940, 0.968881}}}},
                          {"tritanopia",
                           {{{1.255528, -0.076749, -0.178779},
                             {-0.078411, 0.930809, 0.147602},
                             {0.004733, 0.691367, 0.303900}}}}};

Triple linearOf(const QColor& color) {
    return {linearPart(color.redF()), linearPart(color.greenF()), linearPart(color.blueF())};
}

Triple times(const Matrix& matrix, const Triple& v) {
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) result[i] += matrix[i][j] * v[j];
    return result;
}

Triple seenBy(const Vision& vision, const QColor& color) {
    Triple seen = times(vision.matrix, linearOf(color));
    for (double& part : seen) part = std::clamp(part, 0.0, 1.0);
    return seen;
}

/// CIE L*a*b* of linear sRGB under D65.
Triple labOf(const Triple& rgb) {
    static const Matrix to_xyz{{{0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047},
                                {0.2126729, 0.7151522, 0.0721750},
                                {0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883}}};
    Triple f = times(to_xyz, rgb);
    for (double& t : f) t = t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

double hueOf(double a, double b) {
    if (a == 0 && b == 0) return 0;
    const double hue = std::atan2(b, a) * 180 / std::numbers::pi;
    return hue < 0 ? hue + 360 : hue;
}

/// CIEDE2000, Sharma, Wu and Dalal (2005).
double differenceOf(const Triple& one, const Triple& two) {
    const double mean = (std::hypot(one[1], one[2]) + std::hypot(two[1], two[2])) / 2,
                 mean7 = std::pow(mean, 7);
    const double stretch = 1 + 0.5 * (1 - std::sqrt(mean7 / (mean7 + std::pow(25, 7))));
    const double a1 = one[1] * stretch, a2 = two[1] * stretch;
    const double c1 = std::hypot(a1, one[2]), c2 = std::hypot(a2, two[2]);
    const double h1 = hueOf(a1, one[2]), h2 = hueOf(a2, two[2]);
    double turn = c1 * c2 == 0 ? 0 : h2 - h1;
    if (turn > 180) turn -= 360;
    if (turn < -180) turn += 360;
    const double lightness = two[0] - one[0], chroma = c2 - c1;
    const double hue = 2 * std::sqrt(c1 * c2) * std::sin(radians(turn) / 2);
    const double l = (one[0] + two[0]) / 2, c = (c1 + c2) / 2;
    double h = h1 + h2;
    if (c1 * c2 != 0)
        h = std::abs(h1 - h2) <= 180 ? h / 2 : h < 360 ? (h + 360) / 2 : (h - 360) / 2;
    const double t = 1 - 0.17 * std::cos(radians(h - 30)) + 0.24 * std::cos(radians(2 * h)) +
                     0.32 * std::cos(radians(3 * h + 6)) - 0.2 * std::cos(radians(4 * h - 63));
    const double c7 = std::pow(c, 7), l50 = (l - 50) * (l - 50);
    const double rotation = -std::sin(radians(60 * std::exp(-std::pow((h - 275) / 25, 2)))) * 2 *
                            std::sqrt(c7 / (c7 + std::pow(25, 7)));
    const double dl = lightness / (1 + 0.015 * l50 / std::sqrt(20 + l50)),
                 dc = chroma / (1 + 0.045 * c), dh = hue / (1 + 0.015 * c * t);
    return std::sqrt(dl * dl + dc * dc + dh * dh + rotation * dc * dh);
}

class ColorVisionTest : public testing::TestWithParam<ThemeChoice> {
protected:
    void SetUp() override { applyTheme(GetParam()); }
    static void distinguish(const std::vector<std::pair<QString, QColor>>& colors) {
        for (const Vision& vision : visions)
            for (std::size_t i = 0; i < colors.size(); ++i)
                for (std::size_t j = 0; j < i; ++j) {
                    const auto& [one, first] = colors[i];
                    const auto& [two, second] = colors[j];
                    EXPECT_GE(
                        differenceOf(labOf(seenBy(vision, first)), labOf(seenBy(vision, second))),
                        least_difference)
                        << vision.name << ": " << one.toStdString() << " and " << two.toStdString();
                }
    }
    static QPalette palette() { return QApplication::palette(); }
};

// Pairs of the paper's supplement.
TEST(ColorDifference, IsThatOfThePaper) {
    EXPECT_NEAR(differenceOf({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425, 1e-4);
    EXPECT_NEAR(differenceOf({50, 2.5, 0}, {73, 25, -18}), 27.1492, 1e-4);
    EXPECT_NEAR(differenceOf({60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}), 1.2644,
                1e-4);
}

TEST_P(ColorVisionTest, FamiliesOfOperators) {
    std::vector<std::pair<QString, QColor>> colors;
    for (int f = 0; f < families; ++f)
        colors.emplace_back(nameOf(OperatorFamily(f)), operatorColor(OperatorFamily(f), palette()));
    distinguish(colors);
    for (const auto& [name, color] : colors)
        EXPECT_GE(contrastOf(color, themeColors(palette()).canvas), least_contrast)
            << name.toStdString();
}

TEST_P(ColorVisionTest, Providers) {
    std::vector<std::pair<QString, QColor>> colors;
    for (int k = 0; k < providers; ++k)
        colors.emplace_back(QString::number(k), kindColor(k, palette()));
    distinguish(colors);
}

TEST_P(ColorVisionTest, PartsOfTheMemory) {
    std::vector<std::pair<QString, QColor>> colors;
    for (int p = 0; p < memory_parts; ++p)
        colors.emplace_back(QString::number(p), memoryColor(MemoryPart(p), palette()));
    distinguish(colors);
}

INSTANTIATE_TEST_SUITE_P(Themes, ColorVisionTest,
                         testing::Values(ThemeChoice::light, ThemeChoice::dark),
                         [](const auto& info) { return nameOf(info.param).toStdString(); });

}  // namespace
}  // namespace lapidary::views
