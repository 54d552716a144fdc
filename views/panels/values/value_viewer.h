// SPDX-License-Identifier: GPL-3.0-or-later
// Look inside: a value of the model as it is in a run, with its figures, how its elements are
// distributed, the elements as a table and as pictures. Each look runs the model once in a job.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>

#include <string>
#include <vector>

#include "panels/values/map_view.h"
#include "panels/values/slice_bar.h"
#include "widgets/plot/histogram_view.h"
#include "widgets/table/tensor_model.h"
#include "worker/jobs/inspect_job.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class RunWatch;

class ValueViewer : public QDialog {
    Q_OBJECT
public:
    explicit ValueViewer(app::Workbench& workbench, QWidget* parent = nullptr);

    /// True where there is a model that can run. Without a selection the dialog asks for one.
    static bool canLookAt(app::Workbench& workbench);
    /// The selected value, or what the selected node writes and reads.
    void lookAt(const app::Focus& focus);
    bool isRunning() const { return job_.isRunning(); }
    /// What is shown; without items: nothing yet.
    const app::InspectedItems& shown() const { return shown_; }
    /// Writes the whole value into an .npy, or all values of the list into an .npz, in a job.
    void saveTo(const QString& path);

protected:
    void hideEvent(QHideEvent* event) override;

private:
    /// What a job brings: a value, and the pictures of its part.
    struct Look {
        app::InspectedItems items;
        ValueMapsPtr maps;
    };
    void layOut();
    void connectParts();
    QWidget* makeFigures();
    void addValue(const Graph& graph, ValueId id);
    void chooseValue();
    void start();
    app::InspectJob jobOf() const;
    void showLook(Look look);
    void showNothing();
    void showItems();
    void report(const QString& text, bool isFailure);
    void fail(const Error& error);
    void chooseFile();

    app::Workbench& workbench_;
    app::DocumentPtr document_;  // that is looked into
    std::string body_;           // the path of the body that the values are in
    std::vector<std::string> values_;
    app::InspectedItems shown_;
    std::string item_, slice_;  // asked for; empty: the first
    app::LatestJob job_, saving_;

    QComboBox *value_, *itemBox_;
    QCheckBox* follow_;
    QLabel *facts_, *more_, *state_, *wide_, *mapsTitle_;
    HistogramView* histogram_;
    SliceBar* slices_;
    QTableView* table_;
    TensorModel elements_;
    MapView* maps_;
    RunWatch* runs_;
    QProgressBar* bar_;
    QPushButton *again_, *cancel_, *save_;
};

}  // namespace lapidary::views
