// SPDX-License-Identifier: Apache-2.0
#include <lapidary/profile.h>

#include <algorithm>
#include <cstdio>
#include <map>

namespace lapidary {
namespace {

double milliseconds(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

std::string percent(double share) {
    char text[16];
    std::snprintf(text, sizeof text, "%.0f %%", share * 100);
    return text;
}

std::string verdict_of(const ProfileSummary& s) {
    if (s.operators.empty()) return "No kernel ran.";
    const OperatorTotal& top = s.operators.front();
    char wall[32];
    std::snprintf(wall, sizeof wall, s.wall_ms >= 100 ? "%.0f ms" : "%.2f ms", s.wall_ms);
    std::string text = percent(top.share) + " of " + wall + " goes to " + std::to_string(top.count) + " " + top.op + (top.count == 1 ? " node" : " nodes");
    if (s.operators.size() > 1) text += ", " + percent(s.operators[1].share) + " to " + s.operators[1].op;
    if (!s.nodes.empty()) text += "; the slowest node is " + s.nodes.front().name + " (" + percent(s.nodes.front().share) + ")";
    return text + ".";
}

}  // namespace

ProfileSummary summarize(const Profile& profile) {
    ProfileSummary s;
    const double runs = std::max<std::size_t>(profile.run_spans.size(), 1);
    for (const Span& r : profile.run_spans) s.wall_ms += milliseconds(r.duration_ns()) / runs;

    // Time of a control-flow kernel counts its subgraphs' kernels; their operators are not added again.
    std::map<std::string, OperatorTotal> operators;
    std::map<std::string, std::size_t> index;
    for (const Span& k : profile.kernels) {
        const double ms = milliseconds(k.duration_ns());
        if (k.depth == 0) {
            s.kernel_ms += ms / runs;
            OperatorTotal& o = operators[k.op];
            o.op = k.op;
            o.self_ms += ms / runs;
            ++o.count;
        }
        const auto [it, fresh] = index.try_emplace(k.node ? "#" + std::to_string(k.node.index) : k.name, s.nodes.size());
        if (fresh) {
            NodeTotal n;
            n.node = k.node;
            n.name = k.name;
            n.op = k.op;
            n.kernel = k.kernel;
            n.shapes = k.shapes;
            n.min_ms = n.max_ms = ms;
            s.nodes.push_back(std::move(n));
        }
        NodeTotal& n = s.nodes[it->second];
        n.mean_ms += ms / runs;
        n.min_ms = std::min(n.min_ms, ms);
        n.max_ms = std::max(n.max_ms, ms);
        ++n.calls;
    }
    for (auto& [op, total] : operators) {
        total.count = static_cast<std::int64_t>(static_cast<double>(total.count) / runs + 0.5);
        total.share = s.wall_ms > 0 ? total.self_ms / s.wall_ms : 0;
        s.operators.push_back(total);
    }
    for (NodeTotal& n : s.nodes) n.share = s.wall_ms > 0 ? n.mean_ms / s.wall_ms : 0;
    std::ranges::stable_sort(s.operators, std::greater{}, &OperatorTotal::self_ms);
    std::ranges::stable_sort(s.nodes, std::greater{}, &NodeTotal::mean_ms);
    s.verdict = verdict_of(s);
    return s;
}

}  // namespace lapidary
