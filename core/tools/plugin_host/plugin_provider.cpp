// SPDX-License-Identifier: Apache-2.0
#include "plugin_host/plugin_provider.h"

#include <cmath>
#include <cstring>

#include "plugin_host/made_outputs.h"
#include "plugin_host/plugin_call.h"
#include "plugin_host/plugin_node.h"

namespace lapidary {
namespace {

constexpr std::size_t most_inputs = 64;   // bits of LpClaim::host_inputs
constexpr std::uint32_t most_rates = 64;  // of LpPeaks

/// Shared by all parts of an opened provider. The device is closed after the last of them.
struct OpenDevice {
    const LpProvider& provider;
    LpDevice device = nullptr;
    std::string name, place;  // "cuda", "provider 'cuda'"

    OpenDevice(const LpProvider& of)
        : provider(of), name(of.name), place("provider " + quote(of.name)) {}
    OpenDevice(const OpenDevice&) = delete;
    OpenDevice& operator=(const OpenDevice&) = delete;
    ~OpenDevice() {
        if (device) provider.close(device);
    }
};

using DevicePointer = std::shared_ptr<const OpenDevice>;

std::vector<std::size_t> list_of(std::uint64_t bits, std::size_t count) {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < std::min(count, most_inputs); ++i)
        if (bits >> i & 1u) list.push_back(i);
    return list;
}

class Block final : public DeviceBlock {
public:
    Block(DevicePointer device, std::uint64_t bytes) : device_(std::move(device)) {
        call_plugin(device_->place, [&](LpError* error) {
            return device_->provider.block_make(device_->device, bytes, &block_, error);
        });
    }
    ~Block() override { device_->provider.block_free(block_); }
    LpBlock get() const { return block_; }

private:
    DevicePointer device_;
    LpBlock block_ = nullptr;
};

LpPlace place_of(const DevicePlace& place) {
    if (!place.block) return {nullptr, 0};
    const auto* block = dynamic_cast<const Block*>(place.block.get());
    if (!block) fail(ErrorCode::internal, "a value of another provider's memory came to a plugin");
    return {block->get(), place.offset};
}

class Calls final : public DeviceCalls {
public:
    Calls(DevicePointer device, LpCalls calls) : device_(std::move(device)), calls_(calls) {}
    ~Calls() override { device_->provider.calls_free(calls_); }
    Calls(const Calls&) = delete;
    Calls& operator=(const Calls&) = delete;
    LpCalls get() const { return calls_; }

private:
    DevicePointer device_;
    LpCalls calls_;
};

class Queue final : public DeviceQueue {
public:
    explicit Queue(DevicePointer device) : device_(std::move(device)) {
        call(
            [&](LpError* error) { return provider().queue_make(device_->device, &queue_, error); });
    }
    ~Queue() override { provider().queue_destroy(queue_); }
    void copy_to_device(const DevicePlace& to, const void* from, std::uint64_t bytes) override {
        call([&](LpError* error) {
            return provider().copy_to_device(queue_, place_of(to), from, bytes, error);
        });
    }
    void copy_to_host(void* to, const DevicePlace& from, std::uint64_t bytes) override {
        call([&](LpError* error) {
            return provider().copy_to_host(queue_, to, place_of(from), bytes, error);
        });
    }
    DeviceTime finish() override {
        LpTime time{};
        call([&](LpError* error) { return provider().finish(queue_, &time, error); });
        return {time.begin_ns, time.end_ns};
    }
    std::shared_ptr<const DeviceCalls> newest_calls(std::size_t count) override {
        const LpProvider& p = provider();
        if (!LP_HAS(&p, calls_free) || !p.calls_make || !p.calls_repeat || !p.calls_free)
            return nullptr;
        const LpCalls calls = p.calls_make(queue_, static_cast<std::uint32_t>(count));
        return calls ? std::make_shared<const Calls>(device_, calls) : nullptr;
    }
    void repeat(const DeviceCalls& calls) override {
        const LpCalls again = static_cast<const Calls&>(calls).get();
        call([&](LpError* error) { return provider().calls_repeat(queue_, again, error); });
    }
    std::string note() override {
        const char* text = LP_HAS(&provider(), queue_note) && provider().queue_note
                               ? provider().queue_note(queue_)
                               : nullptr;
        return text ? text : "";
    }
    LpQueue get() const { return queue_; }

private:
    const LpProvider& provider() const { return device_->provider; }
    void call(const std::function<std::int32_t(LpError*)>& body) const {
        call_plugin(device_->place, body);
    }

