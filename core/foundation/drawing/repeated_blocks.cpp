// SPDX-License-Identifier: Apache-2.0
#include <lapidary/graph/repeated_blocks.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "drawing/post_dominators.h"
#include "drawing/repetitions.h"

namespace lapidary {
namespace {

using drawing::PostDominators;
using drawing::Repetition;
using Index = std::uint32_t;
constexpr Index none = PostDominators::none;
constexpr std::size_t work_per_input = 40;  // nested parts are read again, so often at most

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
    hash *= 0xbf58476d1ce4e5b9ull;
    return hash ^ (hash >> 31);
}

/// What lies between two vertices that all data goes through, the second among it.
struct Segment {
    std::vector<Index> members;  // readers first; the second vertex foremost
    Index nodes = 0;             // counted ones
    Index symbol = 0;            // equal for equal operators and wiring
};

bool is_vertex(const BlockInput& input) { return input.vertex < BlockInput::outside; }

std::vector<std::vector<Index>> input_lists(std::span<const BlockVertex> vertices) {
    std::vector<std::vector<Index>> lists(vertices.size());
    for (std::size_t v = 0; v < vertices.size(); ++v)
        for (const BlockInput& input : vertices[v].inputs)
            if (is_vertex(input) && input.vertex < vertices.size())
                lists[v].push_back(input.vertex);
    return lists;
}

class Finder {
public:
    Finder(std::span<const BlockVertex> vertices, const BlockOptions& options)
        : vertices_(vertices), options_(options), inputs_(input_lists(vertices)),
          tree_(drawing::find_post_dominators(inputs_)), taken_(vertices.size(), false),
          stamp_(vertices.size(), 0), seen_(vertices.size(), 0), place_(vertices.size(), 0),
          hash_(vertices.size(), 0) {
        for (const auto& list : inputs_) budget_ += list.size() + 1;
        budget_ *= work_per_input;
    }

    std::vector<RepeatedBlocks> run() {
        for (const std::vector<Index>& spine : spines()) {
            if (work_ > budget_) break;
            search(spine);
        }
        std::ranges::stable_sort(found_, std::greater<>(), [](const RepeatedBlocks& r) {
            return r.blocks.size() * r.blocks.front().size();
        });
        take_along();
        return std::move(found_);
    }

private:
    /// Chains of the tree, in the order of the data, the longest first.
    std::vector<std::vector<Index>> spines() const {
        std::vector<std::vector<Index>> chains;
        for (auto v = tree_.order.rbegin(); v != tree_.order.rend(); ++v) {
            if (tree_.above[*v] != none && tree_.before[tree_.above[*v]] == *v) continue;
            std::vector<Index> chain;
            for (Index at = *v; at != none; at = tree_.before[at]) chain.push_back(at);
            if (chain.size() < 2) continue;
            std::ranges::reverse(chain);
            chains.push_back(std::move(chain));
        }
        std::ranges::stable_sort(chains, std::greater<>(), &std::vector<Index>::size);
        return chains;
    }

    void search(const std::vector<Index>& spine) {
        std::unordered_map<std::uint64_t, Index> symbols;
        std::vector<Segment> segments;
        std::vector<Index> text;
        for (std::size_t i = 0; i < spine.size(); ++i) {
            segments.push_back(segment(spine[i], i > 0 ? spine[i - 1] : none));
            Segment& made = segments.back();
            const std::uint64_t hash =
                taken_[spine[i]] ? mixed(0, ~std::uint64_t{i}) : hash_[spine[i]];
            made.symbol =
                symbols
                    .emplace(mixed(hash, made.members.size()), static_cast<Index>(symbols.size()))
                    .first->second;
            text.push_back(made.symbol);
        }
        std::vector<Index> nodes(1, 0);
        for (const Segment& s : segments) nodes.push_back(nodes.back() + s.nodes);
        std::vector<Repetition> repetitions = drawing::find_repetitions(text);
        std::erase_if(repetitions, [&](const Repetition& r) {
            return nodes[r.first + r.period] - nodes[r.first] < options_.least_nodes ||
                   nodes[r.end] - nodes[r.first] < options_.least_in_all;
        });
        // most blocks first: a stage that comes twice is left to its blocks, a layer with twins in
        // it stays whole
        std::ranges::sort(repetitions, {}, [&](const Repetition& r) {
            return std::tuple(~((r.end - r.first) / r.period), ~(nodes[r.end] - nodes[r.first]),
                              r.first);
        });
        std::vector<bool> used(spine.size(), false);
        for (const Repetition& r : repetitions) keep(free_part(r, used), spine, segments, used);
    }

