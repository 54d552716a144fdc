// SPDX-License-Identifier: Apache-2.0
#include <lapidary/profile.h>

#include <fstream>

#include <nlohmann/json.hpp>

#include <lapidary/error.h>

namespace lapidary {
namespace {

using nlohmann::json;

// Values of a hostile file may have any type: each getter falls back instead of throwing.
std::int64_t integer(const json& o, const char* key, std::int64_t fallback = 0) {
    const auto it = o.find(key);
    return it != o.end() && it->is_number_integer() ? it->get<std::int64_t>() : fallback;
}
std::string text(const json& o, const char* key) {
    const auto it = o.find(key);
    return it != o.end() && it->is_string() ? it->get<std::string>() : std::string();
}
std::int64_t nanoseconds(const json& o, const char* key) {
    const auto it = o.find(key);
    if (it == o.end() || !it->is_number()) return 0;
    const double us = it->get<double>();
    return us > -9e12 && us < 9e12 ? static_cast<std::int64_t>(us * 1e3) : 0;
}

Span span_of(const json& e) {
    static const json empty = json::object();
    const auto found = e.find("args");
    const json& args = found != e.end() && found->is_object() ? *found : empty;
    Span s;
    s.name = text(e, "name");
    s.thread = static_cast<int>(integer(e, "tid"));
    s.op = text(args, "op_name");
    s.kernel = text(args, "kernel");
    s.shapes = text(args, "shapes");
    if (const std::string provider = text(args, "provider"); !provider.empty()) s.provider = provider;
    s.run = static_cast<int>(integer(args, "run"));
    s.depth = static_cast<int>(integer(args, "depth"));
    if (const std::int64_t index = integer(args, "node_index", -1); index >= 0 && index < Id<NodeTag>::none)
        s.node = NodeId(static_cast<std::uint32_t>(index));
    s.begin_ns = integer(args, "begin_ns", nanoseconds(e, "ts"));
    s.end_ns = integer(args, "end_ns", s.begin_ns + nanoseconds(e, "dur"));
    s.bytes = integer(args, "bytes");
    return s;
}

void add(Profile& profile, const json& e) {
    if (!e.is_object()) return;
    const std::string phase = text(e, "ph"), category = text(e, "cat");
    Span s = span_of(e);
    if (phase == "i" && category == "Memory") {
        s.kind = s.name == "allocate" ? EventKind::allocation : EventKind::release;
        s.end_ns = s.begin_ns;
        profile.memory.push_back(std::move(s));
    } else if (phase != "X") {
        return;
    } else if (category == "Session") {
        s.kind = s.name == "model_run" ? EventKind::run : EventKind::phase;
        (s.kind == EventKind::run ? profile.run_spans : profile.phases).push_back(std::move(s));
    } else if (category == "Node") {
        constexpr std::string_view suffix = "_kernel_time";
        if (s.name.ends_with(suffix)) s.name.resize(s.name.size() - suffix.size());
        s.kind = EventKind::kernel;
        profile.kernels.push_back(std::move(s));
    } else if (category == "Range") {
        s.kind = EventKind::range;
        profile.ranges.push_back(std::move(s));
    }
}

}  // namespace

Profile load_chrome_trace(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error(ErrorCode::io_failure, "the file cannot be opened").at(path.string());
    json root;
    try {
        root = json::parse(in);
    } catch (const json::exception& e) {
        throw Error(ErrorCode::invalid_input, std::string("not a Chrome trace: ") + e.what()).at(path.string());
    }
    const json* events = root.is_array() ? &root : root.is_object() && root.contains("traceEvents") ? &root["traceEvents"] : nullptr;
    if (events == nullptr || !events->is_array())
        throw Error(ErrorCode::invalid_input, "not a Chrome trace: expected a list of events or an object with \"traceEvents\"").at(path.string());
    Profile profile;
    profile.model_name = path.filename().string();
    for (const json& e : *events) add(profile, e);
    if (root.is_object() && root.contains("otherData") && root["otherData"].is_object()) {
        const json& other = root["otherData"];
        if (const std::string name = text(other, "model_name"); !name.empty()) profile.model_name = name;
        profile.threads = static_cast<int>(integer(other, "threads", 1));
        profile.peak_bytes = integer(other, "peak_bytes");
        profile.weight_bytes = integer(other, "weight_bytes");
        profile.dropped_events = static_cast<std::uint64_t>(integer(other, "dropped_events"));
    }
    profile.runs = static_cast<int>(profile.run_spans.size());
    return profile;
}

}  // namespace lapidary
