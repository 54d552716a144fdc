// SPDX-License-Identifier: Apache-2.0
// The advisor's findings, its texts, and the page that shows them.
#include <QClipboard>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QFile>
#include <QHeaderView>

#include <set>

#include <lapidary/infer.h>

#include "checklist/checklist_page.h"
#include "graph_models.h"
#include "gui_watchdog.h"
#include "support/time_budget.h"
#include "widgets/empty_state.h"
#include "window/mode_rail.h"
#include "window_fixture.h"
#include "workbench/advisor.h"
#include "workbench/project.h"

namespace lapidary::views {
namespace {

using app::Advice;
using app::AdviceAction;
using app::AdviceState;

/// What an advisor is asked about a model, without a window.
struct Question {
    explicit Question(ModelPtr model) : model(std::move(model)), summary(summarize(*this->model)) {
        in.opened = this->model;
        in.summary = &summary;
        in.facts = std::make_shared<const app::ModelFacts>(app::factsOf(*this->model));
        in.cores = 4;
        original = app::makeOriginal(this->model, summary);
        in.variants = {original};
    }
    app::VariantPtr add(Level level) {
        app::Recipe recipe;
        recipe.level = level;
        in.variants.push_back(app::makeVariant(original, recipe));
        return in.variants.back();
    }
    void ran(const app::Recipe& recipe, double ms, int threads = 1) {
        app::RunFigures run;
        run.recipe = recipe;
        run.threads = threads;
        run.median_ms = ms;
        run.low_ms = ms * 0.99;
        run.high_ms = ms * 1.01;
        in.runs.push_back(run);
    }
    Advice operator[](const char* id) const {
        for (Advice& advice : app::advise(in))
            if (advice.id == QLatin1String(id)) return advice;
        ADD_FAILURE() << "no check " << id;
        return {};
    }
    ModelPtr model;
    ModelSummary summary;
    app::VariantPtr original;
    app::AdvisorInput in;
};

Question about(const char* sample) { return Question(std::make_shared<const Model>(build_sample(sample))); }

/// Two inputs, one unread; an output that is a constant; a product in 64 bits at an old opset, a made-up operator.
ModelPtr oddModel() {
    auto model = std::make_unique<Model>();
    model->opset_imports[""] = 9;
    model->opset_imports["com.microsoft"] = 1;
    GraphEdit edit(model->graph);
    edit.set_default_version(9);
    const ValueId x = edit.add_input("x", Type::tensor(DType::f64, {2, 2}));
    edit.add_input("nobody", float_type({1}));
    const ValueId y = edit.node("Add", {x, x}, {}, "sum", "y");
    const ValueId constant = edit.add_initializer("always", Tensor::of<float>({1}, {1}));
    edit.add_output(y);
    edit.add_output(constant);
    edit.finish();
    infer_types(*model);
    return finished(std::move(model));
}

TEST(Advisor, BeginsWithARunAndTheLevels) {
    Question q = about("mlp");
    EXPECT_EQ(q["runs"].state, AdviceState::worthDoing);
    EXPECT_EQ(q["runs"].action, AdviceAction::run);
    EXPECT_EQ(q["levels"].state, AdviceState::unknown);
    const auto variant = q.add(Level::extended);
    ASSERT_FALSE(variant->report.rewrites.empty());
    EXPECT_EQ(q["levels"].state, AdviceState::worthDoing);
    EXPECT_EQ(q["levels"].page, QStringLiteral("compare"));
    q.ran({}, 10);
    EXPECT_EQ(q["runs"].state, AdviceState::done);
    EXPECT_EQ(q["levels"].state, AdviceState::worthDoing) << "one side only";
    q.ran(variant->recipe, 5, 2);
    EXPECT_EQ(q["levels"].state, AdviceState::worthDoing) << "with other threads: no comparison";
    q.ran(variant->recipe, 5, 1);
    EXPECT_EQ(q["levels"].state, AdviceState::done);
    EXPECT_TRUE(q["levels"].gain.startsWith(QLocale().toString(2.0, 'f', 2))) << q["levels"].gain.toStdString();
    q.ran(variant->recipe, 10.05, 1);
    EXPECT_TRUE(q["levels"].gain.isEmpty()) << "within noise there is no gain";
}

TEST(Advisor, KnowsWhetherTheGuardRan) {
    Question q = about("mlp");
    EXPECT_EQ(q["guard"].state, AdviceState::notApplicable);
    const auto variant = q.add(Level::extended);
    EXPECT_EQ(q["guard"].action, AdviceAction::guard);
    q.in.guards = {{variant->recipe, {}, true, 1e-7, 1e-3, 1e-5, {}}};
    EXPECT_EQ(q["guard"].state, AdviceState::done);
    q.in.guards[0].matches = false;
    EXPECT_EQ(q["guard"].state, AdviceState::worthDoing);
}

TEST(Advisor, LooksAtThreadsAndSweeps) {
    Question q = about("mlp");
    EXPECT_EQ(q["threads"].state, AdviceState::worthDoing);
    q.in.cores = 1;
    EXPECT_EQ(q["threads"].state, AdviceState::notApplicable);
    q.in.cores = 4;
    auto sweep = std::make_shared<SweepResult>();
    for (const int threads : {1, 2}) {
        SweepCell cell;
        cell.configuration.intra = threads;
        sweep->cells.push_back(cell);
    }
    sweep->recommendation.sentence = "2 threads.";
    q.in.sweep = sweep;
    EXPECT_EQ(q["threads"].state, AdviceState::worthDoing) << "nothing is measured yet";
    for (SweepCell& cell : sweep->cells) cell.state = CellState::done;
    EXPECT_EQ(q["threads"].state, AdviceState::done);
    EXPECT_EQ(q["threads"].finding, QStringLiteral("2 threads."));
}

TEST(Advisor, LooksIntoTheGraph) {
    Question odd(oddModel());
    EXPECT_EQ(odd["endings"].state, AdviceState::worthDoing);
    EXPECT_TRUE(odd["endings"].finding.contains(QStringLiteral("nobody")));
    EXPECT_TRUE(odd["endings"].finding.contains(QStringLiteral("always")));
    EXPECT_EQ(odd["opset"].state, AdviceState::worthDoing);
    EXPECT_EQ(odd["precision"].state, AdviceState::worthDoing);
    EXPECT_EQ(odd["quantize"].state, AdviceState::notApplicable);
    EXPECT_EQ(odd["portability"].state, AdviceState::done);
    EXPECT_EQ(odd["batch"].state, AdviceState::notApplicable);
    EXPECT_EQ(odd["dimensions"].state, AdviceState::notApplicable);

    Question bert = about("bert-tiny");
    EXPECT_EQ(bert["quantize"].state, AdviceState::worthDoing);
    EXPECT_FALSE(bert["quantize"].gain.isEmpty());
    EXPECT_EQ(bert["endings"].state, AdviceState::done);
    EXPECT_EQ(bert["precision"].state, AdviceState::done);
    EXPECT_EQ(bert["portability"].state, AdviceState::done);
    const auto optimized = bert.add(Level::extended);
    Question fused(optimized->model);
    EXPECT_EQ(fused["portability"].state, AdviceState::worthDoing) << "com.microsoft operators";
}

TEST(Advisor, NamesTheTensorAtThePeak) {
    Question q = about("mlp");
    EXPECT_EQ(q["memory"].state, AdviceState::unknown);
    MemoryReport report;
    report.needed_bytes = 100;
    report.tensors.resize(2);
    report.tensors[0] = {{}, "small", "f32[5]", TensorRole::activation, 0, 1, 0, 20};
    report.tensors[1] = {{}, "large", "f32[20]", TensorRole::activation, 0, 1, 20, 80};
    report.at_peak = {1, 0};
    q.in.peak = std::make_shared<const app::PeakTensor>(app::peakTensor(report));
    EXPECT_EQ(q["memory"].state, AdviceState::worthDoing);
    EXPECT_TRUE(q["memory"].finding.contains(QStringLiteral("large")));
    report.tensors[1].bytes = 30;
    q.in.peak = std::make_shared<const app::PeakTensor>(app::peakTensor(report));
    EXPECT_EQ(q["memory"].state, AdviceState::done);
}

TEST(Advisor, TellsFallbacksFromPlainSteps) {
    Question q = about("mlp");
    EXPECT_EQ(q["fallbacks"].state, AdviceState::unknown);
    auto run = std::make_shared<app::RunRecord>();
    StepInfo fast, slow;
    fast.name = "fast", fast.kernel = "product.gemm", fast.passed_over = {{"better", "not here"}};
    slow.name = "slow", slow.op = "Resize", slow.kernel = "reference.resize";
    run->plan.steps = {fast, slow};
    q.in.run = run;
    EXPECT_EQ(q["fallbacks"].state, AdviceState::done) << "there is no faster kernel for it at all";
    run->plan.steps[1].passed_over = {{"fast.resize", "cubic"}};
    NodeTotal total;
    total.name = "slow", total.share = 0.25;
    run->summary.nodes = {total};
    EXPECT_EQ(q["fallbacks"].state, AdviceState::worthDoing);
    EXPECT_TRUE(q["fallbacks"].finding.contains(QStringLiteral("cubic")));
    EXPECT_TRUE(q["fallbacks"].gain.contains(QStringLiteral("25")));
}

TEST(AdviceTexts, AreThereInEveryLanguageForEveryCheck) {
    QFile file(QStringLiteral(":/advice.json"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QJsonArray checks = QJsonDocument::fromJson(file.readAll()).object()[QLatin1String("checks")].toArray();
    std::set<QString> written, given;
    for (const QJsonValue& check : checks) {
        written.insert(check[QLatin1String("id")].toString());
        for (const char* member : {"title", "why", "how", "button"})
            for (const char* language : {"en", "de", "zh_CN"})
                EXPECT_FALSE(check[QLatin1String(member)][QLatin1String(language)].toString().isEmpty())
                    << check[QLatin1String("id")].toString().toStdString() << ' ' << member << ' ' << language;
    }
    for (const Advice& advice : app::advise(about("mlp").in)) given.insert(advice.id);
    EXPECT_EQ(written, given);
    EXPECT_EQ(loadAdviceTexts(QStringLiteral("de_AT"))[QStringLiteral("runs")].title,
              QString::fromUtf8("Einmal ausführen"));
    EXPECT_EQ(loadAdviceTexts(QStringLiteral("fr_FR"))[QStringLiteral("runs")].title, QStringLiteral("Run it once"));
}

class ChecklistTest : public WindowTest {
protected:
    ChecklistPage* page() const { return qobject_cast<ChecklistPage*>(window_->page(QStringLiteral("checklist"))); }
    AdviceState stateOf(const char* id) const {
        for (const AdviceRow& row : page()->rows())
            if (row.advice.id == QLatin1String(id)) return row.advice.state;
        ADD_FAILURE() << "no check " << id;
        return AdviceState::unknown;
    }
    void openAndLook(const char* sample) {
        openSample(sample);
        window_->showPage(QStringLiteral("checklist"));
        ASSERT_TRUE(waitFor([&] { return page()->isSettled() && page()->rows().size() == 14; }));
    }
    int badge() const { return find<RailButton>("rail_checklist")->badge(); }
};

TEST_F(ChecklistTest, SaysWhatToPressWhileNothingIsOpen) {
    window_->showPage(QStringLiteral("checklist"));
    auto* empty = page()->findChild<EmptyState*>();
    ASSERT_TRUE(empty && empty->isVisible());
    EXPECT_FALSE(empty->button()->text().isEmpty());
    EXPECT_EQ(badge(), 0);
}

TEST_F(ChecklistTest, PointsGoAwayAsTheyAreDone) {
    openAndLook("lenet");
    const int before = badge();
    EXPECT_GT(before, 2);
    EXPECT_EQ(page()->rows().front().advice.state, AdviceState::worthDoing) << "what matters comes first";
    EXPECT_EQ(page()->rows().front().advice.id, QStringLiteral("runs"));
    EXPECT_NE(stateOf("memory"), AdviceState::unknown);
    QTest::mouseClick(find<QPushButton>("doIt"), Qt::LeftButton);
    EXPECT_EQ(window_->currentPage(), QStringLiteral("run"));
    ASSERT_TRUE(waitFor([&] { return !workbench_->isRunning() && workbench_->run(); }));
    window_->showPage(QStringLiteral("checklist"));
    ASSERT_TRUE(waitFor([&] { return page()->isSettled(); }));
    EXPECT_EQ(stateOf("runs"), AdviceState::done);
    EXPECT_NE(stateOf("fallbacks"), AdviceState::unknown);
    EXPECT_EQ(find<TableView>("keptRuns")->model()->rowCount(), 1);
}

// In a window of usual size the finding of a check can be read without dragging columns.
TEST_F(ChecklistTest, FindingsHaveRoom) {
    window_->resize(1400, 900);
    openAndLook("bert-tiny");
    TableView* table = page()->table();
    QTest::qWait(50);
    const int finding = 3;
    EXPECT_GT(table->columnWidth(finding), table->viewport()->width() / 3);
    EXPECT_LE(table->header()->sectionPosition(finding) + table->columnWidth(finding), table->viewport()->width());
    int whole = 0, all = table->model()->rowCount();
    for (int row = 0; row < all; ++row) {
        const QModelIndex at = table->model()->index(row, finding);
        const QRect cell = table->visualRect(at);
        const QRect text = table->fontMetrics().boundingRect(QRect(0, 0, cell.width() - 8, 1000), Qt::TextWordWrap,
                                                             at.data().toString());
        whole += text.height() <= cell.height();
    }
    EXPECT_GE(whole, all - 1) << "of " << all << " findings";
}

TEST_F(ChecklistTest, RunsTheGuardItself) {
    openAndLook("lenet");
    app::Recipe recipe;
    recipe.level = Level::extended;
    workbench_->variants().require({recipe});
    ASSERT_TRUE(waitFor([&] { return workbench_->variants().find(recipe) && page()->isSettled(); }));
    ASSERT_EQ(stateOf("guard"), AdviceState::worthDoing);
    page()->act(QStringLiteral("guard"));
    ASSERT_TRUE(waitFor([&] { return !workbench_->project().guards().empty(); }));
    ASSERT_TRUE(waitFor([&] { return page()->isSettled(); }));
    EXPECT_EQ(stateOf("guard"), AdviceState::done);
}

TEST_F(ChecklistTest, FixesSizesAndUndoTakesThemBack) {
    openAndLook("bert-tiny");
    if (stateOf("dimensions") != AdviceState::worthDoing) GTEST_SKIP() << "the sample has no sizes to fix";
    page()->act(QStringLiteral("dimensions"));
    EXPECT_FALSE(workbench_->project().recipe().dimensions.empty());
    EXPECT_EQ(window_->currentPage(), QStringLiteral("optimize"));
    workbench_->project().undoStack().undo();
    EXPECT_TRUE(workbench_->project().recipe().dimensions.empty());
}

TEST_F(ChecklistTest, LeadsToQuantizingAndKeepsNotes) {
    openAndLook("bert-tiny");
    page()->act(QStringLiteral("quantize"));
    EXPECT_EQ(window_->currentPage(), QStringLiteral("quantize"));
    window_->showPage(QStringLiteral("checklist"));
    auto* notes = find<QPlainTextEdit>("projectNotes");
    find<QTabWidget>("keptTabs")->setCurrentWidget(notes);
    QTest::keyClicks(notes, QStringLiteral("slow on Tuesdays"));
    EXPECT_EQ(workbench_->project().notes(), QStringLiteral("slow on Tuesdays"));
    EXPECT_TRUE(window_->isWindowModified());
    command(QStringLiteral("Undo edit the notes"))->trigger();
    EXPECT_TRUE(notes->toPlainText().isEmpty());
}

TEST_F(ChecklistTest, AnswersWhileItLooks) {
    window_->showPage(QStringLiteral("checklist"));
    window_->grab();
    auto model = std::make_shared<const Model>(build_sample("bert-base"));
    GuiWatchdog watchdog;
    workbench_->adopt(model, QStringLiteral("bert-base"));
    ASSERT_TRUE(waitFor([&] { return page()->isSettled() && !page()->rows().empty(); }));
    EXPECT_LT(watchdog.stop().held_ms, 50 * wall_factor);
}

}  // namespace
}  // namespace lapidary::views