    /// The longest part of it that no other has taken.
    static Repetition free_part(const Repetition& r, const std::vector<bool>& used) {
        Repetition best{r.first, r.first, r.period};
        for (Index first = r.first, i = r.first; i <= r.end; ++i) {
            if (i < r.end && !used[i]) continue;
            if (i - first > best.end - best.first) best = {first, i, r.period};
            first = i + 1;
        }
        return best;
    }

    /// Cuts it into as many blocks as there can be, where the value between two of them is read
    /// most often.
    void keep(const Repetition& r, const std::vector<Index>& spine,
              const std::vector<Segment>& segments, std::vector<bool>& used) {
        const Index p = r.period;
        if (r.end - r.first < 2 * p) return;
        Index start = r.first, blocks = 0, readings = 0;
        for (Index at = r.first; at < r.first + p && at + 2 * p <= r.end; ++at) {
            const Index count = (r.end - at) / p, read = tree_.readings[spine[at + p - 1]];
            if (std::tuple(count, read) <= std::tuple(blocks, readings)) continue;
            start = at;
            blocks = count;
            readings = read;
        }
        RepeatedBlocks made;
        Index nodes = 0, in_block = 0;
        for (Index b = 0; b < blocks; ++b) {
            const Index first = start + b * p;
            std::vector<Index> members;
            bool same = true;
            for (Index i = 0; i < p && same; ++i) {
                const Index before = first + i > 0 ? spine[first + i - 1] : none;
                same = b == 0 ||
                       equal(segments[start + i], start + i > 0 ? spine[start + i - 1] : none,
                             segments[first + i], before);
                members.insert(members.end(), segments[first + i].members.rbegin(),
                               segments[first + i].members.rend());
            }
            if (!same) break;
            in_block = 0;
            for (const Index v : members) in_block += vertices_[v].is_counted;
            nodes += in_block;
            made.blocks.push_back(std::move(members));
        }
        if (made.blocks.size() < 2 || in_block < options_.least_nodes ||
            nodes < options_.least_in_all)
            return;
        for (Index i = start; i < start + made.blocks.size() * p; ++i) used[i] = true;
        for (const auto& block : made.blocks)
            for (const Index v : block) taken_[v] = true;
        found_.push_back(std::move(made));
    }

    /// All whose results are read in it alone, back to `boundary`, with hash_ of each.
    Segment segment(Index end, Index boundary) {
        Segment made;
        made.members.push_back(end);
        const Index stamp = ++stamps_;
        stamp_[end] = stamp;
        std::vector<Index> touched;
        for (std::size_t i = 0; i < made.members.size() && !taken_[end]; ++i) {
            for (const Index u : inputs_[made.members[i]]) {
                ++work_;
                if (u == boundary || taken_[u]) continue;
                if (seen_[u]++ == 0) touched.push_back(u);
                if (seen_[u] < tree_.readings[u]) continue;
                stamp_[u] = stamp;
                made.members.push_back(u);
            }
        }
        for (const Index u : touched) seen_[u] = 0;
        for (std::size_t i = 0; i < made.members.size(); ++i)
            place_[made.members[i]] = static_cast<Index>(i);
        for (std::size_t i = made.members.size(); i-- > 0;) {
            const Index v = made.members[i];
            std::uint64_t hash = mixed(vertices_[v].label, vertices_[v].inputs.size());
            for (const BlockInput& input : vertices_[v].inputs) {
                const Kind kind = kind_of(input, boundary, stamp);
                hash = mixed(hash, static_cast<std::uint64_t>(kind));
                if (kind == Kind::member) hash = mixed(hash, hash_[input.vertex]);
                if (kind == Kind::member || kind == Kind::boundary)
                    hash = mixed(hash, input.output);
            }
            hash_[v] = hash;
            made.nodes += vertices_[v].is_counted;
        }
        return made;
    }

