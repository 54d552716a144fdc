// SPDX-License-Identifier: Apache-2.0
// Everything that runs models for the window, behind one interface: in this process, or in a worker
// process that may die without taking the window along. Calls block and may come from any thread;
// an engine runs one at a time, in order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <lapidary/bench/bench.h>
#include <lapidary/proof/compare.h>
#include <lapidary/base/limits.h>
#include <lapidary/base/progress.h>
#include <lapidary/bench/sweep.h>

#include "worker/protocol/model_source.h"
#include "worker/protocol/recipe.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

struct QuantizeJob;  // worker/protocol/quantize_record.h
struct QuantizeRecord;
struct SampleLook;  // worker/inputs/sample_look.h
struct InputLook;   // worker/inputs/input_look.h

/// Models side by side, each under its configurations, with the same inputs. Level is that of the
/// session on top of the source: disabled for a variant that is optimized already.
struct MeasureJob {
    struct Candidate {
        ModelSource model;
        RunConfiguration configuration;
    };
    std::vector<Candidate> candidates;
    MeasureOptions options;
    std::map<std::string, std::int64_t> dimensions;
    std::uint64_t seed = 1;
    GivenInputs given = {};  // others are generated
    bool memory = false;     // peak_mb too, each in a fresh process
};

struct SweepJob {
    ModelSource model;  // as opened; the space's levels are applied to it
    Recipe recipe;      // whose passes and sizes hold at each of these levels
    SweepSpace space;
    SweepOptions options;
    GivenInputs given = {};           // others are generated
    std::vector<std::size_t> verify;  // cells of `found` to measure exactly instead
    SweepResult found;
};

class Engine {
public:
    virtual ~Engine() = default;
    /// Reads the file of a model as whoever opens it will, types and summary included, where that
    /// cannot end this process: what returns was survived. Throws what reading throws, or
    /// process_ended telling how a worker died. An engine of this process does nothing.
    virtual void survive_reading(const ModelSource& model, const Progress& progress) = 0;
    /// After a cancel a record of the runs that were finished; cancelled is thrown when there was
    /// none, and by the engines of others.
    virtual RunRecord profile(const ModelSource& model, const RunSettings& settings,
                              const Progress& progress) = 0;
    /// Parallel to the candidates.
    virtual std::vector<Measurement> measure(
        const MeasureJob& job, const Progress& progress,
        const std::function<void(const std::vector<Measurement>&)>& on_round) = 0;
    /// `control` may be null.
    virtual SweepResult sweep(const SweepJob& job, const Progress& progress,
                              const SweepControl* control,
                              const std::function<void(const SweepResult&)>& on_change) = 0;
    virtual std::vector<OutputComparison> compare_outputs(const ModelSource& a,
                                                          const ModelSource& b,
                                                          const RunSettings& settings,
                                                          const Progress& progress) = 0;
    /// Writes the best model so far into the job's folder and reports each recipe that was tried.
    /// After a cancel what there is is returned, not complete; cancelled is thrown when there is
    /// nothing.
    virtual QuantizeRecord quantize(
        const QuantizeJob& job, const Progress& progress,
        const std::function<void(const QuantizeRecord&)>& on_change) = 0;
    /// The first samples, as the model will see them: where model and labels (a file of
    /// load_labels(); empty: none) show what pixels have to become, so. Throws what samples_of()
    /// and load_labels() throw, invalid_input for labels of another count than the samples.
    virtual SampleLook look_at_samples(const ModelSource& model, const SampleChoice& samples,
                                       const std::filesystem::path& labels,
                                       const Progress& progress) = 0;
    /// Inputs as a run of the settings will have them, after the dropped files and folders (UTF-8)
    /// have found the inputs that they are for.
    virtual InputLook look_at_inputs(const ModelSource& model, const RunSettings& settings,
                                     const std::vector<std::string>& dropped,
                                     const Progress& progress) = 0;
};

/// The one of this process.
class LocalEngine : public Engine {
public:
    /// `limits`: of each run.
    explicit LocalEngine(const Limits& limits = {}) : limits_(limits) {}
    void survive_reading(const ModelSource&, const Progress&) override {}
    RunRecord profile(const ModelSource& model, const RunSettings& settings,
                      const Progress& progress) override;
    std::vector<Measurement> measure(
        const MeasureJob& job, const Progress& progress,
        const std::function<void(const std::vector<Measurement>&)>& on_round) override;
    SweepResult sweep(const SweepJob& job, const Progress& progress, const SweepControl* control,
                      const std::function<void(const SweepResult&)>& on_change) override;
    std::vector<OutputComparison> compare_outputs(const ModelSource& a, const ModelSource& b,
                                                  const RunSettings& settings,
                                                  const Progress& progress) override;
    QuantizeRecord quantize(const QuantizeJob& job, const Progress& progress,
                            const std::function<void(const QuantizeRecord&)>& on_change) override;
    SampleLook look_at_samples(const ModelSource& model, const SampleChoice& samples,
                               const std::filesystem::path& labels,
                               const Progress& progress) override;
    InputLook look_at_inputs(const ModelSource& model, const RunSettings& settings,
                             const std::vector<std::string>& dropped,
                             const Progress& progress) override;

private:
    Limits limits_;
};

}  // namespace lapidary::app
