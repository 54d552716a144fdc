// SPDX-License-Identifier: Apache-2.0
// A worker that crashes in a job: the caller survives and learns which job it was.
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>

#include "worker/jobs/proof/bisect_job.h"
#include "worker/jobs/compare_job.h"
#include "worker/jobs/generation/context_memory_job.h"
#include "worker/jobs/generation/decoders_job.h"
#include "worker/jobs/edit_job.h"
#include "worker/jobs/export_job.h"
#include "worker/jobs/generation/generate_job.h"
#include "worker/jobs/proof/diverge_job.h"
#include "worker/jobs/proof/guard_job.h"
#include "worker/jobs/proof/recording_job.h"
#include "worker/jobs/input_job.h"
#include "worker/jobs/inspect_job.h"
#include "worker/jobs/job_kind.h"
#include "worker/jobs/measure_job.h"
#include "worker/jobs/memory_job.h"
#include "worker/jobs/node_times_job.h"
#include "worker/jobs/open_job.h"
#include "worker/jobs/profile_job.h"
#include "worker/jobs/quantize/program_job.h"
#include "worker/jobs/quantize/quantize_job.h"
#include "worker/jobs/read_job.h"
#include "worker/jobs/quantize/sample_job.h"
#include "worker/jobs/step_job.h"
#include "worker/jobs/sweep_job.h"
#include "worker/jobs/triage_job.h"
#include "worker/jobs/variant_job.h"
#include "worker/jobs/weight_job.h"
#include "worker/process/worker_engine.h"
#include "worker/remote/command_job.h"
#include "worker/remote/machine_job.h"
#include "worker/remote/parts_job.h"
#include "worker/remote/place_files_job.h"

namespace lapidary::app {
namespace {

// Every job of jobs.inc ends the worker alone. A job that is missing here fails the last line.
TEST(DyingWorker, AnyJobThatEndsTheWorkerSaysSoAndTheCallerGoesOn) {
#ifdef _WIN32
    GTEST_SKIP() << "the dying worker is a script";
#endif
    std::atomic<std::size_t> deaths{0};
    WorkerOptions dying;
    dying.on_end = [&](const WorkerEnd&) { ++deaths; };
    dying.command = {"sh", "-c",
                     "echo '{\"hello\":{}}'; read line; echo the last words >&2; kill -SEGV $$",
                     "sh"};
    WorkerEngine worker(dying);
    std::string called;
    std::size_t expected = 0;
    const auto dies = [&](const auto& job) {
        using Job = std::remove_cvref_t<decltype(job)>;
        (called += called.empty() ? "" : ", ") += Job::name;
        try {
            worker.call(job, {});
            ADD_FAILURE() << Job::name;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::process_ended) << error.what();
            EXPECT_NE(std::string(error.what()).find("while running " + job.title()),
                      std::string::npos)
                << error.what();
            EXPECT_NE(std::string(error.what()).find("the last words"), std::string::npos)
                << error.what();
        }
        ++expected;
        for (int i = 0; deaths < expected && i < 30'000; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        EXPECT_EQ(deaths, expected) << Job::name << ": the end of the worker was not reported";
    };
    ModelSource model;
    model.sample = "mlp";
    MeasureJob measure;
    measure.candidates.push_back({model, {}});
    SweepJob sweep;
    sweep.model = model;
    QuantizeJob quantize;
    quantize.model = model;
    dies(BisectJob{model, Recipe::plain(Level::all), {}, {}});
    dies(CommandJob{{"info", "sample:mlp"}});
    dies(CompareJob{model, model, RunSettings()});
    ContextMemoryJob contexts;
    contexts.model = model;
    dies(contexts);
    DecodersJob decoders;
    decoders.models = {model};
    dies(decoders);
    dies(DivergeJob{model, model, RunSettings(), {}});
    dies(EditJob{model, "opset 21", false});
    dies(ExportJob{model, {}});
    GenerateJob generating;
    generating.models = {model};
    generating.prompt = {1};
    dies(generating);
    dies(GuardJob{model, model, {}, {}});
    dies(InputJob{model, RunSettings(), {}});
    InspectJob inspecting;
    inspecting.model = model;
    inspecting.value = "h";
    dies(inspecting);
    dies(MachineJob{});
    dies(measure);
    dies(MemoryJob{model, {}});
    dies(NodeTimesJob{model, {}, {}, RunSettings()});
    dies(OpenJob{model});
    dies(PartsJob{});
    dies(PlaceFilesJob{});
    dies(ProfileJob{model, {}});
    dies(ProgramJob{model, {}});
    dies(quantize);
    dies(ReadJob{model});
    dies(RecordingJob{model, "run.npz", 0});
    dies(SampleJob{model, SampleChoice()});
    dies(StepJob{model, 1, false, nullptr});
    dies(sweep);
    dies(TriageJob{model});
    dies(VariantJob{model, nullptr});
    dies(WeightJob{model, 0, 0, 1});
    EXPECT_EQ(called, known_jobs());
}

}  // namespace
}  // namespace lapidary::app
