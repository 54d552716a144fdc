// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>

#include "run/run_digest.h"
#include "widgets/cards/answer_card.h"

namespace lapidary::app {
struct RunFigures;
}

namespace lapidary::views {

/// The answer in one sentence, what goes with it beneath, and the figures behind it.
class VerdictCard : public QFrame {
    Q_OBJECT
public:
    explicit VerdictCard(QWidget* parent = nullptr);
    /// `measured`: the same without the profiler, which costs time; null: not measured. `isOlder`:
    /// before this run. `level`: at which it ran; empty: not known, of a trace.
    void setDigest(const RunDigest& digest, const app::RunFigures* measured = nullptr,
                   bool isOlder = false, const QString& level = {});
    /// Of a part of the recording, `nanoseconds` long: every figure is of that part.
    void setRange(const RunDigest& digest, const RunTotals& totals, std::int64_t nanoseconds);
    QString verdict() const { return verdict_->text(); }
    QString remarks() const { return remarks_->text(); }
    /// In red: which outputs are not as they were recorded; empty: none of them.
    QString check() const { return check_->text(); }

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void showCheck(const QString& text);
    static QString measuredText(const app::RunFigures& figures, bool isOlder);
    QLabel *check_, *verdict_, *remarks_;
    FigureRow* figures_;
};

}  // namespace lapidary::views
