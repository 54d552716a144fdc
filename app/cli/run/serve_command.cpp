// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "worker/process/build_commit.h"
#include "worker/process/console.h"
#include "worker/jobs/measure_job.h"
#include "worker/process/serve.h"
#include "worker/process/standard_streams.h"
#include "worker/remote/target_side.h"

#include "cli/command.h"
#include "cli/command_line.h"

namespace lapidary::cli {
namespace {

struct ServeCommandOptions {
    std::uint64_t memory_limit = 0;  // bytes; 0: none
    std::string fresh;               // instead of serving: one candidate whose memory is measured
    std::filesystem::path cache;     // serves another machine, whose files lie there
};

constexpr const char* serve_notes = R"(
What the window runs models in. Requests are lines such as
  {"id": 1, "job": "profile", "model": {"file": "net.onnx"}, "settings": {"repetitions": 10}}
  {"cancel": 1}
answers lines with the id and progress, state, result or error. Large results lie in shared memory.)";

/// Runs a command for a program on another machine.
int run_command_for_other(const std::vector<std::string>& arguments, std::ostream& out,
                          std::ostream& err, const Progress& progress) {
    std::vector<const char*> words{"lapidary-cli"};
    for (const std::string& argument : arguments) words.push_back(argument.c_str());
    words.push_back(nullptr);
    TerminalFeatures features;
    features.on_progress = progress.report;
    return run_command_line(static_cast<int>(words.size()) - 1, words.data(), out, err,
                            progress.cancel, features);
}

class ServeCommand : public Command {
public:
    CommandText text() const override {
        return {
            .summary = "Run jobs of another program: a line of JSON each way until the input ends",
            .notes = serve_notes};
    }

    void declare(OptionList& options) override {
        options
            .value("--memory-limit", "BYTES", options_.memory_limit,
                   "Memory that runs may take; beyond it they fail with an error. No limit unless "
                   "given")
            .byte_size();
        options.value("--fresh", "JOB", options_.fresh, "").hidden();
        options.value("--for-target", "FOLDER", options_.cache, "").hidden();
    }

    bool probes_libraries() const override { return false; }
    void report_opening(const std::string& file, Terminal& terminal) const override {
        if (options_.fresh.empty()) terminal.out << app::opening_line(file) << std::flush;
    }

    int run(Terminal& terminal) override {
        if (!options_.fresh.empty()) {
            terminal.out << app::run_fresh(options_.fresh) << '\n';
            return exit_fine;
        }
        terminal.out.flush();
        app::ServeOptions serving;
        serving.memory_limit = options_.memory_limit;
        serving.version = LAPIDARY_VERSION;
        serving.stop = terminal.cancel;
        serving.code_when_stopped = exit_cancelled;
        app::cancel_on_hangup(serving.stop);
        serving.is_elsewhere = !options_.cache.empty();
        if (serving.is_elsewhere)
            app::set_target_side(
                {options_.cache, LAPIDARY_VERSION, app::build_commit(), run_command_for_other});
        serving.out = app::claim_standard_output();
        app::serve(serving);
        return exit_fine;
    }

private:
    ServeCommandOptions options_;
};

}  // namespace

std::unique_ptr<Command> serve_command() { return std::make_unique<ServeCommand>(); }

}  // namespace lapidary::cli
