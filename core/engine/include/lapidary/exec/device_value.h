// SPDX-License-Identifier: Apache-2.0
// A tensor that lies where a later run reads it, in the memory of a device: what ONNX Runtime calls
// an OrtValue that IOBinding keeps there.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

class ResidentBlock;

/// A value of a run that stays where it was made (RunOptions::resident_outputs) or was put
/// (Session::to_device()), for later runs to read there (RunOptions::device_inputs), or a plain
/// tensor in host memory. It never changes: no run writes to its memory while a DeviceValue refers
/// to it. Copies share the memory. It is freed when the last copy is destroyed, which may be after
/// the session. May be used from several threads at once.
class DeviceValue {
public:
    DeviceValue() = default;  // absent
    /// A value in host memory, which runs take as any other input. Shares the tensor's storage.
    DeviceValue(Tensor tensor) : tensor_(std::move(tensor)) {}

    explicit operator bool() const { return static_cast<bool>(tensor_); }  // false: absent
    /// element type; undefined: absent
    DType dtype() const { return tensor_.dtype(); }
    /// dimensions, outermost first
    const Shape& shape() const { return tensor_.shape(); }
    std::size_t byte_size() const { return tensor_.byte_size(); }  // of its elements
    bool is_on_host() const { return block_ == nullptr; }          // true also when absent
    /// The provider in whose memory it lies, named as in StepInfo::provider: "cuda", "CPU".
    const std::string& provider() const;
    /// Its elements in host memory: the tensor itself where it lies there, a copy where it does
    /// not. Throws what the device throws, limit_exceeded where the host has no memory.
    Tensor to_host() const;

private:
    friend class ResidentMemory;
    DeviceValue(Tensor slot, std::shared_ptr<const ResidentBlock> block)
        : tensor_(std::move(slot)), block_(std::move(block)) {}

    Tensor tensor_;                               // on a device: without data
    std::shared_ptr<const ResidentBlock> block_;  // null: in host memory
};

/// A value under the name of the graph input or output that it is for or was.
struct NamedDeviceValue {
    std::string name;   // of the input or output
    DeviceValue value;  // never absent in what a run gives
};

}  // namespace lapidary
