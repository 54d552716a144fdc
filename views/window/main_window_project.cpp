// SPDX-License-Identifier: GPL-3.0-or-later
// The window's part in projects: saving, questions about unsaved changes and missing models,
// journals that a crash left behind.
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QStatusBar>
#include <QTimer>

#include "widgets/cards/message_banner.h"
#include "window/main_window.h"
#include "workbench/text/bounded_text.h"
#include "workbench/project/journal.h"
#include "workbench/tuning/level_times.h"
#include "workbench/project/project.h"

namespace lapidary::views {

void MainWindow::connectProject() {
    using app::Project;
    Project& project = workbench_.project();
    project.setAsk([self = QPointer<MainWindow>(this)](std::function<void()> next) {
        if (self) self->askThen(std::move(next));
        else next();
    });
    for (const auto signal : {&Project::pathChanged, &Project::notesChanged}) {
        connect(&project, signal, this, &MainWindow::refreshTitle);
        connect(&project, signal, this, &MainWindow::refreshActions);
    }
    connect(&project, &Project::modifiedChanged, this, [this] {
        refreshTitle();
        refreshActions();
    });
    connect(&project, &Project::opened, this, [this](const QString& page) {
        projectBanner_->hide();
        if (!page.isEmpty()) showPage(page);
    });
    connect(&project, &Project::openFailed, this,
            [this](const QString& path, const QString& reason) {
                projectBanner_->showMessage(
                    MessageBanner::Kind::error,
                    tr("%1 could not be opened").arg(QFileInfo(path).fileName()), reason,
                    path + QStringLiteral(": ") + reason);
            });
    connectLostModels();
    connect(&project, &Project::saved, this, [this](const QString& path) {
        statusBar()->showMessage(labelText(tr("Saved %1").arg(path)), 5000);
        refreshActions();
        if (auto next = std::exchange(afterSave_, nullptr); next)
            workbench_.project().leaveThen(std::move(next));
    });
    connect(
        &project, &Project::saveFailed, this, [this](const QString& path, const QString& reason) {
            afterSave_ = nullptr;
            refreshActions();
            projectBanner_->showMessage(MessageBanner::Kind::error,
                                        tr("%1 could not be saved").arg(QFileInfo(path).fileName()),
                                        reason, path + QStringLiteral(": ") + reason);
            projectBanner_->addAction(QStringLiteral("save"), tr("Save as …"),
                                      [this] { saveProjectAs(); });
        });
}

/// Asks about a model that is missing or has changed.
void MainWindow::connectLostModels() {
    using app::Project;
    Project& project = workbench_.project();
    connect(&project, &Project::modelMissing, this,
            [this](const QString& model, const QString& projectPath) {
                if (projectPath.isEmpty())
                    projectBanner_->showMessage(
                        MessageBanner::Kind::warning,
                        tr("%1 is no longer there").arg(QFileInfo(model).fileName()),
                        tr("There is no %1. Tell where it is now, and it is read from there.")
                            .arg(model),
                        model);
                else
                    projectBanner_->showMessage(
                        MessageBanner::Kind::warning,
                        tr("The model of this project is not where it was"),
                        tr("There is no %1. Tell where it is now, and the rest of "
                           "the project opens with it.")
                            .arg(model),
                        model);
                projectBanner_
                    ->addAction(QStringLiteral("search"), tr("Locate …"),
                                [this, model] { chooseModelOfProject(model); })
                    ->setObjectName(QStringLiteral("locateModel"));
            });
    connect(
        &project, &Project::modelDiffers, this, [this](const QString& model, const QString& how) {
            projectBanner_->showMessage(
                MessageBanner::Kind::warning,
                tr("%1 is another model than the project was made with")
                    .arg(QFileInfo(model).fileName()),
                tr("%1: %2. Variants are made anew from it; earlier figures may no longer hold.")
                    .arg(model, how),
                model + QStringLiteral(": ") + how);
            projectBanner_
                ->addAction(QStringLiteral("open"), tr("Open all the same"),
                            [this] { workbench_.project().openAllTheSame(); })
                ->setObjectName(QStringLiteral("openAllTheSame"));
            projectBanner_
                ->addAction(QStringLiteral("search"), tr("Locate …"),
                            [this, model] { chooseModelOfProject(model); })
                ->setObjectName(QStringLiteral("locateModel"));
        });
    connect(&project, &Project::openedModelDiffers, this,
            [this](const QString& model, const QString& how) {
                projectBanner_->showMessage(
                    MessageBanner::Kind::warning,
                    tr("%1 is another model than the project was made with")
                        .arg(QFileInfo(model).fileName()),
                    tr("%1: %2. It is open all the same; earlier figures may no longer hold.")
                        .arg(model, how),
                    model + QStringLiteral(": ") + how);
            });
}

void MainWindow::chooseModelOfProject(const QString& missing) {
    auto* dialog =
        new QFileDialog(this, tr("Where is %1?").arg(labelText(QFileInfo(missing).fileName(), 60)));
    dialog->setObjectName(QStringLiteral("locateDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Models (*.onnx *.ort)"), tr("All files (*)")});
    if (const QFileInfo folder(QFileInfo(missing).absolutePath()); folder.isDir())
        dialog->setDirectory(folder.filePath());
    connect(dialog, &QFileDialog::fileSelected, &workbench_.project(), &app::Project::openWith);
    connect(dialog, &QDialog::rejected, projectBanner_,
            &QWidget::show);  // the question is shown again
    dialog->open();
}

void MainWindow::saveProject() {
    if (workbench_.project().path().isEmpty()) saveProjectAs();
    else workbench_.project().save();
}

