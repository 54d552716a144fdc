// SPDX-License-Identifier: Apache-2.0
#include "profile/trace_event_reader.h"

#include <charconv>

#include <nlohmann/json.hpp>

namespace lapidary {
namespace {

using nlohmann::json;

constexpr std::size_t deepest = 64;  // containers inside each other

std::string_view dtype_name(std::string_view theirs) {
    constexpr std::pair<std::string_view, std::string_view> names[] = {
        {"float", "f32"}, {"double", "f64"}, {"float16", "f16"}, {"bfloat16", "bf16"},
        {"int8", "i8"},   {"int16", "i16"},  {"int32", "i32"},   {"int64", "i64"},
        {"uint8", "u8"},  {"uint16", "u16"}, {"uint32", "u32"},  {"uint64", "u64"},
        {"bool", "bool"}};
    for (const auto& [name, ours] : names)
        if (name == theirs) return ours;
    return theirs;
}

/// Parser events to trace events. Depth counts open containers; the keys of those around a value
/// say what it is.
class Handler final : public nlohmann::json_sax<json> {
public:
    Handler(const std::function<void(const TraceEvent&)>& add, TraceFacts& facts, TraceEnd& end)
        : add_(add), facts_(facts), end_(end) {}

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t value) override {
        return number(static_cast<double>(value), value);
    }
    bool number_unsigned(number_unsigned_t value) override {
        return number(static_cast<double>(value), static_cast<std::int64_t>(value));
    }
    bool number_float(number_float_t value, const string_t&) override {
        return number(value, -1, false);
    }
    bool binary(binary_t&) override { return true; }

    bool string(string_t& value) override {
        if (is_other() && key(1) == "model_name") facts_.model_name = value;
        if (!in_event()) return true;
        if (inner() == 1) {
            if (key(0) == "ph") event_.phase = value;
            else if (key(0) == "cat") event_.category = value;
            else if (key(0) == "name") event_.name = value;
        } else if (is_argument()) {
            if (key(1) == "op_name") event_.op = value;
            else if (key(1) == "kernel") event_.kernel = value;
            else if (key(1) == "ran_on_reference_kernel") event_.fallback = value;
            else if (key(1) == "provider") event_.provider = value;
            else if (key(1) == "shapes") event_.shapes = value;
            else if (key(1) == "written_by") facts_.written_by = value;
            else if (std::int64_t parsed = 0;
                     std::from_chars(value.data(), value.data() + value.size(), parsed).ec ==
                     std::errc())
                argument(parsed, true);
        }
        return true;
    }

    bool start_object(std::size_t) override {
        if (!open(false)) return false;
        if (in_event() && inner() == 1) event_.clear();
        return true;
    }
    bool end_object() override {
        if (in_event() && inner() == 1) {
            ++end_.events;
            add_(event_);
        }
        levels_.pop_back();
        return true;
    }
    bool start_array(std::size_t) override {
        const bool is_list =
            levels_.empty() || (levels_.size() == 1 && levels_[0].key == "traceEvents");
        if (!open(true)) return false;
        if (is_list) {
            list_depth_ = levels_.size();
            end_.has_events = true;
        } else if (std::string* text = shape_text()) {
            *text +=
                std::string(text->empty() ? "" : " x ") + std::string(dtype_name(key(3))) + "[";
        }
        return true;
    }
    bool end_array() override {
        if (std::string* text = shape_text()) *text += "]";
        levels_.pop_back();
        return true;
    }
    bool key(string_t& name) override {
        levels_.back().key = name;
        if (in_event() && inner() == 4 && key(1) == "thread_scheduling_stats" &&
            key(2) == "sub_threads" && facts_.pool_threads.size() < 1024)
            facts_.pool_threads.insert(name);
        return true;
    }
    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) override {
        // without the library's own name for it
        const std::string_view text = error.what(), what = text.substr(text.find("] ") + 2);
        end_.stopped_at = position;
        end_.problem = "byte " + std::to_string(position) + ": " + std::string(what);
        return false;
    }

private:
    struct Level {
        std::string key;
        bool is_array = false;
    };

    bool open(bool is_array) {
        if (levels_.size() >= deepest) {
            end_.problem = "more than " + std::to_string(deepest) + " levels";
            return false;
        }
        levels_.push_back({{}, is_array});
        return true;
    }
    /// Inside an element of the list of events that is an object.
    bool in_event() const {
        return list_depth_ != 0 && levels_.size() > list_depth_ && !levels_[list_depth_].is_array;
    }
    std::size_t inner() const { return levels_.size() - list_depth_; }
    const std::string& key(std::size_t level) const {
        return levels_[(list_depth_ != 0 && in_event() ? list_depth_ : 0) + level].key;
    }
    bool is_argument() const { return inner() == 2 && key(0) == "args"; }
    bool is_other() const {
        return !in_event() && levels_.size() == 2 && levels_[0].key == "otherData";
    }

    /// Within the dimensions of one tensor of ONNX Runtime's input_type_shape: [{"float": [1, 3]}].
    std::string* shape_text() {
        if (!in_event() || inner() != 5 || key(0) != "args" || !levels_.back().is_array)
            return nullptr;
        return key(1) == "input_type_shape"    ? &event_.inputs
               : key(1) == "output_type_shape" ? &event_.outputs
                                               : nullptr;
    }

    bool number(double value, std::int64_t whole, bool is_whole = true) {
        if (std::string* text = shape_text()) {
            if (text->back() != '[') *text += ",";
            *text += is_whole ? std::to_string(whole) : "?";
        } else if (in_event() && inner() == 1) {
            if (key(0) == "ts") event_.start_us = value;
            else if (key(0) == "dur") event_.duration_us = value;
            else if (key(0) == "tid" && is_whole) event_.thread = whole;
        } else if (in_event() && is_argument()) {
            argument(whole, is_whole);
        } else if (is_other() && is_whole) {
            if (key(1) == "threads") facts_.threads = whole;
            else if (key(1) == "peak_bytes") facts_.peak_bytes = whole;
            else if (key(1) == "weight_bytes") facts_.weight_bytes = whole;
            else if (key(1) == "dropped_events") facts_.dropped_events = whole;
        }
        return true;
    }

    void argument(std::int64_t value, bool is_whole) {
        if (!is_whole) return;
        if (key(1) == "begin_ns") event_.begin_ns = value;
        else if (key(1) == "end_ns") event_.end_ns = value;
        else if (key(1) == "bytes" || key(1) == "output_size") event_.bytes = value;
        else if (key(1) == "run") event_.run = value;
        else if (key(1) == "depth") event_.depth = value;
        else if (key(1) == "node_index") event_.node_index = value;
    }

    const std::function<void(const TraceEvent&)>& add_;
    TraceFacts& facts_;
    TraceEnd& end_;
    std::vector<Level> levels_;
    std::size_t list_depth_ = 0;
    TraceEvent event_;
};

}  // namespace

void TraceEvent::clear() {
    for (std::string* text :
         {&phase, &category, &name, &op, &kernel, &fallback, &provider, &shapes, &inputs, &outputs})
        text->clear();
    start_us = duration_us = 0;
    begin_ns = end_ns = -1;
    thread = bytes = 0;
    depth = run = node_index = -1;
}

TraceEnd read_trace_events(std::span<const std::byte> text,
                           const std::function<void(const TraceEvent&)>& add, TraceFacts& facts) {
    TraceEnd end;
    Handler handler(add, facts, end);
    const auto* begin = reinterpret_cast<const char*>(text.data());
    json::sax_parse(begin, begin + text.size(), &handler, json::input_format_t::json, false);
    return end;
}

}  // namespace lapidary
