// SPDX-License-Identifier: GPL-3.0-or-later
#include "screenshot.h"
#include "ui_script.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QFile>
#include <QHash>
#include <QTabWidget>

#include <cstdio>

#include <lapidary/text_file.h>

#include "theme/theme.h"
#include "window/main_window.h"
#include "workbench/project.h"
#include "workbench/quantizing.h"
#include "workbench/workbench.h"

namespace lapidary::app {
namespace {

constexpr int settle_interval_ms = 50;

}  // namespace

UiScript::UiScript(Workbench& workbench, views::MainWindow& window, QObject* parent)
    : QObject(parent), workbench_(workbench), window_(window) {
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &UiScript::step);
}

QString UiScript::load(const QString& name) {
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly)) return QStringLiteral("%1: %2").arg(name, file.errorString());
    for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n')))
        if (!line.trimmed().isEmpty() && !line.startsWith(QLatin1Char('#'))) lines_.append(line.trimmed());
    return {};
}

void UiScript::start() { timer_.start(0); }

void UiScript::step() {
    if (isDone()) return;
    const QString line = lines_[next_], command = line.section(QLatin1Char(' '), 0, 0),
                  argument = line.section(QLatin1Char(' '), 1);
    if (command == QLatin1String("settle") && (!workbench_.jobs().jobs().isEmpty() || ++quiet_ < quiet_checks_needed)) {
        if (!workbench_.jobs().jobs().isEmpty()) quiet_ = 0;
        return timer_.start(settle_interval_ms);
    }
    quiet_ = 0;
    const QString problem = act(command, argument);
    if (!problem.isEmpty()) {
        std::fprintf(stderr, "lapidary: \"%s\": %s\n", qPrintable(line), qPrintable(problem));
        return QCoreApplication::exit(1);
    }
    std::printf("done %d\n", int(++next_));
    std::fflush(stdout);
    timer_.start(command == QLatin1String("wait") ? argument.toInt() : 0);
}

QString UiScript::act(const QString& command, const QString& argument) {
    using Action = QString (UiScript::*)(const QString& command, const QString& argument);
    static const QHash<QString, Action> actions{
        {QStringLiteral("settle"), &UiScript::wait},      {QStringLiteral("wait"), &UiScript::wait},
        {QStringLiteral("open"), &UiScript::begin},       {QStringLiteral("sample"), &UiScript::begin},
        {QStringLiteral("new"), &UiScript::begin},        {QStringLiteral("run"), &UiScript::begin},
        {QStringLiteral("undo"), &UiScript::change},      {QStringLiteral("redo"), &UiScript::change},
        {QStringLiteral("notes"), &UiScript::change},     {QStringLiteral("recipe"), &UiScript::change},
        {QStringLiteral("samples"), &UiScript::samples},  {QStringLiteral("level"), &UiScript::level},
        {QStringLiteral("slot"), &UiScript::variant},     {QStringLiteral("show"), &UiScript::variant},
        {QStringLiteral("remove"), &UiScript::variant},   {QStringLiteral("save"), &UiScript::keep},
        {QStringLiteral("state"), &UiScript::keep},       {QStringLiteral("quit"), &UiScript::quit},
        {QStringLiteral("press"), &UiScript::press},      {QStringLiteral("page"), &UiScript::look},
        {QStringLiteral("tab"), &UiScript::look},         {QStringLiteral("theme"), &UiScript::look},
        {QStringLiteral("size"), &UiScript::look},        {QStringLiteral("picture"), &UiScript::look},
        {QStringLiteral("choose"), &UiScript::look},
    };
    const Action action = actions.value(command);
    if (!action) return QStringLiteral("there is no such command");
    try {
        return (this->*action)(command, argument);
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
}

/// step() waits.
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
    Recipe recipe;
    const bool isJson = argument.startsWith(QLatin1Char('{'));
    if (isJson) recipe = recipeFromJson(argument);
    else if (const auto level = level_from_name(argument.section(QLatin1Char(' '), -1).toStdString()))
        recipe.level = *level;
    const VariantPtr variant = workbench_.variants().find(recipe);
    if (!variant && isJson) return workbench_.variants().requestAlso(recipe), QString();
    if (!variant) return QStringLiteral("no such variant is made");
    Project& project = workbench_.project();
    if (command == QLatin1String("show")) workbench_.showVariant(variant);
    else if (command == QLatin1String("remove")) project.removeVariant(variant);
    else project.setSlot(argument.startsWith(QLatin1Char('A')) ? Slot::A : Slot::B, variant);
    return {};
}

/// The project as its own file, or its state as another.
QString UiScript::keep(const QString& command, const QString& argument) {
    Project& project = workbench_.project();
    if (command == QLatin1String("state")) {
        save_text(std::filesystem::path(argument.toStdU16String()), toText(project.state(), {}).toStdString());
        return {};
    }
    if (argument.isEmpty() && project.path().isEmpty()) return QStringLiteral("the project has no file yet");
    project.saveAs(argument.isEmpty() ? project.path() : argument);
    return {};
}

QString UiScript::quit(const QString&, const QString&) {
    workbench_.project().forgetChanges();
    window_.close();
    QCoreApplication::quit();
    return {};
}

/// What changes or keeps the look of the window and nothing else.
QString UiScript::look(const QString& command, const QString& argument) {
    if (command == QLatin1String("page")) {
        if (!window_.showPage(argument)) return QStringLiteral("there is no such page");
    } else if (command == QLatin1String("theme")) {
        views::applyTheme(views::themeFromName(argument));
    } else if (command == QLatin1String("size")) {
        window_.resize(argument.section(QLatin1Char('x'), 0, 0).toInt(), argument.section(QLatin1Char('x'), 1).toInt());
    } else if (command == QLatin1String("tab")) {
        auto* tabs = window_.findChild<QTabWidget*>(argument.section(QLatin1Char(' '), 0, 0));
        if (!tabs) return QStringLiteral("there are no such tabs");
        tabs->setCurrentIndex(argument.section(QLatin1Char(' '), 1).toInt());
    } else if (command == QLatin1String("choose")) {
        auto* box = window_.findChild<QComboBox*>(argument.section(QLatin1Char(' '), 0, 0));
        const int entry = box ? box->findText(argument.section(QLatin1Char(' '), 1)) : -1;
        if (entry < 0) return QStringLiteral("there is no such list or entry");
        box->setCurrentIndex(entry);
    } else if (!inFront()->grab().save(argument, "PNG")) {
        return QStringLiteral("the picture cannot be written");
    }
    return {};
}

/// A dialog, else the window.
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
        if (button->isVisible() && button->isEnabled() && named(button->objectName(), button->text()))
            return button->click(), QString();
    for (QAction* action : window_.commands())
        if (action->isEnabled() && named(action->objectName(), action->text())) return action->trigger(), QString();
    return QStringLiteral("no button or command of that name can be pressed");
}

}  // namespace lapidary::app
