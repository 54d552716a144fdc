// SPDX-License-Identifier: GPL-3.0-or-later
// Back and forward through the places of the drawing where one was.
#include <QAction>

#include <utility>

#include "graph/graph_page.h"

namespace lapidary::views {

void GraphPage::makePlaceActions() {
    back_ = addAction(tr("Back"), QStringLiteral("previous"), QKeySequence(Qt::ALT | Qt::Key_Left),
                      tr("Show the part of the graph that was seen before"));
    forward_ =
        addAction(tr("Forward"), QStringLiteral("next"), QKeySequence(Qt::ALT | Qt::Key_Right),
                  tr("Show the part of the graph that was left by Back"));
    connect(back_, &QAction::triggered, this, [this] {
        if (canvas_->scene() && !job_.isRunning()) goTo(history_.back(placeOf(*canvas_)));
    });
    connect(forward_, &QAction::triggered, this, [this] {
        if (canvas_->scene() && !job_.isRunning()) goTo(history_.forward(placeOf(*canvas_)));
    });
}

/// Remembers what is seen, because a jump to another part follows. Of the jumps while another page
/// is shown only the first one leaves what was seen.
void GraphPage::leavePlace() {
    if (!outline_ || !canvas_->scene()) return;
    if (!canvas_->isVisible() && std::exchange(isUnseen_, true)) return;
    history_.leave(placeOf(*canvas_));
    refreshActions();
}

void GraphPage::goTo(const std::optional<GraphPlace>& place) {
    if (!place) return refreshActions();
    const auto arrive = [this, place = *place] {
        if (!canvas_->scene()) return;
        publishSelection(place.selection);
        showPlace(*canvas_, place);
        refreshActions();
    };
    if (canvas_->scene()->open == place->open) return arrive();
    layOut(place->open, noIndex, arrive);
}

}  // namespace lapidary::views
