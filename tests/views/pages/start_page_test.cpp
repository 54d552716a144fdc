// SPDX-License-Identifier: Apache-2.0
// The start page leads somewhere: three doors, questions that a sample answers, and the tour, which
// the user walks.
#include <QAbstractButton>
#include <QDir>
#include <QFileDialog>
#include <QListWidget>
#include <QMimeData>
#include <QUrl>

#include <set>

#include <lapidary/onnx_io/model_io.h>

#include "canvas/graph_canvas.h"
#include "memory/memory_page.h"
#include "views/optimize/optimize_fixture.h"
#include "start/drop_zone.h"
#include "support/test_data.h"
#include "widgets/cards/card_button.h"
#include "widgets/text/quantity.h"
#include "window/help/coach_mark.h"
#include "window/help/tour.h"

namespace lapidary::views {
namespace {

class StartPageTest : public OptimizeTest {
protected:
    void press(const char* name) {
        auto* button = find<QAbstractButton>(name);
        ASSERT_TRUE(button->isVisible()) << name;
        QTest::mouseClick(button, Qt::LeftButton);
    }
    bool isOn(const char* id) const { return window_->currentPage() == QLatin1String(id); }
};

TEST_F(StartPageTest, DoorsLeadToAFileATourAndAProfile) {
    press("doorProfile");
    auto* profile = find<QFileDialog>("openProfileDialog");
    EXPECT_TRUE(profile->nameFilters().front().contains(QStringLiteral("*.json")));
    profile->reject();
    press("doorOpen");
    EXPECT_TRUE(find<QFileDialog>("openDialog")->isVisible());
    for (const char* ending : {"*.onnx", "*.ort", "*.lapidary", "*.json"})
        EXPECT_TRUE(
            find<QFileDialog>("openDialog")->nameFilters().front().contains(QLatin1String(ending)))
            << ending;
    find<QFileDialog>("openDialog")->reject();
    press("doorTour");
    EXPECT_TRUE(window_->tour()->isRunning());
}

TEST_F(StartPageTest, FilesThatOpenCanBeDropped) {
    const QStringList names{QStringLiteral("/a/net.onnx"), QStringLiteral("/a/net.ORT"),
                            QStringLiteral("/a/b.lapidary"), QStringLiteral("/a/run.json")};
    QList<QUrl> urls{QUrl::fromLocalFile(QStringLiteral("/a/words.txt"))};
    for (const QString& name : names) urls << QUrl::fromLocalFile(name);
    QMimeData data;
    data.setUrls(urls);
    EXPECT_EQ(openableFiles(&data), names);
}

// None stands alone in a row beneath the others, however wide the page is.
TEST_F(StartPageTest, TitlesOfCardsAreWhole) {
    const QFontMetrics metrics(scaledFont(1.05, true));
    for (const int width : {1280, 1600, 2560}) {
        window_->resize(width, 800);
        QTest::qWait(50);
        for (const CardButton* card : window_->findChildren<CardButton*>()) {
            if (!card->isVisible()) continue;
            // what is left of the height has room for the lines that the title takes
            const int room = card->width() - 46;  // beside the icon
            const int title =
                metrics.boundingRect(QRect(0, 0, room, 1000), Qt::TextWordWrap, card->text())
                    .height();
            const int text = card->fontMetrics()
                                 .boundingRect(QRect(0, 0, room, 1000), Qt::TextWordWrap,
                                               card->accessibleDescription())
                                 .height();
            EXPECT_GE(card->height(), title + text)
                << card->text().toStdString() << " at " << width;
        }
    }
}

TEST_F(StartPageTest, DoorsStandInARowOrInAColumn) {
    openSample("mlp");
    window_->showPage(QStringLiteral("start"));
    std::set<std::size_t> shapes;
    for (const int width : {640, 800, 900, 1000, 1100, 1200, 1280, 1600}) {
        window_->resize(width, 800);
        QTest::qWait(20);
        std::set<int> lefts, tops;
        for (const char* name : {"doorOpen", "doorTour", "doorProfile"}) {
            const QRect place = find<QAbstractButton>(name)->geometry();
            lefts.insert(place.left());
            tops.insert(place.top());
        }
        EXPECT_TRUE(lefts.size() == 1 || tops.size() == 1) << "at " << width;
        shapes.insert(tops.size());
    }
    EXPECT_EQ(shapes.size(), 2u) << "a row where there is room, else a column";
}

TEST_F(StartPageTest, WhyIsItSlowRunsASampleAndShowsWhere) {
    press("jobSlow");
    ASSERT_TRUE(waitFor([&] { return isOn("run") && runPage()->state() == RunPage::State::done; }));
    EXPECT_EQ(workbench_->opened()->source.sample, "bert-tiny");
}

TEST_F(StartPageTest, WhatHoldsMemoryPlansASample) {
    press("jobMemory");
    auto* memory = qobject_cast<MemoryPage*>(window_->page(QStringLiteral("memory")));
    ASSERT_TRUE(waitFor([&] { return isOn("memory") && memory->picture(); }));
    EXPECT_FALSE(workbench_->run()) << "nothing ran for it";
}

TEST_F(StartPageTest, AnOpenModelIsAskedInsteadOfTheSample) {
    openSample("lenet");
    window_->showPage(QStringLiteral("start"));
    const auto opened = workbench_->opened();
    press("jobOptimize");
    EXPECT_TRUE(isOn("optimize"));
    EXPECT_EQ(workbench_->opened(), opened);
}

TEST_F(StartPageTest, AnotherModelOpenedMeanwhileIsNotAsked) {
    press("jobMemory");
    workbench_->openSample(QStringLiteral("mlp"));
    ASSERT_TRUE(waitFor(
        [&] { return workbench_->opened() && workbench_->opened()->source.sample == "mlp"; }));
    QTest::qWait(50);
    EXPECT_TRUE(isOn("graph"));
}

// As the user does it: everything is done on the widget that the mark points at.
TEST_F(StartPageTest, TheTourIsWalkedToItsEnd) {
    window_->resize(1280, 800);
    Tour* tour = window_->tour();
    press("doorTour");
    CoachMark* mark = tour->mark();
    const auto reaches = [&](int step) {
        const bool reached = waitFor([&] { return tour->step() == step; });
        EXPECT_TRUE(reached) << "step " << tour->step() << ": " << mark->text().toStdString();
        if (reached && step >= 0) {
            EXPECT_TRUE(mark->isVisible());
            EXPECT_TRUE(window_->rect().contains(mark->geometry())) << step;
            EXPECT_TRUE(waitFor([&] { return mark->target() != nullptr; }))
                << "nothing to point at in step " << step;
        }
        return reached;
    };
    ASSERT_TRUE(reaches(0));
    EXPECT_FALSE(mark->nextButton()->isVisible()) << "it waits for the user";
    EXPECT_FALSE(mark->geometry().intersects(
        QRect(mark->target()->mapTo(window_.get(), QPoint()), mark->target()->size())))
        << "the bubble is not in the way";
    QTest::mouseClick(mark->target(), Qt::LeftButton);
    ASSERT_TRUE(reaches(1));
    auto* canvas = qobject_cast<GraphCanvas*>(mark->target());
    ASSERT_TRUE(canvas);
    ASSERT_TRUE(waitFor([&] { return canvas->scene() != nullptr; }));
    const auto& boxes = canvas->scene()->boxes;
    const auto box = std::ranges::find_if(boxes, [&](const SceneBox& b) {
        return !b.open && canvas->rect().contains(canvas->fromScene(b.rect().center()).toPoint());
    });
    ASSERT_NE(box, boxes.end());
    QTest::mouseClick(canvas, Qt::LeftButton, {},
                      canvas->fromScene(box->rect().center()).toPoint());
    ASSERT_TRUE(reaches(2));
    QTest::mouseClick(mark->target(), Qt::LeftButton);
    ASSERT_TRUE(reaches(3));
    ASSERT_TRUE(optimized());
    ASSERT_TRUE(waitFor([&] { return mark->target() != nullptr; }));
    QTest::mouseClick(mark->target(), Qt::LeftButton);
    ASSERT_TRUE(reaches(4));
    EXPECT_EQ(workbench_->recipeInForce().level, Level::extended);
    QTest::mouseClick(mark->target(), Qt::LeftButton);
    ASSERT_TRUE(reaches(5));
    EXPECT_TRUE(isOn("run"));
    mark->nextButton()->click();
    EXPECT_FALSE(tour->isRunning());
    EXPECT_FALSE(mark->isVisible());
}

TEST_F(StartPageTest, TheTourCanBeEndedAtAnyTime) {
    command(QStringLiteral("Take the tour"))->trigger();
    ASSERT_TRUE(window_->tour()->isRunning());
    window_->tour()->mark()->endButton()->click();
    EXPECT_FALSE(window_->tour()->isRunning());
    EXPECT_FALSE(find<QWidget>("coachRing")->isVisible());
}

TEST_F(StartPageTest, RecentFilesHaveAPictureAndWhatWasFoundOutLast) {
    const TemporaryFolder folder;
    const QString path = QString::fromStdString((folder / "kept.onnx").string());
    save_model(build_sample("mlp"), path.toStdString());
    workbench_->openModel(path);
    ASSERT_TRUE(
        waitFor([&] { return workbench_->opened() && workbench_->jobs().jobs().isEmpty(); }));
    auto* list = find<QListWidget>("recentFiles");
    ASSERT_EQ(list->count(), 1);
    EXPECT_TRUE(list->item(0)->text().contains(QStringLiteral("nodes")))
        << list->item(0)->text().toStdString();
    const QDir pictures =
        QFileInfo(QSettings().fileName()).absoluteDir().filePath(QStringLiteral("recent"));
    ASSERT_TRUE(waitFor([&] { return pictures.entryList({QStringLiteral("*.png")}).size() == 1; }));
    const QImage drawn(pictures.filePath(pictures.entryList({QStringLiteral("*.png")}).front()));
    EXPECT_LE(drawn.width(), 192);
    EXPECT_LE(drawn.height(), 128);
    std::set<QRgb> colors;
    for (int y = 0; y < drawn.height(); ++y)
        for (int x = 0; x < drawn.width(); ++x) colors.insert(drawn.pixel(x, y));
    EXPECT_GT(colors.size(), 8u) << "a graph, not an empty sheet";
    runModel();
    EXPECT_TRUE(waitFor([&] {
        return list->item(0)->text().contains(QStringLiteral("most of it"));
    })) << list->item(0)->text().toStdString();
    const ModelSummary& summary = workbench_->opened()->summary;
    EXPECT_TRUE(
        list->item(0)->text().contains(formatBytes(summary.file_bytes + summary.external_bytes)))
        << "the size stays beside what the run found: " << list->item(0)->text().toStdString();
    workbench_->clearRecentFiles();
    EXPECT_TRUE(pictures.entryList({QStringLiteral("*.png")}).isEmpty())
        << "no longer than the list knows the file";
    for (const QString& key : QSettings().allKeys())
        EXPECT_FALSE(key.startsWith(QStringLiteral("recentVerdicts/")) ||
                     key.startsWith(QStringLiteral("recentSizes/")))
            << key.toStdString();
}

TEST_F(StartPageTest, RecentFilesCountWeightsBesideTheModelAndStandAboveTheSamples) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "beside.onnx";
    SaveOptions options;
    options.external_data_min_bytes = 1024;
    save_model(build_sample("mlp"), path, options);
    workbench_->openModel(QString::fromStdString(path.string()));
    ASSERT_TRUE(
        waitFor([&] { return workbench_->opened() && workbench_->opened()->source.file == path; }));
    const ModelSummary& summary = workbench_->opened()->summary;
    ASSERT_GT(summary.external_bytes, summary.file_bytes) << "the weights are beside the model";
    const auto* list = find<QListWidget>("recentFiles");
    ASSERT_EQ(list->count(), 1);
    const QString size = formatBytes(summary.file_bytes + summary.external_bytes);
    EXPECT_TRUE(list->item(0)->text().contains(size)) << list->item(0)->text().toStdString();
    window_->showPage(QStringLiteral("start"));
    const QWidget* samples = find<QWidget>("sampleCards");
    EXPECT_LT(list->mapTo(window_.get(), QPoint()).y(),
              samples->mapTo(window_.get(), QPoint()).y());
}

}  // namespace
}  // namespace lapidary::views
