// SPDX-License-Identifier: Apache-2.0
#include "exec/memory/step_survey.h"

#include <algorithm>
#include <forward_list>

#include <lapidary/base/error.h>

#include "base/memory/page_memory.h"
#include "exec/memory/memory_pattern.h"

namespace lapidary {
namespace {

// reference kernels may begin their work before they check the token
constexpr std::uint64_t most_reference_bytes = 256u << 10;

/// Runs nothing.
class IdlePool final : public ThreadPool {
public:
    explicit IdlePool(int threads) : threads_(threads) {}
    int threads() const override { return threads_; }
    void parallel_for(std::int64_t, std::int64_t, const RangeBody&) override {}
    void parallel_tasks(std::int64_t, const TaskBody&) override {}

private:
    int threads_;
};

/// Zeros that take address space, but memory only in pages that are written.
class ZeroMemory {
public:
    ZeroMemory() = default;
    ZeroMemory(const ZeroMemory&) = delete;
    ZeroMemory& operator=(const ZeroMemory&) = delete;
    ~ZeroMemory() {
        for (const Region& r : regions_) unmap_pages(r.data, r.bytes);
    }

    /// Null when the system refuses.
    void* take(std::uint64_t bytes) {
        const std::size_t size = (std::max<std::size_t>(bytes, 1) + 63) / 64 * 64;
        for (Region& r : regions_)
            if (r.bytes - r.used >= size) return std::exchange(r.used, r.used + size) + r.data;
        const std::size_t region = std::max(size, least_region);
        void* data = map_pages(region, Pages::usual, PageUse::sparse);
        if (data == nullptr) return nullptr;
        regions_.push_back({static_cast<std::byte*>(data), region, size});
        return data;
    }

    void reset() {
        for (Region& r : regions_) {
            clear_pages(r.data, r.used);
            r.used = 0;
        }
    }

private:
    static constexpr std::size_t least_region = std::size_t{64} << 20;
    struct Region {
        std::byte* data;
        std::size_t bytes, used;
    };
    std::vector<Region> regions_;
};

class SurveyContext final : public KernelContext {
public:
    SurveyContext(const Node& node, std::vector<RuntimeValue> inputs, ThreadPool& pool,
                  const CancelToken& cancel, const Limits& limits, ZeroMemory& memory,
                  StepRequests& requests)
        : node_(node), inputs_(std::move(inputs)), outputs_(node.outputs.size()), pool_(pool),
          cancel_(cancel), limits_(limits), memory_(memory), requests_(requests) {}

    const Node& node() const override { return node_; }
    std::size_t input_count() const override { return inputs_.size(); }
    const RuntimeValue* input_value(std::size_t i) const override {
        return i < inputs_.size() && node_.inputs[i] ? &inputs_[i] : nullptr;
    }
    std::size_t output_count() const override { return node_.outputs.size(); }
    bool wants_output(std::size_t i) const override {
        return i < node_.outputs.size() && node_.outputs[i];
    }

    Tensor& output(std::size_t i, DType dtype, Shape shape) override {
        if (!wants_output(i)) return dropped_.emplace_front(scratch(dtype, std::move(shape)));
        const bool is_again = requests_.outputs[i] != StepRequests::Written::unknown;
        outputs_[i] = make(dtype, std::move(shape));
        if (!is_again) requests_.in_order.push_back({i, outputs_[i].byte_size()});
        requests_.outputs[i] = StepRequests::Written::by_output;
        return outputs_[i];
    }
    void set_output(std::size_t i, RuntimeValue value) override {
        if (!wants_output(i)) return;
        const bool is_scratch =
            value.is_tensor() &&
            std::ranges::find(scratches_, value.tensor().raw()) != scratches_.end();
        // a constant's, say: all memory here has no owner
        const bool is_borrowed = value.is_tensor() && value.tensor().owner() != nullptr;
        requests_.outputs[i] = is_scratch    ? StepRequests::Written::by_output
                               : is_borrowed ? StepRequests::Written::borrowed
                                             : StepRequests::Written::otherwise;
        if (is_scratch) requests_.in_order.push_back({i, value.tensor().byte_size()});
    }
    RuntimeValue keep(const RuntimeValue& value) override { return value; }
    Tensor scratch(DType dtype, Shape shape) override {
        Tensor tensor = make(dtype, std::move(shape));
        requests_.in_order.push_back({StepRequests::scratch, tensor.byte_size()});
        scratches_.push_back(tensor.raw());
        return tensor;
    }
    ThreadPool& threads() override { return pool_; }
    const CancelToken& cancel() const override { return cancel_; }
    const Limits& limits() const override { return limits_; }
    std::uint64_t random_seed() const override { return node_.id.index; }
    std::vector<RuntimeValue> run_subgraph(std::string_view,
                                           std::span<const RuntimeValue>) override {
        fail("subgraphs are looked into on their own");
    }

private:
    Tensor make(DType dtype, Shape shape) {
        const std::uint64_t bytes = storage_bytes(dtype, element_count(shape));
        void* data =
            dtype == DType::string || bytes > limits_.tensor_bytes ? nullptr : memory_.take(bytes);
        if (data == nullptr) fail("no storage for " + to_string(shape));
        return Tensor::borrow(dtype, std::move(shape), data, nullptr);
    }

