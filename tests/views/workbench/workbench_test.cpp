// SPDX-License-Identifier: Apache-2.0
#include "workbench/workbench.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/inputs/samples.h>

#include "support/answering_engine.h"
#include "workbench/project/settings.h"
#include "workbench/document/symbolic_dimensions.h"
#include "worker/jobs/variant_job.h"
#include "worker/process/serve.h"

namespace lapidary::app {
namespace {

constexpr int patience_ms = 60'000;

class WorkbenchTest : public testing::Test {
protected:
    void SetUp() override {
        saveRecentFiles({});
        workbench_.clearRecentFiles();
        RunSettings settings;
        settings.repetitions = 2;
        settings.warmups = 1;
        workbench_.setRunSettings(settings);
        ASSERT_TRUE(folder_.isValid());
    }
    QString savedSample(const char* name) {
        const QString path = folder_.filePath(QLatin1String(name) + QStringLiteral(".onnx"));
        save_model(build_sample(name), path.toStdString());
        return path;
    }
    QString brokenFile() {
        const QString path = folder_.filePath(QStringLiteral("broken.onnx"));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write("this is no model");
        return path;
    }
    bool wait(QSignalSpy& spy) {
        return QTest::qWaitFor([&] { return !spy.isEmpty(); }, patience_ms);
    }

    QTemporaryDir folder_;
    Workbench workbench_;
};

TEST_F(WorkbenchTest, OpensAFileAndRemembersIt) {
    const QString path = savedSample("mlp");
    QSignalSpy changed(&workbench_, &Workbench::documentChanged);
    workbench_.openModel(path);
    EXPECT_TRUE(workbench_.isOpening());
    ASSERT_TRUE(wait(changed));
    EXPECT_FALSE(workbench_.isOpening());
    EXPECT_EQ(workbench_.document()->title, QStringLiteral("mlp.onnx"));
    EXPECT_EQ(workbench_.document()->summary.nodes,
              std::int64_t(workbench_.document()->model->graph.node_count()));
    EXPECT_EQ(workbench_.recentFiles(), QStringList{QFileInfo(path).absoluteFilePath()});
    EXPECT_EQ(loadRecentFiles(), workbench_.recentFiles());
}

TEST_F(WorkbenchTest, AFailedOpenKeepsTheDocumentAndSaysWhy) {
    QSignalSpy changed(&workbench_, &Workbench::documentChanged),
        failed(&workbench_, &Workbench::openFailed);
    workbench_.openSample(QStringLiteral("mlp"));
    ASSERT_TRUE(wait(changed));
    const DocumentPtr before = workbench_.document();
    for (const QString& path : {brokenFile(), folder_.filePath(QStringLiteral("missing.onnx"))}) {
        failed.clear();
        workbench_.openModel(path);
        ASSERT_TRUE(wait(failed));
        EXPECT_EQ(failed[0][0].toString(), QFileInfo(path).fileName());
        EXPECT_FALSE(failed[0][1].toString().isEmpty());
        EXPECT_EQ(workbench_.document(), before);
    }
    EXPECT_EQ(changed.count(), 1);
    EXPECT_TRUE(workbench_.recentFiles().isEmpty());
    failed.clear();
    workbench_.openSample(QStringLiteral("no such sample"));
    ASSERT_TRUE(wait(failed));
    EXPECT_EQ(workbench_.document(), before);
}

TEST_F(WorkbenchTest, ANewOpenCancelsTheOldOne) {
    QSignalSpy changed(&workbench_, &Workbench::documentChanged);
    workbench_.openSample(QStringLiteral("resnet50"));
    workbench_.openSample(QStringLiteral("mlp"));
    ASSERT_TRUE(wait(changed));
    EXPECT_EQ(workbench_.document()->summary.nodes,
              std::int64_t(build_sample("mlp").graph.node_count()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return workbench_.jobs().jobs().isEmpty(); }, patience_ms));
    QTest::qWait(20);
    EXPECT_EQ(changed.count(), 1) << "the cancelled model was published";
}

TEST_F(WorkbenchTest, RunsWithGeneratedInputs) {
    workbench_.adopt(std::make_shared<const Model>(build_sample("mlp")), QStringLiteral("MLP"));
    QSignalSpy changed(&workbench_, &Workbench::runChanged),
        failed(&workbench_, &Workbench::runFailed);
    workbench_.startRun();
    EXPECT_TRUE(workbench_.isRunning());
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !changed.isEmpty() || !failed.isEmpty(); }, patience_ms));
    ASSERT_TRUE(failed.isEmpty()) << failed[0][0].toString().toStdString();
    const RunRecordPtr run = workbench_.run();
    ASSERT_TRUE(run);
    EXPECT_EQ(run->profile->runs, 2);
    EXPECT_EQ(run->outputs.size(), workbench_.document()->summary.outputs.size());
    EXPECT_EQ(run->inputs.size(), workbench_.document()->summary.inputs.size());
    EXPECT_GT(run->summary.wall_ms, 0);
    EXPECT_FALSE(run->summary.verdict.empty());
}

