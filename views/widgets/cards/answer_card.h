// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QWidget>

#include <optional>

namespace lapidary::views {

/// Paints the frame of a page's main sentence: rounded, with a bar in the accent colour on its
/// left. Call it in paintEvent().
void paintAnswerCard(QWidget& card, std::optional<QColor> bar = {});

/// A row of figures, each above its label, which wraps to the width.
class FigureRow : public QWidget {
    Q_OBJECT
public:
    explicit FigureRow(int gap, QWidget* parent = nullptr);
    void clear();
    /// `color`: a square before the label in this colour, as in plots.
    void add(const QString& value, const QString& label, const QString& tip,
             std::optional<QColor> color = {});
};

}  // namespace lapidary::views
