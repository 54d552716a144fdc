// SPDX-License-Identifier: Apache-2.0
#include "custom_ops/custom_operator.h"

#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include <lapidary/base/error.h>

#include "base/process/foreign_call.h"
#include "custom_ops/api_table.h"

namespace lapidary::custom_ops {
namespace {

constexpr std::size_t most_parameters = 64;  // of a description that is no mistake

std::string place_of(const CustomOperator& op) {
    return fmt::format("operator {} of {}", quote(op.domain + "::" + op.name), quote(op.library));
}

/// Calls the library. Its exceptions, and errors kept by functions of the table, become an Error
/// that begins with `place`.
template <typename Body>
auto call_library(const std::string& place, const Body& body) {
    take_api_failure();
    const auto rethrow_kept = [&] {
        const std::exception_ptr kept = take_api_failure();
        if (!kept) return;
        try {
            std::rethrow_exception(kept);
        } catch (const Error& error) { throw Error(error.code(), place + ": " + error.message()); }
    };
    try {
        const ForeignCall inside(place.c_str());
        auto result = body();
        rethrow_kept();
        return result;
    } catch (const Error&) { throw; } catch (const std::exception& exception) {
        rethrow_kept();
        fail(ErrorCode::process_ended, place + " threw an exception: " + exception.what());
    } catch (...) {
        rethrow_kept();
        fail(ErrorCode::process_ended, place + " threw an exception");
    }
}

void check(Status* status, const std::string& place) {
    if (!status) return;
    const std::unique_ptr<Status> held(status);
    const ErrorCode code = held->code == code_invalid_argument  ? ErrorCode::invalid_input
                           : held->code == code_not_implemented ? ErrorCode::not_supported
                                                                : ErrorCode::process_ended;
    fail(code, place + ": " + (held->text.empty() ? "it failed without a reason" : held->text));
}

// ---- description of an operator

Character character(const CustomOp& op, bool is_input, std::size_t i) {
    if (op.version < characters_since) return Character::required;
    const auto ask = is_input ? op.input_character : op.output_character;
    return ask ? static_cast<Character>(ask(&op, i)) : Character::required;
}

int type_of(const CustomOp& op, bool is_input, std::size_t i) {
    return is_input ? op.input_type(&op, i) : op.output_type(&op, i);
}

std::size_t count_of(const CustomOp& op, bool is_input) {
    return is_input ? op.input_count(&op) : op.output_count(&op);
}

/// "*~0": the mark that a schema's line has behind the name.
std::string mark_of(const CustomOp& op, bool is_input, std::size_t i) {
    switch (character(op, is_input, i)) {
    case Character::optional: return "?";
    case Character::variadic: break;
    case Character::required: return "";
    }
    int least = 1, is_homogeneous = 1;
    if (op.version >= variadic_since) {
        const auto ask_least = is_input ? op.variadic_input_minimum : op.variadic_output_minimum;
        const auto ask_same =
            is_input ? op.variadic_input_is_homogeneous : op.variadic_output_is_homogeneous;
        if (ask_least) least = ask_least(&op);
        if (ask_same) is_homogeneous = ask_same(&op);
    }
    return fmt::format("*{}{}", is_homogeneous ? "" : "~", std::max(0, least));
}

std::string all_types() {
    std::string types;
    for (int type = 1; is_known_dtype(type); ++type)
        types += (type > 1 ? "," : "") + std::string(name_of(static_cast<DType>(type)));
    return types;
}

/// The types of parameter `i`, over all variants.
std::string types_of(const CustomOperator& op, bool is_input, std::size_t i) {
    std::set<int> types;
    for (const CustomOp* variant : op.variants)
        if (i < count_of(*variant, is_input)) types.insert(type_of(*variant, is_input, i));
    if (types.contains(0)) return all_types();
    std::string text;
    for (const int type : types) {
        if (!is_known_dtype(type))
            fail_input(fmt::format("{} has element type {} for its {} {}", place_of(op), type,
                                   is_input ? "input" : "output", i));
        text += (text.empty() ? "" : ",") + std::string(name_of(static_cast<DType>(type)));
    }
    return text;
}

/// A line of a schema: "i0:I0 i1?:I1", and its variables: "I0=f32 I1=i64,i32".
void describe(const CustomOperator& op, bool is_input, std::string& parameters,
              std::string& types) {
    const CustomOp& first = *op.variants.front();
    const std::size_t count = count_of(first, is_input);
    for (const CustomOp* variant : op.variants)
        if (count_of(*variant, is_input) != count)
            fail_input(fmt::format("{} has variants of {} and of {} {}", place_of(op), count,
                                   count_of(*variant, is_input), is_input ? "inputs" : "outputs"));
    if (count > most_parameters)
        fail_input(fmt::format("{} has {} {}, more than {}", place_of(op), count,
                               is_input ? "inputs" : "outputs", most_parameters));
    const char letter = is_input ? 'I' : 'O';
    for (std::size_t i = 0; i < count; ++i) {
        parameters += fmt::format("{}{}{}{}:{}{}", i ? " " : "", is_input ? "input" : "output", i,
                                  mark_of(first, is_input, i), letter, i);
        types += fmt::format("{}{}{}={}", types.empty() ? "" : " ", letter, i,
                             types_of(op, is_input, i));
    }
}

/// Parameter of the n-th value of a node: the last one may stand for many.
std::size_t parameter_of(const CustomOp& op, bool is_input, std::size_t n) {
    const std::size_t count = count_of(op, is_input);
    return count == 0 ? 0 : std::min(n, count - 1);
}

/// The variant that takes inputs of these element types (0: not known or absent); null: none does.
const CustomOp* variant_for(const CustomOperator& op, const std::vector<int>& types) {
    for (const CustomOp* variant : op.variants) {
        bool fits = true;
        for (std::size_t i = 0; i < types.size() && fits && count_of(*variant, true) > 0; ++i) {
            const int wanted = type_of(*variant, true, parameter_of(*variant, true, i));
            fits = wanted == 0 || types[i] == 0 || wanted == types[i];
        }
        if (fits) return variant;
    }
    return nullptr;
}

/// Element type of output `i`: the operator's own, else that of its first input that may have any
/// type.
int output_type(const CustomOp& op, std::size_t i, const std::vector<int>& inputs) {
    if (count_of(op, false) == 0) return 0;
    if (const int own = type_of(op, false, parameter_of(op, false, i))) return own;
    for (std::size_t n = 0; n < inputs.size() && count_of(op, true) > 0; ++n)
        if (type_of(op, true, parameter_of(op, true, n)) == 0 && inputs[n] != 0) return inputs[n];
    return 0;
}

int element_type(const Type& type) { return type.is_tensor() ? static_cast<int>(type.dtype) : 0; }

void infer(const CustomOperator& op, InferenceContext& inference) {
    std::vector<int> inputs;
    for (std::size_t i = 0; i < inference.input_count(); ++i)
        inputs.push_back(element_type(inference.input_type(i)));
    const CustomOp* variant = variant_for(op, inputs);
    if (!variant) return;  // reported when a kernel is made
    for (std::size_t i = 0; i < inference.output_count(); ++i)
        if (const int type = output_type(*variant, i, inputs); type != 0)
            inference.output_type(i) = Type::tensor(static_cast<DType>(type));
    if (variant->version < inference_since || !variant->infer) return;
    const std::string place = place_of(op);
    InferContext context{inference};
    const std::unique_ptr<Status> refusal(
        call_library(place, [&] { return variant->infer(variant, &context); }));
    if (refusal) inference.fail(refusal->text);
}

// ---- kernels

class CustomKernel final : public Kernel {
public:
    CustomKernel(const CustomOp& op, std::shared_ptr<const KernelInfo> info)
        : op_(op), info_(std::move(info)), place_(info_->facts->place) {
        kernel_ = call_library(place_, [this] {
            if (op_.version < status_since || !op_.create_v2)
                return op_.create(&op_, api_table(), info_.get());
            void* made = nullptr;
            failure_ = op_.create_v2(&op_, api_table(), info_.get(), &made);
            return made;
        });
        check(std::exchange(failure_, nullptr), place_);
    }
    ~CustomKernel() override {
        if (kernel_ && op_.destroy) op_.destroy(kernel_);
    }
    CustomKernel(const CustomKernel&) = delete;
    CustomKernel& operator=(const CustomKernel&) = delete;