TEST_F(WorkbenchTest, CancelsARun) {
    workbench_.adopt(std::make_shared<const Model>(build_sample("squeezenet")),
                     QStringLiteral("SqueezeNet"));
    RunSettings settings;
    settings.repetitions = most_repetitions;
    workbench_.setRunSettings(settings);
    QSignalSpy cancelled(&workbench_, &Workbench::runCancelled),
        changed(&workbench_, &Workbench::runChanged);
    workbench_.startRun();
    workbench_.cancelRun();
    ASSERT_TRUE(wait(cancelled));
    EXPECT_FALSE(workbench_.isRunning());
    EXPECT_TRUE(changed.isEmpty());
    EXPECT_FALSE(workbench_.run());
}

TEST(WorkbenchRun, EndsWhereTheOriginalCannotBeMade) {
    auto engine = std::make_unique<test::AnsweringEngine>();
    engine->answer<VariantJob>([](const test::Asked<VariantJob>&) -> MadeVariant {
        fail(ErrorCode::not_supported, "no original in this script");
    });
    Workbench workbench(std::move(engine));
    QSignalSpy failed(&workbench, &Workbench::runFailed);
    workbench.adopt(std::make_shared<const Model>(build_sample("mlp")), QStringLiteral("MLP"));
    for (qsizetype run = 1; run <= 2; ++run) {
        workbench.startRun();
        ASSERT_TRUE(workbench.isRunning());
        ASSERT_TRUE(QTest::qWaitFor([&] { return failed.size() == run; }, patience_ms));
        EXPECT_FALSE(workbench.isRunning());
        EXPECT_TRUE(failed.back()[0].toString().contains(QStringLiteral("in this script")))
            << failed.back()[0].toString().toStdString();
    }
}

TEST(Settings, AMemoryLimitThatNoWorkerTakesIsTheLeastOne) {
    for (const quint64 bytes : {quint64(1), quint64(least_memory_limit - 1)}) {
        saveMemoryLimit(bytes);
        EXPECT_EQ(loadMemoryLimit(), least_memory_limit);
    }
    saveMemoryLimit(0);
    EXPECT_EQ(loadMemoryLimit(), 0u) << "no limit";
}

TEST_F(WorkbenchTest, ACancelledRunKeepsWhatWasFinished) {
    workbench_.adopt(std::make_shared<const Model>(build_sample("squeezenet")),
                     QStringLiteral("SqueezeNet"));
    RunSettings settings;
    settings.repetitions = most_repetitions;
    workbench_.setRunSettings(settings);
    QSignalSpy cancelled(&workbench_, &Workbench::runCancelled),
        changed(&workbench_, &Workbench::runChanged);
    workbench_.startRun();
    const auto hasRunTwice = [this] {  // after the job that makes what runs
        const Job* job = workbench_.runJob();
        return job && job->stage() == u"run" && job->fraction() > 2.0 / most_repetitions;
    };
    ASSERT_TRUE(QTest::qWaitFor(hasRunTwice, patience_ms));
    workbench_.cancelRun();
    ASSERT_TRUE(wait(changed));
    EXPECT_TRUE(cancelled.isEmpty());
    ASSERT_TRUE(workbench_.run());
    EXPECT_GE(workbench_.run()->profile->runs, 2);
    EXPECT_LT(workbench_.run()->profile->runs, most_repetitions);
    EXPECT_EQ(workbench_.run()->outputs.size(), 1u);
}

