// SPDX-License-Identifier: GPL-3.0-or-later
// The edits of the Graph page as actions: each makes one line of an edit script from what is
// selected, or asks for the rest of the line by its form.
#pragma once

#include <QAction>
#include <QMenu>

#include <functional>
#include <vector>

#include "graph/surgery/surgery_target.h"
#include "graph/surgery/graph_surgery.h"

namespace lapidary::views {

class SurgeryActions : public QObject {
    Q_OBJECT
public:
    /// `selection` says what is selected; `keys`: widgets in which Delete works.
    SurgeryActions(app::Workbench& workbench, std::function<SurgerySelection()> selection,
                   const QList<QWidget*>& keys, QObject* parent);

    GraphSurgery& surgery() { return surgery_; }
    /// What the edit that formRequested() asked for last is called.
    const QString& askedTitle() const { return askedTitle_; }
    QList<QAction*> actions() const;
    /// Enables those that fit what is selected.
    void refresh();
    /// Adds those that fit what is selected, in menus of their own where they are many.
    void addTo(QMenu* menu);
    /// Applies a line that a form made.
    void applyLine(const QString& line) { surgery_.apply(line); }

signals:
    /// An edit that needs more than the selection: its form (EditVerb::form), the words for what is
    /// selected, and keywords of the form that are chosen already.
    void formRequested(const QString& form, const QStringList& nodes, const QString& value,
                       const QStringList& keywords);
    /// What is selected cannot be edited, with the reason.
    void refused(const QString& reason);

private:
    /// What has to be selected.
    enum class Needs {
        nothing,
        node,
        nodes,       // one or more
        attributed,  // nodes of which one has attributes
        settable,    // nodes that have attributes or whose operator knows some
        value,
        input,
        output,
        port,
        constant,
        inner,
        level
    };
    /// The menu that an action is in.
    enum class Place { top, insert, replace, values, ports, model, wrap };
    /// What of the selection a form is filled in with.
    enum class Named { nothing, nodes, value, constant };
    struct Entry {
        QAction* action;
        Needs needs;
        Place place;
        bool isForBodies = false;  // also for nodes inside of If, Loop, Scan and functions
    };
    /// The line; empty: there is nothing to do.
    using Writer = std::function<QString(const SurgeryTarget&)>;

    QAction* add(Needs needs, Place place, const QString& text, const QKeySequence& key,
                 const QString& tip);
    void does(QAction* action, Writer line, bool isForBodies = false);
    void asks(QAction* action, const QString& form, const QStringList& keywords, Named named);
    /// The selected constant, or the first one that a selected node reads. Invalid: there is none.
    static ValueId constantOf(const SurgeryTarget& target);
    static QString titleOf(Place place);
    void makeNodeActions(const QList<QWidget*>& keys);
    void makeInsertActions();
    void makeReplaceActions();
    void makeValueActions();
    void makePortActions();
    void makeModelActions();
    void makeWrapActions();
    bool fits(const Entry& entry, const SurgerySelection& selection, const Graph* graph) const;
    const Graph* graphOf(const SurgerySelection& selection) const;

    app::Workbench& workbench_;
    std::function<SurgerySelection()> selection_;
    GraphSurgery surgery_;
    QAction* rename_ = nullptr;  // its text says whether several nodes are selected
    QString askedTitle_;
    std::vector<Entry> entries_;
};

}  // namespace lapidary::views
