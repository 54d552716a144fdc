// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QTreeWidget>

#include "graph/forms/edit_fields.h"

namespace lapidary::views {

/// Another model behind this one. Once its file is read, each of its inputs has a box with the
/// outputs of this model; equal names are chosen.
class JoinFields : public EditFields {
    Q_OBJECT
public:
    /// Both have to outlive the fields.
    JoinFields(app::Workbench& workbench, const FormModel& model);
    QString lines() const override;
    QStringList missing() const override;
    /// A row for each input of the other model.
    QTreeWidget* pairs() const { return pairs_; }
    bool isReading() const { return reading_.isRunning(); }

private:
    void readFile();
    void showInputs(const Model& other);
    QStringList chosenPairs() const;

    app::Workbench& workbench_;
    const FormModel& model_;
    FileField* file_;
    TextField* prefix_;
    QCheckBox* byNames_;
    QLabel* sentence_;
    QTreeWidget* pairs_;
    QString read_;  // the file whose inputs are shown
    app::LatestJob reading_;
};

}  // namespace lapidary::views
