// SPDX-License-Identifier: Apache-2.0
// Runs a model on memory of the caller, inputs and outputs, with session options, and compares with
// the engine's plain reference kernels:
//   run_with_own_buffers MODEL.onnx [THREADS]
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/proof/compare.h>
#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/exec/session.h>

namespace {

using Buffer = std::vector<float>;

/// An input of the model and the memory of ours that holds it.
struct OwnInput {
    std::string name;
    std::shared_ptr<Buffer> buffer;
};

/// Memory for every output but strings, of the types and shapes that a run gave. It begins at a
/// multiple of 64 bytes, so that kernels can write there themselves.
std::vector<lapidary::OutputBuffer> own_outputs(const lapidary::NamedValues& outputs) {
    constexpr std::size_t alignment = 64;
    std::vector<lapidary::OutputBuffer> buffers;
    for (const auto& [name, value] : outputs) {
        if (!value.is_tensor() || value.tensor().dtype() == lapidary::DType::string) continue;
        const lapidary::Tensor& given = value.tensor();
        const std::size_t bytes = (given.byte_size() / alignment + 1) * alignment;
        const std::shared_ptr<void> memory(std::aligned_alloc(alignment, bytes), std::free);
        if (memory == nullptr) throw std::bad_alloc();
        buffers.push_back(
            {name, lapidary::Tensor::borrow(given.dtype(), given.shape(), memory.get(), memory)});
    }
    return buffers;
}

/// The concrete shape of an input; free dimensions have the sizes of `sizes`.
lapidary::Shape shape_of(const lapidary::Type& type, const lapidary::DimensionSizes& sizes) {
    lapidary::Shape shape;
    for (const lapidary::Dim& dim : *type.shape)
        shape.push_back(lapidary::size_of(dim, sizes).value_or(1));
    return shape;
}

/// Lends a buffer to the engine for every float32 input. Nothing is copied: the tensor refers to
/// our memory, and keeps it alive as its owner.
lapidary::NamedValues lend_inputs(const lapidary::Model& model, std::vector<OwnInput>& own) {
    const lapidary::DimensionSizes sizes = lapidary::input_dimensions(model);
    lapidary::NamedValues inputs;
    for (const lapidary::ValueId id : model.graph.inputs()) {
        const lapidary::Value& input = model.graph.value(id);
        if (input.constant) continue;  // it has a default
        if (input.type.dtype != lapidary::DType::f32 || !input.type.shape) continue;
        const lapidary::Shape shape = shape_of(input.type, sizes);
        auto buffer =
            std::make_shared<Buffer>(static_cast<std::size_t>(lapidary::element_count(shape)));
        inputs.emplace_back(input.name, lapidary::Tensor::borrow(lapidary::DType::f32, shape,
                                                                 buffer->data(), buffer));
        own.push_back({input.name, std::move(buffer)});
    }
    return inputs;
}

void fill(std::vector<OwnInput>& own, int frame) {
    for (OwnInput& input : own)
        for (std::size_t i = 0; i < input.buffer->size(); ++i)
            (*input.buffer)[i] =
                static_cast<float>((i * 31 + static_cast<std::size_t>(frame) * 7) % 256) / 255.0f;
}

int run(const char* path, int threads) {
    const auto model = std::make_shared<const lapidary::Model>(lapidary::load_model(path));

    lapidary::SessionOptions options;
    options.resources.threads = threads;  // 0: one per core that this process may use
    // a run that would hold more fails with limit_exceeded
    options.limits.run_bytes = 2ull << 30;
    // any option by ONNX Runtime's name
    options.resources.config["session.set_denormal_as_zero"] = "1";
    lapidary::Session session = lapidary::Session::compile(model, options);

    lapidary::SessionOptions plain = options;
    plain.reference_kernels = true;  // slow, written to be obviously right
    lapidary::Session reference = lapidary::Session::compile(model, plain);

    std::vector<OwnInput> own;
    lapidary::NamedValues inputs = lend_inputs(*model, own);
    std::printf("%zu inputs lent, %d threads\n", own.size(), session.threads());
    // Inputs of other types get values that suit what the graph does with them.
    for (auto& generated : lapidary::generate_inputs(*model, inputs))
        inputs.push_back(std::move(generated));

    // run_options.cancel.cancel() ends the run from another thread
    lapidary::RunOptions run_options;
    // given again, so that the storage of its outputs is used again
    lapidary::RunResult result;
    bool agrees = true;
    fill(own, 0);
    run_options.output_buffers = own_outputs(session.run(inputs, run_options).outputs);
    for (int frame = 0; frame < 3; ++frame) {
        // while no run is under way the memory is ours to write
        fill(own, frame);
        session.run(inputs, run_options, result);
        const lapidary::RunResult expected = reference.run(inputs);
        for (const lapidary::OutputComparison& output :
             lapidary::compare_outputs(result.outputs, expected.outputs)) {
            const lapidary::Comparison& found = output.comparison;
            agrees = agrees && found.matches;
            std::printf("frame %d  %s: %s\n", frame, output.name.c_str(),
                        found.matches ? "as the reference kernels" : found.reason.c_str());
        }
        for (const lapidary::CopiedOutput& copied : result.copied_outputs)
            std::printf("  %s was copied into our memory: %s\n", copied.name.c_str(),
                        copied.reason.c_str());
        for (const lapidary::OutputBuffer& buffer : run_options.output_buffers)
            for (const auto& [name, value] : result.outputs)
                if (name == buffer.name)
                    agrees = agrees && value.tensor().raw() == buffer.tensor.raw();
        // Elements are read where the session left them; data<float>() throws unless the tensor
        // holds float32.
        const auto& [name, value] = result.outputs.front();
        if (value.is_tensor() && value.tensor().dtype() == lapidary::DType::f32 &&
            value.tensor().size() > 0)
            std::printf("  %s, %s, begins with %g\n", name.c_str(), value.describe().c_str(),
                        value.tensor().data<float>()[0]);
    }
    return agrees ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) {
        std::fprintf(stderr, "usage: run_with_own_buffers MODEL.onnx [THREADS]\n");
        return 2;
    }
    try {
        return run(argv[1], argc == 3 ? std::atoi(argv[2]) : 0);
    } catch (const lapidary::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
}
