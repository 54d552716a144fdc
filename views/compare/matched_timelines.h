// SPDX-License-Identifier: GPL-3.0-or-later
// A typical run of A above one of B on one time axis. Bands connect kernels that replace the same
// nodes of the model as opened: several kernels of A lead to the fused kernel of B.
#pragma once

#include <QWidget>

#include <memory>
#include <unordered_map>
#include <vector>

#include "run/timeline/timeline_layout.h"
#include "workbench/jobs/comparison.h"

namespace lapidary::views {

/// The outermost kernels of the calling thread in a run of median time.
struct MatchedRun {
    TimelineLane lane;             // TimelineSpan::index: into Profile::kernels
    std::int64_t nanoseconds = 0;  // wall time of the run
};

/// Neighbouring spans of a, from first_a to last_a, each of which shares an original node with span
/// b.
struct MatchedSpans {
    std::uint32_t first_a = 0, last_a = 0;
    std::uint32_t b = 0;
};

struct MatchedTimelines {
    MatchedRun a, b;
    std::vector<MatchedSpans> links;
};

/// Empty if a side has no runs or no kernels.
MatchedTimelines matchTimelines(const app::RunRecord& a, const app::RunRecord& b);

class MatchedTimelinesView : public QWidget {
    Q_OBJECT
public:
    explicit MatchedTimelinesView(QWidget* parent = nullptr);
    /// `record`: null: nothing was compared. `matched`: made from its runs.
    void setComparison(app::ComparisonPtr record, std::shared_ptr<const MatchedTimelines> matched);
    /// "/encoder/MatMul · MatMul in A: 12 µs; in B: Attention /encoder/..., 4 µs"
    QString sentenceOf(bool ofB, std::size_t span) const;
    std::ptrdiff_t current() const { return current_; }  // span of B selected by keyboard; -1: none
    QSize minimumSizeHint() const override { return {240, 140}; }

signals:
    void hovered(const QString& sentence);
    void nodePicked(lapidary::NodeId original);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Place {
        bool ofB = false;
        std::ptrdiff_t span = -1;
        friend bool operator==(const Place&, const Place&) = default;
    };
    bool isEmpty() const {
        return !matched_ || matched_->a.lane.empty() || matched_->b.lane.empty();
    }
    const Profile& profileOf(bool ofB) const;
    const Span& recordOf(bool ofB, std::size_t span) const;
    int gutter() const;
    int rowHeight() const { return fontMetrics().height() + 8; }
    int topOf(bool ofB) const;
    double plotWidth() const { return std::max(1, width() - gutter() - 12); }
    double xOf(double ns) const { return gutter() + (ns - begin_) / nsPerPixel_; }
    double wholeNs() const;
    void fit();
    void setView(double begin, double nsPerPixel);
    void zoom(double factor, double x);
    Place placeAt(const QPointF& at) const;
    void choose(const Place& place);
    bool isChosen(const MatchedSpans& link) const;
    void paintLane(QPainter& painter, bool ofB) const;
    void paintBands(QPainter& painter) const;

    app::ComparisonPtr record_;
    std::shared_ptr<const MatchedTimelines> matched_;
    double begin_ = 0, nsPerPixel_ = 1;
    bool isFitted_ = true, isDragged_ = false;
    Place chosen_, hover_;
    std::ptrdiff_t current_ = -1;
    QPointF pressedAt_;
    double pressedBegin_ = 0;
    mutable std::unordered_map<std::string, QColor> colors_;  // by operator
};

}  // namespace lapidary::views
