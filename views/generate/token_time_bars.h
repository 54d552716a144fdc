// SPDX-License-Identifier: GPL-3.0-or-later
// A bar for each recorded token: what its time is made of, by context.
#pragma once

#include <QWidget>

#include <vector>

#include "worker/protocol/generate_record.h"

namespace lapidary::views {

class TokenTimeBars : public QWidget {
    Q_OBJECT
public:
    explicit TokenTimeBars(QWidget* parent = nullptr);
    /// Those of each side; null: none.
    void setRecord(const app::GenerateRecord* record);
    /// What the bars show, in sentences.
    QString description() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Bar {
        QString title;  // "128 tokens", with the variant where there are two
        TokenTime time;
    };
    double longest() const;
    int rowHeight() const;
    int legendHeight() const;
    QRectF barArea(std::size_t row) const;
    void paintLegend(QPainter& painter) const;
    void paintBar(QPainter& painter, std::size_t row) const;
    QString describe(const Bar& bar) const;

    std::vector<Bar> bars_;
};

}  // namespace lapidary::views
