// SPDX-License-Identifier: Apache-2.0
#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>

#include <cstdlib>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/onnx_io/model_io.h>

#include "views/gui_watchdog.h"
#include "panels/problems_panel.h"
#include "support/time_budget.h"
#include "widgets/cards/message_banner.h"
#include "widgets/text/quantity.h"
#include "window/find/command_palette.h"
#include "window/find/fuzzy_match.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

QString savedSample(const QTemporaryDir& folder, const char* name) {
    const QString path = folder.filePath(QLatin1String(name) + QStringLiteral(".onnx"));
    save_model(build_sample(name), path.toStdString());
    return path;
}

QString brokenFile(const QTemporaryDir& folder) {
    const QString path = folder.filePath(QStringLiteral("broken.onnx"));
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("this is no model");
    return path;
}

TEST_F(WindowTest, EveryPageOpensByRailAndShortcutInBothThemes) {
    EXPECT_EQ(window_->pageIds(),
              (QStringList{"start", "graph", "optimize", "quantize", "run", "memory", "tune",
                           "compare", "checklist", "generate"}));
    openSample("mlp");
    for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
        applyTheme(theme);
        for (const QString& id : window_->pageIds()) {
            QTest::mouseClick(find<QAbstractButton>(qPrintable(QStringLiteral("rail_") + id)),
                              Qt::LeftButton);
            EXPECT_EQ(window_->currentPage(), id);
            EXPECT_TRUE(window_->page(id)->isVisible());
            window_->grab();
        }
        window_->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get(), patience_ms));
        for (qsizetype i = 0; i < window_->pageIds().size(); ++i) {
            if (i < 9)
                QTest::keyClick(window_.get(), Qt::Key(Qt::Key_1 + int(i)), Qt::ControlModifier);
            else QTest::keyClick(window_.get(), Qt::Key_0, Qt::AltModifier);
            EXPECT_EQ(window_->currentPage(), window_->pageIds()[i]);
        }
    }
    EXPECT_FALSE(window_->showPage(QStringLiteral("no such page")));
}

TEST_F(WindowTest, TheStartPageHasTheWindowToItselfUntilSomethingIsOpen) {
    auto* inspector = find<QDockWidget>("inspectorDock");
    EXPECT_FALSE(inspector->isVisible());
    openSample("mlp");
    EXPECT_TRUE(inspector->isVisible());
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
    EXPECT_EQ(window_->windowTitle(), QStringLiteral("mlp[*] — Lapidary"));
    EXPECT_FALSE(window_->isWindowModified());
    auto* tree = find<QTreeView>("variantsPanel");
    ASSERT_EQ(tree->model()->rowCount(), 1);
    const QModelIndex model = tree->model()->index(0, 0);
    ASSERT_EQ(tree->model()->rowCount(model), 1);
    EXPECT_EQ(tree->model()->index(0, 0, model).data().toString(), QStringLiteral("Original"));
    EXPECT_EQ(tree->model()->index(0, 1, model).data().toString(),
              formatCount(workbench_->document()->summary.nodes));
}

TEST_F(WindowTest, AFailedOpenShowsTheReasonAndKeepsTheDocument) {
    const QTemporaryDir folder;
    openSample("mlp");
    const auto before = workbench_->document();
    workbench_->openModel(brokenFile(folder));
    ASSERT_TRUE(waitFor([&] {
        return window_->banner()->isVisible() &&
               window_->banner()->kind() == MessageBanner::Kind::error;
    }));
    EXPECT_TRUE(window_->banner()->title().contains(QStringLiteral("broken.onnx")));
    EXPECT_TRUE(window_->banner()->text().contains(QStringLiteral("mlp stays open")));
    EXPECT_EQ(workbench_->document(), before);
    EXPECT_EQ(window_->windowTitle(), QStringLiteral("mlp[*] — Lapidary"));
    EXPECT_FALSE(window_->isWindowModified());
    EXPECT_TRUE(
        find<QPlainTextEdit>("logPanel")->toPlainText().contains(QStringLiteral("broken.onnx")));

    for (QPushButton* button : window_->banner()->findChildren<QPushButton*>())
        if (button->isVisible() && button->text() == QStringLiteral("Copy details"))
            QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_TRUE(QApplication::clipboard()->text().contains(QStringLiteral("broken.onnx")));
    openSample("lenet");
    EXPECT_FALSE(window_->banner()->isVisible());
}

