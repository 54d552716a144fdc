// SPDX-License-Identifier: Apache-2.0
#include "second_provider.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <forward_list>
#include <mutex>
#include <set>
#include <thread>

#include <lapidary/base/error.h>

#include "base/memory/page_memory.h"
#include "base/threads/inside_task.h"
#include "recorded_kernel.h"
#include "profile/recorder.h"
#include "support/protected_pages.h"

namespace lapidary::test {
namespace {

/// Pages that are accessible only while a kernel or a copy works on them. New ones are filled with
/// invalid values.
class ProtectedBlock final : public DeviceBlock {
public:
    ProtectedBlock(std::uint64_t bytes, std::shared_ptr<SecondProvider::Counts> counts)
        : counts_(std::move(counts)), asked_(static_cast<std::int64_t>(bytes)) {
        const auto page = page_size();
        bytes_ = (bytes + page - 1) / page * page;
        data_ = map_pages(bytes_, Pages::usual);
        if (data_ == nullptr)
            fail_limit("no " + std::to_string(bytes_) + " bytes on the second provider");
        std::memset(data_, 0xa5, bytes_);
        protect_pages(data_, bytes_, false);
        ++counts_->blocks;
        ++counts_->made;
        const std::int64_t held = counts_->held += asked_;
        for (std::int64_t peak = counts_->peak;
             peak < held && !counts_->peak.compare_exchange_weak(peak, held);) {}
    }
    ~ProtectedBlock() override {
        unmap_pages(data_, bytes_);
        --counts_->blocks;
        counts_->held -= asked_;
    }

