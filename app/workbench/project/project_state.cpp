// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/project/project_state.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>

#include <algorithm>
#include <limits>

#include <lapidary/base/error.h>
#include <lapidary/bench/measurement_json.h>

#include "workbench/project/project_members.h"

namespace lapidary::app {
namespace {

constexpr const char* format_name = "lapidary-project";
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

QJsonObject toObject(const Recipe& recipe) {
    return QJsonDocument::fromJson(toJson(recipe).toUtf8()).object();
}

Recipe recipeIn(const ProjectMembers& members, const char* name) {
    const ProjectMembers object = members.object(name);
    try {
        return recipeFromJson(
            QString::fromUtf8(QJsonDocument(object.json()).toJson(QJsonDocument::Compact)));
    } catch (Error& error) { throw error.at(members.placeOf(name).toStdString()); }
}

QJsonObject writeModel(const ModelReference& model, const QString& folder) {
    QJsonObject object;
    if (!model.sample.isEmpty()) {
        object[QLatin1String("sample")] = model.sample;
        return object;
    }
    const QString relative = folder.isEmpty() || model.path.isEmpty()
                                 ? model.path
                                 : QDir(folder).relativeFilePath(model.path);
    object[QLatin1String("path")] = relative;
    // What lies beneath the project's folder moves with it; anything else may stay where it is.
    if (relative != model.path && relative.startsWith(QLatin1String("../")))
        object[QLatin1String("absolute_path")] = model.path;
    object[QLatin1String("bytes")] = qint64(model.bytes);
    if (model.external_bytes > 0)
        object[QLatin1String("external_bytes")] = qint64(model.external_bytes);
    if (!model.sha256.isEmpty())
        object[QLatin1String("sha256")] = QString::fromLatin1(model.sha256);
    return object;
}

ModelReference readModel(const ProjectMembers& members, const QString& folder) {
    ModelReference model;
    model.sample = members.text("sample", {});
    if (!model.sample.isEmpty()) return model;
    const QString path = members.text("path"), absolute = members.text("absolute_path", {});
    model.path = path.isEmpty() || folder.isEmpty()
                     ? path
                     : QDir::cleanPath(QDir(folder).absoluteFilePath(path));
    if (!absolute.isEmpty() && !QFileInfo::exists(model.path) && QFileInfo::exists(absolute))
        model.path = absolute;
    model.bytes = std::uint64_t(members.integer("bytes", 0, 0, most));
    model.external_bytes = std::uint64_t(members.integer("external_bytes", 0, 0, most));
    model.sha256 = members.text("sha256", {}).toLatin1().toLower();
    return model;
}

QJsonObject writeGiven(const GivenInputs& given) {
    QJsonObject files;
    for (const auto& [name, file] : given.files)
        files[QString::fromStdString(name)] = QString::fromStdString(file);
    QJsonObject object{{QStringLiteral("files"), files}};
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) object[QLatin1String(name)] = QString::fromStdString(value);
    };
    add("text", given.text);
    add("vocabulary", given.vocabulary);
    add("expected", given.expected);
    return object;
}

GivenInputs readGiven(const ProjectMembers& members) {
    GivenInputs given;
    if (members.has("files")) {
        const ProjectMembers files = members.object("files");
        for (const QString& name : files.json().keys())
            given.files[name.toStdString()] = files.text(name.toUtf8().constData()).toStdString();
    }
    given.text = members.text("text", {}).toStdString();
    given.vocabulary = members.text("vocabulary", {}).toStdString();
    given.expected = members.text("expected", {}).toStdString();
    return given;
}

QJsonObject writeSettings(const RunSettings& settings) {
    QJsonObject dimensions;
    for (const auto& [name, size] : settings.dimensions)
        dimensions[QString::fromStdString(name)] = qint64(size);
    QJsonObject object{{QStringLiteral("threads"), settings.threads},
                       {QStringLiteral("repetitions"), settings.repetitions},
                       {QStringLiteral("warmups"), settings.warmups},
                       {QStringLiteral("seed"), QString::number(settings.seed)}};
    if (!dimensions.isEmpty()) object[QLatin1String("dimensions")] = dimensions;
    QJsonObject config;
    for (const auto& [key, value] : settings.config)
        config[QString::fromStdString(key)] = QString::fromStdString(value);
    if (!config.isEmpty()) object[QLatin1String("config")] = config;
    if (!(settings.given == GivenInputs()))
        object[QLatin1String("inputs")] = writeGiven(settings.given);
    return object;
}