    DevicePointer device_;
    LpQueue queue_ = nullptr;
};

struct RunOfStep : LpDeviceRun {
    DeviceContext* context = nullptr;
    std::vector<DevicePlace> places;  // that the kernel was given, alive until it returns
    MadeOutputs made;
    CallbackFailure failure;
};

RunOfStep& step_of(LpDeviceRun* run) { return *static_cast<RunOfStep*>(run); }

std::int32_t device_wants_output(LpDeviceRun* run, std::uint32_t output) {
    return step_of(run).context->wants_output(output) ? 1 : 0;
}

std::int32_t device_make_output(LpDeviceRun* run, std::uint32_t output, LpType type,
                                std::int32_t rank, const std::int64_t* dims, LpPlace* place) {
    RunOfStep& step = step_of(run);
    const bool is_made = step.failure.guard([&] {
        if (!is_known_dtype(type) || rank < 0 || (rank > 0 && !dims))
            fail(ErrorCode::process_ended, "it gives an output of element type " +
                                               std::to_string(type) + " and rank " +
                                               std::to_string(rank));
        DeviceTensor made =
            step.context->output(output, static_cast<DType>(type), Shape(dims, dims + rank));
        *place = place_of(step.places.emplace_back(std::move(made.place)));
        step.made.add(output);
    });
    return is_made ? LP_OK : LP_INTERNAL;
}

std::int32_t device_make_scratch(LpDeviceRun* run, std::uint64_t bytes, LpPlace* place) {
    RunOfStep& step = step_of(run);
    const bool is_made = step.failure.guard(
        [&] { *place = place_of(step.places.emplace_back(step.context->scratch(bytes))); });
    return is_made ? LP_OK : LP_INTERNAL;
}

class NodeKernel final : public DeviceKernel {
public:
    NodeKernel(DevicePointer device, LpKernel kernel, std::vector<std::size_t> host_inputs,
               std::vector<std::size_t> unread_inputs)
        : device_(std::move(device)), kernel_(kernel), host_inputs_(std::move(host_inputs)),
          unread_inputs_(std::move(unread_inputs)) {}
    ~NodeKernel() override { device_->provider.destroy(kernel_); }
    NodeKernel(const NodeKernel&) = delete;
    NodeKernel& operator=(const NodeKernel&) = delete;

    void run(DeviceContext& context) const override {
        // whose shapes the views point into
        std::vector<DeviceTensor> tensors(context.node().inputs.size());
        std::vector<LpDeviceTensor> inputs;
        for (std::size_t i = 0; i < tensors.size(); ++i)
            inputs.push_back(input(context, i, tensors[i]));
        const PluginJob job{context.threads(), context.cancel()};
        RunOfStep run;
        run.size = sizeof(LpDeviceRun);
        run.input_count = static_cast<std::uint32_t>(inputs.size());
        run.output_count = static_cast<std::uint32_t>(context.node().outputs.size());
        run.inputs = inputs.data();
        run.tensor_stride = sizeof(LpDeviceTensor);
        run.queue = static_cast<Queue&>(context.queue()).get();
        run.job = reinterpret_cast<LpJob>(const_cast<PluginJob*>(&job));
        run.wants_output = &device_wants_output;
        run.output = &device_make_output;
        run.scratch = &device_make_scratch;
        run.context = &context;
        call_plugin(device_->place, [&](LpError* error) {
            const std::int32_t code = device_->provider.run(kernel_, &run, error);
            run.failure.rethrow();
            return code;
        });
        run.made.require(context, context.node().outputs.size(), device_->place + ": its kernel");
    }

private:
    static bool has(const std::vector<std::size_t>& list, std::size_t i) {
        return std::ranges::find(list, i) != list.end();
    }

