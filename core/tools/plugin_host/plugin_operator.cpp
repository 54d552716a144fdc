// SPDX-License-Identifier: Apache-2.0
#include "plugin_host/plugin_operator.h"

#include <lapidary/base/error.h>

#include "ops/dimensions/dim_algebra.h"
#include "plugin_host/made_outputs.h"
#include "plugin_host/plugin_call.h"
#include "plugin_host/plugin_node.h"

namespace lapidary {
namespace {

constexpr std::int32_t most_rank = 64;

std::string text_of(const char* text) { return text ? text : ""; }

/// "plugin 'x': operator 'd::Op'": begins each message of one.
std::string operator_place(const std::string& plugin, const LpOperator& op) {
    return "plugin " + quote(plugin) + ": operator " +
           quote(text_of(op.domain) + "::" + text_of(op.name));
}

void require_type(LpType type, const std::string& place) {
    if (!is_known_dtype(type) || type == static_cast<LpType>(DType::string))
        fail(ErrorCode::process_ended,
             place + " gives an output of element type " + std::to_string(type));
}

void require_rank(std::int32_t rank, const std::int64_t* dims, const std::string& place) {
    if (rank < 0 || rank > most_rank || (rank > 0 && !dims))
        fail(ErrorCode::process_ended, place + " gives an output of rank " + std::to_string(rank));
}

// ---- inference

struct OutputSink : LpInference {
    InferenceContext* context = nullptr;
    std::string place;
    CallbackFailure failure;
};

void set_inferred_output(LpInference* inference, std::uint32_t output, LpType type,
                         std::int32_t rank, const std::int64_t* dims, const char* const* symbols) {
    auto& sink = *static_cast<OutputSink*>(inference);
    sink.failure.guard([&] {
        if (output >= sink.context->output_count()) return;  // omitted by the node
        if (type != 0) {
            require_type(type, sink.place);
            Type& to = sink.context->output_type(output);
            to = Type::tensor(static_cast<DType>(type));
        }
        require_rank(rank, dims, sink.place);
        SymbolicShape shape;
        for (std::int32_t i = 0; i < rank; ++i) {
            const char* symbol = symbols ? symbols[i] : nullptr;
            shape.push_back(symbol ? dim_from_name(symbol) : dims[i] >= 0 ? Dim(dims[i]) : Dim());
        }
        sink.context->set_output_shape(output, std::move(shape));
    });
}

void infer(const LpOperator& op, const std::string& place, InferenceContext& context) {
    const Node& node = context.node();
    PluginNode view(node, find_schema(node.domain, node.op_type, context.version()));
    static const std::string given = "x", omitted;
    for (std::size_t i = 0; i < context.input_count(); ++i) {
        const auto& known = context.input_value(i).tensor;
        view.add_input(context.has_input(i) ? given : omitted, context.input_type(i),
                       known ? &*known : nullptr);
    }
    for (std::size_t i = 0; i < context.output_count(); ++i) view.add_output(given, Type{});
    OutputSink sink;
    sink.size = sizeof(LpInference);
    sink.set_output = &set_inferred_output;
    sink.context = &context;
    sink.place = place;
    std::string refusal;
    call_plugin(place, [&](LpError* error) {
        const std::int32_t code = op.infer(&view.view(), &sink, error);
        if (code == LP_INVALID) refusal = plugin_text(*error, code);
        return code == LP_INVALID || code == LP_UNSUPPORTED ? LP_OK : code;
    });
    sink.failure.rethrow();
    if (!refusal.empty()) context.fail(refusal);
}

// ---- running

struct RunOfNode : LpRun {
    KernelContext* context = nullptr;
    std::string place;
    std::vector<Tensor> scratch_tensors;
    MadeOutputs made;
    CallbackFailure failure;
};

std::int32_t wants_output(LpRun* run, std::uint32_t output) {
    return static_cast<RunOfNode*>(run)->context->wants_output(output) ? 1 : 0;
}

void* make_output(LpRun* run, std::uint32_t output, LpType type, std::int32_t rank,
                  const std::int64_t* dims) {
    auto& of = *static_cast<RunOfNode*>(run);
    void* data = nullptr;
    of.failure.guard([&] {
        require_type(type, of.place);
        require_rank(rank, dims, of.place);
        Tensor& made =
            of.context->output(output, static_cast<DType>(type), Shape(dims, dims + rank));
        data = made.size() == 0 ? &of : made.mutable_raw();  // an empty tensor is no failure
        of.made.add(output);
    });
    return data;
}

void* make_scratch(LpRun* run, std::uint64_t bytes) {
    auto& of = *static_cast<RunOfNode*>(run);
    void* data = nullptr;
    of.failure.guard([&] {
        if (bytes > INT64_MAX)
            fail_limit(of.place + " asks for " + std::to_string(bytes) + " bytes");
        data = of.scratch_tensors
                   .emplace_back(of.context->scratch(DType::u8, {static_cast<std::int64_t>(bytes)}))
                   .mutable_raw();
    });
    return data;
}

class OperatorKernel final : public Kernel {
public:
    OperatorKernel(const LpOperator& op, std::string place, LpKernel kernel)
        : op_(op), place_(std::move(place)), kernel_(kernel) {}
    ~OperatorKernel() override {
        if (op_.destroy) op_.destroy(kernel_);
    }
    OperatorKernel(const OperatorKernel&) = delete;
    OperatorKernel& operator=(const OperatorKernel&) = delete;

