// SPDX-License-Identifier: Apache-2.0
#include "mutate/trial.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <thread>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/session.h>

#include "mutate/mutation.h"
#include "onnx_io/ort/read_ort.h"

namespace lapidary::mutate {
namespace {

constexpr auto patience = std::chrono::seconds(3);

/// Cancels when the time is over.
class Alarm {
public:
    explicit Alarm(CancelToken token)
        : thread_([this, token](const std::stop_token& stop) {
              std::unique_lock lock(mutex_);
              if (!changed_.wait_for(lock, stop, patience, [] { return false; }) &&
                  !stop.stop_requested())
                  token.cancel();
          }) {}

private:
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::jthread thread_;
};

Limits small_limits() {
    Limits limits;
    limits.run_bytes = 1u << 30;
    limits.tensor_bytes = 256u << 20;
    limits.fold_bytes = 16u << 20;
    return limits;
}

std::vector<std::byte> file_of(const Model& model) {
    const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                       ("lapidary_mutate_" + std::to_string(::getpid()) + ".onnx");
    save_model(model, path);
    std::vector<std::byte> bytes(static_cast<std::size_t>(std::filesystem::file_size(path)));
    std::ifstream(path, std::ios::binary)
        .read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    std::filesystem::remove(path);
    return bytes;
}

void take_through(const std::vector<std::byte>& file, std::uint64_t number, TrialResult& result) {
    Progress progress;
    const Alarm alarm(progress.cancel);
    LoadOptions load;
    load.limits = small_limits();
    result.reached = "load";
    const Model model = load_model_from_memory(file, load);
    result.reached = "optimize";
    OptimizeOptions optimizing;
    optimizing.level = number % 4 == 0   ? Level::basic
                       : number % 4 == 1 ? Level::extended
                                         : Level::all;
    const Model optimized = optimize(model, optimizing, progress).model;
    result.reached = "load again";
    const std::vector<std::byte> written = file_of(optimized);
    auto again = std::make_shared<Model>(load_model_from_memory(written, load));
    result.reached = "compile";
    SessionOptions options;
    options.limits = small_limits();
    options.resources.threads = 1 + static_cast<int>(number / 4 % 2);
    // Half of them with every value in a block of its own, which ends at a guarded page.
    options.enable_mem_pattern = options.enable_cpu_mem_arena = number % 2 == 0;
    options.check_writes = true;
    Session session = Session::compile(again, options, progress);
    result.reached = "inputs";
    GenerateOptions generating;
    generating.seed = number;
    for (std::uint64_t i = 0; i < odd_symbols; ++i)
        generating.dimensions[std::string(odd_symbol) + std::to_string(i)] =
            static_cast<std::int64_t>((number + i * i) % 5);
    const NamedValues inputs = generate_inputs(*again, {}, generating);
    result.reached = "run";
    RunOptions run;
    run.cancel = progress.cancel;
    for (int i = 0; i < 2; ++i) session.run(inputs, run);
    result.reached = "end";
}

}  // namespace

std::vector<std::byte> damaged(const Source& source, std::uint64_t number, std::string& did) {
    Random random(number * 0x9e3779b97f4a7c15ull + source.bytes.size());
    std::vector<std::byte> file = source.bytes;
    if (onnx_io::is_ort_file(file)) {
        did = mutate_words(file, random);
        return file;
    }
    if (random() % 4 == 0) {
        did = mutate_bytes(file, random);
        return file;
    }
    Model model = load_model_from_memory(file, {});
    did = mutate_graph(model, random);
    return file_of(model);
}

TrialResult attempt(const Source& source, std::uint64_t number) {
    TrialResult result;
    result.reached = "damage";
    std::vector<std::byte> file;
    try {
        file = damaged(source, number, result.did);
    } catch (const Error& error) {  // no file can hold such a graph
        result.message = error.what();
        return result;
    }
    try {
        take_through(file, number, result);
    } catch (const Error& error) {
        result.message = error.what();
        result.is_bug = error.code() == ErrorCode::internal;
    } catch (const std::exception& error) {
        result.message = std::string("not an error of ours: ") + error.what();
        result.is_bug = true;
    }
    return result;
}

}  // namespace lapidary::mutate