TEST_F(WindowTest, DroppedModelsOpenAndOtherFilesAreRefused) {
    const QTemporaryDir folder;
    const auto drop = [&](const QString& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton,
                              Qt::NoModifier);
        enter.ignore();
        QApplication::sendEvent(window_.get(), &enter);
        if (!enter.isAccepted()) return false;
        QDropEvent event(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_.get(), &event);
        return true;
    };
    EXPECT_FALSE(drop(folder.filePath(QStringLiteral("notes.txt"))));
    EXPECT_TRUE(drop(savedSample(folder, "mlp")));
    ASSERT_TRUE(waitFor([&] { return workbench_->document() != nullptr; }));
    EXPECT_EQ(workbench_->document()->title, QStringLiteral("mlp.onnx"));
}

TEST_F(WindowTest, TheOpenDialogOpensWhatIsChosen) {
    const QTemporaryDir folder;
    const QString path = savedSample(folder, "mlp");
    command(QStringLiteral("Open …"))->trigger();
    auto* dialog = find<QFileDialog>("openDialog");
    ASSERT_TRUE(dialog);
    dialog->selectFile(path);
    dialog->setDirectory(folder.path());
    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    ASSERT_TRUE(name);
    name->setText(path);
    QMetaObject::invokeMethod(dialog, "accept");
    ASSERT_TRUE(waitFor([&] { return workbench_->document() != nullptr; }));
    EXPECT_EQ(workbench_->recentFiles().value(0), path);
}

TEST_F(WindowTest, TheCommandPaletteRunsWhatWasTyped) {
    openSample("mlp");
    window_->showCommandPalette();
    CommandPalette* palette = window_->commandPalette();
    ASSERT_TRUE(palette->isVisible());
    auto* list = palette->findChild<QListView*>();
    ASSERT_TRUE(list);
    EXPECT_GE(list->model()->rowCount(), 15);
    QTest::keyClicks(palette->findChild<QLineEdit*>(), QStringLiteral("pagerun"));
    ASSERT_GE(list->model()->rowCount(), 1);
    EXPECT_EQ(list->currentIndex().data().toString(), QStringLiteral("Show page: Run"));
    QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
    EXPECT_FALSE(palette->isVisible());
    ASSERT_TRUE(waitFor([&] { return window_->currentPage() == QStringLiteral("run"); }));
}

TEST_F(WindowTest, EveryCommandHasAHintAndEveryIconIsDrawnInTheTextColour) {
    for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
        applyTheme(theme);
        const QColor text = QApplication::palette().color(QPalette::ButtonText);
        for (const QAction* action : window_->commands()) {
            EXPECT_FALSE(action->toolTip().isEmpty()) << action->text().toStdString();
            if (action->icon().isNull()) continue;
            const QImage image = action->icon().pixmap(24, 24, QIcon::Normal).toImage();
            int solid = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (const QColor pixel = image.pixelColor(x, y); pixel.alpha() > 200) {
                        ++solid;
                        EXPECT_NEAR(pixel.lightness(), text.lightness(), 6)
                            << action->text().toStdString();
                    }
            EXPECT_GT(solid, 8) << action->text().toStdString() << ": an empty icon";
        }
    }
}

