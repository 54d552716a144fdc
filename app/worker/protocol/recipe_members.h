// SPDX-License-Identifier: Apache-2.0
// Recipes described member by member (lapidary/internal/members.h).
#pragma once

#include <algorithm>

#include <lapidary/edit/edit_script.h>
#include <lapidary/internal/measurement_members.h>
#include <lapidary/passes/user_rules.h>

#include "worker/protocol/quantization_members.h"
#include "worker/protocol/recipe.h"
#include "worker/protocol/rule_members.h"

namespace lapidary {

template <>
struct EnumNames<Fallback> {
    static constexpr std::array<std::pair<Fallback, std::string_view>, 3> all{
        {{Fallback::allow, "allow"}, {Fallback::shapes, "shapes"}, {Fallback::forbid, "forbid"}}};
};

template <>
struct EnumNames<Compute> {
    static constexpr std::array<std::pair<Compute, std::string_view>, all_computes.size()> all{
        {{Compute::exact, "exact"},
         {Compute::fp16, "fp16"},
         {Compute::bf16, "bf16"},
         {Compute::int8, "int8"}}};
};

template <>
struct StoredAs<app::ProviderChoice> {
    using Form = std::string;
    static Form form_of(const app::ProviderChoice& choice) { return app::text_of(choice); }
    static app::ProviderChoice value_of(const Form& text) {
        return app::parse_provider_choice(text);
    }
};

namespace app {

/// RunsOn as files have it: an engine by its name, "onnxruntime" and "lapidary" among them.
struct RunsOnForm {
    std::string engine;
    std::filesystem::path place;
    std::vector<ProviderChoice> providers;
    Fallback fallback = Fallback::allow;
    Compute compute = Compute::exact;
};

}  // namespace app

template <>
struct Members<app::RunsOnForm> {
    using T = app::RunsOnForm;
    static constexpr auto list = members<T>(
        member<&T::engine>("engine").required(), member<&T::place>("place").if_changed(),
        member<&T::providers>("providers").if_changed(),
        member<&T::fallback>("fallback").if_changed(), member<&T::compute>("compute").if_changed());
};

template <>
struct StoredAs<app::RunsOn> {
    using Form = app::RunsOnForm;
    static Form form_of(const app::RunsOn& on);
    static app::RunsOn value_of(const Form& form);
};

template <>
struct Members<app::OtherModel> {
    using T = app::OtherModel;
    static constexpr auto list = members<T>(
        member<&T::file>("file").required(), member<&T::bytes>("bytes"),
        member<&T::modified>("modified"), member<&T::channel_block>("channel_block").if_changed());
    static void check(const T& other) {
        if (other.file.empty()) fail_input("needs a file");
    }
};

namespace app {

/// Refuses lines after the level where there is none that they could be applied to.
inline void check_edits_after(const Recipe& recipe) {
    if (recipe.edits_after.empty()) return;
    parse_edit_script(recipe.edits_after);
    if (!recipe.level)
        fail_input(
            "\"edits_after\" needs a \"level\", which may be \"disabled\"; without one \"edits\" "
            "say the same");
    if (recipe.runsInOtherEngine())
        fail_input(
            "\"edits_after\" cannot be applied to the graph of another engine: export the model "
            "and edit the file");
}

}  // namespace app

template <>
struct Members<app::Recipe> {
    using T = app::Recipe;
    static constexpr bool only_changes = true, refuses_unknown = true;
    static constexpr auto list = members<T>(
        member<&T::level>("level"), member<&T::disabled_passes>("disabled_passes"),
        member<&T::enabled_passes>("enabled_passes"), member<&T::stop_after>("stop_after"),
        member<&T::dimensions>("dimensions"), member<&T::session_passes>("session_passes"),
        member<&T::rules>("rules"), member<&T::edits>("edits"),
        member<&T::quantization>("quantization"), member<&T::edits_after>("edits_after"),
        member<&T::other_model>("other_model"), member<&T::runs_on>("runs_on"));
    static void check(T& recipe) {
        std::ranges::sort(recipe.disabled_passes);
        std::ranges::sort(recipe.enabled_passes);
        user_passes(recipe.rules);  // refuses mistakes in them
        parse_edit_script(recipe.edits);
        check_edits_after(recipe);
        if (recipe.other_model && recipe.quantization)
            fail_input(
                "\"other_model\" and \"quantization\" exclude each other: open the other model to "
                "quantize it");
    }
};

}  // namespace lapidary
