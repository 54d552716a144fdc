// SPDX-License-Identifier: Apache-2.0
#include "exec/run/run_slot.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include <lapidary/base/error.h>

#include "exec/device/device_times.h"
#include "exec/run/detached.h"

namespace lapidary {
namespace {

constexpr std::size_t most_prepared = 16;
// A plan with room takes at most this part of what a session may hold.
constexpr std::uint64_t parts_of_limit = 8;

}  // namespace

RunSlot::RunSlot(const CompiledModel& compiled, WeightWatch& weights, NewestPattern& newest,
                 ResidentMemories residents, std::unique_ptr<SessionThreads> threads,
                 std::shared_ptr<Budget> budget, std::unique_ptr<BranchRunner> branches)
    : compiled_(compiled), weights_(weights), newest_(newest), threads_(std::move(threads)),
      budget_(std::move(budget)), branches_(std::move(branches)) {
    if (!compiled.plan->devices) return;
    devices_ = make_slot_devices(*compiled.plan->devices, std::move(residents));
    threads_->call_late();
}

void RunSlot::bind(Frame& frame) {
    if (frame.pattern() == nullptr) return;
    if (const std::uint64_t bytes = frame.arena_bytes();
        static_cast<std::uint64_t>(arena_.size()) < bytes) {
        arena_ = Tensor{};
        budget_->shrink();  // what the traced run took
        arena_ = budget_->allocate_planned(bytes);
    }
    frame.bind(static_cast<std::byte*>(arena_.mutable_raw()));
    if (frame.devices() != nullptr) bind_devices(*frame.devices());
}

void RunSlot::bind_devices(DeviceMemory& memory) {
    const auto& devices = compiled_.plan->devices->devices;
    device_arenas_.resize(devices.size());
    // memory of runs without a plan
    for (const auto& blocks : devices_->blocks) blocks->shrink();
    for (std::size_t d = 0; d < devices.size(); ++d) {
        const std::uint64_t bytes = memory.planned_bytes()[d];
        if (bytes == 0) continue;
        if (device_arenas_[d].bytes < bytes) {
            unbind_devices();  // what other shapes of inputs are bound to
            device_arenas_[d] = {};
            device_arenas_[d] = {devices[d].provider->allocate(bytes), bytes};
        }
    }
    for (std::size_t d = 0; d < devices.size(); ++d)
        if (device_arenas_[d].block != nullptr) memory.bind(d, device_arenas_[d].block);
}

void RunSlot::unbind_devices() {
    for (PreparedFrame& p : prepared_)
        if (p.frame->devices() != nullptr) p.frame->devices()->unbind();
}

void RunSlot::add_frame(const ResidentFlags& residents, const CancelToken& cancel) {
    const bool plans_memory = compiled_.options.enable_mem_pattern && !compiled_.is_parallel();
    if (prepared_.size() >= most_prepared) {
        PreparedFrame& oldest = prepared_.back();
        // the usual case for shapes that grow from run to run
        if (oldest.frame->pattern() == nullptr) {
            oldest.inputs = {};
            return oldest.frame->start_over(residents);
        }
        prepared_.pop_back();
    }
    prepared_.push_back(
        {{},
         std::make_unique<Frame>(*compiled_.plan, nullptr, plans_memory, cancel, nullptr,
                                 devices_ ? &*devices_ : nullptr, residents)});
}

RunSlot::PreparedFrame& RunSlot::prepare(const NamedValues& inputs, const ResidentFlags& residents,
                                         const CancelToken& cancel) {
    const auto stays_alike = [&](const PreparedFrame& p) {
        const DeviceMemory* devices = p.frame->devices();
        return devices == nullptr || devices->flags() == residents;
    };
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
        if (!prepared_[i].inputs.matches(inputs) || !stays_alike(prepared_[i])) continue;
        if (i == 0) return prepared_[0];
        const auto found = prepared_.begin() + static_cast<std::ptrdiff_t>(i);
        std::rotate(prepared_.begin(), found, found + 1);
        newest_.set(prepared_[0].frame->pattern());
        return prepared_[0];
    }
    InputSignature signature = check_inputs(compiled_.model.graph, inputs);
    auto found = std::ranges::find_if(prepared_, [&](const PreparedFrame& p) {
        return p.inputs.is_same_set(signature) && stays_alike(p);
    });
    if (found == prepared_.end())
        found = std::ranges::find_if(prepared_, [&](const PreparedFrame& p) {
            return p.room && p.room->takes(signature) && stays_alike(p);
        });
    if (found == prepared_.end()) {
        add_frame(residents, cancel);
        found = prepared_.end() - 1;
    }
    found->inputs = std::move(signature);
    std::rotate(prepared_.begin(), found, found + 1);
    newest_.set(prepared_[0].frame->pattern());
    return prepared_[0];
}