    void open() {
        const std::lock_guard lock(mutex_);
        if (users_++ == 0) protect_pages(data_, bytes_, true);
    }
    void close() {
        const std::lock_guard lock(mutex_);
        if (--users_ == 0) protect_pages(data_, bytes_, false);
    }
    std::byte* at(std::uint64_t offset, std::uint64_t bytes) const {
        if (offset > bytes_ || bytes > bytes_ - offset)
            fail(ErrorCode::internal, "outside of the block");
        return static_cast<std::byte*>(data_) + offset;
    }

private:
    std::shared_ptr<SecondProvider::Counts> counts_;
    const std::int64_t asked_;
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    std::mutex mutex_;
    int users_ = 0;
};

/// Makes the blocks of one kernel or copy accessible until its destruction.
class OpenBlocks {
public:
    OpenBlocks() = default;
    OpenBlocks(const OpenBlocks&) = delete;
    OpenBlocks& operator=(const OpenBlocks&) = delete;
    ~OpenBlocks() {
        for (const auto& block : blocks_) block->close();
    }
    std::byte* open(const DevicePlace& place, std::uint64_t bytes) {
        auto block = std::dynamic_pointer_cast<ProtectedBlock>(place.block);
        if (block == nullptr) fail(ErrorCode::internal, "memory of another provider");
        if (blocks_.insert(block).second) block->open();
        return block->at(place.offset, bytes);
    }

private:
    std::set<std::shared_ptr<ProtectedBlock>> blocks_;
};

void take_time(std::uint64_t what) {
    // up to 63
    std::this_thread::sleep_for(std::chrono::microseconds(what * 0x9e3779b97f4a7c15ull >> 58));
}

thread_local DeviceTime newest_work;

class Timed {
public:
    Timed() { newest_work.begin_ns = steady_now_ns(); }
    ~Timed() { newest_work.end_ns = steady_now_ns(); }
};

/// Kernels that were queued one after the other.
struct Calls final : DeviceCalls {
    std::vector<std::shared_ptr<const RecordedKernel>> kernels;
};

class Queue final : public DeviceQueue {
public:
    explicit Queue(std::shared_ptr<SecondProvider::Counts> counts) : counts_(std::move(counts)) {}
    void note(std::shared_ptr<const RecordedKernel> kernel) {
        const std::lock_guard lock(mutex_);
        newest_.push_back(std::move(kernel));
    }
    std::shared_ptr<const DeviceCalls> newest_calls(std::size_t count) override {
        const std::lock_guard lock(mutex_);
        if (count > newest_.size()) return nullptr;
        auto calls = std::make_shared<Calls>();
        calls->kernels.assign(newest_.end() - static_cast<std::ptrdiff_t>(count), newest_.end());
        return calls;
    }
    void repeat(const DeviceCalls& calls) override {
        ++counts_->repeats;
        for (const auto& kernel : static_cast<const Calls&>(calls).kernels) {
            kernel->run_again(*this);
            note(kernel);
        }
    }
    void copy_to_device(const DevicePlace& to, const void* from, std::uint64_t bytes) override {
        const Timed timed;
        OpenBlocks blocks;
        std::memcpy(blocks.open(to, bytes), from, bytes);
        ++counts_->to_device;
        done(bytes);
    }
    void copy_to_host(void* to, const DevicePlace& from, std::uint64_t bytes) override {
        const Timed timed;
        OpenBlocks blocks;
        std::memcpy(to, blocks.open(from, bytes), bytes);
        ++counts_->to_host;
        done(bytes);
    }
    DeviceTime finish() override {
        forget();
        return newest_work;
    }

private:
    void forget() {
        const std::lock_guard lock(mutex_);
        newest_.clear();
    }
    void done(std::uint64_t bytes) {
        forget();
        counts_->bytes += static_cast<std::int64_t>(bytes);
        take_time(bytes);
    }
    std::shared_ptr<SecondProvider::Counts> counts_;
    std::mutex mutex_;
    std::vector<std::shared_ptr<const RecordedKernel>> newest_;  // since a copy or a wait
};

/// Runs a kernel of the CPU on the device's memory.
class OnHostKernel final : public KernelContext {
public:
    OnHostKernel(DeviceContext& device, const KernelChoice& kernel,
                 const std::vector<std::size_t>& host_inputs)
        : device_(device), outputs_(device.node().outputs.size()) {
        const auto has = [](const std::vector<std::size_t>& list, std::size_t i) {
            return std::ranges::find(list, i) != list.end();
        };
        for (std::size_t i = 0; i < device.node().inputs.size(); ++i) {
            RuntimeValue& value = inputs_.emplace_back();
            if (!device.has_input(i) || has(kernel.unread_inputs, i)) continue;
            value = has(host_inputs, i) ? device.host_input(i) : on_device(device.input(i));
        }
    }
    const Node& node() const override { return device_.node(); }
    std::size_t input_count() const override { return inputs_.size(); }
    const RuntimeValue* input_value(std::size_t i) const override {
        return i < inputs_.size() && device_.has_input(i) ? &inputs_[i] : nullptr;
    }
    std::size_t output_count() const override { return outputs_.size(); }
    bool wants_output(std::size_t i) const override { return device_.wants_output(i); }
    Tensor& output(std::size_t i, DType dtype, Shape shape) override {
        Tensor tensor = on_device(device_.output(i, dtype, std::move(shape)));
        if (i >= outputs_.size()) return dropped_.emplace_front(std::move(tensor));
        return outputs_[i] = std::move(tensor);
    }
    void set_output(std::size_t i, RuntimeValue value) override {
        if (!wants_output(i)) return;
        const Tensor& from = value.tensor();
        Tensor& to = output(i, from.dtype(), from.shape());
        if (to.byte_size() != 0) std::memcpy(to.mutable_raw(), from.raw(), to.byte_size());
    }
    RuntimeValue keep(const RuntimeValue& value) override { return value; }
    Tensor scratch(DType dtype, Shape shape) override {
        if (InsideTask::is_any() || dtype == DType::string) return Tensor(dtype, std::move(shape));
        const DevicePlace place = device_.scratch(storage_bytes(dtype, element_count(shape)));
        return on_device({dtype, std::move(shape), place});
    }
    ThreadPool& threads() override { return device_.threads(); }
    const CancelToken& cancel() const override { return device_.cancel(); }
    const Limits& limits() const override { return device_.limits(); }
    std::vector<RuntimeValue> run_subgraph(std::string_view,
                                           std::span<const RuntimeValue>) override {
        fail("control flow does not come here");
    }
    std::uint64_t random_seed() const override { return device_.random_seed(); }

private:
    Tensor on_device(const DeviceTensor& tensor) {
        const std::uint64_t bytes = storage_bytes(tensor.dtype, element_count(tensor.shape));
        return Tensor::borrow(tensor.dtype, tensor.shape, blocks_.open(tensor.place, bytes),
                              nullptr);
    }

