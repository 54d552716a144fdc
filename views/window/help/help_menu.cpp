// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help/help_menu.h"

#include <QApplication>
#include <QDialog>
#include <QFileDialog>
#include <QKeyEvent>
#include <QTimer>
#include <QVBoxLayout>

#include "widgets/cards/message_banner.h"
#include "window/help/help_window.h"
#include "window/main_window.h"
#include "window/help/whats_this.h"
#include "workbench/text/bounded_text.h"
#include "workbench/jobs/newer_version.h"

namespace lapidary::views {

HelpMenu::HelpMenu(MainWindow& window, app::JobRunner& jobs, const AddCommand& add)
    : QObject(&window), window_(window), jobs_(jobs), banner_(new MessageBanner) {
    setObjectName(QStringLiteral("helpMenu"));
    banner_->setObjectName(QStringLiteral("versionBanner"));
    qobject_cast<QVBoxLayout*>(window.centralWidget()->layout())->insertWidget(0, banner_);
    QAction* page = add(tr("Help on this &page"), "help", QKeySequence(Qt::Key_F1),
                        tr("What this page shows and does"));
    QAction* contents = add(tr("&Contents"), "help", {},
                            tr("Tutorial, pages, how-tos, command line, passes, formats"));
    QAction* glossary =
        add(tr("&Glossary"), "help", {}, tr("Words of the field and of this program"));
    connect(glossary, &QAction::triggered, this, [this] { show(QStringLiteral("glossary")); });
    looking_ = add(tr("&Look for a newer version …"), "info", {},
                   tr("At each start: whether a file that you choose names a newer version. No "
                      "network is used"));
    looking_->setObjectName(QStringLiteral("lookForNewerVersion"));
    looking_->setCheckable(true);
    looking_->setChecked(app::loadNewerVersionSettings().look);
    auto* what = new WhatsThis([this](const QString& name) { show(name); }, this);
    QAction* focused =
        add(tr("What is the &focused control?"), "help", QKeySequence(Qt::SHIFT | Qt::Key_F1),
            tr("What the control with the keyboard is for"));
    QAction* point =
        add(tr("&What's this?"), "help", {}, tr("Click on anything to read what it is for"));
    connect(focused, &QAction::triggered, what, &WhatsThis::explainFocus);
    connect(point, &QAction::triggered, what, &WhatsThis::point);
    connect(page, &QAction::triggered, this, [this] { show(pageOfWindow()); });
    connect(contents, &QAction::triggered, this, [this] { show(QStringLiteral("contents")); });
    connect(looking_, &QAction::triggered, this, &HelpMenu::switchLooking);
    qApp->installEventFilter(this);
    if (looking_->isChecked()) QTimer::singleShot(0, this, &HelpMenu::lookForNewerVersion);
}

HelpMenu::~HelpMenu() = default;

QString HelpMenu::pageOfWindow() const { return QStringLiteral("page-") + window_.currentPage(); }

void HelpMenu::show(const QString& page) {
    if (!help_) help_ = std::make_unique<HelpWindow>();
    if (!help_->showPage(page)) help_->showPage(QStringLiteral("contents"));
    help_->show();
    help_->raise();
    help_->activateWindow();
}

bool HelpMenu::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress || static_cast<QKeyEvent*>(event)->key() != Qt::Key_F1)
        return false;
    const auto* widget = qobject_cast<QWidget*>(watched);
    const QDialog* dialog = widget ? qobject_cast<QDialog*>(widget->window()) : nullptr;
    if (!dialog) return false;
    if (static_cast<QKeyEvent*>(event)->modifiers() & Qt::ShiftModifier) {
        findChild<WhatsThis*>()->explainFocus();
        return true;
    }
    const QString page = dialog->property("helpPage").toString();
    show(page.isEmpty() ? pageOfWindow() : page);
    return true;
}

void HelpMenu::switchLooking(bool on) {
    app::NewerVersionSettings settings = app::loadNewerVersionSettings();
    settings.look = false;
    app::saveNewerVersionSettings(settings);
    looking_->setChecked(false);  // until a file is chosen
    if (on) chooseVersionFile();
    else look_.drop();
}

void HelpMenu::chooseVersionFile() {
    auto* dialog = new QFileDialog(&window_, tr("File that names the newest version"));
    dialog->setObjectName(QStringLiteral("versionFileDialog"));
    dialog->setProperty("helpPage", QStringLiteral("install"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Changelogs and texts (*.md *.txt)"), tr("All files (*)")});
    if (const QString before = app::loadNewerVersionSettings().file; !before.isEmpty())
        dialog->selectFile(before);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        app::saveNewerVersionSettings({true, file});
        looking_->setChecked(true);
        lookForNewerVersion();
    });
    dialog->open();
}

void HelpMenu::lookForNewerVersion() {
    const QString file = app::loadNewerVersionSettings().file;
    const QString own = QStringLiteral(LAPIDARY_VERSION);
    look_.start<QString>(
        jobs_, tr("Look for a newer version"),
        [file](const Progress&) { return app::versionNamedBy(file); },
        [this, file, own](const QString& named) {
            banner_->hide();
            if (!app::isNewer(named, own)) return;
            banner_->showMessage(
                MessageBanner::Kind::info, tr("Lapidary %1 is there").arg(named),
                tr("This is %1; %2 names the newer one.").arg(own, labelText(file)));
        },
        [this](const Error& error) {
            if (error.code() == ErrorCode::cancelled) return;
            banner_->showMessage(MessageBanner::Kind::warning,
                                 tr("Whether there is a newer version could not be found out"),
                                 sentenceText(error.what()));
        });
}

}  // namespace lapidary::views
