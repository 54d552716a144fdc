// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/export_job.h"

#include <array>
#include <utility>

#include <lapidary/export/extract.h>
#include <lapidary/export/passport.h>
#include <lapidary/export/requirement.h>
#include <lapidary/internal/measurement_members.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/onnx_io/save_beside_weights.h>
#include <lapidary/report/model_summary.h>

#include "worker/jobs/job_kind.h"
#include "worker/models/edited_export.h"
#include "worker/protocol/rule_members.h"

namespace lapidary {

template <>
struct EnumNames<ExportTarget> {
    static constexpr std::array<std::pair<ExportTarget, std::string_view>, 3> all{
        {{ExportTarget::portable, "portable"},
         {ExportTarget::plain, "plain"},
         {ExportTarget::cpu, "cpu"}}};
};
template <>
struct Members<OptimizeOptions> {
    using T = OptimizeOptions;
    static constexpr auto list = members<T>(
        member<&T::level>("level"), member<&T::provider>("provider"),
        member<&T::disabled_passes>("disabled_passes"),
        member<&T::enabled_passes>("enabled_passes"), member<&T::only_passes>("only_passes"),
        member<&T::stop_after>("stop_after").if_changed(), unsent<&T::session_passes>(),
        member<&T::free_dimensions>("free_dimensions"), member<&T::keep_outputs>("keep_outputs"),
        member<&T::near_misses>("near_misses"), member<&T::channel_block>("channel_block"),
        member<&T::sweeps>("sweeps"), member<&T::rules>("rules").if_changed(), unsent<&T::verify>(),
        unsent<&T::limits>());
};
template <>
struct Members<ExportOptions> {
    using T = ExportOptions;
    static constexpr auto list = members<T>(
        member<&T::target>("target").if_changed(), member<&T::optimize>("optimize"),
        member<&T::static_batch>("static_batch").if_changed(),
        member<&T::opset>("opset").if_changed(), member<&T::release>("release").if_changed());
};
template <>
struct Members<SaveOptions> {
    using T = SaveOptions;
    static constexpr auto list =
        members<T>(member<&T::external_data_min_bytes>("external_data_min_bytes").if_changed(),
                   member<&T::overwrite_source>("overwrite_source"));
};
template <>
struct Members<app::ChangedPort> {
    using T = app::ChangedPort;
    static constexpr auto list =
        members<T>(member<&T::is_output>("is_output"), member<&T::name>("name"),
                   member<&T::before>("before"), member<&T::after>("after"));
};
template <>
struct Members<app::RemovedNodes> {
    using T = app::RemovedNodes;
    static constexpr auto list = members<T>(member<&T::pass>("pass"), member<&T::count>("count"));
};
template <>
struct Members<app::UpgradedNode> {
    using T = app::UpgradedNode;
    static constexpr auto list = members<T>(member<&T::node>("node"), member<&T::remark>("remark"),
                                            member<&T::pass>("pass"));
};
template <>
struct Members<app::MovedWeight> {
    using T = app::MovedWeight;
    static constexpr auto list = members<T>(member<&T::name>("name"), member<&T::bytes>("bytes"));
};
template <>
struct Members<app::WeightPlaces> {
    using T = app::WeightPlaces;
    static constexpr auto list = members<T>(
        member<&T::beside>("beside"), member<&T::beside_count>("beside_count"),
        member<&T::beside_bytes>("beside_bytes"), member<&T::inside_bytes>("inside_bytes"));
};
template <>
struct Members<app::ExportChanges> {
    using T = app::ExportChanges;
    static constexpr auto list = members<T>(
        member<&T::nodes_before>("nodes_before"), member<&T::opset_before>("opset_before"),
        member<&T::opset>("opset"), member<&T::ports>("ports"), member<&T::removed>("removed"),
        member<&T::upgraded>("upgraded"), member<&T::upgraded_count>("upgraded_count"),
        member<&T::weights>("weights"));
};
template <>
struct Members<app::ExportedModel> {
    using T = app::ExportedModel;
    static constexpr auto list = members<T>(
        member<&T::nodes>("nodes"), member<&T::weight_bytes>("weight_bytes"),
        member<&T::needs>("needs"), member<&T::notes>("notes"), member<&T::changes>("changes"));
};
template <>
struct Members<app::ExportJob> {
    using T = app::ExportJob;
    static constexpr auto list = members<T>(
        member<&T::model>("model").required(), member<&T::part>("nodes"),
        member<&T::options>("options"), member<&T::file>("file"), member<&T::saving>("saving"),
        member<&T::edits_after>("edits_after").if_changed(),
        member<&T::as_it_is>("as_it_is").if_changed());
};

}  // namespace lapidary

namespace lapidary::app {

ExportedModel ExportJob::run(const JobContext& context) const {
    const Progress& progress = context.progress;
    ExportedModel exported;
    Model made;
    std::vector<std::string> notes;
    if (as_it_is) {
        made = *model.model;
    } else if (part.empty()) {
        EditScript script = parse_edit_script(edits_after);
        script.folder = model.model->path.parent_path();
        ExportResult result = export_edited(*model.model, options, script, progress).exported;
        exported.changes = changes_of(*model.model, result, saving.external_data_min_bytes);
        made = std::move(result.model);
        stamp_edits(made, model.recipe.value_or(Recipe()).edits);
        notes = std::move(result.notes);
    } else {
        made = extract_nodes(*model.model, part, progress);
    }
    const ModelSummary summary = summarize(made);
    exported.nodes = summary.nodes;
    exported.weight_bytes = summary.weight_bytes;
    exported.needs = requirement_of(made).sentence;
    if (!file.empty()) {
        progress.step("save");
        // the window protects what it has opened in its own process alone
        const InputProtection opened(InputProtection::Of::named_files);
        protect_input(model.file);
        protect_input(model.model->path);
        for (const std::filesystem::path& read : model.model->external_files) protect_input(read);
        exported.notes = as_it_is ? save_beside_weights(made, file, saving, progress)
                                  : save_model(made, file, saving, progress);
    }
    exported.notes.insert(exported.notes.end(), notes.begin(), notes.end());
    return exported;
}

template <>
const JobKind& kind_of<ExportJob>() {
    static const KindOf<ExportJob> kind;
    return kind;
}

}  // namespace lapidary::app
