// SPDX-License-Identifier: Apache-2.0
#include "exec/memory/storage_sharing.h"

#include <algorithm>
#include <set>
#include <utility>

namespace lapidary {
namespace {

/// Values of one block that later steps read, by place.
class LivingValues {
public:
    void add(std::uint64_t offset, std::size_t value, std::uint64_t bytes) {
        by_offset_.emplace(offset, value);
        sizes_.insert(bytes);
    }
    void remove(std::uint64_t offset, std::size_t value, std::uint64_t bytes) {
        if (by_offset_.erase({offset, value}) != 0) sizes_.erase(sizes_.find(bytes));
    }
    void clear() {
        by_offset_.clear();
        sizes_.clear();
    }
    /// True if `fits` accepts one of the values that may overlap [offset, end).
    template <typename Fits>
    bool any_near(std::uint64_t offset, std::uint64_t end, const Fits& fits) const {
        if (by_offset_.empty()) return false;
        const std::uint64_t longest = *sizes_.rbegin(),
                            from = offset > longest ? offset - longest : 0;
        for (auto it = by_offset_.lower_bound({from, 0}); it != by_offset_.end() && it->first < end;
             ++it)
            if (fits(it->second)) return true;
        return false;
    }
    template <typename Look>
    void for_each(const Look& look) const {
        for (const auto& [offset, value] : by_offset_) look(offset, value);
    }

private:
    std::set<std::pair<std::uint64_t, std::size_t>> by_offset_;
    std::multiset<std::uint64_t> sizes_;
};

class Sharing {
public:
    Sharing(std::span<const Lifetime> values, std::uint64_t alignment, const CancelToken& cancel)
        : values_(values), alignment_(alignment), blocks_(values.begin(), values.end()),
          parts_(values.size()), living_(values.size()), by_last_(values.size()) {
        for (std::size_t v = 0; v < values.size(); ++v) {
            if (v % 1024 == 0) cancel.throw_if_cancelled();
            parts_[v] = {v, 0};
            living_[v].add(0, v, values[v].bytes);
            by_last_[v] = v;
        }
        std::ranges::stable_sort(by_last_, {}, [&](std::size_t v) { return values[v].last; });
    }

    void apply(const SharingStep& step) {
        for (; retired_ < by_last_.size() && values_[by_last_[retired_]].last <= step.step;
             ++retired_)
            retire(by_last_[retired_]);
        switch (step.sharing.kind) {
        case StorageSharing::none: return;
        case StorageSharing::view: return view(step);
        case StorageSharing::overwrite: return overwrite(step);
        case StorageSharing::join: return join(step);
        case StorageSharing::split: return split(step);
        }
    }

    SharedStorage take() {
        SharedStorage storage;
        for (std::size_t v = 0; v < values_.size(); ++v) storage.places.push_back(place(v));
        storage.blocks = std::move(blocks_);
        return storage;
    }

private:
    // The block that contains the value's block, and the offset in it. Shortens the path to it
    // (union-find).
    StoragePlace place(std::size_t v) {
        const StoragePlace& part = parts_[v];
        if (part.block == no_value || parts_[part.block].block == part.block) return part;
        std::vector<std::size_t> way;
        std::size_t root = v;
        for (; parts_[root].block != root; root = parts_[root].block) way.push_back(root);
        std::uint64_t offset = 0;
        for (std::size_t i = way.size(); i-- > 0;) {
            offset += parts_[way[i]].offset;
            parts_[way[i]] = {root, offset};
        }
        return parts_[v];
    }
    const Lifetime& block(std::size_t v) { return blocks_[place(v).block]; }
    bool is_placed(std::size_t v) const { return v != no_value && parts_[v].block != no_value; }
    bool fills_its_block(std::size_t v) { return block(v).bytes == values_[v].bytes; }
    static std::size_t first(const std::vector<std::size_t>& list) {
        return list.empty() ? no_value : list[0];
    }

    bool overlap(std::size_t a, std::size_t b) {
        const StoragePlace at = place(a), other = place(b);
        return at.block == other.block && at.offset < other.offset + values_[b].bytes &&
               other.offset < at.offset + values_[a].bytes;
    }

    // No later step reads it.
    void retire(std::size_t v) {
        if (!is_placed(v)) return;
        const StoragePlace at = place(v);
        living_[at.block].remove(at.offset, v, values_[v].bytes);
    }

