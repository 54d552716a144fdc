// SPDX-License-Identifier: Apache-2.0
// Draws every page in both themes at 100 % and 200 %. With LAPIDARY_SCREENSHOTS set to a folder the
// pictures are kept there for people to look at; the test itself checks that something is drawn and
// in the right tone.
#include <QDir>
#include <QPixmap>

#include <set>

#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

QImage drawn(QWidget& window, int scale) {
    QPixmap pixmap(window.size() * scale);
    pixmap.setDevicePixelRatio(scale);
    pixmap.fill(Qt::transparent);
    window.render(&pixmap);
    return pixmap.toImage();
}

struct Tone {
    double lightness = 0;
    std::size_t colors = 0;
};

Tone toneOf(const QImage& image) {
    Tone tone;
    std::set<QRgb> colors;
    qint64 samples = 0;
    for (int y = 0; y < image.height(); y += 3)
        for (int x = 0; x < image.width(); x += 3, ++samples) {
            tone.lightness += image.pixelColor(x, y).lightness();
            colors.insert(image.pixel(x, y));
        }
    tone.lightness /= double(samples);
    tone.colors = colors.size();
    return tone;
}

TEST_F(WindowTest, EveryPageIsDrawnInBothThemesAndScales) {
    const QString kept = qEnvironmentVariable("LAPIDARY_SCREENSHOTS");
    if (!kept.isEmpty()) { ASSERT_TRUE(QDir().mkpath(kept)); }
    window_->resize(1400, 900);
    const auto shoot = [&](const QString& what) {
        for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
            applyTheme(theme);
            QTest::qWait(300);  // the graph is laid out on a worker
            for (const int scale : {1, 2}) {
                const QImage image = drawn(*window_, scale);
                ASSERT_EQ(image.size(), QSize(1400, 900) * scale);
                const Tone tone = toneOf(image);
                const bool light = theme == ThemeChoice::light;
                EXPECT_TRUE(light ? tone.lightness > 170 : tone.lightness < 85)
                    << what.toStdString() << ' ' << tone.lightness;
                EXPECT_GT(tone.colors, 40u) << what.toStdString() << " looks empty";
                if (!kept.isEmpty())
                    image.save(QStringLiteral("%1/%2_%3_%4.png")
                                   .arg(kept, what, nameOf(theme))
                                   .arg(scale * 100));
            }
        }
    };
    for (const QString& id : window_->pageIds()) {
        window_->showPage(id);
        shoot(QStringLiteral("empty_") + id);
    }
    openSample("squeezenet");
    window_->showPage(QStringLiteral("run"));
    shoot(QStringLiteral("ready_run"));
    runModel();
    for (const QString& id : window_->pageIds()) {
        window_->showPage(id);
        shoot(id);
    }
}

}  // namespace
}  // namespace lapidary::views
