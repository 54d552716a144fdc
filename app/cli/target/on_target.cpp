// SPDX-License-Identifier: Apache-2.0
#include "cli/target/on_target.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/internal/text_file.h>

#include "worker/remote/command_job.h"
#include "worker/remote/remote_engine.h"

#include "cli/output/json_value.h"
#include "cli/output/value_text.h"
#include "cli/target/target_arguments.h"

namespace lapidary::cli {
namespace {

constexpr std::string_view object_begin = "{\n";

Json machine_json(const app::Target& target, const app::TargetFacts& facts) {
    Json json = Json::object();
    json["target"] = target.text();
    json["architecture"] = facts.architecture;
    json["cpu"] = facts.machine.cpu;
    json["isa"] = facts.machine.isa;
    json["cores"] = facts.machine.cores;
    json["memory_gb"] = facts.machine.memory_gb;
    json["system"] = facts.machine.system;
    json["version"] = facts.version;
    return json;
}

/// Prints what the command prints on the other machine.
class TargetOutput {
public:
    TargetOutput(Terminal& terminal, const app::Target& target, const app::TargetFacts& facts,
                 const TargetArguments& arguments)
        : terminal_(terminal), machine_(machine_json(target, facts).dump(-1)),
          line_("on          " + plain(target.text()) + ": " + plain(facts.text(), 512) + '\n'),
          arguments_(arguments) {}

    void take(const app::CommandOutput& output) {
        const std::lock_guard lock(mutex_);
        if (!output.out.empty()) {
            if (std::exchange(is_first_, false) && !terminal_.json) terminal_.out << line_;
            if (terminal_.json) text_ += output.out;
            else terminal_.out << named_here(output.out) << std::flush;
        }
        if (!output.err.empty()) terminal_.err << named_here(output.err) << std::flush;
    }
    /// JSON is printed when it is complete.
    void finish() { terminal_.out << with_machine(named_here(text_)) << std::flush; }

    /// The text with the names that the user gave to files.
    std::string named_here(std::string text) const {
        for (const auto& [there, here] : arguments_.names) {
            if (there.empty()) continue;  // it would be found everywhere
            // without its quotes; a path there has no character that JSON writes in another way
            const std::string quoted = terminal_.json ? Json(here).dump(-1) : '"' + here + '"';
            const std::string name = quoted.substr(1, quoted.size() - 2);
            for (std::size_t at = 0; (at = text.find(there, at)) != std::string::npos;
                 at += name.size())
                text.replace(at, there.size(), name);
        }
        return text;
    }

private:
    /// An object in JSON gets the machine as its first member.
    std::string with_machine(std::string json) const {
        if (json.starts_with(object_begin) && json.size() > object_begin.size())
            json.insert(object_begin.size(), "  \"on\": " + machine_ + ",\n");
        return json;
    }

    Terminal& terminal_;
    const std::string machine_, line_;
    const TargetArguments& arguments_;
    std::mutex mutex_;
    bool is_first_ = true;
    std::string text_;
};

void write_files(const app::CommandResult& result, const TargetArguments& arguments) {
    for (const auto& [there, here] : arguments.written)
        if (const auto at = result.files.find(there); at != result.files.end())
            save_text(here, at->second);
}

}  // namespace

int run_on_target(const std::string& machine, const std::string& command, const OptionList& options,
                  Terminal& terminal) {
    const app::Target target = app::read_target(machine);
    const Progress progress = terminal.progress();
    app::RemoteEngine engine(target);
    const TargetArguments arguments =
        target_arguments(command, options, [&](const std::filesystem::path& file, bool is_model) {
            return engine.place(file, is_model, progress);
        });
    std::vector<std::filesystem::path> written;
    for (const auto& [there, here] : arguments.written) written.push_back(here);
    check_output_files(written);
    TargetOutput output(terminal, target, engine.facts(progress), arguments);
    const app::CommandResult result =
        engine.call(app::CommandJob{arguments.words}, progress,
                    [&](const app::CommandOutput& printed) { output.take(printed); });
    output.finish();
    write_files(result, arguments);
    return result.exit_code;
}

}  // namespace lapidary::cli
