// SPDX-License-Identifier: Apache-2.0
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QWheelEvent>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <thread>

#include "run/memory_curve.h"
#include "run/nodes/node_table.h"
#include "run/nodes/operator_bars.h"
#include "run/outputs/output_table.h"
#include "run/timeline/timeline_view.h"
#include "run/verdict_card.h"
#include "run/verdict_text.h"
#include "widgets/cards/empty_state.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

class RunPageTest : public WindowTest {
protected:
    void runSample(const char* name) {
        openSample(name);
        window_->showPage(QStringLiteral("run"));
        runModel();
        timeline_ = find<TimelineView>("timelineView");
        nodes_ = find<NodeTable>("nodeTable");
        operators_ = find<OperatorBars>("operatorBars");
    }
    QPoint pixelOf(const Span& span) const {
        const QRect plot = timeline_->viewport()->rect();
        const double middle = double(span.begin_ns + span.end_ns) / 2;
        const int gutter = timeline_->gutterWidth();
        const int lane = timeline_->fontMetrics().height() + 6,
                  ruler = timeline_->fontMetrics().height() + 10;
        const int x = gutter + int((middle - timeline_->viewBegin()) / timeline_->nsPerPixel());
        EXPECT_LT(x, plot.right());
        return {x, ruler + 4 + lane + lane / 2};  // lane 1: kernels within their run
    }
    TimelineView* timeline_ = nullptr;
    NodeTable* nodes_ = nullptr;
    OperatorBars* operators_ = nullptr;
};

TEST(Verdict, SaysWhatHeldUpTheSlowestNodeAndLooksIntoBodies) {
    ProfileSummary summary;
    summary.wall_ms = 5.8;
    OperatorTotal op;
    op.op = "If";
    op.share = 0.9;
    op.count = 1;
    summary.operators.push_back(op);
    NodeTotal holds, pool;
    holds.op = "If";
    holds.name = "if_0";
    holds.share = 0.9;
    pool.op = "MaxPool";
    pool.name = "pool_1";
    pool.node = NodeId{1};
    pool.share = 0.7;
    pool.ms = 4.05;
    pool.min_ms = 0.026;
    pool.calls = 10;
    summary.nodes = {holds, pool};
    EXPECT_TRUE(verdictOf(summary).contains(QStringLiteral(
        " The slowest node is pool_1 (70 %; it was held up, another run took 26.0 µs)")))
        << verdictOf(summary).toStdString();
    summary.nodes[1].min_ms = 4;
    EXPECT_TRUE(verdictOf(summary).endsWith(QStringLiteral(". The slowest node is pool_1 (70 %).")))
        << verdictOf(summary).toStdString();
}

TEST(Verdict, RemarksSayWhatIsAboveThePeakAndWhyNothingWasCounted) {
    const auto run = std::make_shared<app::RunRecord>();
    run->profile = std::make_shared<const Profile>();
    run->summary.operators.push_back({"Conv", 2, 0.4, 0.2});
    RunDigest digest;
    digest.run = run;
    RooflinePoint point;
    point.roof_gops = 118;
    point.gflops = 120;  // as far as one measurement of the peak is from the next
    point.share_of_peak = 1;
    digest.roofline = {point};
    EXPECT_TRUE(remarksOf(digest).isEmpty()) << remarksOf(digest).toStdString();
    EXPECT_EQ(peakShareText(1, isAbovePeak(point)), QStringLiteral("100.0 %"));
    digest.roofline[0].gflops = 200;
    EXPECT_TRUE(remarksOf(digest).startsWith(QStringLiteral("Nodes above the measured peak: 1.")))
        << remarksOf(digest).toStdString();
    EXPECT_EQ(peakShareText(1, isAbovePeak(digest.roofline[0])), QStringLiteral("> 100 %"));
    digest.roofline.clear();
    run->counters = RunCounters();
    EXPECT_TRUE(remarksOf(digest).startsWith(QStringLiteral("No hardware counters:")))
        << remarksOf(digest).toStdString();
    run->counters->events = CounterAccess::counted;
    EXPECT_TRUE(remarksOf(digest).isEmpty()) << remarksOf(digest).toStdString();
}

