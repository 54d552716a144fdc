// SPDX-License-Identifier: GPL-3.0-or-later
// What the model gets: an input a row, from files that are dropped or chosen, from a line of text,
// or generated; the picture as the model sees it; recorded outputs to compare with.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"
#include "workbench/document/given_data.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class InputsDrawer : public QFrame {
    Q_OBJECT
public:
    explicit InputsDrawer(app::Workbench& workbench, QWidget* parent = nullptr);
    /// "2 of 3 inputs given", "inputs generated".
    static QString summaryOf(const app::GivenInputs& given, int inputs);

public slots:
    /// Files and folders that were dropped.
    void give(const QStringList& paths);
    void chooseFiles();

protected:
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget* makeText();
    QWidget* makeButtons();
    void refresh();
    void showPicture();
    void chooseForInput();
    void chooseVocabulary();
    const app::PreviewedInput* current() const;

    app::Workbench& workbench_;
    RowsModel<app::PreviewedInput> model_;
    TableView* table_;
    QLabel *picture_, *note_;
    QLineEdit* text_;
    QPushButton *vocabulary_, *files_, *one_, *forget_, *clear_;
    QWidget* textRow_;
};

/// Arrays, archives, pictures, values of ONNX test data, texts and folders among what is dragged.
QStringList inputFiles(const QMimeData* data);

}  // namespace lapidary::views
