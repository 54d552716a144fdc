<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ChangeModel</name>
    <message numerus="yes">
        <source>%n node(s) removed</source>
        <translation>
            <numerusform>%n node removed</numerusform>
            <numerusform>%n nodes removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) became %1</source>
        <translation>
            <numerusform>%n node became %1</numerusform>
            <numerusform>%n nodes became %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InspectorPanel</name>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… and %n more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NearMissPanel</name>
    <message numerus="yes">
        <source>%n condition(s) or operator(s) are missing</source>
        <translation>
            <numerusform>%n condition or operator is missing</numerusform>
            <numerusform>%n conditions or operators are missing</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QuantizePage</name>
    <message numerus="yes">
        <source>%1 of %n node(s) quantized</source>
        <translation>
            <numerusform>%1 of %n node quantized</numerusform>
            <numerusform>%1 of %n nodes quantized</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Recipe</name>
    <message numerus="yes">
        <source>, first %n rewrite(s)</source>
        <translation>
            <numerusform>, first rewrite</numerusform>
            <numerusform>, first %n rewrites</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tune</name>
    <message numerus="yes">
        <source>%n run(s) measured</source>
        <translation>
            <numerusform>%n run measured</numerusform>
            <numerusform>%n runs measured</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>measured in turn with the next best, %n setting(s) in all</source>
        <translation>
            <numerusform>measured in turn with the next best, %n setting in all</numerusform>
            <numerusform>measured in turn with the next best, %n settings in all</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>only %n run(s) measured</source>
        <translation>
            <numerusform>only %n run measured</numerusform>
            <numerusform>only %n runs measured</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message numerus="yes">
        <source>✗ %1 of %n output(s) differ from what was recorded. %2: %3</source>
        <translation>
            <numerusform>✗ %1 of %n output differs from what was recorded. %2: %3</numerusform>
            <numerusform>✗ %1 of %n outputs differ from what was recorded. %2: %3</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::app::MeasuredDecoders</name>
    <message numerus="yes">
        <source>Measure %n decoder(s)</source>
        <translation>
            <numerusform>Measure %n decoder</numerusform>
            <numerusform>Measure %n decoders</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::app::OpenedModel</name>
    <message numerus="yes">
        <source>Opened %1: %n node(s).</source>
        <translation>
            <numerusform>Opened %1: %n node.</numerusform>
            <numerusform>Opened %1: %n nodes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Showing %1: %n node(s).</source>
        <translation>
            <numerusform>Showing %1: %n node.</numerusform>
            <numerusform>Showing %1: %n nodes.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::BisectBar</name>
    <message numerus="yes">
        <source>✓ Of %n rewrite(s) none moves an output beyond the tolerance.</source>
        <translation>
            <numerusform>✓ The one rewrite moves no output beyond the tolerance.</numerusform>
            <numerusform>✓ Of %n rewrites none moves an output beyond the tolerance.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::ChangePanel</name>
    <message numerus="yes">
        <source>%n came near; the tab Near misses says what each lacked.</source>
        <translation>
            <numerusform>%n came near; the tab Near misses says what each lacked.</numerusform>
            <numerusform>%n came near; the tab Near misses says what each lacked.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::CheckLabel</name>
    <message numerus="yes">
        <source>✗ %n output(s) differ from what was recorded</source>
        <translation>
            <numerusform>✗ %n output differs from what was recorded</numerusform>
            <numerusform>✗ %n outputs differ from what was recorded</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::ChecklistPage</name>
    <message numerus="yes">
        <source>%n thing(s) worth doing</source>
        <translation>
            <numerusform>%n thing worth doing</numerusform>
            <numerusform>%n things worth doing</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::ConvertDialog</name>
    <message numerus="yes">
        <source>Changes: %1. The model keeps its %n node(s).</source>
        <translation>
            <numerusform>Changes: %1. The model keeps its node.</numerusform>
            <numerusform>Changes: %1. The model keeps its %n nodes.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::DecisionPanel</name>
    <message numerus="yes">
        <source>%1 of %n node(s) quantized</source>
        <translation>
            <numerusform>%1 of %n node quantized</numerusform>
            <numerusform>%1 of %n nodes quantized</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The time was over before %n other(s) were tried.</source>
        <translation>
            <numerusform>The time was over before %n other was tried.</numerusform>
            <numerusform>The time was over before %n others were tried.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::DistributionCanvas</name>
    <message numerus="yes">
        <source>%1: %n round(s)</source>
        <translation>
            <numerusform>%1: %n round</numerusform>
            <numerusform>%1: %n rounds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::GraphPage</name>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n found</numerusform>
            <numerusform>%n found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::GuardPanel</name>
    <message numerus="yes">
        <source>✓ All %n outputs agree within tolerance; the largest difference is %1.</source>
        <translation>
            <numerusform>✓ The output agrees within tolerance; the largest difference is %1.</numerusform>
            <numerusform>✓ All %n outputs agree within tolerance; the largest difference is %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n output(s) were dropped on request.</source>
        <translation>
            <numerusform>%n output was dropped on request.</numerusform>
            <numerusform>%n outputs were dropped on request.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::InspectorPanel</name>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… and %n more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… and %n more kinds</source>
        <translation>
            <numerusform>… and %n more kind</numerusform>
            <numerusform>… and %n more kinds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s), after its own passes</source>
        <translation>
            <numerusform>%n node, after its own passes</numerusform>
            <numerusform>%n nodes, after its own passes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n of unknown size</source>
        <translation>
            <numerusform>and %n of unknown size</numerusform>
            <numerusform>and %n of unknown size</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::LevelCard</name>
    <message numerus="yes">
        <source>%1: %2, %n rewrite(s) by %3 of %4 passes in %5.</source>
        <translation>
            <numerusform>%1: %2, %n rewrite by %3 of %4 passes in %5.</numerusform>
            <numerusform>%1: %2, %n rewrites by %3 of %4 passes in %5.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::MainWindow</name>
    <message numerus="yes">
        <source>There are %n more like this.</source>
        <translation>
            <numerusform>There is %n more like this.</numerusform>
            <numerusform>There are %n more like this.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::MapView</name>
    <message numerus="yes">
        <source>%n picture(s) of %1 × %2 values, from %3 to %4</source>
        <translation>
            <numerusform>%n picture of %1 × %2 values, from %3 to %4</numerusform>
            <numerusform>%n pictures of %1 × %2 values, from %3 to %4</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::NearMissPanel</name>
    <message numerus="yes">
        <source>%1 left %2 alone: %3.
%n node(s) matched so far.</source>
        <translation>
            <numerusform>%1 left %2 alone: %3.
%n node matched so far.</numerusform>
            <numerusform>%1 left %2 alone: %3.
%n nodes matched so far.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::RunPage</name>
    <message numerus="yes">
        <source>%n output(s) differ from what was recorded</source>
        <translation>
            <numerusform>%n output differs from what was recorded</numerusform>
            <numerusform>%n outputs differ from what was recorded</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::ValueViewer</name>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… and %n more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GeneratePage</name>
    <message numerus="yes">
        <source>%n variant(s) could not run.</source>
        <translation>
            <numerusform>%n variant could not run.</numerusform>
            <numerusform>%n variants could not run.</numerusform>
        </translation>
    </message>
</context>
</TS>
