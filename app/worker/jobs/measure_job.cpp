// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/measure_job.h"

#include <chrono>
#include <map>
#include <memory>

#include <lapidary/bench/bench.h>
#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/internal/scratch_folder.h>

#include "worker/jobs/engine_run.h"
#include "worker/jobs/job_kind.h"
#include "worker/process/worker_process.h"

namespace lapidary {

namespace app {

/// One candidate, for a process that does nothing else.
struct FreshRun {
    ModelSource model;
    RunConfiguration configuration;
    std::map<std::string, std::int64_t> dimensions;
    std::uint64_t seed = 1;
    GivenInputs given;
};

}  // namespace app

template <>
struct Members<app::FreshRun> {
    using T = app::FreshRun;
    static constexpr auto list = members<T>(
        member<&T::model>("model").required(), member<&T::configuration>("configuration"),
        member<&T::dimensions>("dimensions"), member<&T::seed>("seed"), member<&T::given>("given"));
};
template <>
struct Members<app::MeasureJob::Candidate> {
    using T = app::MeasureJob::Candidate;
    static constexpr auto list = members<T>(member<&T::model>("model").required(),
                                            member<&T::configuration>("configuration").required());
};
template <>
struct Members<app::MeasureJob> {
    using T = app::MeasureJob;
    static constexpr auto list =
        members<T>(member<&T::candidates>("candidates").required(), member<&T::options>("options"),
                   member<&T::dimensions>("dimensions"), member<&T::seed>("seed"),
                   member<&T::given>("given"), member<&T::memory>("memory"));
    static void check(const T& job) {
        if (job.candidates.empty()) fail_input("there are no candidates to measure");
    }
};

}  // namespace lapidary

namespace lapidary::app {
namespace {

/// With what sessions of the variant run, unless the job says otherwise.
RunConfiguration configuration_of(const MeasureJob::Candidate& candidate) {
    RunConfiguration configuration = candidate.configuration;
    if (!configuration.session_passes)
        configuration.session_passes = candidate.model.session_passes();
    return configuration;
}

/// On what the variant runs on.
std::unique_ptr<BenchEngine> open_candidate(const MeasureJob::Candidate& candidate,
                                            const NamedValues& inputs,
                                            const std::filesystem::path& folder,
                                            const Progress& progress) {
    const RunConfiguration configuration = configuration_of(candidate);
    if (runs_in_other_engine(candidate.model))
        return open_in_engine(candidate.model, configuration, inputs,
                              engine_file(candidate.model, folder, progress), progress.cancel);
    SessionOptions base;
    place_on(base, candidate.model.runs_on());
    return open_engine(candidate.model.model, configuration, inputs, progress, 0, base);
}

class Contest {
public:
    Contest(const MeasureJob& job, const Progress& progress)
        : job_(job), progress_(progress), results_(job.candidates.size()) {}

    std::vector<Measurement> run(
        const std::function<void(const std::vector<Measurement>&)>& on_round) {
        for (std::size_t i = 0; i < job_.candidates.size(); ++i) open(i);
        if (entered_.empty()) return results_;
        std::vector<Candidate> candidates;
        for (const std::size_t i : entered_)
            candidates.push_back({job_.candidates[i].configuration, engines_[i].get()});
        const auto spread = [&](const std::vector<Measurement>& some) {
            for (std::size_t k = 0; k < some.size(); ++k) results_[entered_[k]] = some[k];
        };
        spread(measure_interleaved(candidates, job_.options, progress_,
                                   [&](const std::vector<Measurement>& some) {
                                       if (!on_round) return;
                                       spread(some);
                                       on_round(results_);
                                   }));
        engines_.clear();  // their memory is not that of the fresh processes
        if (job_.memory) measure_memory();
        return results_;
    }

private:
    /// Those of one batch size get the same inputs, made for the first of them.
    const NamedValues& inputs_of(std::size_t i) {
        const MeasureJob::Candidate& candidate = job_.candidates[i];
        const auto at = inputs_.find(candidate.configuration.batch);
        if (at != inputs_.end()) return at->second;
        return inputs_[candidate.configuration.batch] = inputs_for(
                   *candidate.model.model, candidate.configuration, job_.dimensions, job_.seed,
                   given_values(*candidate.model.model, job_.given, job_.dimensions,
                                progress_.cancel));
    }