RunSlot::PreparedFrame RunSlot::prepare_keeping(const NamedValues& inputs,
                                                const std::vector<std::string>& names,
                                                RunRequest& request, const CancelToken& cancel) {
    const Graph& graph = compiled_.model.graph;
    PreparedFrame prepared;
    prepared.inputs = check_inputs(graph, inputs);
    request.keep.assign(graph.value_slots(), 0);
    for (const std::string& name : names) {
        const ValueId id = graph.find_value(name);
        if (!id) fail_input("there is no value " + quote(name) + " to return");
        request.keep[id.index] = 1;
        request.extra.push_back(id);
    }
    prepared.frame = std::make_unique<Frame>(
        *compiled_.plan, nullptr, false, cancel, &request.keep, devices_ ? &*devices_ : nullptr,
        request.residents ? request.residents->flags() : ResidentFlags());
    return prepared;
}

void RunSlot::take_outputs(Frame& frame, const RunRequest& request, RunResult& result) {
    const Graph& graph = compiled_.model.graph;
    const auto ids = graph.outputs();
    for (std::size_t i = 0; i < result.outputs.size(); ++i) {
        const bool is_graph_output = i < ids.size();
        const ValueId id = is_graph_output ? ids[i] : request.extra[i - ids.size()];
        result.outputs[i].first = graph.value(id).name;
        RuntimeValue& to = result.outputs[i].second;
        if (is_graph_output && request.residents && request.residents->keeps(id)) continue;
        if (is_graph_output && request.buffers && request.buffers->has(id))
            request.buffers->take(id, frame.result(id), to, result.copied_outputs);
        else to = detached(frame.result(id), *budget_);
    }
    if (request.residents) request.residents->collect(frame, *budget_, result);
    if (DeviceMemory* devices = frame.devices()) {
        result.copied.to_device += devices->copied(CopyDirection::to_device);
        result.copied.to_host += devices->copied(CopyDirection::to_host);
    }
}

void RunSlot::plan_growth(PreparedFrame& newest, const CancelToken& cancel) {
    if (prepared_.size() < 2 || &newest != &prepared_[0] || !newest.frame->wants_place()) return;
    std::optional<InputRoom> room = InputRoom::between(prepared_[1].inputs, newest.inputs);
    const std::uint64_t most_bytes = compiled_.options.limits.run_bytes / parts_of_limit;
    if (!room ||
        !newest.frame->place_with_room(*prepared_[1].frame, InputRoom::runs, most_bytes, cancel))
        return;
    newest.room = std::move(room);
    // those that it takes the place of
    prepared_.erase(
        std::remove_if(prepared_.begin() + 1, prepared_.end(),
                       [&](const PreparedFrame& p) { return newest.room->takes(p.inputs); }),
        prepared_.end());
    newest_.set(newest.frame->pattern());
}

