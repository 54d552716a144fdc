// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <lapidary/base/error.h>

#include "cli/command.h"
#include "cli/mcp/call_process.h"
#include "cli/mcp/mcp_server.h"
#include "worker/process/console.h"
#include "worker/process/standard_streams.h"

namespace lapidary::cli {
namespace {

struct McpCommandOptions {
    std::vector<std::string> folders;
    bool call = false;  // be the process of one call
};

constexpr const char* mcp_notes = R"(
A program for agents starts it and speaks with it over standard input and output, such as
  {"mcpServers": {"lapidary": {"command": "lapidary-cli", "args": ["mcp", "--folder", "/models"]}}}
Tools look into models, profile, compare, edit, quantize and export them. They read and write files below the folders
alone, also those that models, scripts of edits and links name, and overwrite a file only where a call says so. Each
call runs in a process of its own.)";

class McpCommand : public Command {
public:
    CommandText text() const override {
        return {.summary =
                    "Give tools for models to agents: the Model Context Protocol, over "
                    "standard input and output",
                .notes = mcp_notes,
                .examples = {"lapidary-cli mcp --folder models"}};
    }

    void declare(OptionList& options) override {
        options
            .value("--folder", "DIR", options_.folders,
                   "A folder whose files tools may read and write; may be repeated")
            .repeatable()
            .suggest_folders();
        options.flag("--call", options_.call, "").hidden();
    }

    bool opens_plugins() const override { return false; }  // processes of calls open them

    int run(Terminal& terminal) override {
        terminal.out.flush();
        if (options_.call) {
            mcp::serve_one_call(0, app::claim_standard_output());
            return exit_fine;
        }
        mcp::McpOptions serving;
        serving.folders = folders();
        serving.stop = terminal.cancel;
        app::cancel_on_hangup(serving.stop);
        serving.out = app::claim_standard_output();
        mcp::serve_mcp(serving);
        return exit_fine;
    }

private:
    std::vector<std::filesystem::path> folders() const {
        if (options_.folders.empty())
            throw UsageError("--folder DIR is required: tools use the files below it alone");
        std::vector<std::filesystem::path> found;
        for (const std::string& name : options_.folders) {
            std::error_code failed;
            const std::filesystem::path folder = std::filesystem::canonical(name, failed);
            if (failed)
                fail(ErrorCode::io_failure,
                     quote(name, 4096) + " cannot be used as a folder: " + failed.message());
            if (!std::filesystem::is_directory(folder, failed))
                fail_input(quote(name, 4096) + " is no folder");
            found.push_back(folder);
        }
        return found;
    }

    McpCommandOptions options_;
};

}  // namespace

std::unique_ptr<Command> mcp_command() { return std::make_unique<McpCommand>(); }

}  // namespace lapidary::cli
