// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/quiet_docks.h"

#include <algorithm>
#include <utility>

#include "theme/theme.h"

namespace lapidary::views {
namespace {

constexpr int roomy_width = 1500;  // of a window whose page keeps its room beside both docks

}  // namespace

QuietDocks::QuietDocks(app::Workbench& workbench, QDockWidget& variants, QDockWidget& problems,
                       QTabWidget& tabs, ProblemsPanel& panel, QObject* parent)
    : QObject(parent), workbench_(workbench), variants_(variants), problems_(problems), tabs_(tabs),
      panel_(&panel), button_(new QToolButton) {
    button_->setObjectName(QStringLiteral("problemCount"));
    button_->setIcon(themedIcon(QStringLiteral("warning")));
    button_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button_->setAutoRaise(true);
    button_->setCheckable(true);
    connect(button_, &QToolButton::clicked, this, [this](bool on) {
        problems_.setVisible(on);
        openedProblems_ = false;
        if (on) tabs_.setCurrentWidget(panel_);
    });
    connect(&problems_, &QDockWidget::visibilityChanged, this, &QuietDocks::refreshButton);
    // after the page switch for a new document, which restores the docks hidden on the start page
    connect(&workbench_, &app::Workbench::openedChanged, this, &QuietDocks::forget,
            Qt::QueuedConnection);
    connect(&workbench_.variants(), &app::VariantStore::listChanged, this,
            &QuietDocks::lookAtVariants, Qt::QueuedConnection);
    connect(panel_, &ProblemsPanel::countChanged, this, &QuietDocks::lookAtProblems,
            Qt::QueuedConnection);
    refreshButton();
}

void QuietDocks::forget() {
    if (opened_ == workbench_.opened()) return;
    opened_ = workbench_.opened();
    reportedVariants_ = reportedProblems_ = false;
    lookAtVariants();
    lookAtProblems();
}

void QuietDocks::lookAtVariants() {
    if (reportedVariants_ || !workbench_.opened()) return;
    const auto& list = workbench_.variants().list();
    const bool own = std::ranges::any_of(list, [](const app::VariantPtr& variant) {
        // edits are made where the graph is: a dock that opens would move it
        return !variant->isOriginal() && !variant->recipe.isPlainLevel() &&
               variant->recipe.edits.empty();
    });
    // in a narrow window the page needs the room; the list is in the toolbar's menu too
    if (!own || variants_.parentWidget()->width() < roomy_width) return;
    reportedVariants_ = true;
    variants_.show();
}

void QuietDocks::lookAtProblems() {
    refreshButton();
    if (panel_->worst() > Problem::Severity::warning && std::exchange(openedProblems_, false) &&
        problems_.isVisible() && tabs_.currentWidget() == panel_) {
        reportedProblems_ = false;  // the next problem opens it again
        problems_.hide();
    }
    if (reportedProblems_ || !workbench_.opened() || panel_->worst() > Problem::Severity::warning)
        return;
    reportedProblems_ = openedProblems_ = true;
    tabs_.setCurrentWidget(panel_);
    problems_.show();
}

void QuietDocks::refreshButton() {
    if (!panel_ || !button_) return;
    const int count = panel_->problemCount();
    button_->setVisible(count > 0);
    button_->setChecked(problems_.isVisible());
    button_->setText(tr("Problems (%1)").arg(count));
    button_->setToolTip(tr("What is odd about this model; press to open or close the list"));
}

}  // namespace lapidary::views
