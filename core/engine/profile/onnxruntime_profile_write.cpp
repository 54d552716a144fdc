// SPDX-License-Identifier: Apache-2.0
#include <lapidary/profile/onnxruntime_profile.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <lapidary/profile/session_overhead.h>
#include <lapidary/profile/trace_file.h>

#include "base/files/atomic_stream.h"

namespace lapidary {
namespace {

using Json = nlohmann::ordered_json;

constexpr int process = 1;
constexpr std::string_view domain_mark = "::";

struct SeenTensor {
    DType dtype = DType::undefined;
    std::vector<std::int64_t> shape;
    std::optional<std::uint64_t> bytes;  // nothing: strings, whose length no shape gives
};

/// "f32[1,3,224,224]", as SpanText::shapes has it.
std::optional<SeenTensor> parse_tensor(std::string_view text) {
    const std::size_t bracket = text.find('[');
    if (bracket == std::string_view::npos || !text.ends_with(']')) return std::nullopt;
    const auto dtype = dtype_from_name(text.substr(0, bracket));
    if (!dtype) return std::nullopt;
    SeenTensor tensor{*dtype, {}, {}};
    std::string_view sizes = text.substr(bracket + 1, text.size() - bracket - 2);
    while (!sizes.empty()) {
        std::int64_t size = 0;
        const auto [rest, status] =
            std::from_chars(sizes.data(), sizes.data() + sizes.size(), size);
        if (status != std::errc() || size < 0) return std::nullopt;
        tensor.shape.push_back(size);
        sizes.remove_prefix(static_cast<std::size_t>(rest - sizes.data()));
        if (sizes.empty()) break;
        if (!sizes.starts_with(',')) return std::nullopt;
        sizes.remove_prefix(1);
    }
    std::uint64_t bits = bit_width(*dtype);
    for (const std::int64_t size : tensor.shape)
        if (__builtin_mul_overflow(bits, static_cast<std::uint64_t>(size), &bits))
            return tensor;  // a file may say anything
    if (*dtype != DType::string) tensor.bytes = (bits + 7) / 8;
    return tensor;
}

/// The tensors of one side of "f32[1,3] x f32[3] -> f32[1]"; empty where something else is among
/// them.
std::optional<std::vector<SeenTensor>> parse_tensors(std::string_view text) {
    std::vector<SeenTensor> tensors;
    while (!text.empty()) {
        const std::size_t space = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, space);
        text.remove_prefix(std::min(space + 1, text.size()));
        if (word.empty() || word == "x") continue;
        const auto tensor = parse_tensor(word);
        if (!tensor) return std::nullopt;
        tensors.push_back(*tensor);
    }
    return tensors;
}

Json type_shapes(const std::vector<SeenTensor>& tensors) {
    Json list = Json::array();
    for (const SeenTensor& tensor : tensors)
        list.push_back({{std::string(onnx_name_of(tensor.dtype)), tensor.shape}});
    return list;
}

/// Bytes of all tensors, as text; empty where one is not known.
std::optional<std::string> bytes_text(const std::vector<SeenTensor>& tensors) {
    std::uint64_t bytes = 0;
    for (const SeenTensor& tensor : tensors) {
        if (!tensor.bytes) return std::nullopt;
        bytes += *tensor.bytes;
    }
    return std::to_string(bytes);
}

/// Which of the inputs that a step had are constants. Empty: not known.
std::optional<std::vector<bool>> parameters_of(const Span& kernel, const Graph* executed,
                                               std::size_t inputs) {
    if (executed == nullptr || !kernel.node || !executed->is_alive(kernel.node))
        return std::nullopt;
    std::vector<bool> constant;
    for (const ValueId id : executed->node(kernel.node).inputs)
        if (id) constant.push_back(executed->value(id).constant.has_value());
    if (constant.size() != inputs) return std::nullopt;
    return constant;
}

void add_types(Json& args, const Profile& profile, const Span& kernel, const Graph* executed) {
    const std::string_view text = profile.shapes(kernel);
    const std::size_t arrow = text.find("->");
    if (arrow == std::string_view::npos) return;
    if (const auto inputs = parse_tensors(text.substr(0, arrow))) {
        args["input_type_shape"] = type_shapes(*inputs);
        if (const auto constant = parameters_of(kernel, executed, inputs->size())) {
            std::vector<SeenTensor> parameters, activations;
            for (std::size_t i = 0; i < inputs->size(); ++i)
                ((*constant)[i] ? parameters : activations).push_back((*inputs)[i]);
            if (const auto bytes = bytes_text(parameters)) args["parameter_size"] = *bytes;
            if (const auto bytes = bytes_text(activations)) args["activation_size"] = *bytes;
        }
    }
    if (const auto outputs = parse_tensors(text.substr(arrow + 2))) {
        args["output_type_shape"] = type_shapes(*outputs);
        if (const auto bytes = bytes_text(*outputs)) args["output_size"] = *bytes;
    }
}

std::int64_t microseconds(std::int64_t ns) { return ns / 1000; }

/// The part of threads in a kernel: of the one that walks the graph its time in the loop, of the
/// others how often they helped.
Json scheduling(const Profile& profile, const Span& kernel) {
    const std::vector<Span>& ranges = profile.ranges;
    const std::string& name = profile.name(kernel);
    std::int64_t run_ns = 0;
    bool shared = false;
    std::map<int, int> helped;
    auto range = std::ranges::lower_bound(ranges, kernel.begin_ns, {}, &Span::begin_ns);
    for (; range != ranges.end() && range->begin_ns < kernel.end_ns; ++range) {
        if (range->end_ns > kernel.end_ns || profile.name(*range) != name) continue;
        shared = true;
        if (range->thread == kernel.thread) run_ns += range->duration_ns();
        else ++helped[range->thread];
    }
    if (!shared) return "";  // as ONNX Runtime says it of one thread
    Json stats{{"main_thread",
                {{"thread_pool_name", "session-1-intra-op"},
                 {"thread_id", std::to_string(kernel.thread)},
                 {"Run", microseconds(run_ns)}}}};
    stats["sub_threads"] = Json::object();
    for (const auto& [thread, times] : helped)
        stats["sub_threads"][std::to_string(thread)] = {{"num_run", times}};
    return stats;
}

class OnnxRuntimeProfileWriter {
public:
    explicit OnnxRuntimeProfileWriter(std::ostream& out) : out_(out) { out_ << "["; }
    /// A time that was begun within a span ends within it too: both ends are rounded, not the
    /// duration.
    void event(std::string_view category, const std::string& name, int thread,
               std::int64_t begin_ns, std::int64_t end_ns, Json args) {
        const std::int64_t begin = microseconds(begin_ns);
        const Json e{{"cat", category}, {"pid", process},
                     {"tid", thread},   {"dur", microseconds(end_ns) - begin},
                     {"ts", begin},     {"ph", "X"},
                     {"name", name},    {"args", std::move(args)}};
        out_ << (first_ ? "\n" : ",\n") << e.dump(-1, ' ', false, Json::error_handler_t::replace);
        first_ = false;
    }
    void finish() { out_ << "\n]\n"; }

private:
    std::ostream& out_;
    bool first_ = true;
};

void write_phases(OnnxRuntimeProfileWriter& writer, const Profile& profile) {
    const auto is_named = [&](const Span& phase, std::string_view ours, std::string_view theirs) {
        const std::string& name = profile.name(phase);
        return phase.depth == 0 && (name == ours || name.starts_with(theirs));
    };
    for (const Span& p : profile.phases)
        if (const std::string& name = profile.name(p); is_named(p, load_phase, "model_loading_"))
            writer.event("Session", name == load_phase ? "model_loading_uri" : name, p.thread,
                         p.begin_ns, p.end_ns, Json::object());
    std::optional<std::int64_t> begin, end;
    for (const Span& p : profile.phases)
        if (profile.name(p) == optimization_phase ||
            is_named(p, initialization_phase, "session_initialization")) {
            begin = std::min(begin.value_or(p.begin_ns), p.begin_ns);
            end = std::max(end.value_or(p.end_ns), p.end_ns);
        }
    if (begin) writer.event("Session", "session_initialization", 0, *begin, *end, Json::object());
}

}  // namespace