void RunSlot::run_once(PreparedFrame& on, const NamedValues& inputs, RunState& run,
                       ProfileBuild* profile, const RunRequest& request, RunResult& result) {
    Frame& frame = *on.frame;
    const auto place = [&] {
        if (!frame.wants_place()) return;
        frame.place(run.cancel);
        newest_.set(frame.pattern());
    };
    place();
    const ObserveMemory observe(run.memory);
    struct Release {
        ~Release() { frame.release(); }
        Frame& frame;
    };
    {
        const Release release{frame};
        const std::size_t count = compiled_.model.graph.outputs().size() + request.extra.size();
        if (result.outputs.size() == count)
            for (auto& [name, value] : result.outputs) value = RuntimeValue{};
        else result.outputs.resize(count);
        result.copied_outputs.clear();
        result.residents.clear();
        result.not_resident.clear();
        result.copied = {};
        bind(frame);
        frame.write_outputs_to(request.buffers ? &*request.buffers : nullptr);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            frame.set(on.inputs.entries()[i].id, inputs[i].second);
        if (profile) profile->begin_run();
        if (branches_ && run.observer == nullptr) branches_->run(frame, run);
        else threads_->execute([&] { frame.run(run); });
        // the caller must not read them before
        if (request.residents && frame.devices() != nullptr) frame.devices()->finish();
        if (profile) profile->end_run();
        weights_.require_files_unchanged(compiled_.plans);
        take_outputs(frame, request, result);
    }
    // Shapes that change from run to run never repeat. So other sets than the first are planned
    // when they are run again, or when they grow.
    if (prepared_.size() == 1) place();
    else plan_growth(on, run.cancel);
}

namespace {

/// In separate memory that no budget counts, so that the figures of runs do not change.
NamedValues copies_of(const NamedValues& values) {
    NamedValues copies;
    for (const auto& [name, value] : values)
        copies.emplace_back(name, value.is_tensor() ? RuntimeValue(value.tensor().clone()) : value);
    return copies;
}

}  // namespace

void RunSlot::run(const NamedValues& host_inputs, const RunOptions& options, RunResult& result) {
    RunState run{*threads_, budget_, options.cancel, compiled_.options.limits, options.progress};
    run.seed = compiled_.options.random_seed;
    run.check_writes = compiled_.options.check_writes && !branches_;
    run.observer = options.observer;
    RunRequest request;
    PreparedFrame keeping;
    PreparedFrame* on = &keeping;
    if (!options.resident_outputs.empty() || !options.device_inputs.empty())
        request.residents.emplace(compiled_, options, host_inputs);
    const NamedValues& inputs = request.residents ? request.residents->inputs() : host_inputs;
    static const ResidentFlags nothing_stays;
    if (options.extra_outputs.empty() && options.observer == nullptr)
        on = &prepare(inputs, request.residents ? request.residents->flags() : nothing_stays,
                      run.cancel);
    else keeping = prepare_keeping(inputs, options.extra_outputs, request, run.cancel);
    if (!options.output_buffers.empty())
        request.buffers.emplace(compiled_.model.graph, options.output_buffers, host_inputs);
    std::unique_ptr<ProfileBuild> profile;
    std::atomic<std::int64_t> launch_ns = 0;
    run.launch_ns = &launch_ns;
    if (options.profile)
        profile = std::make_unique<ProfileBuild>(compiled_.plans, *threads_,
                                                 branches_ ? branches_->at_a_time() : 1, *budget_,
                                                 compiled_.origin_ns, run);
    budget_->reset_peak();
    result.profile = nullptr;
    const bool keeps = options.keep_finished && !request.buffers;
    NamedValues first;
    std::vector<NamedDeviceValue> first_residents;
    for (int repetition = 0; repetition < std::max(options.repetitions, 1); ++repetition) {
        weights_.begin_run();
        try {
            run_once(*on, inputs, run, profile.get(), request, result);
        } catch (const Error& error) {
            if (!keeps || repetition == 0 || error.code() != ErrorCode::cancelled) throw;
            result.outputs = std::move(first);
            result.residents = std::move(first_residents);
            if (profile) profile->drop_run();
            break;
        }
        if (!keeps || repetition != 0 || options.repetitions < 2) continue;
        first = copies_of(result.outputs);
        first_residents = result.residents;
    }
    if (profile) {
        const auto made = profile->finish(compiled_);
        profile.reset();
        if (compiled_.plan->devices)
            made->note =
                report_device_times(*made, launch_ns) + ". " + on->frame->devices()->notes();
        result.profile = made;
    }
    if (options.shrink_arena) shrink();
}

void RunSlot::shrink() {
    if (!device_arenas_.empty()) unbind_devices();
    device_arenas_.clear();
    if (devices_) {
        for (const auto& blocks : devices_->blocks) blocks->shrink();
        for (const auto& memory : devices_->residents) memory->shrink();
    }
    arena_ = Tensor{};
    budget_->shrink();
}

}  // namespace lapidary
