// SPDX-License-Identifier: Apache-2.0
// What several jobs ask for, described member by member (lapidary/internal/members.h).
#pragma once

#include <lapidary/proof/compare.h>

#include "worker/protocol/described_json.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/recipe_members.h"
#include "worker/protocol/run_record.h"

namespace lapidary {

template <>
struct Members<app::ModelSource> {
    using T = app::ModelSource;
    static constexpr bool only_changes = true;
    static constexpr auto list = members<T>(
        member<&T::file>("file"), member<&T::sample>("sample"), member<&T::document>("document"),
        member<&T::file_bytes>("bytes"), member<&T::file_modified>("modified"),
        member<&T::recipe>("recipe"), unsent<&T::model>(),
        member<&T::channel_block>("channel_block"), member<&T::quantized>("quantized"));
    static void check(const T& source) {
        if (!source.in_other_process()) fail_input("a model needs a file or a sample");
    }
};

template <>
struct Members<app::GivenInputs> {
    using T = app::GivenInputs;
    static constexpr auto list =
        members<T>(member<&T::files>("files"), member<&T::text>("text").if_changed(),
                   member<&T::vocabulary>("vocabulary").if_changed(),
                   member<&T::expected>("expected").if_changed());
};

template <>
struct Members<app::RunSettings> {
    using T = app::RunSettings;
    using R = RunResources;
    static constexpr auto list = members<T>(
        inlined<&T::resources>(
            members<R>(member<&R::threads>("threads").within(0, app::most_run_threads),
                       unsent<&R::inter_threads>(), unsent<&R::mode>(), unsent<&R::spinning>(),
                       member<&R::config>("config").if_changed())),
        member<&T::repetitions>("repetitions").within(1, app::most_repetitions),
        member<&T::warmups>("warmups").within(0, app::most_warmups),
        member<&T::seed>("seed").as_text(), member<&T::dimensions>("dimensions").if_changed(),
        member<&T::given>("inputs").if_changed());
    static void check(const T& settings) {
        for (const auto& [name, size] : settings.dimensions)
            if (size < 0)
                fail_input("expected a size of at least 0 for " + quote(name) + ", found " +
                           std::to_string(size));
    }
};

template <>
struct Members<Comparison> {
    using T = Comparison;
    static constexpr auto list =
        members<T>(member<&T::matches>("matches"), member<&T::reason>("reason"),
                   member<&T::elements>("elements"), member<&T::mismatches>("mismatches"),
                   member<&T::max_abs>("max_abs"), member<&T::max_rel>("max_rel"),
                   member<&T::magnitude>("magnitude"), member<&T::sqnr_db>("sqnr_db"),
                   member<&T::cosine>("cosine"));
};

template <>
struct Members<OutputComparison> {
    using T = OutputComparison;
    static constexpr auto list =
        members<T>(member<&T::name>("output"), inlined<&T::comparison>(),
                   member<&T::answers>("answers"), member<&T::changed_answers>("changed_answers"));
};

}  // namespace lapidary