TEST(Verdict, NamesTheSessionOverheadFirstWhereItIsTheLargest) {
    const auto run = std::make_shared<app::RunRecord>();
    run->summary.wall_ms = 2;
    run->summary.operators.push_back({"MatMul", 3, 0.4, 0.2});
    RunDigest digest;
    digest.run = run;
    digest.whole.operators = run->summary.operators;
    EXPECT_TRUE(verdictOf(digest).startsWith(QStringLiteral("20 % of 2.00 ms goes to 3 MatMul")))
        << verdictOf(digest).toStdString();
    digest.whole.operators.push_back({std::string(overhead_name), 0, 1.4, 0.7});
    EXPECT_TRUE(verdictOf(digest).startsWith(
        QStringLiteral("70 % of 2.00 ms is session overhead, when no kernel runs; 20 % goes to 3 "
                       "MatMul")))
        << verdictOf(digest).toStdString();
    digest.whole.operators.back().share = 0.1;
    EXPECT_FALSE(verdictOf(digest).contains(QStringLiteral("session overhead")))
        << verdictOf(digest).toStdString();
}

TEST_F(RunPageTest, SaysWhatToDoInEveryState) {
    EXPECT_EQ(runPage()->state(), RunPage::State::nothingOpen);
    window_->showPage(QStringLiteral("run"));
    auto* empty = runPage()->findChild<EmptyState*>();
    ASSERT_TRUE(empty);
    EXPECT_TRUE(empty->isVisible());
    openSample("mlp");
    EXPECT_EQ(runPage()->state(), RunPage::State::noRun);
    EXPECT_TRUE(empty->title().contains(QStringLiteral("F5")));
    window_->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get(), patience_ms));
    QTest::keyClick(window_.get(), Qt::Key_F5);
    EXPECT_EQ(runPage()->state(), RunPage::State::running);
    ASSERT_TRUE(waitFor([&] { return runPage()->state() == RunPage::State::done; }));
    EXPECT_FALSE(empty->isVisible());
    EXPECT_FALSE(find<VerdictCard>("verdictCard")->verdict().isEmpty());
    openSample("lenet");
    EXPECT_EQ(runPage()->state(), RunPage::State::noRun);
}

TEST_F(RunPageTest, TheButtonCancelsARun) {
    openSample("squeezenet");
    app::RunSettings settings = workbench_->runSettings();
    settings.repetitions = app::most_repetitions;
    workbench_->setRunSettings(settings);
    window_->showPage(QStringLiteral("run"));
    auto* button = find<QPushButton>("runButton");
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(button->text(), QStringLiteral("Cancel"));
    ASSERT_TRUE(
        waitFor([&] { return workbench_->runJob()->fraction() > 2.0 / app::most_repetitions; }));
    QTest::mouseClick(button, Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return runPage()->state() == RunPage::State::done; }))
        << "what was finished is shown";
    EXPECT_EQ(button->text(), QStringLiteral("Run"));

    QTest::mouseClick(button, Qt::LeftButton);
    QTest::mouseClick(button, Qt::LeftButton);  // before anything is finished
    ASSERT_TRUE(waitFor([&] { return runPage()->state() != RunPage::State::running; }));
    EXPECT_EQ(runPage()->state(), RunPage::State::done) << "the run before is there again";
}

