// SPDX-License-Identifier: Apache-2.0
// What holds the pages: chips, settings, sheet of keys, quitting.
#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QMenuBar>
#include <QSpinBox>
#include <QStatusBar>
#include <QStyle>
#include <QTemporaryFile>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <functional>

#include "theme/interface_font.h"
#include "views/scripted_engine.h"
#include "widgets/plot/picture_export.h"
#include "widgets/text/proposed_name.h"
#include "widgets/text/quantity.h"
#include "window/dialogs/settings_dialog.h"
#include "window/help/shortcut_sheet.h"
#include "window/mode_rail.h"
#include "views/window_fixture.h"
#include "workbench/jobs/comparison.h"
#include "workbench/project/project.h"
#include "workbench/project/recent_files.h"
#include "workbench/document/run_conditions.h"
#include "workbench/project/settings.h"
#include "workbench/jobs/worker_link.h"

namespace lapidary::views {
namespace {

class FrameTest : public WindowTest {
protected:
    QAction* entry(const char* menu, const QString& beginning) {
        auto* of = find<QMenu>(menu);
        emit of->aboutToShow();
        for (QAction* action : of->actions())
            if (QString text = action->text(); text.remove(u'&').startsWith(beginning))
                return action;
        ADD_FAILURE() << "no entry " << beginning.toStdString();
        return nullptr;
    }
};

TEST_F(FrameTest, TheChipPutsAVariantInForce) {
    EXPECT_FALSE(find<QToolButton>("variantChip")->isEnabled());
    openSample("mlp");
    auto* chip = find<QToolButton>("variantChip");
    EXPECT_TRUE(chip->isEnabled());
    EXPECT_TRUE(chip->text().startsWith(QStringLiteral("Original"))) << chip->text().toStdString();
    EXPECT_TRUE(entry("variantMenu", QStringLiteral("Original"))->isChecked());
    QAction* extended = entry("variantMenu", QStringLiteral("Extended"));
    EXPECT_TRUE(extended->text().contains(QStringLiteral("not made yet")));
    extended->trigger();
    ASSERT_TRUE(waitFor([&] { return workbench_->document()->variant != nullptr; }));
    EXPECT_EQ(workbench_->recipeInForce().level, Level::extended);
    EXPECT_TRUE(chip->text().startsWith(QStringLiteral("Extended"))) << chip->text().toStdString();
    EXPECT_TRUE(entry("variantMenu", QStringLiteral("Extended"))->isChecked());
    entry("variantMenu", QStringLiteral("Compare as A"))->trigger();
    EXPECT_TRUE(chip->text().contains(QStringLiteral(" · A"))) << chip->text().toStdString();
    EXPECT_EQ(workbench_->timeOf(workbench_->recipeInForce()), nullptr);
    runModel();
    const app::RunFigures* time = workbench_->timeOf(workbench_->recipeInForce());
    ASSERT_TRUE(time);
    EXPECT_TRUE(chip->text().contains(formatMedian(time->median_ms, time->low_ms, time->high_ms)))
        << chip->text().toStdString();
}

TEST_F(FrameTest, PresetsAreTheSizesOfAllPages) {
    openSample("bert-tiny");
    auto* chip = find<QToolButton>("sizesChip");
    const QString before = chip->text();
    entry("sizesMenu", QStringLiteral("Sequence 32"))->trigger();
    EXPECT_NE(chip->text(), before);
    EXPECT_TRUE(chip->text().contains(QStringLiteral("32"))) << chip->text().toStdString();
    EXPECT_TRUE(entry("sizesMenu", QStringLiteral("Sequence 32"))->isChecked());
    runModel();
    EXPECT_EQ(app::sizesOf(*workbench_->opened()->model, workbench_->run()->inputs),
              workbench_->conditions().sizes);
    entry("sizesMenu", QStringLiteral("Usual sizes"))->trigger();
    EXPECT_EQ(chip->text(), before);
}

TEST_F(FrameTest, AModelOfFixedSizesSaysSo) {
    openSample("mlp");
    const bool fixed = workbench_->conditions().sizes.empty();
    EXPECT_EQ(find<QToolButton>("sizesChip")->isEnabled(), !fixed);
}

TEST_F(FrameTest, PagesMoveTogetherInALowWindow) {
    ModeRail rail;
    std::vector<std::unique_ptr<QAction>> actions;
    for (const QString& id : window_->pageIds()) {
        actions.push_back(std::make_unique<QAction>(id));
        actions.back()->setData(id);
        rail.addPage(actions.back().get());
    }
    ASSERT_GE(actions.size(), 10u);
    EXPECT_LE(rail.minimumSizeHint().height(), rail.sizeHint().height() - 150);
    rail.resize(rail.width(), rail.minimumSizeHint().height());
    rail.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&rail));
    int end = 0;
    for (const QString& id : window_->pageIds()) {
        const QRect place = rail.button(id)->geometry();
        EXPECT_GE(place.top(), end) << id.toStdString();
        end = place.bottom() + 1;
    }
    EXPECT_LE(end, rail.height());
}

