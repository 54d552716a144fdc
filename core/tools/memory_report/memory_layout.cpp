// SPDX-License-Identifier: Apache-2.0
#include "memory_report/memory_layout.h"

#include <algorithm>
#include <optional>

#include "exec/memory/activation_arena.h"
#include "exec/memory/address_owners.h"
#include "exec/memory/storage_sharing.h"
#include "memory_report/covered_bytes.h"

namespace lapidary {
namespace {

class Layout {
public:
    Layout(const Plan& plan, const ExpectedMemory& expected, const MemoryAssumptions& assumptions,
           std::uint64_t prepared_bytes, const CancelToken& cancel)
        : plan_(plan), graph_(*plan.graph), expected_(expected), assumptions_(assumptions),
          prepared_bytes_(prepared_bytes), cancel_(cancel) {}

    MemoryLayout make() {
        if (assumptions_.plan) planned();
        else unplanned();
        std::ranges::stable_sort(layout_.tensors, {}, &TensorLifetime::first_step);
        find_hosts();
        for (const TensorLifetime& t : layout_.tensors)
            layout_.address_end = std::max(layout_.address_end, t.offset + t.bytes);
        count_touched();
        return std::move(layout_);
    }

private:
    std::size_t last_step() const { return plan_.steps.empty() ? 0 : plan_.steps.size() - 1; }

    TensorLifetime tensor(ValueId v, std::size_t step, std::uint64_t offset,
                          std::uint64_t bytes) const {
        TensorLifetime t;
        t.value = v;
        t.name = graph_.value(v).name;
        if (const auto& type = expected_.types[v.index]) t.type = to_string(*type);
        t.first_step = step;
        t.offset = offset;
        t.bytes = bytes;
        t.writer = plan_.steps[step].node;
        t.written_by = step_name(plan_, plan_.steps[step]);
        const std::size_t last = plan_.last_use[v.index];
        if (last == never_dies) {
            t.role = TensorRole::output;
            t.last_step = last_step();
        } else {
            t.last_step = last;
            t.keeper = plan_.steps[last].node;
            t.kept_by = step_name(plan_, plan_.steps[last]);
        }
        return t;
    }

    TensorLifetime workspace(std::size_t step, std::uint64_t offset, std::uint64_t bytes,
                             bool is_inner) const {
        TensorLifetime t;
        t.role = TensorRole::workspace;
        t.written_by = t.kept_by = step_name(plan_, plan_.steps[step]);
        t.name = (is_inner ? "subgraphs of " : "working memory of ") + t.written_by;
        t.writer = t.keeper = plan_.steps[step].node;
        t.first_step = t.last_step = step;
        t.offset = offset;
        t.bytes = bytes;
        return t;
    }

    // One block; behind it the storages of graph outputs; behind those, values that have a size but
    // no place in the plan.
    void planned() {
        const MemoryTrace& trace = expected_.trace;
        const MemoryPattern pattern = make_pattern(plan_, trace, assumptions_.in_place, cancel_);
        std::vector<std::uint64_t> storage_at{0};
        std::uint64_t end = pattern.total_bytes;
        for (std::uint64_t bytes : pattern.handed_out) {
            end = (end + 63) / 64 * 64;
            storage_at.push_back(end);
            end += bytes;
        }
        std::vector<TensorLifetime> loose;
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
            cancel_.throw_if_cancelled();
            for (ValueId v : graph_.node(plan_.steps[i].node).outputs) {
                if (!v || trace.value_bytes[v.index] == MemoryTrace::nothing ||
                    expected_.is_free[v.index] != 0)
                    continue;
                const MemoryPattern::Place& at = pattern.values[v.index];
                if (at.offset != MemoryPattern::none)
                    layout_.tensors.push_back(tensor(v, i, storage_at[at.storage] + at.offset,
                                                     pattern.value_bytes[v.index]));
                else if (!trace.is_planned[v.index])
                    loose.push_back(tensor(v, i, 0, trace.value_bytes[v.index]));
            }
            const auto& scratch = trace.scratch_bytes[i];
            for (std::size_t s = 0; s < scratch.size(); ++s)
                layout_.tensors.push_back(
                    workspace(i, pattern.scratch[i][s], scratch[s],
                              expected_.inner[i] != 0 && s + 1 == scratch.size()));
        }
        layout_.held_bytes = pattern.total_bytes;
        for (std::uint64_t bytes : pattern.handed_out) layout_.held_bytes += bytes;
        if (!loose.empty()) layout_.held_bytes += place(loose, (end + 63) / 64 * 64);
    }

