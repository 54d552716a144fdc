// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>

class QPixmap;
class QWidget;

namespace lapidary::views {
class MainWindow;
}

namespace lapidary::app {

class Workbench;

/// Drives the window from a text file, one command a line, as a user would: for tests that kill the
/// program and for pictures of what is behind a button. Each command is reported on stdout as "done
/// NUMBER" when it is done. One that cannot be done ends the program with status 1 and the reason.
///
///   settle               waits until no job has run for a while
///   wait MS
///   await FILE           waits until FILE exists, which the driving program creates
///   expect page NAME     fails unless that page is shown within ten seconds
///   expect NAME TEXT     fails unless the visible widget of that object name shows TEXT within ten
///                        seconds
///   open FILE | sample NAME | new | save [FILE] | run | undo | redo | quit
///   recipe JSON | level NAME | notes TEXT | page NAME
///   slot A|B WHICH | show WHICH | remove WHICH
///                        a variant by its level or its recipe as JSON. A variant that does not
///                        exist yet is made, and the command is repeated then.
///   samples PATH         the folder or file with the samples for quantizing
///   press NAME           a button or action by its object name or text
///   tab NAME NUMBER      a tab of the tab widget of that object name, from 0
///   choose NAME ENTRY    an entry of the list of that object name
///   type NAME TEXT       puts the text into the field of that object name
///   node NAME            selects the node of that name and shows it at full size
///   menu                 opens the menu of what is selected in the graph
///   close                closes the menu, else the dialog in front
///   theme NAME | size WxH
///   picture FILE         of the dialog in front, else of the window, with the menus that are open
///   state FILE           the project as it is now, as a project file
class UiScript : public QObject {
    Q_OBJECT
public:
    UiScript(Workbench& workbench, views::MainWindow& window, QObject* parent = nullptr);
    /// Reads the script. Returns why it cannot be read; empty: it was read.
    QString load(const QString& file);
    void start();
    bool isDone() const { return next_ >= lines_.size(); }

private:
    void step();
    /// Carries out the command. Returns why it failed; empty: it did not.
    QString act(const QString& command, const QString& argument);
    QString wait(const QString& command, const QString& argument);
    /// Whether the line has to be tried again later; starts the timer for it.
    bool isWaiting(const QString& command, const QString& argument);
    QString expect(const QString& command, const QString& argument);
    QString begin(const QString& command, const QString& argument);
    QString change(const QString& command, const QString& argument);
    QString samples(const QString& command, const QString& path);
    QString level(const QString& command, const QString& name);
    QString variant(const QString& command, const QString& argument);
    QString keep(const QString& command, const QString& argument);
    QString quit(const QString& command, const QString& argument);
    QString press(const QString& command, const QString& name);
    QString look(const QString& command, const QString& argument);
    QString select(const QString& command, const QString& name);
    QString type(const QString& command, const QString& argument);
    QString openMenu(const QString& command, const QString& argument);
    QString close(const QString& command, const QString& argument);
    QPixmap picture();
    QWidget* inFront();
    Workbench& workbench_;
    views::MainWindow& window_;
    QStringList lines_;
    qsizetype next_ = 0;
    int quiet_ = 0;
    int waited_ms_ = 0;  // time waited for the current line
    QTimer timer_;
};

}  // namespace lapidary::app
