// SPDX-License-Identifier: Apache-2.0
#include "cli/target/target_arguments.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <utility>

#include <lapidary/base/error.h>

#include "worker/inputs/given_inputs.h"
#include "worker/remote/command_job.h"

namespace lapidary::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> of_this_machine{"--help", "--on", "--plugin",
                                                          "--without-plugin", "--custom-ops"};
constexpr std::array<std::string_view, 3> places_there{"--onnxruntime", "--peer",
                                                       "--ort-provider-library"};
constexpr std::array<std::string_view, 5> written_files{"--output", "--outputs", "--csv",
                                                        "--counts", "--json"};

template <typename Names>
bool is_among(const Names& names, const Option& option) {
    return std::ranges::find(names, option.info().name()) != names.end();
}

bool exists(const std::string& file) {
    std::error_code none;
    return !file.empty() && fs::exists(app::path_of_utf8(file), none);
}

/// Makes the arguments of one command.
class ArgumentsWriter {
public:
    explicit ArgumentsWriter(const SendFile& send) : send_(send) {}

    void add(const Option& option) {
        const OptionInfo& info = option.info();
        const bool is_file = info.suggestions.files || info.suggestions.folders;
        if (!info.takes_value()) return made_.words.push_back(info.name());
        std::vector<std::string> values = option.values();
        if (values.empty()) values.emplace_back();
        for (const std::string& value : values) {
            if (info.value_is_optional && value.empty()) {
                made_.words.push_back(info.name());
                continue;
            }
            std::string there = value;
            if (is_file && is_among(written_files, option)) there = written(value);
            else if (is_file && !is_among(places_there, option)) there = sent(option, value);
            if (info.is_positional()) made_.words.push_back(there);
            else if (info.name().starts_with("--"))
                made_.words.push_back(info.name() + "=" + there);
            else made_.words.insert(made_.words.end(), {info.name(), there});
        }
    }

    TargetArguments made_;

private:
    /// The name there of a file that the command is to write.
    std::string written(const std::string& value) {
        const fs::path file = app::path_of_utf8(value);
        const std::string name =
            std::to_string(made_.written.size()) + "_" + file.filename().string();
        made_.written.emplace_back(name, file);
        const std::string there = std::string(app::output_folder_mark) + "/" + name;
        made_.names.emplace_back(there, value);
        return there;
    }

    std::string sent(const Option& option, const std::string& value) {
        const OptionInfo& info = option.info();
        if (info.suggestions.after_equals) {  // NAME=FILE
            const std::size_t at = value.find('=');
            if (at == std::string::npos) return value;
            return value.substr(0, at + 1) + sent_file(value.substr(at + 1), false);
        }
        const bool takes_models = std::ranges::find(info.suggestions.extensions, "onnx") !=
                                  info.suggestions.extensions.end();
        if (exists(value)) return sent_file(value, takes_models);
        const std::size_t colon = value.rfind(':');  // FILE.npz:ARRAY
        if (colon != std::string::npos && exists(value.substr(0, colon)))
            return sent_file(value.substr(0, colon), false) + value.substr(colon);
        if (info.is_positional() && !value.starts_with("sample:"))
            throw Error(ErrorCode::io_failure, "there is no such file").at(value);
        return value;
    }

    std::string sent_file(const std::string& value, bool is_model) {
        if (!exists(value)) return value;
        std::string there = send_(app::path_of_utf8(value), is_model);
        made_.names.emplace_back(there, value);
        return there;
    }

    const SendFile& send_;
};

}  // namespace

TargetArguments target_arguments(const std::string& command, const OptionList& options,
                                 const SendFile& send) {
    ArgumentsWriter writer(send);
    writer.made_.words.push_back(command);
    for (const bool positional : {true, false})
        for (const Option& option : options.all()) {
            if (option.info().is_positional() != positional || !option.is_given()) continue;
            if (!is_among(of_this_machine, option)) writer.add(option);
            else if (option.info().name() == "--custom-ops" || option.info().name() == "--plugin")
                fail_unsupported(option.info().name() + " does not go with --on: libraries are " +
                                 "not sent to another machine");
        }
    // longer names first, since one may begin like another
    std::ranges::stable_sort(writer.made_.names, std::ranges::greater{},
                             [](const auto& name) { return name.first.size(); });
    return std::move(writer.made_);
}

}  // namespace lapidary::cli
