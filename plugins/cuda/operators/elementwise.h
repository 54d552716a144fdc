// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <vector>

#include "kernels/elementwise/elementwise.h"
#include "node_kernel.h"

namespace lapidary::cuda {

/// A program over inputs of the node, all of which broadcast to the output.
class ElementwiseKernel final : public NodeKernel {
public:
    /// How an input of one axis broadcasts: as it is, along axis 1 of input 0, or along its last
    /// axis.
    enum class Lies : std::uint8_t { as_it_is, along_channels, along_last };
    struct Operand {
        std::size_t input = 0;
        Lies lies = Lies::as_it_is;
    };
    std::vector<Operand> operands;
    std::vector<Step> steps;
    Domain domain = Domain::floats;
    std::int32_t output_type = f32;
    bool keeps_first_shape = false;  // else the shape that all broadcast to

    void run(KernelRun& run) const override;
};

/// The shape to which both broadcast. Throws DeviceError.
Dims broadcast(const Dims& a, const Dims& b);
/// Fills axes, dims, count and strides; `shapes` have at most as many axes as the output and are
/// aligned to its last axis.
void set_axes(ElementwiseArgs& args, const Dims& output, const std::vector<Dims>& shapes);
/// The number of elements. Throws DeviceError where it does not fit 32 bits.
std::int32_t count_32(const Dims& dims);

/// The number domain that can compute with inputs of these types. Throws Refusal.
Domain domain_of(std::initializer_list<std::int32_t> types);

/// The activation of a fused operator by its name there and its parameters, with ONNX's defaults
/// where parameters are missing. Throws Refusal for names that are not known; "" is identity.
Step activation_step(const std::string& name, const std::vector<float>& parameters);

}  // namespace lapidary::cuda
