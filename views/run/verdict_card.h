// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>

#include "run/run_digest.h"

namespace lapidary::views {

/// The answer in one sentence, and the figures behind it.
class VerdictCard : public QFrame {
    Q_OBJECT
public:
    explicit VerdictCard(QWidget* parent = nullptr);
    void setDigest(const RunDigest& digest);
    /// The figures while a range is selected; empty: back to the whole run.
    void setRangeText(const QString& text);
    QString verdict() const { return verdict_->text(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel *verdict_, *range_;
    QWidget* figureRow_;
};

}  // namespace lapidary::views
