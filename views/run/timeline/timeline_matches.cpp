// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/timeline/timeline_matches.h"

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr std::size_t cancel_interval = 4096;  // texts or spans between two looks at the token

}  // namespace

TimelineMatches findKernels(const Profile& profile, const QString& text,
                            const CancelToken& cancel) {
    // Each text is looked at once, however many spans have it.
    std::vector<bool> words;
    words.reserve(profile.labels.words().size());
    for (const std::string& word : profile.labels.words()) {
        if (words.size() % cancel_interval == 0) cancel.throw_if_cancelled();
        words.push_back(exactText(word).contains(text, Qt::CaseInsensitive));
    }
    TimelineMatches found;
    found.labels.reserve(profile.labels.labels().size());
    for (const LabelTable::Label& label : profile.labels.labels())
        found.labels.push_back(words[label.name] || words[label.op]);
    std::vector<bool> seen(words.size(), false);  // names of matches
    for (std::size_t i = 0; i < profile.kernels.size(); ++i) {
        if (i % cancel_interval == 0) cancel.throw_if_cancelled();
        const LabelId label = profile.kernels[i].label;
        if (!found.has(label)) continue;
        found.kernels.push_back(std::uint32_t(i));
        const std::uint32_t name = profile.labels.label(label).name;
        if (!seen[name]) ++found.names;
        seen[name] = true;
    }
    return found;
}

}  // namespace lapidary::views