    void run(KernelContext& context) const override {
        std::vector<LpTensor> inputs;
        for (std::size_t i = 0; i < context.input_count(); ++i) {
            const Tensor* tensor = context.optional_input(i);
            inputs.push_back(tensor ? plugin_tensor(*tensor) : omitted());
        }
        const PluginJob job{context.threads(), context.cancel()};
        RunOfNode run;
        run.size = sizeof(LpRun);
        run.input_count = static_cast<std::uint32_t>(inputs.size());
        run.output_count = static_cast<std::uint32_t>(context.output_count());
        run.inputs = inputs.data();
        run.tensor_stride = sizeof(LpTensor);
        run.job = reinterpret_cast<LpJob>(const_cast<PluginJob*>(&job));
        run.wants_output = &wants_output;
        run.output = &make_output;
        run.scratch = &make_scratch;
        run.context = &context;
        run.place = place_;
        call_plugin(place_, [&](LpError* error) {
            const std::int32_t code = op_.run(kernel_, &run, error);
            run.failure.rethrow();
            return code;
        });
        run.made.require(context, context.output_count(), place_);
    }

private:
    static LpTensor omitted() {
        LpTensor none{};
        none.size = sizeof(none);
        none.rank = -1;
        return none;
    }

    const LpOperator& op_;
    const std::string place_;
    LpKernel kernel_;
};

std::unique_ptr<Kernel> make_kernel(const LpOperator& op, const std::string& place,
                                    const KernelRequest& request, std::string& reason) {
    const Node& node = request.node;
    PluginNode view(node, find_schema(node.domain, node.op_type, node.version));
    static const std::string omitted;
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        view.add_input(request.has_input(i) ? request.graph.value(node.inputs[i]).name : omitted,
                       request.input_type(i), request.constant(i));
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        view.add_output(node.outputs[i] ? request.graph.value(node.outputs[i]).name : omitted,
                        node.outputs[i] ? request.output_type(i) : Type{});
    LpKernel kernel = nullptr;
    reason = ask_plugin(place, [&](LpError* error) {
        return op.make ? op.make(&plugin_host(), &view.view(), &kernel, error) : LP_OK;
    });
    if (!reason.empty()) return nullptr;
    return std::make_unique<OperatorKernel>(op, place, kernel);
}

}  // namespace

PluginOperator plugin_operator(const std::string& plugin, const LpOperator& op) {
    const std::string place = operator_place(plugin, op);
    if (!LP_HAS(&op, destroy) || !op.run)
        fail_input(place + " has no function run: expected a struct LpOperator of interface " +
                   std::to_string(LP_MAJOR));
    PluginOperator made;
    made.added.schema =
        parse_schema(text_of(op.domain), text_of(op.name), op.since_version, text_of(op.inputs),
                     text_of(op.outputs), text_of(op.types), text_of(op.attributes));
    made.added.source = "plugin " + quote(plugin);
    if (op.infer)
        made.added.infer = [&op, place](InferenceContext& context) { infer(op, place, context); };
    made.kernel.domain = made.added.schema.domain;
    made.kernel.op_type = made.added.schema.name;
    made.kernel.min_version = made.added.schema.since_version;
    made.kernel.name = plugin + "." + made.added.schema.name;
    made.kernel.make = [&op, place](const KernelRequest& request, std::string& reason) {
        return make_kernel(op, place, request, reason);
    };
    return made;
}

}  // namespace lapidary
