// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dialogs/diagnostics_text.h"

#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QScreen>
#include <QSettings>
#include <QSysInfo>

#include <algorithm>
#include <functional>

#include <lapidary/bench/bench.h>

#include "workbench/jobs/plugin_list.h"
#include "workbench/targets/machines.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/build_version.h"

namespace lapidary::views {
namespace {

constexpr qsizetype shortest_name = 3;  // characters; shorter ones occur in other words
// groups and keys of the settings that hold no paths, hosts or names
constexpr const char* plain_settings[] = {"ask/",   "language", "optimize/", "run/",
                                          "sizes/", "theme",    "units/"};

/// The words of a path: the file, with and without its ending, and all folders above it.
QStringList wordsOf(const QString& path) {
    const QFileInfo file(path);
    static const QRegularExpression separator(QStringLiteral(R"([/\\])"));
    return QStringList{path, file.absolutePath(), file.fileName(), file.completeBaseName()} +
           path.split(separator, Qt::SkipEmptyParts) +
           file.absolutePath().split(separator, Qt::SkipEmptyParts);
}

/// A target "user@host:folder", and its parts.
QStringList wordsOfTarget(const QString& target) {
    static const QRegularExpression separator(QStringLiteral("[@:/]"));
    return QStringList{target} + target.split(separator, Qt::SkipEmptyParts);
}

/// Paths of files that were opened or saved, or were to be, and targets, with the names in them.
QStringList namesOf(app::Workbench& workbench) {
    QStringList paths = workbench.recentFiles() + workbench.notedFiles();
    if (const app::DocumentPtr opened = workbench.opened(); opened && !opened->source.file.empty())
        paths << QFileInfo(opened->source.file).filePath();
    QStringList names{QDir::homePath(), QFileInfo(QDir::homePath()).fileName()};
    for (const QString& path : paths) names << wordsOf(path);
    for (const app::KnownTarget& target : workbench.machines().targets())
        names << wordsOfTarget(target.host);
    names.removeDuplicates();
    return names;
}

QString line(const char* key, const QString& value) {
    return QStringLiteral("%1: %2\n").arg(QLatin1String(key), value);
}

QString machineLines() {
    const MachineInfo machine = machine_info();
    return line("cpu", labelText(machine.cpu)) + line("isa", labelText(machine.isa)) +
           line("cores", QString::number(machine.cores)) +
           line("memory", QString::number(machine.memory_gb, 'f', 1) + QStringLiteral(" GB")) +
           line("kernel", labelText(machine.system)) +
           line("system", QSysInfo::prettyProductName());
}

QString displayLines() {
    QString text = line("display", QGuiApplication::platformName());
    for (const QScreen* screen : QGuiApplication::screens())
        text += line("screen", QStringLiteral("%1x%2, %3 %")
                                   .arg(screen->geometry().width())
                                   .arg(screen->geometry().height())
                                   .arg(qRound(100 * screen->devicePixelRatio())));
    return text;
}

QString settingLines() {
    const QSettings settings;
    QString text;
    for (const QString& key : settings.allKeys())
        if (std::ranges::any_of(plain_settings, [&](const char* plain) {
                return key.startsWith(QLatin1String(plain));
            }))
            text += line("setting", key + QStringLiteral(" = ") + settings.value(key).toString());
    return text;
}

QString modelLines(app::Workbench& workbench) {
    const app::DocumentPtr opened = workbench.opened();
    if (!opened) return line("model", QStringLiteral("none"));
    const ModelSummary& summary = opened->summary;
    return line("model", QStringLiteral("%1 nodes, %2 + %3 bytes, %4 faults")
                             .arg(summary.nodes)
                             .arg(summary.file_bytes)
                             .arg(summary.external_bytes)
                             .arg(opened->faults.size())) +
           line("variants", QString::number(workbench.variants().list().size())) +
           line("jobs", QString::number(workbench.jobs().jobs().size()));
}

}  // namespace

QString withoutNames(QString text, QStringList names) {
    names.removeIf([](const QString& name) { return name.size() < shortest_name; });
    // a path before the names in it
    std::ranges::stable_sort(names, std::ranges::greater{},
                             [](const QString& name) { return name.size(); });
    for (const QString& name : names)
        text.replace(
            QRegularExpression(
                QStringLiteral(R"((?<!\w)%1(?!\w))").arg(QRegularExpression::escape(name))),
            QStringLiteral("<name>"));
    static const QRegularExpression quoted(QStringLiteral("\"[^\"\\n]*\""));
    // A path may have spaces: it ends before ": ", a quote or the end of the line. What follows a
    // folder that was replaced above is its rest.
    static const QRegularExpression path(QStringLiteral(
        R"((?:<name>|(?<![\w.<>])(?:~|[A-Za-z]:)?)[/\\](?=\S)(?:(?!: )[^"“”„\n])+)"));
    static const QRegularExpression account(QStringLiteral(R"([\w.+-]+@[\w.-]+)"));
    static const QRegularExpression file(
        QStringLiteral(R"([^\s/\\]+\.(?:onnx|ort|lapidary|json|npz|npy|pb|data|bin)\b)"));
    return text.replace(quoted, QStringLiteral("\"…\""))
        .replace(path, QStringLiteral("<path>"))
        .replace(account, QStringLiteral("<name>"))
        .replace(file, QStringLiteral("<file>"));
}

QString diagnosticsText(app::Workbench& workbench, const QString& log) {
    const app::FoundPluginsPtr plugins = workbench.plugins().found();
    const QStringList names = namesOf(workbench);
    return line("lapidary", app::withCommit(QStringLiteral(LAPIDARY_VERSION))) +
           line("qt", QString::fromLatin1(qVersion())) + machineLines() + displayLines() +
           settingLines() +
           line("worker", workbench.worker().isSeparate()
                              ? QStringLiteral("separate")
                              : withoutNames(workbench.worker().whyShared(), names)) +
           line("plugins",
                plugins ? QString::number(plugins->plugins.size()) : QStringLiteral("?")) +
           modelLines(workbench) + line("log", QString()) + withoutNames(log, names).trimmed() +
           u'\n';
}

}  // namespace lapidary::views