RunSettings readSettings(const ProjectMembers& members) {
    RunSettings settings;
    settings.threads = int(members.integer("threads", settings.threads, 0, most_run_threads));
    settings.repetitions =
        int(members.integer("repetitions", settings.repetitions, 1, most_repetitions));
    settings.warmups = int(members.integer("warmups", settings.warmups, 0, most_warmups));
    bool isNumber = false;
    settings.seed = members.text("seed", QStringLiteral("0")).toULongLong(&isNumber);
    if (!isNumber)
        fail(ErrorCode::invalid_input,
             "\"" + members.placeOf("seed").toStdString() + "\" must be a whole number as text");
    if (members.has("config")) {
        const ProjectMembers config = members.object("config");
        for (const QString& key : config.json().keys())
            settings.config[key.toStdString()] =
                config.text(key.toUtf8().constData()).toStdString();
    }
    if (members.has("inputs")) settings.given = readGiven(members.object("inputs"));
    if (!members.has("dimensions")) return settings;
    const ProjectMembers dimensions = members.object("dimensions");
    for (const QString& name : dimensions.json().keys())
        settings.dimensions[name.toStdString()] =
            dimensions.integer(name.toUtf8().constData(), 0, 0, most);
    return settings;
}

QJsonObject writeRun(const RunFigures& run) {
    QJsonObject object{
        {QStringLiteral("kind"),
         run.kind == RunKind::profile ? QStringLiteral("profile") : QStringLiteral("measurement")},
        {QStringLiteral("recipe"), toObject(run.recipe)},
        {QStringLiteral("date"), run.date},
        {QStringLiteral("cpu"), run.cpu},
        {QStringLiteral("threads"), run.threads},
        {QStringLiteral("repetitions"), run.repetitions},
        {QStringLiteral("warmups"), run.warmups},
        {QStringLiteral("median_ms"), run.median_ms},
        {QStringLiteral("low_ms"), run.low_ms},
        {QStringLiteral("high_ms"), run.high_ms}};
    if (run.batch > 0) object[QLatin1String("batch")] = qint64(run.batch);
    QJsonObject sizes;
    for (const auto& [name, size] : run.sizes) sizes[QString::fromStdString(name)] = qint64(size);
    if (!sizes.isEmpty()) object[QLatin1String("sizes")] = sizes;
    if (run.peak_bytes > 0) object[QLatin1String("peak_bytes")] = qint64(run.peak_bytes);
    if (!run.verdict.isEmpty()) object[QLatin1String("verdict")] = run.verdict;
    return object;
}

RunFigures readRun(const ProjectMembers& members) {
    RunFigures run;
    const QString kind = members.text("kind");
    if (kind == QLatin1String("measurement")) run.kind = RunKind::measurement;
    else if (kind != QLatin1String("profile"))
        fail(ErrorCode::invalid_input,
             QStringLiteral("\"%1\" must be profile or measurement, found \"%2\"")
                 .arg(members.placeOf("kind"), kind)
                 .toStdString());
    run.recipe = recipeIn(members, "recipe");
    run.date = members.text("date", {});
    run.cpu = members.text("cpu", {});
    run.threads = int(members.integer("threads", 0, 0, most_run_threads));
    run.repetitions = int(members.integer("repetitions", 0, 0, std::numeric_limits<int>::max()));
    run.warmups = int(members.integer("warmups", 0, 0, std::numeric_limits<int>::max()));
    run.batch = members.integer("batch", 0, 0, most);
    if (members.has("sizes")) {
        const ProjectMembers sizes = members.object("sizes");
        for (const QString& name : sizes.json().keys())
            run.sizes[name.toStdString()] = sizes.integer(name.toUtf8().constData(), 0, 0, most);
    }
    run.median_ms = members.number("median_ms", 0);
    run.low_ms = members.number("low_ms", run.median_ms);
    run.high_ms = members.number("high_ms", run.median_ms);
    run.peak_bytes = members.integer("peak_bytes", 0, 0, most);
    run.verdict = members.text("verdict", {});
    return run;
}

QJsonObject writeGuard(const GuardFigures& guard) {
    QJsonObject object{{QStringLiteral("recipe"), toObject(guard.recipe)},
                       {QStringLiteral("date"), guard.date},
                       {QStringLiteral("matches"), guard.matches},
                       {QStringLiteral("largest_difference"), guard.largest},
                       {QStringLiteral("rtol"), guard.rtol},
                       {QStringLiteral("atol"), guard.atol}};
    if (!guard.failure.isEmpty()) object[QLatin1String("failure")] = guard.failure;
    return object;
}

GuardFigures readGuard(const ProjectMembers& members) {
    return {recipeIn(members, "recipe"),    members.text("date", {}),
            members.flag("matches", false), members.number("largest_difference", 0),
            members.number("rtol", 0),      members.number("atol", 0),
            members.text("failure", {})};
}

/// Figures only: the times of single samples are as good as gone once the machine is another or has
/// rested.
QJsonObject writeSweep(const SweepResult& sweep) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(to_json(sweep, false))).object();
}

std::shared_ptr<const SweepResult> readSweep(const ProjectMembers& members) {
    try {
        return std::make_shared<const SweepResult>(
            from_json<SweepResult>(QJsonDocument(members.object("sweep").json())
                                       .toJson(QJsonDocument::Compact)
                                       .toStdString()));
    } catch (Error& error) { throw error.at(members.placeOf("sweep").toStdString()); }
}

template <typename Entry, typename Write>
QJsonArray written(const std::vector<Entry>& entries, Write write) {
    QJsonArray list;
    for (const Entry& entry : entries) list.append(write(entry));
    return list;
}

}  // namespace

