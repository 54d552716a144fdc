// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>

#include "memory/memory_picture.h"
#include "widgets/cards/answer_card.h"

namespace lapidary::views {

/// Why memory is as high as it is in one sentence, the figures behind it, and what they rest on.
class MemoryCard : public QFrame {
    Q_OBJECT
public:
    explicit MemoryCard(QWidget* parent = nullptr);
    /// `conditions`: level, threads and sizes that it is planned under.
    void setPicture(const MemoryPicture& picture, const QString& conditions);
    QString verdict() const { return verdict_->text(); }
    QString notes() const { return notes_->text(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// What the figures rest on, and what is left out of them.
    void setNotes(const MemoryPicture& picture, const QString& conditions);

    QLabel *verdict_, *notes_;
    FigureRow* figures_;
};

}  // namespace lapidary::views