TEST_F(WindowTest, ThemeLayoutAndRecentFilesAreRemembered) {
    command(QStringLiteral("Dark"))->trigger();
    EXPECT_TRUE(isDark(window_->palette()));
    openSample("mlp");
    find<QDockWidget>("inspectorDock")->hide();
    find<QDockWidget>("variantsDock")->show();
    window_->close();
    window_ = std::make_unique<MainWindow>(*workbench_);
    window_->show();
    window_->showPage(QStringLiteral("graph"));
    EXPECT_FALSE(find<QDockWidget>("inspectorDock")->isVisible());
    EXPECT_TRUE(find<QDockWidget>("variantsDock")->isVisible());
    command(QStringLiteral("Reset layout"))->trigger();
    EXPECT_TRUE(find<QDockWidget>("inspectorDock")->isVisible());
    EXPECT_FALSE(find<QDockWidget>("variantsDock")->isVisible());
    EXPECT_EQ(QSettings().value(QStringLiteral("theme")).toString(), QStringLiteral("dark"));
}

TEST_F(WindowTest, PanelsHaveTheirSizeOnEachPage) {
    openSample("mlp");
    auto* inspector = find<QDockWidget>("inspectorDock");
    const auto widthIs = [&](int width) {
        return waitFor([&] { return std::abs(inspector->width() - width) <= 2; });
    };
    window_->showPage(QStringLiteral("graph"));
    ASSERT_TRUE(inspector->isVisible());
    window_->resizeDocks({inspector}, {340}, Qt::Horizontal);
    ASSERT_TRUE(widthIs(340)) << inspector->width();
    window_->showPage(QStringLiteral("run"));
    window_->resizeDocks({inspector}, {380}, Qt::Horizontal);
    ASSERT_TRUE(widthIs(380)) << inspector->width();
    window_->showPage(QStringLiteral("graph"));
    EXPECT_TRUE(widthIs(340)) << inspector->width();
    window_->showPage(QStringLiteral("run"));
    EXPECT_TRUE(widthIs(380)) << inspector->width();
    ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
    ASSERT_TRUE(window_->close());
    const QSettings settings;
    EXPECT_NEAR(settings.value(QStringLiteral("panels/graph/inspectorDock")).toInt(), 340, 2);
    EXPECT_NEAR(settings.value(QStringLiteral("panels/run/inspectorDock")).toInt(), 380, 2);
}

TEST_F(WindowTest, PanelsCloseToIconsAtTheFootOfTheRail) {
    openSample("mlp");
    auto* rail = find<QWidget>("modeRail");
    for (const char* name : {"variantsDock", "inspectorDock", "bottomDock"}) {
        auto* dock = find<QDockWidget>(name);
        QToolButton* icon = nullptr;
        for (auto* button : rail->findChildren<QToolButton*>())
            if (button->defaultAction() == dock->toggleViewAction()) icon = button;
        ASSERT_NE(icon, nullptr) << name;
        EXPECT_TRUE(icon->isVisible());
        EXPECT_TRUE(rail->rect().contains(icon->geometry())) << name;
        EXPECT_FALSE(icon->icon().isNull()) << name;
        EXPECT_TRUE(icon->toolTip().contains(dock->windowTitle())) << icon->toolTip().toStdString();
        const bool wasOpen = dock->isVisible();
        EXPECT_EQ(icon->isChecked(), wasOpen) << name;
        icon->click();
        EXPECT_EQ(dock->isVisible(), !wasOpen) << name;
        EXPECT_EQ(icon->isChecked(), !wasOpen) << name;
        icon->click();
        EXPECT_EQ(dock->isVisible(), wasOpen) << name;
    }
}