TEST_F(RunPageTest, TablesShowTheRunAndSatisfyTheModelTester) {
    openSample("squeezenet");
    std::vector<std::unique_ptr<QAbstractItemModelTester>> testers;
    const auto watch = [&](QAbstractItemView* view) {
        testers.push_back(std::make_unique<QAbstractItemModelTester>(
            view->model(), QAbstractItemModelTester::FailureReportingMode::Fatal));
    };
    watch(find<OperatorBars>("operatorBars"));
    watch(find<NodeTable>("nodeTable")->table());
    watch(find<OutputTable>("outputTable"));
    watch(find<PhaseTable>("phaseTable"));
    runSample("squeezenet");
    const ProfileSummary& summary = workbench_->run()->summary;
    // the session overhead
    EXPECT_EQ(operators_->model()->rowCount(), int(summary.operators.size()) + 1);
    EXPECT_EQ(nodes_->table()->model()->rowCount(), int(summary.nodes.size()));
    EXPECT_EQ(find<OutputTable>("outputTable")->model()->rowCount(), 1);
    EXPECT_GT(find<PhaseTable>("phaseTable")->model()->rowCount(), 0);
    // slowest first
    EXPECT_EQ(nodes_->table()->model()->index(0, 0).data().toString().toStdString(),
              summary.nodes.front().name);

    nodes_->filterEdit()->setText(QStringLiteral("conv"));
    EXPECT_GT(nodes_->table()->model()->rowCount(), 0);
    EXPECT_LT(nodes_->table()->model()->rowCount(), int(summary.nodes.size()));
    nodes_->filterEdit()->clear();
    for (int column = 0; column < nodes_->table()->model()->columnCount(); ++column) {
        nodes_->table()->sortByColumn(column, Qt::AscendingOrder);
        nodes_->table()->sortByColumn(column, Qt::DescendingOrder);
    }
    nodes_->table()->selectAll();
    const QString copied = nodes_->table()->selectedText();
    EXPECT_EQ(copied.count(QLatin1Char('\n')), int(summary.nodes.size()) + 1);
    EXPECT_TRUE(copied.startsWith(QStringLiteral("Node\tOperator\tTime")));
}

TEST_F(RunPageTest, PickingAnOperatorFiltersTheNodes) {
    runSample("squeezenet");
    ASSERT_TRUE(operators_);
    operators_->setCurrentIndex(operators_->model()->index(0, 0));
    const QString op = operators_->model()->index(0, 0).data().toString();
    auto* table = nodes_->table()->model();
    ASSERT_GT(table->rowCount(), 0);
    EXPECT_LT(table->rowCount(), int(workbench_->run()->summary.nodes.size()));
    for (int row = 0; row < table->rowCount(); ++row)
        EXPECT_EQ(table->index(row, 1).data().toString(), op);
    operators_->clearSelection();
    EXPECT_EQ(table->rowCount(), int(workbench_->run()->summary.nodes.size()));
}

TEST_F(RunPageTest, AClickInTheTimelineFocusesTheNodeEverywhere) {
    runSample("squeezenet");
    const Profile& profile = *workbench_->run()->profile;
    const Span* widest = nullptr;  // in the run that is shown first
    const double right =
        timeline_->viewBegin() + timeline_->nsPerPixel() * timeline_->viewport()->width() * 0.85;
    for (const Span& kernel : profile.kernels)
        if (double(kernel.begin_ns) > timeline_->viewBegin() && double(kernel.end_ns) < right)
            if (!widest || kernel.duration_ns() > widest->duration_ns()) widest = &kernel;
    ASSERT_TRUE(widest);
    QTest::mouseClick(timeline_->viewport(), Qt::LeftButton, {}, pixelOf(*widest));
    const NodeId shown = workbench_->model().shownNode(*workbench_->run()->executed, widest->node);
    const std::string& name = profile.name(*widest);
    ASSERT_TRUE(shown) << name;
    EXPECT_EQ(workbench_->focus().node, shown);
    EXPECT_EQ(nodes_->table()->currentIndex().siblingAtColumn(0).data().toString().toStdString(),
              name);
    EXPECT_TRUE(timeline_->currentSentence().contains(QString::fromStdString(name)));
    QTest::mouseDClick(timeline_->viewport(), Qt::LeftButton, {}, pixelOf(*widest));
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
}