    // Puts the whole block of `v` at `offset` of the block of `host`.
    void merge(std::size_t v, std::size_t host, std::uint64_t offset) {
        const std::size_t from = place(v).block, to = place(host).block;
        if (from == to) return;
        living_[from].for_each([&](std::uint64_t at, std::size_t m) {
            living_[to].add(at + offset, m, values_[m].bytes);
        });
        living_[from].clear();
        parts_[from] = {to, offset};
        Lifetime& joined = blocks_[to];
        joined.first = std::min(joined.first, blocks_[from].first);
        joined.last = std::max(joined.last, blocks_[from].last);
        blocks_[from] = {1, 0, 0};
    }

    // A value that is handed out takes the whole block along.
    bool may_hand_out(std::size_t v, std::size_t host) {
        return values_[v].last != never_dies || block(host).last == never_dies ||
               block(host).bytes == values_[v].bytes;
    }

    void view(const SharingStep& step) {
        const std::size_t in = first(step.inputs), out = first(step.outputs);
        if (!is_placed(out)) return;
        if (!is_placed(in)) {
            blocks_[out] = {1, 0, 0};
            parts_[out] = {};
            living_[out].clear();
        } else if (values_[in].bytes == values_[out].bytes && may_hand_out(out, in)) {
            merge(out, in, place(in).offset);
        }
    }

    bool may_overwrite(const SharingStep& step, std::size_t input) {
        const std::size_t v = step.inputs[input], out = step.outputs[0];
        if (!is_placed(v) || values_[v].last != step.step ||
            values_[v].bytes != values_[out].bytes || !may_hand_out(out, v))
            return false;
        const StoragePlace at = place(v);
        const auto is_needed = [&](std::size_t m) { return m != out && overlap(m, v); };
        if (living_[at.block].any_near(at.offset, at.offset + values_[v].bytes, is_needed))
            return false;
        for (std::size_t i = 0; i < step.inputs.size(); ++i) {
            const std::size_t other = step.inputs[i];
            if (i == input || !is_placed(other) || !overlap(other, v)) continue;
            const bool listed = i < 32 && (step.sharing.inputs >> i & 1) != 0;
            if (!listed || place(other).offset != place(v).offset ||
                values_[other].bytes != values_[v].bytes)
                return false;
        }
        return true;
    }

    void overwrite(const SharingStep& step) {
        const std::size_t out = first(step.outputs);
        if (!is_placed(out)) return;
        for (std::size_t i = 0; i < std::min<std::size_t>(step.inputs.size(), 32); ++i)
            if ((step.sharing.inputs >> i & 1) != 0 && may_overwrite(step, i))
                return merge(out, step.inputs[i], place(step.inputs[i]).offset);
    }

    void join(const SharingStep& step) {
        const std::size_t out = first(step.outputs);
        if (!is_placed(out)) return;
        std::uint64_t at = 0;
        for (std::size_t i = 0;
             i < step.inputs.size() && step.input_bytes[i] != SharingStep::unknown_bytes;
             at += step.input_bytes[i++]) {
            const std::size_t v = step.inputs[i];
            if (!is_placed(v) || place(v).block == place(out).block || !fills_its_block(v) ||
                at % alignment_ != 0)
                continue;
            if (at + values_[v].bytes > values_[out].bytes ||
                (block(v).last == never_dies && block(out).last != never_dies))
                continue;
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
            if (is_placed(out) && offset % alignment_ == 0 &&
                (values_[out].last != never_dies || block(in).last == never_dies))
                merge(out, in, offset);
        }
    }

    std::span<const Lifetime> values_;
    std::uint64_t alignment_;
    std::vector<Lifetime> blocks_;
    // by block: what it is part of and where, itself at first; no_value: nowhere
    std::vector<StoragePlace> parts_;
    std::vector<LivingValues> living_;  // by block
    std::vector<std::size_t> by_last_;  // values
    std::size_t retired_ = 0;           // of by_last_
};

}  // namespace

SharedStorage share_storage(std::span<const Lifetime> values, std::span<const SharingStep> steps,
                            std::uint64_t alignment, const CancelToken& cancel) {
    Sharing sharing(values, alignment, cancel);
    for (const SharingStep& step : steps) {
        cancel.throw_if_cancelled();
        sharing.apply(step);
    }
    return sharing.take();
}

}  // namespace lapidary
