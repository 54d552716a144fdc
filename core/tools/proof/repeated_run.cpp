// SPDX-License-Identifier: Apache-2.0
#include <lapidary/bench/repeated_run.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

bool may_be_reversed(const Tensor& tensor) {
    if (tensor.dtype() == DType::string ||
        storage_bytes(tensor.dtype(), 2) == storage_bytes(tensor.dtype(), 1))
        return false;  // 4-bit
    return is_float(tensor.dtype()) || tensor.rank() >= 2;
}

Tensor reversed(const Tensor& tensor) {
    Tensor out = tensor.clone();
    const auto count = static_cast<std::size_t>(tensor.size());
    if (count < 2) return out;
    const std::size_t width = tensor.byte_size() / count;
    const auto* from = static_cast<const std::byte*>(tensor.raw());
    auto* to = static_cast<std::byte*>(out.mutable_raw());
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(to + i * width, from + (count - 1 - i) * width, width);
    return out;
}

}  // namespace

NamedValues changed_inputs(const NamedValues& inputs, const CancelToken& cancel) {
    NamedValues out;
    for (const auto& [name, value] : inputs) {
        cancel.throw_if_cancelled();
        if (value.is_tensor() && may_be_reversed(value.tensor()))
            out.emplace_back(name, reversed(value.tensor()));
        else out.emplace_back(name, value);
    }
    return out;
}

RepeatedRun run_repeatedly(Session& session, const NamedValues& inputs,
                           std::span<const NamedValues> others, const CancelToken& cancel) {
    RunOptions options;
    options.cancel = cancel;
    RepeatedRun result;
    result.first = session.run(inputs, options).outputs;
    for (const NamedValues& other : others) {
        auto& outputs = result.between.emplace_back();
        try {
            outputs = session.run(other, options).outputs;
        } catch (const Error& error) {  // sizes made of the inputs may pass a limit
            if (error.code() != ErrorCode::invalid_input &&
                error.code() != ErrorCode::limit_exceeded)
                throw;
        }
    }
    const auto start = std::chrono::steady_clock::now();
    result.last = session.run(inputs, options).outputs;
    result.last_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace lapidary
