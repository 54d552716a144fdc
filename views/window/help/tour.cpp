// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help/tour.h"

#include <QScrollArea>

#include "canvas/graph_canvas.h"
#include "page.h"
#include "window/help/coach_mark.h"
#include "window/main_window.h"

namespace lapidary::views {
namespace {

constexpr int glance_ms = 100;  // milliseconds between checks whether a step is done

}  // namespace

Tour::Tour(MainWindow& window, app::Workbench& workbench)
    : QObject(&window), window_(window), workbench_(workbench), mark_(new CoachMark(&window)) {
    setObjectName(QStringLiteral("tour"));
    timer_.setInterval(glance_ms);
    connect(&timer_, &QTimer::timeout, this, &Tour::look);
    connect(mark_, &CoachMark::endRequested, this, &Tour::end);
    connect(mark_, &CoachMark::nextRequested, this, [this] { show(step_ + 1); });
    makePlan();
}

QWidget* Tour::find(const char* name) const {
    return window_.findChild<QWidget*>(QLatin1String(name));
}

void Tour::makePlan() {
    const auto isOn = [this](const char* page) {
        return window_.currentPage() == QLatin1String(page);
    };
    const QString build = tr("Press this card: it builds a small BERT with random weights.");
    const QString look =
        tr("This is the model, its blocks folded into groups. Click a box: the Inspector says what "
           "it is, a double click opens a group.");
    const QString ask = tr("What can be made faster? Press Optimize.");
    const QString choose =
        tr("Each card is a level of optimization with what it does to the model. Press this one: "
           "all pages are of it then, as the toolbar says.");
    const QString run = tr("Now run it: press Run, or F5.");
    const QString read = tr(
        "The headline says where the time goes; the bars, the timeline and the tables below show "
        "it. That is the way round. F1 explains every page, Ctrl+F finds everything.");
    const auto canvas = [this] {
        return window_.page(QStringLiteral("graph"))->findChild<GraphCanvas*>();
    };
    plan_ = {
        {build, [this] { return find("sample_bert-tiny"); },
         [this] { return workbench_.opened() && workbench_.opened() != before_; }},
        {look, [canvas]() -> QWidget* { return canvas(); },
         [canvas] { return !canvas()->selection().isEmpty(); }},
        {ask, [this] { return find("rail_optimize"); }, [isOn] { return isOn("optimize"); }},
        {choose, [this] { return find("levelCard_extended"); },
         [this] { return workbench_.recipeInForce().level > Level::disabled; }},
        {run, [this] { return find("toolbarRun"); },
         [this] {
             return workbench_.run() && workbench_.run()->profile && !workbench_.isRunning();
         }},
        {read, [this] { return find("runVerdict"); }, {}},
    };
}

void Tour::start() {
    before_ = workbench_.opened();
    window_.showPage(QStringLiteral("start"));
    show(0);
    timer_.start();
}

void Tour::end() {
    timer_.stop();
    step_ = -1;
    before_ = nullptr;
    mark_->hide();
}

void Tour::followModel() {
    if (step_ > 0 || !workbench_.opened()) end();
}

void Tour::show(int step) {
    if (step >= steps()) return end();
    step_ = step;
    const Step& shown = plan_[std::size_t(step)];
    mark_->showStep(shown.text, tr("%1 of %2").arg(step + 1).arg(steps()),
                    shown.isDone          ? QString()
                    : step + 1 == steps() ? tr("Done")
                                          : tr("Next"));
    QWidget* target = shown.target();
    for (QWidget* at = target; at; at = at->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(at)) area->ensureWidgetVisible(target);
    if (target && target->isVisible() && target->focusPolicy() != Qt::NoFocus) target->setFocus();
    mark_->pointAt(target);
}

/// Follows the target widget, and shows the next step when the current one is done.
void Tour::look() {
    if (!isRunning()) return;
    const Step& shown = plan_[std::size_t(step_)];
    if (shown.isDone && shown.isDone()) return show(step_ + 1);
    mark_->pointAt(shown.target());
}

}  // namespace lapidary::views
