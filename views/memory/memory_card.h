// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>

#include "memory/memory_picture.h"
#include "widgets/cards/answer_card.h"

namespace lapidary::views {

/// One sentence about what determines the peak of memory, the figures behind it, and their
/// assumptions.
class MemoryCard : public QFrame {
    Q_OBJECT
public:
    explicit MemoryCard(QWidget* parent = nullptr);
    /// `conditions`: level, threads and sizes of the plan.
    void setPicture(const MemoryPicture& picture, const QString& conditions);
    QString verdict() const { return verdict_->text(); }
    QString notes() const { return notes_->text(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Shows the assumptions of the figures, and what they leave out.
    void setNotes(const MemoryPicture& picture, const QString& conditions);

    QLabel *verdict_, *notes_;
    FigureRow* figures_;
};

}  // namespace lapidary::views
