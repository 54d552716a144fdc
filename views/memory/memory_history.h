// SPDX-License-Identifier: GPL-3.0-or-later
// Memory over the steps of a run, stacked: weights, activations, outputs, working memory, and
// memory that is held unused. A line above them shows the memory measured in a run. The table of
// lifetimes and the table at the cursor show the same figures.
#pragma once

#include "memory/step_canvas.h"

namespace lapidary::views {

class MemoryHistory : public StepCanvas {
    Q_OBJECT
public:
    explicit MemoryHistory(QWidget* parent = nullptr);
    void setPicture(MemoryPicturePtr picture) override;
    void setWeightsShown(bool shown);
    void setWasteShown(bool shown);
    void setMeasuredShown(bool shown);
    bool weightsShown() const { return weights_; }

protected:
    void paintPlot(QPainter& painter, const QRectF& plot) override;
    std::pair<double, double> bytesShown() const override { return {0, top_}; }
    QString sentenceAt(const QPointF& at) const override;
    bool dragsCursorAnywhere() const override { return true; }

private:
    void findTop();
    double top_ = 1;
    bool weights_ = true, waste_ = true, measured_ = true;
};

}  // namespace lapidary::views
