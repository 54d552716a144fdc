// SPDX-License-Identifier: Apache-2.0
// Overlay, near misses and the export dialog in both themes. With LAPIDARY_SCREENSHOTS set to a
// folder the pictures are kept there for people to look at; the test itself checks that what went
// and came is visible.
#include <QDir>
#include <QPixmap>
#include <QTabWidget>

#include "optimize/export_dialog.h"
#include "optimize_fixture.h"

namespace lapidary::views {
namespace {

bool hasColor(const QImage& image, const QColor& color) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) == color.rgb()) return true;
    return false;
}

TEST_F(OptimizeTest, RedAndGreenAreDrawnInBothThemes) {
    const QString kept = qEnvironmentVariable("LAPIDARY_SCREENSHOTS");
    if (!kept.isEmpty()) { ASSERT_TRUE(QDir().mkpath(kept)); }
    window_->resize(1600, 1000);
    openAndOptimize("bert-tiny");
    for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
        applyTheme(theme);
        const auto keep = [&](QWidget& widget, const char* what) {
            QTest::qWait(80);
            const QImage image = widget.grab().toImage();
            if (!kept.isEmpty())
                image.save(QStringLiteral("%1/optimize_%2_%3.png")
                               .arg(kept, QLatin1String(what), nameOf(theme)));
            return image;
        };
        DiffView* diff = page()->diffView();
        const ThemeColors& colors = themeColors(diff->palette());
        page()->stepBar()->slider()->setValue(page()->stepBar()->steps() - 2);
        ASSERT_TRUE(settled());
        keep(*window_, "step");
        page()->stepBar()->slider()->setValue(page()->stepBar()->steps());
        ASSERT_TRUE(settled());
        command(QStringLiteral("Overlay"))->trigger();
        command(QStringLiteral("Zoom to the step"))->trigger();
        const QImage overlay = keep(*window_, "overlay");
        EXPECT_TRUE(hasColor(overlay, colors.error));
        EXPECT_TRUE(hasColor(overlay, colors.good));
        command(QStringLiteral("Side by side"))->trigger();
        auto* tabs = find<QTabWidget>("optimizeTabs");
        for (int tab = 1; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            keep(*window_, tab == 1 ? "changes" : tab == 2 ? "misses" : "guard");
        }
        tabs->setCurrentIndex(0);
        command(QStringLiteral("Export …"))->trigger();
        auto* dialog = page()->findChild<ExportDialog*>();
        ASSERT_TRUE(dialog);
        EXPECT_GT(keep(*dialog, "export").width(), 300);
        dialog->close();
        ASSERT_TRUE(waitFor([&] { return !page()->findChild<ExportDialog*>(); }));
    }
}

}  // namespace
}  // namespace lapidary::views
