// SPDX-License-Identifier: Apache-2.0
// One truth: whatever page reports a figure of the model, it is the same figure. Three models, two
// sets of sizes, two variants; every figure shown for one quantity is read from the widgets and
// compared.
#include "consistency_fixture.h"

namespace lapidary::views {
namespace {

class ConsistencyTest : public ConsistencyBase, public testing::WithParamInterface<const char*> {
protected:
    void open() {
        openAndOptimize(GetParam());
        ASSERT_TRUE(quiet());
    }
};
using ConsistencyOfFaults = ConsistencyBase;

TEST_P(ConsistencyTest, EveryPageShowsTheSameFigures) {
    open();
    runModel();
    walk();
    allAgree();
    EXPECT_TRUE(chip().startsWith(QStringLiteral("Original, run at level All")))
        << chip().toStdString();
    const app::RunRecordPtr run = workbench_->run();
    workbench_->useRecipe(app::Recipe::plain(Level::all));
    ASSERT_TRUE(quiet());
    EXPECT_EQ(workbench_->run(), run) << "one run for what runs alike";
    walk();
    allAgree();

    app::Recipe extended;
    extended.level = Level::extended;
    workbench_->useRecipe(extended);
    ASSERT_TRUE(quiet());
    EXPECT_TRUE(chip().startsWith(QStringLiteral("Extended"))) << chip().toStdString();
    EXPECT_FALSE(workbench_->run()) << "no run of another variant is shown as this one's";
    EXPECT_EQ(workbench_->timeOf(extended), nullptr);
    EXPECT_FALSE(chip().contains(QStringLiteral("ms")))
        << "nothing was measured: " << chip().toStdString();
    EXPECT_EQ(workbench_->tuning().measuredName(), QStringLiteral("Extended"))
        << "Tune measures what is in force";
    runModel();
    walk();
    allAgree();
    portabilityAgrees();
}

TEST_P(ConsistencyTest, AnExportIsWhatItSaysAndOpensAsThat) {
    open();
    runModel();
    const QTemporaryDir folder;
    exportAgrees(folder.filePath(QStringLiteral("original.onnx")));
    app::Recipe extended;
    extended.level = Level::extended;
    workbench_->choose(extended, QStringLiteral("test"));
    ASSERT_TRUE(quiet());
    runModel();
    const QString file = folder.filePath(QStringLiteral("extended.onnx"));
    exportAgrees(file);
    // the file itself: every place says who can run it in the same words
    workbench_->project().forgetChanges();
    workbench_->openModel(file);
    ASSERT_TRUE(waitFor([&] {
        return workbench_->opened() &&
               workbench_->opened()->model->path.string() == file.toStdString();
    }));
    walk();
    const Requirement needs = requirement_of(*workbench_->opened()->model);
    const QString sentence = QString::fromStdString(needs.sentence);
    EXPECT_TRUE(inspectorCard().contains(sentence)) << inspectorCard().toStdString();
    EXPECT_TRUE(checklistFinding("portability").contains(sentence))
        << checklistFinding("portability").toStdString();
    problemsAgree();
    if (needs.kind != Requirement::Kind::onnx) {
        const QStringList notes = problems(QStringLiteral("Note"));
        EXPECT_FALSE(notes.filter(checklistFinding("portability")).isEmpty())
            << "Problems and Checklist say it in one sentence: " << notes.join(u'\n').toStdString();
    }
    const std::string passport = [&] {
        for (const auto& [key, value] : workbench_->opened()->model->metadata)
            if (key == "lapidary.needs") return value;
        return std::string();
    }();
    EXPECT_EQ(passport, needs.sentence);
}

TEST_F(ConsistencyOfFaults, AFaultIsTheSameEverywhere) {
    const ModelPtr valid = scoped_model(3);
    Model model = *valid;
    GraphEdit edit(model.graph);
    const NodeId node = *std::ranges::find_if(
        model.graph.nodes(), [&](NodeId id) { return model.graph.node(id).op_type == "Conv"; });
    edit.set_input(
        node, 1,
        edit.add_initializer("wrong", Tensor::of<float>({4, 7, 1, 1}, std::vector<float>(28, 1))));
    edit.finish();
    const TemporaryFolder folder;
    save_model(model, folder / "invalid.onnx");
    workbench_->openModel(QString::fromStdString((folder / "invalid.onnx").string()));
    ASSERT_TRUE(waitFor([&] { return workbench_->document() != nullptr; }));
    ASSERT_TRUE(quiet());
    ASSERT_EQ(workbench_->document()->faults.size(), 1u);
    problemsAgree();
}

TEST_P(ConsistencyTest, OtherSizesAreOtherFiguresEverywhere) {
    open();
    const app::InputSizes before = workbench_->conditions().sizes;
    if (before.empty()) GTEST_SKIP() << GetParam() << " has inputs of fixed sizes";
    runModel();
    walk();
    const QString time = runningCard()->timeText();
    const auto planned = [this]() -> app::PlannedPeak {
        const app::PlannedPeak* peak =
            workbench_->plannedMemory().of(workbench_->model().running());
        return peak ? *peak : app::PlannedPeak();
    };
    const app::PlannedPeak memory = planned();
    ASSERT_GT(memory.needed_bytes, 0u);
    app::RunSettings settings = workbench_->runSettings();
    const std::string name = before.begin()->first;
    settings.dimensions[name] = before.begin()->second * 2;
    workbench_->setRunSettings(settings);
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(quiet());
    EXPECT_EQ(sizesChip(), app::textOf(workbench_->conditions().sizes));
    EXPECT_EQ(runningCard()->timeText(), QStringLiteral("press Measure"))
        << "the time was one of other sizes: " << time.toStdString();
    EXPECT_FALSE(chip().contains(QStringLiteral(" ms"))) << chip().toStdString();
    // Of a small model the process grows by less than the digits that the card shows.
    EXPECT_GT(planned().needed_bytes, memory.needed_bytes) << "more data, more memory";
    EXPECT_GT(planned().process_bytes, memory.process_bytes);
    EXPECT_TRUE(runningCard()->memoryText().contains(formatBytes(planned().process_bytes)))
        << runningCard()->memoryText().toStdString();
    runModel();
    walk();
    allAgree();
}

TEST_P(ConsistencyTest, AChangeAndTheTwoValuesBesideItPointTheSameWay) {
    open();
    app::Recipe all;
    all.level = Level::all;
    workbench_->project().setSlot(app::Slot::A,
                                  workbench_->variants().find(app::Recipe::plain(Level::disabled)));
    workbench_->project().setSlot(app::Slot::B, workbench_->variants().find(all));
    app::Comparison& comparison = workbench_->comparison();
    MeasureOptions options = comparison.options();
    options.seconds = 0.5;
    comparison.setOptions(options);
    window_->showPage(QStringLiteral("compare"));
    comparison.start();
    ASSERT_TRUE(waitFor([&] {
        return comparison.result() && comparison.result()->complete && !comparison.isRunning();
    }));
    ASSERT_TRUE(quiet());
    const app::ComparisonRecord& record = *comparison.result();
    ASSERT_TRUE(record.measured_a && record.measured_b)
        << record.problems.join(u'\n').toStdString();
    const auto figures = window_->findChild<SummaryCards*>()->figures();
    for (const SummaryFigure& figure : figures) {
        if (figure.sign != 0 && !figure.change.isEmpty()) {
            EXPECT_EQ(figure.change.contains(QStringLiteral("✓")), figure.sign < 0)
                << figure.name.toStdString() << ": up is better: " << figure.change.toStdString();
        }
        if (figure.change.isEmpty() || figure.name == QStringLiteral("Throughput")) continue;
        const bool more = figure.change.contains(u'+'),
                   less = figure.change.contains(QStringLiteral("−"));
        EXPECT_TRUE(figure.sign <= 0 || more)
            << figure.name.toStdString() << ": " << figure.change.toStdString();
        EXPECT_TRUE(figure.sign >= 0 || less)
            << figure.name.toStdString() << ": " << figure.change.toStdString();
    }
    const double a = record.measured_a->wall.median.median,
                 b = record.measured_b->wall.median.median;
    const auto latency =
        std::ranges::find(figures, QStringLiteral("Latency"), &SummaryFigure::name);
    ASSERT_NE(latency, figures.end());
    EXPECT_TRUE(!latency->change.contains(u'+') || b > a) << latency->change.toStdString();
    EXPECT_TRUE(!latency->change.contains(QStringLiteral("−")) || b < a)
        << latency->change.toStdString();
    // the tables of profiled runs, which take longer, are in the same scale
    const auto* compare = pageOf<ComparePage>("compare");
    ASSERT_TRUE(
        waitFor([&] { return compare->digest() && compare->digest()->record.get() == &record; }));
    const auto& bars = window_->findChild<ModuleWaterfall*>()->rows();
    if (bars.rowCount() > 0) {
        EXPECT_EQ(bars.index(0, 3).data().toString(), latency->a) << "A as a whole";
        EXPECT_EQ(bars.index(bars.rowCount() - 1, 4).data().toString(), latency->b)
            << "B as a whole";
    }
    double ofA = 0, ofB = 0;
    for (const OperatorDifference& row : compare->digest()->operators)
        ofA += row.a_ms, ofB += row.b_ms;
    EXPECT_NEAR(ofA, a, 0.02 * a);
    EXPECT_NEAR(ofB, b, 0.02 * b);
    const QString note = find<QLabel>("compareProfileNote")->text();
    EXPECT_TRUE(note.contains(formatMilliseconds(compare->digest()->run_a->summary.wall_ms)))
        << note.toStdString();
    EXPECT_TRUE(note.contains(QStringLiteral("scaled"))) << note.toStdString();
    const auto nodes = std::ranges::find(figures, QStringLiteral("Nodes"), &SummaryFigure::name);
    ASSERT_NE(nodes, figures.end());
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(quiet());
    EXPECT_TRUE(cards()->card(Level::all)->headline().startsWith(nodes->b + u' '));
    EXPECT_TRUE(cards()->card(Level::disabled)->headline().startsWith(nodes->a + u' '));
}

TEST_P(ConsistencyTest, ComparePlansThePeaksThatOptimizeShows) {
    open();
    app::Recipe all;
    all.level = Level::all;
    workbench_->project().setSlot(app::Slot::A,
                                  workbench_->variants().find(app::Recipe::plain(Level::disabled)));
    workbench_->project().setSlot(app::Slot::B, workbench_->variants().find(all));
    window_->showPage(QStringLiteral("compare"));
    const auto* reported = window_->findChild<SummaryCards*>();
    const auto peak = [&] {
        const auto at =
            std::ranges::find(reported->figures(), QStringLiteral("Process"), &SummaryFigure::name);
        return at == reported->figures().end() ? SummaryFigure() : *at;
    };
    ASSERT_TRUE(waitFor([&] { return !peak().a.isEmpty() && !peak().b.isEmpty(); }));
    const app::PlannedMemory& planned = workbench_->plannedMemory();
    const auto disabled = workbench_->variants().find(app::Recipe::plain(Level::disabled));
    EXPECT_EQ(peak().a, formatBytes(planned.of(disabled)->process_bytes));
    EXPECT_EQ(peak().b, formatBytes(planned.of(workbench_->variants().find(all))->process_bytes));
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(quiet());
    for (const auto& [level, text] : {std::pair(Level::disabled, peak().a), {Level::all, peak().b}})
        EXPECT_TRUE(
            cards()->card(level)->memoryText().contains(QStringLiteral("process %1").arg(text)))
            << cards()->card(level)->memoryText().toStdString()
            << ", Compare: " << text.toStdString();
}

TEST_P(ConsistencyTest, LevelsAreMeasuredInTurnAndReported) {
    open();
    MeasureOptions options = workbench_->levelTimes().options();
    options.seconds = 0.3;
    workbench_->levelTimes().setOptions(options);
    command(QStringLiteral("Measure the levels"))->trigger();
    EXPECT_TRUE(workbench_->levelTimes().isRunning());
    ASSERT_TRUE(waitFor([&] { return !workbench_->levelTimes().isRunning(); }));
    for (const Level level : {Level::disabled, Level::basic, Level::extended, Level::all}) {
        app::Recipe recipe;
        recipe.level = level;
        const app::RunFigures* time = workbench_->timeOf(recipe);
        ASSERT_TRUE(time) << int(level);
        EXPECT_EQ(time->kind, app::RunKind::measurement);
        EXPECT_TRUE(cards()->card(level)->timeText().startsWith(
            formatMedian(time->median_ms, time->low_ms, time->high_ms)))
            << cards()->card(level)->timeText().toStdString();
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, ConsistencyTest, testing::Values("mlp", "lenet", "bert-tiny"),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::erase(name, '-');
                             return name;
                         });

}  // namespace
}  // namespace lapidary::views