QByteArray toText(const ProjectState& state, const QString& folder) {
    QJsonObject root{
        {QStringLiteral("format"), QLatin1String(format_name)},
        {QStringLiteral("version"), project_version},
        {QStringLiteral("written_by"),
         QStringLiteral("Lapidary %1").arg(QCoreApplication::applicationVersion()).trimmed()},
        {QStringLiteral("notes"), state.notes},
        {QStringLiteral("page"), state.page},
        {QStringLiteral("run_settings"), writeSettings(state.settings)}};
    QJsonArray models;
    if (state.model) {
        QJsonObject model = writeModel(*state.model, folder);
        model[QLatin1String("chosen")] = toObject(state.chosen);
        model[QLatin1String("shown")] = toObject(state.shown);
        model[QLatin1String("variants")] = written(state.variants, [](const Recipe& recipe) {
            return QJsonObject{{QStringLiteral("parent"), QStringLiteral("original")},
                               {QStringLiteral("recipe"), toObject(recipe)}};
        });
        QJsonObject compared;
        for (const std::size_t slot : {0u, 1u})
            if (state.compared[slot])
                compared[QLatin1String(slot == 0 ? "A" : "B")] = toObject(*state.compared[slot]);
        model[QLatin1String("slots")] = compared;
        model[QLatin1String("runs")] = written(state.runs, writeRun);
        model[QLatin1String("guards")] = written(state.guards, writeGuard);
        if (state.sweep && hasMeasuredCells(*state.sweep)) {
            model[QLatin1String("sweep")] = writeSweep(*state.sweep);
            model[QLatin1String("swept")] = toObject(state.swept);
        }
        models.append(model);
    }
    root[QLatin1String("models")] = models;
    return QJsonDocument(root).toJson();
}

ProjectState projectFromText(const QByteArray& text, const QString& folder) {
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(text, &problem);
    if (!document.isObject()) {
        const QString reason = problem.error == QJsonParseError::NoError
                                   ? QCoreApplication::translate("ProjectFile", "it holds a list")
                                   : QCoreApplication::translate("ProjectFile", "%1 at byte %2")
                                         .arg(problem.errorString())
                                         .arg(problem.offset);
        fail(ErrorCode::invalid_input,
             "this is no project file: expected a JSON object, but " + reason.toStdString());
    }
    const ProjectMembers root(document.object(), {});
    if (root.text("format", {}) != QLatin1String(format_name))
        fail(ErrorCode::invalid_input, "this is no project file: expected \"format\": \"" +
                                           std::string(format_name) + "\", found \"" +
                                           root.text("format", {}).toStdString() + "\"");
    const std::int64_t version = root.integer("version", 0, 1, most);
    if (version > project_version)
        fail(ErrorCode::not_supported,
             "the project was written in version " + std::to_string(version) +
                 " of the format by " +
                 root.text("written_by", QStringLiteral("another program")).toStdString() +
                 "; this program knows versions up to " + std::to_string(project_version));
    ProjectState state;
    state.notes = root.text("notes", {});
    state.page = root.text("page", {});
    if (root.has("run_settings")) state.settings = readSettings(root.object("run_settings"));
    const QJsonArray models = root.list("models", 1);
    if (models.isEmpty()) return state;
    const ProjectMembers model = root.entry("models", models, 0);
    state.model = readModel(model, folder);
    if (model.has("chosen")) state.chosen = recipeIn(model, "chosen");
    if (model.has("shown")) state.shown = recipeIn(model, "shown");
    const QJsonArray variants = model.list("variants", most_kept_variants);
    for (qsizetype i = 0; i < variants.size(); ++i) {
        const ProjectMembers variant = model.entry("variants", variants, i);
        if (const QString parent = variant.text("parent", QStringLiteral("original"));
            parent != QLatin1String("original"))
            fail(ErrorCode::not_supported,
                 QStringLiteral("\"%1\" must be \"original\", found \"%2\"")
                     .arg(variant.placeOf("parent"), parent)
                     .toStdString());
        state.variants.push_back(recipeIn(variant, "recipe"));
    }
    if (model.has("slots")) {
        const ProjectMembers compared = model.object("slots");
        if (compared.has("A")) state.compared[0] = recipeIn(compared, "A");
        if (compared.has("B")) state.compared[1] = recipeIn(compared, "B");
    }
    const QJsonArray runs = model.list("runs", most_kept_runs);
    for (qsizetype i = 0; i < runs.size(); ++i)
        state.runs.push_back(readRun(model.entry("runs", runs, i)));
    const QJsonArray guards = model.list("guards", most_kept_variants);
    for (qsizetype i = 0; i < guards.size(); ++i)
        state.guards.push_back(readGuard(model.entry("guards", guards, i)));
    if (model.has("sweep")) state.sweep = readSweep(model);
    if (model.has("swept")) state.swept = recipeIn(model, "swept");
    return state;
}

bool hasMeasuredCells(const SweepResult& sweep) {
    return std::ranges::any_of(sweep.cells,
                               [](const SweepCell& cell) { return cell.state == CellState::done; });
}

}  // namespace lapidary::app
