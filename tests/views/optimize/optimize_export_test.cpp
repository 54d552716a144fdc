// SPDX-License-Identifier: Apache-2.0
// Guard and export: what they write, what they ask before, what they say.
#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <lapidary/proof/guard.h>
#include <lapidary/onnx_io/model_io.h>

#include "optimize/export_dialog.h"
#include "optimize/guard_panel.h"
#include "optimize_fixture.h"
#include "workbench/project/project.h"

namespace lapidary::views {
namespace {

class OptimizeExportTest : public OptimizeTest {
protected:
    ExportDialog* openDialog() {
        command(QStringLiteral("Export …"))->trigger();
        auto* dialog = page()->findChild<ExportDialog*>();
        EXPECT_NE(dialog, nullptr);
        return dialog;
    }
    static bool answer(ExportDialog* dialog, QMessageBox::ButtonRole role) {
        auto* question = dialog->findChild<QMessageBox*>(QStringLiteral("overwriteQuestion"));
        if (!question) return false;
        for (QAbstractButton* button : question->buttons()) {
            if (question->buttonRole(button) != role) continue;
            button->click();
            return true;
        }
        return false;
    }
    const QTemporaryDir folder_;
};

TEST_F(OptimizeExportTest, TheGuardComparesEveryOutput) {
    openAndOptimize("bert-tiny");
    auto* guard = find<GuardPanel>("guardPanel");
    command(QStringLiteral("Guard"))->trigger();
    EXPECT_TRUE(guard->isRunning());
    ASSERT_TRUE(waitFor([&] { return !guard->isRunning(); }));
    ASSERT_TRUE(guard->report()) << guard->verdict().toStdString();
    EXPECT_TRUE(guard->report()->matches) << guard->verdict().toStdString();
    EXPECT_EQ(guard->table()->model()->rowCount(),
              int(workbench_->opened()->summary.outputs.size()));
    EXPECT_TRUE(guard->verdict().contains(QStringLiteral("agree")));
    ASSERT_EQ(workbench_->project().guards().size(), 1u) << "the Checklist knows of it";
    EXPECT_TRUE(workbench_->project().guards()[0].matches);
    QTest::mouseClick(cards()->card(Level::disabled), Qt::LeftButton);
    ASSERT_TRUE(settled());
    EXPECT_TRUE(guard->button()->isEnabled()) << "it is another variant";
    EXPECT_FALSE(guard->report());
    QTest::mouseClick(cards()->card(std::nullopt), Qt::LeftButton);
    ASSERT_TRUE(settled());
    EXPECT_FALSE(guard->button()->isEnabled());
    EXPECT_FALSE(guard->report());
}

/// The tab shows the same result as the card, whichever page compared the variant.
TEST_F(OptimizeExportTest, TheGuardTabShowsWhatIsKnownOfTheVariant) {
    openAndOptimize("bert-tiny");
    auto* guard = find<GuardPanel>("guardPanel");
    const app::VariantPtr variant = workbench_->variants().find(workbench_->project().recipe());
    ASSERT_TRUE(variant);
    GuardReport report;
    report.matches = true;
    workbench_->project().addGuard(variant, report);
    EXPECT_TRUE(guard->verdict().startsWith(u'✓')) << guard->verdict().toStdString();
    report.matches = false;
    workbench_->project().addGuard(variant, report);
    EXPECT_TRUE(guard->verdict().startsWith(u'✕')) << guard->verdict().toStdString();
}

/// A cancel at any time leaves either a whole file that is reported, or no files at all.
TEST_F(OptimizeExportTest, ACancelledExportLeavesNothing) {
    openAndOptimize("bert-tiny");
    int cancelled = 0;
    for (const int ms : {0, 1, 2, 4, 8, 16, 32}) {
        const QTemporaryDir folder;
        ExportDialog* dialog = openDialog();
        QSignalSpy saved(dialog, &ExportDialog::saved), failed(dialog, &ExportDialog::failed);
        dialog->setPath(folder.filePath(QStringLiteral("m.onnx")));
        dialog->findChild<QCheckBox*>(QStringLiteral("externalData"))->setChecked(true);
        dialog->save();
        if (ms > 0) QTest::qWait(ms);
        if (saved.isEmpty()) static_cast<QDialog*>(dialog)->reject();
        ASSERT_TRUE(waitFor([&] { return saved.size() + failed.size() > 0; }));
        const QStringList left =
            QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        if (failed.isEmpty())
            EXPECT_TRUE(left.contains(QStringLiteral("m.onnx"))) << "the old file is mentioned";
        else EXPECT_TRUE(left.isEmpty()) << left.join(u' ').toStdString();
        cancelled += int(failed.size());
        dialog->close();
        ASSERT_TRUE(waitFor([&] { return !page()->findChild<ExportDialog*>(); }));
    }
    EXPECT_GT(cancelled, 0);
}

TEST_F(OptimizeExportTest, WritesEveryTargetWithItsCommand) {
    openAndOptimize("bert-tiny");
    for (const ExportTargetInfo& info : export_targets()) {
        ExportDialog* dialog = openDialog();
        QSignalSpy saved(dialog, &ExportDialog::saved), failed(dialog, &ExportDialog::failed);
        const QString path =
            folder_.filePath(QString::fromUtf8(info.name.data(), qsizetype(info.name.size())) +
                             QStringLiteral(".onnx"));
        dialog->setPath(path);
        dialog->setTarget(info.target);
        EXPECT_TRUE(dialog->command().contains(QStringLiteral("--target ")));
        EXPECT_EQ(
            dialog->findChild<QPlainTextEdit*>(QStringLiteral("exportCommand"))->toPlainText(),
            dialog->command());
        dialog->save();
        ASSERT_TRUE(waitFor([&] { return saved.size() + failed.size() > 0; }));
        ASSERT_EQ(failed.size(), 0) << failed.value(0).value(0).toString().toStdString();
        const Model model = load_model(path.toStdString());
        EXPECT_TRUE(target_problems(model, info.target).empty());
        dialog->close();
        ASSERT_TRUE(waitFor([&] { return !page()->findChild<ExportDialog*>(); }));
    }
}

TEST_F(OptimizeExportTest, OptionsReachTheFile) {
    openAndOptimize("bert-tiny");
    ExportDialog* dialog = openDialog();
    QSignalSpy saved(dialog, &ExportDialog::saved), failed(dialog, &ExportDialog::failed);
    const QString path = folder_.filePath(QStringLiteral("small.onnx"));
    dialog->setPath(path);
    dialog->findChild<QCheckBox*>(QStringLiteral("externalData"))->setChecked(true);
    dialog->findChild<QCheckBox*>(QStringLiteral("staticBatch"))->setChecked(true);
    auto* outputs = dialog->findChild<QListWidget*>(QStringLiteral("keptOutputs"));
    ASSERT_GT(outputs->count(), 1);
    outputs->item(1)->setCheckState(Qt::Unchecked);
    EXPECT_TRUE(
        dialog->command().contains(QStringLiteral("--keep-output ") + outputs->item(0)->text()));
    EXPECT_TRUE(dialog->command().contains(QStringLiteral("--static-batch 1")));
    EXPECT_TRUE(dialog->command().contains(QStringLiteral("--external-data 1000")));
    dialog->save();
    ASSERT_TRUE(waitFor([&] { return saved.size() + failed.size() > 0; }));
    ASSERT_EQ(failed.size(), 0) << failed.value(0).value(0).toString().toStdString();
    EXPECT_TRUE(QFile::exists(path + QStringLiteral(".data")));
    const Model model = load_model(path.toStdString());
    EXPECT_EQ(model.graph.outputs().size(), 1u);
    EXPECT_EQ(model.graph.value(model.graph.inputs()[0]).type.shape->at(0), Dim(1));
    outputs->item(0)->setCheckState(Qt::Unchecked);
    EXPECT_FALSE(dialog->findChild<QPushButton*>(QStringLiteral("exportSave"))->isEnabled())
        << "at least one output";
}

TEST_F(OptimizeExportTest, NeverOverTheOpenFileWithoutAsking) {
    const QString source = folder_.filePath(QStringLiteral("source.onnx"));
    save_model(build_sample("bert-tiny"), source.toStdString());
    const auto bytes = [&] {
        QFile file(source);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    };
    const QByteArray before = bytes();
    workbench_->openModel(source);
    ASSERT_TRUE(waitFor([&] { return workbench_->opened() != nullptr; }));
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(optimized());
    ExportDialog* dialog = openDialog();
    QSignalSpy saved(dialog, &ExportDialog::saved);
    dialog->setPath(source);
    EXPECT_TRUE(dialog->command().contains(QStringLiteral("--overwrite")));
    dialog->save();
    EXPECT_FALSE(dialog->isSaving());
    ASSERT_TRUE(answer(dialog, QMessageBox::RejectRole));
    QTest::qWait(50);
    EXPECT_EQ(bytes(), before);
    EXPECT_EQ(saved.size(), 0);
    ASSERT_TRUE(waitFor(
        [&] { return !dialog->findChild<QMessageBox*>(QStringLiteral("overwriteQuestion")); }));
    dialog->save();
    ASSERT_TRUE(answer(dialog, QMessageBox::AcceptRole));
    ASSERT_TRUE(waitFor([&] { return saved.size() > 0; }));
    EXPECT_NE(bytes(), before);
}

}  // namespace
}  // namespace lapidary::views
