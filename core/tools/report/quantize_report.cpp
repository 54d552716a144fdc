// SPDX-License-Identifier: Apache-2.0
#include <lapidary/quantize/quantize_report.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "base/files/atomic_file.h"
#include "report/html_writer.h"
#include "report/report_table.h"

namespace lapidary {
namespace {

constexpr std::size_t most_bars = 400, most_histograms = 200;
constexpr double best_drawn = 80;  // dB: longer bars say nothing

constexpr std::string_view style = R"(
:root { --page:#f6f7f9; --card:#fff; --ink:#1c2330; --soft:#5b6575; --line:#d9dee6; --accent:#3b6fd4; --bad:#c03a2b;
  --bar:#9db8ea; color-scheme: light }
@media (prefers-color-scheme: dark) { :root { --page:#14171d; --card:#1d222b; --ink:#e4e8ef; --soft:#9aa4b5;
  --line:#343c4a; --accent:#6b97f0; --bad:#f07f70; --bar:#3d5a92; color-scheme: dark } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif }
main { max-width: 1180px; margin: 0 auto; padding: 1.4rem 1.5rem }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.3rem;
  margin: 1rem 0; overflow-x: auto }
h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere } h2 { font-size: 1.2rem; margin: 0 0 .6rem }
.sentence { font-size: 1.1rem; font-weight: 600 } .soft { color: var(--soft); font-size: .87rem }
table { border-collapse: collapse; width: 100%; font-size: .9rem }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
th { color: var(--soft); font-weight: 600 } td.n, th.n { text-align: right; white-space: nowrap }
.meter { background: var(--bar); height: .7rem; border-radius: 3px; min-width: 1px } .low { background: var(--bad) }
.hists { display: flex; flex-wrap: wrap; gap: 1rem } figure { margin: 0; width: 260px }
figcaption { font-size: .8rem; color: var(--soft); overflow-wrap: anywhere }
svg { display: block } .b { fill: var(--bar) } .clip { stroke: var(--bad); stroke-width: 1.5 }
code { overflow-wrap: anywhere }
)";

std::string decibels(double db) {
    return std::isfinite(db) ? fmt::format("{:.1f}", db) : db > 0 ? "equal" : "none";
}

class Page {
public:
    explicit Page(std::ostream& out) : html_(out) {}