TEST_F(FrameTest, TheRailHasRoomForItsLongestName) {
    ModeRail rail;
    QAction brief(QStringLiteral("Run")), longer(QStringLiteral("Quantisieren und mehr"));
    brief.setData(QStringLiteral("brief"));
    longer.setData(QStringLiteral("longer"));
    rail.addPage(&brief);
    const int narrow = rail.width();
    rail.addPage(&longer);
    EXPECT_GT(rail.maximumWidth(), narrow);
    EXPECT_LE(rail.maximumWidth(), 120) << "the page keeps its room";
    EXPECT_EQ(rail.button(QStringLiteral("brief"))->sizeHint().width(),
              rail.button(QStringLiteral("longer"))->sizeHint().width());
}

TEST_F(FrameTest, SettingsAreTakenAndUsualSizesHoldAtTheNextOpening) {
    command(QStringLiteral("Settings …"))->trigger();
    auto* dialog = window_->findChild<SettingsDialog*>();
    ASSERT_TRUE(dialog);
    dialog->findChild<QSpinBox*>(QStringLiteral("threadsSetting"))->setValue(1);
    dialog->findChild<QSpinBox*>(QStringLiteral("sequenceSetting"))->setValue(16);
    auto* theme = dialog->findChild<QComboBox*>(QStringLiteral("themeSetting"));
    theme->setCurrentIndex(theme->findData(int(ThemeChoice::dark)));
    dialog->findChild<QCheckBox*>(QStringLiteral("askRunning"))->setChecked(false);
    dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    EXPECT_EQ(workbench_->runSettings().resources.threads, 1);
    EXPECT_TRUE(isDark(window_->palette()));
    EXPECT_FALSE(app::loadQuestions().running);
    openSample("bert-tiny");
    EXPECT_TRUE(find<QToolButton>("sizesChip")->text().contains(QStringLiteral("16")))
        << find<QToolButton>("sizesChip")->text().toStdString();
}

TEST_F(FrameTest, ReopeningIsASetting) {
    command(QStringLiteral("Settings …"))->trigger();
    auto* dialog = window_->findChild<SettingsDialog*>();
    ASSERT_TRUE(dialog);
    auto* reopen = dialog->findChild<QCheckBox*>(QStringLiteral("reopenSetting"));
    ASSERT_TRUE(reopen);
    EXPECT_FALSE(reopen->isChecked());
    reopen->setChecked(true);
    dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    EXPECT_TRUE(app::loadReopens());
}

TEST_F(FrameTest, AStartReopensTheNewestFileThatIsThere) {
    QTemporaryFile file;
    ASSERT_TRUE(file.open());
    const QStringList recent{file.fileName(), QStringLiteral("/no/such/file.onnx")};
    EXPECT_TRUE(app::filesToReopen(recent).isEmpty()) << "only if the settings say so";
    app::saveReopens(true);
    EXPECT_EQ(app::filesToReopen(recent), QStringList{file.fileName()});
    EXPECT_TRUE(app::filesToReopen({recent.back()}).isEmpty());
    EXPECT_TRUE(app::filesToReopen({}).isEmpty());
}

TEST_F(FrameTest, AnotherWindowIsAskedFor) {
    QSignalSpy asked(window_.get(), &MainWindow::anotherWindowRequested);
    command(QStringLiteral("New window"))->trigger();
    EXPECT_EQ(asked.count(), 1);
}

TEST_F(FrameTest, TheSheetHasEveryKeyOfTheWindow) {
    command(QStringLiteral("Keyboard shortcuts"))->trigger();
    auto* sheet = window_->findChild<ShortcutSheet*>();
    ASSERT_TRUE(sheet);
    QStringList keys;
    for (int line = 0; line < sheet->model().rowCount(); ++line)
        keys << sheet->model().row(line).keys.split(QStringLiteral(", "));
    for (const QAction* action : window_->commands())
        for (const QKeySequence& sequence : action->shortcuts())
            EXPECT_TRUE(keys.contains(sequence.toString(QKeySequence::NativeText)))
                << action->text().toStdString() << ' ' << sequence.toString().toStdString();
}

