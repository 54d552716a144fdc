// SPDX-License-Identifier: Apache-2.0
#include "worker/process/console.h"
#include "worker/jobs/measure_job.h"
#include "worker/process/serve.h"
#include "worker/process/standard_streams.h"

#include "cli/command.h"

namespace lapidary::cli {
namespace {

struct ServeCommandOptions {
    std::uint64_t memory_limit = 0;  // bytes; 0: none
    std::string fresh;               // instead of serving: one candidate whose memory is measured
};

constexpr const char* serve_notes = R"(
What the window runs models in. Requests are lines such as
  {"id": 1, "job": "profile", "model": {"file": "net.onnx"}, "settings": {"repetitions": 10}}
  {"cancel": 1}
answers lines with the id and progress, state, result or error. Large results lie in shared memory.)";

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
