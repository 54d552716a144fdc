// SPDX-License-Identifier: GPL-3.0-or-later
// The recorded runs side by side, as tall as they took long, to choose one that the timeline then
// shows. A click or the arrow keys choose.
#pragma once

#include <QWidget>

#include "run/run_digest.h"

namespace lapidary::views {

class TimelineView;

class RunStrip : public QWidget {
    Q_OBJECT
public:
    static constexpr std::size_t least_runs = 20;  // fewer are found by scrolling

    /// Stands above `timeline`, which outlives it.
    explicit RunStrip(const TimelineView& timeline, QWidget* parent = nullptr);
    /// Hides itself where there are fewer runs than least_runs.
    void setDigest(RunDigestPtr digest);
    std::ptrdiff_t current() const { return current_; }  // into Profile::run_spans; -1: none
    /// The run at a place of the widget; the longest of those that share the pixel. -1: none.
    std::ptrdiff_t runAt(int x) const;
    QString sentenceOf(std::size_t run) const;
    QSize sizeHint() const override { return {600, minimumSizeHint().height()}; }
    QSize minimumSizeHint() const override;

signals:
    void runChosen(qint64 run);  // into Profile::run_spans
    void hovered(const QString& sentence);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    const std::vector<Span>& runs() const { return digest_->run->profile->run_spans; }
    std::size_t count() const { return digest_ ? runs().size() : 0; }
    int plotWidth() const;
    /// The runs of a pixel column of the plot: first and end.
    std::pair<std::size_t, std::size_t> runsIn(int column) const;
    std::size_t longestIn(int column) const;
    void choose(std::ptrdiff_t run);

    const TimelineView& timeline_;
    RunDigestPtr digest_;
    std::size_t typical_ = 0, slowest_ = 0;
    std::ptrdiff_t current_ = -1;
};

}  // namespace lapidary::views
