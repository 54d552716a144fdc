// SPDX-License-Identifier: Apache-2.0
// No text lies over another, and none is cut without a tool tip: on all pages, in all languages and
// both themes, in a small and a large window. The model is open but not run, so that no time of
// this machine decides how long a text is.
#include <QMenu>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTreeView>

#include "language.h"
#include "views/layout_check.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

std::string linesOf(const QStringList& lines) {
    return lines.join(QStringLiteral("\n  ")).toStdString();
}

TEST(LayoutCheck, FindsTextsThatAreCut) {
    QWidget window;
    window.resize(600, 400);
    auto* label = new QLabel(QStringLiteral("a label with a long text"), &window);
    auto* wrapped = new QLabel(QStringLiteral("a label that needs several lines"), &window);
    auto* button = new QPushButton(QStringLiteral("a button with a long text"), &window);
    auto* outside = new QLabel(QStringLiteral("outside"), &window);
    auto* hint = new QLineEdit(&window);
    auto* choice = new QComboBox(&window);
    wrapped->setWordWrap(true);
    hint->setPlaceholderText(QStringLiteral("a hint with a long text"));
    choice->addItem(QStringLiteral("a choice with a long text"));
    const QList<QWidget*> parts{label, wrapped, button, outside, hint, choice};
    for (int i = 0; i < parts.size(); ++i) parts[i]->setGeometry(10, 10 + 60 * i, 300, 50);
    outside->move(500, outside->y());
    window.show();
    for (QWidget* part : parts) part->resize(30, part == wrapped ? 10 : 50);
    outside->resize(300, 50);
    const QStringList found = cutTexts(window);
    EXPECT_EQ(found.size(), parts.size()) << linesOf(found);
    for (QWidget* part : parts) part->setToolTip(QStringLiteral("the whole text"));
    EXPECT_TRUE(cutTexts(window).isEmpty()) << linesOf(cutTexts(window));
    for (QWidget* part : parts) {
        part->setToolTip(QString());
        part->resize(300, 50);
    }
    outside->move(10, outside->y());
    EXPECT_TRUE(cutTexts(window).isEmpty()) << linesOf(cutTexts(window));
}

/// In the corner beneath the last letter the arrow reads as a comma.
TEST(MenuButton, HasRoomForItsArrowBesideTheText) {
    applyTheme(ThemeChoice::light);
    QToolButton plain, opening;
    QMenu menu;
    for (QToolButton* button : {&plain, &opening}) {
        button->setText(QStringLiteral("This computer"));
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setPopupMode(QToolButton::InstantPopup);
    }
    opening.setMenu(&menu);
    EXPECT_GE(opening.sizeHint().width(), plain.sizeHint().width() + 8);
}

TEST(LayoutCheck, FindsTitlesOfColumnsThatAreCut) {
    QTreeView table;
    QStandardItemModel rows(0, 2);
    rows.setHorizontalHeaderLabels({QStringLiteral("a long title"), QStringLiteral("last")});
    table.setModel(&rows);
    table.resize(600, 100);
    table.show();
    table.header()->setMinimumSectionSize(10);
    table.header()->resizeSection(0, 30);
    EXPECT_EQ(cutTexts(table).size(), 1) << linesOf(cutTexts(table));
    table.header()->resizeSection(0, 300);
    EXPECT_TRUE(cutTexts(table).isEmpty()) << linesOf(cutTexts(table));
}

TEST(LayoutCheck, FindsTextsThatLieOverEachOther) {
    QWidget window;
    window.resize(600, 400);
    auto* one = new QLabel(QStringLiteral("one"), &window);
    auto* box = new QWidget(&window);
    auto* two = new QPushButton(QStringLiteral("two"), box);
    one->setGeometry(10, 10, 100, 30);
    box->setGeometry(90, 10, 200, 30);
    two->setGeometry(0, 0, 100, 30);
    window.show();
    EXPECT_EQ(overlaps(window).size(), 1);
    two->move(60, 0);
    EXPECT_TRUE(overlaps(window).isEmpty()) << linesOf(overlaps(window));
}

class LayoutTest : public WindowTest, public testing::WithParamInterface<const char*> {
protected:
    void SetUp() override {
        if (languages().size() < 2) GTEST_SKIP() << "built without lrelease";
        applyLanguage(QString::fromLatin1(GetParam()));  // the window comes after the language
        WindowTest::SetUp();
    }
    void TearDown() override {
        WindowTest::TearDown();
        applyLanguage(QStringLiteral("en"));
        QLocale::setDefault(QLocale::c());
        applyTheme(ThemeChoice::light);
    }

    /// Looks again as long as something is wrong, because layouts follow some events later.
    void expectReadable(const std::string& where) {
        constexpr int settle_ms = 5'000;
        QStringList problems;
        const auto isReadable = [&] {
            QCoreApplication::processEvents();
            problems = cutTexts(*window_) + overlaps(*window_);
            return problems.isEmpty();
        };
        EXPECT_TRUE(QTest::qWaitFor(isReadable, settle_ms)) << where << "\n  " << linesOf(problems);
    }

    void lookAtAllPages() {
        for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
            window_->resize(size);
            for (const QString& id : window_->pageIds()) {
                window_->showPage(id);
                ASSERT_TRUE(waitFor([this] { return workbench_->jobs().jobs().isEmpty(); }));
                expectReadable(id.toStdString() + " at " + std::to_string(size.width()));
                ASSERT_EQ(window_->size(), size) << id.toStdString() << " needs a larger window";
            }
        }
    }
};

TEST_P(LayoutTest, TextsAreWholeAndApartInBothThemes) {
    openSample("bert-tiny");
    for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
        SCOPED_TRACE(nameOf(theme).toStdString());
        applyTheme(theme);
        lookAtAllPages();
    }
}

TEST_P(LayoutTest, TextsAreWholeAndApartWithoutAModel) { lookAtAllPages(); }

/// No page, and no tab of one that is not shown, asks for more width than a small screen has.
TEST_P(LayoutTest, BothDocksFitBesideThePagesOfASmallWindow) {
    openSample("bert-tiny");
    for (const char* dock : {"variantsDock", "inspectorDock"}) find<QDockWidget>(dock)->show();
    const QSize size(1280, 800);
    window_->resize(size);
    for (const char* id : {"quantize", "run", "memory", "tune", "compare"}) {
        window_->showPage(QString::fromLatin1(id));
        ASSERT_TRUE(waitFor([this] { return workbench_->jobs().jobs().isEmpty(); }));
        QCoreApplication::processEvents();
        EXPECT_EQ(window_->size(), size) << id << " needs a larger window";
        EXPECT_GE(find<QDockWidget>("inspectorDock")->width(), 150) << id;
    }
}

INSTANTIATE_TEST_SUITE_P(Languages, LayoutTest, testing::Values("en", "de", "zh_CN"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace lapidary::views