TEST_F(WindowTest, DocksStayClosedUntilTheyHaveSomethingToSay) {
    auto *variants = find<QDockWidget>("variantsDock"), *bottom = find<QDockWidget>("bottomDock");
    auto* count = find<QToolButton>("problemCount");
    const auto settle = [] { QTest::qWait(50); };
    openSample("mlp");
    settle();
    EXPECT_FALSE(variants->isVisible());
    EXPECT_FALSE(bottom->isVisible());
    EXPECT_FALSE(count->isVisible()) << "nothing is odd about it";
    app::Recipe recipe;
    recipe.level = Level::basic;
    workbench_->choose(recipe, QStringLiteral("test"));
    ASSERT_TRUE(waitFor([&] { return workbench_->recipeInForce() == recipe; }));
    settle();
    EXPECT_FALSE(variants->isVisible()) << "a plain level is in the toolbar's menu";
    recipe.stop_after = 1;
    workbench_->choose(recipe, QStringLiteral("test"));
    ASSERT_TRUE(waitFor([&] { return workbench_->recipeInForce() == recipe; }));
    settle();
    EXPECT_FALSE(variants->isVisible()) << "a window of 1300 has no room for it beside a page";
    window_->resize(1600, 850);
    recipe.stop_after = 2;
    workbench_->choose(recipe, QStringLiteral("test"));
    ASSERT_TRUE(
        waitFor([&] { return workbench_->recipeInForce() == recipe && variants->isVisible(); }));
    variants->close();
    recipe.level = Level::extended;
    recipe.stop_after = 1;
    workbench_->choose(recipe, QStringLiteral("test"));
    ASSERT_TRUE(waitFor([&] { return workbench_->recipeInForce() == recipe; }));
    settle();
    EXPECT_FALSE(variants->isVisible()) << "what the user closed stays closed";
}

TEST_F(WindowTest, ProblemsOpenTheirDockAndAreCountedInTheStatusBar) {
    Model model = build_sample("mlp");
    GraphEdit edit(model.graph);
    edit.add_node({.op_type = "NoSuchOperator",
                   .inputs = {model.graph.inputs()[0]},
                   .outputs = {edit.add_value("odd")},
                   .name = "odd",
                   .domain = "nobody",
                   .version = 1});
    edit.finish();
    workbench_->adopt(std::make_shared<const Model>(std::move(model)), QStringLiteral("odd"));
    auto* bottom = find<QDockWidget>("bottomDock");
    auto* count = find<QToolButton>("problemCount");
    ASSERT_TRUE(waitFor([&] { return bottom->isVisible(); }));
    EXPECT_TRUE(count->isVisible());
    EXPECT_TRUE(count->isChecked());
    QTest::mouseClick(count, Qt::LeftButton);
    EXPECT_FALSE(bottom->isVisible());
    EXPECT_FALSE(count->isChecked());
    QTest::mouseClick(count, Qt::LeftButton);
    EXPECT_TRUE(bottom->isVisible());
}

TEST_F(WindowTest, EscapeCancelsALoad) {
    workbench_->openSample(QStringLiteral("bert-base"));
    EXPECT_TRUE(command(QStringLiteral("Cancel"))->isEnabled());
    QSignalSpy cancelled(workbench_.get(), &app::Workbench::openCancelled);
    window_->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get(), patience_ms));
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    ASSERT_TRUE(waitFor([&] { return !cancelled.isEmpty(); }));
    EXPECT_FALSE(workbench_->document());
    EXPECT_FALSE(window_->banner()->isVisible());
    EXPECT_FALSE(command(QStringLiteral("Cancel"))->isEnabled());
}

TEST_F(WindowTest, SampleCardsOpenTheirModel) {
    QTest::mouseClick(find<QAbstractButton>("sample_mlp"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return workbench_->document() != nullptr; }));
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
}

TEST_F(WindowTest, TheWindowAnswersWhileAModelLoadsAndRuns) {
    window_->grab();  // fonts and icons are loaded once
    GuiWatchdog watchdog;
    workbench_->openSample(QStringLiteral("resnet50"));
    ASSERT_TRUE(waitFor([&] { return workbench_->document() != nullptr; }));
    ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
    workbench_->openSample(QStringLiteral("squeezenet"));
    ASSERT_TRUE(waitFor(
        [&] { return workbench_->document()->title.startsWith(QStringLiteral("SqueezeNet")); }));
    runModel();
    const GuiWatchdog::Longest longest = watchdog.stop();
    EXPECT_LT(longest.held_ms, 50 * wall_factor);
}