    void write(const QuantizeReport& report) {
        html_.raw(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
        html_.element("title", report.title + ", quantized")
            .raw("<style>")
            .raw(style)
            .raw("</style></head><body><main>");
        html_.element("h1", report.title).element("p", report.sentence, {{"class", "sentence"}});
        if (!report.recipe.empty()) html_.open("p").element("code", report.recipe).close("p");
        notes(report.notes);
        recipes(report.recipes);
        outputs(report.outputs);
        sensitivity(report.sensitivity);
        layers(report.layers);
        ranges(report.ranges);
        nodes(report.nodes);
        html_.raw("</main></body></html>\n");
    }

private:
    void section(const std::string& title) { html_.open("section").element("h2", title); }
    void head(std::initializer_list<std::pair<std::string_view, bool>> columns) {
        html_.raw("<table><tr>");
        for (const auto& [name, is_number] : columns)
            is_number ? html_.element("th", name, {{"class", "n"}}) : html_.element("th", name);
        html_.raw("</tr>");
    }
    void cell(std::string_view text) { html_.element("td", text); }
    void number(std::string_view text) { html_.element("td", text, {{"class", "n"}}); }
    void more(std::size_t all, std::size_t shown) {
        if (all > shown)
            html_.element("p", fmt::format("{} more are not shown", all - shown),
                          {{"class", "soft"}});
    }
    /// 20 dB are visible: below, the bar is red.
    void meter(double db) {
        const double share = std::isfinite(db) ? std::clamp(db / best_drawn, 0.0, 1.0)
                             : db > 0          ? 1
                                               : 0;
        html_.raw(fmt::format(
            "<td style=\"width:40%\"><div class=\"meter{}\" style=\"width:{:.1f}%\"></div></td>",
            db < 20 ? " low" : "", share * 100));
    }

    void notes(const std::vector<std::string>& notes) {
        if (notes.empty()) return;
        section("What to know");
        html_.raw("<ul>");
        for (const std::string& note : notes) html_.element("li", note);
        html_.raw("</ul></section>");
    }

    void recipes(const std::vector<ReportedRecipe>& recipes) {
        if (recipes.empty()) return;
        section("Recipes");
        head({{"recipe", false},
              {"SQNR dB", true},
              {"constants", true},
              {"ms", true},
              {"options", false}});
        for (const ReportedRecipe& recipe : recipes) {
            html_.raw("<tr>");
            cell(recipe.name + (recipe.is_best ? " \u2605" : ""));
            number(recipe.failure.empty() ? decibels(recipe.sqnr_db) : "");
            number(fmt::format("{}", recipe.bytes));
            number(recipe.ms ? fmt::format("{:.3f}", *recipe.ms) : "");
            cell(recipe.failure.empty() ? recipe.words : recipe.failure);
            html_.raw("</tr>");
        }
        html_.raw("</table></section>");
    }

    void outputs(const std::vector<OutputAccuracy>& outputs) {
        if (outputs.empty()) return;
        section("Outputs");
        head({{"output", false},
              {"SQNR dB", true},
              {"cosine", true},
              {"largest difference", true},
              {"flips", true}});
        for (const OutputAccuracy& output : outputs) {
            html_.raw("<tr>");
            cell(output.name);
            number(decibels(output.sqnr_db));
            number(fmt::format("{:.6f}", output.cosine));
            number(fmt::format("{:.3g}", output.max_abs));
            number(output.rows > 0 ? fmt::format("{} of {}", output.flips, output.rows) : "");
            html_.raw("</tr>");
        }
        html_.raw("</table></section>");
    }

    void sensitivity(const std::optional<Sensitivity>& found) {
        if (!found || found->groups.empty()) return;
        section("Nodes by what each costs alone");
        head({{"nodes", false}, {"SQNR dB", true}, {"share of noise", true}, {"", false}});
        for (std::size_t i = 0; i < found->groups.size() && i < most_bars; ++i) {
            const NodeSensitivity& group = found->groups[i];
            html_.raw("<tr>");
            cell(fmt::format("{}", fmt::join(group.nodes, ", ")));
            number(decibels(group.alone_db));
            number(fmt::format("{:.1f} %", group.share * 100));
            meter(group.alone_db);
            html_.raw("</tr>");
        }
        html_.raw("</table>");
        more(found->groups.size(), most_bars);
        html_.raw("</section>");
    }

    void layers(const std::vector<LayerAccuracy>& layers) {
        if (layers.empty()) return;
        section("Layer by layer, from input to output");
        head({{"node", false}, {"value", false}, {"SQNR dB", true}, {"", false}});
        for (std::size_t i = 0; i < layers.size() && i < most_bars; ++i) {
            html_.raw("<tr>");
            cell(layers[i].node);
            cell(layers[i].value);
            number(decibels(layers[i].sqnr_db));
            meter(layers[i].sqnr_db);
            html_.raw("</tr>");
        }
        html_.raw("</table>");
        more(layers.size(), most_bars);
        html_.raw("</section>");
    }

    void ranges(const std::vector<QuantizedRange>& ranges) {
        if (ranges.empty()) return;
        section("Ranges of activations");
        html_.element("p",
                      "Bars: how often values were seen, heights by the logarithm. Red: the ends "
                      "of what the integers stand for.",
                      {{"class", "soft"}});
        html_.raw("<div class=\"hists\">");
        for (std::size_t i = 0; i < ranges.size() && i < most_histograms; ++i) histogram(ranges[i]);
        html_.raw("</div>");
        more(ranges.size(), most_histograms);
        html_.raw("</section>");
    }

    void histogram(const QuantizedRange& range) {
        constexpr double width = 256, height = 80;
        const double bottom = std::min({0.0F, range.low, range.lowest}),
                     top = std::max({0.0F, range.high, range.highest});
        const double span = top > bottom ? top - bottom : 1;
        const auto x = [&](double value) { return (value - bottom) / span * width; };
        html_.raw("<figure>")
            .raw(fmt::format("<svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">", width,
                             height));
        if (!range.histogram.empty()) {
            const double low = std::min(0.0F, range.low), high = std::max(0.0F, range.high);
            const double bin = (high - low) / static_cast<double>(range.histogram.size());
            const double most =
                std::log1p(static_cast<double>(*std::ranges::max_element(range.histogram)));
            for (std::size_t i = 0; i < range.histogram.size(); ++i) {
                if (range.histogram[i] == 0) continue;
                const double h =
                    std::log1p(static_cast<double>(range.histogram[i])) / most * height;
                html_.raw(
                    fmt::format("<rect class=\"b\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" "
                                "height=\"{:.2f}\"/>",
                                x(low + bin * static_cast<double>(i)), height - h,
                                std::max(0.5, bin / span * width), h));
            }
        }
        for (const double end :
             {static_cast<double>(range.lowest), static_cast<double>(range.highest)})
            html_.raw(fmt::format(
                "<line class=\"clip\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"0\" y2=\"{1}\"/>", x(end),
                height));
        html_.raw("</svg>").element(
            "figcaption",
            fmt::format("{}: seen [{:.4g}, {:.4g}], {} of [{:.4g}, {:.4g}], {:.3f} % saturated",
                        range.name, range.low, range.high, name_of(range.dtype), range.lowest,
                        range.highest, range.saturated * 100));
        html_.raw("</figure>");
    }

    void nodes(const std::vector<NodeDecision>& nodes) {
        if (nodes.empty()) return;
        section("Every node, and why");
        head({{"node", false}, {"now", false}, {"why", false}});
        for (std::size_t i = 0; i < nodes.size() && i < most_rows; ++i) {
            html_.raw("<tr>");
            cell(nodes[i].node);
            cell(nodes[i].quantized ? "quantized" : "float");
            cell(nodes[i].reason);
            html_.raw("</tr>");
        }
        html_.raw("</table>");
        more(nodes.size(), most_rows);
        html_.raw("</section>");
    }

    html::Writer html_;
};

}  // namespace

void write_quantize_report(const QuantizeReport& report, std::ostream& out) {
    Page(out).write(report);
}

void save_quantize_report(const QuantizeReport& report, const std::filesystem::path& path) {
    std::ostringstream page;
    write_quantize_report(report, page);
    AtomicFile file(path);
    file.write(page.view());
    file.commit();
}

}  // namespace lapidary
