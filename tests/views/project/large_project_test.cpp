// SPDX-License-Identifier: Apache-2.0
// A project of a large model opens at once; whether the file is still the project's is checked in
// the background.
#include <QFile>

#include "project_fixture.h"

namespace lapidary::views {
namespace {

class LargeProjectTest : public ProjectTest {
protected:
    void save() {
        openFile(savedModel("resnet18", "large.onnx"));
        ASSERT_GT(QFileInfo(file("large.onnx")).size(), 40'000'000);
        project().setNotes(QStringLiteral("kept"));
        saveTo(file("p.lapidary"));
        TearDown();
    }
    bool quiet() {
        return waitFor([&] { return workbench_->jobs().jobs().isEmpty(); });
    }
};

TEST_F(LargeProjectTest, OpensAtOnceAndHashesInTheBackground) {
    save();
    SetUp();
    QSignalSpy opened(&project(), &app::Project::opened),
        differs(&project(), &app::Project::openedModelDiffers);
    bool hashedBefore = false, hashesAfter = false;
    QObject::connect(&workbench_->jobs(), &app::JobRunner::started, window_.get(),
                     [&](const app::Job* job) {
                         if (job->title() == QStringLiteral("Check large.onnx"))
                             (workbench_->opened() ? hashesAfter : hashedBefore) = true;
                     });
    workbench_->openAny(file("p.lapidary"));
    ASSERT_TRUE(waitFor([&] { return !opened.isEmpty(); }));
    EXPECT_FALSE(hashedBefore) << "nothing waits for the hash";
    EXPECT_TRUE(hashesAfter);
    EXPECT_EQ(project().notes(), QStringLiteral("kept"));
    ASSERT_TRUE(quiet());
    EXPECT_TRUE(differs.isEmpty());
    EXPECT_FALSE(project().isModified());
    EXPECT_FALSE(window_->projectBanner()->isVisible());
    EXPECT_EQ(project().state().model->sha256.size(), 64) << "known for the next save";
}

TEST_F(LargeProjectTest, OtherBytesAreReportedAfterwards) {
    save();
    QFile model(file("large.onnx"));
    ASSERT_TRUE(model.open(QIODevice::ReadWrite));
    model.seek(model.size() / 2);  // among the weights
    const char old = *model.peek(1).constData();
    model.putChar(char(old ^ 1));
    model.close();
    SetUp();
    QSignalSpy opened(&project(), &app::Project::opened),
        differs(&project(), &app::Project::openedModelDiffers);
    workbench_->openAny(file("p.lapidary"));
    ASSERT_TRUE(waitFor([&] { return !opened.isEmpty() && !differs.isEmpty(); }));
    EXPECT_TRUE(differs[0][1].toString().contains(QStringLiteral("SHA-256")));
    EXPECT_TRUE(window_->projectBanner()->isVisible());
    EXPECT_TRUE(window_->projectBanner()->text().contains(QStringLiteral("open all the same")))
        << window_->projectBanner()->text().toStdString();
    EXPECT_TRUE(project().isModified());
    EXPECT_TRUE(workbench_->opened());
}

TEST_F(LargeProjectTest, AnotherModelOpenedMeanwhileEndsTheHashing) {
    save();
    SetUp();
    QSignalSpy opened(&project(), &app::Project::opened),
        differs(&project(), &app::Project::openedModelDiffers);
    workbench_->openAny(file("p.lapidary"));
    ASSERT_TRUE(waitFor([&] { return !opened.isEmpty(); }));
    openSample("mlp");
    ASSERT_TRUE(quiet());
    EXPECT_TRUE(differs.isEmpty());
}

}  // namespace
}  // namespace lapidary::views
