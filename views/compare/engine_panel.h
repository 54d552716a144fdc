// SPDX-License-Identifier: GPL-3.0-or-later
// Two engines on the opened model, node by node: which node became slower from one to the other.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include <vector>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"
#include "worker/jobs/node_times_job.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class MessageBanner;

class EnginePanel : public QWidget {
    Q_OBJECT
public:
    explicit EnginePanel(app::Workbench& workbench, QWidget* parent = nullptr);
    /// The sentences about the newest comparison; empty: there is none.
    QString verdict() const { return verdict_->text(); }
    const RowsModel<ComparedGroup>& groups() const { return rows_; }
    MessageBanner* banner() const { return banner_; }
    bool isRunning() const { return job_.isRunning(); }
    /// Pairs of runs of the next start(); 0: as many as the time allows.
    void setPairs(int pairs) { pairs_ = pairs; }

public slots:
    /// Compares the two that are chosen.
    void start();
    /// Asks for the folder, the library or the interpreter of another ONNX Runtime.
    void chooseOther();
    /// Offers the ONNX Runtime at that place, and takes it for B.
    void addOther(const QString& place);

signals:
    void nodeActivated(lapidary::NodeId node);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Choice {
        QString name;
        app::Recipe recipe;
    };
    void putTogether();
    std::vector<Choice> foundEngines() const;
    void offerEngines();
    void refresh();
    void clear();
    void show(const NodeComparison& found, const QString& a, const QString& b);

    app::Workbench& workbench_;
    QComboBox *a_, *b_;
    QPushButton *start_, *other_;
    QLabel *verdict_, *sides_;
    MessageBanner* banner_;
    RowsModel<ComparedGroup> rows_;
    TableView* table_;
    std::vector<Choice> choices_, added_;  // by line; those of the user
    int pairs_ = 0;
    app::LatestJob job_;
};

}  // namespace lapidary::views