    enum class Kind : std::uint8_t { absent = 1, outside, boundary, member, shared };
    Kind kind_of(const BlockInput& input, Index boundary, Index stamp) const {
        if (input.vertex == BlockInput::absent) return Kind::absent;
        if (!is_vertex(input) || input.vertex >= vertices_.size()) return Kind::outside;
        if (input.vertex == boundary) return Kind::boundary;
        return stamp_[input.vertex] == stamp ? Kind::member : Kind::shared;
    }

    /// Members are listed by the way they were reached, so that equal segments list equal members
    /// at equal places.
    bool equal(const Segment& a, Index before_a, const Segment& b, Index before_b) {
        if (a.members.size() != b.members.size()) return false;
        const Index stamp_a = mark(a), stamp_b = mark(b);
        for (std::size_t i = 0; i < a.members.size(); ++i) {
            const BlockVertex &va = vertices_[a.members[i]], &vb = vertices_[b.members[i]];
            if (va.label != vb.label || va.inputs.size() != vb.inputs.size()) return false;
            for (std::size_t k = 0; k < va.inputs.size(); ++k) {
                const BlockInput &ia = va.inputs[k], &ib = vb.inputs[k];
                const Kind kind = kind_of(ia, before_a, stamp_a);
                if (kind != kind_of(ib, before_b, stamp_b)) return false;
                if (kind != Kind::member && kind != Kind::boundary) continue;
                if (ia.output != ib.output) return false;
                if (kind == Kind::member && place_[ia.vertex] != place_[ib.vertex]) return false;
            }
        }
        return true;
    }
    Index mark(const Segment& segment) {
        const Index stamp = ++stamps_;
        for (std::size_t i = 0; i < segment.members.size(); ++i) {
            stamp_[segment.members[i]] = stamp;
            place_[segment.members[i]] = static_cast<Index>(i);
        }
        return stamp;
    }

    /// What hangs on one block alone: results that nothing else is made of, and what is computed
    /// from constants for it.
    void take_along() {
        std::vector<std::vector<Index>*> blocks;
        std::vector<Index> block_of(vertices_.size(), none), queue;
        std::vector<bool> ends(vertices_.size(), false);
        for (RepeatedBlocks& repeated : found_) {
            for (auto& block : repeated.blocks) {
                for (const Index v : block) block_of[v] = static_cast<Index>(blocks.size());
                ends[block.back()] = true;
                queue.insert(queue.end(), block.begin(), block.end());
                blocks.push_back(&block);
            }
        }
        std::vector<std::vector<Index>> readers(vertices_.size());
        for (Index v = 0; v < vertices_.size(); ++v)
            for (const Index u : inputs_[v]) readers[u].push_back(v);
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const Index at = queue[i], block = block_of[at];
            const auto take = [&](Index v) {
                block_of[v] = block;
                blocks[block]->push_back(v);
                queue.push_back(v);
            };
            for (const Index v : readers[at]) {
                if (block_of[v] != none || tree_.in_tree[v] || ends[at]) continue;
                if (std::ranges::all_of(inputs_[v], [&](Index u) {
                        return block_of[u] == block ? !ends[u]
                                                    : inputs_[u].empty() && block_of[u] == none;
                    }))
                    take(v);
            }
            for (const Index v : inputs_[at])
                if (block_of[v] == none && vertices_[v].is_counted && inputs_[v].empty() &&
                    std::ranges::all_of(readers[v], [&](Index r) { return block_of[r] == block; }))
                    take(v);
        }
    }

    std::span<const BlockVertex> vertices_;
    const BlockOptions& options_;
    std::vector<std::vector<Index>> inputs_;
    PostDominators tree_;
    std::vector<bool> taken_;
    // stamp_: of the segment it was last a member of, at place_
    std::vector<Index> stamp_, seen_, place_;
    std::vector<std::uint64_t> hash_;
    Index stamps_ = 0;
    std::size_t work_ = 0, budget_ = 0;
    std::vector<RepeatedBlocks> found_;
};

}  // namespace

std::vector<RepeatedBlocks> find_repeated_blocks(std::span<const BlockVertex> vertices,
                                                 const BlockOptions& options) {
    return Finder(vertices, options).run();
}

}  // namespace lapidary
