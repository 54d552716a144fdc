// SPDX-License-Identifier: GPL-3.0-or-later
// The find box: nodes, tensors and passes of the model, and every action of the window (pages,
// settings), found by typing. While the arrow keys move through nodes and tensors, these are
// selected, so that the page below shows them.
#pragma once

#include <QAction>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QStandardItemModel>

#include "window/find/find_index.h"
#include "workbench/jobs/latest_job.h"

namespace lapidary::views {

class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(app::Workbench& workbench, QWidget* parent);
    /// Actions in menu order; disabled ones are listed greyed and cannot be run.
    void setActions(const QList<QAction*>& actions);
    /// Nodes and tensors of the shown model are found once it has been read in the background.
    bool isIndexed() const { return index_ != nullptr; }

signals:
    void nodeChosen();  // it is selected: show it
    void passChosen(const QString& pass);
    /// The user wants to see all matches of the query in the graph.
    void graphSearchRequested(const QString& query);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void done(int result) override;

private:
    void readModel();
    void filter(const QString& text);
    // words: typed words begin words of the command; letters: their letters occur in it in order
    enum class Fit { words, letters };
    void addCommands(const QString& text, Fit fit, std::size_t most);
    void addEntries(const std::vector<FindEntry>& entries, bool areNodes, const FindQuery& query);
    void addPasses(const FindQuery& query);
    void addLine(const QIcon& icon, const QString& title, const QString& detail, const QString& tip,
                 int kind, qsizetype at, bool enabled = true);
    void preview(const QModelIndex& index);
    void run(const QModelIndex& index);

    app::Workbench& workbench_;
    QLineEdit* edit_;
    QLabel* note_;
    QListView* list_;
    QStandardItemModel* model_;
    QList<QPointer<QAction>> actions_;
    FindIndexPtr index_;  // null: not read yet
    ModelPtr indexed_;    // the model of index_
    app::RunRecordPtr indexedRun_;
    std::vector<const FindEntry*> entries_;  // entries of the shown lines
    QStringList passes_;
    app::Focus before_;  // the selection when it was opened
    bool isPreviewing_ = false;
    app::LatestJob job_;
};

}  // namespace lapidary::views
