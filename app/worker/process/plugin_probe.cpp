// SPDX-License-Identifier: Apache-2.0
#include "worker/process/plugin_probe.h"

#include <lapidary/engines/custom_operators.h>
#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>

#include "worker/protocol/described_json.h"
#include "worker/process/library_probe.h"

namespace lapidary {

namespace app {

/// What the process that opens a plugin says of it.
struct PluginAnswer {
    std::optional<PluginInfo> info;
    std::string refused;  // why it cannot be used; empty: it can
};

}  // namespace app

template <>
struct Members<PluginOptionInfo> {
    using T = PluginOptionInfo;
    static constexpr auto list =
        members<T>(member<&T::key>("key"), member<&T::values>("values"),
                   member<&T::fallback>("fallback"), member<&T::meaning>("meaning"));
};
template <>
struct Members<PluginDevice> {
    using T = PluginDevice;
    static constexpr auto list =
        members<T>(member<&T::id>("id"), member<&T::name>("name"),
                   member<&T::architecture>("architecture"), member<&T::driver>("driver"),
                   member<&T::memory_bytes>("memory_bytes"), member<&T::unusable>("unusable"));
};
template <>
struct Members<PluginOperatorInfo> {
    using T = PluginOperatorInfo;
    static constexpr auto list =
        members<T>(member<&T::domain>("domain"), member<&T::name>("name"),
                   member<&T::since_version>("since_version"), member<&T::doc>("doc"));
};
template <>
struct Members<PluginInfo> {
    using T = PluginInfo;
    static constexpr auto list = members<T>(
        member<&T::file>("file"), member<&T::name>("name"), member<&T::version>("version"),
        member<&T::licence>("licence"), member<&T::about>("about"),
        member<&T::interface>("interface"), member<&T::operators>("operators"),
        member<&T::provider>("provider"), member<&T::no_device>("no_device"),
        member<&T::devices>("devices"), member<&T::options>("options"),
        member<&T::engine>("engine"), member<&T::engine_version>("engine_version"),
        member<&T::engine_unusable>("engine_unusable"),
        member<&T::engine_options>("engine_options"));
};
template <>
struct Members<app::PluginAnswer> {
    using T = app::PluginAnswer;
    static constexpr auto list =
        members<T>(member<&T::info>("info"), member<&T::refused>("refused"));
};

}  // namespace lapidary

namespace lapidary::app {

std::string describe_plugin(const std::filesystem::path& file) {
    end_probe_after(plugin_question.seconds);
    PluginAnswer answer;
    try {
        answer.info = open_plugin(file);
    } catch (const Error& error) { answer.refused = error.what(); }
    return line_of(json_of(answer));
}

std::string describe_custom_operators(const std::filesystem::path& file) {
    end_probe_after(custom_operators_question.seconds);
    Json json = Json::object();
    try {
        open_custom_operators(file);
    } catch (const Error& error) { json["refused"] = error.what(); }
    return line_of(json);
}

PluginProbe probe_plugin(const std::filesystem::path& file, const CancelToken& cancel) {
    try {
        const std::string answer = described_in_process(plugin_question, file, cancel);
        auto [info, refused] = read_json<PluginAnswer>(
            parse_json(answer, "the answer of the process that probes plugins"),
            "what a plugin is");
        return {file, std::move(info), std::move(refused)};
    } catch (const std::exception& failure) {
        cancel.throw_if_cancelled();
        return {file, {}, failure.what()};
    }
}

}  // namespace lapidary::app