    void open(std::size_t i) {
        const MeasureJob::Candidate& candidate = job_.candidates[i];
        results_[i].configuration = candidate.configuration;
        progress_.step("load", double(i) / double(job_.candidates.size()));
        try {
            engines_[i] =
                open_candidate(candidate, inputs_of(i), folder_.path(), {progress_.cancel, {}});
            entered_.push_back(i);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            results_[i].error = error.what();
        }
    }

    /// A variant as a file of its own, so that neither the memory nor the time of optimizing counts
    /// as its own.
    ModelSource exported(const ModelSource& source, const ScratchFolder& scratch, std::size_t i) {
        if ((!source.recipe || source.recipe->runs_on) && !source.file.empty()) return source;
        progress_.step("export for a fresh process");
        ModelSource file;
        file.file = scratch.path() / (std::to_string(i) + ".onnx");
        save_model(*source.model, file.file);
        const bool isOther = source.recipe && source.recipe->other_model;
        file.channel_block =
            isOther ? source.recipe->other_model->channel_block : source.channel_block;
        if (source.recipe && source.recipe->runs_on) {  // what was done to the model is in the file
            Recipe& rest = file.recipe.emplace();
            rest.runs_on = source.recipe->runs_on;
            if (!rest.runsInOtherEngine()) return file;
            rest.level = source.recipe->level;
            rest.disabled_passes = source.recipe->disabled_passes;
        }
        return file;
    }

    void measure_memory() {
        const std::string program = find_worker_program();
        if (program.empty()) return;
        const ScratchFolder scratch;
        std::vector<std::vector<std::string>> commands;
        std::vector<std::size_t> of;
        for (const std::size_t i : entered_) {
            const MeasureJob::Candidate& candidate = job_.candidates[i];
            if (!candidate.model.in_other_process() || !results_[i].error.empty()) continue;
            const Json request =
                json_of(FreshRun{exported(candidate.model, scratch, i), configuration_of(candidate),
                                 job_.dimensions, job_.seed, job_.given});
            commands.push_back({program, "serve", "--fresh", line_of(request)});
            of.push_back(i);
        }
        progress_.step("memory of fresh processes");
        const std::vector<FreshFigures> figures = run_fresh_processes(commands, progress_.cancel);
        for (std::size_t k = 0; k < of.size(); ++k) {
            results_[of[k]].peak_mb = figures[k].peak_mb;
            results_[of[k]].load_ms = figures[k].load_ms;
            results_[of[k]].first_ms = figures[k].first_ms;
        }
    }

    const MeasureJob& job_;
    const Progress& progress_;
    const ScratchFolder folder_;
    std::vector<Measurement> results_;
    std::vector<std::size_t> entered_;  // candidates that could be opened
    std::map<std::size_t, std::unique_ptr<BenchEngine>> engines_;
    std::map<std::int64_t, NamedValues> inputs_;  // by batch
};

}  // namespace

MeasureJob::Result MeasureJob::run(const JobContext& context,
                                   const std::function<void(const State&)>& on_round) const {
    return Contest(*this, context.progress).run(on_round);
}

std::string run_fresh(const std::string& request) {
    auto run = read_json<FreshRun>(parse_json(request, "the request"), "the request");
    const auto start = std::chrono::steady_clock::now();
    run.model.model = ModelCache().get(run.model, {});
    const std::chrono::duration<double, std::milli> read = std::chrono::steady_clock::now() - start;
    const ScratchFolder folder;
    const NamedValues inputs =
        inputs_for(*run.model.model, run.configuration, run.dimensions, run.seed,
                   given_values(*run.model.model, run.given, run.dimensions));
    const auto engine = open_candidate({run.model, run.configuration}, inputs, folder.path(), {});
    FreshFigures figures = measure_fresh(*engine);
    figures.load_ms += read.count();
    return fresh_figures_text(figures);
}

template <>
const JobKind& kind_of<MeasureJob>() {
    static const KindOf<MeasureJob> kind;
    return kind;
}

}  // namespace lapidary::app
