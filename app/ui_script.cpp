// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui_script.h"

#include <QAbstractButton>
#include <QAction>
#include <QCoreApplication>
#include <QFile>
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
constexpr int quiet_checks_needed = 5;

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
    Project& project = workbench_.project();
    const auto variantOf = [&](const QString& name) -> VariantPtr {
        Recipe recipe;
        if (const auto level = level_from_name(name.toStdString())) recipe.level = *level;
        return workbench_.variants().find(recipe);
    };
    try {
        if (command == QLatin1String("settle") || command == QLatin1String("wait")) return {};
        if (command == QLatin1String("open")) return workbench_.openAny(argument), QString();
        if (command == QLatin1String("sample")) return workbench_.openSample(argument), QString();
        if (command == QLatin1String("new")) return project.startNew(), QString();
        if (command == QLatin1String("run")) return workbench_.startRun(), QString();
        if (command == QLatin1String("undo")) return project.undoStack().undo(), QString();
        if (command == QLatin1String("redo")) return project.undoStack().redo(), QString();
        if (command == QLatin1String("notes")) return project.setNotes(argument), QString();
        if (command == QLatin1String("page"))
            return window_.showPage(argument) ? QString() : QStringLiteral("there is no such page");
        if (command == QLatin1String("press")) return press(argument);
        if (command == QLatin1String("samples")) {
            QuantizeChoice choice = workbench_.quantizing().choice();
            choice.samples.data = std::filesystem::path(argument.toStdU16String());
            return workbench_.quantizing().setChoice(choice), QString();
        }
        if (command == QLatin1String("tab") || command == QLatin1String("theme") || command == QLatin1String("size") ||
            command == QLatin1String("picture"))
            return look(command, argument);
        if (command == QLatin1String("quit")) {
            project.forgetChanges();
            window_.close();
            QCoreApplication::quit();
            return {};
        }
        if (command == QLatin1String("save")) {
            if (argument.isEmpty() && project.path().isEmpty()) return QStringLiteral("the project has no file yet");
            project.saveAs(argument.isEmpty() ? project.path() : argument);
            return {};
        }
        if (command == QLatin1String("recipe"))
            return project.setRecipe(recipeFromJson(argument), QStringLiteral("script")), QString();
        if (command == QLatin1String("level")) {
            Recipe recipe = project.recipe();
            const auto level = level_from_name(argument.toStdString());
            if (!level) return QStringLiteral("there is no such level");
            recipe.level = *level;
            return project.setRecipe(recipe, QStringLiteral("script")), QString();
        }
        if (command == QLatin1String("state")) {
            save_text(std::filesystem::path(argument.toStdU16String()), toText(project.state(), {}).toStdString());
            return {};
        }
        if (command == QLatin1String("slot") || command == QLatin1String("show") ||
            command == QLatin1String("remove")) {
            const VariantPtr variant = variantOf(argument.section(QLatin1Char(' '), -1));
            if (!variant) return QStringLiteral("no such variant is made");
            if (command == QLatin1String("show")) workbench_.showVariant(variant);
            else if (command == QLatin1String("remove")) project.removeVariant(variant);
            else project.setSlot(argument.startsWith(QLatin1Char('A')) ? Slot::A : Slot::B, variant);
            return {};
        }
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return QStringLiteral("there is no such command");
}

/// What changes or keeps the look of the window and nothing else.
QString UiScript::look(const QString& command, const QString& argument) {
    if (command == QLatin1String("theme")) {
        views::applyTheme(views::themeFromName(argument));
    } else if (command == QLatin1String("size")) {
        window_.resize(argument.section(QLatin1Char('x'), 0, 0).toInt(), argument.section(QLatin1Char('x'), 1).toInt());
    } else if (command == QLatin1String("tab")) {
        auto* tabs = window_.findChild<QTabWidget*>(argument.section(QLatin1Char(' '), 0, 0));
        if (!tabs) return QStringLiteral("there are no such tabs");
        tabs->setCurrentIndex(argument.section(QLatin1Char(' '), 1).toInt());
    } else if (!window_.grab().save(argument, "PNG")) {
        return QStringLiteral("the picture cannot be written");
    }
    return {};
}

QString UiScript::press(const QString& name) {
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
