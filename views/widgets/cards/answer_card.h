// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QWidget>

#include <optional>

namespace lapidary::views {

/// The frame behind a page's answer in a sentence: rounded, with a bar in the accent colour on its
/// left. For paintEvent().
void paintAnswerCard(QWidget& card, std::optional<QColor> bar = {});

/// The figures behind an answer, each over its label; they break into lines where the width ends.
class FigureRow : public QWidget {
    Q_OBJECT
public:
    explicit FigureRow(int gap, QWidget* parent = nullptr);
    void clear();
    /// `color`: of a square before the label, as plots use it.
    void add(const QString& value, const QString& label, const QString& tip,
             std::optional<QColor> color = {});
};

}  // namespace lapidary::views
