// SPDX-License-Identifier: GPL-3.0-or-later
// The list of cards of all rewrites. Pictures are made for the cards in sight, one after the other.
#pragma once

#include <QListView>
#include <QTimer>

#include <memory>
#include <optional>

#include "optimize/review/rewrite_cards.h"
#include "optimize/step_film.h"
#include "workbench/jobs/latest_job.h"

namespace lapidary::views {

class RewriteReview : public QListView {
    Q_OBJECT
public:
    explicit RewriteReview(app::JobRunner& jobs, QWidget* parent = nullptr);
    void setVariant(app::VariantPtr variant);
    /// Which has the graphs of the variant's steps; one of another variant is not used. It is not
    /// kept alive.
    void setFilm(const StepFilmPtr& film);
    const RewriteCardModel& cards() const { return model_; }
    /// Shows the card without emitting stepChosen().
    void showStep(std::size_t step);
    /// Whether all cards in sight have their pictures.
    bool isComplete() const;

signals:
    void stepChosen(std::size_t step);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    std::optional<std::size_t> nextStep() const;
    void makeNext();

    app::JobRunner& jobs_;
    RewriteCardModel model_;
    std::weak_ptr<StepFilm> film_;
    QTimer soon_;  // makes pictures once the view has its new places
    app::LatestJob job_;
    bool quiet_ = false;
};

}  // namespace lapidary::views
