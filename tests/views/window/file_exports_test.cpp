// SPDX-License-Identifier: Apache-2.0
// File ▸ Export model, File ▸ Save model report and File ▸ Code snippet.
#include <QFileDialog>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <fstream>
#include <iterator>

#include "optimize/export_dialog.h"
#include "views/window_fixture.h"
#include "widgets/cards/message_banner.h"
#include "window/dialogs/snippet_dialog.h"
#include "window/file_exports.h"
#include "window/run_report.h"

namespace lapidary::views {
namespace {

class FileExportsTest : public WindowTest {
protected:
    /// The code of the dialog, once it is written.
    std::string snippetText() {
        const CodePanel* panel = find<SnippetDialog>("snippetDialog")->panel();
        EXPECT_TRUE(waitFor([&] { return !panel->isWriting(); }));
        return panel->text().toStdString();
    }
    /// What was written there; empty: it failed.
    std::string reportAt(const QString& path) {
        auto* exports = find<FileExports>("fileExports");
        QSignalSpy written(exports, &FileExports::written);
        exports->writeReport(path);
        EXPECT_TRUE(waitFor([&] { return !written.isEmpty(); }));
        std::ifstream in(path.toStdString());
        return std::string(std::istreambuf_iterator<char>(in), {});
    }
};

TEST_F(FileExportsTest, NeedAnOpenModel) {
    EXPECT_FALSE(command(QStringLiteral("Export model …"))->isEnabled());
    EXPECT_FALSE(command(QStringLiteral("Save model report …"))->isEnabled());
    openSample("mlp");
    EXPECT_TRUE(command(QStringLiteral("Export model …"))->isEnabled());
    command(QStringLiteral("Save model report …"))->trigger();
    EXPECT_TRUE(find<QFileDialog>("saveReportDialog")->isVisible());
    command(QStringLiteral("Export model …"))->trigger();
    EXPECT_EQ(window_->currentPage(), QStringLiteral("optimize"));
    EXPECT_NE(window_->findChild<ExportDialog*>(), nullptr);
}

TEST_F(FileExportsTest, TheSnippetIsOfTheVariantInForceWithoutAComparison) {
    EXPECT_FALSE(command(QStringLiteral("Code snippet …"))->isEnabled());
    openSample("mlp");
    app::RunSettings settings = workbench_->runSettings();
    settings.resources.threads = 3;
    workbench_->setRunSettings(settings);
    command(QStringLiteral("Code snippet …"))->trigger();
    ASSERT_TRUE(find<SnippetDialog>("snippetDialog")->isVisible());
    EXPECT_FALSE(find<SnippetDialog>("snippetDialog")->panel()->side()->isVisible());
    const std::string first = snippetText();
    EXPECT_NE(first.find("import onnxruntime"), std::string::npos) << first;
    EXPECT_NE(first.find("mlp.onnx"), std::string::npos) << first;
    EXPECT_NE(first.find("intra_op_num_threads = 3"), std::string::npos) << first;
    EXPECT_NE(first.find("ORT_ENABLE_ALL"), std::string::npos)
        << "the level at which the original runs: " << first;
    workbench_->useRecipe(app::Recipe::plain(Level::basic));
    ASSERT_TRUE(
        waitFor([&] { return workbench_->recipeInForce() == app::Recipe::plain(Level::basic); }));
    const std::string second = snippetText();
    EXPECT_NE(second.find("ORT_ENABLE_BASIC"), std::string::npos) << second;
}

TEST_F(FileExportsTest, TheSnippetOfAnEditedModelNamesItsExport) {
    openSample("mlp");
    app::Recipe edited;
    edited.edits = "delete op:Relu\n";
    workbench_->useRecipe(edited);
    ASSERT_TRUE(waitFor([&] { return workbench_->recipeInForce() == edited; }));
    command(QStringLiteral("Code snippet …"))->trigger();
    const std::string code = snippetText();
    EXPECT_NE(code.find("mlp.optimized.onnx"), std::string::npos) << code;
}

TEST_F(FileExportsTest, AReportHasTheRunIfThereIsOne) {
    const QTemporaryDir folder;
    openSample("mlp");
    EXPECT_EQ(runReport(*workbench_).sides.at(0).profile, nullptr);
    const std::string without = reportAt(folder.filePath(QStringLiteral("without.html")));
    EXPECT_NE(without.find("<html"), std::string::npos);
    EXPECT_NE(without.find("mlp"), std::string::npos);
    runModel();
    const ReportContent content = runReport(*workbench_);
    EXPECT_EQ(content.sides.at(0).profile, workbench_->run()->profile);
    EXPECT_NE(content.sides.at(0).passes, nullptr);
    EXPECT_GT(reportAt(folder.filePath(QStringLiteral("with.html"))).size(), without.size());
}

TEST_F(FileExportsTest, AReportThatCannotBeWrittenIsSaid) {
    const QTemporaryDir folder;
    openSample("mlp");
    EXPECT_TRUE(reportAt(folder.filePath(QStringLiteral("absent/report.html"))).empty());
    EXPECT_TRUE(window_->banner()->isVisible());
    EXPECT_EQ(window_->banner()->kind(), MessageBanner::Kind::error);
}

}  // namespace
}  // namespace lapidary::views
