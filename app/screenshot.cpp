// SPDX-License-Identifier: GPL-3.0-or-later
#include "screenshot.h"

#include <QCoreApplication>
#include <QPixmap>

#include <cstdio>

#include "window/main_window.h"
#include "workbench/jobs/comparison.h"
#include "workbench/project/project.h"
#include "workbench/tuning/tuning.h"
#include "workbench/workbench.h"

namespace lapidary::app {
namespace {

constexpr int check_interval_ms = 100;

}  // namespace

Screenshot::Screenshot(Workbench& workbench, views::MainWindow& window, QObject* parent)
    : QObject(parent), workbench_(workbench), window_(window) {
    connect(&timer_, &QTimer::timeout, this, &Screenshot::check);
}

void Screenshot::arm(const QString& file, const QString& page, bool run, QSize size) {
    file_ = file;
    page_ = page;
    runWanted_ = run;
    compareWanted_ = run && page == QLatin1String("compare");
    window_.resize(size);
    connect(&workbench_, &Workbench::openFailed, this,
            [this](const QString& what, const QString& reason) {
                const bool isNamed = reason.startsWith(what);
                stop(isNamed ? reason : QStringLiteral("%1: %2").arg(what, reason));
            });
    connect(&workbench_.project(), &Project::openFailed, this,
            [this](const QString& what, const QString& reason) {
                stop(QStringLiteral("%1: %2").arg(what, reason));
            });
    connect(&workbench_, &Workbench::runFailed, this, &Screenshot::stop);
    connect(&workbench_, &Workbench::traceFailed, this,
            [this](const QString& what, const QString& reason) {
                stop(QStringLiteral("%1: %2").arg(what, reason));
            });
    timer_.start(check_interval_ms);
}

void Screenshot::check() {
    if (!workbench_.jobs().jobs().isEmpty() || (ready_ && !ready_())) {
        quietChecks_ = 0;
        return;
    }
    if (runWanted_ && workbench_.document()) {
        runWanted_ = false;
        if (page_ == QLatin1String("tune")) workbench_.tuning().start();
        else workbench_.startRun();
        return;
    }
    if (compareWanted_ && workbench_.document() && comparisonIsUnderWay()) return;
    if (!page_.isEmpty() && window_.currentPage() != page_) {
        window_.showPage(page_);
        quietChecks_ = 0;
        return;
    }
    if (++quietChecks_ < quiet_checks_needed) return;
    take();
}

/// Makes the variant, then compares it; true until the comparison is done.
bool Screenshot::comparisonIsUnderWay() {
    const Recipe recipe = Recipe::plain(Level::all), disabled = Recipe::plain(Level::disabled);
    VariantStore& store = workbench_.variants();
    const VariantPtr best = store.find(recipe);
    if (const QString reason = store.failureOf(recipe) + store.failureOf(disabled);
        (!best || !store.find(disabled)) && !reason.isEmpty()) {
        stop(reason);
    } else if (!best || !store.find(disabled)) {
        store.requestAlso(disabled);
        store.requestAlso(recipe);
    } else {
        workbench_.variants().setSlot(Slot::B, best);
        workbench_.comparison().start();
        compareWanted_ = false;
    }
    quietChecks_ = 0;
    return true;
}

void Screenshot::take() {
    timer_.stop();
    if (!window_.grab().save(file_, "PNG"))
        return stop(QStringLiteral("cannot write the picture \"%1\"").arg(file_));
    QCoreApplication::exit(0);
}

void Screenshot::stop(const QString& reason) {
    timer_.stop();
    std::fprintf(stderr, "lapidary: %s\n", qPrintable(reason));
    QCoreApplication::exit(1);
}

}  // namespace lapidary::app