    void run(KernelContext& kernel) const override {
        RunContext context{op_, kernel, output_types(kernel)};
        for (std::size_t i = 0; i < kernel.input_count(); ++i) {
            std::optional<Value>& value = context.inputs.emplace_back();
            if (!kernel.has_input(i)) continue;
            value.emplace();
            value->own = kernel.input(i);
            value->tensor = &*value->own;
        }
        check(call_library(place_,
                           [&]() -> Status* {
                               if (op_.version >= status_since && op_.compute_v2)
                                   return op_.compute_v2(kernel_, &context);
                               op_.compute(kernel_, &context);
                               return nullptr;
                           }),
              place_);
        for (std::size_t i = 0; i < kernel.output_count(); ++i)
            if (kernel.wants_output(i) && (i >= context.outputs.size() || !context.outputs[i]))
                fail(ErrorCode::process_ended, fmt::format("{} gave no output {}", place_, i));
    }

private:
    std::vector<int> output_types(KernelContext& kernel) const {
        std::vector<int> inputs, outputs;
        for (std::size_t i = 0; i < kernel.input_count(); ++i)
            inputs.push_back(kernel.has_input(i) ? static_cast<int>(kernel.input(i).dtype()) : 0);
        for (std::size_t i = 0; i < kernel.output_count(); ++i) {
            int type = output_type(op_, i, inputs);
            // the model may have more information
            if (type == 0 || type_of(op_, false, parameter_of(op_, false, i)) == 0)
                if (const int declared = info_->facts->output_types[i].element_type)
                    type = declared;
            outputs.push_back(type);
        }
        return outputs;
    }

