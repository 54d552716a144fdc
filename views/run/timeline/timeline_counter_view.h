// SPDX-License-Identifier: GPL-3.0-or-later
// Counters above the timeline, over the same time: threads at work, activations, data moved. The
// memory tab and the node table have the figures behind them.
#pragma once

#include <QWidget>

#include "run/run_digest.h"
#include "run/timeline/timeline_counters.h"

namespace lapidary::views {

class TimelineView;

class TimelineCounterView : public QWidget {
    Q_OBJECT
public:
    /// Follows the part of the time that `timeline` shows. `timeline` outlives it.
    explicit TimelineCounterView(const TimelineView& timeline, QWidget* parent = nullptr);
    void setDigest(RunDigestPtr digest);
    int rowCount() const { return int(rows_.size()); }
    /// What the counters are at a pixel of the timeline's plot; empty: nothing is known there.
    QString sentenceAt(int pixel) const;
    QSize sizeHint() const override { return {600, int(rows_.size()) * rowHeight()}; }
    QSize minimumSizeHint() const override { return {240, int(rows_.size()) * rowHeight()}; }

signals:
    void hovered(const QString& sentence);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    enum class Kind { threads, memory, moved };
    struct Row {
        Kind kind = Kind::threads;
        double most = 1;  // of the whole recording: the top of the row
        std::vector<double> values;
    };
    int rowHeight() const;
    QString nameOf(Kind kind) const;
    QString textOf(Kind kind, double value) const;
    TimelineWindow window() const;
    /// Works the values out again where the timeline shows another time.
    void follow() const;

    const TimelineView& timeline_;
    RunDigestPtr digest_;
    mutable std::vector<Row> rows_;
    mutable TimelineWindow shown_;  // that the values of the rows are of
};

}  // namespace lapidary::views
