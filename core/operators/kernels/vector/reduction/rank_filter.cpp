// SPDX-License-Identifier: Apache-2.0
// Ranks are signed integers. For floats they are the bits, with those of negative numbers inverted,
// so that one integer comparison per vector decides. After the first few elements few pass, which
// are written one by one.
#include "kernels/vector/reduction/rank_filter.h"

#include <hwy/highway.h>

namespace lapidary::LAPIDARY_ISA {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
struct Rank {
    using type = T;
};
template <>
struct Rank<float> {
    using type = std::int32_t;
};
template <typename T>
constexpr bool is_real = false;
template <>
constexpr bool is_real<float> = true;
template <typename T>
using D = hn::ScalableTag<typename Rank<T>::type>;

template <typename T>
HWY_INLINE typename Rank<T>::type rank_of(T x, bool smallest) {
    typename Rank<T>::type rank;
    if constexpr (is_real<T>) {
        const float canonical = x + 0.0f;  // -0 becomes 0
        __builtin_memcpy(&rank, &canonical, 4);
        rank = canonical != canonical ? INT32_MAX : rank ^ ((rank >> 31) & INT32_MAX);
    } else rank = x;
    return smallest ? ~rank : rank;
}

template <typename T>
HWY_INLINE hn::Vec<D<T>> load_ranks(const T* x, bool smallest) {
    const D<T> d;
    hn::Vec<D<T>> ranks;
    if constexpr (is_real<T>) {
        const hn::RebindToFloat<D<T>> df;
        const auto canonical = hn::Add(hn::LoadU(df, x), hn::Zero(df));
        const auto bits = hn::BitCast(d, canonical);
        const auto turned = hn::Xor(bits, hn::And(hn::ShiftRight<31>(bits), hn::Set(d, INT32_MAX)));
        ranks =
            hn::IfThenElse(hn::RebindMask(d, hn::IsNaN(canonical)), hn::Set(d, INT32_MAX), turned);
    } else ranks = hn::LoadU(d, x);
    return hn::Xor(ranks, hn::Set(d, static_cast<typename Rank<T>::type>(smallest ? -1 : 0)));
}

HWY_INLINE void put(NarrowCandidate* to, std::int32_t rank, std::int64_t at) {
    to->value = static_cast<std::uint64_t>(static_cast<std::uint32_t>(rank) ^ 0x80000000u) << 32 |
                static_cast<std::uint32_t>(~at);
}
HWY_INLINE void put(WideCandidate* to, std::int64_t rank, std::int64_t at) {
    to->rank = rank;
    to->at = at;
}
HWY_INLINE bool is_before(const NarrowCandidate& a, const NarrowCandidate& b) {
    return a.value > b.value;
}
HWY_INLINE bool is_before(const WideCandidate& a, const WideCandidate& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.at < b.at;
}
HWY_INLINE std::int32_t rank_in(const NarrowCandidate& c) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(c.value >> 32) ^ 0x80000000u);
}
HWY_INLINE std::int64_t rank_in(const WideCandidate& c) { return c.rank; }

template <class D, class M>
HWY_INLINE std::uint64_t bits_of(D d, M mask) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, mask, bytes);
    std::uint64_t bits;
    __builtin_memcpy(&bits, bytes, 8);
    return bits;
}

template <typename T, typename Candidate>
std::int64_t filter(const T* x, std::int64_t begin, std::int64_t end, bool smallest,
                    const Candidate* least, Candidate* to, std::int64_t room, std::int64_t* next) {
    const D<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    constexpr int group = 4;
    static_assert(group * hn::MaxLanes(D<T>()) <= RankFilterKernels::most_at_once);
    std::int64_t count = 0, i = begin;
    if (!least) {
        const std::int64_t last = end - begin < room ? end : begin + room;
        for (; i < last; ++i) put(to + count++, rank_of(x[i], smallest), i);
        *next = i;
        return count;
    }
    const auto bound = rank_in(*least);
    const auto bounds = hn::Set(d, bound);
    for (; i + group * lanes <= end && count + group * lanes <= room; i += group * lanes) {
        const auto m0 = hn::Gt(load_ranks(x + i, smallest), bounds),
                   m1 = hn::Gt(load_ranks(x + i + lanes, smallest), bounds);
        const auto m2 = hn::Gt(load_ranks(x + i + 2 * lanes, smallest), bounds),
                   m3 = hn::Gt(load_ranks(x + i + 3 * lanes, smallest), bounds);
        if (hn::AllFalse(d, hn::Or(hn::Or(m0, m1), hn::Or(m2, m3)))) continue;
        const auto take = [&](const auto& mask, std::int64_t first) HWY_ATTR {
            for (std::uint64_t bits = bits_of(d, mask); bits; bits &= bits - 1) {
                const std::int64_t at = first + __builtin_ctzll(bits);
                put(to + count++, rank_of(x[at], smallest), at);
            }
        };
        take(m0, i);
        take(m1, i + lanes);
        take(m2, i + 2 * lanes);
        take(m3, i + 3 * lanes);
    }
    for (; i + group * lanes > end && i < end && count < room; ++i) {
        const auto rank = rank_of(x[i], smallest);
        if (rank > bound) put(to + count++, rank, i);
    }
    *next = i;
    return count;
}

template <typename T, typename Candidate>
void first_of(const T* x, std::int64_t count, bool smallest, std::int64_t k, Candidate* to) {
    const D<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto insert = [&](std::int64_t at, std::int64_t place) HWY_ATTR {
        Candidate fresh;
        put(&fresh, rank_of(x[at], smallest), at);
        for (; place > 0 && is_before(fresh, to[place - 1]); --place) to[place] = to[place - 1];
        to[place] = fresh;
    };
    const std::int64_t kept = k < count ? k : count;
    std::int64_t i = 0;
    for (; i < kept; ++i) insert(i, i);
    for (; i + lanes <= count; i += lanes) {
        std::uint64_t bits =
            bits_of(d, hn::Gt(load_ranks(x + i, smallest), hn::Set(d, rank_in(to[kept - 1]))));
        for (; bits; bits &= bits - 1) {
            const std::int64_t at = i + __builtin_ctzll(bits);
            if (rank_of(x[at], smallest) > rank_in(to[kept - 1])) insert(at, kept - 1);
        }
    }
    for (; i < count; ++i)
        if (rank_of(x[i], smallest) > rank_in(to[kept - 1])) insert(i, kept - 1);
}

}  // namespace

const RankFilterKernels& rank_filter_kernels() {
    static constexpr RankFilterKernels table{
        {&filter<float, NarrowCandidate>, &first_of<float, NarrowCandidate>},
        {&filter<std::int32_t, NarrowCandidate>, &first_of<std::int32_t, NarrowCandidate>},
        {&filter<std::int64_t, WideCandidate>, &first_of<std::int64_t, WideCandidate>}};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
