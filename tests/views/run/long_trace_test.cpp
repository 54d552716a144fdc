// SPDX-License-Identifier: Apache-2.0
// A recording of 20,000 threads whose kernels have long names, and a project with ten megabytes of
// notes: nothing holds the window.
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTemporaryDir>

#include <fstream>

#include "views/walkthroughs/journey.h"
#include "run/timeline/timeline_view.h"
#include "support/time_budget.h"
#include "workbench/project/project_state.h"

namespace lapidary::views {
namespace {

const double longest_hold_ms = 400 * wall_factor;
constexpr int threads = 20'000;
constexpr std::size_t name_bytes = 10'000'000;

class LongTraceTest : public JourneyTest {
protected:
    QString file(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    void expectNoHold() {
        for (const auto& [what, ms] : thisTime_)
            EXPECT_LT(ms, longest_hold_ms) << what << " held the GUI thread";
    }
    QTemporaryDir folder_;
};

TEST_F(LongTraceTest, TwentyThousandThreadsAndLongNamesAreWalkedThrough) {
    {
        std::ofstream out(file("t.json").toStdString());
        out << R"([{"ph":"X","cat":"Session","name":"model_run","ts":0,"dur":)" << threads * 2
            << R"(,"pid":1,"tid":5})";
        for (int i = 0; i < threads; ++i) {
            const std::string name =
                i == 7 ? std::string(name_bytes, 'n') : "node" + std::to_string(i);
            const std::string op = i == 9 ? std::string(name_bytes, 'o') : "Relu";
            out << R"(,{"ph":"X","cat":"Node","name":")" << name << R"(_kernel_time","ts":)" << i
                << R"(,"dur":)" << 1 + i % 50 << R"(,"pid":1,"tid":)" << 1'000'000 + i
                << R"(,"args":{"op_name":")" << op << R"("}})";
        }
        out << "]\n";
    }
    step("opening the trace", [&] {
        workbench_->openAny(file("t.json"));
        await("opened", [&] {
            return workbench_->run() != nullptr && runPage()->state() == RunPage::State::done;
        });
    });
    ASSERT_GE(runPage()->digest()->timeline.tracks.size(), std::size_t(threads));
    auto* timeline = find<TimelineView>("timelineView");
    timeline->setFocus();
    QScrollBar* bar = timeline->verticalScrollBar();
    for (int part = 0; part <= 4; ++part)
        step("scrolling through the threads", [&] {
            bar->setValue(bar->maximum() / 4 * part);
            QWidget* viewport = timeline->viewport();
            for (int y = 30; y < viewport->height(); y += 7)
                QTest::mouseMove(viewport, {viewport->width() / 2, y});
            QTest::keyClick(timeline, Qt::Key_Down);
        });
    step("the whole recording", [&] { timeline->fitAll(); });
    walk("");
    expectNoHold();
}

TEST_F(LongTraceTest, NotesThatNoTextEditHoldsAreShownShortenedAndKept) {
    app::ProjectState state;
    state.notes = QString(10'000'000, u'n') + QStringLiteral("the end");
    {
        std::ofstream out(file("p.lapidary").toStdString());
        out << app::toText(state, folder_.path()).toStdString();
    }
    step("opening the project", [&] {
        workbench_->openAny(file("p.lapidary"));
        await("opened", [&] { return workbench_->project().notes().size() == state.notes.size(); });
    });
    walk("");
    for (const char* name : {"projectNotes", "compareNotes"}) {
        auto* notes = find<QPlainTextEdit>(name);
        EXPECT_TRUE(notes->isReadOnly()) << name;
        EXPECT_LT(notes->toPlainText().size(), 10'000) << name;
    }
    EXPECT_EQ(workbench_->project().notes(), state.notes) << "showing them changes nothing";
    EXPECT_FALSE(workbench_->project().isModified());
    step("notes of usual length", [&] { workbench_->project().setNotes(QStringLiteral("short")); });
    auto* notes = find<QPlainTextEdit>("projectNotes");
    EXPECT_FALSE(notes->isReadOnly());
    notes->setPlainText(QStringLiteral("typed"));
    EXPECT_EQ(workbench_->project().notes(), QStringLiteral("typed"));
    EXPECT_EQ(find<QPlainTextEdit>("compareNotes")->toPlainText(), QStringLiteral("typed"));
    expectNoHold();
}

}  // namespace
}  // namespace lapidary::views