void MainWindow::saveProjectAs() {
    auto* dialog = new QFileDialog(this, tr("Save project"));
    dialog->setObjectName(QStringLiteral("saveProjectDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QLatin1String(app::project_suffix));
    dialog->setNameFilters({tr("Lapidary projects (*.lapidary)")});
    QString name = workbench_.project().path();
    if (name.isEmpty() && workbench_.opened()) {
        const QString model = exactText(workbench_.opened()->model->path.string());
        name = model.isEmpty() ? workbench_.opened()->title
                               : QFileInfo(model).absolutePath() + QLatin1Char('/') +
                                     QFileInfo(model).completeBaseName();
        name += QLatin1Char('.') + QLatin1String(app::project_suffix);
    }
    dialog->selectFile(name);
    connect(dialog, &QFileDialog::fileSelected, &workbench_.project(), &app::Project::saveAs);
    connect(dialog, &QDialog::rejected, this, [this] { afterSave_ = nullptr; });
    dialog->open();
}

void MainWindow::showFailure(const QString& reason) {
    banner_->showMessage(MessageBanner::Kind::error, tr("Something unexpected failed"),
                         reason + QLatin1Char('\n') + tr("Please save your work and report this."),
                         reason);
}

/// Asks whether to save, discard or stay. Calls `next` after saving or discarding.
void MainWindow::askThen(std::function<void()> next) {
    if (findChild<QMessageBox*>(QStringLiteral("unsavedChanges"))) return;
    const app::Project& project = workbench_.project();
    QString name = project.title();
    if (name.isEmpty() && workbench_.opened()) name = workbench_.opened()->title;
    auto* box =
        new QMessageBox(QMessageBox::Question, tr("Unsaved changes"),
                        tr("Save the changes to %1?")
                            .arg(name.isEmpty() ? tr("this project") : labelText(name, 60)),
                        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("unsavedChanges"));
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(
        tr("Recipes, results and notes that were not saved are lost otherwise. The model file "
           "itself is never changed."));
    box->setDefaultButton(QMessageBox::Save);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(box, &QMessageBox::finished, this, [this, box, next = std::move(next)](int button) {
        box->setObjectName({});  // answered
        if (button == QMessageBox::Discard) {
            workbench_.project().forgetChanges();
            next();
        } else if (button == QMessageBox::Save) {
            afterSave_ = next;
            saveProject();
        }
    });
    box->open();
}

QStringList MainWindow::runningWork() const {
    QStringList titles;
    for (const app::Job* job : workbench_.jobs().jobs())
        if (!job->command().isEmpty()) titles << job->title();
    if (workbench_.levelTimes().isRunning() && !workbench_.levelTimes().isUnasked() &&
        workbench_.levelTimes().job())
        titles << workbench_.levelTimes().job()->title();
    if (workbench_.project().isSaving()) titles << tr("Saving the project");
    titles.removeDuplicates();
    return titles;
}

void MainWindow::askToQuit(const QStringList& running) {
    if (findChild<QMessageBox*>(QStringLiteral("runningWork"))) return;
    auto* box = new QMessageBox(QMessageBox::Question, tr("Still at work"),
                                tr("Quit while this is under way?"), QMessageBox::NoButton, this);
    box->setObjectName(QStringLiteral("runningWork"));
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(tipText(running.join(u'\n'), 400));
    QPushButton* quit = box->addButton(tr("Stop it and quit"), QMessageBox::DestructiveRole);
    QPushButton* stay = box->addButton(tr("Stay"), QMessageBox::RejectRole);
    box->setDefaultButton(stay);
    box->setEscapeButton(stay);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(box, &QMessageBox::buttonClicked, this,
            [this, quit, box](const QAbstractButton* pressed) {
                box->setObjectName({});  // answered
                if (pressed != quit) return;
                mayStopWork_ = true;
                QTimer::singleShot(0, this, [this] {
                    close();
                    mayStopWork_ = false;
                });
            });
    box->open();
}

void MainWindow::watchJournal(app::Journal* journal) {
    connect(journal, &app::Journal::failed, this, [this](const QString& reason) {
        projectBanner_->showMessage(MessageBanner::Kind::warning,
                                    tr("Unsaved changes would not survive a crash"), reason,
                                    reason);
    });
    offerRestore(journal);
}

/// Offers the journals one after another.
void MainWindow::offerRestore(app::Journal* journal) {
    const auto found = journal->leftBehind();
    if (found.empty()) return;
    const app::LeftBehind& left = found.front();
    QString text = tr("Changes to %1 from %2 were not saved.")
                       .arg(left.title.isEmpty() ? tr("a project") : left.title,
                            QLocale().toString(left.written, QLocale::ShortFormat));
    if (found.size() > 1)
        text +=
            QLatin1Char(' ') + tr("There are %n more like this.", nullptr, int(found.size()) - 1);
    projectBanner_->showMessage(MessageBanner::Kind::warning, tr("Lapidary ended unexpectedly"),
                                text, left.file);
    const QPointer<app::Journal> keeper(journal);
    projectBanner_
        ->addAction(QStringLiteral("undo"), tr("Restore"),
                    [this, keeper, left] {
                        workbench_.project().leaveThen([this, keeper, left] {
                            try {
                                if (keeper) keeper->restore(left);
                            } catch (const Error& error) {
                                projectBanner_->showMessage(MessageBanner::Kind::error,
                                                            tr("The changes could not be restored"),
                                                            tipText(error.what()),
                                                            exactText(error.what()));
                            }
                        });
                    })
        ->setObjectName(QStringLiteral("restoreProject"));
    projectBanner_
        ->addAction(QStringLiteral("clear"), tr("Discard"),
                    [this, keeper, left] {
                        if (!keeper) return;
                        keeper->discard(left);
                        offerRestore(keeper);
                    })
        ->setObjectName(QStringLiteral("discardJournal"));
}

}  // namespace lapidary::views
