// SPDX-License-Identifier: Apache-2.0
// File ▸ Export model and File ▸ Save report.
#include <QFileDialog>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <fstream>
#include <iterator>

#include "optimize/export_dialog.h"
#include "views/window_fixture.h"
#include "widgets/cards/message_banner.h"
#include "window/file_exports.h"
#include "window/run_report.h"

namespace lapidary::views {
namespace {

class FileExportsTest : public WindowTest {
protected:
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