    LpDeviceTensor input(DeviceContext& context, std::size_t i, DeviceTensor& tensor) const {
        LpDeviceTensor view{};
        view.size = sizeof(view);
        view.rank = -1;
        if (!context.has_input(i) || has(unread_inputs_, i)) return view;
        if (has(host_inputs_, i)) {
            const LpTensor host = plugin_tensor(context.host_input(i));
            view.type = host.type;
            view.rank = host.rank;
            view.dims = host.dims;
            view.bytes = host.bytes;
            view.host = host.data;
            return view;
        }
        tensor = context.input(i);
        view.type = static_cast<LpType>(tensor.dtype);
        view.rank = static_cast<std::int32_t>(tensor.shape.size());
        view.dims = tensor.shape.data();
        view.bytes = storage_bytes(tensor.dtype, element_count(tensor.shape));
        view.place = place_of(tensor.place);
        return view;
    }

    DevicePointer device_;
    LpKernel kernel_;
    std::vector<std::size_t> host_inputs_, unread_inputs_;
};

/// The node of a request, with the types that are known and its constants.
void add_values(PluginNode& view, const KernelRequest& request) {
    static const std::string omitted;
    const auto name = [&](ValueId id) -> const std::string& {
        return id ? request.graph.value(id).name : omitted;
    };
    for (std::size_t i = 0; i < request.node.inputs.size(); ++i)
        view.add_input(name(request.node.inputs[i]), request.input_type(i), request.constant(i));
    for (ValueId id : request.node.outputs)
        view.add_output(name(id), id ? request.graph.value(id).type : Type{});
}

/// Throws invalid_input for an impossible figure.
DevicePeak peak_of(const LpPeaks& reported, const std::string& name, const std::string& place) {
    const auto check = [&](const char* what, double figure) {
        if (!(figure > 0) || !std::isfinite(figure))
            fail_input(place + " reports peaks of which " + what + " is " + std::to_string(figure));
    };
    check("gb_per_s", reported.gb_per_s);
    if (reported.rate_count > most_rates)
        fail_input(place + " reports " + std::to_string(reported.rate_count) +
                   " rates: expected at most " + std::to_string(most_rates));
    DevicePeak peak{name, reported.gb_per_s, {}, {}};
    for (std::uint32_t i = 0; i < reported.rate_count; ++i) {
        const auto* rate = reinterpret_cast<const LpRate*>(
            reinterpret_cast<const char*>(reported.rates) + std::size_t{i} * reported.rate_stride);
        ArithmeticPeak& one = peak.arithmetic.emplace_back();
        one.name = rate->name ? rate->name : "";
        check(one.name.c_str(), rate->gops);
        one.gops = rate->gops;
        one.is_of_others = rate->is_of_others != 0;
        for (int type = 1; type < 64; ++type)
            if ((rate->product_types >> type & 1u) != 0 && is_known_dtype(type))
                one.product_types.push_back(static_cast<DType>(type));
    }
    return peak;
}

class PluginProvider final : public DeviceProvider {
public:
    explicit PluginProvider(DevicePointer device) : device_(std::move(device)) {}
    const std::string& name() const override { return device_->name; }

    Claim claim(const KernelRequest& request) const override {
        if (request.node.inputs.size() > most_inputs)
            return Claim::refuse("it has more than " + std::to_string(most_inputs) + " inputs");
        PluginNode view(request.node, nullptr);
        add_values(view, request);
        LpClaim reported{};
        reported.size = sizeof(reported);
        Claim claim;
        claim.refusal = ask_plugin(device_->place, [&](LpError* error) {
            return device_->provider.claim(device_->device, &view.view(), &reported, error);
        });
        claim.gain_ns = reported.gain_ns;
        claim.host_inputs = list_of(reported.host_inputs, request.node.inputs.size());
        return claim;
    }

