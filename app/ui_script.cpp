// SPDX-License-Identifier: GPL-3.0-or-later
#include "screenshot.h"
#include "ui_script.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDialog>
#include <QFile>
#include <QHash>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QTabWidget>
#include <QTextEdit>

#include <cstdio>

#include <lapidary/internal/text_file.h>

#include "canvas/graph_canvas.h"
#include "theme/theme.h"
#include "window/main_window.h"
#include "workbench/project/project.h"
#include "workbench/jobs/quantizing.h"
#include "workbench/workbench.h"

namespace lapidary::app {
namespace {

constexpr int settle_interval_ms = 50;
constexpr int longest_expectation_ms = 10'000;
constexpr qsizetype longest_reported = 300;  // characters of the found text in an error

/// The texts of a widget: its text, its accessible name and description, the words of its children,
/// and the rows of a view.
QString wordsOf(const QWidget& widget) {
    QStringList words{widget.property("text").toString(), widget.property("plainText").toString(),
                      widget.accessibleName(), widget.accessibleDescription()};
    for (const QWidget* inner : widget.findChildren<QWidget*>()) {
        if (!inner->isVisible()) continue;
        words << inner->property("text").toString() << inner->accessibleName();
        if (const auto* browser = qobject_cast<const QTextEdit*>(inner))
            words << browser->toPlainText();
    }
    if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget); view && view->model())
        for (int row = 0; row < view->model()->rowCount(); ++row)
            for (int column = 0; column < view->model()->columnCount(); ++column)
                words << view->model()->index(row, column).data().toString();
    words.removeAll(QString());
    return words.join(QStringLiteral(" | "));
}

}  // namespace

UiScript::UiScript(Workbench& workbench, views::MainWindow& window, QObject* parent)
    : QObject(parent), workbench_(workbench), window_(window) {
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &UiScript::step);
}

QString UiScript::load(const QString& name) {
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly))
        return QStringLiteral("%1: %2").arg(name, file.errorString());
    for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n')))
        if (!line.trimmed().isEmpty() && !line.startsWith(QLatin1Char('#')))
            lines_.append(line.trimmed());
    return {};
}

void UiScript::start() { timer_.start(0); }

void UiScript::step() {
    if (isDone()) return;
    const QString line = lines_[next_], command = line.section(QLatin1Char(' '), 0, 0),
                  argument = line.section(QLatin1Char(' '), 1);
    if (isWaiting(command, argument)) return;
    quiet_ = 0;
    waited_ms_ = 0;
    const QString problem = act(command, argument);
    if (!problem.isEmpty()) {
        std::fprintf(stderr, "lapidary: \"%s\": %s\n", qPrintable(line), qPrintable(problem));
        return QCoreApplication::exit(1);
    }
    std::printf("done %d\n", int(++next_));
    std::fflush(stdout);
    timer_.start(command == QLatin1String("wait") ? argument.toInt() : 0);
}

bool UiScript::isWaiting(const QString& command, const QString& argument) {
    bool again = false;
    if (command == QLatin1String("settle")) {
        const bool busy = !workbench_.jobs().jobs().isEmpty();
        again = busy || ++quiet_ < quiet_checks_needed;
        if (busy) quiet_ = 0;
    } else if (command == QLatin1String("await")) {
        again = !QFile::exists(argument);
    } else if (command == QLatin1String("expect")) {
        again = waited_ms_ < longest_expectation_ms && !expect(command, argument).isEmpty();
        waited_ms_ += settle_interval_ms;
    }
    if (again) timer_.start(settle_interval_ms);
    return again;
}

QString UiScript::act(const QString& command, const QString& argument) {
    using Action = QString (UiScript::*)(const QString& command, const QString& argument);
    static const QHash<QString, Action> actions{
        {QStringLiteral("settle"), &UiScript::wait},
        {QStringLiteral("wait"), &UiScript::wait},
        {QStringLiteral("await"), &UiScript::wait},
        {QStringLiteral("expect"), &UiScript::expect},
        {QStringLiteral("open"), &UiScript::begin},
        {QStringLiteral("sample"), &UiScript::begin},
        {QStringLiteral("new"), &UiScript::begin},
        {QStringLiteral("run"), &UiScript::begin},
        {QStringLiteral("undo"), &UiScript::change},
        {QStringLiteral("redo"), &UiScript::change},
        {QStringLiteral("notes"), &UiScript::change},
        {QStringLiteral("recipe"), &UiScript::change},
        {QStringLiteral("samples"), &UiScript::samples},
        {QStringLiteral("level"), &UiScript::level},
        {QStringLiteral("slot"), &UiScript::variant},
        {QStringLiteral("show"), &UiScript::variant},
        {QStringLiteral("remove"), &UiScript::variant},
        {QStringLiteral("save"), &UiScript::keep},
        {QStringLiteral("state"), &UiScript::keep},
        {QStringLiteral("quit"), &UiScript::quit},
        {QStringLiteral("press"), &UiScript::press},
        {QStringLiteral("page"), &UiScript::look},
        {QStringLiteral("tab"), &UiScript::look},
        {QStringLiteral("theme"), &UiScript::look},
        {QStringLiteral("size"), &UiScript::look},
        {QStringLiteral("picture"), &UiScript::look},
        {QStringLiteral("choose"), &UiScript::look},
        {QStringLiteral("node"), &UiScript::select},
        {QStringLiteral("type"), &UiScript::type},
        {QStringLiteral("menu"), &UiScript::openMenu},
        {QStringLiteral("close"), &UiScript::close},
    };
    const Action action = actions.value(command);
    if (!action) return QStringLiteral("there is no such command");
    try {
        return (this->*action)(command, argument);
    } catch (const Error& error) { return QString::fromUtf8(error.what()); }
}