    /// Places tensors with separate storage at the best addresses from `base` on. Returns the bytes
    /// taken.
    std::uint64_t place(std::vector<TensorLifetime>& list, std::uint64_t base) {
        std::vector<Lifetime> lives;
        for (const TensorLifetime& t : list) lives.push_back({t.first_step, t.last_step, t.bytes});
        const MemoryPlan placed = plan_memory(lives, 64, cancel_);
        for (std::size_t i = 0; i < list.size(); ++i) {
            list[i].offset = base + placed.offsets[i];
            layout_.tensors.push_back(std::move(list[i]));
        }
        return placed.total_bytes;
    }

    /// Storage that values share by reference counting.
    struct Held {
        std::size_t first = 0, last = 0;
        std::uint64_t bytes = 0, address = 0;
        int holders = 0;
        std::vector<TensorLifetime> tensors;
    };

    // Follows a run without a plan step by step: storage is taken on demand and released with its
    // last holder.
    void unplanned() {
        ActivationArena arena(ArenaExtend::next_power_of_two, ActivationArena::Backing::addresses);
        const bool in_arena = assumptions_.arena;
        arena.prepare(prepared_bytes_);
        std::vector<Held> held;
        std::vector<std::size_t> storage_of(graph_.value_slots(), no_value);
        const auto take = [&](std::size_t step, std::uint64_t bytes) {
            Held& h = held.emplace_back();
            h.first = h.last = step;
            h.bytes = bytes;
            if (in_arena) h.address = reinterpret_cast<std::uintptr_t>(arena.allocate(bytes));
            h.holders = 1;
            return held.size() - 1;
        };
        const auto drop = [&](std::size_t index, std::size_t step) {
            if (--held[index].holders > 0) return;
            held[index].last = step;
            if (in_arena) arena.release(reinterpret_cast<void*>(held[index].address));
        };
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
            cancel_.throw_if_cancelled();
            const Step& step = plan_.steps[i];
            const Node& node = graph_.node(step.node);
            std::vector<std::size_t> scratches;
            std::vector<std::uint8_t> written(node.outputs.size(), 0);
            const auto write = [&](std::size_t o) {
                const ValueId v = node.outputs[o];
                if (!v || written[o] != 0) return;
                written[o] = 1;
                const std::uint64_t bytes = expected_.trace.value_bytes[v.index];
                if (bytes == MemoryTrace::nothing || expected_.is_free[v.index] != 0) return;
                if (o == 0 && assumptions_.in_place &&
                    step.kernel.sharing().kind == StorageSharing::view && !node.inputs.empty() &&
                    node.inputs[0]) {
                    const std::size_t source = storage_of[node.inputs[0].index];
                    if (source == no_value) return;  // the caller's, or a constant
                    if (held[source].bytes == bytes) {
                        storage_of[v.index] = source;
                        ++held[source].holders;
                        held[source].tensors.push_back(tensor(v, i, 0, bytes));
                        return;
                    }
                }
                storage_of[v.index] = take(i, bytes);
                held.back().tensors.push_back(tensor(v, i, 0, bytes));
            };
            for (const StepRequests::Request& r : expected_.steps[i].in_order) {
                if (r.output != StepRequests::scratch) {
                    write(r.output);
                    continue;
                }
                scratches.push_back(take(i, r.bytes));
                held.back().tensors.push_back(workspace(i, 0, r.bytes, false));
            }
            for (std::size_t o = 0; o < node.outputs.size(); ++o) write(o);
            if (const std::uint64_t inner = expected_.inner[i]; inner != 0) {
                scratches.push_back(take(i, inner));
                held.back().tensors.push_back(workspace(i, 0, inner, true));
            }
            for (std::size_t s : scratches) drop(s, i);
            for (ValueId v : step.released_after)
                if (storage_of[v.index] != no_value) drop(storage_of[v.index], i);
        }
        place_held(held, in_arena ? &arena : nullptr);
    }