    const Node& node_;
    std::vector<RuntimeValue> inputs_;
    std::vector<Tensor> outputs_;
    ThreadPool& pool_;
    const CancelToken& cancel_;
    const Limits& limits_;
    ZeroMemory& memory_;
    StepRequests& requests_;
    std::vector<const void*> scratches_;
    std::forward_list<Tensor> dropped_;
};

/// Of a tensor of known size whose elements have one.
std::optional<std::uint64_t> known_bytes(const std::optional<Type>& type) {
    if (!type || !type->is_static() || type->dtype == DType::string) return std::nullopt;
    return storage_bytes(type->dtype, element_count(Shape(type->static_shape())));
}

}  // namespace

struct StepSurvey::State {
    IdlePool pool;
    Limits limits;
    ZeroMemory memory;
    CancelToken cancelled, going;

    std::optional<std::vector<RuntimeValue>> zero_inputs(
        const Plan& plan, const Node& node, const std::vector<std::optional<Type>>& types,
        std::uint64_t& touched);
};

/// Constants as they are, zeros for the rest, whose bytes are added to `touched`; nothing where a
/// size is not known or too large.
std::optional<std::vector<RuntimeValue>> StepSurvey::State::zero_inputs(
    const Plan& plan, const Node& node, const std::vector<std::optional<Type>>& types,
    std::uint64_t& touched) {
    std::vector<RuntimeValue> list;
    for (ValueId v : node.inputs) {
        RuntimeValue& value = list.emplace_back();
        if (!v) continue;
        if (plan.graph->value(v).is_constant()) {
            value = plan.constants[v.index];
            continue;
        }
        const std::optional<Type>& type = types[v.index];
        const std::optional<std::uint64_t> bytes = known_bytes(type);
        void* data = !bytes || *bytes > limits.tensor_bytes ? nullptr : memory.take(*bytes);
        if (data == nullptr) return std::nullopt;
        touched += *bytes;
        value = Tensor::borrow(type->dtype, type->static_shape(), data, nullptr);
    }
    return list;
}

StepSurvey::StepSurvey(int threads, const Limits& limits)
    : state_(new State{IdlePool(threads), limits, {}, {}, {}}) {
    state_->cancelled.cancel();
}
StepSurvey::~StepSurvey() = default;

StepRequests StepSurvey::survey(const Plan& plan, std::size_t index,
                                const std::vector<std::optional<Type>>& types) {
    const Step& step = plan.steps[index];
    const Node& node = plan.graph->node(step.node);
    StepRequests none;
    none.outputs.assign(node.outputs.size(), StepRequests::Written::unknown);
    if (!step.subgraphs.empty() || !step.kernel || step.provider->device() != nullptr) return none;
    // These kernels only request their outputs, and copy if storage is not shared.
    const StorageSharing::Kind sharing = step.kernel.sharing().kind;
    if (sharing == StorageSharing::view || sharing == StorageSharing::join ||
        sharing == StorageSharing::split) {
        none.is_complete = true;
        return none;
    }

    const auto attempt = [&](const CancelToken& cancel, bool& was_stopped) {
        StepRequests requests = none;
        was_stopped = false;
        try {
            std::uint64_t touched = 0;
            auto inputs = state_->zero_inputs(plan, node, types, touched);
            if (!inputs) return none;
            for (ValueId v : node.outputs)
                if (v) touched += known_bytes(types[v.index]).value_or(0);
            if (!step.kernel.kernel && touched > most_reference_bytes) return none;
            SurveyContext context(node, std::move(*inputs), state_->pool, cancel, state_->limits,
                                  state_->memory, requests);
            step.kernel.run(context);
            requests.is_complete = true;
        } catch (const Error& e) {
            was_stopped = requests.is_complete = e.code() == ErrorCode::cancelled;
        } catch (const std::exception&) {
            // zeros are no valid input for it: its requests until then count
        }
        state_->memory.reset();
        return requests;
    };
    bool was_stopped = false;
    StepRequests requests = attempt(state_->cancelled, was_stopped);
    // Some request more after they checked the token. With several threads that happens in the
    // pool.
    if (was_stopped && step.kernel.kernel && state_->pool.threads() > 1)
        requests = attempt(state_->going, was_stopped);
    return requests;
}

}  // namespace lapidary
