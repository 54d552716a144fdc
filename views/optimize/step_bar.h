// SPDX-License-Identifier: GPL-3.0-or-later
// The slider over all rewrites, with the name of the step.
#pragma once

#include <QAction>
#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <QWidget>

#include <vector>

#include "optimize/rewrite_words.h"

namespace lapidary::views {

/// A slider with a tick for each rewrite, in the colour of its kind. Ticks for rewrites of sessions
/// are half as high.
class FilmSlider : public QSlider {
    Q_OBJECT
public:
    FilmSlider();
    void setRewrites(std::vector<RewriteKind> rewrites, int finished);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<RewriteKind> rewrites_;  // step i + 1 is rewrite i
    int finished_ = 0;
};

class StepBar : public QWidget {
    Q_OBJECT
public:
    explicit StepBar(QWidget* parent = nullptr);
    /// Step 0 is the original; each rewrite adds a step. `finished`: the step of the graph that is
    /// exported; later steps are a session's own. Does not emit stepChosen().
    void setSteps(std::vector<RewriteKind> rewrites, int finished);
    /// Does not emit stepChosen().
    void setStep(int step);
    int step() const { return slider_->value(); }
    int steps() const { return slider_->maximum(); }
    void setDescription(const QString& text);
    QString description() const { return text_->text(); }
    /// "12 of 139", "session: 3 of 13": the number of the step within the rewrites of the export or
    /// of the session.
    QString countText() const { return count_->text(); }
    QSlider* slider() const { return slider_; }
    QList<QAction*> stepActions() const { return {first_, previous_, next_, last_}; }

signals:
    void stepChosen(int step);

private:
    void refresh();
    QString countText(int step) const;
    int finished_ = 0;
    FilmSlider* slider_;
    QLabel *count_, *text_;
    QAction *first_, *previous_, *next_, *last_;
};

}  // namespace lapidary::views