QString UiScript::expect(const QString&, const QString& argument) {
    const QString name = argument.section(QLatin1Char(' '), 0, 0),
                  text = argument.section(QLatin1Char(' '), 1);
    if (name == QLatin1String("page"))
        return window_.currentPage() == text
                   ? QString()
                   : QStringLiteral("the page is \"%1\"").arg(window_.currentPage());
    QString found;
    for (const QWidget* widget : QApplication::allWidgets()) {
        if (widget->objectName() != name || !widget->isVisible()) continue;
        found = wordsOf(*widget);
        if (found.contains(text)) return {};
    }
    return found.isEmpty() ? QStringLiteral("no widget of that name is visible or says anything")
                           : QStringLiteral("it says \"%1\"").arg(found.left(longest_reported));
}

/// Waiting is done by step().
QString UiScript::wait(const QString&, const QString&) { return {}; }

QString UiScript::begin(const QString& command, const QString& argument) {
    if (command == QLatin1String("open")) workbench_.openAny(argument);
    else if (command == QLatin1String("sample")) workbench_.openSample(argument);
    else if (command == QLatin1String("new")) workbench_.project().startNew();
    else workbench_.startRun();
    return {};
}

QString UiScript::change(const QString& command, const QString& argument) {
    Project& project = workbench_.project();
    if (command == QLatin1String("undo")) project.undoStack().undo();
    else if (command == QLatin1String("redo")) project.undoStack().redo();
    else if (command == QLatin1String("notes")) project.setNotes(argument);
    else project.setRecipe(recipeFromJson(argument), QStringLiteral("script"));
    return {};
}

QString UiScript::samples(const QString&, const QString& path) {
    QuantizeChoice choice = workbench_.quantizing().choice();
    choice.samples.data = std::filesystem::path(path.toStdU16String());
    workbench_.quantizing().setChoice(choice);
    return {};
}

QString UiScript::level(const QString&, const QString& name) {
    const auto level = level_from_name(name.toStdString());
    if (!level) return QStringLiteral("there is no such level");
    Recipe recipe = workbench_.project().recipe();
    recipe.level = *level;
    workbench_.project().setRecipe(recipe, QStringLiteral("script"));
    return {};
}

QString UiScript::variant(const QString& command, const QString& argument) {
    const bool isSlot = command == QLatin1String("slot");
    const QString letter = argument.section(QLatin1Char(' '), 0, 0),
                  which = isSlot ? argument.section(QLatin1Char(' '), 1) : argument;
    if (isSlot && letter != QLatin1String("A") && letter != QLatin1String("B"))
        return QStringLiteral("the slot is A or B, not \"%1\"").arg(letter);
    Recipe recipe;
    if (which.startsWith(QLatin1Char('{'))) {
        recipe = recipeFromJson(which);
    } else {
        const auto level = level_from_name(which.toStdString());
        if (!level) return QStringLiteral("there is no level \"%1\"").arg(which);
        recipe.level = *level;
    }
    const VariantPtr variant = workbench_.variants().find(recipe);
    const bool canMake = command != QLatin1String("remove") && which.startsWith(QLatin1Char('{'));
    if (!variant && canMake) return workbench_.variants().requestAlso(recipe), QString();
    if (!variant) return QStringLiteral("no such variant is made");
    Project& project = workbench_.project();
    if (command == QLatin1String("show")) workbench_.showVariant(variant);
    else if (command == QLatin1String("remove")) project.removeVariant(variant);
    else project.setSlot(letter == QLatin1String("A") ? Slot::A : Slot::B, variant);
    return {};
}

/// Saves the project, or writes its state to another file.
QString UiScript::keep(const QString& command, const QString& argument) {
    Project& project = workbench_.project();
    if (command == QLatin1String("state")) {
        save_text(std::filesystem::path(argument.toStdU16String()),
                  toText(project.state(), {}).toStdString());
        return {};
    }
    if (argument.isEmpty() && project.path().isEmpty())
        return QStringLiteral("the project has no file yet");
    project.saveAs(argument.isEmpty() ? project.path() : argument);
    return {};
}

QString UiScript::quit(const QString&, const QString&) {
    workbench_.project().forgetChanges();
    window_.close();
    QCoreApplication::quit();
    return {};
}

