// SPDX-License-Identifier: GPL-3.0-or-later
// The slider over all rewrites, with the name of the step.
#pragma once

#include <QAction>
#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <QWidget>

namespace lapidary::views {

class StepBar : public QWidget {
    Q_OBJECT
public:
    explicit StepBar(QWidget* parent = nullptr);
    /// Steps 0 (the original) to `steps`; `finished` is the graph as it is exported, what follows is a session's own.
    /// Shows that without telling stepChosen().
    void setSteps(int steps, int finished);
    /// Without telling stepChosen().
    void setStep(int step);
    int step() const { return slider_->value(); }
    int steps() const { return slider_->maximum(); }
    void setDescription(const QString& text);
    QString description() const { return text_->text(); }
    QSlider* slider() const { return slider_; }
    QList<QAction*> stepActions() const { return {first_, previous_, next_, last_}; }

signals:
    void stepChosen(int step);

private:
    void refresh();
    int finished_ = 0;
    QSlider* slider_;
    QLabel *count_, *text_;
    QAction *first_, *previous_, *next_, *last_;
};

}  // namespace lapidary::views
