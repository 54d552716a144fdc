// SPDX-License-Identifier: GPL-3.0-or-later
// The variant in force on two machines, side by side: a laptop against a board.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include <memory>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"
#include "workbench/workbench.h"

namespace lapidary::app {
struct MachinePair;
}

namespace lapidary::views {

class MessageBanner;

/// A figure of both machines.
struct MachineFigure {
    QString name, a, b;
};

/// Its columns have the names of the machines.
class MachineFigures : public RowsModel<MachineFigure> {
public:
    MachineFigures();
    void nameMachines(const QString& first, const QString& second);
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    QString first_, second_;
};

class MachinePanel : public QWidget {
    Q_OBJECT
public:
    explicit MachinePanel(app::Workbench& workbench, QWidget* parent = nullptr);
    /// The sentence about the newest comparison; empty: there is none.
    QString verdict() const { return verdict_->text(); }
    const RowsModel<MachineFigure>& figures() const { return rows_; }
    MessageBanner* banner() const { return banner_; }

public slots:
    /// Compares the two that are chosen.
    void start();

private:
    void putTogether();
    void offerMachines();
    void refresh();
    void showPair(const app::MachinePair& pair);
    QString stageText(const app::Job& job) const;
    void showProgress();
    QString sentenceOf(const app::MachinePair& pair) const;

    app::Workbench& workbench_;
    QComboBox *a_, *b_;
    QPushButton *start_, *targets_;
    QLabel *verdict_, *sides_;
    MessageBanner* banner_;
    MachineFigures rows_;
    TableView* table_;
    std::shared_ptr<const app::MachinePair> reported_;  // the newest pair that has ended
    bool isChosenByHand_ = false;                       // the second machine
};

}  // namespace lapidary::views