    /// Addresses of what unplanned() took: those of the arena, else the closest fit.
    void place_held(std::vector<Held>& held, ActivationArena* arena) {
        for (Held& h : held)
            if (h.holders > 0) h.last = last_step();
        if (arena) {
            const std::uint64_t base = ActivationArena::first_address;
            for (Held& h : held) {
                for (TensorLifetime& t : h.tensors) t.offset = h.address - base;
                if (h.holders > 0) arena->release(reinterpret_cast<void*>(h.address));
            }
            layout_.held_bytes = arena->reserved();
        } else {
            // Addresses of the heap are not known: the picture shows the closest fit.
            std::vector<Lifetime> lives;
            for (const Held& h : held) lives.push_back({h.first, h.last, h.bytes});
            const MemoryPlan placed = plan_memory(lives, 64, cancel_);
            for (std::size_t i = 0; i < held.size(); ++i)
                for (TensorLifetime& t : held[i].tensors) t.offset = placed.offsets[i];
        }
        for (Held& h : held) std::ranges::move(h.tensors, std::back_inserter(layout_.tensors));
    }

    // Finds which tensors lie in the bytes of others that are alive and listed before.
    void find_hosts() {
        AddressOwners owners;
        std::size_t count = 0;
        for (TensorLifetime& t : layout_.tensors) {
            if (count++ % 1024 == 0) cancel_.throw_if_cancelled();
            if (const auto host = owners.add(t.offset, t.bytes, t.first_step, t.last_step))
                t.shares = static_cast<std::ptrdiff_t>(*host);
        }
    }

    void count_touched() {
        constexpr std::uint64_t page = 4096;
        std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
        for (const TensorLifetime& t : layout_.tensors)
            if (t.bytes != 0)
                ranges.emplace_back(t.offset / page * page,
                                    (t.offset + t.bytes + page - 1) / page * page);
        if (!assumptions_.plan && assumptions_.arena && prepared_bytes_ != 0)
            ranges.emplace_back(0, (prepared_bytes_ + page - 1) / page * page);
        std::ranges::sort(ranges);
        std::uint64_t end = 0;
        for (const auto& [from, to] : ranges) {
            layout_.touched_bytes += std::max(to, end) - std::max(from, end);
            end = std::max(end, to);
        }
    }

    const Plan& plan_;
    const Graph& graph_;
    const ExpectedMemory& expected_;
    const MemoryAssumptions& assumptions_;
    const std::uint64_t prepared_bytes_;
    const CancelToken& cancel_;
    MemoryLayout layout_;
};

}  // namespace

MemoryLayout lay_out(const Plan& plan, const ExpectedMemory& expected,
                     const MemoryAssumptions& assumptions, std::uint64_t prepared_bytes,
                     const CancelToken& cancel) {
    return Layout(plan, expected, assumptions, prepared_bytes, cancel).make();
}

std::vector<MemoryMoment> moments_of(const std::vector<TensorLifetime>& tensors,
                                     std::size_t steps) {
    std::vector<MemoryMoment> moments(steps);
    if (steps == 0) return moments;
    // differences; unsigned sums come out right modulo 2^64
    std::vector<MemoryMoment> change(steps + 1);
    const auto add = [&](TensorRole role, std::size_t from, std::size_t to, std::uint64_t bytes) {
        std::uint64_t MemoryMoment::*part = role == TensorRole::output ? &MemoryMoment::outputs
                                            : role == TensorRole::workspace
                                                ? &MemoryMoment::workspace
                                                : &MemoryMoment::activations;
        change[from].*part += bytes;
        change[to].*part -= bytes;
    };
    // Tensors that share bytes, by the first of them.
    std::vector<std::size_t> root(tensors.size());
    std::vector<std::vector<std::size_t>> groups(tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        root[i] = tensors[i].shares >= 0 ? root[static_cast<std::size_t>(tensors[i].shares)] : i;
        groups[root[i]].push_back(i);
    }
    for (const auto& group : groups) {
        if (group.size() == 1) {
            const TensorLifetime& t = tensors[group[0]];
            add(t.role, t.first_step, t.last_step + 1, t.bytes);
            continue;
        }
        std::vector<std::size_t> events;
        TensorRole role = TensorRole::activation;
        for (std::size_t m : group) {
            events.push_back(tensors[m].first_step);
            events.push_back(tensors[m].last_step + 1);
            if (tensors[m].role == TensorRole::output) role = TensorRole::output;
        }
        std::ranges::sort(events);
        events.erase(std::unique(events.begin(), events.end()), events.end());
        const std::vector<std::uint64_t> covered = covered_bytes(tensors, group, events);
        for (std::size_t e = 0; e + 1 < events.size(); ++e)
            add(role, events[e], events[e + 1], covered[e]);
    }
    MemoryMoment now;
    for (std::size_t i = 0; i < steps; ++i) {
        now.activations += change[i].activations;
        now.outputs += change[i].outputs;
        now.workspace += change[i].workspace;
        moments[i] = now;
    }
    return moments;
}

}  // namespace lapidary