/// Commands that change or save only the appearance of the window.
QString UiScript::look(const QString& command, const QString& argument) {
    if (command == QLatin1String("page")) {
        if (!window_.showPage(argument)) return QStringLiteral("there is no such page");
    } else if (command == QLatin1String("theme")) {
        views::applyTheme(views::themeFromName(argument));
    } else if (command == QLatin1String("size")) {
        window_.resize(argument.section(QLatin1Char('x'), 0, 0).toInt(),
                       argument.section(QLatin1Char('x'), 1).toInt());
    } else if (command == QLatin1String("tab")) {
        auto* tabs = window_.findChild<QTabWidget*>(argument.section(QLatin1Char(' '), 0, 0));
        if (!tabs) return QStringLiteral("there are no such tabs");
        tabs->setCurrentIndex(argument.section(QLatin1Char(' '), 1).toInt());
    } else if (command == QLatin1String("choose")) {
        auto* box = window_.findChild<QComboBox*>(argument.section(QLatin1Char(' '), 0, 0));
        const int entry = box ? box->findText(argument.section(QLatin1Char(' '), 1)) : -1;
        if (entry < 0) return QStringLiteral("there is no such list or entry");
        box->setCurrentIndex(entry);
    } else if (!picture().save(argument, "PNG")) {
        return QStringLiteral("the picture cannot be written");
    }
    return {};
}

/// Menus are windows of the system, which a picture of the widget behind them lacks.
QPixmap UiScript::picture() {
    QWidget* behind = inFront();
    QPixmap shot = behind->grab();
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (qobject_cast<QMenu*>(widget) && widget->isVisible())
            QPainter(&shot).drawPixmap(behind->mapFromGlobal(widget->mapToGlobal(QPoint())),
                                       widget->grab());
    return shot;
}

QString UiScript::select(const QString&, const QString& name) {
    const DocumentPtr shown = workbench_.document();
    if (!shown) return QStringLiteral("no model is open");
    const Graph& graph = shown->model->graph;
    for (const NodeId id : graph.nodes()) {
        if (graph.node(id).name != name.toStdString()) continue;
        workbench_.focusNode(id);
        auto* canvas = window_.findChild<views::GraphCanvas*>(QStringLiteral("graphCanvas"));
        if (!canvas || canvas->selectedBox() == views::noIndex)
            return QStringLiteral("the node is not drawn");
        canvas->resetZoom();
        canvas->centreOn(canvas->selectedBox());
        return {};
    }
    return QStringLiteral("there is no such node");
}

QString UiScript::type(const QString&, const QString& argument) {
    const QString name = argument.section(QLatin1Char(' '), 0, 0);
    for (QWidget* widget : QApplication::allWidgets())
        if (auto* field = qobject_cast<QLineEdit*>(widget);
            field && field->isVisible() && field->objectName() == name)
            return field->setText(argument.section(QLatin1Char(' '), 1)), QString();
    return QStringLiteral("there is no such field");
}

/// Later, because a menu returns when it is closed; the script goes on meanwhile.
QString UiScript::openMenu(const QString&, const QString&) {
    auto* canvas = window_.findChild<views::GraphCanvas*>(QStringLiteral("graphCanvas"));
    const views::OutlineIndex box = canvas ? canvas->selectedBox() : views::noIndex;
    if (box == views::noIndex || !canvas->isVisible())
        return QStringLiteral("nothing is selected in a graph that is shown");
    QTimer::singleShot(0, canvas, [canvas, box] {
        const QPoint at = canvas->fromScene(canvas->scene()->boxes[box].rect().center()).toPoint();
        QContextMenuEvent event(QContextMenuEvent::Keyboard, at, canvas->mapToGlobal(at));
        QApplication::sendEvent(canvas, &event);
    });
    return {};
}

QString UiScript::close(const QString&, const QString&) {
    if (QWidget* menu = QApplication::activePopupWidget()) return menu->close(), QString();
    if (inFront() == &window_) return QStringLiteral("neither a menu nor a dialog is open");
    inFront()->close();
    return {};
}

/// The dialog in front, else the window.
QWidget* UiScript::inFront() {
    for (QDialog* dialog : window_.findChildren<QDialog*>())
        if (dialog->isVisible()) return dialog;
    return &window_;
}

QString UiScript::press(const QString&, const QString& name) {
    const auto named = [&](const QString& objectName, QString text) {
        return objectName == name || text.remove(QLatin1Char('&')) == name;
    };
    for (QAbstractButton* button : window_.findChildren<QAbstractButton*>())
        if (button->isVisible() && button->isEnabled() &&
            named(button->objectName(), button->text()))
            return button->click(), QString();
    for (QAction* action : window_.commands())
        if (action->isEnabled() && named(action->objectName(), action->text()))
            return action->trigger(), QString();
    return QStringLiteral("no button or command of that name can be pressed");
}

}  // namespace lapidary::app
