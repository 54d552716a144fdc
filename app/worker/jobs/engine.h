// SPDX-License-Identifier: Apache-2.0
// The interface to everything that runs models for the window: in this process, or in a worker
// process whose crash leaves the window alive. Calls block and may come from any thread. An engine
// runs one call at a time, in order.
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

/// Measures models side by side, each under its configuration, with the same inputs. The level of a
/// configuration is that of the session on top of the source: use disabled for a variant that is
/// optimized already.
struct MeasureJob {
    struct Candidate {
        ModelSource model;
        RunConfiguration configuration;
    };
    std::vector<Candidate> candidates;
    MeasureOptions options;
    std::map<std::string, std::int64_t> dimensions;
    std::uint64_t seed = 1;
    GivenInputs given = {};  // other inputs are generated
    bool memory = false;     // also measure peak_mb, each candidate in a fresh process
};

struct SweepJob {
    ModelSource model;  // as opened; each level of the space is applied to it
    Recipe recipe;      // its passes and sizes apply at each of these levels
    SweepSpace space;
    SweepOptions options;
    GivenInputs given = {};           // other inputs are generated
    std::vector<std::size_t> verify;  // cells of `found` to measure exactly, instead of a sweep
    SweepResult found;
};

class Engine {
public:
    virtual ~Engine() = default;
    /// Reads the model's file, its types and summary in a worker, so that a crash does not end this
    /// process. If it returns, opening the file here is safe. Throws what reading throws, or
    /// process_ended with the way a worker died. An engine in this process does nothing.
    virtual void survive_reading(const ModelSource& model, const Progress& progress) = 0;
    /// After a cancel returns a record of the finished runs. Throws cancelled if there are none,
    /// and always for engines other than Lapidary's.
    virtual RunRecord profile(const ModelSource& model, const RunSettings& settings,
                              const Progress& progress) = 0;
    /// The results are parallel to the candidates.
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
    /// Writes the best model so far into the job's folder, and reports each recipe after it was
    /// tried. After a cancel returns the incomplete results; throws cancelled if there are none.
    virtual QuantizeRecord quantize(
        const QuantizeJob& job, const Progress& progress,
        const std::function<void(const QuantizeRecord&)>& on_change) = 0;
    /// Describes the first samples as the model will get them. If the model and the labels (a file
    /// for load_labels(); empty: none) show how pixels must be converted, that conversion is used.
    /// Throws what samples_of() and load_labels() throw, and invalid_input if labels and samples
    /// differ in number.
    virtual SampleLook look_at_samples(const ModelSource& model, const SampleChoice& samples,
                                       const std::filesystem::path& labels,
                                       const Progress& progress) = 0;
    /// Describes the inputs that a run with these settings will get, after the dropped files and
    /// folders (UTF-8) are assigned to inputs.
    virtual InputLook look_at_inputs(const ModelSource& model, const RunSettings& settings,
                                     const std::vector<std::string>& dropped,
                                     const Progress& progress) = 0;
};

/// Runs models in this process.
class LocalEngine : public Engine {
public:
    /// `limits`: for each run.
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
