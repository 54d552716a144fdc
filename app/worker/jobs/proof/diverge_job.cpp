// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/proof/diverge_job.h"

#include <array>
#include <memory>
#include <utility>

#include <lapidary/inputs/generate_inputs.h>

#include "worker/inputs/given_inputs.h"
#include "worker/jobs/engine_run.h"
#include "worker/jobs/job_kind.h"
#include "worker/protocol/bytes/byte_stream.h"
#include "worker/protocol/bytes/run_record_bytes.h"
#include "worker/protocol/found_line_members.h"

namespace lapidary {

template <>
struct EnumNames<DivergenceVerdict> {
    static constexpr std::array values{DivergenceVerdict::same, DivergenceVerdict::rounding,
                                       DivergenceVerdict::differs};
};
template <>
struct Members<SourceModule> {
    using T = SourceModule;
    static constexpr auto list =
        members<T>(member<&T::path>("path"), member<&T::class_name>("class"));
};
template <>
struct Members<SourceLine> {
    using T = SourceLine;
    static constexpr auto list =
        members<T>(member<&T::file>("file"), member<&T::line>("line"),
                   member<&T::function>("function"), member<&T::code>("code"));
};
template <>
struct Members<NodeSource> {
    using T = NodeSource;
    static constexpr auto list =
        members<T>(member<&T::modules>("modules"), member<&T::lines>("lines"));
};
template <>
struct Members<ValuePair> {
    using T = ValuePair;
    static constexpr auto list =
        members<T>(member<&T::name_a>("a"), member<&T::name_b>("b"), member<&T::path>("body"),
                   member<&T::matched_by>("matched_by"), member<&T::matches>("matches"),
                   member<&T::relative>("relative"), member<&T::alone>("alone"),
                   member<&T::rounding>("rounding"));
};
template <>
struct Members<DivergenceCause> {
    using T = DivergenceCause;
    static constexpr auto list =
        members<T>(member<&T::value>("value"), member<&T::iterations>("iterations"),
                   member<&T::nodes_a>("nodes_a"), member<&T::nodes_b>("nodes_b"),
                   member<&T::node_a>("node_a"), member<&T::node_b>("node_b"),
                   member<&T::source_a>("source_a"), member<&T::source_b>("source_b"),
                   member<&T::comparison>("comparison"), member<&T::explained>("explained"),
                   member<&T::differences>("differences"));
};
template <>
struct Members<Divergence> {
    using T = Divergence;
    static constexpr auto list =
        members<T>(member<&T::verdict>("verdict"), member<&T::causes>("causes"),
                   member<&T::first_beyond>("first_beyond"), member<&T::values>("values"),
                   member<&T::unmatched_a>("unmatched_a"), member<&T::unmatched_b>("unmatched_b"),
                   member<&T::kept_bytes>("kept_bytes"), member<&T::runs>("runs"),
                   member<&T::engine_runs>("engine_runs"));
};
template <>
struct Members<app::FoundDifference> {
    using T = app::FoundDifference;
    static constexpr auto list =
        members<T>(member<&T::divergence>("divergence"), member<&T::lines>("lines"));
};
template <>
struct Members<app::DivergeJob> {
    using T = app::DivergeJob;
    static constexpr auto list =
        members<T>(member<&T::a>("a").required(), member<&T::b>("b").required(),
                   member<&T::settings>("settings").required(), member<&T::output>("output"));
};

}  // namespace lapidary

namespace lapidary::app {
namespace {

/// The other engine of a variant, with whatever part of its model is to run.
EngineRun engine_of(const ModelSource& source, const RunSettings& settings,
                    const Progress& progress) {
    return [source, settings, progress](const Model& model, const NamedValues& inputs) {
        ModelSource part = source;
        part.model = std::make_shared<const Model>(model);
        part.file.clear();  // which has the whole model
        part.sample.clear();
        return outputs_in_engine(part, settings, inputs, {progress.cancel, {}});
    };
}

DivergenceSide side_of(const ModelSource& source, const RunSettings& settings, const Limits& limits,
                       const Progress& progress) {
    DivergenceSide side;
    side.model = source.model;
    side.session = session_options(settings, source.session_passes());
    side.session.enable_profiling = false;
    side.session.limits = limits;
    if (runs_in_other_engine(source)) side.engine = engine_of(source, settings, progress);
    else place_on(side.session, source.runs_on());
    return side;
}

/// Whether values of one name are the same in both. What a quantizer made has names of its own.
bool are_of_one_model(const ModelSource& a, const ModelSource& b) {
    const Recipe first = a.recipe.value_or(Recipe()), second = b.recipe.value_or(Recipe());
    return a.in_other_process() && a.file == b.file && a.sample == b.sample &&
           first.base() == second.base();
}

}  // namespace

FoundDifference DivergeJob::run(const JobContext& context) const {
    const Progress& progress = context.progress;
    progress.step("generate inputs");
    GenerateOptions generate;
    generate.usual = true;
    generate.seed = settings.seed;
    generate.dimensions = session_options(settings, {}).free_dimensions;
    generate.cancel = progress.cancel;
    const NamedValues inputs = inputs_of(*a.model, settings.given, generate);
    DivergenceOptions options;
    options.is_one_model = are_of_one_model(a, b);
    options.output = output;
    FoundDifference found;
    found.divergence = find_first_difference(side_of(a, settings, context.limits, progress),
                                             side_of(b, settings, context.limits, progress), inputs,
                                             options, progress);
    found.lines = lines_of(found.divergence, options.tolerance);
    return found;
}

SharedMemory DivergeJob::block_of(const FoundDifference& found) {
    return written_block([&](ByteWriter& out) { write_described(out, found); });
}

FoundDifference DivergeJob::complete(ByteReader& block, const Progress&) const {
    return read_described<FoundDifference>(block);
}

template <>
const JobKind& kind_of<DivergeJob>() {
    static const KindOf<DivergeJob> kind;
    return kind;
}

}  // namespace lapidary::app
