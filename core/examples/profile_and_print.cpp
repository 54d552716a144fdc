// SPDX-License-Identifier: Apache-2.0
// Optimizes a model, profiles it and prints where the time goes. The trace is for chrome://tracing
// or Perfetto:
//   profile_and_print MODEL.onnx [TRACE.json]
#include <algorithm>
#include <cstdio>
#include <memory>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/session.h>
#include <lapidary/profile/session_overhead.h>

namespace {

constexpr int warmup_runs = 2, measured_runs = 10;

void print(const lapidary::Profile& profile) {
    // Milliseconds are means per run, shares are of the mean wall time of a run.
    const lapidary::ProfileSummary summary = lapidary::summarize(profile);
    std::printf("%s\n", summary.verdict.c_str());
    std::printf("median run %.3f ms, %d threads, %d runs\n", summary.wall_ms, profile.threads,
                profile.runs);
    for (const lapidary::OperatorTotal& total : summary.operators)
        std::printf("  %6.2f %%  %9.4f ms  %4lld x  %s\n", 100 * total.share, total.self_ms,
                    static_cast<long long>(total.count), total.op.c_str());
    // With the time of a run in which no kernel ran, the operators add up to the wall time.
    const lapidary::SessionOverhead overhead = lapidary::session_overhead(profile);
    std::printf("  %6.2f %%  %9.4f ms          %.*s\n", 100 * overhead.share, overhead.run_ms,
                static_cast<int>(lapidary::overhead_name.size()), lapidary::overhead_name.data());
    // A span is numbers; its words are asked of the profile.
    const auto longest =
        std::ranges::max_element(profile.kernels, {}, &lapidary::Span::duration_ns);
    if (longest != profile.kernels.end())
        std::printf("longest call: %s (%s), %.4f ms in run %d\n", profile.name(*longest).c_str(),
                    profile.op(*longest).c_str(), static_cast<double>(longest->duration_ns()) / 1e6,
                    longest->run + 1);
    std::printf("memory: %lld bytes of activations at the peak, %lld bytes of weights\n",
                static_cast<long long>(profile.peak_bytes),
                static_cast<long long>(profile.weight_bytes));
}

void profile_and_print(const char* path, const char* trace) {
    // Long tasks say what they do, and end when progress.cancel.cancel() is called from any
    // thread.
    lapidary::Progress progress;
    progress.report = [](std::string_view stage, double fraction) {
        if (fraction >= 1)
            std::fprintf(stderr, "%.*s: done\n", static_cast<int>(stage.size()), stage.data());
    };
    const lapidary::Model model = lapidary::load_model(path, {}, progress);
    lapidary::OptimizeOptions optimizing;
    optimizing.level = lapidary::Level::all;
    optimizing.near_misses = false;  // only what is done matters here
    lapidary::OptimizeResult optimized = lapidary::optimize(model, optimizing, progress);

    lapidary::SessionOptions options;
    options.enable_profiling = true;  // phases of compile() too
    const auto shared = std::make_shared<const lapidary::Model>(std::move(optimized.model));
    lapidary::Session session = lapidary::Session::compile(shared, options, progress);
    const lapidary::NamedValues inputs = lapidary::generate_inputs(session.model());

    lapidary::RunOptions run_options;
    run_options.repetitions = warmup_runs;  // first runs plan memory and pack what is packed late
    session.run(inputs, run_options);
    run_options.repetitions = measured_runs;
    run_options.profile = true;
    const lapidary::RunResult result = session.run(inputs, run_options);
    print(*result.profile);
    if (trace != nullptr) lapidary::save_chrome_trace(*result.profile, trace);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) {
        std::fprintf(stderr, "usage: profile_and_print MODEL.onnx [TRACE.json]\n");
        return 2;
    }
    try {
        profile_and_print(argv[1], argc == 3 ? argv[2] : nullptr);
        return 0;
    } catch (const lapidary::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
}