void write_onnxruntime_profile(const Profile& profile, const Graph* executed, std::ostream& out) {
    OnnxRuntimeProfileWriter writer(out);
    write_phases(writer, profile);
    auto kernel = profile.kernels.begin();
    const auto write_kernels = [&](std::int64_t before_ns) {
        for (; kernel != profile.kernels.end() && kernel->begin_ns < before_ns; ++kernel) {
            const std::string& op = profile.op(*kernel);
            const std::size_t mark = op.find(domain_mark);
            Json args{{"op_name", mark == std::string::npos || op.find(' ') < mark
                                      ? op
                                      : op.substr(mark + domain_mark.size())},
                      {"provider", profile.provider(*kernel) + "ExecutionProvider"}};
            if (kernel->node) args["node_index"] = std::to_string(kernel->node.index);
            add_types(args, profile, *kernel, executed);
            args["thread_scheduling_stats"] = scheduling(profile, *kernel);
            writer.event("Node", profile.name(*kernel) + "_kernel_time", kernel->thread,
                         kernel->begin_ns, kernel->end_ns, std::move(args));
        }
    };
    for (const Span& run : profile.run_spans) {  // an event is written at its end
        write_kernels(run.end_ns);
        writer.event("Session", "SequentialExecutor::Execute", run.thread, run.begin_ns, run.end_ns,
                     Json::object());
        writer.event("Session", "model_run", run.thread, run.begin_ns, run.end_ns,
                     {{"written_by", name_of(TraceSource::lapidary)}});
    }
    write_kernels(std::numeric_limits<std::int64_t>::max());
    writer.finish();
}

void save_onnxruntime_profile(const Profile& profile, const Graph* executed,
                              const std::filesystem::path& path) {
    save_by_stream(path,
                   [&](std::ostream& out) { write_onnxruntime_profile(profile, executed, out); });
}

}  // namespace lapidary
