// SPDX-License-Identifier: Apache-2.0
// Journals: what a window that died leaves behind, offered, restored and discarded.
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <lapidary/base/error.h>

#include "project_fixture.h"
#include "workbench/project/journal.h"
#include "workbench/project/process_identity.h"

namespace lapidary::views {
namespace {

TEST(ProcessIdentity, KnowsTheLivingFromTheDead) {
    const app::ProcessIdentity own = app::thisProcess();
    EXPECT_TRUE(app::isAlive(own));
    EXPECT_EQ(app::processFromText(app::toText(own)), own);
    app::ProcessIdentity earlier = own;  // the number was given out again
    earlier.start += 1;
    EXPECT_FALSE(app::isAlive(earlier));
    app::ProcessIdentity rebooted = own;
    rebooted.boot = QStringLiteral("0123abcd");
    EXPECT_FALSE(app::isAlive(rebooted));
    EXPECT_FALSE(app::processFromText(QStringLiteral("a-b-c-d")));
    EXPECT_FALSE(app::processFromText(QString()));
}

class JournalTest : public ProjectTest {
protected:
    QString journals() const { return file("journals"); }
    QStringList names() const { return QDir(journals()).entryList(QDir::Files); }
    /// Leaves a journal with these notes, as of a process that has ended.
    void crashed(const char* notes) {
        QString dead;
        {
            app::Journal journal(project(), journals());
            project().setNotes(QString::fromLatin1(notes));
            journal.flush();
            ASSERT_TRUE(QFileInfo::exists(journal.file()));
            app::ProcessIdentity process = app::thisProcess();
            process.start += std::uint64_t(++count_);
            dead = QStringLiteral("%1/%2.1.journal").arg(journals(), app::toText(process));
            ASSERT_TRUE(QFile::rename(journal.file(), dead));
        }
        project().forgetChanges();
        ASSERT_TRUE(QFileInfo::exists(dead));
    }
    int count_ = 0;
};

TEST_F(JournalTest, ExistsWhileSomethingIsUnsaved) {
    app::Journal journal(project(), journals());
    openSample("mlp");
    journal.flush();
    EXPECT_TRUE(names().isEmpty()) << "there is nothing to lose";
    project().setRecipe(recipeOf(Level::all), QStringLiteral("choose"));
    ASSERT_TRUE(waitFor([&] { return names().size() == 1; })) << "by itself, at once";
    EXPECT_TRUE(journal.leftBehind().empty()) << "its writer lives";
    project().forgetChanges();
    journal.flush();
    EXPECT_TRUE(names().isEmpty());
}

TEST_F(JournalTest, OffersWhatACrashLeftAndRestoresIt) {
    workbench_->openSample(QStringLiteral("mlp"));
    ASSERT_TRUE(waitFor([&] { return workbench_->opened() != nullptr; }));
    crashed("precious");
    TearDown();
    SetUp();
    app::Journal journal(project(), journals());
    window_->watchJournal(&journal);
    ASSERT_TRUE(bannerButton("restoreProject"));
    EXPECT_TRUE(window_->projectBanner()->text().contains(QStringLiteral("mlp")));
    QTest::mouseClick(bannerButton("restoreProject"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return workbench_->opened() != nullptr; }));
    EXPECT_EQ(project().notes(), QStringLiteral("precious"));
    EXPECT_TRUE(project().isModified());
    EXPECT_TRUE(journal.leftBehind().empty());
    ASSERT_TRUE(waitFor([&] { return names().size() == 1 && QFileInfo::exists(journal.file()); }))
        << "journalled anew, the old one gone";
}

TEST_F(JournalTest, DiscardsAndThenOffersTheNext) {
    workbench_->openSample(QStringLiteral("mlp"));
    ASSERT_TRUE(waitFor([&] { return workbench_->opened() != nullptr; }));
    crashed("first");
    crashed("second");
    TearDown();
    SetUp();
    app::Journal journal(project(), journals()), other(project(), journals());
    EXPECT_EQ(journal.leftBehind().size(), 2u);
    window_->watchJournal(&journal);
    QTest::mouseClick(bannerButton("discardJournal"), Qt::LeftButton);
    const auto left = journal.leftBehind();
    ASSERT_EQ(left.size(), 1u);
    ASSERT_TRUE(bannerButton("restoreProject")) << "the other one";
    other.restore(left[0]);
    EXPECT_THROW(journal.restore(left[0]), Error) << "another window was faster";
}

TEST_F(JournalTest, OfATruncatedJournalTheIntactPartIsOffered) {
    workbench_->openSample(QStringLiteral("mlp"));
    ASSERT_TRUE(waitFor([&] { return workbench_->opened() != nullptr; }));
    crashed("precious");
    TearDown();
    SetUp();
    ASSERT_EQ(names().size(), 1);
    QFile cut(journals() + QLatin1Char('/') + names().first());
    ASSERT_TRUE(cut.resize(cut.size() - 2));
    app::Journal journal(project(), journals());
    const auto left = journal.leftBehind();
    ASSERT_EQ(left.size(), 1u);
    journal.restore(left[0]);
    ASSERT_TRUE(waitFor([&] { return workbench_->opened() != nullptr; }));
    EXPECT_EQ(project().notes(), QStringLiteral("precious"));
}

TEST_F(JournalTest, OtherFilesInTheFolderAreIgnored) {
    QDir().mkpath(journals());
    app::ProcessIdentity process = app::thisProcess();
    process.start += 77;
    for (const QString& name : {app::toText(process) + QStringLiteral(".1.journal"),
                                QStringLiteral("x.journal"), QStringLiteral("notes.txt")}) {
        QFile rubbish(journals() + QLatin1Char('/') + name);
        ASSERT_TRUE(rubbish.open(QIODevice::WriteOnly));
        rubbish.write("{\"format\":");
    }
    app::Journal journal(project(), journals());
    EXPECT_TRUE(journal.leftBehind().empty());
    EXPECT_TRUE(names().contains(QStringLiteral("notes.txt")));
}

}  // namespace
}  // namespace lapidary::views