    const CustomOp& op_;
    std::shared_ptr<const KernelInfo> info_;
    const std::string place_;
    void* kernel_ = nullptr;
    Status* failure_ = nullptr;
};

std::shared_ptr<const KernelInfo> info_of(const CustomOperator& op, const KernelRequest& request) {
    auto facts = std::make_shared<KernelInfo::Facts>();
    facts->place = place_of(op);
    facts->node = request.node;
    const auto name_of_value = [&](ValueId id) {
        return id ? request.graph.value(id).name : std::string();
    };
    for (std::size_t i = 0; i < request.node.inputs.size(); ++i) {
        facts->input_names.push_back(name_of_value(request.node.inputs[i]));
        facts->input_types.push_back(type_and_shape(request.input_type(i)));
        const Tensor* constant = request.constant(i);
        facts->constants.push_back(constant ? std::optional(*constant) : std::nullopt);
    }
    for (std::size_t i = 0; i < request.node.outputs.size(); ++i) {
        facts->output_names.push_back(name_of_value(request.node.outputs[i]));
        facts->output_types.push_back(
            type_and_shape(request.node.outputs[i] ? request.output_type(i) : Type{}));
    }
    return std::make_shared<const KernelInfo>(KernelInfo{std::move(facts)});
}

std::unique_ptr<Kernel> make_kernel(const CustomOperator& op, const KernelRequest& request,
                                    std::string& reason) {
    std::vector<int> types;
    for (std::size_t i = 0; i < request.node.inputs.size(); ++i)
        types.push_back(element_type(request.input_type(i)));
    const CustomOp* variant = variant_for(op, types);
    if (!variant) {
        reason = "no variant of it takes inputs of these element types";
        return nullptr;
    }
    return std::make_unique<CustomKernel>(*variant, info_of(op, request));
}

}  // namespace

AddedOperator added_operator(const CustomOperator& op) {
    std::string inputs, outputs, types;
    describe(op, true, inputs, types);
    describe(op, false, outputs, types);
    std::int64_t version = 1;
    const CustomOp& first = *op.variants.front();
    if (first.version >= inference_since && first.first_version)
        version = std::max<std::int64_t>(1, first.first_version(&first));
    AddedOperator added;
    added.schema = parse_schema(op.domain, op.name, version, inputs, outputs, types, "");
    added.source = "library " + quote(op.library);
    added.takes_any_attribute = true;
    added.infer = [op](InferenceContext& context) { infer(op, context); };
    return added;
}

AddedKernel added_kernel(const CustomOperator& op) {
    AddedKernel kernel;
    kernel.domain = op.domain;
    kernel.op_type = op.name;
    kernel.name = "custom." + op.name;
    kernel.make = [op](const KernelRequest& request, std::string& reason) {
        return make_kernel(op, request, reason);
    };
    return kernel;
}

}  // namespace lapidary::custom_ops
