// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
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
};

}  // namespace lapidary::views