TEST_F(RunPageTest, AShiftDraggedRangeFiltersBarsAndTable) {
    runSample("squeezenet");
    const int all = nodes_->table()->model()->rowCount();
    QWidget* plot = timeline_->viewport();
    const QPoint from(plot->width() / 2, 60), to(plot->width() / 2 + 40, 60);
    const double nsPerPixel = timeline_->nsPerPixel(), begin = timeline_->viewBegin();
    QTest::mousePress(plot, Qt::LeftButton, Qt::ShiftModifier, from);
    QTest::mouseMove(plot, (from + to) / 2);
    QMouseEvent move(QEvent::MouseMove, to, plot->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                     Qt::ShiftModifier);
    QApplication::sendEvent(plot, &move);
    QTest::mouseRelease(plot, Qt::LeftButton, Qt::ShiftModifier, to);
    const app::Focus focus = workbench_->focus();
    ASSERT_GE(focus.beginNs, 0);
    EXPECT_NEAR(double(focus.endNs - focus.beginNs), 40 * nsPerPixel, 2 * nsPerPixel);
    EXPECT_EQ(timeline_->nsPerPixel(), nsPerPixel) << "selecting moved the view";
    EXPECT_EQ(timeline_->viewBegin(), begin);
    EXPECT_LT(nodes_->table()->model()->rowCount(), all);
    const RunTotals totals = totalsInRange(*runPage()->digest(), focus.beginNs, focus.endNs);
    EXPECT_EQ(nodes_->table()->model()->rowCount(), int(totals.nodes.size()));
    EXPECT_LE(totals.kernel_ms, double(focus.endNs - focus.beginNs) / 1e6 + 1e-6);
    const auto* card = window_->findChild<VerdictCard*>();
    EXPECT_EQ(card->verdict(), verdictOf(totals, focus.endNs - focus.beginNs))
        << "the answer is of the range as well";
    const auto* memory = runPage()->findChild<MemoryCurve*>();
    EXPECT_TRUE(memory->sentence().contains(QStringLiteral("selected range")))
        << memory->sentence().toStdString();
    const auto* phases = runPage()->findChild<PhaseTable*>();
    for (int row = 0; row < phases->model()->rowCount(); ++row)
        EXPECT_GE(phases->model()->index(row, 1).data(SortRole).toLongLong(), focus.beginNs)
            << "a part of the range";
    // Cancel has the same key: the range comes first while the timeline has the keyboard focus
    std::atomic<bool> end{false}, isCancelled{false};
    workbench_->jobs().start<bool>(
        QStringLiteral("a task"),
        [&](const Progress& progress) {
            while (!end && !progress.cancel.is_cancelled())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            isCancelled = progress.cancel.is_cancelled();
            return true;
        },
        [](bool) {}, [](const Error&) {});
    QTest::keyClick(timeline_, Qt::Key_Escape);
    end = true;
    ASSERT_TRUE(QTest::qWaitFor([&] { return workbench_->jobs().jobs().isEmpty(); }, 60'000));
    EXPECT_FALSE(isCancelled);
    EXPECT_EQ(workbench_->focus().beginNs, -1);
    EXPECT_EQ(nodes_->table()->model()->rowCount(), all);
    EXPECT_EQ(card->verdict(), verdictOf(*runPage()->digest()));
    EXPECT_FALSE(memory->sentence().contains(QStringLiteral("selected range")));
    EXPECT_EQ(phases->model()->rowCount(), int(runPage()->digest()->phases.size()));
}

TEST_F(RunPageTest, TheWheelZoomsAtTheCursorAndDraggingPans) {
    runSample("mlp");
    QWidget* plot = timeline_->viewport();
    const QPoint at(plot->width() * 2 / 3, 60);
    const int gutter = timeline_->gutterWidth();
    const auto timeAt = [&](int x) {
        return timeline_->viewBegin() + (x - gutter) * timeline_->nsPerPixel();
    };
    const double before = timeAt(at.x()), scale = timeline_->nsPerPixel();
    for (int i = 0; i < 3; ++i) {
        QWheelEvent wheel(at, plot->mapToGlobal(at), {}, QPoint(0, 120), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(plot, &wheel);
    }
    EXPECT_LT(timeline_->nsPerPixel(), scale / 2);
    EXPECT_NEAR(timeAt(at.x()), before, 2 * timeline_->nsPerPixel());
    const double begin = timeline_->viewBegin();
    QTest::mousePress(plot, Qt::LeftButton, {}, at);
    const QPoint to = at - QPoint(60, 0);
    QMouseEvent move(QEvent::MouseMove, to, plot->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QApplication::sendEvent(plot, &move);
    QTest::mouseRelease(plot, Qt::LeftButton, {}, to);
    EXPECT_NEAR(timeline_->viewBegin() - begin, 60 * timeline_->nsPerPixel(),
                timeline_->nsPerPixel());
    timeline_->fitAll();
    EXPECT_LE(timeline_->viewBegin(), double(runPage()->digest()->timeline.begin));
}

TEST_F(RunPageTest, TheKeyboardWalksFromSpanToSpan) {
    runSample("mlp");
    timeline_->setFocus();
    QTest::keyClick(timeline_, Qt::Key_Right);
    const QString first = timeline_->currentSentence();
    EXPECT_FALSE(first.isEmpty());
    QTest::keyClick(timeline_, Qt::Key_Right);
    EXPECT_NE(timeline_->currentSentence(), first);
    QTest::keyClick(timeline_, Qt::Key_Left);
    EXPECT_EQ(timeline_->currentSentence(), first);
    QTest::keyClick(timeline_, Qt::Key_Up);
    EXPECT_TRUE(timeline_->currentSentence().startsWith(QStringLiteral("run ")))
        << timeline_->currentSentence().toStdString();
    QTest::keyClick(timeline_, Qt::Key_Down);
    QTest::keyClick(timeline_, Qt::Key_Return);
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
}

TEST_F(RunPageTest, SettingsReachTheWorkbenchAndSymbolicDimensionsGetASpinBox) {
    openSample("bert-tiny");
    window_->showPage(QStringLiteral("run"));
    const auto spins =
        window_->findChildren<QSpinBox*>(QRegularExpression(QStringLiteral("^dimension_")));
    ASSERT_FALSE(spins.isEmpty());
    spins.first()->setValue(2);
    ASSERT_EQ(workbench_->runSettings().dimensions.size(), 1u);
    EXPECT_EQ(workbench_->runSettings().dimensions.begin()->second, 2);
    runModel();
    EXPECT_EQ(workbench_->run()->inputs.front().second.tensor().dim(0), 2);
    openSample("mlp");
    EXPECT_TRUE(workbench_->runSettings().dimensions.empty());
}

TEST(RangeTotals, CutsSpansAtTheRange) {
    auto profile = std::make_shared<Profile>();
    const auto kernel = [&](std::uint32_t node, const char* op, std::int64_t begin,
                            std::int64_t end, int depth = 0) {
        Span span;
        span.node = depth == 0 ? NodeId(node) : NodeId();
        span.label = profile->labels.add({.name = op + std::to_string(node), .op = op});
        span.depth = depth;
        span.begin_ns = begin;
        span.end_ns = end;
        profile->kernels.push_back(span);
    };
    kernel(1, "Conv", 0, 1'000'000);
    kernel(2, "Loop", 1'000'000, 3'000'000);
    kernel(3, "Add", 1'500'000, 2'500'000, 1);
    kernel(1, "Conv", 4'000'000, 6'000'000);
    auto record = std::make_shared<app::RunRecord>();
    record->profile = profile;
    record->summary = summarize(*profile);
    const RunDigestPtr digest = digestRun(record);
    const RunTotals totals = totalsInRange(*digest, 500'000, 5'000'000);
    EXPECT_DOUBLE_EQ(totals.kernel_ms, 0.5 + 2 + 1);
    ASSERT_EQ(totals.operators.size(), 2u);  // Add runs inside Loop
    EXPECT_EQ(totals.operators[0].op, "Loop");
    EXPECT_DOUBLE_EQ(totals.operators[0].self_ms, 2);
    EXPECT_DOUBLE_EQ(totals.operators[1].self_ms, 1.5);
    EXPECT_EQ(totals.operators[1].count, 2);
    ASSERT_EQ(totals.nodes.size(), 3u);
    EXPECT_EQ(totals.nodes[1].name, "Conv1");
    EXPECT_DOUBLE_EQ(totals.nodes[1].min_ms, 0.5);
    EXPECT_DOUBLE_EQ(totals.nodes[1].max_ms, 1);
    EXPECT_TRUE(totalsInRange(*digest, 7'000'000, 8'000'000).nodes.empty());
}

TEST(RangeTotals, TheSessionOverheadOfARangeFillsItWithTheKernels) {
    auto profile = std::make_shared<Profile>();
    Span span;
    span.label = profile->labels.add({.name = "Conv", .op = "Conv"});
    for (const auto& [begin, end] :
         {std::pair(1'000'000, 3'000'000), std::pair(4'000'000, 6'000'000)}) {
        span.begin_ns = begin;
        span.end_ns = end;
        profile->kernels.push_back(span);
    }
    span.begin_ns = 0;
    span.end_ns = 7'000'000;
    profile->run_spans.push_back(span);
    auto record = std::make_shared<app::RunRecord>();
    record->profile = profile;
    record->summary = summarize(*profile);
    const RunDigestPtr digest = digestRun(record);
    ASSERT_EQ(digest->whole.operators.size(), 2u);
    EXPECT_EQ(digest->whole.operators[1].op, "session overhead");
    EXPECT_DOUBLE_EQ(digest->whole.operators[0].self_ms + digest->whole.operators[1].self_ms, 7);
    const RunTotals totals = totalsInRange(*digest, 500'000, 5'000'000);
    ASSERT_EQ(totals.operators.size(), 2u);
    EXPECT_DOUBLE_EQ(totals.operators[1].self_ms, 0.5 + 1);
    EXPECT_DOUBLE_EQ(totals.operators[0].self_ms + totals.operators[1].self_ms, 4.5);
    EXPECT_EQ(totalsInRange(*digest, 8'000'000, 9'000'000).operators.size(), 0u)
        << "no run is there";
}

TEST_F(RunPageTest, ShowsTheSessionOverheadAndItsPhases) {
    runSample("squeezenet");
    const ProfileSummary& summary = workbench_->run()->summary;
    double shown = 0;
    int overhead = -1;
    for (int row = 0; row < operators_->model()->rowCount(); ++row) {
        shown += operators_->model()->index(row, 2).data(SortRole).toDouble();
        if (operators_->model()->index(row, 0).data().toString() ==
            QStringLiteral("session overhead"))
            overhead = row;
    }
    EXPECT_NEAR(shown, summary.wall_ms, 1e-6);
    ASSERT_GE(overhead, 0);
    operators_->setCurrentIndex(operators_->model()->index(overhead, 0));
    EXPECT_EQ(nodes_->table()->model()->rowCount(), int(summary.nodes.size()))
        << "no node is of the overhead: it filters nothing";
    auto* phases = find<PhaseTable>("phaseTable")->model();
    std::map<QString, QString> times;
    double sum = 0, once = 0;
    for (int row = 0; row < phases->rowCount(); ++row) {
        const QString name = phases->index(row, 0).data().toString();
        times[name] = phases->index(row, 2).data().toString();
        if (row + 1 == phases->rowCount()) once = phases->index(row, 2).data(SortRole).toDouble();
        else if (!name.startsWith(u' ')) sum += phases->index(row, 2).data(SortRole).toDouble();
    }
    for (const char* phase :
         {"session initialization", "session cleanup", "session overhead, once"}) {
        ASSERT_TRUE(times.contains(QString::fromLatin1(phase))) << phase;
        EXPECT_NE(times[QString::fromLatin1(phase)], QStringLiteral("–")) << phase;
    }
    EXPECT_NEAR(sum, once, 1e-9);
}

TEST(OutputRows, DescribeNumbersTextAndOddValues) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const OutputRow numbers =
        describeOutput("y", Tensor::of<float>({2, 2}, {1.0f, -2.0f, 0.0f, nan}));
    EXPECT_EQ(numbers.type, "f32[2,2]");
    EXPECT_TRUE(numbers.numeric);
    EXPECT_EQ(numbers.nans, 1);
    EXPECT_EQ(numbers.zeros, 1);
    EXPECT_DOUBLE_EQ(numbers.minimum, -2);
    EXPECT_EQ(numbers.first, "1, -2, 0, nan");
    const OutputRow many =
        describeOutput("y", Tensor::of<std::int64_t>({12}, std::vector<std::int64_t>(12, 7)));
    EXPECT_EQ(many.first, "7, 7, 7, 7, 7, 7, 7, 7 …");
    const OutputRow words = describeOutput("s", Tensor::of<std::string>({2}, {"a", "b\n"}));
    EXPECT_FALSE(words.numeric);
    EXPECT_EQ(words.first.find('\n'), std::string::npos);
    EXPECT_FALSE(describeOutput("none", RuntimeValue()).type.empty());
    EXPECT_EQ(describeOutput("empty", Tensor(DType::f32, {0, 3})).elements, 0);
    EXPECT_FALSE(describeOutput("list", Sequence{Type::tensor(DType::f32), {}}).numeric);
}

}  // namespace
}  // namespace lapidary::views