TEST_F(WindowTest, WidgetsThatTakeTheFocusHaveNames) {
    openSample("mlp");
    for (const QString& id : window_->pageIds()) {
        window_->showPage(id);
        for (QWidget* widget : window_->page(id)->findChildren<QWidget*>()) {
            if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus)) continue;
            if (widget->objectName().startsWith(QLatin1String("qt_")) ||
                widget->inherits("QScrollArea"))
                continue;
            if (widget->parentWidget()->inherits("QAbstractSpinBox") ||
                widget->parentWidget()->inherits("QComboBox"))
                continue;
            QString name = widget->accessibleName();
            if (name.isEmpty() && widget->inherits("QAbstractButton"))
                name = static_cast<QAbstractButton*>(widget)->text();
            if (name.isEmpty() && widget->inherits("QTabBar")) continue;  // its tabs have texts
            EXPECT_FALSE(name.isEmpty())
                << id.toStdString() << ": " << widget->metaObject()->className() << ' '
                << widget->objectName().toStdString();
        }
    }
}

TEST(FindProblems, ListsTheGravestFirst) {
    app::Document document;
    document.model = std::make_shared<const Model>();
    document.summary.warnings.push_back({"tensor \"w\"", "odd"});
    document.summary.unsupported.push_back({"node \"n\" (Foo)", "Foo", "no kernel"});
    document.summary.inputs.emplace_back("x", Type{});
    app::RunRecord run;
    auto profile = std::make_shared<Profile>();
    profile->dropped_events = 3;
    profile->runs = 1;
    run.profile = profile;
    const auto problems = findProblems(document, &run);
    ASSERT_EQ(problems.size(), 5u);
    EXPECT_EQ(problems[0].message, QStringLiteral("no kernel"));
    EXPECT_EQ(problems[1].message, QStringLiteral("odd"));
    EXPECT_EQ(problems.back().severity, Problem::Severity::note);
    document.summary.warnings.resize(100'000);
    EXPECT_LT(findProblems(document, nullptr).size(), 3000u);
}

TEST(FuzzyScore, FindsLettersInOrderAndPrefersWordStarts) {
    EXPECT_FALSE(fuzzyScore(QStringLiteral("xyz"), QStringLiteral("Show page: Run")));
    EXPECT_FALSE(fuzzyScore(QStringLiteral("nur"), QStringLiteral("Run")));
    EXPECT_TRUE(fuzzyScore(QStringLiteral("s p r"), QStringLiteral("Show page: Run")));
    EXPECT_EQ(fuzzyScore(QString(), QStringLiteral("anything")), 0);
    EXPECT_GT(*fuzzyScore(QStringLiteral("st"), QStringLiteral("Save trace")),
              *fuzzyScore(QStringLiteral("st"), QStringLiteral("Reset")));
    EXPECT_GT(*fuzzyScore(QStringLiteral("run"), QStringLiteral("Run")),
              *fuzzyScore(QStringLiteral("run"), QStringLiteral("Return on")));
}

TEST(Quantities, ReadLikePeopleWriteThem) {
    EXPECT_EQ(formatBytes(999), QStringLiteral("999 B"));
    EXPECT_EQ(formatBytes(97'800'000), QStringLiteral("97.8 MB"));
    EXPECT_EQ(formatBytes(999'999), QStringLiteral("1.00 MB"));
    EXPECT_EQ(formatNanoseconds(18'500), QStringLiteral("18.5 µs"));
    EXPECT_EQ(formatMilliseconds(1240), QStringLiteral("1.24 s"));
    EXPECT_EQ(formatPercent(0.713), QStringLiteral("71.3 %"));
    EXPECT_EQ(formatCompactCount(25'600'000), QStringLiteral("25.6 M"));
}

}  // namespace
}  // namespace lapidary::views
