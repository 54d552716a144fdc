// SPDX-License-Identifier: Apache-2.0
#include "worker/process/engine_probe.h"

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>

#include "worker/protocol/described_json.h"
#include "worker/process/library_probe.h"

namespace lapidary {

template <>
struct Members<OnnxRuntimeProviderState> {
    using T = OnnxRuntimeProviderState;
    static constexpr auto list =
        members<T>(member<&T::name>("name"), member<&T::unusable>("unusable"));
};
template <>
struct Members<OnnxRuntimeDevice> {
    using T = OnnxRuntimeDevice;
    static constexpr auto list = members<T>(member<&T::provider>("provider"),
                                            member<&T::vendor>("vendor"), member<&T::kind>("kind"));
};
template <>
struct Members<OnnxRuntimeInfo> {
    using T = OnnxRuntimeInfo;
    static constexpr auto list =
        members<T>(member<&T::path>("path"), member<&T::version>("version"),
                   member<&T::in_python>("in_python"), member<&T::unusable>("unusable"),
                   member<&T::providers>("providers"), member<&T::devices>("devices"));
};

}  // namespace lapidary

namespace lapidary::app {
namespace {

OnnxRuntimeInfo unusable_engine(const std::filesystem::path& place, std::string why) {
    OnnxRuntimeInfo info;
    info.path = place;
    info.unusable = std::move(why);
    return info;
}

}  // namespace

std::string describe_engine(const std::filesystem::path& place) {
    end_probe_after(onnxruntime_question.seconds);
    return line_of(json_of(describe_onnxruntime(place)));
}

OnnxRuntimeInfo probe_onnxruntime(const std::filesystem::path& place, const CancelToken& cancel) {
    try {
        const std::string answer = described_in_process(onnxruntime_question, place, cancel);
        return read_json<OnnxRuntimeInfo>(
            parse_json(answer, "the answer of the process that probes engines"),
            "what an ONNX Runtime is");
    } catch (const std::exception& failure) {
        cancel.throw_if_cancelled();
        return unusable_engine(place, failure.what());
    }
}

std::vector<OnnxRuntimeInfo> probe_onnxruntimes(const std::filesystem::path& place,
                                                const CancelToken& cancel) {
    std::vector<OnnxRuntimeInfo> found;
    std::vector<std::filesystem::path> places;
    try {
        places = onnxruntime_places(place);
    } catch (const std::exception& failure) { return {unusable_engine(place, failure.what())}; }
    for (const std::filesystem::path& one : places) {
        // a bare name is resolved by the dynamic linker, which mostly finds none
        const bool is_bare = !one.has_parent_path();
        OnnxRuntimeInfo info = probe_onnxruntime(one, cancel);
        if (is_bare && !info.unusable.empty()) continue;
        const bool is_known = std::ranges::any_of(found, [&](const OnnxRuntimeInfo& other) {
            return !info.version.empty() && other.path == info.path;
        });
        if (!is_known) found.push_back(std::move(info));
    }
    return found;
}

}  // namespace lapidary::app
