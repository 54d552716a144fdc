// SPDX-License-Identifier: GPL-3.0-or-later
// The commands in a project's undo history.
#pragma once

#include <QElapsedTimer>
#include <QUndoCommand>

#include <functional>

#include "workbench/project/project.h"

namespace lapidary::app {

/// Changes a choice, and back to the previous one.
class Project::Change : public QUndoCommand {
public:
    Change(const QString& text, std::function<void()> redo, std::function<void()> undo, bool cheap)
        : QUndoCommand(text), redo_(std::move(redo)), undo_(std::move(undo)), cheap_(cheap) {}
    void undo() override { undo_(); }
    void redo() override { redo_(); }
    int id() const override { return cheap_ ? cheap_change_id : -1; }

private:
    std::function<void()> redo_, undo_;
    bool cheap_;
};

/// Typing in the notes. What follows within a second is part of the same command.
class Project::NotesChange : public QUndoCommand {
public:
    NotesChange(Project& project, QString after)
        : QUndoCommand(Project::tr("edit the notes")), project_(project), before_(project.notes_),
          after_(std::move(after)) {
        sinceLast_.start();
    }
    void undo() override { project_.applyNotes(before_); }
    void redo() override { project_.applyNotes(after_); }
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* next) override {
        const auto* typed = static_cast<const NotesChange*>(next);
        if (sinceLast_.elapsed() > pause_ms) return false;
        after_ = typed->after_;
        sinceLast_.restart();
        return true;
    }

private:
    static constexpr int pause_ms = 1000;
    Project& project_;
    QString before_, after_;
    QElapsedTimer sinceLast_;
};

}  // namespace lapidary::app