TEST_F(FrameTest, IconsOfQuestionsAreSharpAtEveryScale) {
    constexpr int side = 32;
    for (const QStyle::StandardPixmap sign :
         {QStyle::SP_MessageBoxQuestion, QStyle::SP_MessageBoxInformation,
          QStyle::SP_MessageBoxWarning, QStyle::SP_MessageBoxCritical,
          QStyle::SP_ToolBarHorizontalExtensionButton})
        for (const qreal ratio : {1.0, 2.0, 3.0}) {
            const QPixmap drawn =
                QApplication::style()->standardIcon(sign).pixmap(QSize(side, side), ratio);
            ASSERT_EQ(drawn.size(), QSize(side, side) * ratio) << int(sign);
            // Lines of 1.6 of 24 units: pixels between full and none only at their rims, not
            // everywhere.
            const QImage image = drawn.toImage().convertToFormat(QImage::Format_ARGB32);
            int rims = 0, full = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) {
                    const int alpha = qAlpha(image.pixel(x, y));
                    full += alpha > 230;
                    rims += alpha > 25 && alpha <= 230;
                }
            EXPECT_GT(full, 0) << int(sign);
            if (ratio >= 3)
                EXPECT_GT(full, rims) << int(sign) << ": it is a small picture drawn large";
        }
}

TEST_F(FrameTest, MenusAreShort) {
    constexpr qsizetype mostEntries = 20;
    constexpr int mostHeight = 600;  // pixels, of a window of 800
    std::function<void(const QMenu*)> judge = [&](const QMenu* menu) {
        const QList<QAction*> entries = menu->actions();
        EXPECT_LE(std::ranges::count_if(entries,
                                        [](const QAction* entry) { return !entry->isSeparator(); }),
                  mostEntries)
            << menu->title().toStdString();
        EXPECT_LE(menu->sizeHint().height(), mostHeight) << menu->title().toStdString();
        for (const QAction* entry : entries)
            if (entry->menu()) judge(entry->menu());
    };
    for (const QAction* top : window_->menuBar()->actions()) judge(top->menu());
}

TEST_F(FrameTest, FilesAreProposedUnderTheNameOfTheModel) {
    workbench_->adopt(std::make_shared<const Model>(build_sample("mlp")),
                      QStringLiteral("my net/v2.onnx"));
    EXPECT_EQ(proposedName(*window_, QStringLiteral("graph")), QStringLiteral("my_net_v2-graph"));
    savePicture(
        *window_->page(QStringLiteral("graph"))->findChild<QWidget*>(QStringLiteral("graphCanvas")),
        QStringLiteral("graph"));
    auto* dialog = find<QFileDialog>("savePictureDialog");
    ASSERT_TRUE(dialog);
    EXPECT_TRUE(dialog->selectedFiles().first().endsWith(QStringLiteral("my_net_v2-graph.png")))
        << dialog->selectedFiles().first().toStdString();
    dialog->close();
    workbench_->adopt(std::make_shared<const Model>(build_sample("mlp")),
                      QStringLiteral("my net.ort"));
    EXPECT_EQ(proposedName(*window_, QStringLiteral("graph")), QStringLiteral("my_net-graph"));
    workbench_->closeModel();
    EXPECT_EQ(proposedName(*window_, QStringLiteral("graph")), QStringLiteral("graph"));
}

// Qt runs neither of two commands that share a key and are reachable at the same time.
TEST_F(FrameTest, NoKeyMeansTwoThingsOnOnePage) {
    for (const QString& id : window_->pageIds()) {
        QHash<QString, QString> meanings;
        const QList<QAction*> own = window_->page(id)->pageActions();
        for (const QAction* action : window_->commands()) {
            const bool ofWindow = action->shortcutContext() == Qt::WindowShortcut;
            if (!ofWindow && !own.contains(const_cast<QAction*>(action))) continue;
            for (const QKeySequence& sequence : action->shortcuts()) {
                const QString key = sequence.toString();
                EXPECT_FALSE(meanings.contains(key) && meanings[key] != action->text())
                    << id.toStdString() << ": " << key.toStdString() << " is "
                    << meanings[key].toStdString() << " and " << action->text().toStdString();
                meanings[key] = action->text();
            }
        }
    }
}

TEST_F(FrameTest, TheStatusBarShowsNothingOfWhatIsGone) {
    const auto said = [this] { return window_->statusBar()->currentMessage(); };
    openSample("mlp");
    window_->showPage(QStringLiteral("run"));
    emit window_->page(QStringLiteral("run"))->statusMessage(QStringLiteral("of the Run page"));
    EXPECT_EQ(said(), QStringLiteral("of the Run page"));
    window_->showPage(QStringLiteral("memory"));
    EXPECT_EQ(said(), QString()) << "another page";
    emit window_->page(QStringLiteral("memory"))->statusMessage(QStringLiteral("of this model"));
    openSample("lenet");
    EXPECT_EQ(said(), QString()) << "another model";
}

