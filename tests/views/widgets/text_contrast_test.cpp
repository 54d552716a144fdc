// SPDX-License-Identifier: Apache-2.0
// Texts are read on every ground that they stand on: a contrast of at least 4.5 (WCAG 2.1, level
// AA) in both themes. Disabled controls are exempt, as they are there.
#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

#include <set>

#include "views/color_contrast.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

constexpr double least_text_contrast = 4.5;
constexpr double least_line_contrast = 3;  // of outlines that show where a field is

struct Named {
    const char* name;
    QColor color;
};

/// The grounds that the theme paints beneath text.
std::vector<Named> groundsOf(const QPalette& palette) {
    const ThemeColors& colors = themeColors(palette);
    std::vector<Named> grounds{{"window", palette.color(QPalette::Window)},
                               {"base", palette.color(QPalette::Base)},
                               {"alternate base", palette.color(QPalette::AlternateBase)},
                               {"button", palette.color(QPalette::Button)},
                               {"tool tip", palette.color(QPalette::ToolTipBase)},
                               {"canvas", colors.canvas},
                               {"card", colors.card},
                               {"good banner", colors.goodFill},
                               {"warning banner", colors.warningFill},
                               {"error banner", colors.errorFill},
                               {"info banner", colors.infoFill}};
    return grounds;
}

class ThemeContrastTest : public testing::TestWithParam<ThemeChoice> {
protected:
    void SetUp() override { applyTheme(GetParam()); }
    static void expectRead(const Named& text, const Named& ground) {
        EXPECT_GE(contrastOf(text.color, ground.color), least_text_contrast)
            << text.name << ' ' << text.color.name().toStdString() << " on " << ground.name << ' '
            << ground.color.name().toStdString();
    }
};

TEST_P(ThemeContrastTest, EveryTextColourIsReadOnEveryGround) {
    const QPalette palette = QApplication::palette();
    const ThemeColors& colors = themeColors(palette);
    const Named texts[] = {{"window text", palette.color(QPalette::WindowText)},
                           {"text", palette.color(QPalette::Text)},
                           {"button text", palette.color(QPalette::ButtonText)},
                           {"tool tip text", palette.color(QPalette::ToolTipText)},
                           {"placeholder", palette.color(QPalette::PlaceholderText)},
                           {"muted text", colors.mutedText},
                           {"link", palette.color(QPalette::Link)},
                           {"visited link", palette.color(QPalette::LinkVisited)},
                           {"accent", colors.accent},
                           {"good", colors.good},
                           {"warning", colors.warning},
                           {"error", colors.error}};
    for (const Named& ground : groundsOf(palette))
        for (const Named& text : texts) expectRead(text, ground);
}

TEST_P(ThemeContrastTest, TextIsReadOnWhatIsSelectedOrMarked) {
    const QPalette palette = QApplication::palette();
    const ThemeColors& colors = themeColors(palette);
    expectRead({"selected text", palette.color(QPalette::HighlightedText)},
               {"highlight", palette.color(QPalette::Highlight)});
    expectRead({"text on accent", colors.onAccent}, {"accent", colors.accent});
    expectRead({"number of a badge", colors.onAccent}, {"error", colors.error});
    for (const QColor& below :
         {palette.color(QPalette::Base), colors.canvas, palette.color(QPalette::AlternateBase)}) {
        expectRead({"text", palette.color(QPalette::Text)},
                   {"the bar behind a number", blended(colors.heat, below)});
        expectRead({"text", palette.color(QPalette::Text)},
                   {"a selected range", blended(colors.selection, below)});
        expectRead({"muted text", colors.mutedText},
                   {"a selected range", blended(colors.selection, below)});
    }
}

TEST(FieldContrast, OutlinesOfFieldsAreSeenOnDarkWindows) {
    applyTheme(ThemeChoice::dark);
    QLineEdit line;
    QSpinBox spin;
    for (QWidget* field : std::initializer_list<QWidget*>{&line, &spin}) {
        field->resize(120, 28);
        const QImage picture = field->grab().toImage();
        const QColor edge = picture.pixelColor(0, picture.height() / 2);
        EXPECT_GE(contrastOf(edge, field->palette().color(QPalette::Base)), least_line_contrast)
            << field->metaObject()->className() << ' ' << edge.name().toStdString();
    }
    applyTheme(ThemeChoice::light);
}

INSTANTIATE_TEST_SUITE_P(Themes, ThemeContrastTest,
                         testing::Values(ThemeChoice::light, ThemeChoice::dark),
                         [](const auto& info) { return nameOf(info.param).toStdString(); });

using WindowContrastTest = WindowTest;

/// Labels and buttons of the window whose text is too faint on the window or on a card.
std::set<std::string> faintTexts(const QWidget& window) {
    std::set<std::string> faint;
    const auto look = [&faint](const QWidget& widget, const QString& text) {
        if (!widget.isVisible() || !widget.isEnabled() || text.isEmpty()) return;
        if (widget.testAttribute(Qt::WA_StyleSheet)) return;  // has a ground of its own
        const QPalette palette = widget.palette();
        const QColor color = palette.color(widget.foregroundRole());
        for (const QColor& ground : {palette.color(QPalette::Window), themeColors(palette).card})
            if (contrastOf(color, ground) < least_text_contrast)
                faint.insert(widget.objectName().toStdString() + " \"" + text.toStdString() +
                             "\" " + color.name().toStdString() + " on " +
                             ground.name().toStdString());
    };
    for (const auto* label : window.findChildren<QLabel*>()) look(*label, label->text());
    for (const auto* button : window.findChildren<QAbstractButton*>())
        look(*button, button->text());
    return faint;
}

TEST_F(WindowContrastTest, TextsOfAllPagesAreReadInBothThemes) {
    openSample("mlp");
    showDocks();
    runModel();
    ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
    for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
        applyTheme(theme);
        for (const QString& id : window_->pageIds()) {
            window_->showPage(id);
            std::string all;
            for (const std::string& text : faintTexts(*window_)) all += "\n  " + text;
            EXPECT_TRUE(all.empty())
                << nameOf(theme).toStdString() << ' ' << id.toStdString() << all;
        }
    }
    applyTheme(ThemeChoice::light);
}

}  // namespace
}  // namespace lapidary::views
