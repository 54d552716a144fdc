// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/review/rewrite_review.h"

#include <QScopedValueRollback>

#include <lapidary/base/error.h>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {

RewriteReview::RewriteReview(app::JobRunner& jobs, QWidget* parent)
    : QListView(parent), jobs_(jobs) {
    setObjectName(QStringLiteral("rewriteReview"));
    setAccessibleName(tr("Rewrites with pictures"));
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerPixel);
    setItemDelegate(new RewriteCardDelegate(model_, this));
    setModel(&model_);
    soon_.setSingleShot(true);
    connect(&soon_, &QTimer::timeout, this, &RewriteReview::makeNext);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& at) {
                if (!quiet_ && at.isValid()) emit stepChosen(std::size_t(at.row()) + 1);
            });
    // the card is the current one already
    const auto again = [this](const QModelIndex& at) {
        if (at.isValid()) emit stepChosen(std::size_t(at.row()) + 1);
    };
    connect(this, &QListView::clicked, this, again);
    connect(this, &QListView::activated, this, again);
}

void RewriteReview::setVariant(app::VariantPtr variant) {
    const QScopedValueRollback guard(quiet_, true);
    job_.drop();
    film_.reset();
    model_.setVariant(std::move(variant));
}

void RewriteReview::setFilm(const StepFilmPtr& film) {
    if (film && film->variant() != model_.variant()) return;
    film_ = film;
    soon_.start(0);
}

void RewriteReview::showStep(std::size_t step) {
    const QScopedValueRollback guard(quiet_, true);
    const QModelIndex at = step == 0 ? QModelIndex() : model_.index(int(step) - 1);
    if (at == currentIndex()) return;
    setCurrentIndex(at);
    if (at.isValid()) scrollTo(at);
}

void RewriteReview::showEvent(QShowEvent* event) {
    QListView::showEvent(event);
    if (currentIndex().isValid()) scrollTo(currentIndex());
    soon_.start(0);
}

void RewriteReview::resizeEvent(QResizeEvent* event) {
    QListView::resizeEvent(event);
    soon_.start(0);
}

void RewriteReview::scrollContentsBy(int dx, int dy) {
    QListView::scrollContentsBy(dx, dy);
    soon_.start(0);
}

/// The first card in sight without a picture.
std::optional<std::size_t> RewriteReview::nextStep() const {
    const QModelIndex first = indexAt(QPoint(1, 1));
    if (!first.isValid()) return {};
    for (int row = first.row(); row < model_.rowCount(); ++row) {
        if (visualRect(model_.index(row)).top() >= viewport()->height()) break;
        if (!model_.picture(std::size_t(row) + 1)) return std::size_t(row) + 1;
    }
    return {};
}

bool RewriteReview::isComplete() const {
    return !soon_.isActive() && !job_.isRunning() && !nextStep();
}

void RewriteReview::makeNext() {
    const StepFilmPtr film = film_.lock();
    if (!film || !isVisible() || job_.isRunning()) return;
    const std::optional<std::size_t> step = nextStep();
    if (!step) return;
    job_.start<RewritePicture>(
        jobs_, tr("Picture of step %1").arg(*step),
        [film, step = *step](const Progress& progress) {
            const ModelPtr before = film->modelAt(step - 1, progress);
            const ModelPtr after = film->modelAt(step, progress);
            return pictureOf(*before, *after, film->variant()->report.rewrites[step - 1]);
        },
        [this, step = *step](RewritePicture picture) {
            model_.setPicture(step, std::move(picture));
            makeNext();
        },
        [this, step = *step](const Error& error) {
            if (error.code() == ErrorCode::cancelled) return;  // scrolling begins anew
            RewritePicture none;
            none.problem = tipText(error.what());
            model_.setPicture(step, std::move(none));
            makeNext();
        });
}

}  // namespace lapidary::views
