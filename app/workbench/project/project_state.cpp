// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/project/project_state.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>

#include "workbench/project/project_form.h"

namespace lapidary::app {
namespace {

ModelForm formOf(const ModelReference& model, const QString& folder) {
    ModelForm form;
    form.sample = model.sample;
    if (!model.sample.isEmpty()) return form;
    form.path = folder.isEmpty() || model.path.isEmpty()
                    ? model.path
                    : QDir(folder).relativeFilePath(model.path);
    // A file below the project's folder moves with the project; other files may stay where they
    // are.
    if (*form.path != model.path && form.path->startsWith(QLatin1String("../")))
        form.absolute_path = model.path;
    form.bytes = model.bytes;
    form.external_bytes = model.external_bytes;
    form.sha256 = QString::fromLatin1(model.sha256);
    return form;
}

ModelReference modelOf(const ModelForm& form, const QString& folder) {
    ModelReference model;
    model.sample = form.sample;
    if (!model.sample.isEmpty()) return model;
    const QString& path = *form.path;
    model.path = path.isEmpty() || folder.isEmpty()
                     ? path
                     : QDir::cleanPath(QDir(folder).absoluteFilePath(path));
    if (!form.absolute_path.isEmpty() && !QFileInfo::exists(model.path) &&
        QFileInfo::exists(form.absolute_path))
        model.path = form.absolute_path;
    model.bytes = form.bytes.value_or(0);
    model.external_bytes = form.external_bytes;
    model.sha256 = form.sha256.toLatin1().toLower();
    return model;
}

void requireReadable(const ProjectHead& head) {
    if (head.format != QLatin1String(project_format))
        fail(ErrorCode::invalid_input, "this is no project file: expected \"format\": \"" +
                                           std::string(project_format) + "\", found \"" +
                                           head.format.toStdString() + "\"");
    if (head.version > project_version)
        fail(ErrorCode::not_supported,
             "the project was written in version " + std::to_string(head.version) +
                 " of the format by " +
                 (head.written_by.isEmpty() ? "another program" : head.written_by.toStdString()) +
                 "; this program knows versions up to " + std::to_string(project_version));
}

ProjectState stateOf(ProjectForm form, const QString& folder) {
    ProjectState state;
    state.notes = form.notes;
    state.page = form.page;
    state.settings = std::move(form.run_settings);
    if (form.models.empty()) return state;
    ModelForm& model = form.models.front();
    state.model = modelOf(model, folder);
    state.chosen = model.chosen;
    state.shown = model.shown;
    for (VariantForm& variant : model.variants) state.variants.push_back(std::move(variant.recipe));
    state.compared = {model.compared.a, model.compared.b};
    state.runs = std::move(model.runs);
    state.guards = std::move(model.guards);
    if (model.sweep) state.sweep = std::make_shared<const SweepResult>(std::move(*model.sweep));
    if (model.swept) state.swept = *model.swept;
    return state;
}

}  // namespace

ProjectForm formOf(const ProjectState& state, const QString& folder) {
    ProjectForm form;
    form.head.format = QLatin1String(project_format);
    form.head.version = project_version;
    form.head.written_by =
        QStringLiteral("Lapidary %1").arg(QCoreApplication::applicationVersion()).trimmed();
    form.notes = state.notes;
    form.page = state.page;
    form.run_settings = state.settings;
    if (!state.model) return form;
    ModelForm model = formOf(*state.model, folder);
    model.chosen = state.chosen;
    model.shown = state.shown;
    for (const Recipe& recipe : state.variants)
        model.variants.push_back({VariantParent::original, recipe});
    model.compared = {state.compared[0], state.compared[1]};
    model.runs = state.runs;
    model.guards = state.guards;
    if (state.sweep && hasMeasuredCells(*state.sweep)) {
        model.sweep = *state.sweep;
        model.swept = state.swept;
    }
    form.models.push_back(std::move(model));
    return form;
}

QByteArray toText(const ProjectState& state, const QString& folder) {
    // Without details, because the times of single samples are useless later or on another machine.
    return QByteArray::fromStdString(textOf(json_of(formOf(state, folder), false)));
}

ProjectState projectFromText(const QByteArray& text, const QString& folder) {
    Json json;
    try {
        json = parse_json(std::string_view(text.constData(), std::size_t(text.size())), "the file");
    } catch (const Error& error) {
        fail(ErrorCode::invalid_input, "this is no project file: " + error.message());
    }
    return projectFromJson(json, folder);
}

ProjectState projectFromJson(const Json& json, const QString& folder) {
    if (!json.is_object())
        fail(ErrorCode::invalid_input, "this is no project file: it holds no object");
    requireReadable(read_json<ProjectHead>(json, {}, true));
    return stateOf(read_json<ProjectForm>(json, {}, true), folder);
}

bool hasMeasuredCells(const SweepResult& sweep) {
    return std::ranges::any_of(sweep.cells,
                               [](const SweepCell& cell) { return cell.state == CellState::done; });
}

}  // namespace lapidary::app
