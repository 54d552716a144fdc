// SPDX-License-Identifier: Apache-2.0
// An engine that reads ONNX files by itself and runs a few operators on 32-bit floats, one thread,
// one type. At levels extended and all it puts an Add and the Relu behind it into one kernel.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "plugin_abi.h"

namespace {

using Shape = std::vector<std::int64_t>;

/// A value of the graph.
struct Value {
    std::string name;
    Shape dims;                        // -1: not known
    std::vector<std::string> symbols;  // parallel to dims
    std::vector<float> data;           // of a constant, or of the run
    std::int64_t type = 1;
    bool is_given = false;  // data means something
};

struct Step {
    std::string name, op;
    std::vector<std::string> inputs, outputs;
    bool then_relu = false;
};

std::int32_t say(LpError* error, std::int32_t code, const std::string& text) {
    std::snprintf(error->text, sizeof(error->text), "%s", text.c_str());
    return code;
}

/// Fields of a message in protobuf's encoding.
class Message {
public:
    explicit Message(std::string_view bytes) : bytes_(bytes) {}
    bool next() {
        if (at_ >= bytes_.size()) return false;
        const std::uint64_t key = varint();
        field = static_cast<int>(key >> 3);
        number = 0;
        text = {};
        switch (key & 7) {
        case 0: number = varint(); break;
        case 1: text = take(8); break;
        case 2: text = take(varint()); break;
        case 5: text = take(4); break;
        default: at_ = bytes_.size();
        }
        return true;
    }
    int field = 0;
    std::uint64_t number = 0;
    std::string_view text;

private:
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (int shift = 0; at_ < bytes_.size() && shift < 64; shift += 7) {
            const auto byte = static_cast<unsigned char>(bytes_[at_++]);
            value |= std::uint64_t{byte & 0x7fu} << shift;
            if (byte < 0x80) break;
        }
        return value;
    }
    std::string_view take(std::uint64_t count) {
        const std::string_view part = bytes_.substr(at_, count);
        at_ += part.size();
        return part;
    }
    std::string_view bytes_;
    std::size_t at_ = 0;
};

void read_dimension(std::string_view bytes, Value& value) {
    std::int64_t size = -1;
    std::string symbol;
    for (Message m(bytes); m.next();)
        if (m.field == 1) size = static_cast<std::int64_t>(m.number);
        else if (m.field == 2) symbol = m.text;
    value.dims.push_back(size);
    value.symbols.push_back(symbol);
}

Value read_value(std::string_view bytes) {
    Value value;
    for (Message m(bytes); m.next();) {
        if (m.field == 1) value.name = m.text;
        if (m.field != 2) continue;
        for (Message type(m.text); type.next();) {
            if (type.field != 1) continue;
            for (Message tensor(type.text); tensor.next();) {
                if (tensor.field == 1) value.type = static_cast<std::int64_t>(tensor.number);
                if (tensor.field != 2) continue;
                for (Message shape(tensor.text); shape.next();)
                    if (shape.field == 1) read_dimension(shape.text, value);
            }
        }
    }
    return value;
}

void append_floats(std::string_view bytes, std::vector<float>& to) {
    const std::size_t before = to.size();
    to.resize(before + bytes.size() / sizeof(float));
    std::memcpy(to.data() + before, bytes.data(), bytes.size() / sizeof(float) * sizeof(float));
}

Value read_constant(std::string_view bytes) {
    Value value;
    value.is_given = true;
    for (Message m(bytes); m.next();) {
        if (m.field == 1 && m.text.empty())
            value.dims.push_back(static_cast<std::int64_t>(m.number));
        if (m.field == 1)
            for (const char packed : m.text) value.dims.push_back(packed);  // sizes below 128
        if (m.field == 2) value.type = static_cast<std::int64_t>(m.number);
        if (m.field == 8) value.name = m.text;
        if (m.field == 4 || m.field == 9) append_floats(m.text, value.data);
    }
    return value;
}

Step read_step(std::string_view bytes) {
    Step step;
    for (Message m(bytes); m.next();) {
        if (m.field == 1) step.inputs.emplace_back(m.text);
        if (m.field == 2) step.outputs.emplace_back(m.text);
        if (m.field == 3) step.name = m.text;
        if (m.field == 4) step.op = m.text;
    }
    return step;
}

