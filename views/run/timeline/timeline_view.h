// SPDX-License-Identifier: GPL-3.0-or-later
// The recording over time: a track per thread, nested spans in lanes. Wheel zooms at the cursor,
// dragging pans, Shift-dragging or dragging along the ruler selects a range, arrow keys walk from
// span to span, letters do what they do in Perfetto. The node table is its table twin.
#pragma once

#include <QAbstractScrollArea>

#include <optional>

#include "run/run_digest.h"
#include "run/timeline/timeline_matches.h"

class QMenu;

namespace lapidary::views {

class TimelineView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);

    void setDigest(RunDigestPtr digest);
    /// Outlines the spans of this node.
    void setFocusedNode(NodeId node);
    /// begin < 0: none.
    void setRange(std::int64_t begin, std::int64_t end);
    /// How busy each track's thread is, 0..1, written beside its number.
    void setBusy(std::vector<double> shares);

    double viewBegin() const { return viewBegin_; }  // ns at the left edge
    double nsPerPixel() const { return nsPerPixel_; }
    int gutterWidth() const;  // pixels left of the plot
    void showTimes(double begin, double end);
    // the walked-to span in words; empty: none
    QString currentSentence() const;
    /// Makes this kernel of the profile the current span and brings it into sight. False: there is
    /// none of that number, or it is nested too deep to be shown.
    bool showKernel(std::size_t kernel);
    /// One of Profile::run_spans fills the view.
    void showRun(std::size_t run);
    /// What was searched: all else is drawn pale. Null: nothing was.
    void setMatches(TimelineMatchesPtr matches);
    /// Tracks of the timeline that stay in sight at the top, first pinned first.
    const std::vector<std::size_t>& pinned() const { return pinned_; }
    /// Pins a track or lets it go. Says so where there is no room for another.
    void togglePin(std::size_t track);
    /// How many arrows of values lead to the current kernel and from it.
    std::size_t arrowCount() const { return arrows_.size(); }
    /// Adds what can be done with the current span to a menu; nothing where there is none.
    void addSpanActions(QMenu& menu);

public slots:
    void zoomIn() { zoom(0.5); }
    void zoomOut() { zoom(2.0); }
    void fitAll();
    /// The profiled run of median duration.
    void fitTypicalRun();
    /// What is selected: the range, else the current span. The whole recording where nothing is, or
    /// where that fills the view already.
    void fitSelected();
    /// The time of the current span becomes the selected range; if it is already, none is.
    void selectCurrent();
    /// To the next (1) or previous (-1) kernel of the same node.
    void stepOccurrence(int by);
    /// To the next (1) or previous (-1) kernel of setMatches(); the first follows the last.
    void stepMatch(int by);

signals:
    void nodePicked(lapidary::NodeId node);
    void nodeActivated(lapidary::NodeId node);
    void rangeSelected(qint64 beginNs, qint64 endNs);  // -1, -1: cleared
    void hovered(const QString& sentence);
    /// The tables are to show nodes of this operator alone.
    void operatorWanted(const QString& op);
    /// Another time is shown.
    void viewChanged();
    /// stepMatch() shows this one of the matches.
    void matchShown(qint64 match);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void changeEvent(QEvent* event) override;

private:
    struct Place {  // one span of the timeline
        std::size_t track = 0, lane = 0, span = 0;
        friend bool operator==(const Place&, const Place&) = default;
    };
    const Timeline* timeline() const { return digest_ ? &digest_->timeline : nullptr; }
    const TimelineSpan& spanOf(const Place& place) const;
    const Profile& profile() const { return *digest_->run->profile; }
    const Span& recordOf(const TimelineSpan& span) const;
    QString sentenceOf(const TimelineSpan& span) const;
    QColor colorOf(const TimelineSpan& span) const;
    /// Whether the span is drawn pale, because it is not what was searched.
    bool isPale(const TimelineSpan& span) const;
    QColor colorOfOperator(const std::string& op) const;
    NodeId nodeOf(const TimelineSpan& span) const;

    void zoom(double factor, std::optional<double> atPixel = {});
    void setView(double begin, double nsPerPixel);
    void updateScrollBars();
    int laneHeight() const;
    int rulerHeight() const;
    int plotWidth() const;
    int contentHeight() const;
    static constexpr int first_top = 4, track_gap = 8;              // pixels
    int trackHeight(std::size_t track) const;                       // with the gap under it
    int pinnedHeight() const;                                       // 0: no track is pinned
    int plotTop() const { return rulerHeight() + pinnedHeight(); }  // where scrolling begins
    /// Track and lane at a height of the viewport.
    std::optional<std::pair<std::size_t, std::size_t>> rowAt(int y) const;
    using TrackKey = std::pair<std::string, int>;  // device and thread
    std::vector<TrackKey> pinnedKeys() const;
    void pinAgain(const std::vector<TrackKey>& keys);
    int topOf(std::size_t track) const;  // within the content, ruler not counted
    int bottomOf(std::size_t track) const;
    /// The first track that ends, with the gap under it, below `y` of the content; how many there
    /// are where none does.
    std::size_t firstTrackBelow(int y) const;
    double timeAt(double x) const;
    double xOf(double time) const;
    std::optional<Place> placeAt(const QPoint& at) const;
    std::optional<Place> placeOfKernel(std::size_t kernel) const;
    void walk(int lanes, int spans);
    bool pressMovingKey(int key);
    std::optional<double> zoomCentre() const;
    void pan(double part);
    void makeCurrent(const Place& place, bool reveal);

    void paintTrack(QPainter& painter, std::size_t track, int top) const;
    void paintTrackName(QPainter& painter, std::size_t track, int top, int highest) const;
    void paintLane(QPainter& painter, const TimelineLane& lane, int top,
                   const std::optional<Place>& current, std::size_t track,
                   std::size_t laneIndex) const;
    void paintRuler(QPainter& painter) const;
    void paintGutter(QPainter& painter) const;
    void paintRange(QPainter& painter) const;
    void findArrows();
    void paintArrows(QPainter& painter) const;

    RunDigestPtr digest_;
    TimelineMatchesPtr matches_;
    std::vector<std::size_t> pinned_;  // tracks
    std::vector<double> busy_;
    // of operators, in the palette in force
    mutable std::unordered_map<std::string, QColor> colors_;
    double viewBegin_ = 0, nsPerPixel_ = 1000;
    NodeId focusedNode_;
    std::optional<Place> current_, hover_;
    struct Arrow {  // a value flows along it
        Place from, to;
    };
    std::vector<Arrow> arrows_;  // of the current kernel
    std::optional<int> mouseX_;  // in the viewport; nothing: the mouse is elsewhere
    std::int64_t rangeBegin_ = -1, rangeEnd_ = -1;
    enum class Drag { none, pressed, pan, range } drag_ = Drag::none;
    QPoint pressedAt_;
    double pressedBegin_ = 0;
    int pressedScroll_ = 0;
    bool settingScrollBars_ = false;
};

}  // namespace lapidary::views
