// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/file_exports.h"

#include <QFileDialog>
#include <QPointer>
#include <QStatusBar>

#include "optimize/optimize_page.h"
#include "widgets/cards/message_banner.h"
#include "widgets/text/proposed_name.h"
#include "window/dialogs/snippet_dialog.h"
#include "window/main_window.h"
#include "window/run_report.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int message_ms = 5000;  // in the status bar

}  // namespace

FileExports::FileExports(MainWindow& window, app::Workbench& workbench, QAction& exportModel,
                         QAction& saveReport, QAction& snippet)
    : QObject(&window), window_(window), workbench_(workbench), exportModel_(exportModel),
      saveReport_(saveReport), snippet_(snippet) {
    setObjectName(QStringLiteral("fileExports"));
    connect(&exportModel_, &QAction::triggered, this, &FileExports::exportModel);
    connect(&saveReport_, &QAction::triggered, this, &FileExports::chooseReport);
    connect(&snippet_, &QAction::triggered, this, &FileExports::showSnippet);
    connect(&workbench_, &app::Workbench::documentChanged, this, &FileExports::refresh);
    connect(this, &FileExports::written, this, [this](const QString& path, const QString& failure) {
        if (failure.isEmpty())
            return window_.statusBar()->showMessage(labelText(tr("Saved %1").arg(path)),
                                                    message_ms);
        window_.banner()->showMessage(MessageBanner::Kind::error, tr("The report was not saved"),
                                      failure, path + QStringLiteral(": ") + failure);
    });
    refresh();
}

void FileExports::refresh() {
    const bool isSound = workbench_.opened() && workbench_.faultText().isEmpty();
    exportModel_.setEnabled(isSound);
    saveReport_.setEnabled(isSound);
    snippet_.setEnabled(isSound);
}

/// On the Optimize page, which shows what is exported.
void FileExports::exportModel() {
    window_.showPage(QStringLiteral("optimize"));
    if (auto* page = qobject_cast<OptimizePage*>(window_.page(QStringLiteral("optimize"))))
        page->exportModel();
}

void FileExports::chooseReport() {
    auto* dialog = new QFileDialog(&window_, tr("Save a report"));
    dialog->setObjectName(QStringLiteral("saveReportDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("html"));
    dialog->setNameFilters({tr("Web pages (*.html)")});
    dialog->selectFile(proposedName(window_, QStringLiteral("report")) + QStringLiteral(".html"));
    connect(dialog, &QFileDialog::fileSelected, this, &FileExports::writeReport);
    dialog->open();
}

void FileExports::showSnippet() {
    auto* dialog = new SnippetDialog(workbench_, &window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void FileExports::writeReport(const QString& path) {
    if (!workbench_.opened()) return;
    const QPointer<FileExports> self(this);  // the job may outlast the window
    workbench_.jobs().start<bool>(
        tr("Write %1").arg(path),
        [content = runReport(workbench_),
         file = std::filesystem::path(path.toStdU16String())](const Progress& progress) {
            progress.step("write");
            save_html_report(content, file);
            return true;
        },
        [self, path](bool) {
            if (self) emit self->written(path, {});
        },
        [self, path](const Error& error) {
            if (self && error.code() != ErrorCode::cancelled)
                emit self->written(path, tipText(error.what()));
        });
}

}  // namespace lapidary::views
