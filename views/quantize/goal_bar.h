// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHash>
#include <QLineEdit>
#include <QSpinBox>
#include <QWidget>

namespace lapidary::app {
class Quantizing;
}

namespace lapidary::views {

/// The options of a search: number formats for all nodes and for some, the goal, the least
/// accuracy, the time limit.
class GoalBar : public QWidget {
    Q_OBJECT
public:
    explicit GoalBar(app::Quantizing& quantizing, QWidget* parent = nullptr);

private:
    void fillChoices();
    void connectChoices();
    void describeBlocks();
    QList<QWidget*> blockChoices() const;
    void refresh();
    void apply();

    app::Quantizing& quantizing_;
    QComboBox *method_, *goal_;
    QComboBox* floorOf_;
    QDoubleSpinBox* floor_;
    QSpinBox* budget_;
    QComboBox* weights_;
    QLineEdit* weightsOf_;
    QCheckBox* reduced_;
    // of weights in blocks
    QDoubleSpinBox* bitsPerWeight_;
    QCheckBox *rotated_, *smoothed_, *fitted_, *compensated_;
    QHash<const QWidget*, QString> blockTips_;  // without why they are grey
};

}  // namespace lapidary::views
