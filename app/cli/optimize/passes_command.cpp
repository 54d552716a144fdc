// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include <fmt/format.h>

#include <lapidary/passes/optimize.h>
#include <lapidary/passes/user_rules.h>

#include "cli/command.h"
#include "cli/output/json_output.h"
#include "cli/options/level_options.h"
#include "cli/options/output_options.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

Json names_json(std::string_view list) {
    Json names = Json::array();
    while (!list.empty()) {
        const std::size_t at = list.find(',');
        if (at != 0) names.push_back(std::string(list.substr(0, at)));
        list = at == std::string_view::npos ? std::string_view() : list.substr(at + 1);
    }
    return names;
}

class PassesCommand : public Command {
public:
    CommandText text() const override {
        return {.summary = "List the optimization passes: level, providers, name in ONNX Runtime",
                .examples = {"lapidary-cli passes --json"}};
    }

    void declare(OptionList& options) override {
        add_rules(options, rules_);
        add_json(options, json);
    }

    bool opens_plugins() const override { return false; }

    int run(Terminal& terminal) override {
        const std::vector<UserPass> user = user_passes(rules_);
        for (const std::string& sentence : unknown_rule_operators(rules_)) terminal.note(sentence);
        std::vector<PassInfo> listed;
        for (const UserPass& pass : user) {
            PassInfo info;
            info.name = pass.name;
            info.level = Level::user;
            info.order = static_cast<int>(listed.size());
            info.providers = "all";
            info.summary = pass.summary;
            listed.push_back(info);
        }
        listed.insert(listed.end(), all_passes().begin(), all_passes().end());
        if (terminal.json) {
            Json list = Json::array();
            for (const PassInfo& pass : listed)
                list.push_back({{"name", pass.name},
                                {"level", name_of(pass.level)},
                                {"order", pass.order},
                                {"providers", pass.providers},
                                {"on_by_default", pass.on_by_default},
                                {"ort_names", names_json(pass.ort_names)},
                                {"summary", pass.summary}});
            write_json(terminal.out, {{"passes", std::move(list)}});
            return exit_fine;
        }
        TextTable table({"pass", "level", "providers", "ONNX Runtime", "what it does"},
                        {0, 1, 2, 3, 4});
        for (const PassInfo& pass : listed)
            table.add({std::string(pass.name), std::string(name_of(pass.level)),
                       std::string(pass.providers) + (pass.on_by_default ? "" : ", off"),
                       pass.ort_names.empty() ? "-" : std::string(pass.ort_names),
                       std::string(pass.summary)});
        table.print(terminal.out, "");
        return exit_fine;
    }

private:
    std::vector<RuleText> rules_;
};

}  // namespace

std::unique_ptr<Command> passes_command() { return std::make_unique<PassesCommand>(); }

}  // namespace lapidary::cli
