// SPDX-License-Identifier: Apache-2.0
#include "operators/elementwise.h"

#include <algorithm>
#include <limits>

namespace lapidary::cuda {

Dims broadcast(const Dims& a, const Dims& b) {
    Dims out(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 1; i <= out.size(); ++i) {
        const std::int64_t da = i <= a.size() ? a[a.size() - i] : 1,
                           db = i <= b.size() ? b[b.size() - i] : 1;
        if (da != db && da != 1 && db != 1)
            KernelRun::fail("operands do not broadcast: " + std::to_string(da) + " against " +
                            std::to_string(db));
        out[out.size() - i] = da == 1 ? db : da;
    }
    return out;
}

std::int32_t count_32(const Dims& dims) {
    const std::int64_t count = count_of(dims);
    if (count > std::numeric_limits<std::int32_t>::max())
        throw DeviceError(LP_UNSUPPORTED, "a tensor of " + std::to_string(count) +
                                              " elements: kernels count to 2^31");
    return static_cast<std::int32_t>(count);
}

void set_axes(ElementwiseArgs& args, const Dims& output, const std::vector<Dims>& shapes) {
    args.count = count_32(output);
    const std::size_t rank = output.size();
    std::vector<Dims> strides;  // by operand, then by axis of the output
    for (const Dims& shape : shapes) {
        Dims of(rank, 0);
        std::int64_t step = 1;
        for (std::size_t i = 1; i <= shape.size(); ++i) {
            if (shape[shape.size() - i] != 1) of[rank - i] = step;
            step *= shape[shape.size() - i];
        }
        strides.push_back(std::move(of));
    }
    Dims dims;
    std::vector<Dims> kept(shapes.size());
    for (std::size_t axis = 0; axis < rank; ++axis) {
        if (output[axis] == 1) continue;
        bool merges = !dims.empty();
        for (std::size_t k = 0; k < shapes.size() && merges; ++k)
            merges = kept[k].back() == strides[k][axis] * output[axis];
        if (!merges) dims.push_back(output[axis]);
        else dims.back() *= output[axis];
        for (std::size_t k = 0; k < shapes.size(); ++k) {
            if (merges) kept[k].back() = strides[k][axis];
            else kept[k].push_back(strides[k][axis]);
        }
    }
    if (dims.size() > max_axes)
        throw DeviceError(LP_UNSUPPORTED, "operands that broadcast along more than 8 axes");
    args.axes = std::max<std::int32_t>(1, static_cast<std::int32_t>(dims.size()));
    std::fill(args.dims, args.dims + max_axes, 1);
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
        args.dims[axis] = static_cast<std::int32_t>(dims[axis]);
        for (std::size_t k = 0; k < shapes.size(); ++k)
            args.input[k].strides[axis] = static_cast<std::int32_t>(kept[k][axis]);
    }
}

Domain domain_of(std::initializer_list<std::int32_t> types) {
    bool has_floats = false, has_doubles = false;
    for (std::int32_t type : types) {
        if (!is_float(type) && !is_integer(type) && type != boolean && type != f64)
            throw Refusal("there is no kernel for " + type_name(type));
        has_floats = has_floats || is_float(type);
        has_doubles = has_doubles || type == f64;
    }
    return has_doubles ? Domain::doubles : has_floats ? Domain::floats : Domain::integers;
}

void ElementwiseKernel::run(KernelRun& run) const {
    ElementwiseArgs args;
    args.domain = domain;
    args.inputs = static_cast<std::int32_t>(operands.size());
    args.steps = static_cast<std::int32_t>(steps.size());
    std::copy(steps.begin(), steps.end(), args.step);
    std::vector<Dims> shapes;
    Dims output;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        Array in = run.input(operands[k].input);
        args.input[k].data = in.data;
        args.input[k].type = in.type;
        if (operands[k].lies == Lies::along_last) {
            if (shapes.at(0).empty()) KernelRun::fail("input 0 is one number");
            run.require_dims(operands[k].input, {shapes[0].back()});
        }
        if (operands[k].lies == Lies::along_channels) {
            const std::size_t rank = shapes.at(0).size();
            if (rank == 0) KernelRun::fail("input 0 is one number");
            const std::int64_t channels = rank == 1 ? 1 : shapes[0][1];
            if (in.count() != channels)
                KernelRun::fail("input " + std::to_string(operands[k].input) + ": expected " +
                                std::to_string(channels) + " elements, found " + text_of(in.dims));
            in.dims = {channels};
            for (std::size_t axis = 2; axis < rank; ++axis) in.dims.push_back(1);
        }
        output = k == 0 ? in.dims : broadcast(output, in.dims);
        shapes.push_back(std::move(in.dims));
    }
    if (keeps_first_shape && output != shapes[0])
        KernelRun::fail("an operand does not broadcast to input 0");
    set_axes(args, output, shapes);
    args.output = run.output(0, output_type, output);
    args.output_type = output_type;
    args.node = run.node();
    launch_elementwise(run.queue(), args);
}

Step activation_step(const std::string& name, const std::vector<float>& parameters) {
    struct Row {
        const char* name;
        Op op;
        float alpha, beta;
    };
    static constexpr Row rows[] = {{"", Op::identity, 0, 0},
                                   {"Relu", Op::relu, 0, 0},
                                   {"LeakyRelu", Op::leaky_relu, 0.01f, 0},
                                   {"Clip", Op::clip, -3.402823466e38f, 3.402823466e38f},
                                   {"Sigmoid", Op::sigmoid, 0, 0},
                                   {"HardSigmoid", Op::hard_sigmoid, 0.2f, 0.5f},
                                   {"Tanh", Op::tanh, 0, 0},
                                   {"Gelu", Op::gelu, 0, 0},
                                   {"FastGelu", Op::gelu_tanh, 0, 0},
                                   {"QuickGelu", Op::quick_gelu, 1.702f, 0},
                                   {"Silu", Op::silu, 0, 0},
                                   {"HardSwish", Op::hard_swish, 0, 0},
                                   {"Elu", Op::elu, 1, 0},
                                   {"Softplus", Op::softplus, 0, 0}};
    for (const Row& row : rows)
        if (name == row.name)
            return {row.op,
                    0,
                    constant_operand,
                    constant_operand,
                    parameters.empty() ? row.alpha : parameters[0],
                    parameters.size() < 2 ? row.beta : parameters[1]};
    throw Refusal("activation \"" + name + "\" has no kernel");
}

}  // namespace lapidary::cuda