using Unary = float (*)(float);
using Binary = float (*)(float, float);
const std::map<std::string, Unary> unary{{"Relu", [](float x) { return x > 0 ? x : 0; }},
                                         {"Neg", [](float x) { return -x; }},
                                         {"Exp", [](float x) { return std::exp(x); }},
                                         {"Abs", [](float x) { return std::fabs(x); }}};
const std::map<std::string, Binary> binary{{"Add", [](float a, float b) { return a + b; }},
                                           {"Sub", [](float a, float b) { return a - b; }},
                                           {"Mul", [](float a, float b) { return a * b; }}};

}  // namespace

struct LpModel_ {
    const LpHost* host;
    std::string wrong;  // option wrong
    std::vector<Value> inputs, outputs;
    std::map<std::string, Value> constants;
    std::vector<Step> steps;
    std::vector<LpValue> input_views, output_views;
    std::vector<std::vector<const char*>> symbols;
};

namespace {

void read_graph(std::string_view bytes, LpModel_& model) {
    for (Message m(bytes); m.next();) {
        if (m.field == 1) model.steps.push_back(read_step(m.text));
        if (m.field == 11) model.inputs.push_back(read_value(m.text));
        if (m.field == 12) model.outputs.push_back(read_value(m.text));
        if (m.field != 5) continue;
        Value constant = read_constant(m.text);
        const std::string name = constant.name;
        model.constants.emplace(name, std::move(constant));
    }
}

void join_steps(LpModel_& model) {
    for (std::size_t i = 0; i + 1 < model.steps.size(); ++i) {
        Step &first = model.steps[i], &second = model.steps[i + 1];
        if (first.op != "Add" || second.op != "Relu" || second.inputs[0] != first.outputs[0])
            continue;
        const auto reads = [&](const Step& s) {
            return std::ranges::count(s.inputs, first.outputs[0]);
        };
        std::ptrdiff_t uses = std::ranges::count(model.outputs, first.outputs[0], &Value::name);
        for (const Step& step : model.steps) uses += reads(step);
        if (uses != 1) continue;
        first.outputs = second.outputs;
        first.then_relu = true;
        model.steps.erase(model.steps.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
}

const LpOptionInfo options[] = {
    {sizeof(LpOptionInfo), "level", "disabled, basic, extended or all", "all",
     "How much is put into one kernel"},
    {sizeof(LpOptionInfo), "wrong", "nothing, run, crash, output or type", "nothing",
     "What goes wrong"}};

std::uint32_t option_infos(const LpOptionInfo** infos, std::uint32_t* stride) {
    *infos = options;
    *stride = sizeof(LpOptionInfo);
    return 2;
}

std::int32_t load(const LpHost* host, const LpModelSource* source, const LpOptions* given,
                  LpModel* loaded, LpError* error) {
    std::string bytes;
    if (source->file) {
        std::ifstream in(source->file, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
    } else {
        bytes.assign(static_cast<const char*>(source->data), source->bytes);
    }
    auto* model = new LpModel_{};
    model->host = host;
    std::string level = "all";
    for (std::uint32_t i = 0; i < given->count; ++i)
        (std::strcmp(given->items[i].key, "level") == 0 ? level : model->wrong) =
            given->items[i].value;
    for (Message m(bytes); m.next();)
        if (m.field == 7) read_graph(m.text, *model);
    std::erase_if(model->inputs, [&](const Value& v) { return model->constants.contains(v.name); });
    for (const Step& step : model->steps) {
        if (unary.contains(step.op) || binary.contains(step.op)) continue;
        const std::string text = "node '" + step.name + "': it has no kernel for " + step.op;
        delete model;
        return say(error, LP_UNSUPPORTED, text);
    }
    if (level == "extended" || level == "all") join_steps(*model);
    const auto add_views = [model](const std::vector<Value>& values, std::vector<LpValue>& views) {
        for (const Value& value : values) {
            std::vector<const char*>& symbols = model->symbols.emplace_back();
            for (const std::string& symbol : value.symbols)
                symbols.push_back(symbol.empty() ? nullptr : symbol.c_str());
            views.push_back({sizeof(LpValue), static_cast<LpType>(value.type), value.name.c_str(),
                             static_cast<std::int32_t>(value.dims.size()), value.dims.data(),
                             symbols.data(), nullptr});
        }
    };
    add_views(model->inputs, model->input_views);
    add_views(model->outputs, model->output_views);
    *loaded = model;
    return LP_OK;
}

std::uint32_t list(const std::vector<LpValue>& views, const LpValue** values,
                   std::uint32_t* stride) {
    *values = views.data();
    *stride = sizeof(LpValue);
    return static_cast<std::uint32_t>(views.size());
}
std::uint32_t inputs(LpModel model, const LpValue** values, std::uint32_t* stride) {
    return list(model->input_views, values, stride);
}
std::uint32_t outputs(LpModel model, const LpValue** values, std::uint32_t* stride) {
    return list(model->output_views, values, stride);
}

std::int32_t compute(const Step& step, const std::map<std::string, Value>& values, Value& out,
                     LpError* error) {
    const Value& a = values.at(step.inputs[0]);
    if (const auto one = unary.find(step.op); one != unary.end()) {
        out = a;
        std::ranges::transform(out.data, out.data.begin(), one->second);
        return LP_OK;
    }
    const Value& b = values.at(step.inputs[1]);
    if (a.dims != b.dims && b.data.size() != 1)
        return say(error, LP_UNSUPPORTED, "node '" + step.name + "': shapes differ");
    out = a;
    const Binary two = binary.at(step.op);
    for (std::size_t i = 0; i < out.data.size(); ++i)
        out.data[i] = two(a.data[i], b.data[b.data.size() == 1 ? 0 : i]);
    if (step.then_relu) std::ranges::transform(out.data, out.data.begin(), unary.at("Relu"));
    return LP_OK;
}

void report(const LpModel_& model, LpSpans* spans, const Step& step, std::int64_t begin) {
    LpSpan span{};
    span.size = sizeof(span);
    span.kind = LP_SPAN_KERNEL;
    span.node = step.name.c_str();
    span.op = step.op.c_str();
    span.kernel = step.then_relu ? "abacus.add_relu" : "abacus.beads";
    span.time = {begin, model.host->now_ns()};
    spans->add(spans, &span);
}

std::int32_t run(LpModel model, LpRun* run, LpSpans* spans, LpError* error) {
    if (model->wrong == "run") return say(error, LP_INVALID, "the beads are stuck");
    if (model->wrong == "crash") std::abort();
    std::map<std::string, Value> values = model->constants;
    for (std::uint32_t i = 0; i < run->input_count; ++i) {
        const LpTensor* tensor = lp_run_input(run, i);
        const std::string& name = model->inputs[i].name;
        if (tensor->rank < 0 || tensor->type != 1)
            return say(error, LP_INVALID,
                       "input '" + name + "': expected a tensor of 32-bit floats");
        Value& value = values[name];
        value.dims.assign(tensor->dims, tensor->dims + tensor->rank);
        const auto* data = static_cast<const float*>(tensor->data);
        value.data.assign(data, data + tensor->bytes / sizeof(float));
    }
    for (const Step& step : model->steps) {
        if (model->host->cancelled(run->job)) return say(error, LP_CANCELLED, "cancelled");
        const std::int64_t begin = model->host->now_ns();
        Value out;
        if (const std::int32_t code = compute(step, values, out, error)) return code;
        values[step.outputs[0]] = std::move(out);
        if (spans) report(*model, spans, step, begin);
    }
    if (model->wrong == "output") return LP_OK;
    for (std::uint32_t i = 0; i < run->output_count; ++i) {
        const Value& value = values.at(model->outputs[i].name);
        void* to = run->output(run, i, model->wrong == "type" ? 4711 : 1,
                               static_cast<std::int32_t>(value.dims.size()), value.dims.data());
        if (!to) return LP_INTERNAL;
        std::memcpy(to, value.data.data(), value.data.size() * sizeof(float));
    }
    return LP_OK;
}

void release(LpModel model) { delete model; }

const LpEngine engine = {sizeof(LpEngine), "abacus", "3.5", nullptr, option_infos, load,
                         inputs,           outputs,  run,   release};

const LpPlugin plugin = {sizeof(LpPlugin), LP_MAJOR, LP_MINOR,     1,
                         "test_engine",    "1.0",    "Apache-2.0", "An engine for tests",
                         nullptr,          nullptr,  &engine};

}  // namespace

extern "C" LP_EXPORT const LpPlugin* LP_ENTRY(const LpHost*, LpError*) { return &plugin; }
