// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include <nlohmann/json.hpp>

#include <lapidary/model_io.h>
#include <lapidary/samples.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/value_text.h"

namespace lapidary::cli {

int run_sample(const SampleOptions& options, Terminal& terminal) {
    if (options.list) {
        Json list = Json::array();
        TextTable table({"name", "title", "summary"}, {0, 1, 2});
        for (const SampleInfo& sample : list_samples()) {
            list.push_back({{"name", sample.name}, {"title", sample.title}, {"summary", sample.summary}});
            table.add({std::string(sample.name), std::string(sample.title), std::string(sample.summary)});
        }
        if (terminal.json) write_json(terminal.out, {{"samples", list}});
        else table.print(terminal.out, "");
        return exit_fine;
    }
    const Model model = build_sample(options.name, options.seed);
    terminal.cancel.throw_if_cancelled();
    save_model(model, options.output, {}, terminal.progress());
    if (terminal.json)
        write_json(terminal.out, {{"sample", options.name}, {"seed", options.seed}, {"file", options.output.string()}});
    else
        terminal.out << "wrote " << plain(options.output.string()) << ": sample " << options.name << ", seed "
                     << options.seed << '\n';
    return exit_fine;
}

}  // namespace lapidary::cli
