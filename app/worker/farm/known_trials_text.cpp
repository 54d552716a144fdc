// SPDX-License-Identifier: Apache-2.0
#include "worker/farm/known_trials_text.h"

#include <cstdint>
#include <optional>

#include <lapidary/internal/members_json.h>
#include <lapidary/internal/parse_json.h>

#include "worker/protocol/described_json.h"

namespace lapidary {
namespace app {
namespace {

/// OutputAccuracy as files of trials have it.
struct OutputForm {
    std::string name;
    double sqnr_db = 0, cosine = 1, max_abs = 0;
    std::uint64_t rows = 0, flips = 0;
};
/// QuantizedAccuracy likewise.
struct SplitForm {
    std::vector<OutputForm> outputs;
    std::uint64_t samples = 0;
    std::optional<double> error_db;
    std::vector<double> sample_db;
    std::vector<std::string> warnings;
};
/// KnownTrial likewise.
struct TrialForm {
    std::string name;
    std::uint64_t weight_bytes = 0;
    std::string failure;
    std::vector<SplitForm> splits;
};
struct TrialsForm {
    std::vector<TrialForm> trials;
};

SplitForm split_form_of(const QuantizedAccuracy& accuracy) {
    SplitForm form{{}, accuracy.samples, accuracy.error_db, accuracy.sample_db, accuracy.warnings};
    for (const OutputAccuracy& output : accuracy.outputs)
        form.outputs.push_back({output.name, output.sqnr_db, output.cosine, output.max_abs,
                                output.rows, output.flips});
    return form;
}

QuantizedAccuracy accuracy_from(const SplitForm& form) {
    QuantizedAccuracy accuracy;
    accuracy.samples = form.samples;
    accuracy.error_db = form.error_db;
    accuracy.sample_db = form.sample_db;
    accuracy.warnings = form.warnings;
    for (const OutputForm& output : form.outputs) {
        OutputAccuracy& made = accuracy.outputs.emplace_back();
        made.name = output.name;
        made.sqnr_db = output.sqnr_db;
        made.cosine = output.cosine;
        made.max_abs = output.max_abs;
        made.rows = output.rows;
        made.flips = output.flips;
    }
    return accuracy;
}

}  // namespace
}  // namespace app

template <>
struct Members<app::OutputForm> {
    using T = app::OutputForm;
    static constexpr auto list = members<T>(
        member<&T::name>("name").required(), member<&T::sqnr_db>("sqnr_db").required(),
        member<&T::cosine>("cosine").required(), member<&T::max_abs>("max_abs").required(),
        member<&T::rows>("rows").required(), member<&T::flips>("flips").required());
};
template <>
struct Members<app::SplitForm> {
    using T = app::SplitForm;
    static constexpr auto list =
        members<T>(member<&T::outputs>("outputs").required(),
                   member<&T::samples>("samples").required(), member<&T::error_db>("error_db"),
                   member<&T::sample_db>("sample_db").required(), member<&T::warnings>("warnings"));
};
template <>
struct Members<app::TrialForm> {
    using T = app::TrialForm;
    static constexpr auto list = members<T>(
        member<&T::name>("name").required(), member<&T::weight_bytes>("weight_bytes").required(),
        member<&T::failure>("failure"), member<&T::splits>("splits").required());
    static void check(const T& trial) {
        if (trial.failure.empty() && trial.splits.empty())
            fail_input("a trial that did not fail was evaluated on no split");
    }
};
template <>
struct Members<app::TrialsForm> {
    using T = app::TrialsForm;
    static constexpr auto list = members<T>(member<&T::trials>("trials").required());
};

namespace app {

std::string known_trials_text(const std::vector<KnownTrial>& trials) {
    TrialsForm form;
    for (const KnownTrial& trial : trials) {
        TrialForm& one =
            form.trials.emplace_back(TrialForm{trial.name, trial.weight_bytes, trial.failure, {}});
        for (const QuantizedAccuracy& split : trial.splits)
            one.splits.push_back(split_form_of(split));
    }
    return json_of(form).dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::vector<KnownTrial> parse_known_trials(std::string_view text) {
    const auto form =
        read_json<TrialsForm>(parse_json(text, "trials of recipes"), "trials of recipes");
    std::vector<KnownTrial> trials;
    for (const TrialForm& one : form.trials) {
        KnownTrial& trial =
            trials.emplace_back(KnownTrial{one.name, one.weight_bytes, one.failure, {}});
        for (const SplitForm& split : one.splits) trial.splits.push_back(accuracy_from(split));
    }
    return trials;
}

}  // namespace app
}  // namespace lapidary
