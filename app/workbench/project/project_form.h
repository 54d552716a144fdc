// SPDX-License-Identifier: GPL-3.0-or-later
// The contents of a project file, described member by member (lapidary/internal/members.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workbench/project/project_state.h"
#include "worker/protocol/job_members.h"

namespace lapidary {

template <>
struct StoredAs<QString> {
    using Form = std::string;
    static Form form_of(const QString& text) { return text.toStdString(); }
    static QString value_of(const Form& text) { return QString::fromStdString(text); }
};

namespace app {

constexpr const char* project_format = "lapidary-project";

/// The members by which a project file is recognized.
struct ProjectHead {
    QString format;
    std::int64_t version = 0;
    QString written_by;
};

enum class VariantParent : std::uint8_t { original };

struct VariantForm {
    VariantParent parent = VariantParent::original;  // the variant it is made from
    Recipe recipe;
};

/// The slots of the Compare page.
struct ComparedForm {
    std::optional<Recipe> a, b;
    friend bool operator==(const ComparedForm&, const ComparedForm&) = default;
};

/// A model and the work on it.
struct ModelForm {
    QString sample;  // name of a built-in sample; empty: a file
    // the model file, relative to the project file if it lies in the same folder or below
    std::optional<QString> path;
    QString absolute_path;  // the same as an absolute path, if it lies elsewhere
    std::optional<std::uint64_t> bytes;
    std::uint64_t external_bytes = 0;
    QString sha256;
    Recipe chosen, shown;
    std::vector<VariantForm> variants;
    ComparedForm compared;
    std::vector<RunFigures> runs;
    std::vector<GuardFigures> guards;
    std::optional<SweepResult> sweep;
    std::optional<Recipe> swept;
};

struct ProjectForm {
    ProjectHead head;
    QString notes, page;
    RunSettings run_settings;
    std::vector<ModelForm> models;  // one, or none
};

/// Paths in `folder` or below become relative to it. An empty `folder`: all paths are absolute.
ProjectForm formOf(const ProjectState& state, const QString& folder);
/// As projectFromText().
ProjectState projectFromJson(const Json& json, const QString& folder);
/// Indented JSON.
inline std::string textOf(const Json& json) {
    return json.dump(4, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace app

template <>
struct Members<app::ProjectHead> {
    using T = app::ProjectHead;
    static constexpr auto list =
        members<T>(member<&T::format>("format"), member<&T::version>("version").within(1, 1 << 30),
                   member<&T::written_by>("written_by"));
};
template <>
struct EnumNames<app::VariantParent> {
    static constexpr std::array<std::pair<app::VariantParent, std::string_view>, 1> all{
        {{app::VariantParent::original, "original"}}};
};
template <>
struct Members<app::VariantForm> {
    using T = app::VariantForm;
    static constexpr auto list =
        members<T>(member<&T::parent>("parent"), member<&T::recipe>("recipe").required());
};
template <>
struct Members<app::ComparedForm> {
    using T = app::ComparedForm;
    static constexpr auto list =
        members<T>(member<&T::a>("A").if_changed(), member<&T::b>("B").if_changed());
};
template <>
struct EnumNames<app::RunKind> {
    static constexpr std::array<std::pair<app::RunKind, std::string_view>, 2> all{
        {{app::RunKind::profile, "profile"}, {app::RunKind::measurement, "measurement"}}};
};
template <>
struct Members<app::RunFigures> {
    using T = app::RunFigures;
    static constexpr double most = 1e18;
    static constexpr auto list =
        members<T>(member<&T::recipe>("recipe").required(), member<&T::kind>("kind").required(),
                   member<&T::date>("date"), member<&T::cpu>("cpu"),
                   member<&T::threads>("threads").within(0, app::most_run_threads),
                   member<&T::repetitions>("repetitions").within(0, most),
                   member<&T::warmups>("warmups").within(0, most),
                   member<&T::batch>("batch").within(0, most).if_changed(),
                   member<&T::sizes>("sizes").if_changed(), member<&T::median_ms>("median_ms"),
                   member<&T::low_ms>("low_ms"), member<&T::high_ms>("high_ms"),
                   member<&T::peak_bytes>("peak_bytes").within(0, most).if_changed(),
                   member<&T::verdict>("verdict").if_changed());
    static void check(T& run) {
        // no interval is known
        if (run.low_ms == 0 && run.high_ms == 0) run.low_ms = run.high_ms = run.median_ms;
    }
};
template <>
struct Members<app::GuardFigures> {
    using T = app::GuardFigures;
    static constexpr auto list =
        members<T>(member<&T::recipe>("recipe").required(), member<&T::date>("date"),
                   member<&T::matches>("matches"), member<&T::largest>("largest_difference"),
                   member<&T::rtol>("rtol"), member<&T::atol>("atol"),
                   member<&T::failure>("failure").if_changed());
};
template <>
struct Members<app::ModelForm> {
    using T = app::ModelForm;
    static constexpr auto list = members<T>(
        member<&T::sample>("sample").if_changed(), member<&T::path>("path").if_changed(),
        member<&T::absolute_path>("absolute_path").if_changed(),
        member<&T::bytes>("bytes").if_changed(),
        member<&T::external_bytes>("external_bytes").if_changed(),
        member<&T::sha256>("sha256").if_changed(), member<&T::chosen>("chosen"),
        member<&T::shown>("shown"), member<&T::variants>("variants"), member<&T::compared>("slots"),
        member<&T::runs>("runs"), member<&T::guards>("guards"),
        member<&T::sweep>("sweep").if_changed(), member<&T::swept>("swept").if_changed());
    static void check(const T& model) {
        if (model.sample.isEmpty() && !model.path) fail_input("needs \"path\" or \"sample\"");
        const auto limit = [](const char* name, std::size_t count, std::size_t most) {
            if (count > most)
                fail_limit(std::string("\"") + name + "\" has " + std::to_string(count) +
                           " entries, at most " + std::to_string(most) + " are kept");
        };
        limit("variants", model.variants.size(), app::most_kept_variants);
        limit("runs", model.runs.size(), app::most_kept_runs);
        limit("guards", model.guards.size(), app::most_kept_variants);
    }
};
template <>
struct Members<app::ProjectForm> {
    using T = app::ProjectForm;
    static constexpr auto list =
        members<T>(inlined<&T::head>(), member<&T::notes>("notes"), member<&T::page>("page"),
                   member<&T::run_settings>("run_settings"), member<&T::models>("models"));
    static void check(const T& project) {
        if (project.models.size() > 1)
            fail_limit("\"models\" has " + std::to_string(project.models.size()) +
                       " entries, at most 1 is kept");
    }
};

}  // namespace lapidary
