// SPDX-License-Identifier: Apache-2.0
#include "openvino_model.h"

#include <algorithm>
#include <cstring>

namespace ov {
namespace {

/// One for the process: it holds OpenVINO's plugins.
const Core* core(const Library& library) {
    static Core* const made = [&] {
        Core* created = nullptr;
        library.check(library.core_create(&created), "start");
        return created;
    }();
    return made;
}

Model* read(const Library& library, const LpModelSource& source) {
    Model* model = nullptr;
    if (source.file)
        library.check(library.read_model(core(library), source.file, nullptr, &model),
                      "read the model");
    else
        library.check(library.read_bytes(core(library), static_cast<const char*>(source.data),
                                         source.bytes, nullptr, &model),
                      "read the model");
    return model;
}

}  // namespace

EngineModel::EngineModel(const LpHost* host, const LpModelSource& source, Settings settings)
    : host_(host), library_(Library::open()), settings_(std::move(settings)),
      model_(read(library_, source), library_.model_free) {
    add_values(true, input_views_);
    add_values(false, output_views_);
    plain_ = std::make_unique<Runner>(compile(false));
}

void EngineModel::add_values(bool is_input, std::vector<LpValue>& views) {
    std::size_t count = 0;
    library_.check((is_input ? library_.inputs_size : library_.outputs_size)(model_.get(), &count),
                   "count values");
    for (std::size_t i = 0; i < count; ++i) {
        Port* found = nullptr;
        library_.check((is_input ? library_.input : library_.output)(model_.get(), i, &found),
                       "describe a value");
        const Held<Port> port(found, library_.port_free);
        char* name = nullptr;
        library_.check(library_.port_name(port.get(), &name), "name a value");
        names_.emplace_back(name ? name : "");
        library_.free(name);
        int type = 0;
        library_.check(library_.port_type(port.get(), &type), "say the type of a value");
        PartialShape shape;
        library_.check(library_.port_shape(port.get(), &shape), "say the shape of a value");
        const bool has_rank = shape.rank.min == shape.rank.max;
        std::vector<std::int64_t>& dims = dims_.emplace_back();
        for (std::int64_t d = 0; has_rank && d < shape.rank.min; ++d)
            dims.push_back(shape.dims[d].min == shape.dims[d].max ? shape.dims[d].min : -1);
        library_.partial_shape_free(&shape);
        LpValue value{};
        value.size = sizeof(value);
        value.type = library_.onnx_type(type);
        value.name = names_.back().c_str();
        value.rank = has_rank ? static_cast<std::int32_t>(dims.size()) : -1;
        value.dims = dims.data();
        views.push_back(value);
    }
}

Runner EngineModel::compile(bool has_times) const {
    std::vector<const char*> words{"PERFORMANCE_HINT", "LATENCY", "PERF_COUNT",
                                   has_times ? "YES" : "NO"};
    if (settings_.threads != "0")
        words.insert(words.end(), {"INFERENCE_NUM_THREADS", settings_.threads.c_str()});
    if (settings_.streams != "0")
        words.insert(words.end(), {"NUM_STREAMS", settings_.streams.c_str()});
    if (settings_.precision != "model")
        words.insert(words.end(), {"INFERENCE_PRECISION_HINT", settings_.precision.c_str()});
    const std::size_t count = words.size();
    words.resize(10);  // those behind `count` are not read
    Compiled* compiled = nullptr;
    library_.check(library_.compile(core(library_), model_.get(), "CPU", count, &compiled, words[0],
                                    words[1], words[2], words[3], words[4], words[5], words[6],
                                    words[7], words[8], words[9]),
                   "compile the model");
    Runner runner{{compiled, library_.compiled_free}, {nullptr, library_.request_free}, {}, 0};
    Request* request = nullptr;
    library_.check(library_.create_request(compiled, &request), "make a request");
    runner.request.reset(request);
    return runner;
}

bool EngineModel::run(LpRun* run, LpSpans* spans) {
    const bool is_new = spans && !timed_;
    if (is_new) timed_ = std::make_unique<Runner>(compile(true));
    Runner& runner = *(spans ? timed_ : plain_);
    Request* const request = runner.request.get();
    set_inputs(request, run);
    if (is_new) keep_first_times(runner);
    const std::int64_t begin = host_->now_ns();
    library_.check(library_.infer(request), "run the model");
    if (spans) report(runner, spans, begin);
    return give_outputs(request, run);
}

void EngineModel::set_inputs(Request* request, const LpRun* run) const {
    for (std::uint32_t i = 0; i < run->input_count; ++i) {
        const LpTensor& given = *lp_run_input(run, i);
        const std::string name = input_views_.at(i).name;
        if (given.rank < 0) throw Failure("input '" + name + "' is not given");
        const int type = library_.type_of(given.type);
        if (type < 0)
            throw Failure("input '" + name + "' has element type " + std::to_string(given.type) +
                          " (as ONNX numbers them), which OpenVINO is not given");
        std::vector<std::int64_t> dims(given.dims, given.dims + given.rank);
        Tensor* tensor = nullptr;
        library_.check(library_.tensor_over(type, {given.rank, dims.data()}, given.data, &tensor),
                       "take an input");
        const Held<Tensor> held(tensor, library_.tensor_free);
        library_.check(library_.set_input(request, i, tensor), "take an input");
    }
}

void EngineModel::keep_first_times(Runner& runner) const {
    library_.check(library_.infer(runner.request.get()), "run the model");
    NodeTimes times;
    library_.check(library_.node_times(runner.request.get(), &times), "report times");
    for (std::size_t i = 0; i < times.count; ++i) runner.first_us.push_back(times.items[i].real_us);
    library_.times_free(&times);
}

/// OpenVINO reports means over all runs, in the order in which nodes ran, but not when. They are
/// put one behind the other from the begin of the run, without what the first run took, and where
/// they are more than this run took, all shorter by the same share.
void EngineModel::report(Runner& runner, LpSpans* spans, std::int64_t begin) const {
    const auto taken = static_cast<double>(host_->now_ns() - begin);
    NodeTimes times;
    library_.check(library_.node_times(runner.request.get(), &times), "report times");
    const auto runs = static_cast<double>(++runner.runs);
    constexpr int has_run = 2;
    std::vector<double> ns(times.count, 0);
    double sum = 0;
    for (std::size_t i = 0; i < times.count; ++i) {
        if (times.items[i].status != has_run) continue;
        const double first = i < runner.first_us.size() ? double(runner.first_us[i]) : 0;
        const double all = double(times.items[i].real_us) * (runs + 1);
        ns[i] = std::max(0.0, (all - first) / runs * 1000);
        sum += ns[i];
    }
    const double share = sum > taken ? taken / sum : 1;
    auto at = static_cast<double>(begin);
    for (std::size_t i = 0; i < times.count; ++i) {
        const NodeTime& node = times.items[i];
        if (node.status != has_run) continue;
        LpSpan span{};
        span.size = sizeof(span);
        span.kind = LP_SPAN_KERNEL;
        span.node = node.name;
        span.op = node.type;
        span.kernel = node.kernel;
        span.time.begin_ns = static_cast<std::int64_t>(at);
        at += ns[i] * share;
        span.time.end_ns = static_cast<std::int64_t>(at);
        spans->add(spans, &span);
    }
    library_.times_free(&times);
}

bool EngineModel::give_outputs(Request* request, LpRun* run) const {
    for (std::uint32_t i = 0; i < run->output_count; ++i) {
        if (!run->wants_output(run, i)) continue;
        Tensor* found = nullptr;
        library_.check(library_.get_output(request, i, &found), "give an output");
        const Held<Tensor> tensor(found, library_.tensor_free);
        int type = 0;
        std::size_t bytes = 0;
        Shape shape;
        void* data = nullptr;
        library_.check(library_.tensor_type(found, &type), "describe an output");
        library_.check(library_.tensor_shape(found, &shape), "describe an output");
        library_.check(library_.tensor_bytes(found, &bytes), "describe an output");
        library_.check(library_.tensor_data(found, &data), "read an output");
        const int onnx_type = library_.onnx_type(type);
        void* const to =
            onnx_type == 0
                ? nullptr
                : run->output(run, i, onnx_type, static_cast<std::int32_t>(shape.rank), shape.dims);
        library_.shape_free(&shape);
        if (onnx_type == 0)
            throw Failure("output '" + std::string(output_views_.at(i).name) +
                          "' has a type of OpenVINO that ONNX has no name for here");
        if (!to) return false;
        std::memcpy(to, data, bytes);
    }
    return true;
}

}  // namespace ov
