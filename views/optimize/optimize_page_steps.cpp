// SPDX-License-Identifier: GPL-3.0-or-later
// How the Optimize page draws a step of the variant: a job makes the drawings, the page shows them.
#include "optimize/optimize_page.h"

#include <utility>

#include <lapidary/base/error.h>

#include "canvas/layout_notice.h"
#include "optimize/change_panel.h"
#include "optimize/review/rewrite_review.h"
#include "optimize/rewrite_text.h"
#include "optimize/step_bar.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {

void OptimizePage::drawStep(int step, bool zoom) {
    if (!variant_) return;
    const CompareWith with =
        compare_->currentIndex() == 1 ? CompareWith::PreviousStep : CompareWith::Original;
    SceneOptions options;
    options.title = titleWidths_;
    options.body = bodyWidths_;
    const app::VariantPtr from = variant_->isOriginal() ? variant_ : variant_->parent;
    if (from != drawnFrom_) {  // the levels of an edited model begin with that one
        if (base_) workbench_.jobs().releaseLater(std::exchange(base_, nullptr));
        drawnFrom_ = from;
    }
    struct Drawn {
        BaseDrawingPtr base;
        StepFilmPtr film;
        DiffScenesPtr diff;
    };
    const QString what =
        step == 0 ? tr("The original graph") : describeRewrite(*variant_, std::size_t(step));
    steps_->setDescription(step > 0 && step == ownSteps() && !zoom ? finishedText() : what);
    changes_->showStep(std::size_t(step));
    app::Job* job = job_.start<Drawn>(
        workbench_.jobs(), tr("Draw step %1").arg(step),
        [engine = &workbench_.engine(), source = workbench_.sourceOf(variant_), variant = variant_,
         from, base = base_, film = film_, step, with, options](const Progress& progress) {
            Drawn drawn{base, film, nullptr};
            if (!drawn.base) drawn.base = drawBase(from->typed, options, progress);
            if (!drawn.film)
                drawn.film = std::make_shared<StepFilm>(*engine, source, variant, drawn.base);
            drawn.diff = drawn.film->at(std::size_t(step), with, progress);
            return drawn;
        },
        [this, zoom](Drawn drawn) {
            base_ = drawn.base;
            film_ = drawn.film;
            changes_->review().setFilm(film_);
            showDiff(std::move(drawn.film), std::move(drawn.diff), zoom);
            emit stepShown();
        },
        [this](const Error& error) {
            if (error.code() != ErrorCode::cancelled) emit statusMessage(tipText(error.what()));
        });
    notice_->follow(job);
}

void OptimizePage::showDiff(StepFilmPtr film, DiffScenesPtr diff, bool zoom) {
    const DiffScenesPtr old = diff_->diff();
    diff_->show(std::move(film), std::move(diff), zoom && !miss_);
    if (miss_) diff_->markMiss(miss_);
    if (old) workbench_.jobs().releaseLater(old);
    refreshActions();
}

int OptimizePage::ownSteps() const { return variant_ ? int(variant_->rewrites()) : 0; }

/// The headline for the exported graph, followed by that of sessions on their own copy.
QString OptimizePage::finishedText() const {
    const int more = steps_->steps() - ownSteps();
    if (more == 0) return tr("All rewrites applied");
    return more == 1 ? tr("All rewrites applied; a session makes 1 more in its own copy")
                     : tr("All rewrites applied; a session makes %1 more in its own copy")
                           .arg(formatCount(more));
}

int OptimizePage::shownStep() const { return diff_->diff() ? int(diff_->diff()->step) : -1; }

/// The nodes of a near miss are those of the finished graph.
void OptimizePage::showMiss(const NearMiss* miss) {
    miss_ = miss;
    if (!variant_) return;
    if (miss && shownStep() != ownSteps()) {
        steps_->setStep(ownSteps());
        drawStep(ownSteps(), false);
        return;
    }
    if (!diff_->markMiss(miss) && miss)
        emit statusMessage(
            tr("These nodes are not drawn: their graph is no longer part of the model."));
}

}  // namespace lapidary::views
