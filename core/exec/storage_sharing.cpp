// SPDX-License-Identifier: Apache-2.0
#include "exec/storage_sharing.h"

#include <algorithm>

namespace lapidary {
namespace {

class Sharing {
public:
    Sharing(std::span<const Lifetime> values, std::uint64_t alignment) : values_(values), alignment_(alignment), members_(values.size()) {
        for (std::size_t v = 0; v < values.size(); ++v) {
            storage_.places.push_back({v, 0});
            storage_.blocks.push_back(values[v]);
            members_[v] = {v};
        }
    }

    void apply(const SharingStep& step) {
        switch (step.sharing.kind) {
        case StorageSharing::none: return;
        case StorageSharing::view: return view(step);
        case StorageSharing::overwrite: return overwrite(step);
        case StorageSharing::join: return join(step);
        case StorageSharing::split: return split(step);
        }
    }

    SharedStorage take() { return std::move(storage_); }

private:
    const StoragePlace& place(std::size_t v) const { return storage_.places[v]; }
    const Lifetime& block(std::size_t v) const { return storage_.blocks[place(v).block]; }
    bool is_placed(std::size_t v) const { return v != no_value && place(v).block != no_value; }
    bool fills_its_block(std::size_t v) const { return place(v).offset == 0 && block(v).bytes == values_[v].bytes; }
    static std::size_t first(const std::vector<std::size_t>& list) { return list.empty() ? no_value : list[0]; }

    bool overlap(std::size_t a, std::size_t b) const {
        return place(a).block == place(b).block && place(a).offset < place(b).offset + values_[b].bytes &&
               place(b).offset < place(a).offset + values_[a].bytes;
    }

    // Puts the whole block of `v` at `offset` of the block of `host`.
    void merge(std::size_t v, std::size_t host, std::uint64_t offset) {
        const std::size_t from = place(v).block, to = place(host).block;
        for (std::size_t m : members_[from]) {
            storage_.places[m] = {to, place(m).offset + offset};
            members_[to].push_back(m);
        }
        members_[from].clear();
        Lifetime& joined = storage_.blocks[to];
        joined.first = std::min(joined.first, storage_.blocks[from].first);
        joined.last = std::max(joined.last, storage_.blocks[from].last);
        storage_.blocks[from] = {1, 0, 0};
    }

    // A value that is handed out takes the whole block along.
    bool may_hand_out(std::size_t v, std::size_t host) const {
        return values_[v].last != never_dies || block(host).last == never_dies || block(host).bytes == values_[v].bytes;
    }

    void view(const SharingStep& step) {
        const std::size_t in = first(step.inputs), out = first(step.outputs);
        if (!is_placed(out)) return;
        if (!is_placed(in)) {
            storage_.blocks[place(out).block] = {1, 0, 0};
            storage_.places[out] = {};
        } else if (values_[in].bytes == values_[out].bytes && may_hand_out(out, in)) {
            merge(out, in, place(in).offset);
        }
    }

    bool may_overwrite(const SharingStep& step, std::size_t input) const {
        const std::size_t v = step.inputs[input], out = step.outputs[0];
        if (!is_placed(v) || values_[v].last != step.step || values_[v].bytes != values_[out].bytes || !may_hand_out(out, v)) return false;
        for (std::size_t m : members_[place(v).block])
            if (m != out && values_[m].last > step.step && overlap(m, v)) return false;
        for (std::size_t i = 0; i < step.inputs.size(); ++i) {
            const std::size_t other = step.inputs[i];
            if (i == input || !is_placed(other) || !overlap(other, v)) continue;
            const bool listed = i < 32 && (step.sharing.inputs >> i & 1) != 0;
            if (!listed || place(other).offset != place(v).offset || values_[other].bytes != values_[v].bytes) return false;
        }
        return true;
    }

    void overwrite(const SharingStep& step) {
        const std::size_t out = first(step.outputs);
        if (!is_placed(out)) return;
        for (std::size_t i = 0; i < std::min<std::size_t>(step.inputs.size(), 32); ++i)
            if ((step.sharing.inputs >> i & 1) != 0 && may_overwrite(step, i)) return merge(out, step.inputs[i], place(step.inputs[i]).offset);
    }

    void join(const SharingStep& step) {
        const std::size_t out = first(step.outputs);
        if (!is_placed(out)) return;
        std::uint64_t at = 0;
        for (std::size_t i = 0; i < step.inputs.size() && step.input_bytes[i] != SharingStep::unknown_bytes; at += step.input_bytes[i++]) {
            const std::size_t v = step.inputs[i];
            if (!is_placed(v) || place(v).block == place(out).block || !fills_its_block(v) || at % alignment_ != 0) continue;
            if (at + values_[v].bytes > values_[out].bytes || (block(v).last == never_dies && block(out).last != never_dies)) continue;
            merge(v, out, at);
        }
    }

    void split(const SharingStep& step) {
        const std::size_t in = first(step.inputs);
        if (!is_placed(in)) return;
        std::uint64_t at = 0;
        for (std::size_t out : step.outputs) {
            if (out == no_value) return;  // how much it takes is not known
            const std::uint64_t offset = place(in).offset + at;
            at += values_[out].bytes;
            if (at > values_[in].bytes) return;
            if (is_placed(out) && offset % alignment_ == 0 && (values_[out].last != never_dies || block(in).last == never_dies)) merge(out, in, offset);
        }
    }

    std::span<const Lifetime> values_;
    std::uint64_t alignment_;
    std::vector<std::vector<std::size_t>> members_;  // by block
    SharedStorage storage_;
};

}  // namespace

SharedStorage share_storage(std::span<const Lifetime> values, std::span<const SharingStep> steps, std::uint64_t alignment) {
    Sharing sharing(values, alignment);
    for (const SharingStep& step : steps) sharing.apply(step);
    return sharing.take();
}

}  // namespace lapidary
