// SPDX-License-Identifier: Apache-2.0
#include "drawing/repetitions.h"

#include <algorithm>
#include <tuple>

namespace lapidary::drawing {
namespace {

using Index = std::uint32_t;
using Text = std::vector<Index>;
constexpr Index separator = 0xffffffffu;  // is no symbol

/// For each place, how far what begins there is like the beginning.
Text matches(const Text& text) {
    const Index count = static_cast<Index>(text.size());
    Text z(count, 0);
    if (count > 0) z[0] = count;
    for (Index i = 1, left = 0, right = 0; i < count; ++i) {
        if (i < right) z[i] = std::min(right - i, z[i - left]);
        while (i + z[i] < count && text[z[i]] == text[i + z[i]]) ++z[i];
        if (i + z[i] > right) {
            left = i;
            right = i + z[i];
        }
    }
    return z;
}

Text joined(std::span<const Index> a, std::span<const Index> b) {
    Text text(a.begin(), a.end());
    text.push_back(separator);
    text.insert(text.end(), b.begin(), b.end());
    return text;
}

class Search {
public:
    explicit Search(std::span<const Index> text)
        : text_(text), reversed_(text.rbegin(), text.rend()) {}

    std::vector<Repetition> run() {
        if (text_.size() > 1) search(0, static_cast<Index>(text_.size()));
        // a stretch that a half cut off lies in the one of the whole
        std::ranges::sort(
            found_, {}, [](const Repetition& r) { return std::tuple(r.period, r.first, ~r.end); });
        std::vector<Repetition> kept;
        for (const Repetition& r : found_) {
            if (!kept.empty() && kept.back().period == r.period && r.end <= kept.back().end)
                continue;
            kept.push_back(r);
        }
        return kept;
    }

private:
    std::span<const Index> backwards(Index first, Index end) const {
        return std::span(reversed_).subspan(text_.size() - end, end - first);
    }

    void search(Index first, Index end) {
        if (end - first < 2) return;
        const Index middle = first + (end - first) / 2;
        search(first, middle);
        search(middle, end);
        const Index left = middle - first, right = end - middle;
        std::vector<Repetition> across;
        // a whole period left of the middle
        const Text before =
            matches(Text(backwards(first, middle).begin(), backwards(first, middle).end()));
        const Text onward =
            matches(joined(text_.subspan(middle, right), text_.subspan(first, end - first)));
        for (Index p = 1; p <= left; ++p) {
            const Index a = p < left ? before[p] : 0,
                        b = std::min(right, onward[right + 1 + left - p]);
            if (a + b >= p) across.push_back({middle - p - a, middle + b, p});
        }
        // or right of it
        const Text after = matches(Text(text_.begin() + middle, text_.begin() + end));
        const Text back = matches(joined(backwards(first, middle), backwards(first, end)));
        for (Index p = 1; p <= right; ++p) {
            const Index a = std::min(left, back[left + 1 + right - p]),
                        b = p < right ? after[p] : 0;
            if (a + b >= p) across.push_back({middle - a, middle + p + b, p});
        }
        // of several periods of one stretch the longer ones are multiples
        std::ranges::sort(across, {},
                          [](const Repetition& r) { return std::tuple(r.first, r.end, r.period); });
        for (std::size_t i = 0; i < across.size(); ++i)
            if (i == 0 || across[i - 1].first != across[i].first ||
                across[i - 1].end != across[i].end)
                found_.push_back(across[i]);
    }

    std::span<const Index> text_;
    Text reversed_;
    std::vector<Repetition> found_;
};

}  // namespace

std::vector<Repetition> find_repetitions(std::span<const std::uint32_t> text) {
    return Search(text).run();
}

}  // namespace lapidary::drawing
