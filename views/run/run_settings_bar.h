// SPDX-License-Identifier: GPL-3.0-or-later
// How to run: threads, repetitions, warm-ups, seed, sizes of symbolic dimensions, and the Run
// button.
#pragma once

#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include "widgets/flow_layout.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class RunSettingsBar : public QWidget {
    Q_OBJECT
public:
    explicit RunSettingsBar(app::Workbench& workbench, QWidget* parent = nullptr);
    /// Shown as open or shut; reports inputsToggled() where that is new.
    void setInputsShown(bool shown) { inputs_->setChecked(shown); }

signals:
    void inputsToggled(bool shown);

private:
    QSpinBox* addSpin(const QString& label, const QString& tip, int low, int high);
    void rebuildDimensions();
    void refresh();
    void publish();

    app::Workbench& workbench_;
    FlowLayout *row_, *dimensionRow_;
    QWidget* dimensionStrip_;
    QSpinBox *threads_, *repetitions_, *warmups_, *seed_;
    std::vector<std::pair<std::string, QSpinBox*>> dimensions_;
    QToolButton* inputs_;  // opens the drawer of inputs
    QToolButton* config_;  // hidden while there are none
    QPushButton* run_;
    bool refreshing_ = false;
};

}  // namespace lapidary::views
