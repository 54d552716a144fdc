// SPDX-License-Identifier: GPL-3.0-or-later
// Key figures of A and B side by side: name, A → B, the signed difference, and whether it is
// significant.
#pragma once

#include <QWidget>

#include "compare/compare_digest.h"
#include "workbench/document/planned_memory.h"

namespace lapidary::views {

/// One figure of both sides.
struct SummaryFigure {
    QString name, a, b;  // "Latency", "12.1 ms", "10.7 ms"; empty values: not known yet
    QString change;      // "✓ −11.8 %": up is better
    // "significant, −12.9 % to −10.6 %", "no difference beyond noise", "press Compare"
    QString worth;
    double sign = 0;  // sign of the change, 0 within noise; negative is better
    QString tip;
};

/// Planned peak memory of runs of both; null: not planned yet.
struct PlannedPeaks {
    const app::PlannedPeak *a = nullptr, *b = nullptr;
};

/// The known figures of both variants; `record` may be null.
std::vector<SummaryFigure> summaryFigures(const app::Variant& a, const app::Variant& b,
                                          const app::ComparisonRecord* record,
                                          const PlannedPeaks& peaks);

class SummaryCards : public QWidget {
    Q_OBJECT
public:
    explicit SummaryCards(QWidget* parent = nullptr);
    void setFigures(std::vector<SummaryFigure> figures);
    const std::vector<SummaryFigure>& figures() const { return figures_; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    int columnsIn(int width) const;
    int cardHeight() const;
    QRect cardRect(int index) const;
    std::vector<SummaryFigure> figures_;
};

}  // namespace lapidary::views