TEST_F(FrameTest, FontAndSizeOfTextsAreSettings) {
    const QFont before = QApplication::font();
    command(QStringLiteral("Settings …"))->trigger();
    auto* dialog = window_->findChild<SettingsDialog*>();
    ASSERT_TRUE(dialog);
    auto* fonts = dialog->findChild<QComboBox*>(QStringLiteral("fontSetting"));
    auto* sizes = dialog->findChild<QComboBox*>(QStringLiteral("textSizeSetting"));
    ASSERT_TRUE(fonts && sizes);
    EXPECT_EQ(fonts->currentData().toString(), QString()) << "that of the desktop at first";
    EXPECT_EQ(sizes->currentData().toInt(), 100);
    fonts->setCurrentIndex(fonts->count() - 1);
    const QString family = fonts->currentData().toString();
    sizes->setCurrentIndex(sizes->findData(150));
    dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    const app::TextLook look = app::loadTextLook();
    EXPECT_EQ(look.family, family);
    EXPECT_EQ(look.percent, 150);
    EXPECT_EQ(QApplication::font(), before) << "from the next start on";
    applyInterfaceFont(look.family, look.percent);
    EXPECT_NEAR(QApplication::font().pointSizeF(), before.pointSizeF() * 1.5, 0.01);
    if (!family.isEmpty()) { EXPECT_EQ(QApplication::font().families().first(), family); }
    applyInterfaceFont(QStringLiteral("no such font"), 100);
    EXPECT_EQ(QApplication::font().families(), before.families());
    EXPECT_NEAR(QApplication::font().pointSizeF(), before.pointSizeF(), 0.01);
}

TEST_F(FrameTest, UnitsAndWorkerAreSettings) {
    command(QStringLiteral("Settings …"))->trigger();
    auto* dialog = window_->findChild<SettingsDialog*>();
    ASSERT_TRUE(dialog);
    auto* units = dialog->findChild<QComboBox*>(QStringLiteral("unitsSetting"));
    auto* worker = dialog->findChild<QCheckBox*>(QStringLiteral("workerSetting"));
    ASSERT_TRUE(units && worker);
    EXPECT_TRUE(worker->isChecked());
    units->setCurrentIndex(1);
    worker->setChecked(false);
    dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    EXPECT_EQ(app::loadByteUnits(), app::ByteUnits::binary);
    EXPECT_FALSE(app::loadSeparateWorker());
    app::WorkerLink link;
    EXPECT_FALSE(link.isSeparate()) << "at the next start";
    EXPECT_EQ(link.whyShared(), QStringLiteral("the settings say so"));
    setBytesInPowersOf1024(true);
    EXPECT_EQ(formatBytes(1536), QStringLiteral("1.50 KiB"));
    EXPECT_EQ(formatBytes(1000), QStringLiteral("1,000 B"));
    setBytesInPowersOf1024(false);
    EXPECT_EQ(formatBytes(1536), QStringLiteral("1.54 kB"));
}

TEST_F(FrameTest, QuittingAsksWhileSomethingIsMeasured) {
    window_.reset();
    auto engine = std::make_unique<ScriptedEngine>();
    ScriptedEngine* script = engine.get();
    workbench_ = std::make_unique<app::Workbench>(std::move(engine));
    window_ = std::make_unique<MainWindow>(*workbench_);
    window_->show();
    workbench_->loadSample(QStringLiteral("mlp"));
    ASSERT_TRUE(waitFor([&] { return workbench_->opened() != nullptr; }));
    app::Recipe basic;
    basic.level = Level::basic;
    workbench_->useRecipe(basic);
    ASSERT_TRUE(waitFor([&] { return workbench_->document()->variant != nullptr; }));
    workbench_->project().setSlot(app::Slot::B, workbench_->document()->variant);
    workbench_->variants().requestAlso(app::Recipe::plain(Level::disabled));
    ASSERT_TRUE(waitFor([&] { return workbench_->comparison().isPossible(); }));
    workbench_->project().forgetChanges();
    script->hold = true;
    workbench_->comparison().start();
    ASSERT_TRUE(workbench_->comparison().isRunning());
    window_->close();
    EXPECT_TRUE(window_->isVisible());
    auto* box = window_->findChild<QMessageBox*>(QStringLiteral("runningWork"));
    ASSERT_TRUE(box);
    box->escapeButton()->click();
    EXPECT_TRUE(window_->isVisible()) << "stays";
    window_->close();
    box = window_->findChild<QMessageBox*>(QStringLiteral("runningWork"));
    ASSERT_TRUE(box);
    for (QAbstractButton* button : box->buttons())
        if (button != box->escapeButton()) button->click();
    EXPECT_TRUE(waitFor([&] { return !window_->isVisible(); }))
        << "nothing else is asked: nothing was changed";
    script->hold = false;
    workbench_->comparison().cancel();
    ASSERT_TRUE(waitFor([&] { return !workbench_->comparison().isRunning(); }));
}

}  // namespace
}  // namespace lapidary::views