    DeviceKernelChoice make_device_kernel(const KernelRequest& request) const override {
        PluginNode view(request.node, nullptr);
        add_values(view, request);
        LpDeviceKernelInfo info{};
        info.size = sizeof(info);
        LpKernel kernel = nullptr;
        const std::string refusal = ask_plugin(device_->place, [&](LpError* error) {
            return device_->provider.make(device_->device, &view.view(), &kernel, &info, error);
        });
        DeviceKernelChoice choice;
        const auto text = [](const char* from, std::size_t most) {
            return std::string(from, ::strnlen(from, most));
        };
        const std::string passed_over = text(info.passed_over, sizeof(info.passed_over));
        if (!refusal.empty()) choice.passed_over.push_back({device_->name, refusal});
        else if (!passed_over.empty()) choice.passed_over.push_back({device_->name, passed_over});
        if (!refusal.empty()) return choice;
        choice.name = device_->name + "." + text(info.name, sizeof(info.name));
        choice.host_inputs = list_of(info.host_inputs, request.node.inputs.size());
        choice.unread_inputs = list_of(info.unread_inputs, request.node.inputs.size());
        choice.kernel =
            std::make_unique<NodeKernel>(device_, kernel, choice.host_inputs, choice.unread_inputs);
        return choice;
    }

    double copy_ns(CopyDirection direction, std::uint64_t bytes) const override {
        return device_->provider.copy_ns(
            device_->device, direction == CopyDirection::to_device ? LP_TO_DEVICE : LP_TO_HOST,
            bytes);
    }
    DType stored_floats() const override {
        const LpProvider& provider = device_->provider;
        if (!LP_HAS(&provider, stored_floats) || !provider.stored_floats) return DType::f32;
        const LpType type = provider.stored_floats(device_->device);
        if (type != static_cast<LpType>(DType::f32) && type != static_cast<LpType>(DType::f16) &&
            type != static_cast<LpType>(DType::bf16))
            fail_input(device_->place + " stores floats as element type " + std::to_string(type) +
                       ": expected 1, 10 or 16");
        return static_cast<DType>(type);
    }
    std::string lowered_precision() const override {
        const LpProvider& provider = device_->provider;
        const char* const text = LP_HAS(&provider, lowered_precision) && provider.lowered_precision
                                     ? provider.lowered_precision(device_->device)
                                     : nullptr;
        return text ? text : "";
    }
    DevicePeak peak() const override {
        if (!LP_HAS(&device_->provider, peaks) || !device_->provider.peaks)
            return DeviceProvider::peak();
        LpPeaks reported{};
        reported.size = sizeof(reported);
        call_plugin(device_->place, [&](LpError* error) {
            return device_->provider.peaks(device_->device, &reported, error);
        });
        return peak_of(reported, device_->name, device_->place);
    }
    std::uint64_t alignment() const override { return device_->provider.alignment; }
    std::shared_ptr<DeviceBlock> allocate(std::uint64_t bytes) const override {
        return std::make_shared<Block>(device_, bytes);
    }
    std::unique_ptr<DeviceQueue> make_queue() const override {
        return std::make_unique<Queue>(device_);
    }

private:
    DevicePointer device_;
};

}  // namespace

void check_plugin_provider(const std::string& plugin, const LpProvider& p) {
    const std::string place = "plugin " + quote(plugin) + ": its provider ";
    if (!LP_HAS(&p, finish)) fail_input(place + "is of a smaller struct than interface 1 has");
    if (!p.name || !*p.name) fail_input(place + "has no name");
    const bool is_whole = p.device_count && p.device_info && p.open && p.close && p.claim &&
                          p.make && p.run && p.destroy && p.copy_ns && p.block_make &&
                          p.block_free && p.queue_make && p.queue_destroy && p.copy_to_device &&
                          p.copy_to_host && p.finish;
    if (!is_whole)
        fail_input(place + quote(p.name) + " lacks functions: all but option_infos are needed");
    if (p.alignment == 0 || (p.alignment & (p.alignment - 1)) != 0)
        fail_input(place + quote(p.name) + " asks for an alignment of " +
                   std::to_string(p.alignment) + ": expected a power of two");
}

std::shared_ptr<const DeviceProvider> open_plugin_provider(
    const LpProvider& provider, std::uint32_t device,
    const std::map<std::string, std::string>& options) {
    std::vector<LpOption> items;
    for (const auto& [key, value] : options) items.push_back({key.c_str(), value.c_str()});
    const LpOptions list{sizeof(LpOptions), static_cast<std::uint32_t>(items.size()), items.data()};
    const auto opened = std::make_shared<OpenDevice>(provider);
    call_plugin(opened->place, [&](LpError* error) {
        return provider.open(&plugin_host(), device, &list, &opened->device, error);
    });
    return std::make_shared<PluginProvider>(opened);
}

}  // namespace lapidary