    DeviceContext& device_;
    OpenBlocks blocks_;
    std::vector<RuntimeValue> inputs_;
    std::vector<Tensor> outputs_;
    std::forward_list<Tensor> dropped_;
};

class HostKernelOnDevice final : public DeviceKernel {
public:
    HostKernelOnDevice(KernelChoice kernel, std::vector<std::size_t> host_inputs,
                       std::shared_ptr<SecondProvider::Counts> counts)
        : kernel_(std::move(kernel)), host_inputs_(std::move(host_inputs)),
          counts_(std::move(counts)) {}
    void run(DeviceContext& device) const override {
        const Timed timed;
        OnHostKernel context(device, kernel_, host_inputs_);
        kernel_.run(context);
        ++counts_->kernels;
        take_time(device.node().id.index);
    }

private:
    KernelChoice kernel_;
    std::vector<std::size_t> host_inputs_;
    std::shared_ptr<SecondProvider::Counts> counts_;
};

/// A kernel whose runs are recorded in the queue, so that it can repeat them.
class NotedKernel final : public DeviceKernel {
public:
    NotedKernel(std::unique_ptr<DeviceKernel> kernel, std::vector<std::size_t> host_inputs,
                std::vector<std::size_t> unread_inputs)
        : kernel_(std::move(kernel)), host_inputs_(std::move(host_inputs)),
          unread_inputs_(std::move(unread_inputs)) {}
    void run(DeviceContext& device) const override {
        auto run = RecordedKernel::run(*kernel_, device, host_inputs_, unread_inputs_);
        static_cast<Queue&>(device.queue()).note(std::move(run));
    }

private:
    std::unique_ptr<DeviceKernel> kernel_;
    std::vector<std::size_t> host_inputs_, unread_inputs_;
};

/// Inputs that are likely to be shapes, axes or indices are read on the host.
std::vector<std::size_t> host_inputs(const KernelRequest& request) {
    std::vector<std::size_t> list;
    for (std::size_t i = 1; i < request.node.inputs.size(); ++i)
        if (request.has_input(i) && request.constant(i) == nullptr &&
            request.input_type(i).dtype == DType::i64 && request.input_type(i).has_shape() &&
            request.input_type(i).shape->size() <= 1)
            list.push_back(i);
    return list;
}

}  // namespace

Claim SecondProvider::claim(const KernelRequest& request) const {
    std::string reason;
    if (!has_kernel(request.node.domain, request.node.op_type, request.node.version, &reason))
        return Claim::refuse(reason);
    Claim claim = rule_(request);
    claim.host_inputs = host_inputs(request);
    return claim;
}

DeviceKernelChoice SecondProvider::make_device_kernel(const KernelRequest& request) const {
    DeviceKernelChoice choice;
    KernelChoice kernel = choose_kernel(request);
    choice.passed_over = kernel.passed_over;
    if (!kernel) return choice;
    choice.name = name_ + "." + kernel.name;
    choice.host_inputs = host_inputs(request);
    choice.unread_inputs = kernel.unread_inputs;
    choice.kernel =
        std::make_unique<HostKernelOnDevice>(std::move(kernel), choice.host_inputs, counts_);
    if (offers_repeats_)
        choice.kernel = std::make_unique<NotedKernel>(std::move(choice.kernel), choice.host_inputs,
                                                      choice.unread_inputs);
    return choice;
}

std::shared_ptr<DeviceBlock> SecondProvider::allocate(std::uint64_t bytes) const {
    return std::make_shared<ProtectedBlock>(bytes, counts_);
}

std::unique_ptr<DeviceQueue> SecondProvider::make_queue() const {
    ++counts_->queues;
    return std::make_unique<Queue>(counts_);
}

SecondProvider::Rule rule_of(std::function<bool(const Node&)> takes, std::string refusal) {
    return [takes = std::move(takes), refusal = std::move(refusal)](const KernelRequest& request) {
        if (!takes(request.node)) return Claim::refuse(refusal);
        Claim claim;
        claim.gain_ns = 1e12;
        return claim;
    };
}

}  // namespace lapidary::test