TEST_F(WorkbenchTest, ANewDocumentDropsTheRunOfTheOldOne) {
    workbench_.adopt(std::make_shared<const Model>(build_sample("squeezenet")),
                     QStringLiteral("SqueezeNet"));
    workbench_.startRun();
    workbench_.adopt(std::make_shared<const Model>(build_sample("mlp")), QStringLiteral("MLP"));
    EXPECT_FALSE(workbench_.isRunning());
    ASSERT_TRUE(QTest::qWaitFor([&] { return workbench_.jobs().jobs().isEmpty(); }, patience_ms));
    EXPECT_FALSE(workbench_.run());
}

TEST_F(WorkbenchTest, SavesAndOpensATrace) {
    workbench_.adopt(std::make_shared<const Model>(build_sample("mlp")), QStringLiteral("MLP"));
    QSignalSpy ran(&workbench_, &Workbench::runChanged);
    workbench_.startRun();
    ASSERT_TRUE(wait(ran));
    const auto kernels = workbench_.run()->profile->kernels.size();
    const QString path = folder_.filePath(QStringLiteral("run.json"));
    QSignalSpy saved(&workbench_, &Workbench::traceSaved);
    workbench_.saveTrace(path);
    ASSERT_TRUE(wait(saved));
    EXPECT_GT(QFileInfo(path).size(), 100);

    Workbench other;
    QSignalSpy opened(&other, &Workbench::runChanged);
    other.openAny(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !opened.isEmpty(); }, patience_ms));
    EXPECT_FALSE(other.document());
    EXPECT_EQ(other.run()->profile->kernels.size(), kernels);
    EXPECT_FALSE(other.run()->summary.nodes.empty());
}

TEST_F(WorkbenchTest, AFailedTraceIsReported) {
    const QString path = folder_.filePath(QStringLiteral("bad.json"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("{\"traceEvents\": [");
    file.close();
    QSignalSpy failed(&workbench_, &Workbench::traceFailed);
    workbench_.openTrace(path);
    ASSERT_TRUE(wait(failed));
    EXPECT_FALSE(failed[0][1].toString().isEmpty());
    EXPECT_FALSE(workbench_.run());
}

TEST_F(WorkbenchTest, FocusIsTheSameOnceSet) {
    workbench_.adopt(std::make_shared<const Model>(build_sample("mlp")), QStringLiteral("MLP"));
    QSignalSpy changed(&workbench_, &Workbench::focusChanged);
    const NodeId node = workbench_.document()->model->graph.nodes().front();
    workbench_.focusNode(node);
    workbench_.focusNode(node);
    EXPECT_EQ(changed.count(), 1);
    EXPECT_EQ(workbench_.focus().node, node);
    workbench_.focusValue(workbench_.document()->model->graph.inputs().front());
    EXPECT_FALSE(workbench_.focus().node);
    EXPECT_EQ(changed.count(), 2);
}

TEST_F(WorkbenchTest, RememberedRunSettingsSurviveAndStayInBounds) {
    RunSettings settings;
    settings.resources.threads = 3;
    settings.repetitions = 7;
    settings.warmups = 0;
    settings.seed = 99;
    settings.dimensions["batch"] = 4;
    workbench_.setRunSettings(settings);
    settings.dimensions.clear();  // those belong to one model
    EXPECT_EQ(loadRunSettings(), settings);
    settings.resources.threads = 1'000'000;
    settings.repetitions = -4;
    saveRunSettings(settings);
    EXPECT_EQ(loadRunSettings().resources.threads, most_run_threads);
    EXPECT_EQ(loadRunSettings().repetitions, 1);
}

TEST_F(WorkbenchTest, FixedDimensionsShapeTheInputs) {
    workbench_.adopt(std::make_shared<const Model>(build_sample("bert-tiny")),
                     QStringLiteral("BERT"));
    const auto names = symbolicDimensions(workbench_.document()->summary);
    ASSERT_FALSE(names.empty());
    RunSettings settings = workbench_.runSettings();
    settings.dimensions[names.front()] = 3;
    workbench_.setRunSettings(settings);
    QSignalSpy changed(&workbench_, &Workbench::runChanged),
        failed(&workbench_, &Workbench::runFailed);
    workbench_.startRun();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !changed.isEmpty() || !failed.isEmpty(); }, patience_ms));
    ASSERT_TRUE(failed.isEmpty()) << failed[0][0].toString().toStdString();
    EXPECT_EQ(workbench_.run()->inputs.front().second.tensor().dim(0), 3);
}

}  // namespace
}  // namespace lapidary::app
