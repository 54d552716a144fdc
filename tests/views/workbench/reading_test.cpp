// SPDX-License-Identifier: Apache-2.0
// Files that a window must survive: those that crash their reader, unreadable ones, those that need
// an answer first.
#include <QAbstractButton>
#include <QMessageBox>
#include <QSignalSpy>

#include <filesystem>
#include <fstream>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>

#include "support/test_data.h"
#include "widgets/cards/message_banner.h"
#include "widgets/saved_bytes.h"
#include "window/window_application.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

QString textOf(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

class ReadingTest : public WindowTest {
protected:
    void SetUp() override {
        qputenv("LAPIDARY_WORKER", QByteArray::fromStdString(worker()));
        WindowTest::SetUp();
    }
    void TearDown() override {
        WindowTest::TearDown();
        qputenv("LAPIDARY_WORKER", "off");
    }
    virtual std::string worker() { return cli_program(); }
    std::filesystem::path save(const char* name, const char* graph) {
        Model model;
        model.ir_version = 8;
        model.opset_imports = {{"", 17}, {"com.microsoft.nchwc", 1}};
        model.graph = parse_graph(graph);
        save_model(model, folder_ / name);
        return folder_ / name;
    }
    /// True when it was opened, false when it was refused.
    bool open(const std::filesystem::path& file) {
        QSignalSpy changed(workbench_.get(), &app::Workbench::documentChanged),
            failed(workbench_.get(), &app::Workbench::openFailed);
        workbench_->openModel(textOf(file));
        EXPECT_TRUE(waitFor([&] { return changed.size() + failed.size() > 0; })) << file;
        return failed.isEmpty();
    }
    TemporaryFolder folder_;
};

class DyingWorkerTest : public ReadingTest {
protected:
    std::string worker() override {
        const std::filesystem::path script = folder_ / "worker";
        std::ofstream(script) << "#!/bin/sh\necho '{\"hello\":{}}'; read line; kill -SEGV $$\n";
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        return script.string();
    }
};

TEST_F(DyingWorkerTest, TheWindowSurvivesTheReader) {
    openSample("mlp");
    const app::DocumentPtr before = workbench_->document();
    EXPECT_FALSE(open(save("net.onnx", "(x: f32[2]) -> (y)\ny = Relu(x)")));
    EXPECT_EQ(workbench_->document(), before);
    ASSERT_TRUE(waitFor([&] { return window_->banner()->isVisible(); }));
    const QString reported = window_->banner()->title() + window_->banner()->text();
    EXPECT_TRUE(reported.contains(QStringLiteral("net.onnx"))) << reported.toStdString();
    EXPECT_TRUE(reported.contains(QStringLiteral("signal 11"))) << reported.toStdString();
}

TEST_F(ReadingTest, HostileFilesAreOpenedOrRefused) {
    std::vector<std::filesystem::path> files;
    std::error_code absent;
    for (const char* folder : {"repro/hostile", "malformed"})
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(test_data() / folder, absent))
            if (entry.path().extension() == ".onnx" && entry.file_size() < 100'000)
                files.push_back(entry.path());
    if (files.empty()) GTEST_SKIP() << "no hostile files in " << test_data();
    for (const std::filesystem::path& file : files) {
        if (open(file)) {
            EXPECT_TRUE(workbench_->opened()->model->path == file) << file;
            continue;
        }
        EXPECT_TRUE(window_->banner()->isVisible()) << file;
        EXPECT_GT(window_->banner()->text().size(), 10) << file;
        EXPECT_FALSE(window_->banner()->text().contains(QStringLiteral("std::")))
            << window_->banner()->text().toStdString();
    }
}

TEST_F(ReadingTest, TheBlockOfChannelsIsAsked) {
    const auto file = save("laid_out.onnx",
                           "(x: f32[1,16,4,4]) -> (y)\ny = com.microsoft.nchwc::ReorderInput@1(x)");
    QSignalSpy asked(workbench_.get(), &app::Workbench::channelBlockAsked);
    workbench_->openModel(textOf(file));
    ASSERT_TRUE(waitFor([&] { return !asked.isEmpty(); }));
    ASSERT_NE(workbench_->opened(), nullptr) << "it can be looked at";
    auto* box = find<QMessageBox>("channelBlock");
    ASSERT_NE(box, nullptr);
    EXPECT_TRUE(box->detailedText().contains(QStringLiteral("blocks of 8 or of 16")))
        << box->detailedText().toStdString();
    if (const QString kept = qEnvironmentVariable("LAPIDARY_SCREENSHOTS"); !kept.isEmpty())
        box->grab().save(kept + QStringLiteral("/channel_block.png"));
    for (QAbstractButton* button : box->buttons())
        if (button->text().startsWith(QStringLiteral("16"))) button->click();
    ASSERT_TRUE(waitFor([&] { return workbench_->opened()->source.channel_block == 16; }));
    EXPECT_EQ(asked.size(), 1);
    runModel();  // in the worker, which reads it with the same block
}

TEST_F(ReadingTest, WhatIsOpenIsNotWrittenOver) {
    const auto file = save("net.onnx", "(x: f32[2]) -> (y)\ny = Relu(x)"),
               other = folder_ / "other.onnx";
    std::filesystem::copy_file(file, other);
    ASSERT_TRUE(open(file));
    const auto size = std::filesystem::file_size(file);
    const QString problem = whyNotSaved(textOf(file), "a table");
    EXPECT_TRUE(problem.contains(QStringLiteral("would destroy"))) << problem.toStdString();
    EXPECT_EQ(std::filesystem::file_size(file), size);
    ASSERT_TRUE(open(other));
    EXPECT_EQ(whyNotSaved(textOf(file), "a table"), QString()) << "it is no longer open";
}

TEST_F(WindowTest, AnExceptionOfAnEventHandlerEndsNothing) {
    QSignalSpy reported(qApp, SIGNAL(failed(QString)));
    QMetaObject::invokeMethod(
        window_.get(), [] { throw std::runtime_error("a handler failed"); }, Qt::QueuedConnection);
    ASSERT_TRUE(waitFor([&] { return !reported.isEmpty(); }));
    EXPECT_EQ(reported.first().first().toString(), QStringLiteral("a handler failed"));
}

}  // namespace
}  // namespace lapidary::views
