// SPDX-License-Identifier: Apache-2.0
// rules FILE
#include <lapidary/base/error.h>
#include <lapidary/passes/user_rules.h>

#include "edit/edit_verb_functions.h"
#include "edit/unused_parts.h"

namespace lapidary::verbs {
namespace {

/// What each rule did, as a sentence.
std::string sentence_of_rule(const PassRun& run) {
    const std::string rule = "Rule " + quote(run.pass.substr(user_pass_prefix.size()));
    if (!run.skipped.empty()) return rule + " was left out: " + run.skipped + ".";
    return rule + ": " + std::to_string(run.applied) +
           (run.applied == 1 ? " rewrite." : " rewrites.");
}

}  // namespace

void apply_rules(EditContext& context, const EditArguments& arguments) {
    const std::filesystem::path file = context.file(arguments.text("FILE"));
    OptimizeOptions options;
    options.level = Level::disabled;
    options.limits = context.options().limits;
    options.rules = {load_rules(file)};
    for (const UserPass& rule : user_passes(options.rules))
        options.only_passes.push_back(rule.name);
    OptimizeResult result = optimize(context.model(), options, context.progress());
    const PipelineReport& report = result.report;
    if (report.rewrites.empty()) {
        std::string reason = "no rule of " + quote(file.string(), 4096) + " applies to the model";
        for (const PassRun& run : report.passes)
            if (run.level == Level::user && !run.skipped.empty())
                fail_input(reason + ". " + sentence_of_rule(run));
        if (!report.near_misses.empty())
            reason += "; the nearest place is " + report.near_misses.front().node_text + ": " +
                      report.near_misses.front().reason;
        fail_input(reason);
    }
    for (const PassRun& run : report.passes)
        if (run.level == Level::user) context.note(sentence_of_rule(run));
    const std::set<std::string> unused = names_of_unused_constants(context.graph());
    context.whole_model() = std::move(result.model);
    erase_newly_unused_constants(context.edit(), unused);
}

}  // namespace lapidary::verbs
