// SPDX-License-Identifier: Apache-2.0
// Inputs that the user gives are those of Run, Compare and Tune, and their headlines say so.
#include <QLabel>
#include <QTemporaryDir>

#include <lapidary/tensor/tensor_file.h>

#include "views/tune/fake_sweep_engine.h"
#include "tune/recommendation_card.h"
#include "views/window_fixture.h"
#include "workbench/jobs/comparison.h"
#include "workbench/document/given_data.h"
#include "workbench/project/project.h"
#include "workbench/tuning/tuning.h"
#include "worker/inputs/given_inputs.h"
#include "worker/jobs/measure_job.h"

namespace lapidary::views {
namespace {

/// Remembers what it was asked to measure.
class ListeningEngine : public app::FakeSweepEngine {
public:
    ListeningEngine() {
        answer<app::MeasureJob>([this](const test::Asked<app::MeasureJob>& asked) {
            {
                const std::lock_guard lock(mutex_);
                measured_.push_back(asked.job);
            }
            return real(asked);
        });
    }
    std::vector<app::MeasureJob> measured() const {
        const std::lock_guard lock(mutex_);
        return measured_;
    }

private:
    mutable std::mutex mutex_;
    std::vector<app::MeasureJob> measured_;
};

class OwnInputsTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        window_.reset();
        auto engine = std::make_unique<ListeningEngine>();
        engine_ = engine.get();
        app::RunSettings settings;
        settings.repetitions = 2;
        settings.warmups = 0;
        workbench_ = std::make_unique<app::Workbench>(std::move(engine));
        workbench_->setRunSettings(settings);
        window_ = std::make_unique<MainWindow>(*workbench_);
        window_->show();
    }
    /// Two rows of a constant for bert-tiny's inputs, 19 tokens long.
    void giveTokens() {
        openSample("bert-tiny");
        NamedValues archive;
        const Graph& graph = workbench_->opened()->model->graph;
        for (const ValueId id : graph.inputs()) {
            Tensor tokens(DType::i64, {2, 19});
            for (std::size_t i = 0; i < 38; ++i)
                tokens.mutable_data<std::int64_t>()[i] = i < 19 ? 0 : 1;
            archive.emplace_back(graph.value(id).name, tokens);
        }
        const QString file = folder_.filePath(QStringLiteral("mine.npz"));
        save_npz(file.toStdString(), archive);
        workbench_->givenData().give({file});
        ASSERT_TRUE(waitFor([&] {
            return !workbench_->givenData().isPreviewing() && workbench_->givenData().preview();
        }));
        ASSERT_FALSE(workbench_->runSettings().given.isEmpty());
    }
    QString text(const char* label) const { return find<QLabel>(label)->text(); }
    QTemporaryDir folder_;
    ListeningEngine* engine_ = nullptr;
};

TEST_F(OwnInputsTest, CompareMeasuresWithThemAndSaysSo) {
    giveTokens();
    app::Recipe basic;
    basic.level = Level::basic;
    const app::Recipe disabled = app::Recipe::plain(Level::disabled);
    workbench_->variants().requestAlso(disabled);
    workbench_->variants().requestAlso(basic);
    ASSERT_TRUE(waitFor([&] { return workbench_->variants().find(basic) != nullptr; }));
    workbench_->project().setSlot(app::Slot::A, workbench_->variants().find(disabled));
    workbench_->project().setSlot(app::Slot::B, workbench_->variants().find(basic));
    window_->showPage(QStringLiteral("compare"));
    EXPECT_TRUE(text("compareVerdict").contains(QStringLiteral("your inputs (mine.npz)")))
        << text("compareVerdict").toStdString();
    app::Comparison& comparison = workbench_->comparison();
    MeasureOptions options = comparison.options();
    options.seconds = 0.2;
    comparison.setOptions(options);
    comparison.start();
    ASSERT_TRUE(waitFor([&] {
        return comparison.result() && comparison.result()->complete && !comparison.isRunning();
    }));
    ASSERT_EQ(engine_->measured().size(), 1u);
    EXPECT_EQ(engine_->measured().front().given, workbench_->runSettings().given);
    ASSERT_TRUE(comparison.result()->measured_a)
        << comparison.result()->problems.join(u'\n').toStdString();
    ASSERT_TRUE(comparison.result()->run_a)
        << comparison.result()->problems.join(u'\n').toStdString();
    EXPECT_EQ(comparison.result()->run_a->inputs.front().second.tensor().shape(), (Shape{2, 19}));
    ASSERT_TRUE(
        waitFor([&] { return text("compareVerdict").contains(QStringLiteral("Measured with")); }));
    EXPECT_TRUE(text("compareVerdict").contains(QStringLiteral("your inputs (mine.npz)")))
        << text("compareVerdict").toStdString();
    workbench_->givenData().clear();
    ASSERT_TRUE(waitFor([&] { return workbench_->runSettings().given.isEmpty(); }));
    EXPECT_TRUE(text("compareVerdict").contains(QStringLiteral("have changed since")))
        << text("compareVerdict").toStdString();
}

TEST_F(OwnInputsTest, TuneMeasuresWithThemAndSaysSo) {
    openSample("bert-tiny");
    window_->showPage(QStringLiteral("tune"));
    EXPECT_TRUE(text("tuneReasons").contains(QStringLiteral("generated inputs")))
        << text("tuneReasons").toStdString();
    giveTokens();
    EXPECT_TRUE(text("tuneReasons").contains(QStringLiteral("your inputs (mine.npz)")))
        << text("tuneReasons").toStdString();
    app::Tuning& tuning = workbench_->tuning();
    tuning.start();
    ASSERT_TRUE(waitFor([&] { return !tuning.isRunning() && tuning.result()->complete; }));
    ASSERT_FALSE(engine_->jobs().empty());
    for (const app::SweepJob& job : engine_->jobs())
        EXPECT_EQ(job.given, workbench_->runSettings().given);
    EXPECT_TRUE(text("tuneReasons").contains(QStringLiteral("your inputs (mine.npz)")))
        << text("tuneReasons").toStdString();
    const app::GivenInputs mine = workbench_->runSettings().given;
    workbench_->givenData().clear();
    ASSERT_TRUE(waitFor([&] { return workbench_->runSettings().given.isEmpty(); }));
    EXPECT_FALSE(tuning.result()->complete)
        << "figures of other inputs are not shown as those of these";
    app::RunSettings settings = workbench_->runSettings();
    settings.given = mine;
    for (const auto& [name, size] : workbench_->conditions().sizes)
        settings.dimensions[name] = size;
    settings.dimensions["sequence"] = 19;
    workbench_->setRunSettings(settings);
    EXPECT_TRUE(tuning.result()->complete) << "and come back with them";
}

TEST_F(OwnInputsTest, AnotherBatchTakesTheRowsInTurn) {
    giveTokens();
    const Model& model = *workbench_->opened()->model;
    const NamedValues given = app::given_values(model, workbench_->runSettings().given, {});
    RunConfiguration three;
    three.batch = 3;
    const NamedValues inputs = inputs_for(model, three, {}, 1, given);
    ASSERT_EQ(inputs.size(), given.size());
    for (const auto& [name, value] : inputs) {
        ASSERT_EQ(value.tensor().shape(), (Shape{3, 19})) << name;
        const auto tokens = value.tensor().data<std::int64_t>();
        EXPECT_EQ(tokens[0], 0) << name;
        EXPECT_EQ(tokens[19], 1) << name;
        EXPECT_EQ(tokens[38], 0) << name << ": the first row once more";
    }
}

}  // namespace
}  // namespace lapidary::views
