<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>CanvasOverlay</name>
    <message>
        <source>No measurements yet: run a profile</source>
        <translation>还没有测量数据：请先做一次性能分析</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>缩略图</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
</context>
<context>
    <name>ChangeModel</name>
    <message numerus="yes">
        <source>%n node(s) removed</source>
        <translation>
            <numerusform>移除了 %n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) became %1</source>
        <translation>
            <numerusform>%n 个节点变成 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source> in %1</source>
        <translation>，用时 %1</translation>
    </message>
    <message>
        <source> (a session does this to its own copy; no file holds it)</source>
        <translation>（会话对自己的副本这样做；任何文件中都没有）</translation>
    </message>
</context>
<context>
    <name>ChannelBlock</name>
    <message>
        <source>Blocks of channels</source>
        <translation>通道分块</translation>
    </message>
    <message>
        <source>For which CPU was %1 saved?</source>
        <translation>%1 是为哪种 CPU 保存的？</translation>
    </message>
    <message>
        <source>Its channels lie in blocks of 8 or of 16, the file does not say which, and with the wrong one its results are wrong.</source>
        <translation>其通道按 8 或 16 分块，文件没有说明是哪一种；选错则结果错误。</translation>
    </message>
    <message>
        <source>16: AVX-512 or 64-bit ARM</source>
        <translation>16：AVX-512 或 64 位 ARM</translation>
    </message>
    <message>
        <source>8: any other</source>
        <translation>8：其他任何 CPU</translation>
    </message>
</context>
<context>
    <name>Columns</name>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>From A to B</source>
        <translation>从 A 到 B</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Calls in A</source>
        <translation>A 中的调用</translation>
    </message>
    <message>
        <source>Calls in B</source>
        <translation>B 中的调用</translation>
    </message>
    <message>
        <source>Original node</source>
        <translation>原始节点</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>In A</source>
        <translation>在 A 中</translation>
    </message>
    <message>
        <source>In B</source>
        <translation>在 B 中</translation>
    </message>
    <message>
        <source>Nodes in A</source>
        <translation>A 中的节点</translation>
    </message>
    <message>
        <source>Nodes in B</source>
        <translation>B 中的节点</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Largest difference</source>
        <translation>最大差异</translation>
    </message>
    <message>
        <source>Of the largest magnitude</source>
        <translation>相对最大幅值</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>域</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>所在位置</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Max. |Δ|</source>
        <translation>最大 |Δ|</translation>
    </message>
    <message>
        <source>SQNR</source>
        <translation>SQNR</translation>
    </message>
    <message>
        <source>Differing</source>
        <translation>不同元素</translation>
    </message>
    <message>
        <source>Why not</source>
        <translation>为什么不行</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>优化遍</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Short of</source>
        <translation>缺少</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>严重程度</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation>最快</translation>
    </message>
    <message>
        <source>Slowest</source>
        <translation>最慢</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用次数</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Shared among</source>
        <translation>分摊节点数</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Std. dev.</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零的个数</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Infinite</source>
        <translation>无穷</translation>
    </message>
    <message>
        <source>First values</source>
        <translation>前几个值</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Began at</source>
        <translation>开始于</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>首步</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>末步</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Written by</source>
        <translation>写入者</translation>
    </message>
    <message>
        <source>Kept alive until</source>
        <translation>保留到</translation>
    </message>
    <message>
        <source>In the bytes of</source>
        <translation>位于谁的字节内</translation>
    </message>
    <message>
        <source>Steps to go</source>
        <translation>剩余步数</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批</translation>
    </message>
    <message>
        <source>Inter-op</source>
        <translation>算子间</translation>
    </message>
    <message>
        <source>Execution</source>
        <translation>执行方式</translation>
    </message>
    <message>
        <source>Spinning</source>
        <translation>自旋</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>CPU time</source>
        <translation>CPU 时间</translation>
    </message>
    <message>
        <source>Inferences/s</source>
        <translation>推理/s</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Remarks</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>By threads</source>
        <translation>按线程</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>效率</translation>
    </message>
    <message>
        <source>Stops at</source>
        <translation>止步于</translation>
    </message>
    <message>
        <source>Of peak</source>
        <translation>占峰值</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查项</translation>
    </message>
    <message>
        <source>Expected gain</source>
        <translation>预期收益</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行次数</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Of the largest</source>
        <translation>占最大值</translation>
    </message>
    <message>
        <source>Keep float</source>
        <translation>保持浮点</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现状</translation>
    </message>
    <message>
        <source>Flips</source>
        <translation>翻转</translation>
    </message>
    <message>
        <source>Size in the file</source>
        <translation>文件中的大小</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Against float</source>
        <translation>相对浮点</translation>
    </message>
    <message>
        <source>Alone</source>
        <translation>单独</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>噪声</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>To</source>
        <translation>去往</translation>
    </message>
    <message>
        <source>Needed there by</source>
        <translation>那里由谁需要</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>运行于</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Seen</source>
        <translation>所见</translation>
    </message>
    <message>
        <source>Quantized</source>
        <translation>已量化</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步长</translation>
    </message>
    <message>
        <source>Beyond</source>
        <translation>超出</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>索引</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>与记录</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Part of the model</source>
        <translation>模型部分</translation>
    </message>
    <message>
        <source>Callers</source>
        <translation>调用者</translation>
    </message>
    <message>
        <source>Alone, per second</source>
        <translation>单独，每秒</translation>
    </message>
    <message>
        <source>Alone, median</source>
        <translation>单独，中位数</translation>
    </message>
    <message>
        <source>Alone, 99 %</source>
        <translation>单独，99 %</translation>
    </message>
    <message>
        <source>Grouped, per second</source>
        <translation>合批，每秒</translation>
    </message>
    <message>
        <source>Grouped, median</source>
        <translation>合批，中位数</translation>
    </message>
    <message>
        <source>Grouped, 99 %</source>
        <translation>合批，99 %</translation>
    </message>
    <message>
        <source>Rows per run</source>
        <translation>每次运行行数</translation>
    </message>
    <message>
        <source>Activations held</source>
        <translation>占用的激活内存</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>位置数</translation>
    </message>
    <message>
        <source>Of the time</source>
        <translation>时间占比</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首个词元</translation>
    </message>
    <message>
        <source>Per token</source>
        <translation>每个词元</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>Changed tokens</source>
        <translation>改变的词元</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL 散度</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Caches</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活值</translation>
    </message>
    <message>
        <source>Tokens/s at 128</source>
        <translation>128 处词元/秒</translation>
    </message>
    <message>
        <source>Tokens/s at 1,024</source>
        <translation>1,024 处词元/秒</translation>
    </message>
    <message>
        <source>Roof reached at %1</source>
        <translation>%1 时占上限</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>Perplexity, +-</source>
        <translation>困惑度误差</translation>
    </message>
    <message>
        <source>Rounding explains</source>
        <translation>舍入可解释</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>Answers changed</source>
        <translation>改变的答案</translation>
    </message>
    <message>
        <source>First token at %1</source>
        <translation>%1 时的首个词元</translation>
    </message>
    <message>
        <source>KL (nats)</source>
        <translation>KL（奈特）</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Own type</source>
        <translation>自定类型</translation>
    </message>
</context>
<context>
    <name>ComparisonReport</name>
    <message>
        <source>%1: %2 against %3</source>
        <translation>%1：%2 与 %3 对比</translation>
    </message>
</context>
<context>
    <name>ComputePrice</name>
    <message>
        <source>no answer changed</source>
        <translation>没有答案改变</translation>
    </message>
    <message>
        <source>%1 of %2 answers changed</source>
        <translation>%2 个答案中 %1 个改变</translation>
    </message>
    <message>
        <source>%1 × as fast</source>
        <translation>速度为 %1 倍</translation>
    </message>
    <message>
        <source>the outputs are equal</source>
        <translation>输出相同</translation>
    </message>
    <message>
        <source>SQNR %1</source>
        <translation>SQNR %1</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>%1: no weight is large enough; nothing is computed differently.</source>
        <translation>%1：没有足够大的权重；计算没有任何不同。</translation>
    </message>
</context>
<context>
    <name>ContextMemory</name>
    <message>
        <source>At %1 tokens of context: weights %2 + activations %3 = %4. There are no caches: the whole context is computed again for each token.</source>
        <translation>上下文为 %1 个词元时：权重 %2 + 激活 %3 = %4。没有缓存：每个词元都要重新计算整个上下文。</translation>
    </message>
    <message>
        <source>At %1 tokens of context: weights %2 + caches %3 + activations %4 = %5.</source>
        <translation>上下文为 %1 个词元时：权重 %2 + 缓存 %3 + 激活 %4 = %5。</translation>
    </message>
    <message>
        <source>Not counted, but part of the process: the program itself, the graph and its plan, packed copies of weights, inputs.</source>
        <translation>未计入但属于进程的有：程序本身、图及其计划、权重的打包副本、输入。</translation>
    </message>
    <message>
        <source>weights + caches + activations</source>
        <translation>权重 + 缓存 + 激活</translation>
    </message>
    <message>
        <source>weights + activations</source>
        <translation>权重 + 激活</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
</context>
<context>
    <name>Conversion</name>
    <message>
        <source>%1 %2 goes</source>
        <translation>%1 %2 将被去掉</translation>
    </message>
    <message>
        <source>%1 %2: %3 becomes %4</source>
        <translation>%1 %2：%3 变为 %4</translation>
    </message>
    <message>
        <source>its dimensions are fixed</source>
        <translation>其维度已固定</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>nothing that is kept reads it</source>
        <translation>保留的内容都不读取它</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>it is not among those to keep</source>
        <translation>它不在要保留的之列</translation>
    </message>
    <message>
        <source>weights of at least %1 lie beside the model</source>
        <translation>不小于 %1 的权重放在模型旁边</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Opset %1 becomes %2</source>
        <translation>Opset %1 变为 %2</translation>
    </message>
    <message>
        <source>nodes that change on the way: %1</source>
        <translation>其间改变的节点：%1</translation>
    </message>
    <message>
        <source>no output that is kept needs them</source>
        <translation>保留的输出都不需要它们</translation>
    </message>
    <message>
        <source>by %1</source>
        <translation>由 %1</translation>
    </message>
    <message>
        <source>note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Weights that go into a file beside the model: %1 (%2); %3 stay in it</source>
        <translation>放入模型旁文件的权重：%1 个（%2）；%3 留在模型中</translation>
    </message>
    <message>
        <source>Nodes that go: %1</source>
        <translation>去掉的节点：%1</translation>
    </message>
</context>
<context>
    <name>CoreWords</name>
    <message>
        <source>any ONNX implementation of opset %1</source>
        <translation>任何支持 opset %1 的 ONNX 实现</translation>
    </message>
    <message>
        <source>ONNX Runtime on any platform</source>
        <translation>任意平台上的 ONNX Runtime</translation>
    </message>
    <message>
        <source>ONNX Runtime %1 or newer on any platform</source>
        <translation>任意平台上的 ONNX Runtime %1 或更新版本</translation>
    </message>
    <message>
        <source>a program that was given the operators of %1</source>
        <translation>具备 %1 算子的程序</translation>
    </message>
    <message>
        <source>ONNX Runtime on a CPU of the vector width that its channels are laid out for</source>
        <translation>在向量宽度与其通道布局相符的 CPU 上的 ONNX Runtime</translation>
    </message>
    <message>
        <source>ONNX Runtime on a CPU that lays channels out in blocks of %1, as %2 does</source>
        <translation>在以 %1 为块排布通道的 CPU（如 %2）上的 ONNX Runtime</translation>
    </message>
    <message>
        <source>ONNX Runtime on a CPU that lays channels out in blocks of %1</source>
        <translation>在以 %1 为块排布通道的 CPU 上的 ONNX Runtime</translation>
    </message>
    <message>
        <source>Nothing was measured.</source>
        <translation>没有测量结果。</translation>
    </message>
    <message>
        <source>No setting stays under %1 ms; the nearest is %2 with %3.</source>
        <translation>没有设置低于 %1 ms；最接近的是 %2，为 %3。</translation>
    </message>
    <message>
        <source>No recommendation: the fastest, %1, is known only as %2 ±%3 %, and what differs by less is noise. Close other programs, or measure each setting for longer.</source>
        <translation>不作推荐：最快的 %1 仅知为 %2 ±%3 %，更小的差异都是噪声。请关闭其他程序，或延长每个设置的测量时间。</translation>
    </message>
    <message>
        <source>the number of threads makes no difference beyond noise</source>
        <translation>线程数没有超出噪声的影响</translation>
    </message>
    <message>
        <source>the execution mode makes no difference beyond noise</source>
        <translation>执行模式没有超出噪声的影响</translation>
    </message>
    <message>
        <source>spinning makes no difference beyond noise</source>
        <translation>自旋没有超出噪声的影响</translation>
    </message>
    <message>
        <source>the batch size makes no difference beyond noise</source>
        <translation>批大小没有超出噪声的影响</translation>
    </message>
    <message>
        <source>the level makes no difference beyond noise</source>
        <translation>级别没有超出噪声的影响</translation>
    </message>
    <message>
        <source>%1 times as fast as </source>
        <translation>速度是后者的 %1 倍：</translation>
    </message>
    <message>
        <source>%1 inferences per second</source>
        <translation>每秒 %1 次推理</translation>
    </message>
    <message>
        <source>no slower beyond noise: </source>
        <translation>在噪声范围内同样快：</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> 以及另外 %1 个</translation>
    </message>
    <message>
        <source>a thread per core</source>
        <translation>每核一个线程</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 个线程</translation>
    </message>
    <message>
        <source>parallel with %1 at a time</source>
        <translation>并行，每次 %1 个</translation>
    </message>
    <message>
        <source>sequential execution</source>
        <translation>顺序执行</translation>
    </message>
    <message>
        <source>no spinning</source>
        <translation>不自旋</translation>
    </message>
    <message>
        <source>batch as it comes</source>
        <translation>按输入的批大小</translation>
    </message>
    <message>
        <source>takes %1 times as long</source>
        <translation>耗时为 %1 倍</translation>
    </message>
    <message>
        <source>; not known of %1, between %2 and %3 times as long</source>
        <translation>；%1 尚不确定，耗时在 %2 到 %3 倍之间</translation>
    </message>
    <message>
        <source>; not known of %1, with so few runs</source>
        <translation>；运行次数太少，%1 尚不确定</translation>
    </message>
    <message>
        <source>; cannot be told apart from it: </source>
        <translation>；无法与之区分：</translation>
    </message>
    <message>
        <source>No other setting is known to give more inferences per second.</source>
        <translation>没有已知的其他设置每秒能完成更多推理。</translation>
    </message>
    <message>
        <source>No other setting is known to have a shorter run.</source>
        <translation>没有已知的其他设置单次运行更短。</translation>
    </message>
    <message>
        <source>%1 times as many inferences per second as </source>
        <translation>每秒推理次数为以下设置的 %1 倍：</translation>
    </message>
    <message>
        <source>Most inferences per second: %1: %2, %3 times as many</source>
        <translation>每秒推理最多：%1：%2，为 %3 倍</translation>
    </message>
    <message>
        <source>Shortest run: %1, %2 times as long</source>
        <translation>单次运行最短：%1，耗时为 %2 倍</translation>
    </message>
    <message>
        <source>%1 cannot be reached: </source>
        <translation>无法连接 %1：</translation>
    </message>
    <message>
        <source>%1 could not do what was asked: </source>
        <translation>%1 未能完成所要求的操作：</translation>
    </message>
    <message>
        <source>ssh asks no password here: add a key, for example by `ssh-copy-id %1`</source>
        <translation>ssh 在此不询问密码：请添加密钥，例如用 `ssh-copy-id %1`</translation>
    </message>
    <message>
        <source>run `ssh %1` in a terminal once and compare its key</source>
        <translation>请在终端中运行一次 `ssh %1` 并核对其密钥</translation>
    </message>
    <message>
        <source>`ssh %1 true` in a terminal shows more</source>
        <translation>在终端中运行 `ssh %1 true` 可查看更多信息</translation>
    </message>
    <message>
        <source>%1 is no product with a weight</source>
        <translation>%1 不是与权重的乘积</translation>
    </message>
    <message>
        <source>kept float as asked for (%1)</source>
        <translation>按要求保留浮点（%1）</translation>
    </message>
    <message>
        <source>there is no integer kernel for %1</source>
        <translation>%1 没有整数内核</translation>
    </message>
    <message>
        <source>there is no integer operator for it</source>
        <translation>没有对应的整数算子</translation>
    </message>
    <message>
        <source>moves quantized values as they are</source>
        <translation>原样搬运量化后的值</translation>
    </message>
    <message>
        <source>no integer product follows</source>
        <translation>其后没有整数乘积</translation>
    </message>
    <message>
        <source>its inputs and outputs are quantized</source>
        <translation>其输入和输出均已量化</translation>
    </message>
    <message>
        <source>an input or its result stays float: integers would be made for it alone</source>
        <translation>有输入或其结果保持浮点：整数只会为它而生成</translation>
    </message>
    <message>
        <source>goes into the rounding after it where that follows, else stays float</source>
        <translation>若其后有舍入则并入其中，否则保持浮点</translation>
    </message>
    <message>
        <source>goes into the rounding after it</source>
        <translation>并入其后的舍入</translation>
    </message>
    <message>
        <source>its integer kernel is the plain one, slower than that of floats</source>
        <translation>其整数内核是基本实现，比浮点内核慢</translation>
    </message>
    <message>
        <source>alpha, beta or a transposed first operand have no place in the integer product</source>
        <translation>整数乘积不支持 alpha、beta 或转置的第一个操作数</translation>
    </message>
    <message>
        <source>the range of its input is not known</source>
        <translation>其输入的取值范围未知</translation>
    </message>
    <message>
        <source>it does not compute in float32</source>
        <translation>它不以 float32 计算</translation>
    </message>
    <message>
        <source>its second operand is no constant</source>
        <translation>其第二个操作数不是常量</translation>
    </message>
    <message>
        <source>its first operand is a constant</source>
        <translation>其第一个操作数是常量</translation>
    </message>
    <message>
        <source>its weight has no spatial axis</source>
        <translation>其权重没有空间轴</translation>
    </message>
    <message>
        <source>its weight is no matrix</source>
        <translation>其权重不是矩阵</translation>
    </message>
    <message>
        <source>its bias is not float32</source>
        <translation>其偏置不是 float32</translation>
    </message>
    <message>
        <source>its weights are no constants of float32</source>
        <translation>其权重不是 float32 常量</translation>
    </message>
    <message>
        <source>its weight is too small to gain by it</source>
        <translation>其权重太小，不会因此受益</translation>
    </message>
    <message>
        <source>it has no constant weight of float32</source>
        <translation>它没有 float32 常量权重</translation>
    </message>
    <message>
        <source>it does not select from a constant of float32</source>
        <translation>它不是从 float32 常量中选取</translation>
    </message>
    <message>
        <source>its table is too small, or no matrix of which rows are taken</source>
        <translation>其表太小，或不是按行取值的矩阵</translation>
    </message>
    <message>
        <source>its constant %1 holds values that are not finite</source>
        <translation>其常量 %1 含有非有限值</translation>
    </message>
    <message>
        <source>its input is not quantized when ONNX Runtime comes to it</source>
        <translation>ONNX Runtime 处理到它时其输入尚未量化</translation>
    </message>
    <message>
        <source>stands between nodes that stay float32</source>
        <translation>位于保持 float32 的节点之间</translation>
    </message>
    <message>
        <source>computes in float16</source>
        <translation>以 float16 计算</translation>
    </message>
    <message>
        <source>weight as bfloat16</source>
        <translation>权重为 bfloat16</translation>
    </message>
    <message>
        <source>table as bfloat16</source>
        <translation>表为 bfloat16</translation>
    </message>
    <message>
        <source>weight as 8-bit floats, scaled per channel</source>
        <translation>权重为 8 位浮点，按通道缩放</translation>
    </message>
    <message>
        <source>weight as 8-bit floats, scaled per tensor</source>
        <translation>权重为 8 位浮点，按张量缩放</translation>
    </message>
    <message>
        <source>Gather takes no 8-bit floats</source>
        <translation>Gather 不接受 8 位浮点</translation>
    </message>
    <message>
        <source>weight stored in 8 bits, computed in float as asked for</source>
        <translation>权重以 8 位存储，按要求以浮点计算</translation>
    </message>
    <message>
        <source>weights stored in 8 bits, computed in float: there is no integer operator for it</source>
        <translation>权重以 8 位存储，以浮点计算：没有对应的整数算子</translation>
    </message>
    <message>
        <source>table of 8 bits with a scale per row</source>
        <translation>8 位的表，每行一个缩放因子</translation>
    </message>
    <message>
        <source>table of 8 bits</source>
        <translation>8 位的表</translation>
    </message>
    <message>
        <source>table of %1 bits in blocks of %2</source>
        <translation>%1 位的表，每块 %2 个</translation>
    </message>
    <message>
        <source>weight of %1 bits in blocks of %2, rounding compensated</source>
        <translation>%1 位权重，每块 %2 个，已补偿舍入</translation>
    </message>
    <message>
        <source>weight of %1 bits in blocks of %2</source>
        <translation>%1 位权重，每块 %2 个</translation>
    </message>
    <message>
        <source>weights in blocks are those of MatMul and plain Gemm</source>
        <translation>分块权重仅用于 MatMul 和普通 Gemm</translation>
    </message>
    <message>
        <source>its %1 rows do not fill a block of %2</source>
        <translation>其 %1 行不足以填满大小为 %2 的块</translation>
    </message>
    <message>
        <source>its rows of %1 are no whole blocks of %2</source>
        <translation>其长度为 %1 的行不是大小为 %2 的整块</translation>
    </message>
    <message>
        <source>a table behind DequantizeLinear would become float whole in each run</source>
        <translation>DequantizeLinear 之后的表会在每次运行中整体变为浮点</translation>
    </message>
    <message>
        <source>DynamicQuantizeLSTM has no layout with the batch first</source>
        <translation>DynamicQuantizeLSTM 没有批次在前的布局</translation>
    </message>
    <message>
        <source>weight per channel, input range taken in each run</source>
        <translation>权重按通道量化，输入范围在每次运行中求得</translation>
    </message>
    <message>
        <source>weight per channel, input and result quantized</source>
        <translation>权重按通道量化，输入和结果均已量化</translation>
    </message>
    <message>
        <source>weight per channel, input quantized, result quantized</source>
        <translation>权重按通道量化，输入已量化，结果已量化</translation>
    </message>
    <message>
        <source>weight per channel, input quantized, result float</source>
        <translation>权重按通道量化，输入已量化，结果为浮点</translation>
    </message>
    <message>
        <source>weight per channel alone, computed in float as asked for</source>
        <translation>仅权重按通道量化，按要求以浮点计算</translation>
    </message>
    <message>
        <source>weight per channel alone, computed in float: there is no integer operator for it</source>
        <translation>仅权重按通道量化，以浮点计算：没有对应的整数算子</translation>
    </message>
    <message>
        <source>weights of the projections per channel, input range taken in each run, attention itself in float</source>
        <translation>投影权重按通道量化，输入范围在每次运行中求得，注意力本身为浮点</translation>
    </message>
    <message>
        <source>weight per tensor, input range taken in each run</source>
        <translation>权重按张量量化，输入范围在每次运行中求得</translation>
    </message>
    <message>
        <source>weight per tensor, input and result quantized</source>
        <translation>权重按张量量化，输入和结果均已量化</translation>
    </message>
    <message>
        <source>weight per tensor, input quantized, result quantized</source>
        <translation>权重按张量量化，输入已量化，结果已量化</translation>
    </message>
    <message>
        <source>weight per tensor, input quantized, result float</source>
        <translation>权重按张量量化，输入已量化，结果为浮点</translation>
    </message>
    <message>
        <source>weight per tensor alone, computed in float as asked for</source>
        <translation>仅权重按张量量化，按要求以浮点计算</translation>
    </message>
    <message>
        <source>weight per tensor alone, computed in float: there is no integer operator for it</source>
        <translation>仅权重按张量量化，以浮点计算：没有对应的整数算子</translation>
    </message>
    <message>
        <source>weights of the projections per tensor, input range taken in each run, attention itself in float</source>
        <translation>投影权重按张量量化，输入范围在每次运行中求得，注意力本身为浮点</translation>
    </message>
    <message>
        <source>weights per gate and unit, input ranges taken in each run</source>
        <translation>权重按门和单元量化，输入范围在每次运行中求得</translation>
    </message>
    <message>
        <source>weights per direction, input ranges taken in each run</source>
        <translation>权重按方向量化，输入范围在每次运行中求得</translation>
    </message>
    <message>
        <source>slower than the original here: </source>
        <translation>在此比原始模型慢：</translation>
    </message>
    <message>
        <source>slower than the original in ONNX Runtime: </source>
        <translation>在 ONNX Runtime 中比原始模型慢：</translation>
    </message>
    <message>
        <source>%1 ms against %2 ms a run, %3 times (%4 to %5)</source>
        <translation>每次运行 %1 ms，对比 %2 ms，为 %3 倍（%4 至 %5）</translation>
    </message>
    <message>
        <source>hardly smaller: constants %1 -&gt; %2</source>
        <translation>几乎没有变小：常量 %1 → %2</translation>
    </message>
    <message>
        <source>the floor was missed: </source>
        <translation>未达到下限：</translation>
    </message>
    <message>
        <source>outputs are far off: </source>
        <translation>输出偏差很大：</translation>
    </message>
    <message>
        <source>SQNR %1 is below %2</source>
        <translation>SQNR %1 低于 %2</translation>
    </message>
    <message>
        <source>an output has SQNR %1, no better than zeros</source>
        <translation>某个输出的 SQNR 为 %1，不比全零好</translation>
    </message>
    <message>
        <source>%1 of 1 answer changed</source>
        <translation>1 个答案中有 %1 个改变</translation>
    </message>
    <message>
        <source>%1 of %2 answers changed</source>
        <translation>%2 个答案中有 %1 个改变</translation>
    </message>
    <message>
        <source>right answers fell from %1 to %2</source>
        <translation>正确答案从 %1 降至 %2</translation>
    </message>
    <message>
        <source>the samples are generated: ranges of made-up inputs are not those of real ones, and the accuracy measured on them says little</source>
        <translation>样本是生成的：虚构输入的取值范围与真实输入不同，用其测得的精度参考价值很小</translation>
    </message>
    <message>
        <source>%1 % of value %2 are beyond the range [%3, %4] of the samples that gave it: more or other samples are needed</source>
        <translation>值 %2 中有 %1 % 超出样本给出的范围 [%3, %4]：需要更多或其他样本</translation>
    </message>
    <message>
        <source>so it is with %1 more values</source>
        <translation>另有 %1 个值也是如此</translation>
    </message>
    <message>
        <source>%1 weights hold neighbours whose 8-bit products saturate in ONNX Runtime on x86 CPUs without VNNI: weights of 7 bits are safe there</source>
        <translation>%1 个权重含有相邻元素，其 8 位乘积在 ONNX Runtime 于无 VNNI 的 x86 CPU 上会饱和：7 位权重在那里是安全的</translation>
    </message>
    <message>
        <source>%1 weight holds neighbours whose 8-bit products saturate in ONNX Runtime on x86 CPUs without VNNI: weights of 7 bits are safe there</source>
        <translation>%1 个权重含有相邻元素，其 8 位乘积在 ONNX Runtime 于无 VNNI 的 x86 CPU 上会饱和：7 位权重在那里是安全的</translation>
    </message>
    <message>
        <source>no integer kernel takes up %1 pairs of QuantizeLinear and DequantizeLinear: they round and speed nothing up</source>
        <translation>有 %1 对 QuantizeLinear 和 DequantizeLinear 没有整数内核采用：它们只做舍入，不会加速</translation>
    </message>
    <message>
        <source>no integer kernel takes up %1 pair of QuantizeLinear and DequantizeLinear: it rounds and speeds nothing up</source>
        <translation>有 %1 对 QuantizeLinear 和 DequantizeLinear 没有整数内核采用：它只做舍入，不会加速</translation>
    </message>
    <message>
        <source>output %1 of the original was not finite in %2 of %3 elements, which were not compared</source>
        <translation>原始模型的输出 %1 在 %3 个元素中有 %2 个非有限，这些未作比较</translation>
    </message>
    <message>
        <source>output %1 of the quantized model is not finite in %2 of %3 elements where the original&apos;s are</source>
        <translation>量化模型的输出 %1 在 %3 个元素中有 %2 个非有限，而原始模型的对应元素是有限的</translation>
    </message>
    <message>
        <source>%1 samples were left out in all</source>
        <translation>共略去 %1 个样本</translation>
    </message>
    <message>
        <source>%1 was left out: %2</source>
        <translation>%1 已略去：%2</translation>
    </message>
    <message>
        <source>value %1 had elements that are not finite, which were left out</source>
        <translation>值 %1 含有非有限元素，已略去</translation>
    </message>
    <message>
        <source>value %1 was the same in all samples</source>
        <translation>值 %1 在所有样本中相同</translation>
    </message>
    <message>
        <source>value %1 has outliers: it reaches %2, 99.99 % of it stay below %3; smoothing or 16-bit activations may help</source>
        <translation>值 %1 有离群值：最大达 %2，其中 99.99 % 低于 %3；平滑或 16 位激活可能有帮助</translation>
    </message>
    <message>
        <source>%1 more values had elements that are not finite</source>
        <translation>另有 %1 个值含有非有限元素</translation>
    </message>
    <message>
        <source>%1 more values were the same in all samples</source>
        <translation>另有 %1 个值在所有样本中相同</translation>
    </message>
    <message>
        <source>%1 more values have outliers</source>
        <translation>另有 %1 个值有离群值</translation>
    </message>
    <message>
        <source>Fused operators of ONNX Runtime, no layout of one CPU.</source>
        <translation>ONNX Runtime 的融合算子，不含特定 CPU 的布局。</translation>
    </message>
    <message>
        <source>ONNX Runtime, any platform</source>
        <translation>ONNX Runtime，任意平台</translation>
    </message>
    <message>
        <source>ONNX operators only: what only ONNX Runtime knows is written out.</source>
        <translation>仅 ONNX 算子：只有 ONNX Runtime 认识的算子会被展开写出。</translation>
    </message>
    <message>
        <source>any ONNX implementation of the model&apos;s opset</source>
        <translation>支持该模型 opset 的任意 ONNX 实现</translation>
    </message>
    <message>
        <source>Everything, the memory layout of this CPU included; says so in its metadata.</source>
        <translation>包含全部优化，以及本机 CPU 的内存布局；元数据中会注明。</translation>
    </message>
    <message>
        <source>ONNX Runtime on a CPU with the same vector width</source>
        <translation>在向量宽度相同的 CPU 上的 ONNX Runtime</translation>
    </message>
    <message>
        <source>input %1 %2 is none that generating knows how to fill: expected caches named past* with outputs named present*, and of %3</source>
        <translation>输入 %1 %2 不是生成时能够填充的输入：应为名为 past* 的缓存及名为 present* 的输出，以及 %3 之中的输入</translation>
    </message>
    <message>
        <source>input %1: %2 is not what a decoder has under this name</source>
        <translation>输入 %1：%2 不是解码器以此名称应有的类型</translation>
    </message>
    <message>
        <source>cache %1 %2 has a fixed number of rows: it cannot begin empty</source>
        <translation>缓存 %1 %2 的行数固定：无法从空开始</translation>
    </message>
    <message>
        <source>none of the %1 outputs that are no caches is named &quot;logits&quot;</source>
        <translation>%1 个非缓存输出中没有名为 &quot;logits&quot; 的</translation>
    </message>
    <message>
        <source>output %1: expected logits as floats of shape [sequences, tokens, vocabulary], found %2</source>
        <translation>输出 %1：应为形状 [序列, 词元, 词表] 的浮点 logits，实际为 %2</translation>
    </message>
    <message>
        <source>the model has no input &quot;input_ids&quot; of tokens: it is no decoder</source>
        <translation>模型没有词元输入 &quot;input_ids&quot;：它不是解码器</translation>
    </message>
    <message>
        <source>%1 % changed answers is more than %2 % changed answers</source>
        <translation>答案改变 %1 %，超过 %2 %</translation>
    </message>
    <message>
        <source>%1 % of top-1 lost is more than %2 % of top-1 lost</source>
        <translation>top-1 损失 %1 %，超过 %2 %</translation>
    </message>
    <message>
        <source>%1 inputs with ids of embeddings counted from the front, for ONNX Runtime&apos;s EmbedLayerNormalization refuses those below zero</source>
        <translation>%1 个输入的嵌入编号改为从前计数，因为 ONNX Runtime 的 EmbedLayerNormalization 拒绝小于零的编号</translation>
    </message>
    <message>
        <source>%1 input with ids of embeddings counted from the front, for ONNX Runtime&apos;s EmbedLayerNormalization refuses those below zero</source>
        <translation>%1 个输入的嵌入编号改为从前计数，因为 ONNX Runtime 的 EmbedLayerNormalization 拒绝小于零的编号</translation>
    </message>
    <message>
        <source>converted from opset %1 to %2, the first with LayerNormalization</source>
        <translation>已从 opset %1 转换到 %2，即首个含 LayerNormalization 的版本</translation>
    </message>
    <message>
        <source>converted from opset %1 to %2</source>
        <translation>已从 opset %1 转换到 %2</translation>
    </message>
    <message>
        <source>%1 normalizations that ONNX does not have at opset %2 were written out</source>
        <translation>%1 个 ONNX 在 opset %2 中没有的归一化已展开写出</translation>
    </message>
    <message>
        <source>laid out for blocks of %1 channels: only ONNX Runtime on such a CPU computes the same</source>
        <translation>按每块 %1 个通道布局：只有在此类 CPU 上的 ONNX Runtime 才得到相同结果</translation>
    </message>
    <message>
        <source>the layout of one CPU was undone: </source>
        <translation>已撤销特定 CPU 的布局：</translation>
    </message>
    <message>
        <source>LayerNormalization is written out: </source>
        <translation>LayerNormalization 已展开写出：</translation>
    </message>
</context>
<context>
    <name>Counters</name>
    <message>
        <source>No hardware counters: the system forbids them (kernel.perf_event_paranoid is %1, at most %2 allows them).</source>
        <translation>没有硬件计数器：系统禁止读取（kernel.perf_event_paranoid 为 %1，不超过 %2 才允许）。</translation>
    </message>
    <message>
        <source>No hardware counters: the system forbids them, as containers do.</source>
        <translation>没有硬件计数器：系统禁止读取，容器中常见。</translation>
    </message>
    <message>
        <source>No hardware counters: this machine shows none, as most virtual machines.</source>
        <translation>没有硬件计数器：本机不提供，多数虚拟机如此。</translation>
    </message>
    <message>
        <source>No hardware counters: the process has too many threads for its limit of open files.</source>
        <translation>没有硬件计数器：进程的线程数超出了可打开文件数的限制。</translation>
    </message>
    <message>
        <source>%1 instructions per cycle, all threads in all profiled runs</source>
        <translation>每周期 %1 条指令（所有被分析运行中的全部线程）</translation>
    </message>
    <message>
        <source>%1 of the cycles waited for instructions</source>
        <translation>%1 的周期在等待指令</translation>
    </message>
    <message>
        <source>%1 misses of the last cache in a run, %2 GB/s from memory</source>
        <translation>每次运行末级缓存未命中 %1 次，从内存读取 %2 GB/s</translation>
    </message>
    <message>
        <source>Frequency: not known</source>
        <translation>频率：未知</translation>
    </message>
    <message>
        <source>Frequency: %1 of %2 GHz</source>
        <translation>频率：%1 GHz（最高 %2 GHz）</translation>
    </message>
    <message>
        <source>Frequency: %1 GHz</source>
        <translation>频率：%1 GHz</translation>
    </message>
    <message>
        <source>Slowed down by heat, times: %1</source>
        <translation>因过热降速次数：%1</translation>
    </message>
    <message>
        <source>Not slowed down by heat</source>
        <translation>未因过热降速</translation>
    </message>
    <message>
        <source>Energy: %1 J in a run, of the whole processor</source>
        <translation>能耗：每次运行 %1 J（整个处理器）</translation>
    </message>
    <message>
        <source>Energy: only an administrator may read the meter.</source>
        <translation>能耗：只有管理员可以读取计量器。</translation>
    </message>
    <message>
        <source>Energy: the system shows no meter.</source>
        <translation>能耗：系统不提供计量器。</translation>
    </message>
</context>
<context>
    <name>EditWords</name>
    <message>
        <source>Removes nodes. Readers of what they wrote read the nodes&apos; first input instead; `cut` makes what is missing inputs of the model.</source>
        <translation>删除节点。原来读取其结果的节点改读它们的第一个输入；`cut` 则把缺少的值变成模型的输入。</translation>
    </message>
    <message>
        <source>Puts a node on a value, before a node or one of its inputs (NODE.INPUT), or after it.</source>
        <translation>在一个值上、在节点或其某个输入（NODE.INPUT）之前，或在其之后放入一个节点。</translation>
    </message>
    <message>
        <source>Puts the nodes of a model file in place of each node, inputs and outputs in order.</source>
        <translation>用模型文件中的节点替换每个节点，输入和输出按顺序对应。</translation>
    </message>
    <message>
        <source>Calls a function of the model in place of each node.</source>
        <translation>以调用模型中的函数替换每个节点。</translation>
    </message>
    <message>
        <source>Gives nodes another operator; attributes that both have stay.</source>
        <translation>换用另一个算子；两者都有的属性保留。</translation>
    </message>
    <message>
        <source>Sets an attribute to a number, a text, a list such as [1,2] or a type.</source>
        <translation>把属性设为数字、文本、[1,2] 这样的列表或类型。</translation>
    </message>
    <message>
        <source>Removes an attribute, which then has its default.</source>
        <translation>删除一个属性，之后它取默认值。</translation>
    </message>
    <message>
        <source>Gives another name; each * of FROM becomes the * of TO in the same place.</source>
        <translation>改名；FROM 中的每个 * 变为 TO 中相同位置的 *。</translation>
    </message>
    <message>
        <source>Lets an input of a node, by its name or number, read a value.</source>
        <translation>让节点的某个输入（按名称或编号）读取一个值。</translation>
    </message>
    <message>
        <source>Leaves out an input of a node that is optional.</source>
        <translation>去掉节点的一个可选输入。</translation>
    </message>
    <message>
        <source>Makes inner values outputs of the model.</source>
        <translation>把内部的值变成模型的输出。</translation>
    </message>
    <message>
        <source>Removes outputs of the model, and the nodes that only they needed.</source>
        <translation>删除模型的输出以及只有它们需要的节点。</translation>
    </message>
    <message>
        <source>Removes inputs of the model that nothing reads.</source>
        <translation>删除没有被读取的模型输入。</translation>
    </message>
    <message>
        <source>Removes all other outputs, and the nodes that only they needed.</source>
        <translation>删除其他所有输出以及只有它们需要的节点。</translation>
    </message>
    <message>
        <source>Keeps what computes some values from others, which become inputs.</source>
        <translation>保留从某些值计算出另一些值的部分，前者变成输入。</translation>
    </message>
    <message>
        <source>Keeps these nodes alone; what they read of others becomes inputs.</source>
        <translation>只保留这些节点；它们从其他节点读取的值变成输入。</translation>
    </message>
    <message>
        <source>Gives a dimension with a name a fixed size.</source>
        <translation>为有名称的维度设定固定大小。</translation>
    </message>
    <message>
        <source>Converts the model to another opset of ai.onnx.</source>
        <translation>把模型转换到 ai.onnx 的另一个 opset。</translation>
    </message>
    <message>
        <source>Changes the type of an input or output: float[N,3,224,224].</source>
        <translation>更改输入或输出的类型：float[N,3,224,224]。</translation>
    </message>
    <message>
        <source>Makes an input a constant: an .npy or .npz file, one number for all elements, or a list such as [1,2].</source>
        <translation>把输入变成常量：.npy 或 .npz 文件、用于所有元素的一个数，或 [1,2] 这样的列表。</translation>
    </message>
    <message>
        <source>Makes a constant an input, with its value as default; `bare`: without.</source>
        <translation>把常量变成输入，以其值作为默认值；`bare`：没有默认值。</translation>
    </message>
    <message>
        <source>Brings inputs or outputs into this order; the others follow.</source>
        <translation>按此顺序排列输入或输出；其余的排在后面。</translation>
    </message>
    <message>
        <source>Gives a constant the values of an .npy or .npz file of the same type and shape.</source>
        <translation>用类型和形状相同的 .npy 或 .npz 文件中的值替换常量。</translation>
    </message>
    <message>
        <source>Transposes a constant; readers get the old order from a Transpose or from Gemm&apos;s transB. `plain`: they read it transposed.</source>
        <translation>转置常量；读取它的节点通过 Transpose 或 Gemm 的 transB 得到原来的顺序。`plain`：它们直接读取转置后的值。</translation>
    </message>
    <message>
        <source>Stores a constant in another element type, with a Cast behind it.</source>
        <translation>以另一种元素类型存储常量，其后加一个 Cast。</translation>
    </message>
    <message>
        <source>Brings everything of one float type to another: float64 -&gt; float32.</source>
        <translation>把某种浮点类型的全部内容转换为另一种：float64 -&gt; float32。</translation>
    </message>
    <message>
        <source>Gives a fixed dimension of an input, such as x[0], a name, and mends Reshapes that have its size in their targets.</source>
        <translation>为输入的固定维度（如 x[0]）命名，并修正目标中含有该大小的 Reshape。</translation>
    </message>
    <message>
        <source>Splits the model in two files at inner values; the first is edited on.</source>
        <translation>在内部的值处把模型拆分成两个文件；继续编辑第一个。</translation>
    </message>
    <message>
        <source>Puts MatMul and Add in place of Gemm.</source>
        <translation>用 MatMul 和 Add 替换 Gemm。</translation>
    </message>
    <message>
        <source>Puts the model of a file behind this one: `with a -&gt; b, c -&gt; d` says which output goes to which input; else equal names do.</source>
        <translation>把文件中的模型接在此模型之后：`with a -&gt; b, c -&gt; d` 说明哪个输出接到哪个输入；否则按相同的名称连接。</translation>
    </message>
    <message>
        <source>Makes an input one of bytes, normalized inside, with a number for each channel: [123.7,116.3,103.5].</source>
        <translation>把输入变成字节，在模型内归一化，每个通道一个数：[123.7,116.3,103.5]。</translation>
    </message>
    <message>
        <source>Lets an input take channels last (nhwc) or first.</source>
        <translation>让输入接受通道在后（nhwc）或在前的数据。</translation>
    </message>
    <message>
        <source>Lets an input take pictures of any size, resized inside.</source>
        <translation>让输入接受任意大小的图片，在模型内缩放。</translation>
    </message>
    <message>
        <source>Gives the Softmax of an output along its last axis.</source>
        <translation>给出输出沿最后一个轴的 Softmax。</translation>
    </message>
    <message>
        <source>Gives the highest values of an output, and NAME_indices, along its last axis; NAME_labels too with a file of labels, one a line.</source>
        <translation>给出输出沿最后一个轴的最大值以及 NAME_indices；有标签文件（每行一个）时还给出 NAME_labels。</translation>
    </message>
    <message>
        <source>Lets an input of ids take texts, split at white space: a file of whole words, one a line, or a tokenizer.json of type WordLevel.</source>
        <translation>让编号输入接受按空白拆分的文本：每行一个完整单词的文件，或 WordLevel 类型的 tokenizer.json。</translation>
    </message>
    <message>
        <source>Adds the output selected_indices: the boxes that NonMaxSuppression keeps.</source>
        <translation>添加输出 selected_indices：NonMaxSuppression 保留的框。</translation>
    </message>
    <message>
        <source>Applies an edit to a body of an If, Loop or Scan: in If_3.then_branch delete conv1.</source>
        <translation>对 If、Loop 或 Scan 的主体应用一个编辑：in If_3.then_branch delete conv1。</translation>
    </message>
    <message>
        <source>Applies an edit to the body of a function, and so to all its calls.</source>
        <translation>对函数的主体应用一个编辑，因而作用于它的所有调用。</translation>
    </message>
    <message>
        <source>Puts one branch in place of an If, whatever its condition.</source>
        <translation>无论条件如何，用一个分支替换 If。</translation>
    </message>
    <message>
        <source>Puts simpler operators in place of nodes: the function body of ONNX, of the model&apos;s own function, or the parts of an operator of com.microsoft.</source>
        <translation>用更简单的算子替换节点：ONNX 的函数体、模型自身函数的函数体，或 com.microsoft 算子的各部分。</translation>
    </message>
    <message>
        <source>Applies the rewriting rules of a file wherever they match; an error where none does.</source>
        <translation>在匹配之处应用文件中的改写规则；都不匹配则为错误。</translation>
    </message>
    <message>
        <source>Sets an entry of the metadata.</source>
        <translation>设置元数据的一个条目。</translation>
    </message>
    <message>
        <source>Removes an entry of the metadata.</source>
        <translation>删除元数据的一个条目。</translation>
    </message>
    <message>
        <source>Sets what the file says of itself.</source>
        <translation>设置文件对自身的说明。</translation>
    </message>
    <message>
        <source>the model has no value %1</source>
        <translation>模型中没有值 %1</translation>
    </message>
    <message>
        <source>the model has no constant %1</source>
        <translation>模型中没有常量 %1</translation>
    </message>
    <message>
        <source>the model has no function %1</source>
        <translation>模型中没有函数 %1</translation>
    </message>
    <message>
        <source>the model has no input %1; there are: </source>
        <translation>模型中没有输入 %1；现有：</translation>
    </message>
    <message>
        <source>the model has no output %1; there are: </source>
        <translation>模型中没有输出 %1；现有：</translation>
    </message>
    <message>
        <source>no node of the graph matches %1</source>
        <translation>图中没有节点与 %1 匹配</translation>
    </message>
    <message>
        <source>no value of the graph matches %1</source>
        <translation>图中没有值与 %1 匹配</translation>
    </message>
    <message>
        <source>expected one node, %1 matches %2</source>
        <translation>需要一个节点，而 %1 匹配了 %2 个</translation>
    </message>
    <message>
        <source>expected one value, %1 matches %2</source>
        <translation>需要一个值，而 %1 匹配了 %2 个</translation>
    </message>
    <message>
        <source>; did you mean %1?</source>
        <translation>；是不是指 %1？</translation>
    </message>
    <message>
        <source>no operator is called %1</source>
        <translation>没有名为 %1 的算子</translation>
    </message>
    <message>
        <source>operator %1 does not exist in opset %2</source>
        <translation>opset %2 中没有算子 %1</translation>
    </message>
    <message>
        <source>no verb is called %1</source>
        <translation>没有名为 %1 的编辑</translation>
    </message>
    <message>
        <source>no input is called %1</source>
        <translation>没有名为 %1 的输入</translation>
    </message>
    <message>
        <source>a node is called %1 already: the name of the new node has to be free</source>
        <translation>已有名为 %1 的节点：新节点的名称必须未被占用</translation>
    </message>
    <message>
        <source>a value is called %1 already</source>
        <translation>已有名为 %1 的值</translation>
    </message>
    <message>
        <source>no node has a name within the scope %1</source>
        <translation>没有名称在作用域 %1 内的节点</translation>
    </message>
    <message>
        <source>the model would have no output without %1</source>
        <translation>没有 %1 模型就没有输出了</translation>
    </message>
    <message>
        <source>the model would have no output</source>
        <translation>模型将没有输出</translation>
    </message>
    <message>
        <source>reads %1, which nothing writes</source>
        <translation>读取 %1，但没有节点写入它</translation>
    </message>
    <message>
        <source>nothing writes this output of the model</source>
        <translation>没有节点写入模型的这个输出</translation>
    </message>
    <message>
        <source>leaves the model invalid: </source>
        <translation>使模型无效：</translation>
    </message>
    <message>
        <source>%1 is an output of the model already</source>
        <translation>%1 已经是模型的输出</translation>
    </message>
    <message>
        <source>the model is of opset %1 already</source>
        <translation>模型的 opset 已经是 %1</translation>
    </message>
    <message>
        <source>the model cannot be converted to opset %1: </source>
        <translation>模型无法转换到 opset %1：</translation>
    </message>
    <message>
        <source>the metadata have no entry %1</source>
        <translation>元数据中没有条目 %1</translation>
    </message>
    <message>
        <source>the type of %1, which would be an input, is not known</source>
        <translation>%1 将成为输入，但其类型未知</translation>
    </message>
    <message>
        <source>the new value of %1 is %2, expected %3</source>
        <translation>%1 的新值为 %2，需要 %3</translation>
    </message>
    <message>
        <source>%1 is no constant: a node computes it</source>
        <translation>%1 不是常量：它由节点计算</translation>
    </message>
    <message>
        <source>%1 has a default, which would not fit any more</source>
        <translation>%1 有默认值，它将不再合适</translation>
    </message>
    <message>
        <source>no rule of %1 applies to the model</source>
        <translation>%1 中没有规则适用于此模型</translation>
    </message>
    <message>
        <source>its parts are not known</source>
        <translation>它的各部分未知</translation>
    </message>
    <message>
        <source>expected a whole number, found %1</source>
        <translation>需要整数，而找到的是 %1</translation>
    </message>
    <message>
        <source>nodes that went with the outputs: %1.</source>
        <translation>随输出一起删除的节点：%1。</translation>
    </message>
    <message>
        <source>Converted from opset %1 to %2.</source>
        <translation>已从 opset %1 转换到 %2。</translation>
    </message>
    <message>
        <source>line %1 (</source>
        <translation>第 %1 行 (</translation>
    </message>
    <message>
        <source>node %1 (</source>
        <translation>节点 %1 (</translation>
    </message>
</context>
<context>
    <name>FileWords</name>
    <message>
        <source>Lists of words (*.txt *.json)</source>
        <translation>词表 (*.txt *.json)</translation>
    </message>
    <message>
        <source>Models (*.onnx)</source>
        <translation>模型 (*.onnx)</translation>
    </message>
    <message>
        <source>Rewriting rules (*.rules *.txt)</source>
        <translation>改写规则 (*.rules *.txt)</translation>
    </message>
    <message>
        <source>NumPy arrays (*.npy *.npz)</source>
        <translation>NumPy 数组 (*.npy *.npz)</translation>
    </message>
</context>
<context>
    <name>FindQuery</name>
    <message>
        <source>&quot;%1&quot; is no time: write time&gt;1ms or time&lt;20us</source>
        <translation>“%1”不是时间：请写 time&gt;1ms 或 time&lt;20us</translation>
    </message>
</context>
<context>
    <name>GeneratePage</name>
    <message>
        <source>Products</source>
        <translation>矩阵乘积</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <source>Caches</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Other nodes</source>
        <translation>其他节点</translation>
    </message>
    <message>
        <source>Between nodes</source>
        <translation>节点之间</translation>
    </message>
    <message>
        <source>no caches: every run is given all tokens again</source>
        <translation>没有缓存：每次运行都要重新输入所有词元</translation>
    </message>
    <message>
        <source>caches of fixed size for %1 tokens</source>
        <translation>固定大小的缓存，可容纳 %1 个词元</translation>
    </message>
    <message>
        <source>growing caches</source>
        <translation>增长的缓存</translation>
    </message>
    <message>
        <source>growing caches: %1</source>
        <translation>增长的缓存：%1</translation>
    </message>
    <message>
        <source>The first token came after %1.</source>
        <translation>首个词元在 %1 后出现。</translation>
    </message>
    <message>
        <source>%1 tokens per second, %2 each; the first after %3.</source>
        <translation>每秒 %1 个词元，每个 %2；首个在 %3 后出现。</translation>
    </message>
    <message>
        <source>%1 B takes %2 each, %3 times as fast.</source>
        <translation>%1 B 每个需 %2，速度是 A 的 %3 倍。</translation>
    </message>
    <message>
        <source>threads: %1</source>
        <translation>线程：%1</translation>
    </message>
    <message>
        <source>tokens in the prompt: %1</source>
        <translation>提示中的词元：%1</translation>
    </message>
    <message>
        <source>The head is %1 of a token and float: quantize it.</source>
        <translation>输出头占一个词元时间的 %1，且为浮点：请将其量化。</translation>
    </message>
    <message>
        <source>Copying caches is %1 of a token: operators that append to caches of fixed size (GroupQueryAttention) spare it.</source>
        <translation>复制缓存占一个词元时间的 %1：向固定大小的缓存追加的算子（GroupQueryAttention）可以省去它。</translation>
    </message>
    <message>
        <source>%1 of a token passes between the nodes, which compute little each. Levels below all leave more of them.</source>
        <translation>一个词元时间的 %1 花在节点之间，每个节点的计算很少。低于 all 的级别会留下更多节点。</translation>
    </message>
    <message>
        <source>Attention is %1 of a token at %2 tokens of context, and grows with it.</source>
        <translation>上下文为 %2 个词元时，注意力占一个词元时间的 %1，并随上下文增长。</translation>
    </message>
    <message>
        <source>Products with weights are %1 of a token: fewer bits a weight make them faster.</source>
        <translation>与权重的乘积占一个词元时间的 %1：每个权重用更少的位可使其更快。</translation>
    </message>
    <message>
        <source>No part of a token stands out.</source>
        <translation>一个词元的时间中没有突出的部分。</translation>
    </message>
    <message>
        <source>Caches of fixed size take the room for %1 tokens from the beginning.</source>
        <translation>固定大小的缓存从一开始就占用 %1 个词元的空间。</translation>
    </message>
    <message>
        <source>Each token makes the caches %1 larger.</source>
        <translation>每个词元使缓存增大 %1。</translation>
    </message>
    <message>
        <source>Tokens per second: %1 at %2 tokens of context, %3 at %4.</source>
        <translation>每秒词元数：上下文 %2 个词元时 %1，%4 个时 %3。</translation>
    </message>
    <message>
        <source>It costs a divergence of %1 nats; %2 of the tokens change.</source>
        <translation>代价是 %1 奈特的散度；%2 的词元改变。</translation>
    </message>
    <message>
        <source>%1, caches in float16</source>
        <translation>%1，缓存为 float16</translation>
    </message>
    <message>
        <source>%1: %2 tokens per second at %3 tokens of context.</source>
        <translation>%1：上下文为 %3 个词元时每秒 %2 个词元。</translation>
    </message>
    <message>
        <source>%1 is the fastest: %2 tokens per second at %3 tokens of context.</source>
        <translation>%1 最快：上下文为 %3 个词元时每秒 %2 个词元。</translation>
    </message>
    <message>
        <source>%1 is the fastest: %2 tokens per second at %3 tokens of context, %4 times as fast as %5.</source>
        <translation>%1 最快：上下文为 %3 个词元时每秒 %2 个词元，是 %5 的 %4 倍。</translation>
    </message>
    <message>
        <source>room in caches for %1 tokens</source>
        <translation>缓存可容纳 %1 个词元</translation>
    </message>
    <message>
        <source>the first %1 tokens of %2</source>
        <translation>%2 的前 %1 个词元</translation>
    </message>
    <message>
        <source>%1, threads: %2</source>
        <translation>%1，线程数：%2</translation>
    </message>
    <message>
        <source>could not run: %1</source>
        <translation>无法运行：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n variant(s) could not run.</source>
        <translation>
            <numerusform>%n 个变体无法运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>No variant is faster than %1 beyond noise: %2 tokens per second at %3 tokens of context.</source>
        <translation>没有变体比 %1 快出噪声范围:%3 个 token 上下文时每秒 %2 个 token。</translation>
    </message>
</context>
<context>
    <name>GraphOutline</name>
    <message>
        <source>1 node</source>
        <translation>1 个节点</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>%1 inputs</source>
        <translation>%1 个输入</translation>
    </message>
    <message>
        <source>%1 outputs</source>
        <translation>%1 个输出</translation>
    </message>
    <message>
        <source>%1 × block</source>
        <translation>%1 × 块</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>块 %1</translation>
    </message>
</context>
<context>
    <name>GuardPanel</name>
    <message>
        <source>✓ agrees</source>
        <translation>✓ 一致</translation>
    </message>
    <message>
        <source>✕ differs</source>
        <translation>✕ 不一致</translation>
    </message>
    <message>
        <source>Of the largest magnitude, %1</source>
        <translation>占最大幅值 %1</translation>
    </message>
</context>
<context>
    <name>InspectorPanel</name>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>……以及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>None.</source>
        <translation>无。</translation>
    </message>
</context>
<context>
    <name>KeyMap</name>
    <message>
        <source>This key cannot be changed.</source>
        <translation>此按键无法更改。</translation>
    </message>
    <message>
        <source>%1 is left to fields, tables and menus: choose a key with Ctrl, or one of F1 to F12.</source>
        <translation>%1 留给输入框、表格和菜单：请选择带 Ctrl 的按键，或 F1 至 F12 之一。</translation>
    </message>
    <message>
        <source>%1 is the key of “%2”: give that another one first.</source>
        <translation>%1 是“%2”的按键：请先为它换一个按键。</translation>
    </message>
</context>
<context>
    <name>MachineButton</name>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
</context>
<context>
    <name>MemoryPicture</name>
    <message>
        <source>%1, only in step %2</source>
        <translation>%1，仅在第 %2 步</translation>
    </message>
    <message>
        <source>written by %1 in step %2, kept for the caller: a graph output</source>
        <translation>由 %1 在第 %2 步写入，为调用者保留：图输出</translation>
    </message>
    <message>
        <source>written by %1 in step %2, kept alive until %3 in step %4</source>
        <translation>由 %1 在第 %2 步写入，保留到第 %4 步的 %3</translation>
    </message>
    <message>
        <source>; lies in the bytes of %1</source>
        <translation>；位于 %1 的字节内</translation>
    </message>
</context>
<context>
    <name>MemoryWords</name>
    <message>
        <source>, fused</source>
        <translation>，已融合</translation>
    </message>
    <message>
        <source>only for %1 (%2) %3 steps later</source>
        <translation>只为 %3 步之后的 %1（%2）</translation>
    </message>
    <message>
        <source>, alive %1</source>
        <translation>，存活%1</translation>
    </message>
    <message>
        <source>, one %1</source>
        <translation>，其中一个%1</translation>
    </message>
    <message>
        <source>, one of %1 %2</source>
        <translation>，其中一个 %1 %2</translation>
    </message>
    <message>
        <source>Nothing runs: the model has no nodes.</source>
        <translation>没有可运行的内容：模型没有节点。</translation>
    </message>
    <message>
        <source>No activation has a size that is known before it runs.</source>
        <translation>没有任何激活的大小在运行前已知。</translation>
    </message>
    <message>
        <source>%1 tensors alive, the largest %2 (%3)</source>
        <translation>%1 个张量存活，最大的是 %2（%3）</translation>
    </message>
    <message>
        <source>its working memory of %1</source>
        <translation>其工作内存 %1</translation>
    </message>
    <message>
        <source>1 tensor of %1 alive</source>
        <translation>1 个 %1 张量存活</translation>
    </message>
    <message>
        <source>%1 tensors of %2 alive</source>
        <translation>%1 个 %2 张量存活</translation>
    </message>
    <message>
        <source>beside 1 other</source>
        <translation>，另有 1 个</translation>
    </message>
    <message>
        <source>beside %1 others</source>
        <translation>，另有 %1 个</translation>
    </message>
    <message>
        <source>subgraphs of %1</source>
        <translation>%1 的子图</translation>
    </message>
    <message>
        <source>working memory of %1</source>
        <translation>%1 的工作内存</translation>
    </message>
    <message>
        <source>Activations planned: %1 at node %2 (%3):</source>
        <translation>规划的激活内存：%1，位于节点 %2（%3）：</translation>
    </message>
    <message>
        <source>Beside it %1 of weights are read in the file&apos;s own pages.</source>
        <translation>此外还有 %1 权重直接在文件自身的内存页中读取。</translation>
    </message>
    <message>
        <source>Process: %1 while it runs.</source>
        <translation>进程：运行时 %1。</translation>
    </message>
    <message>
        <source>The process is made of: program %1, graph and plan %2, weights %3, packed copies %4, activations as written %5, inputs %6.</source>
        <translation>进程由以下部分组成：程序 %1，图与计划 %2，权重 %3，打包副本 %4，实际写入的激活 %5，输入 %6。</translation>
    </message>
    <message>
        <source>The first run, which has no plan yet, writes more than later ones.</source>
        <translation>第一次运行还没有计划，写入的内存多于之后的运行。</translation>
    </message>
</context>
<context>
    <name>ModelDifference</name>
    <message>
        <source>Nodes: %1 before, %2 now (%3).</source>
        <translation>节点：之前 %1，现在 %2（%3）。</translation>
    </message>
    <message>
        <source>Weights: %1 before, %2 now.</source>
        <translation>权重：之前 %1，现在 %2。</translation>
    </message>
    <message>
        <source>Operators, size of the weights, inputs and outputs are as before.</source>
        <translation>算子、权重大小、输入和输出都与之前相同。</translation>
    </message>
    <message>
        <source>The weights have other types.</source>
        <translation>权重的类型变了。</translation>
    </message>
    <message>
        <source>The inputs are different.</source>
        <translation>输入变了。</translation>
    </message>
    <message>
        <source>The outputs are different.</source>
        <translation>输出变了。</translation>
    </message>
</context>
<context>
    <name>NearMissPanel</name>
    <message numerus="yes">
        <source>%n condition(s) or operator(s) are missing</source>
        <translation>
            <numerusform>缺少 %n 个条件或算子</numerusform>
        </translation>
    </message>
    <message>
        <source>The part of a run&apos;s time that the nodes matched so far take: measured where the variant ran, else estimated from arithmetic and bytes</source>
        <translation>目前匹配的节点占运行时间的比例：变体运行过则为实测值，否则由计算量和字节数估计</translation>
    </message>
</context>
<context>
    <name>OperatorFamily</name>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>Matrix product</source>
        <translation>矩阵乘</translation>
    </message>
    <message>
        <source>Normalization</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation>算术</translation>
    </message>
    <message>
        <source>Reduction and pooling</source>
        <translation>归约与池化</translation>
    </message>
    <message>
        <source>Data movement</source>
        <translation>数据搬运</translation>
    </message>
    <message>
        <source>Recurrent and signal</source>
        <translation>循环与信号</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Control flow</source>
        <translation>控制流</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Optimize</source>
        <translation>优化</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Tune</source>
        <translation>调优</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Checklist</source>
        <translation>检查清单</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>生成</translation>
    </message>
</context>
<context>
    <name>PictureExport</name>
    <message>
        <source>The picture is on the clipboard.</source>
        <translation>图片已复制到剪贴板。</translation>
    </message>
    <message>
        <source>The picture could not be made.</source>
        <translation>无法生成图片。</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG 矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Save picture …</source>
        <translation>保存图片……</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF 文档 (*.pdf)</translation>
    </message>
</context>
<context>
    <name>PlaceWords</name>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>File of the first part</source>
        <translation>第一部分的文件</translation>
    </message>
    <message>
        <source>File of the second part</source>
        <translation>第二部分的文件</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Opset</source>
        <translation>Opset</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Value or file</source>
        <translation>值或文件</translation>
    </message>
    <message>
        <source>Order of axes</source>
        <translation>轴的顺序</translation>
    </message>
    <message>
        <source>Axis</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Dimension</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>Prefix</source>
        <translation>前缀</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>配对</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>Boxes</source>
        <translation>边框</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Least score</source>
        <translation>最低得分</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Body</source>
        <translation>主体</translation>
    </message>
    <message>
        <source>Edit of the body</source>
        <translation>对主体的编辑</translation>
    </message>
    <message>
        <source>File of labels</source>
        <translation>标签文件</translation>
    </message>
    <message>
        <source>File of words</source>
        <translation>词表文件</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Separator</source>
        <translation>分隔符</translation>
    </message>
    <message>
        <source>New name</source>
        <translation>新名称</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Branch</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Without a default</source>
        <translation>无默认值</translation>
    </message>
    <message>
        <source>Word for padding</source>
        <translation>填充词</translation>
    </message>
    <message>
        <source>In lower case</source>
        <translation>转为小写</translation>
    </message>
    <message>
        <source>Word for unknown ones</source>
        <translation>未知词的替代词</translation>
    </message>
</context>
<context>
    <name>PluginDetails</name>
    <message>
        <source>usable</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>From version</source>
        <translation>起始版本</translation>
    </message>
    <message>
        <source>What it computes</source>
        <translation>计算内容</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Provider %1</source>
        <translation>执行提供者 %1</translation>
    </message>
    <message>
        <source>Engine %1 %2</source>
        <translation>引擎 %1 %2</translation>
    </message>
    <message>
        <source>It has no device: %1</source>
        <translation>没有设备：%1</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Option</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>May be</source>
        <translation>可取值</translation>
    </message>
    <message>
        <source>Unless given</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>It cannot be used: %1</source>
        <translation>无法使用：%1</translation>
    </message>
    <message>
        <source>Licence %1, made for plugin interface %2</source>
        <translation>许可证 %1，插件接口 %2</translation>
    </message>
    <message>
        <source>The package holds no C library: it runs in a Python process.</source>
        <translation>该软件包不含 C 库：在 Python 进程中运行。</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>执行提供者</translation>
    </message>
    <message>
        <source>Providers</source>
        <translation>执行提供者</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
</context>
<context>
    <name>Problems</name>
    <message>
        <source>✕ Error</source>
        <translation>✕ 错误</translation>
    </message>
    <message>
        <source>▲ Warning</source>
        <translation>▲ 警告</translation>
    </message>
    <message>
        <source>• Note</source>
        <translation>• 提示</translation>
    </message>
    <message>
        <source>input &quot;%1&quot;</source>
        <translation>输入“%1”</translation>
    </message>
    <message>
        <source>The type is not declared, so no input can be generated for it.</source>
        <translation>没有声明类型，无法为它生成输入。</translation>
    </message>
    <message>
        <source>profile</source>
        <translation>性能分析</translation>
    </message>
    <message>
        <source>%1 events did not fit into the recording; totals are too low.</source>
        <translation>%1 个事件超出记录容量；总计偏低。</translation>
    </message>
    <message>
        <source>One run only: its times say nothing about the spread.</source>
        <translation>只运行了一次：无法说明时间的波动。</translation>
    </message>
    <message>
        <source>%1 more are not listed.</source>
        <translation>另有 %1 项未列出。</translation>
    </message>
    <message>
        <source>portability</source>
        <translation>可移植性</translation>
    </message>
</context>
<context>
    <name>Project</name>
    <message>
        <source>it has %1 bytes now and had %2 when the project was saved</source>
        <translation>现在有 %1 字节，保存项目时为 %2 字节</translation>
    </message>
</context>
<context>
    <name>QKeySequenceEdit</name>
    <message>
        <source>Press shortcut</source>
        <translation>按下按键</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>是(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>否(&amp;N)</translation>
    </message>
</context>
<context>
    <name>Quantity</name>
    <message>
        <source>equal</source>
        <translation>相同</translation>
    </message>
</context>
<context>
    <name>Quantize</name>
    <message>
        <source>whole ranges</source>
        <translation>完整范围</translation>
    </message>
    <message>
        <source>ranges by percentile</source>
        <translation>按百分位取范围</translation>
    </message>
    <message>
        <source>ranges by entropy</source>
        <translation>按熵取范围</translation>
    </message>
    <message>
        <source>ranges %1 % wider</source>
        <translation>范围放宽 %1 %</translation>
    </message>
    <message>
        <source>no zero points of weights</source>
        <translation>权重无零点</translation>
    </message>
    <message>
        <source>symmetric blocks</source>
        <translation>对称块</translation>
    </message>
    <message>
        <source>fitted blocks</source>
        <translation>拟合的块</translation>
    </message>
    <message>
        <source>rotated</source>
        <translation>已旋转</translation>
    </message>
    <message>
        <source>at most %1 bits a weight</source>
        <translation>每个权重至多 %1 位</translation>
    </message>
    <message>
        <source>one scale per weight</source>
        <translation>每个权重一个缩放</translation>
    </message>
    <message>
        <source>7-bit weights</source>
        <translation>7 位权重</translation>
    </message>
    <message>
        <source>equalized</source>
        <translation>均衡化</translation>
    </message>
    <message>
        <source>smoothed %1</source>
        <translation>平滑 %1</translation>
    </message>
    <message>
        <source>%1 float</source>
        <translation>%1 为浮点</translation>
    </message>
    <message>
        <source>%1 kept float</source>
        <translation>%1 个保持浮点</translation>
    </message>
    <message>
        <source>plain</source>
        <translation>基本</translation>
    </message>
    <message>
        <source>int8 dynamic</source>
        <translation>int8 动态</translation>
    </message>
    <message>
        <source>int8 static</source>
        <translation>int8 静态</translation>
    </message>
    <message>
        <source>int%1 weights</source>
        <translation>int%1 权重</translation>
    </message>
    <message>
        <source>compensated</source>
        <translation>补偿舍入</translation>
    </message>
    <message>
        <source>int4 static</source>
        <translation>int4 静态</translation>
    </message>
    <message>
        <source>float16</source>
        <translation>float16</translation>
    </message>
    <message>
        <source>bfloat16 weights</source>
        <translation>bfloat16 权重</translation>
    </message>
    <message>
        <source>float8 weights</source>
        <translation>float8 权重</translation>
    </message>
    <message>
        <source>QLinear operators</source>
        <translation>QLinear 算子</translation>
    </message>
    <message>
        <source>unsigned weights</source>
        <translation>无符号权重</translation>
    </message>
    <message>
        <source>placed as by ONNX Runtime</source>
        <translation>按 ONNX Runtime 的方式放置</translation>
    </message>
    <message>
        <source>smoothed by input</source>
        <translation>按输入平滑</translation>
    </message>
    <message>
        <source>weights of %1 alone</source>
        <translation>仅 %1 的权重</translation>
    </message>
    <message>
        <source>%1 with weights alone</source>
        <translation>%1 个仅量化权重</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>%1 types of weights</source>
        <translation>%1 种权重类型</translation>
    </message>
    <message>
        <source>masks as they are</source>
        <translation>掩码保持不变</translation>
    </message>
</context>
<context>
    <name>QuantizePage</name>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Tries dynamic and static recipes and keeps the best</source>
        <translation>尝试动态和静态配方并保留最佳者</translation>
    </message>
    <message>
        <source>Weights become 8-bit integers, ranges of activations are taken in each run; good for transformers and LSTM</source>
        <translation>权重变为 8 位整数，激活范围在每次运行时确定；适合 Transformer 和 LSTM</translation>
    </message>
    <message>
        <source>Weights and activations become 8-bit integers, with ranges from the samples; fastest for convolutions</source>
        <translation>权重和激活变为 8 位整数，范围取自样本；卷积最快</translation>
    </message>
    <message>
        <source>Only weights become 8-bit integers in blocks, products stay float; smaller and nearly exact</source>
        <translation>仅权重变为分块的 8 位整数，乘积保持浮点；更小且几乎精确</translation>
    </message>
    <message>
        <source>Only weights become 4-bit integers in blocks, products stay float; smallest</source>
        <translation>仅权重变为分块的 4 位整数，乘积保持浮点；最小</translation>
    </message>
    <message>
        <source>Most accurate</source>
        <translation>最准确</translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation>最快</translation>
    </message>
    <message>
        <source>Smallest</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>The highest SQNR among the recipes that are not slower than the float model</source>
        <translation>在不慢于浮点模型的配方中 SQNR 最高者</translation>
    </message>
    <message>
        <source>The shortest time among the recipes that reach the floor</source>
        <translation>在达到下限的配方中时间最短者</translation>
    </message>
    <message>
        <source>The fewest bytes among the recipes that reach the floor</source>
        <translation>在达到下限的配方中字节最少者</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>%1 faster</source>
        <translation>快 %1</translation>
    </message>
    <message>
        <source>%1 slower</source>
        <translation>慢 %1</translation>
    </message>
    <message>
        <source>no faster beyond noise</source>
        <translation>速度差异在噪声之内</translation>
    </message>
    <message>
        <source>%1 smaller</source>
        <translation>小 %1</translation>
    </message>
    <message>
        <source>no smaller</source>
        <translation>没有变小</translation>
    </message>
    <message>
        <source>outputs equal</source>
        <translation>输出相同</translation>
    </message>
    <message>
        <source>Recipe: %1</source>
        <translation>配方：%1</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n node(s) quantized</source>
        <translation>
            <numerusform>%n 个节点中量化了 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>constants in the file %1 → %2</source>
        <translation>文件中的常量 %1 → %2</translation>
    </message>
    <message>
        <source>%1 → %2 per run</source>
        <translation>每次运行 %1 → %2</translation>
    </message>
    <message>
        <source>%1 samples gave ranges, %2 others judged</source>
        <translation>%1 个样本给出范围，另外 %2 个用于评判</translation>
    </message>
    <message>
        <source>SQNR is the mean of %1 such splits</source>
        <translation>SQNR 是 %1 次此类划分的平均值</translation>
    </message>
    <message>
        <source>%1 on 1 generated sample</source>
        <translation>%1（1 个生成的样本）</translation>
    </message>
    <message>
        <source>%1 on 1 sample</source>
        <translation>%1（1 个样本）</translation>
    </message>
    <message>
        <source>%1 on %2 generated samples</source>
        <translation>%1（%2 个生成的样本）</translation>
    </message>
    <message>
        <source>%1 on %2 samples</source>
        <translation>%1（%2 个样本）</translation>
    </message>
    <message>
        <source>int8 dynamic</source>
        <translation>int8 动态</translation>
    </message>
    <message>
        <source>int8 static</source>
        <translation>int8 静态</translation>
    </message>
    <message>
        <source>int8 weights</source>
        <translation>int8 权重</translation>
    </message>
    <message>
        <source>int4 weights</source>
        <translation>int4 权重</translation>
    </message>
    <message>
        <source>int8 static, QLinear</source>
        <translation>int8 静态，QLinear</translation>
    </message>
    <message>
        <source>float16</source>
        <translation>float16</translation>
    </message>
    <message>
        <source>bfloat16 weights</source>
        <translation>bfloat16 权重</translation>
    </message>
    <message>
        <source>float8 weights</source>
        <translation>float8 权重</translation>
    </message>
    <message>
        <source>As int8 static, written as QLinearConv, QLinearMatMul and QGemm in place of pairs of QuantizeLinear and DequantizeLinear</source>
        <translation>与 int8 静态相同，但写成 QLinearConv、QLinearMatMul 和 QGemm，而不是成对的 QuantizeLinear 与 DequantizeLinear</translation>
    </message>
    <message>
        <source>Everything computes in float16 but nodes whose values it has no room for; half the size</source>
        <translation>除数值超出 float16 范围的节点外，全部以 float16 计算；大小减半</translation>
    </message>
    <message>
        <source>Weights are stored as bfloat16, everything is computed in float32; half the size</source>
        <translation>权重以 bfloat16 存储，计算全部使用 float32；大小减半</translation>
    </message>
    <message>
        <source>Weights are stored as 8-bit floats (E4M3) with a scale per channel, everything is computed in float32</source>
        <translation>权重以 8 位浮点数（E4M3）存储，每通道一个缩放系数，计算全部使用 float32</translation>
    </message>
    <message>
        <source>%1 % (%2 – %3)</source>
        <translation>%1%（%2 – %3）</translation>
    </message>
    <message>
        <source>%1 of %2 answers changed: %3</source>
        <translation>%2 个答案中有 %1 个改变：%3</translation>
    </message>
    <message>
        <source>right answers %1 → %2</source>
        <translation>正确答案 %1 → %2</translation>
    </message>
    <message>
        <source>1 sample gave ranges, %1 others judged</source>
        <translation>1 个样本确定范围，其他 %1 个用于评判</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>very good</source>
        <translation>很好</translation>
    </message>
    <message>
        <source>good</source>
        <translation>好</translation>
    </message>
    <message>
        <source>visibly off</source>
        <translation>有可见偏差</translation>
    </message>
    <message>
        <source>poor</source>
        <translation>差</translation>
    </message>
    <message>
        <source>%1 (%2 – %3)</source>
        <translation>%1（%2 – %3）</translation>
    </message>
    <message>
        <source>SQNR %1, %2</source>
        <translation>SQNR %1，%2</translation>
    </message>
    <message>
        <source>not fit for use: %1</source>
        <translation>不宜使用：%1</translation>
    </message>
    <message>
        <source>SQNR %1</source>
        <translation>SQNR %1</translation>
    </message>
    <message>
        <source>%1, %2 of the float model</source>
        <translation>%1，为浮点模型的 %2</translation>
    </message>
    <message>
        <source>it is slower than the float model</source>
        <translation>它比浮点模型慢</translation>
    </message>
    <message>
        <source>it saves nothing</source>
        <translation>它没有节省空间</translation>
    </message>
    <message>
        <source>it is larger, and the samples do not tell the two apart</source>
        <translation>它更大，而样本无法区分二者</translation>
    </message>
    <message>
        <source>%1 has SQNR %2, but %3.</source>
        <translation>%1 的 SQNR 为 %2，但%3。</translation>
    </message>
</context>
<context>
    <name>Recipe</name>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>, nodes fused</source>
        <translation>，节点融合</translation>
    </message>
    <message>
        <source>, one kernel per node</source>
        <translation>，每节点一个内核</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>Basic</source>
        <translation>基础</translation>
    </message>
    <message>
        <source>Extended</source>
        <translation>扩展</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source> without </source>
        <translation> 不含 </translation>
    </message>
    <message>
        <source> without %1 passes</source>
        <translation> 不含 %1 个优化遍</translation>
    </message>
    <message>
        <source> with </source>
        <translation> 另加 </translation>
    </message>
    <message>
        <source> with %1 more passes</source>
        <translation> 另加 %1 个优化遍</translation>
    </message>
    <message numerus="yes">
        <source>, first %n rewrite(s)</source>
        <translation>
            <numerusform>，前 %n 次改写</numerusform>
        </translation>
    </message>
    <message>
        <source>ONNX Runtime with %1</source>
        <translation>ONNX Runtime，使用 %1</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1，在 %2 上</translation>
    </message>
    <message>
        <source>Disabled</source>
        <translation>禁用优化</translation>
    </message>
    <message>
        <source>%1, run at level %2</source>
        <translation>%1，按级别 %2 运行</translation>
    </message>
    <message>
        <source>CPU, weights in %1</source>
        <translation>CPU，权重为 %1</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>已编辑</translation>
    </message>
    <message>
        <source>, rules of %1</source>
        <translation>，规则来自 %1</translation>
    </message>
    <message>
        <source>, rules of %1 files</source>
        <translation>，规则来自 %1 个文件</translation>
    </message>
    <message>
        <source>edited: %1</source>
        <translation>已编辑：%1</translation>
    </message>
    <message>
        <source>edited: %1 (+%2)</source>
        <translation>已编辑：%1（+%2）</translation>
    </message>
    <message>
        <source>then edited: %1</source>
        <translation>随后编辑：%1</translation>
    </message>
    <message>
        <source>then edited: %1 (+%2)</source>
        <translation>随后编辑：%1（+%2）</translation>
    </message>
</context>
<context>
    <name>RewritePicture</name>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
</context>
<context>
    <name>RewriteWords</name>
    <message>
        <source>1 attention block fused</source>
        <translation>融合 1 个注意力块</translation>
    </message>
    <message>
        <source>%1 attention blocks fused</source>
        <translation>融合 %1 个注意力块</translation>
    </message>
    <message>
        <source>1 residual norm fused</source>
        <translation>融合 1 个残差归一化</translation>
    </message>
    <message>
        <source>%1 residual norms fused</source>
        <translation>融合 %1 个残差归一化</translation>
    </message>
    <message>
        <source>1 normalization fused</source>
        <translation>融合 1 个归一化</translation>
    </message>
    <message>
        <source>%1 normalizations fused</source>
        <translation>融合 %1 个归一化</translation>
    </message>
    <message>
        <source>1 activation fused</source>
        <translation>融合 1 个激活</translation>
    </message>
    <message>
        <source>%1 activations fused</source>
        <translation>融合 %1 个激活</translation>
    </message>
    <message>
        <source>1 embedding fused</source>
        <translation>融合 1 个嵌入</translation>
    </message>
    <message>
        <source>%1 embeddings fused</source>
        <translation>融合 %1 个嵌入</translation>
    </message>
    <message>
        <source>1 scale or batch norm folded into weights</source>
        <translation>1 个缩放或批归一化并入权重</translation>
    </message>
    <message>
        <source>%1 scales and batch norms folded into weights</source>
        <translation>%1 个缩放和批归一化并入权重</translation>
    </message>
    <message>
        <source>1 activation or sum taken into its product</source>
        <translation>1 个激活或加法并入乘积</translation>
    </message>
    <message>
        <source>%1 activations and sums taken into products</source>
        <translation>%1 个激活和加法并入乘积</translation>
    </message>
    <message>
        <source>1 quantized operator made</source>
        <translation>生成 1 个量化算子</translation>
    </message>
    <message>
        <source>%1 quantized operators made</source>
        <translation>生成 %1 个量化算子</translation>
    </message>
    <message>
        <source>1 change of layout</source>
        <translation>1 处布局改变</translation>
    </message>
    <message>
        <source>%1 changes of layout</source>
        <translation>%1 处布局改变</translation>
    </message>
    <message>
        <source>1 constant folded</source>
        <translation>折叠 1 个常量</translation>
    </message>
    <message>
        <source>%1 constants folded</source>
        <translation>折叠 %1 个常量</translation>
    </message>
    <message>
        <source>1 reshape or transpose merged</source>
        <translation>合并 1 个变形或转置</translation>
    </message>
    <message>
        <source>%1 reshapes and transposes merged</source>
        <translation>合并 %1 个变形和转置</translation>
    </message>
    <message>
        <source>1 idle node removed</source>
        <translation>移除 1 个无用节点</translation>
    </message>
    <message>
        <source>%1 idle nodes removed</source>
        <translation>移除 %1 个无用节点</translation>
    </message>
    <message>
        <source>1 other rewrite</source>
        <translation>另有 1 次改写</translation>
    </message>
    <message>
        <source>%1 other rewrites</source>
        <translation>另有 %1 次改写</translation>
    </message>
    <message>
        <source>1 edit</source>
        <translation>1 处编辑</translation>
    </message>
    <message>
        <source>%1 edits</source>
        <translation>%1 处编辑</translation>
    </message>
    <message>
        <source>1 rewrite by your rules</source>
        <translation>1 处由您的规则改写</translation>
    </message>
    <message>
        <source>%1 rewrites by your rules</source>
        <translation>%1 处由您的规则改写</translation>
    </message>
</context>
<context>
    <name>RowHelp</name>
    <message>
        <source>a level that fuses nodes leaves fewer kernels to start.</source>
        <translation>会融合节点的级别可减少要启动的内核。</translation>
    </message>
    <message>
        <source>a larger batch shares it among more inferences.</source>
        <translation>更大的批次可将其分摊到更多次推理。</translation>
    </message>
    <message>
        <source>%1 runs on the plain reference kernel: %2.</source>
        <translation>%1 在朴素的参考内核上运行：%2。</translation>
    </message>
    <message>
        <source>%1 almost applied: %2.</source>
        <translation>%1 差一点就能应用：%2。</translation>
    </message>
    <message>
        <source>weights in 8 bits may shorten it; measuring tells by how much.</source>
        <translation>8 位权重可能缩短它；缩短多少需要测量。</translation>
    </message>
    <message>
        <source>Optimize</source>
        <translation>优化</translation>
    </message>
    <message>
        <source>Measure batches</source>
        <translation>测量批次</translation>
    </message>
    <message>
        <source>Show in the graph</source>
        <translation>在图中显示</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Session overhead</source>
        <translation>会话开销</translation>
    </message>
    <message>
        <source>At most %1 times as fast.</source>
        <translation>最多快到 %1 倍。</translation>
    </message>
</context>
<context>
    <name>RunConditions</name>
    <message>
        <source>generated inputs</source>
        <translation>生成的输入</translation>
    </message>
    <message>
        <source>your text</source>
        <translation>您的文本</translation>
    </message>
    <message>
        <source>your inputs (%1 files)</source>
        <translation>您的输入（%1 个文件）</translation>
    </message>
    <message>
        <source>your inputs (%1)</source>
        <translation>您的输入（%1）</translation>
    </message>
    <message>
        <source>level %1</source>
        <translation>级别 %1</translation>
    </message>
    <message>
        <source>threads: %1</source>
        <translation>线程：%1</translation>
    </message>
</context>
<context>
    <name>Samples</name>
    <message>
        <source>Multi-layer perceptron</source>
        <translation>多层感知机</translation>
    </message>
    <message>
        <source>Three fully connected layers on 784 inputs; the smallest model to try things on.</source>
        <translation>三个全连接层，784 个输入；最小的试用模型。</translation>
    </message>
    <message>
        <source>Digit classifier on 28 x 28 images: two convolutions, three linear layers.</source>
        <translation>28 x 28 图像的数字分类器：两个卷积层，三个线性层。</translation>
    </message>
    <message>
        <source>Image classifier of 1.2 million parameters built from squeeze and expand convolutions.</source>
        <translation>由压缩与扩展卷积构成的图像分类器，120 万个参数。</translation>
    </message>
    <message>
        <source>Image classifier with residual blocks; 11.7 million parameters.</source>
        <translation>残差块图像分类器；1170 万个参数。</translation>
    </message>
    <message>
        <source>The usual yardstick of image classifiers: bottleneck blocks, 25.6 million parameters.</source>
        <translation>图像分类器的常用基准：瓶颈块，2560 万个参数。</translation>
    </message>
    <message>
        <source>Image classifier for phones: depthwise convolutions in inverted residual blocks.</source>
        <translation>面向手机的图像分类器：倒残差块中的深度卷积。</translation>
    </message>
    <message>
        <source>Image classifier that mixes channels by Reshape and Transpose.</source>
        <translation>通过 Reshape 和 Transpose 混合通道的图像分类器。</translation>
    </message>
    <message>
        <source>Segmentation network with skip connections, Concat and ConvTranspose.</source>
        <translation>带跳跃连接、Concat 和 ConvTranspose 的分割网络。</translation>
    </message>
    <message>
        <source>Text encoder of 2 layers with symbolic batch and sequence; unfused as PyTorch exports it.</source>
        <translation>2 层文本编码器，批次和序列为符号维度；如 PyTorch 导出，未融合。</translation>
    </message>
    <message>
        <source>Text encoder of 12 layers, 110 million parameters; unfused LayerNorm, GELU and attention.</source>
        <translation>12 层文本编码器，1.1 亿个参数；LayerNorm、GELU 和注意力均未融合。</translation>
    </message>
    <message>
        <source>Text decoder of 12 layers with key/value cache inputs and outputs.</source>
        <translation>12 层文本解码器，键/值缓存作为输入和输出。</translation>
    </message>
    <message>
        <source>Llama, 160 M</source>
        <translation>Llama，1.6 亿</translation>
    </message>
    <message>
        <source>Text decoder of 12 layers with grouped queries and rotary positions, as onnxruntime-genai writes it.</source>
        <translation>12 层文本解码器，分组查询和旋转位置编码，与 onnxruntime-genai 写出的相同。</translation>
    </message>
    <message>
        <source>Llama, 1.1 B</source>
        <translation>Llama，11 亿</translation>
    </message>
    <message>
        <source>Text decoder of 22 layers, 1.1 billion parameters: a file of 4.4 GB, as onnxruntime-genai writes it.</source>
        <translation>22 层文本解码器，11 亿参数：4.4 GB 的文件，与 onnxruntime-genai 写出的相同。</translation>
    </message>
    <message>
        <source>Bidirectional LSTM tagger</source>
        <translation>双向 LSTM 标注器</translation>
    </message>
    <message>
        <source>Embedding, two bidirectional LSTM layers and a linear layer over sequences of any length.</source>
        <translation>嵌入层、两个双向 LSTM 层和一个线性层，处理任意长度的序列。</translation>
    </message>
</context>
<context>
    <name>SignedText</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
</context>
<context>
    <name>TableExport</name>
    <message>
        <source>Export as CSV</source>
        <translation>导出为 CSV</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Export as CSV …</source>
        <translation>导出为 CSV……</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
</context>
<context>
    <name>TradeOff</name>
    <message>
        <source>your ONNX Runtime</source>
        <translation>您的 ONNX Runtime</translation>
    </message>
</context>
<context>
    <name>Tune</name>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批</translation>
    </message>
    <message>
        <source>Inter-op threads</source>
        <translation>算子间线程</translation>
    </message>
    <message>
        <source>Execution</source>
        <translation>执行方式</translation>
    </message>
    <message>
        <source>Spinning</source>
        <translation>自旋</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>as given</source>
        <translation>原样</translation>
    </message>
    <message>
        <source>sequential</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>parallel</source>
        <translation>并行</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 个线程</translation>
    </message>
    <message>
        <source>batch as given</source>
        <translation>批大小原样</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>批 %1</translation>
    </message>
    <message>
        <source>inter-op %1</source>
        <translation>算子间 %1</translation>
    </message>
    <message>
        <source>spinning</source>
        <translation>自旋</translation>
    </message>
    <message>
        <source>no spinning</source>
        <translation>不自旋</translation>
    </message>
    <message>
        <source>Median time</source>
        <translation>中位时间</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>效率</translation>
    </message>
    <message>
        <source>Milliseconds of one run; half of the runs took longer</source>
        <translation>一次运行的毫秒数；一半的运行更久</translation>
    </message>
    <message>
        <source>Inferences per second: the batch by the median time</source>
        <translation>每秒推理次数：批大小除以中位时间</translation>
    </message>
    <message>
        <source>How many times as fast as with the fewest threads, all else alike</source>
        <translation>其他条件相同时，相对最少线程的倍数</translation>
    </message>
    <message>
        <source>Speed-up by the number of threads that it took: 100 % is ideal</source>
        <translation>加速比除以所用线程数：100 % 为理想</translation>
    </message>
    <message>
        <source>%1 /s</source>
        <translation>%1 /s</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Not measured; that takes %1</source>
        <translation>未测量；需要 %1</translation>
    </message>
    <message>
        <source>Being measured …</source>
        <translation>正在测量……</translation>
    </message>
    <message>
        <source>Could not be measured: %1</source>
        <translation>无法测量：%1</translation>
    </message>
    <message>
        <source>Left out: %1</source>
        <translation>已略过：%1</translation>
    </message>
    <message>
        <source>%1: %2 (95 % interval %3)</source>
        <translation>%1：%2（95 % 区间 %3）</translation>
    </message>
    <message>
        <source>p90 %1, p99 %2, fastest %3, slowest %4</source>
        <translation>p90 %1，p99 %2，最快 %3，最慢 %4</translation>
    </message>
    <message>
        <source>CPU time of all threads: %1</source>
        <translation>所有线程的 CPU 时间：%1</translation>
    </message>
    <message>
        <source>First run: %1</source>
        <translation>首次运行：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) measured</source>
        <translation>
            <numerusform>测量了 %n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>More threads than this machine&apos;s %1 cores</source>
        <translation>线程数多于此机器的 %1 个核</translation>
    </message>
    <message>
        <source>under 1 s</source>
        <translation>不到 1 s</translation>
    </message>
    <message>
        <source>about %1 s</source>
        <translation>约 %1 s</translation>
    </message>
    <message>
        <source>about %1 min</source>
        <translation>约 %1 min</translation>
    </message>
    <message>
        <source>about %1 h</source>
        <translation>约 %1 h</translation>
    </message>
    <message>
        <source>High confidence</source>
        <translation>把握大</translation>
    </message>
    <message>
        <source>Fair confidence</source>
        <translation>把握一般</translation>
    </message>
    <message>
        <source>Low confidence</source>
        <translation>把握小</translation>
    </message>
    <message numerus="yes">
        <source>measured in turn with the next best, %n setting(s) in all</source>
        <translation>
            <numerusform>与次优者交替测量，共 %n 种设置</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>only %n run(s) measured</source>
        <translation>
            <numerusform>只测量了 %n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>median known to ±%1 %</source>
        <translation>中位数精度 ±%1 %</translation>
    </message>
    <message>
        <source>nothing to compare with yet</source>
        <translation>尚无可比较的</translation>
    </message>
    <message>
        <source>its times drifted by %1 % while it was measured</source>
        <translation>测量期间时间漂移了 %1 %</translation>
    </message>
    <message>
        <source>the machine was unsteady during %1 of %2 settings</source>
        <translation>%2 种设置中有 %1 种测量时机器不稳定</translation>
    </message>
    <message>
        <source>%1 of %2 settings measured</source>
        <translation>已测量 %1 / %2 种设置</translation>
    </message>
</context>
<context>
    <name>TunePlan</name>
    <message>
        <source>the first dimension of input &quot;%1&quot; is fixed at %2</source>
        <translation>输入“%1”的首维固定为 %2</translation>
    </message>
    <message>
        <source>the model has no inputs</source>
        <translation>模型没有输入</translation>
    </message>
    <message>
        <source>no input has a free batch dimension with a name</source>
        <translation>没有输入带有命名的自由批维</translation>
    </message>
</context>
<context>
    <name>ValueFacts</name>
    <message>
        <source>output of the model, made by %1</source>
        <translation>模型的输出，由 %1 计算</translation>
    </message>
    <message>
        <source>made by %1</source>
        <translation>由 %1 计算</translation>
    </message>
    <message>
        <source>an input of its graph</source>
        <translation>所在图的输入</translation>
    </message>
    <message>
        <source>a constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>made by the model</source>
        <translation>由模型计算</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1: %2 too large, %3 too small</source>
        <translation>%1：%2 个过大，%3 个过小</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Is</source>
        <translation>身份</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Mean ± deviation</source>
        <translation>均值 ± 标准差</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Infinite</source>
        <translation>无穷</translation>
    </message>
    <message>
        <source>Beyond float16</source>
        <translation>超出 float16</translation>
    </message>
    <message>
        <source>Beyond bfloat16</source>
        <translation>超出 bfloat16</translation>
    </message>
</context>
<context>
    <name>Variant</name>
    <message>
        <source>the original is left as it is</source>
        <translation>原始模型保持不变</translation>
    </message>
    <message>
        <source>the quantized model is left as it is</source>
        <translation>量化模型保持原样</translation>
    </message>
    <message>
        <source>the second model is left as it is</source>
        <translation>第二个模型保持原样</translation>
    </message>
    <message>
        <source>the edited model is left as it is</source>
        <translation>编辑后的模型保持原样</translation>
    </message>
    <message>
        <source>the edited model is not valid</source>
        <translation>编辑后的模型无效</translation>
    </message>
</context>
<context>
    <name>VariantFigures</name>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Median of %1 runs with its 95 % interval</source>
        <translation>%1 次运行的中位数及其 95 % 区间</translation>
    </message>
    <message>
        <source>within noise</source>
        <translation>在噪声范围内</translation>
    </message>
    <message>
        <source>95 % interval: %1</source>
        <translation>95 % 区间：%1</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Activations planned: %1</source>
        <translation>计划的激活值：%1</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>相等</translation>
    </message>
    <message>
        <source>No output differs at all</source>
        <translation>没有任何输出有差异</translation>
    </message>
    <message>
        <source>Of the output that is furthest off</source>
        <translation>偏差最大的输出</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>✓ the same</source>
        <translation>✓ 相同</translation>
    </message>
    <message>
        <source>✗ %1 of %2 differ</source>
        <translation>✗ %2 个中有 %1 个不同</translation>
    </message>
    <message>
        <source>Time of a run</source>
        <translation>一次运行的时间</translation>
    </message>
    <message>
        <source>All variants run in turn, so that a busy machine slows all</source>
        <translation>所有变体轮流运行，使繁忙的机器对它们的影响相同</translation>
    </message>
    <message>
        <source>Memory of a process</source>
        <translation>进程的内存</translation>
    </message>
    <message>
        <source>Memory of a process that runs it, as the Memory page shows it</source>
        <translation>运行它的进程的内存，与“内存”页面所示相同</translation>
    </message>
    <message>
        <source>Weights as stored</source>
        <translation>存储的权重</translation>
    </message>
    <message>
        <source>Bytes of all constants in the file</source>
        <translation>文件中所有常量的字节数</translation>
    </message>
    <message>
        <source>Against the first</source>
        <translation>与第一个相比</translation>
    </message>
    <message>
        <source>Change of the time of a run against that of the first column</source>
        <translation>一次运行的时间相对于第一列的变化</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Outputs against those of the first column, by the tolerance of the guard</source>
        <translation>与第一列的输出相比，按校验的容差判断</translation>
    </message>
    <message>
        <source>SQNR</source>
        <translation>SQNR</translation>
    </message>
    <message>
        <source>Signal to noise of the outputs against those of the first column: 20 dB is visible, 30 good, 40 very good</source>
        <translation>输出相对于第一列的信噪比：20 dB 可察觉，30 良好，40 非常好</translation>
    </message>
    <message>
        <source>Answers changed</source>
        <translation>改变的答案</translation>
    </message>
    <message>
        <source>Rows of outputs whose largest element is another one than in the first column</source>
        <translation>最大元素与第一列不同的输出行</translation>
    </message>
    <message>
        <source>%1, held in %2</source>
        <translation>%1，以 %2 保存</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Nodes of the graph, those of subgraphs counted</source>
        <translation>图的节点数，包括子图中的节点</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Types of the constants by their share of the elements</source>
        <translation>常量的类型，按元素所占份额</translation>
    </message>
    <message>
        <source>No variant is faster than %1 beyond noise.</source>
        <translation>没有变体在噪声之外比 %1 更快。</translation>
    </message>
    <message>
        <source>%1 is the fastest: %2 × as fast as %3.</source>
        <translation>%1 最快：速度是 %3 的 %2 倍。</translation>
    </message>
    <message>
        <source>%1, the least</source>
        <translation>%1，最小</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>too few runs</source>
        <translation>运行次数太少</translation>
    </message>
    <message>
        <source>A difference is told from noise by at least %1 runs of each</source>
        <translation>每个至少运行 %1 次才能将差异与噪声区分开</translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>%1 GFLOP/s</source>
        <translation>%1 GFLOP/s</translation>
    </message>
    <message>
        <source>%1 GOP/s with int8</source>
        <translation>int8 %1 GOP/s</translation>
    </message>
    <message>
        <source>%1 GB/s from memory</source>
        <translation>内存 %1 GB/s</translation>
    </message>
    <message>
        <source>No kernel ran.</source>
        <translation>没有内核运行。</translation>
    </message>
    <message>
        <source>%1 of %2 goes to %3 %4</source>
        <translation>%2 中的 %1 用于 %3 个 %4</translation>
    </message>
    <message>
        <source>; it reaches %1 of this machine&apos;s peak</source>
        <translation>；达到此机器峰值的 %1</translation>
    </message>
    <message>
        <source>; they reach %1 of this machine&apos;s peak</source>
        <translation>；达到此机器峰值的 %1</translation>
    </message>
    <message>
        <source>%1 goes to %2</source>
        <translation>%1 用于 %2</translation>
    </message>
    <message>
        <source>the slowest node is %1 (%2)</source>
        <translation>最慢的节点是 %1 (%2)</translation>
    </message>
    <message>
        <source>Of the trace&apos;s kernels, %1 are nodes of the open model and %2 are not: see Unmatched.</source>
        <translation>跟踪中的内核有 %1 个对应打开的模型的节点，%2 个不对应：见“未匹配”。</translation>
    </message>
    <message>
        <source>%1 (threads: %2)</source>
        <translation>%1（线程：%2）</translation>
    </message>
    <message>
        <source>No kernel ran in the selected %1.</source>
        <translation>所选的 %1 内没有内核运行。</translation>
    </message>
    <message>
        <source>In the selected %1, %2 of the time in kernels goes to %3.</source>
        <translation>在所选的 %1 内，内核时间的 %2 用于 %3。</translation>
    </message>
    <message>
        <source>%1 of %2 nodes</source>
        <translation>%1 / %2 个节点</translation>
    </message>
    <message>
        <source>%1, %2 of the arithmetic, on %3</source>
        <translation>%1、%2 的运算量在 %3 上</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1，在 %2 上</translation>
    </message>
    <message>
        <source>%1; nothing is copied.</source>
        <translation>%1；没有复制。</translation>
    </message>
    <message>
        <source>%1; one copy costs %2.</source>
        <translation>%1；1 次复制耗时 %2。</translation>
    </message>
    <message>
        <source>%1; %2 copies cost %3.</source>
        <translation>%1；%2 次复制耗时 %3。</translation>
    </message>
    <message>
        <source>; it reaches %1 of the peak of %2</source>
        <translation>；达到 %2 峰值的 %1</translation>
    </message>
    <message>
        <source>; they reach %1 of the peak of %2</source>
        <translation>；达到 %2 峰值的 %1</translation>
    </message>
    <message>
        <source>%1 GOP/s with %2</source>
        <translation>%2 为 %1 GOP/s</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>What %1 costs is not known: the processor did not run the model (%2).</source>
        <translation>%1 的代价未知：处理器未能运行该模型（%2）。</translation>
    </message>
    <message>
        <source>%1 gives another %2 than float32 on the processor (%3)</source>
        <translation>%1 得到的 %2 与处理器上的 float32 不同（%3）</translation>
    </message>
    <message>
        <source>%1 gives NaN or infinities in %2 where float32 on the processor gives others</source>
        <translation>%1 在 %2 中给出 NaN 或无穷大，与处理器上的 float32 位置不同</translation>
    </message>
    <message>
        <source>%1 gives what float32 on the processor gives</source>
        <translation>%1 与处理器上的 float32 结果相同</translation>
    </message>
    <message>
        <source>%1 moves %2 by at most %3 of values up to %4, %5 dB SQNR against float32 on the processor</source>
        <translation>%1 使 %2 最多偏移 %3（数值最大 %4），相对处理器上的 float32 为 %5 dB SQNR</translation>
    </message>
    <message>
        <source>%1: %2 of %3 elements of outputs that are no floats differ</source>
        <translation>%1：非浮点输出的 %3 个元素中有 %2 个不同</translation>
    </message>
    <message numerus="yes">
        <source>✗ %1 of %n output(s) differ from what was recorded. %2: %3</source>
        <translation>
            <numerusform>✗ %n 个输出中有 %1 个与记录不同。%2：%3</numerusform>
        </translation>
    </message>
    <message>
        <source>Read from %1, which is of no run of the open model: none of its %2 kernels is one of the model&apos;s nodes. It stands here alone and is credited to nothing.</source>
        <translation>读自 %1，它不是已打开模型的任何一次运行：其 %2 个内核都不是该模型的节点。它在此单独显示，不归属任何模型。</translation>
    </message>
    <message>
        <source>the slowest node is %1 (%2; it was held up, another run took %3)</source>
        <translation>最慢的节点是 %1（%2；它被拖慢，另一次运行用了 %3）</translation>
    </message>
    <message>
        <source>no answer changed</source>
        <translation>没有答案改变</translation>
    </message>
    <message>
        <source>%1 of %2 answers changed</source>
        <translation>%2 个答案中 %1 个改变</translation>
    </message>
    <message>
        <source>Nothing was rounded: no product has a float32 weight large enough.</source>
        <translation>没有舍入任何内容：没有乘积带有足够大的 float32 权重。</translation>
    </message>
    <message>
        <source>%1 of %2 is session overhead, when no kernel runs; %3 goes to %4 %5</source>
        <translation>%2 中有 %1 是会话开销，期间没有内核运行；%3 用于 %4 个 %5</translation>
    </message>
    <message>
        <source>Nodes above the measured peak: %1. Their kernels compute less than is counted, as Winograd&apos;s method does, or something else had the processor while its peak was measured; the next start of Lapidary measures it anew.</source>
        <translation>超过实测峰值的节点：%1。它们的内核所做的计算少于计数（例如 Winograd 方法），或者测量峰值时处理器被其他程序占用；下次启动 Lapidary 时会重新测量。</translation>
    </message>
</context>
<context>
    <name>WhatIfPanel</name>
    <message>
        <source>no change</source>
        <translation>没有变化</translation>
    </message>
</context>
<context>
    <name>WhatsThis</name>
    <message>
        <source>Each page answers one question about the open model. All of them are of the same variant and the same sizes, which the toolbar names.</source>
        <translation>每个页面回答关于已打开模型的一个问题。所有页面都针对工具栏中所示的同一变体和同一尺寸。</translation>
    </message>
    <message>
        <source>The variant in force: runs, memory plans, sweeps and exports are of it. Its measured time stands beside its name; A and B are the two that Compare holds against each other.</source>
        <translation>当前生效的变体：运行、内存规划、参数扫描和导出都针对它。名称旁是测得的时间；A 和 B 是“比较”页面对照的两个变体。</translation>
    </message>
    <message>
        <source>Sizes that free dimensions such as batch and sequence have. Every figure of every page is of these.</source>
        <translation>batch、sequence 等自由维度的大小。每个页面的每个数字都基于它们。</translation>
    </message>
    <message>
        <source>Open a model, run it, stop what runs, save the recording, and what all pages are of.</source>
        <translation>打开模型、运行、停止正在运行的任务、保存记录，以及所有页面所针对的对象。</translation>
    </message>
    <message>
        <source>How unsteady this machine was during the last measurement. Small differences cannot be told from noise while it is high.</source>
        <translation>上次测量时这台机器的不稳定程度。数值高时，小差异无法与噪声区分。</translation>
    </message>
    <message>
        <source>How many things are odd about the open model or its newest run. Press it to read them.</source>
        <translation>已打开的模型或其最新运行有多少异常之处。按下即可查看。</translation>
    </message>
    <message>
        <source>The model as it was opened and what was made of it. The one with the tick is in force. Enter puts another one in force, A and B put it into a slot of Compare.</source>
        <translation>打开时的模型以及由它生成的变体。带勾的为当前生效。按回车使另一个生效，A 和 B 将其放入比较槽位。</translation>
    </message>
    <message>
        <source>What the chosen node, tensor or model is, where it came from, what it costs, and what passes did with it or why they did not.</source>
        <translation>所选节点、张量或模型是什么、从何而来、代价如何，以及各优化遍对它做了什么或为何没有处理。</translation>
    </message>
    <message>
        <source>What is wrong or odd about the model: faults, operators that cannot run, where it would not load.</source>
        <translation>模型有何错误或异常：故障、无法运行的算子、在何处无法加载。</translation>
    </message>
    <message>
        <source>What the program did and what went wrong, newest last.</source>
        <translation>程序做了什么以及哪里出错，最新的在最后。</translation>
    </message>
    <message>
        <source>What runs now and what ran, with the command that repeats it.</source>
        <translation>正在运行和已运行的任务，以及可重复它们的命令。</translation>
    </message>
    <message>
        <source>The way in: open something of yours, take the tour, or ask a question of a sample.</source>
        <translation>入口：打开自己的文件、参加导览，或就示例模型提问。</translation>
    </message>
    <message>
        <source>Three ways to begin: a model of your own, a minute&apos;s tour on a sample, or a profile that another program recorded.</source>
        <translation>三种开始方式：自己的模型、用示例进行一分钟导览，或其他程序记录的性能剖析。</translation>
    </message>
    <message>
        <source>A question, and the page that answers it, for the open model or for a small sample.</source>
        <translation>一个问题以及回答它的页面，针对已打开的模型或一个小示例。</translation>
    </message>
    <message>
        <source>Well-known architectures with random weights, built on this machine: good for trying things out and for timing, not for results.</source>
        <translation>在本机构建、带随机权重的知名架构：适合试用和计时，不适合看结果。</translation>
    </message>
    <message>
        <source>What you opened before, with a picture of its graph and what the last run found.</source>
        <translation>之前打开过的文件，附有图的缩略图和上次运行的结论。</translation>
    </message>
    <message>
        <source>The model as it computes: boxes are operators or groups of them, lines are tensors. A click chooses, a double click opens a group, arrow keys follow the tensors.</source>
        <translation>模型的计算过程：方框是算子或算子组，连线是张量。单击选择，双击打开组，方向键沿张量移动。</translation>
    </message>
    <message>
        <source>The same nodes as a table, in the order in which they run.</source>
        <translation>同样的节点，以表格形式按运行顺序列出。</translation>
    </message>
    <message>
        <source>What the colours of the boxes mean: the kind of operator, measured time, memory, the share of the machine&apos;s peak that is reached, and more.</source>
        <translation>方框颜色的含义：算子类别、测得的时间、内存、达到的机器峰值比例等。</translation>
    </message>
    <message>
        <source>How the graph is drawn: zoom, open and closed groups, constants, direction, colours, and marks on what is found.</source>
        <translation>图的绘制方式：缩放、打开和折叠的组、常量、方向、颜色，以及对查找结果的标记。</translation>
    </message>
    <message>
        <source>The four levels of optimization, as ONNX Runtime names them: how many nodes each leaves, its measured time with the 95 % interval, memory, and whether the guard found its results the same. Pressing one puts it in force.</source>
        <translation>四个优化级别（采用 ONNX Runtime 的名称）：各留下多少节点、测得的时间及 95 % 区间、内存，以及守卫是否确认结果相同。按下即生效。</translation>
    </message>
    <message>
        <source>Every pass of the level with how often it applied and almost did. Without its tick it is left out, which makes another variant.</source>
        <translation>该级别的每个优化遍及其应用次数和差点应用的次数。取消勾选则跳过它，从而生成另一个变体。</translation>
    </message>
    <message>
        <source>Every rewrite in its order, with where it was. Choosing one draws the graph after it.</source>
        <translation>按顺序列出每次改写及其位置。选择其中一个会绘制其后的图。</translation>
    </message>
    <message>
        <source>Places that a pass would have rewritten but for one condition, with that condition.</source>
        <translation>只差一个条件就会被某个优化遍改写的位置，以及该条件。</translation>
    </message>
    <message>
        <source>Runs the original and the variant on the same inputs and compares every output; where they differ it can find the rewrite that did it.</source>
        <translation>用相同输入运行原模型和变体并比较每个输出；若有差异，可找出造成差异的改写。</translation>
    </message>
    <message>
        <source>The graph before and after: dashed red with a minus went, green with a plus came.</source>
        <translation>前后的图：红色虚线带减号的已移除，绿色带加号的为新增。</translation>
    </message>
    <message>
        <source>One tick for each rewrite, coloured by the kind of pass. Move through them to see the graph grow shorter.</source>
        <translation>每次改写一个刻度，按优化遍类别着色。逐步移动可看到图逐渐变短。</translation>
    </message>
    <message>
        <source>How the change is drawn, and what to do with the variant: measure, prove, export it.</source>
        <translation>变化的绘制方式，以及对变体的操作：测量、验证、导出。</translation>
    </message>
    <message>
        <source>What quantizing is to reach: how many bits, whether accuracy or speed counts, and how long it may search.</source>
        <translation>量化的目标：多少位、注重精度还是速度、可以搜索多久。</translation>
    </message>
    <message>
        <source>Inputs that ranges are taken from and results are judged on. Real ones say much more than generated ones.</source>
        <translation>用于获取取值范围并评判结果的输入。真实样本比生成的更有说服力。</translation>
    </message>
    <message>
        <source>What was found: how much smaller and faster, and what it costs in accuracy.</source>
        <translation>结论：缩小和加速了多少，以及精度上的代价。</translation>
    </message>
    <message>
        <source>Ways to quantize, best first, each with its signal-to-noise ratio, changed answers, size and measured time.</source>
        <translation>各种量化方案，最佳的在前，附信噪比、改变的答案、大小和测得的时间。</translation>
    </message>
    <message>
        <source>Every node with whether it was quantized and why. A tick keeps it float.</source>
        <translation>每个节点是否被量化及其原因。勾选则保持浮点。</translation>
    </message>
    <message>
        <source>Accuracy against time or size. Points on the dashed line are not beaten in both by any other.</source>
        <translation>精度与时间或大小的关系。虚线上的点没有被其他点在两方面同时超过。</translation>
    </message>
    <message>
        <source>The signal-to-noise ratio layer by layer: where quantizing loses most.</source>
        <translation>逐层的信噪比：量化在哪里损失最大。</translation>
    </message>
    <message>
        <source>The range of values of each tensor over the samples, which decides its scale.</source>
        <translation>每个张量在样本上的取值范围，它决定缩放系数。</translation>
    </message>
    <message>
        <source>How the model is run: threads, how often, what is done first without recording, the seed of generated inputs, the device.</source>
        <translation>模型的运行方式：线程数、次数、先行不记录的预热、生成输入的种子、设备。</translation>
    </message>
    <message>
        <source>What the model is fed: generated values, or files of yours. Recorded outputs among them are compared with.</source>
        <translation>模型的输入：生成的值或您的文件。其中若有记录的输出，则与之比较。</translation>
    </message>
    <message>
        <source>Where the time goes, in one sentence, and the median of the runs with its 95 % interval.</source>
        <translation>一句话说明时间花在哪里，以及各次运行的中位数及其 95 % 区间。</translation>
    </message>
    <message>
        <source>Time by operator, those of a kind together. Session overhead is the time in which no kernel ran.</source>
        <translation>按算子汇总的时间。会话开销是没有内核运行的时间。</translation>
    </message>
    <message>
        <source>Time by node: what ran it, on which shapes, how much of the machine&apos;s peak it reached and what it is bound by.</source>
        <translation>按节点的时间：由什么内核运行、在何种形状上、达到机器峰值的比例以及受何限制。</translation>
    </message>
    <message>
        <source>The same times rolled back onto the nodes of the model as it was opened.</source>
        <translation>同样的时间，折算回打开时模型的节点上。</translation>
    </message>
    <message>
        <source>Time by the parts of the model, as their names nest: wide is slow.</source>
        <translation>按模型各部分（依名称嵌套）的时间：越宽越慢。</translation>
    </message>
    <message>
        <source>What came out: type, range and first values, and whether it is as recorded.</source>
        <translation>输出内容：类型、范围和前几个值，以及是否与记录一致。</translation>
    </message>
    <message>
        <source>The chosen output: its values, their distribution, the largest with their labels, a picture where it is one.</source>
        <translation>所选输出：其值、分布、带标签的最大值，若为图像则显示图像。</translation>
    </message>
    <message>
        <source>What a session does before and after runs: load, optimize, plan, pack weights, clean up.</source>
        <translation>会话在运行前后所做的事：加载、优化、规划、打包权重、清理。</translation>
    </message>
    <message>
        <source>What was held at each moment of a run.</source>
        <translation>运行中每一时刻占用的内存。</translation>
    </message>
    <message>
        <source>The recording over time, a row for each thread. The wheel zooms, dragging along the ruler selects a range, to which the figures of the page then refer.</source>
        <translation>随时间的记录，每个线程一行。滚轮缩放，沿标尺拖动选择一个范围，页面随之只谈该范围。</translation>
    </message>
    <message>
        <source>The slowest run beneath a typical one. Bands join the same kernel in both; marks stand where most time was lost.</source>
        <translation>最慢的一次运行置于典型运行之下。色带连接两者中的同一内核；标记处损失时间最多。</translation>
    </message>
    <message>
        <source>What is in use at each step, by its role. The marked step is the peak.</source>
        <translation>每一步使用的内存，按用途区分。标记的步骤为峰值。</translation>
    </message>
    <message>
        <source>Each tensor by address and step: how the plan lays them out.</source>
        <translation>每个张量的地址和步骤：规划如何摆放它们。</translation>
    </message>
    <message>
        <source>Switches and sizes to try: pictures and tables follow at once, nothing runs.</source>
        <translation>可尝试的开关和尺寸：图和表立即更新，无需运行。</translation>
    </message>
    <message>
        <source>From which step to which each tensor lives, and who keeps it.</source>
        <translation>每个张量从哪一步存活到哪一步，由谁保留。</translation>
    </message>
    <message>
        <source>What is tried: numbers of threads, batches, levels, and under More the options of a session.</source>
        <translation>要尝试的内容：线程数、批大小、级别，以及“更多”中的会话选项。</translation>
    </message>
    <message>
        <source>What to use, with reasons, or that the differences drown in noise.</source>
        <translation>建议采用什么及其理由，或说明差异被噪声淹没。</translation>
    </message>
    <message>
        <source>A cell for each setting: its figure, and whether it can be told apart from the best.</source>
        <translation>每个设置一个单元格：其数值，以及能否与最佳区分。</translation>
    </message>
    <message>
        <source>How the time falls as threads are added, against what it would at best.</source>
        <translation>线程增加时时间如何下降，与理想情况对比。</translation>
    </message>
    <message>
        <source>Which operators gain from more threads and which do not.</source>
        <translation>哪些算子受益于更多线程，哪些不受益。</translation>
    </message>
    <message>
        <source>All settings with their figures and intervals.</source>
        <translation>所有设置及其数值和区间。</translation>
    </message>
    <message>
        <source>A against B in six figures. Green with a triangle upward is better, red with one downward worse, whatever the sign.</source>
        <translation>A 与 B 的六项指标对比。绿色上三角为更好，红色下三角为更差，与正负号无关。</translation>
    </message>
    <message>
        <source>A waterfall from the time of A to that of B: who gained and who lost, what is within noise put together.</source>
        <translation>从 A 的时间到 B 的时间的瀑布图：谁变快谁变慢，噪声范围内的合并在一起。</translation>
    </message>
    <message>
        <source>Nodes of both, matched by the nodes of the model that they stand for.</source>
        <translation>两者的节点，按其所代表的原模型节点配对。</translation>
    </message>
    <message>
        <source>Every measured run of both: how far they overlap.</source>
        <translation>两者每次测量的运行：重叠程度如何。</translation>
    </message>
    <message>
        <source>Both graphs, panned and zoomed together.</source>
        <translation>两个图，同步平移和缩放。</translation>
    </message>
    <message>
        <source>A program that repeats the settings in ONNX Runtime.</source>
        <translation>在 ONNX Runtime 中重现这些设置的程序。</translation>
    </message>
    <message>
        <source>What is worth doing with this model, from what is known of it. The button below starts it.</source>
        <translation>根据已知信息，对该模型值得做的事。下方按钮可开始执行。</translation>
    </message>
    <message>
        <source>Runs whose figures the project keeps.</source>
        <translation>项目保留其数据的运行。</translation>
    </message>
    <message>
        <source>Many callers at the same time: how many requests are answered and how soon, put together by the batcher and one by one.</source>
        <translation>许多调用者同时请求：由合批器合并和逐个处理时，能回答多少请求、多快。</translation>
    </message>
    <message>
        <source>From A as a whole to B as a whole by the parts of the model: times of fused nodes are rolled back, and what is within noise is one bar.</source>
        <translation>按模型部分从 A 整体到 B 整体：融合节点的时间已折算，噪声范围内的合为一条。</translation>
    </message>
    <message>
        <source>A typical run of A over one of B: bands join kernels that stand for the same nodes of the model.</source>
        <translation>A 的典型运行置于 B 的之上：色带连接代表模型中相同节点的内核。</translation>
    </message>
    <message>
        <source>The Graph page: what the model computes and where data goes.</source>
        <translation>“图”页面：模型计算什么，数据流向何处。</translation>
    </message>
    <message>
        <source>The Optimize page: what passes do to the model, level by level.</source>
        <translation>“优化”页面：各级别的优化遍对模型做了什么。</translation>
    </message>
    <message>
        <source>The Quantize page: the model in fewer bits, and what that costs.</source>
        <translation>“量化”页面：用更少的位表示模型及其代价。</translation>
    </message>
    <message>
        <source>The Run page: a profiled run and where its time goes.</source>
        <translation>“运行”页面：一次性能剖析及时间去向。</translation>
    </message>
    <message>
        <source>The Memory page: what a run holds, step by step.</source>
        <translation>“内存”页面：运行中每一步占用的内存。</translation>
    </message>
    <message>
        <source>The Tune page: which settings are fastest on this machine.</source>
        <translation>“调优”页面：在本机上哪些设置最快。</translation>
    </message>
    <message>
        <source>The Compare page: A against B, measured in turn.</source>
        <translation>“比较”页面：A 与 B 交替测量。</translation>
    </message>
    <message>
        <source>The Checklist page: what is worth doing with this model.</source>
        <translation>“检查表”页面：对该模型值得做的事。</translation>
    </message>
    <message>
        <source>What is odd, what happened, and what runs.</source>
        <translation>有何异常、发生过什么、正在运行什么。</translation>
    </message>
    <message>
        <source>What holds for every model, from one start to the next.</source>
        <translation>对每个模型都有效、在各次启动间保留的设置。</translation>
    </message>
    <message>
        <source>Writes the variant in force for those who are to run it.</source>
        <translation>为将要运行它的人写出当前生效的变体。</translation>
    </message>
    <message>
        <source>Writes the model changed as chosen, after telling what changes.</source>
        <translation>先说明变化，再按所选写出修改后的模型。</translation>
    </message>
    <message>
        <source>Each node under the roofs of this machine, or of the device that ran it: at the slope it waits for memory, at the flat roof it computes as fast as it can. The larger the dot, the more time.</source>
        <translation>每个节点在本机或运行它的设备的屋顶线下的位置：在斜线处等待内存，在平顶处以最快速度计算。点越大，用时越多。</translation>
    </message>
    <message>
        <source>A Python program that quantizes this model with ONNX Runtime&apos;s own tools. Its first lines say what they do differently.</source>
        <translation>用 ONNX Runtime 自带工具量化此模型的 Python 程序。开头几行说明这些工具的不同之处。</translation>
    </message>
    <message>
        <source>What a process that runs the model takes and what that is made of; then the activations: how much is planned, where the peak is, what is alive there, what is held and what was measured.</source>
        <translation>运行模型的进程占用多少内存、由什么组成；然后是激活：规划了多少、峰值在哪里、那里有哪些存活、占用了多少、实测多少。</translation>
    </message>
    <message>
        <source>The Generate page: how fast a language model talks, and why.</source>
        <translation>“生成”页：语言模型说话有多快，以及原因。</translation>
    </message>
    <message>
        <source>What tokens are generated from, how many, with which variants, and how each is chosen.</source>
        <translation>由什么生成词元、生成多少、用哪些变体，以及每个词元如何选取。</translation>
    </message>
    <message>
        <source>How fast tokens come, and what in the newest recorded one stands out.</source>
        <translation>词元出现得多快，以及最近记录的词元中哪部分最突出。</translation>
    </message>
    <message>
        <source>The prompt and the tokens behind it as they come. Those for which B would have chosen another are underlined.</source>
        <translation>提示及其后陆续出现的词元。带下划线的是 B 会另选的词元。</translation>
    </message>
    <message>
        <source>The time of each token, what it is made of, the memory that is held, and the variants side by side, over the tokens of context.</source>
        <translation>随上下文词元数变化的每个词元时间、其构成、占用的内存，以及并列的变体。</translation>
    </message>
    <message>
        <source>Both variants on the same tokens: A chooses them. Changed tokens are those for which B would have chosen another; the divergence is that of its logits, in nats.</source>
        <translation>两个变体处理相同的词元：由 A 选取。改变的词元是 B 会另选的词元；散度是其 logits 的散度，单位为奈特。</translation>
    </message>
    <message>
        <source>Outputs of both on the same inputs, by the rule of the guard. Enter on one that differs finds where it starts to.</source>
        <translation>两者在相同输入下的输出，按守卫的规则比较。在有差异的输出上按回车可查找差异起点。</translation>
    </message>
    <message>
        <source>The first node that makes another output of the same inputs, what differs about it, and how large the difference is along the graph.</source>
        <translation>第一个在相同输入下得出不同输出的节点、它有何不同，以及沿图的差异大小。</translation>
    </message>
    <message>
        <source>Two engines, or two releases of one, on the opened model: the nodes in which B is slower or faster. Enter on one shows it in the graph.</source>
        <translation>已打开的模型在两个引擎或同一引擎的两个版本上：B 较慢或较快的节点。按回车键可在计算图中显示。</translation>
    </message>
    <message>
        <source>The variant in force on two machines: this computer and a target, or two targets, measured one after the other.</source>
        <translation>当前变体在两台机器上的表现：本机与一个目标，或两个目标，依次测量。</translation>
    </message>
    <message>
        <source>Other computers that ssh reaches, on which models are run and measured: what each is, or why it cannot be reached.</source>
        <translation>可通过 ssh 连接、用于运行和测量模型的其他计算机：各自的信息，或无法连接的原因。</translation>
    </message>
    <message>
        <source>Each setting as a point, latency against throughput, with the line of those that no other beats and the latency cap. Beneath it the program for ONNX Runtime with the recommended setting.</source>
        <translation>每个设置是一个点，表示延迟与吞吐量，并画出没有其他设置胜过的那些点的连线和延迟上限。下方是采用推荐设置的 ONNX Runtime 程序。</translation>
    </message>
    <message>
        <source>Two to eight variants side by side: time, memory, size, accuracy, nodes and precision. A double click in a column, or In detail, takes it and the first one for A and B.</source>
        <translation>两到八个变体并排：时间、内存、大小、精确度、节点和精度。双击某一列，或使用“详情”，会将它和第一列作为 A 和 B。</translation>
    </message>
    <message>
        <source>Recipes from the smallest to the most accurate. Each step to the right costs bytes and takes noise away.</source>
        <translation>从最小到最精确的配方。每向右一步，占用更多字节，噪声更少。</translation>
    </message>
    <message>
        <source>Searches the timeline for nodes and operators: how often they ran, and the way from one to the next. All else is drawn pale.</source>
        <translation>在时间线中查找节点和算子：它们运行了多少次，以及如何从一个转到下一个。其他内容以浅色绘制。</translation>
    </message>
    <message>
        <source>The recorded runs, as tall as they took long: the typical and the slowest one are coloured. A click or the arrow keys show one in the timeline, Enter the slowest.</source>
        <translation>记录的各次运行，高度表示耗时：典型运行和最慢运行以颜色标出。单击或使用方向键在时间线中显示一次运行，回车显示最慢的一次。</translation>
    </message>
    <message>
        <source>Over the time of the timeline: how many threads work, how many bytes of activations are alive, and how much kernels read and write.</source>
        <translation>在时间线的时间范围内：有多少线程在工作、有多少字节的激活存活，以及内核读写了多少数据。</translation>
    </message>
    <message>
        <source>What would shorten the largest rows above, by how much at most, with a link that begins with it.</source>
        <translation>怎样缩短上方最大的几行、最多缩短多少，并附有开始操作的链接。</translation>
    </message>
    <message>
        <source>Every rewrite in its order with the nodes before and after it: dashed with a minus went, with a plus came, with a tilde was changed; pale ones are neighbours. Choosing one draws it in the graph.</source>
        <translation>按顺序列出每次改写及其前后的节点：虚线带减号的被移除，带加号的为新增，带波浪号的被修改；浅色的是相邻节点。选择一项即在图中绘出。</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Checklist</name>
    <message>
        <source>Look for advice</source>
        <translation>查找建议</translation>
    </message>
    <message>
        <source>Look at the export of %1</source>
        <translation>查看 %1 的导出</translation>
    </message>
    <message>
        <source>Plan the memory of %1</source>
        <translation>规划 %1 的内存</translation>
    </message>
    <message>
        <source>level %1</source>
        <translation>%1 级别</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Comparison</name>
    <message>
        <source>Measuring</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Profiling A</source>
        <translation>分析 A</translation>
    </message>
    <message>
        <source>Profiling B</source>
        <translation>分析 B</translation>
    </message>
    <message>
        <source>Comparing the outputs</source>
        <translation>比较输出</translation>
    </message>
    <message>
        <source>Compare %1 with %2</source>
        <translation>将 %1 与 %2 比较</translation>
    </message>
    <message>
        <source>The comparison is not complete. %1</source>
        <translation>比较不完整。%1</translation>
    </message>
    <message>
        <source>The comparison was cancelled; what was found out is kept.</source>
        <translation>比较已取消；已得到的结果予以保留。</translation>
    </message>
    <message>
        <source>The comparison failed: %1</source>
        <translation>比较失败：%1</translation>
    </message>
</context>
<context>
    <name>lapidary::app::DifferenceSearch</name>
    <message>
        <source>Find where %1 differs from %2</source>
        <translation>查找 %1 与 %2 的差异从何处开始</translation>
    </message>
</context>
<context>
    <name>lapidary::app::EngineBeside</name>
    <message>
        <source>Measure ONNX Runtime beside it</source>
        <translation>同时测量 ONNX Runtime</translation>
    </message>
</context>
<context>
    <name>lapidary::app::ExportedFiles</name>
    <message>
        <source>Export %1</source>
        <translation>导出 %1</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Generating</name>
    <message>
        <source>Generate with %1</source>
        <translation>用 %1 生成</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>It ended early: %1</source>
        <translation>提前结束：%1</translation>
    </message>
</context>
<context>
    <name>lapidary::app::GivenData</name>
    <message>
        <source>Look at the inputs</source>
        <translation>查看输入</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Job</name>
    <message>
        <source>starting</source>
        <translation>正在开始</translation>
    </message>
</context>
<context>
    <name>lapidary::app::LevelTimes</name>
    <message>
        <source>Measure the levels of %1</source>
        <translation>测量 %1 的各级</translation>
    </message>
</context>
<context>
    <name>lapidary::app::LevelTrial</name>
    <message>
        <source>Look how long %1 runs</source>
        <translation>看看 %1 运行多久</translation>
    </message>
    <message>
        <source>Compare %1 with the original</source>
        <translation>将 %1 与原始模型比较</translation>
    </message>
</context>
<context>
    <name>lapidary::app::MachineComparison</name>
    <message>
        <source>this computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Compare two machines</source>
        <translation>比较两台机器</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Machines</name>
    <message>
        <source>This target is in the list already.</source>
        <translation>该目标已在列表中。</translation>
    </message>
    <message>
        <source>The list has %1 targets, which is the most.</source>
        <translation>列表中已有 %1 个目标，已达上限。</translation>
    </message>
    <message>
        <source>Test %1</source>
        <translation>测试 %1</translation>
    </message>
    <message>
        <source>Type user@host or user@host:folder, with letters, digits and . _ - +. A folder may begin with ~/ and has no “..”.</source>
        <translation>请输入 用户@主机 或 用户@主机:文件夹，只用字母、数字和 . _ - +。文件夹可以用 ~/ 开头，不能含“..”。</translation>
    </message>
</context>
<context>
    <name>lapidary::app::MeasuredDecoders</name>
    <message numerus="yes">
        <source>Measure %n decoder(s)</source>
        <translation>
            <numerusform>测量 %n 个解码器</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>It ended early: %1</source>
        <translation>提前结束：%1</translation>
    </message>
</context>
<context>
    <name>lapidary::app::ModelOpener</name>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Opening %1 was cancelled.</source>
        <translation>已取消打开 %1。</translation>
    </message>
    <message>
        <source>Could not open %1: %2</source>
        <translation>无法打开 %1：%2</translation>
    </message>
</context>
<context>
    <name>lapidary::app::OpenedModel</name>
    <message numerus="yes">
        <source>Opened %1: %n node(s).</source>
        <translation>
            <numerusform>已打开 %1：%n 个节点。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message numerus="yes">
        <source>Showing %1: %n node(s).</source>
        <translation>
            <numerusform>正在显示 %1：%n 个节点。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::app::PlannedMemory</name>
    <message>
        <source>Plan the memory of %1</source>
        <translation>规划 %1 的内存</translation>
    </message>
</context>
<context>
    <name>lapidary::app::PluginList</name>
    <message>
        <source>Look for plugins and engines</source>
        <translation>查找插件和引擎</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Project</name>
    <message>
        <source>%1 could not be made: %2</source>
        <translation>无法生成 %1：%2</translation>
    </message>
    <message>
        <source>compare %1 as A</source>
        <translation>将 %1 作为 A 比较</translation>
    </message>
    <message>
        <source>compare %1 as B</source>
        <translation>将 %1 作为 B 比较</translation>
    </message>
    <message>
        <source>remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>edit the notes</source>
        <translation>编辑备注</translation>
    </message>
    <message>
        <source>its bytes are not those that it had when the project was saved (SHA-256 %1… instead of %2…)</source>
        <translation>其内容与保存项目时不同 (SHA-256 为 %1…，原为 %2…)</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Could not open %1: %2</source>
        <translation>无法打开 %1：%2</translation>
    </message>
    <message>
        <source>Look for %1</source>
        <translation>查找 %1</translation>
    </message>
    <message>
        <source>The weights kept beside the model have %1 bytes now and had %2 when the project was saved.</source>
        <translation>模型旁边的权重现在为 %1 字节，保存项目时为 %2 字节。</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>保存 %1</translation>
    </message>
    <message>
        <source>Saved the project %1.</source>
        <translation>已保存项目 %1。</translation>
    </message>
    <message>
        <source>it was cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Could not save %1: %2</source>
        <translation>无法保存 %1：%2</translation>
    </message>
    <message>
        <source>swap A and B</source>
        <translation>交换 A 与 B</translation>
    </message>
    <message>
        <source>Check %1</source>
        <translation>检查 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Quantizing</name>
    <message>
        <source>Look at the samples</source>
        <translation>查看样本</translation>
    </message>
    <message>
        <source>Quantize %1</source>
        <translation>量化 %1</translation>
    </message>
    <message>
        <source>Quantize %1 again</source>
        <translation>再次量化 %1</translation>
    </message>
    <message>
        <source>Stopped; the best so far is kept.</source>
        <translation>已停止；保留目前最佳者。</translation>
    </message>
    <message>
        <source>Stopped before the first recipe was tried.</source>
        <translation>在尝试第一个配方之前已停止。</translation>
    </message>
    <message>
        <source>The search ended early, the best so far is kept: %1</source>
        <translation>搜索提前结束，保留目前最佳者：%1</translation>
    </message>
    <message>
        <source>Rank the nodes of %1</source>
        <translation>对 %1 的节点排序</translation>
    </message>
    <message>
        <source>Put the edited model without quantization in force first: it is what is quantized.</source>
        <translation>请先启用未量化的编辑后模型：量化的就是它。</translation>
    </message>
</context>
<context>
    <name>lapidary::app::ServingCurve</name>
    <message>
        <source>Only models of files and samples can be measured in another process.</source>
        <translation>只有来自文件的模型和示例可在其他进程中测量。</translation>
    </message>
    <message>
        <source>Only the four levels can be measured so: this variant is made in another way.</source>
        <translation>只有四个级别可以这样测量：该变体以其他方式生成。</translation>
    </message>
    <message>
        <source>Measure callers at the same time</source>
        <translation>测量并发调用者</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Tuning</name>
    <message>
        <source>%1 could not be made: %2</source>
        <translation>无法生成 %1：%2</translation>
    </message>
    <message>
        <source>Some settings could not be measured: %1</source>
        <translation>有些设置无法测量：%1</translation>
    </message>
    <message>
        <source>The budget of %1 s is used up; %2 settings were left out. Press Start to go on with them.</source>
        <translation>%1 s 的预算已用完；%2 种设置未测。按“开始”继续。</translation>
    </message>
    <message>
        <source>Tune %1</source>
        <translation>调优 %1</translation>
    </message>
    <message>
        <source>Measure at least two settings first.</source>
        <translation>请先测量至少两种设置。</translation>
    </message>
    <message>
        <source>Verify the best %1 settings of %2</source>
        <translation>复核 %2 的最佳 %1 种设置</translation>
    </message>
    <message>
        <source>Cancelled; what was measured is kept.</source>
        <translation>已取消；已测结果保留。</translation>
    </message>
    <message>
        <source>with generated inputs</source>
        <translation>使用生成的输入</translation>
    </message>
    <message>
        <source>Tell the best %1 settings of %2 apart</source>
        <translation>区分 %2 的最佳 %1 个设置</translation>
    </message>
</context>
<context>
    <name>lapidary::app::VariantComparison</name>
    <message>
        <source>Compare %1 variants</source>
        <translation>比较 %1 个变体</translation>
    </message>
</context>
<context>
    <name>lapidary::app::VariantStore</name>
    <message>
        <source>Optimize: %1</source>
        <translation>优化：%1</translation>
    </message>
    <message>
        <source>Look at the model</source>
        <translation>查看模型</translation>
    </message>
</context>
<context>
    <name>lapidary::app::Workbench</name>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Could not open %1: %2</source>
        <translation>无法打开 %1：%2</translation>
    </message>
    <message>
        <source>Ran %1: %2 ms.</source>
        <translation>已运行 %1：%2 ms。</translation>
    </message>
    <message>
        <source>The run was cancelled.</source>
        <translation>运行已取消。</translation>
    </message>
    <message>
        <source>The run was cancelled: %1 of %2 runs are kept.</source>
        <translation>运行已取消：保留 %2 次运行中的 %1 次。</translation>
    </message>
    <message>
        <source>The run failed: %1</source>
        <translation>运行失败：%1</translation>
    </message>
    <message>
        <source>Opened the trace %1.</source>
        <translation>已打开跟踪 %1。</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>保存 %1</translation>
    </message>
    <message>
        <source>Saved the trace %1.</source>
        <translation>已保存跟踪 %1。</translation>
    </message>
    <message>
        <source>Could not save %1: %2</source>
        <translation>无法保存 %1：%2</translation>
    </message>
    <message>
        <source>Models run in this program, which a crash of theirs would end: %1.</source>
        <translation>模型在本程序内运行，其崩溃会使程序退出：%1。</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>Recorded by ONNX Runtime.</source>
        <translation>由 ONNX Runtime 记录。</translation>
    </message>
    <message>
        <source>Run %1 · %2</source>
        <translation>运行 %1 · %2</translation>
    </message>
</context>
<context>
    <name>lapidary::app::WorkerLink</name>
    <message>
        <source>The worker ended (%1) while opening %2</source>
        <translation>工作进程在打开“%2”时退出 (%1)</translation>
    </message>
    <message>
        <source>The worker ended (%1)</source>
        <translation>工作进程已退出 (%1)</translation>
    </message>
    <message>
        <source>The worker ended (%1) while running %2</source>
        <translation>工作进程在执行“%2”时退出 (%1)</translation>
    </message>
    <message>
        <source>It was started again. What is open and what was measured before is all there.</source>
        <translation>已重新启动。打开的内容和先前的测量结果都在。</translation>
    </message>
    <message>
        <source>It did not get ready; the next run tries to start it again.</source>
        <translation>它未能就绪；下次运行会再次尝试启动。</translation>
    </message>
    <message>
        <source>Its last words: %1</source>
        <translation>最后的输出：%1</translation>
    </message>
    <message>
        <source>the settings say so</source>
        <translation>设置如此规定</translation>
    </message>
    <message>
        <source>The worker hangs</source>
        <translation>工作进程没有响应</translation>
    </message>
    <message>
        <source>The worker hangs while running %1</source>
        <translation>工作进程在运行 %1 时没有响应</translation>
    </message>
    <message>
        <source>Nothing was heard of it for some seconds: it was stopped, or the machine is overloaded. When it is ended, what it was running is lost; what is open and what was measured before stays.</source>
        <translation>数秒内没有收到它的任何消息：它被暂停，或者机器过载。结束它会丢失正在运行的内容；已打开的内容和之前的测量结果会保留。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::AboutDialog</name>
    <message>
        <source>About Lapidary</source>
        <translation>关于 Lapidary</translation>
    </message>
    <message>
        <source>Lapidary %1</source>
        <translation>Lapidary %1</translation>
    </message>
    <message>
        <source>A workbench for ONNX models: look, run, measure, explain.</source>
        <translation>ONNX 模型工作台：查看、运行、测量、解释。</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>This window program is free software under the GNU General Public License, version 3 or later; it comes without any warranty.</source>
        <translation>本窗口程序是依据 GNU 通用公共许可证第 3 版或更新版本发布的自由软件，不提供任何担保。</translation>
    </message>
    <message>
        <source>The engine (lapidary_core) and lapidary-cli are under the Apache License 2.0.</source>
        <translation>引擎 (lapidary_core) 和 lapidary-cli 采用 Apache License 2.0。</translation>
    </message>
    <message>
        <source>Made with</source>
        <translation>构建所用</translation>
    </message>
</context>
<context>
    <name>lapidary::views::AccuracySlider</name>
    <message>
        <source>Use this recipe</source>
        <translation>使用此配方</translation>
    </message>
    <message>
        <source>From the smallest recipe to the most accurate</source>
        <translation>从最小的配方到最精确的配方</translation>
    </message>
    <message>
        <source>Recipes that were tried, from the smallest to the most accurate. Those that another one beats in size and SQNR are left out.</source>
        <translation>已尝试的配方，从最小到最精确。在大小和 SQNR 上都不如其他配方的不列出。</translation>
    </message>
    <message>
        <source>Make the chosen recipe the result</source>
        <translation>将所选配方作为结果</translation>
    </message>
    <message>
        <source>smallest</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>most accurate</source>
        <translation>最精确</translation>
    </message>
    <message>
        <source>not on the slider, where a recipe as small has at least this SQNR</source>
        <translation>不在滑块上：滑块上有同样小且 SQNR 不低于它的配方</translation>
    </message>
</context>
<context>
    <name>lapidary::views::AttributeFields</name>
    <message>
        <source>Name a node to see its attributes.</source>
        <translation>请指定一个节点以查看其属性。</translation>
    </message>
    <message>
        <source>%1 has no attributes.</source>
        <translation>%1 没有属性。</translation>
    </message>
    <message>
        <source>%1, opset %2. An emptied field removes the attribute, which then has its default.</source>
        <translation>%1，opset %2。清空的字段会移除该属性，此后使用默认值。</translation>
    </message>
    <message>
        <source>nodes of one operator</source>
        <translation>同一算子的节点</translation>
    </message>
    <message>
        <source>Attributes are set for nodes of one operator.</source>
        <translation>只能为同一算子的节点设置属性。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::AttributeTable</name>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>needed</source>
        <translation>必需</translation>
    </message>
    <message>
        <source>Value of %1</source>
        <translation>%1 的值</translation>
    </message>
    <message>
        <source>value or number</source>
        <translation>值或数字</translation>
    </message>
    <message>
        <source>not as text</source>
        <translation>无法用文本表示</translation>
    </message>
    <message>
        <source>a whole number is expected</source>
        <translation>应为整数</translation>
    </message>
    <message>
        <source>a number is expected</source>
        <translation>应为数字</translation>
    </message>
    <message>
        <source>whole numbers with commas between them are expected</source>
        <translation>应为以逗号分隔的整数</translation>
    </message>
    <message>
        <source>numbers with commas between them are expected</source>
        <translation>应为以逗号分隔的数字</translation>
    </message>
    <message>
        <source>different values</source>
        <translation>值不同</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
</context>
<context>
    <name>lapidary::views::BisectBar</name>
    <message>
        <source>Optimizes again and again, stopping after fewer rewrites, until one is left: right before it all outputs agree, right after it one does not</source>
        <translation>反复优化，每次提前停在更少的改写处，直到只剩一处：在它之前所有输出一致，在它之后有输出不一致</translation>
    </message>
    <message>
        <source>Find the rewrite of %1 that moves an output</source>
        <translation>查找 %1 中改变输出的改写</translation>
    </message>
    <message>
        <source>The search was cancelled.</source>
        <translation>查找已取消。</translation>
    </message>
    <message>
        <source>The search failed: %1</source>
        <translation>查找失败：%1</translation>
    </message>
    <message>
        <source>Searching: %1 …</source>
        <translation>正在查找：%1……</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Find the rewrite</source>
        <translation>查找改写</translation>
    </message>
    <message>
        <source>Searching …</source>
        <translation>正在查找……</translation>
    </message>
    <message>
        <source>The outputs differ, but no single rewrite was found after which they begin to: the result is not the same each time.</source>
        <translation>输出不一致，但没有找到使其开始不一致的单个改写：结果并非每次都相同。</translation>
    </message>
    <message numerus="yes">
        <source>✓ Of %n rewrite(s) none moves an output beyond the tolerance.</source>
        <translation>
            <numerusform>✓ %n 处改写均未使输出超出容差。</numerusform>
        </translation>
    </message>
    <message>
        <source>Go to step %1</source>
        <translation>转到第 %1 步</translation>
    </message>
    <message>
        <source>✕ Rewrite %1 of %2, by %3: %4.</source>
        <translation>✕ 第 %1 处改写（共 %2 处），来自 %3：%4。</translation>
    </message>
    <message>
        <source>The model right after it does not run: %1</source>
        <translation>紧随其后的模型无法运行：%1</translation>
    </message>
    <message>
        <source>Right after it output %1 is off by up to %2; right before it all outputs agree (%3 models compared).</source>
        <translation>在它之后，输出 %1 最多偏差 %2；在它之前所有输出一致（比较了 %3 个模型）。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CellTable</name>
    <message>
        <source>queued, %1</source>
        <translation>已排队，%1</translation>
    </message>
    <message>
        <source>not measured, %1</source>
        <translation>未测量，%1</translation>
    </message>
    <message>
        <source>measuring …</source>
        <translation>正在测量……</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>left out: %1</source>
        <translation>已略过：%1</translation>
    </message>
    <message>
        <source>recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>All settings</source>
        <translation>所有设置</translation>
    </message>
    <message>
        <source>as fast as the recommended</source>
        <translation>与推荐设置一样快</translation>
    </message>
    <message>
        <source>cannot be told apart from the recommended</source>
        <translation>无法与推荐设置区分</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ChangeModel</name>
    <message>
        <source>step %1, %2</source>
        <translation>第 %1 步，%2</translation>
    </message>
    <message>
        <source>Rule and what it did</source>
        <translation>规则及其作用</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ChangePanel</name>
    <message>
        <source>Rewrites by rule</source>
        <translation>按规则列出的改写</translation>
    </message>
    <message>
        <source>This is the model as it was opened. Choose a level above to see what it changes.</source>
        <translation>这是打开时的模型。在上方选择一个级别，查看它会改变什么。</translation>
    </message>
    <message>
        <source>Nothing to optimize: 0 of %1 passes match.</source>
        <translation>无可优化：%1 个优化遍中有 0 个匹配。</translation>
    </message>
    <message>
        <source>None came near either: the model holds no pattern they look for.</source>
        <translation>也没有接近匹配的：模型中没有它们要找的模式。</translation>
    </message>
    <message numerus="yes">
        <source>%n came near; the tab Near misses says what each lacked.</source>
        <translation>
            <numerusform>有 %n 个接近匹配；“近似命中”页说明各自缺少什么。</numerusform>
        </translation>
    </message>
    <message>
        <source>Pict&amp;ures</source>
        <translation>图示(&amp;U)</translation>
    </message>
    <message>
        <source>Every rewrite in its order, with the nodes around it before and after</source>
        <translation>按顺序列出每次改写，以及其前后的相关节点</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CheckLabel</name>
    <message>
        <source>Outputs against recorded ones</source>
        <translation>输出与记录对比</translation>
    </message>
    <message numerus="yes">
        <source>✗ %n output(s) differ from what was recorded</source>
        <translation>
            <numerusform>✗ %n 个输出与记录不同</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::ChecklistPage</name>
    <message>
        <source>● Worth doing</source>
        <translation>● 值得做</translation>
    </message>
    <message>
        <source>? Not known yet</source>
        <translation>? 尚不清楚</translation>
    </message>
    <message>
        <source>✓ Done</source>
        <translation>✓ 已完成</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检查项</translation>
    </message>
    <message>
        <source>Looking at the model …</source>
        <translation>正在查看模型……</translation>
    </message>
    <message>
        <source>&amp;Runs kept</source>
        <translation>保存的运行(&amp;R)</translation>
    </message>
    <message>
        <source>N&amp;otes</source>
        <translation>备注(&amp;O)</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>How</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>About the chosen check</source>
        <translation>关于所选检查项</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开模型</translation>
    </message>
    <message>
        <source>Open an ONNX model to see what is worth doing with it: what was tried, what was not, and what it may gain.</source>
        <translation>打开 ONNX 模型，看看值得做什么：哪些试过、哪些没有、能带来多少收益。</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>打开……</translation>
    </message>
    <message>
        <source>%1 worth doing</source>
        <translation>值得做 %1</translation>
    </message>
    <message>
        <source>%1 not known yet</source>
        <translation>尚不清楚 %1</translation>
    </message>
    <message>
        <source>%1 done</source>
        <translation>已完成 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) worth doing</source>
        <translation>
            <numerusform>有 %n 件事值得做</numerusform>
        </translation>
    </message>
    <message>
        <source>%1
Expected gain: %2</source>
        <translation>%1
预期收益：%2</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>fix the sizes of free dimensions</source>
        <translation>固定自由维度的大小</translation>
    </message>
    <message>
        <source>Compare %1 with the original</source>
        <translation>将 %1 与原始模型比较</translation>
    </message>
    <message>
        <source>The comparison was cancelled.</source>
        <translation>比较已取消。</translation>
    </message>
    <message>
        <source>The original does not run: %1</source>
        <translation>原始模型无法运行：%1</translation>
    </message>
    <message>
        <source>The chosen check, and what the project keeps</source>
        <translation>所选检查，以及项目保存的内容</translation>
    </message>
    <message>
        <source>&amp;Why and how</source>
        <translation>原因与做法(&amp;W)</translation>
    </message>
    <message>
        <source>– Gains nothing</source>
        <translation>– 没有收益</translation>
    </message>
    <message>
        <source>Export: %1</source>
        <translation>导出：%1</translation>
    </message>
    <message>
        <source>Show what gains &amp;nothing</source>
        <translation>显示没有收益的项(&amp;N)</translation>
    </message>
    <message>
        <source>Lists the checks that do not concern this model or gain nothing, each with the reason</source>
        <translation>列出与此模型无关或没有收益的检查项，各附原因</translation>
    </message>
    <message>
        <source>%1 gain nothing</source>
        <translation>%1 项没有收益</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1
It brought: %2</source>
        <translation>%1
带来的效果：%2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ChoiceChips</name>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Type numbers from %1 to %2 and press Enter</source>
        <translation>输入 %1 到 %2 的数字并按回车</translation>
    </message>
    <message>
        <source>%1: other values</source>
        <translation>%1：其他取值</translation>
    </message>
    <message>
        <source>%1: expected whole numbers from %2 to %3, found &quot;%4&quot;</source>
        <translation>%1：应为 %2 到 %3 的整数，实际为“%4”</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CoachMark</name>
    <message>
        <source>End the tour</source>
        <translation>结束导览</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>导览</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CodePanel</name>
    <message>
        <source>The file is the &amp;exported variant</source>
        <translation>文件是导出的变体(&amp;E)</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Whose settings the code repeats</source>
        <translation>代码重现哪一方的设置</translation>
    </message>
    <message>
        <source>Settings of A</source>
        <translation>A 的设置</translation>
    </message>
    <message>
        <source>Settings of B</source>
        <translation>B 的设置</translation>
    </message>
    <message>
        <source>Programming language</source>
        <translation>编程语言</translation>
    </message>
    <message>
        <source>Version of ONNX Runtime</source>
        <translation>ONNX Runtime 版本</translation>
    </message>
    <message>
        <source>Names and values fit this version of ONNX Runtime</source>
        <translation>名称和取值适合此版本的 ONNX Runtime</translation>
    </message>
    <message>
        <source>ONNX Runtime %1</source>
        <translation>ONNX Runtime %1</translation>
    </message>
    <message>
        <source>Off: ONNX Runtime optimizes the model that was opened, at the variant&apos;s level. On: it loads the variant exported by Lapidary and optimizes no further.</source>
        <translation>关闭：由 ONNX Runtime 按该变体的级别优化所打开的模型。开启：加载 Lapidary 导出的变体，不再优化。</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Choose a variant first.</source>
        <translation>请先选择变体。</translation>
    </message>
    <message>
        <source>&amp;Write its optimized model</source>
        <translation>写出优化后的模型(&amp;W)</translation>
    </message>
    <message>
        <source>Write a &amp;profile</source>
        <translation>写出性能分析(&amp;P)</translation>
    </message>
    <message>
        <source>optimized_model_filepath: ONNX Runtime writes what it made of the model beside it</source>
        <translation>optimized_model_filepath：ONNX Runtime 把它优化后的模型写在旁边</translation>
    </message>
    <message>
        <source>enable_profiling: ONNX Runtime writes where its time went; Open … shows such a profile here</source>
        <translation>enable_profiling：ONNX Runtime 写出时间的去向；“打开……”可在此显示这样的性能分析</translation>
    </message>
    <message>
        <source>Execution providers</source>
        <translation>执行提供者</translation>
    </message>
    <message>
        <source>Execution providers: CUDA:device_id=0</source>
        <translation>执行提供者：CUDA:device_id=0</translation>
    </message>
    <message>
        <source>Execution providers that the session asks before the CPU, with their options: NAME:KEY=VALUE,… with spaces between them. Empty: those that the variant runs on</source>
        <translation>会话在 CPU 之前询问的执行提供者及其选项：名称:键=值,…，以空格分隔。留空：使用该变体所用的执行提供者</translation>
    </message>
    <message>
        <source>Session options</source>
        <translation>会话选项</translation>
    </message>
    <message>
        <source>Session options: enable_mem_pattern=0</source>
        <translation>会话选项：enable_mem_pattern=0</translation>
    </message>
    <message>
        <source>Attributes of SessionOptions and entries of the session configuration, by their names in ONNX Runtime: KEY=VALUE with spaces between them</source>
        <translation>SessionOptions 的属性和会话配置项，使用其在 ONNX Runtime 中的名称：键=值，以空格分隔</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CodeText</name>
    <message>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <source>Save code …</source>
        <translation>保存代码……</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>The code is on the clipboard.</source>
        <translation>代码已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Save code</source>
        <translation>保存代码</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CommandPalette</name>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find nodes, tensors, passes, pages, settings, commands</source>
        <translation>查找节点、张量、优化遍、页面、设置、命令</translation>
    </message>
    <message>
        <source>What to look for</source>
        <translation>要查找的内容</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>找到的内容</translation>
    </message>
    <message>
        <source>Read the names of %1</source>
        <translation>读取 %1 的名称</translation>
    </message>
    <message>
        <source>Mark all %1 nodes on the graph</source>
        <translation>在图上标出全部 %1 个节点</translation>
    </message>
    <message>
        <source>pass</source>
        <translation>优化遍</translation>
    </message>
    <message>
        <source>Filters: op:Conv  scope:layer.3  type:f16  time&gt;1ms</source>
        <translation>筛选：op:Conv  scope:layer.3  type:f16  time&gt;1ms</translation>
    </message>
    <message>
        <source>Nothing ran yet: F5 shows what takes how long.</source>
        <translation>尚未运行：按 F5 可知各部分耗时。</translation>
    </message>
    <message>
        <source>Reading the names of the model …</source>
        <translation>正在读取模型的名称……</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>未找到。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ComparePage</name>
    <message>
        <source>Comparing …</source>
        <translation>正在比较……</translation>
    </message>
    <message>
        <source>The comparison failed</source>
        <translation>比较失败</translation>
    </message>
    <message>
        <source>The comparison failed: %1</source>
        <translation>比较失败：%1</translation>
    </message>
    <message>
        <source>%1 could not be made</source>
        <translation>无法生成 %1</translation>
    </message>
    <message>
        <source>Double click shows the nodes of %1.</source>
        <translation>双击可查看 %1 的节点。</translation>
    </message>
    <message>
        <source>The variant that is shown does not have this node; show the original first.</source>
        <translation>当前显示的变体没有此节点；请先显示原始模型。</translation>
    </message>
    <message>
        <source>Prepare the comparison</source>
        <translation>准备比较结果</translation>
    </message>
    <message>
        <source>The comparison could not be prepared</source>
        <translation>无法准备比较结果</translation>
    </message>
    <message>
        <source>%1 and %2 do not differ beyond noise: the interval of the difference is %3.</source>
        <translation>%1 与 %2 的差异没有超出噪声：差异区间为 %3。</translation>
    </message>
    <message>
        <source>%1 is faster than %2: %3 time per run (%4), significant.</source>
        <translation>%1 比 %2 快：每次运行时间 %3（%4），显著。</translation>
    </message>
    <message>
        <source>%1 is slower than %2: %3 time per run (%4), significant.</source>
        <translation>%1 比 %2 慢：每次运行时间 %3（%4），显著。</translation>
    </message>
    <message>
        <source>%1 against %2: %3 instead of %4 nodes. Press Compare to measure, profile and check the outputs.</source>
        <translation>%1 与 %2：节点数 %3 对 %4。按“比较”即可测量、分析并核对输出。</translation>
    </message>
    <message>
        <source>Most of it: %1, %2 per run.</source>
        <translation>主要来自 %1，每次运行 %2。</translation>
    </message>
    <message>
        <source>The outputs agree.</source>
        <translation>输出一致。</translation>
    </message>
    <message>
        <source>Outputs that differ: %1 of %2.</source>
        <translation>不一致的输出：%1 / %2。</translation>
    </message>
    <message>
        <source>It was cancelled before the end.</source>
        <translation>比较在结束前被取消。</translation>
    </message>
    <message>
        <source>The run settings have changed since.</source>
        <translation>此后运行设置已改变。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Compare A and B</source>
        <translation>比较 A 与 B</translation>
    </message>
    <message>
        <source>Measure A and B in turn, profile both and compare their outputs</source>
        <translation>交替测量 A 与 B，对两者做性能分析并比较输出</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>交换 A 与 B</translation>
    </message>
    <message>
        <source>Let A and B change places</source>
        <translation>让 A 与 B 互换位置</translation>
    </message>
    <message>
        <source>Copy the comparison as command</source>
        <translation>将比较复制为命令</translation>
    </message>
    <message>
        <source>Copy the lapidary-cli command that repeats this comparison</source>
        <translation>复制可重复此比较的 lapidary-cli 命令</translation>
    </message>
    <message>
        <source>The command is on the clipboard.</source>
        <translation>命令已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Choose B</source>
        <translation>选择 B</translation>
    </message>
    <message>
        <source>A is what B is compared with. Choose two different variants above, drag them here from the Variants dock, or take one of these for B:</source>
        <translation>A 是比较的基准。在上方选择两个不同的变体，或从“变体”面板拖到这里，或选用下面之一作为 B：</translation>
    </message>
    <message>
        <source>Constants folded, needless nodes removed: plain ONNX that runs anywhere.</source>
        <translation>折叠常量、移除多余节点：处处可运行的标准 ONNX。</translation>
    </message>
    <message>
        <source>Fused operators on top: attention, GELU, layer normalization …</source>
        <translation>再加融合算子：注意力、GELU、层归一化……</translation>
    </message>
    <message>
        <source>Laid out for this processor as well: usually the fastest.</source>
        <translation>还针对此处理器调整布局：通常最快。</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Press Compare: both variants are profiled, and the bars lead from the time of A to the time of B.</source>
        <translation>按“比较”：对两个变体做性能分析，条形从 A 的时间走到 B 的时间。</translation>
    </message>
    <message>
        <source>What makes the difference</source>
        <translation>差异来自哪里</translation>
    </message>
    <message>
        <source>&amp;Operators</source>
        <translation>算子(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Nodes</source>
        <translation>节点(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Distribution</source>
        <translation>分布(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation>内存(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Graph</source>
        <translation>计算图(&amp;G)</translation>
    </message>
    <message>
        <source>O&amp;utputs</source>
        <translation>输出(&amp;U)</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开模型</translation>
    </message>
    <message>
        <source>Open an ONNX model or take a sample from the start page; then two of its variants can be compared here.</source>
        <translation>打开 ONNX 模型或从开始页选取示例，之后即可在此比较它的两个变体。</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>打开……</translation>
    </message>
    <message>
        <source>Write %1</source>
        <translation>写入 %1</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>%1 was not saved</source>
        <translation>%1 未能保存</translation>
    </message>
    <message>
        <source>Save report …</source>
        <translation>保存报告……</translation>
    </message>
    <message>
        <source>Write one HTML file with graph, timeline and tables that needs no other file and no network</source>
        <translation>写出一个包含计算图、时间线和表格的 HTML 文件，无需其他文件和网络</translation>
    </message>
    <message>
        <source>Save all tables …</source>
        <translation>保存所有表格……</translation>
    </message>
    <message>
        <source>Write every table of the comparison as CSV, and all of it as JSON, into a folder</source>
        <translation>将比较的每个表格写成 CSV，全部内容写成 JSON，存入一个文件夹</translation>
    </message>
    <message>
        <source>Cod&amp;e</source>
        <translation>代码(&amp;E)</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>HTML page (*.html)</source>
        <translation>HTML 页面 (*.html)</translation>
    </message>
    <message>
        <source>Save all tables into a folder</source>
        <translation>将所有表格保存到文件夹</translation>
    </message>
    <message>
        <source>T&amp;imes</source>
        <translation>时间(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Ops</source>
        <translation>算子(&amp;O)</translation>
    </message>
    <message>
        <source>Sprea&amp;d</source>
        <translation>分布(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Both</source>
        <translation>并排(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Where</source>
        <translation>起点(&amp;W)</translation>
    </message>
    <message>
        <source>No&amp;tes</source>
        <translation>备注(&amp;T)</translation>
    </message>
    <message>
        <source>SQNR of the outputs is %1 or more.</source>
        <translation>输出的 SQNR 不低于 %1。</translation>
    </message>
    <message>
        <source>Compare with ONNX Runtime</source>
        <translation>与 ONNX Runtime 比较</translation>
    </message>
    <message>
        <source>Take the model in your own ONNX Runtime, at its highest level, for B</source>
        <translation>将模型在您自己的 ONNX Runtime 中（最高级别）作为 B</translation>
    </message>
    <message>
        <source>The model in your own ONNX Runtime, where one is found.</source>
        <translation>模型在您自己的 ONNX Runtime 中运行（如能找到）。</translation>
    </message>
    <message>
        <source>Take another ONNX file for B; a file that is dropped on this page does the same</source>
        <translation>将另一个 ONNX 文件作为 B；拖放到本页的文件也是如此</translation>
    </message>
    <message>
        <source>A second model</source>
        <translation>第二个模型</translation>
    </message>
    <message>
        <source>Another ONNX file with the same inputs: side by side by the names of nodes.</source>
        <translation>输入相同的另一个 ONNX 文件：按节点名称并排对照。</translation>
    </message>
    <message>
        <source>Side &amp;by side</source>
        <translation>并排(&amp;B)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Look at %1</source>
        <translation>查看 %1</translation>
    </message>
    <message>
        <source>%1 could not be opened</source>
        <translation>无法打开 %1</translation>
    </message>
    <message>
        <source>Take a file for B …</source>
        <translation>以文件作为 B……</translation>
    </message>
    <message>
        <source>&amp;Parts</source>
        <translation>部分(&amp;P)</translation>
    </message>
    <message>
        <source>T&amp;imelines</source>
        <translation>时间线(&amp;I)</translation>
    </message>
    <message>
        <source>A typical profiled run of each. Watching costs time: profiled runs take %1 in A and %2 in B.</source>
        <translation>各为一次典型的剖析运行。观察要花时间：剖析运行在 A 中为 %1，在 B 中为 %2。</translation>
    </message>
    <message>
        <source>Shares of profiled runs (%1 in A, %2 in B), scaled to the latencies above: watching costs time.</source>
        <translation>剖析运行（A 为 %1，B 为 %2）中的份额，按上面的延迟换算：观察要花时间。</translation>
    </message>
    <message>
        <source>Most in one part: %1, %2 per run.</source>
        <translation>最多的部分：%1，每次运行 %2。</translation>
    </message>
    <message>
        <source>outside of all scopes</source>
        <translation>所有作用域之外</translation>
    </message>
    <message>
        <source>Typical profiled runs: %1 in A, %2 in B; watching costs time.</source>
        <translation>典型的分析运行：A 中 %1，B 中 %2；分析本身也耗时。</translation>
    </message>
    <message>
        <source>Measured with %1, threads: %2.</source>
        <translation>测量条件：%1，线程：%2。</translation>
    </message>
    <message>
        <source>It will run with %1, threads: %2.</source>
        <translation>将以 %1 运行，线程：%2。</translation>
    </message>
    <message>
        <source>Models (*.onnx *.ort)</source>
        <translation>模型 (*.onnx *.ort)</translation>
    </message>
    <message>
        <source>Double click finds where %1 starts to differ.</source>
        <translation>双击可查找 %1 从何处开始不同。</translation>
    </message>
    <message>
        <source>&amp;Where it starts</source>
        <translation>差异起点(&amp;W)</translation>
    </message>
    <message>
        <source>Engine&amp;s</source>
        <translation>引擎(&amp;S)</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>It ran on %1.</source>
        <translation>在 %1 上运行。</translation>
    </message>
    <message>
        <source>Mac&amp;hines</source>
        <translation>机器(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Variants</source>
        <translation>变体(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>全部(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Hosts</source>
        <translation>主机(&amp;H)</translation>
    </message>
    <message>
        <source>Choose …</source>
        <translation>选择……</translation>
    </message>
    <message>
        <source>The comparison is not complete</source>
        <translation>比较不完整</translation>
    </message>
    <message>
        <source>Choose an ONNX Runtime …</source>
        <translation>选择一个 ONNX Runtime……</translation>
    </message>
    <message>
        <source>Take the model in the ONNX Runtime of a library or a Python interpreter, at its highest level, for B</source>
        <translation>将在某个库或 Python 解释器的 ONNX Runtime 中以最高级别运行的模型作为 B</translation>
    </message>
    <message>
        <source>An ONNX Runtime</source>
        <translation>一个 ONNX Runtime</translation>
    </message>
    <message>
        <source>Libraries and interpreters (*.so *.so.* *.dylib *.dll python*)</source>
        <translation>库和解释器 (*.so *.so.* *.dylib *.dll python*)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ContextMemoryPanel</name>
    <message>
        <source>Tokens of context</source>
        <translation>上下文词元数</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory over the context</source>
        <translation>随上下文变化的内存</translation>
    </message>
    <message>
        <source>Memory by context of %1</source>
        <translation>%1 按上下文的内存</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Planning memory by context …</source>
        <translation>正在按上下文规划内存……</translation>
    </message>
    <message>
        <source>with caches for %1 tokens</source>
        <translation>含 %1 个词元的缓存</translation>
    </message>
    <message>
        <source>Each token makes the caches %1 larger; caches of fixed size take the room for their capacity from the beginning.</source>
        <translation>每个词元使缓存增大 %1；固定大小的缓存从一开始就占用其容量所需的空间。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ConvertDialog</name>
    <message>
        <source>&amp;Opset</source>
        <translation>&amp;Opset</translation>
    </message>
    <message>
        <source>&amp;Weights beside the model, from</source>
        <translation>权重放在模型旁，自(&amp;W)</translation>
    </message>
    <message>
        <source>Open the &amp;result</source>
        <translation>打开结果(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save as …</source>
        <translation>另存为(&amp;S)……</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Convert %1</source>
        <translation>转换 %1</translation>
    </message>
    <message>
        <source>The command that repeats this:</source>
        <translation>重复此操作的命令：</translation>
    </message>
    <message>
        <source>What to change</source>
        <translation>要改变的内容</translation>
    </message>
    <message>
        <source>Nodes are rewritten where operators changed; one that cannot be says why</source>
        <translation>算子有变化的节点会被改写；不能改写的会说明原因</translation>
    </message>
    <message>
        <source>Opset to convert to</source>
        <translation>要转换到的 Opset</translation>
    </message>
    <message>
        <source>from %1 to </source>
        <translation>从 %1 到 </translation>
    </message>
    <message>
        <source>stays free</source>
        <translation>保持自由</translation>
    </message>
    <message>
        <source>Size of dimension %1</source>
        <translation>维度 %1 的大小</translation>
    </message>
    <message>
        <source>Dimension %1</source>
        <translation>维度 %1</translation>
    </message>
    <message>
        <source>Outputs to keep</source>
        <translation>要保留的输出</translation>
    </message>
    <message>
        <source>Above 2 GB weights always go into a separate file</source>
        <translation>超过 2 GB 的权重总是放入单独的文件</translation>
    </message>
    <message>
        <source> kB</source>
        <translation> kB</translation>
    </message>
    <message>
        <source>Smallest weight that goes into the file beside it</source>
        <translation>放入旁边文件的最小权重</translation>
    </message>
    <message>
        <source>What changes</source>
        <translation>有哪些变化</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>The command that repeats this</source>
        <translation>重复此操作的命令</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Keep at least one output.</source>
        <translation>至少保留一个输出。</translation>
    </message>
    <message>
        <source>Look at what a conversion changes</source>
        <translation>查看转换会改变什么</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message numerus="yes">
        <source>Changes: %1. The model keeps its %n node(s).</source>
        <translation>
            <numerusform>变化：%1 处。模型保留其 %n 个节点。</numerusform>
        </translation>
    </message>
    <message>
        <source>Changes: %1. Of %2 nodes %3 are left.</source>
        <translation>变化：%1 处。%2 个节点中剩下 %3 个。</translation>
    </message>
    <message>
        <source>Choose a file and write the converted model</source>
        <translation>选择文件并写入转换后的模型</translation>
    </message>
    <message>
        <source>Choose what to change first</source>
        <translation>请先选择要改变的内容</translation>
    </message>
    <message>
        <source>Nothing is chosen: the model stays as it is.</source>
        <translation>未选择任何内容：模型保持原样。</translation>
    </message>
    <message>
        <source>Finding out what changes …</source>
        <translation>正在查明有哪些变化……</translation>
    </message>
    <message>
        <source>Save the converted model</source>
        <translation>保存转换后的模型</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX 模型 (*.onnx)</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>保存 %1</translation>
    </message>
    <message>
        <source>✓ Wrote %1</source>
        <translation>✓ 已写入 %1</translation>
    </message>
    <message>
        <source>It was cancelled; nothing was written.</source>
        <translation>已取消；未写入任何内容。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CopyTable</name>
    <message>
        <source>known when it runs</source>
        <translation>运行时才知道</translation>
    </message>
    <message>
        <source>Copies between kinds of memory</source>
        <translation>不同内存之间的复制</translation>
    </message>
    <message>
        <source>Nothing is copied.</source>
        <translation>没有复制任何内容。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::CountDifferences</name>
    <message>
        <source>Only B has this operator.</source>
        <translation>只有 B 有此算子。</translation>
    </message>
    <message>
        <source>Only A has this operator.</source>
        <translation>只有 A 有此算子。</translation>
    </message>
    <message>
        <source>Nodes by operator in A and B</source>
        <translation>A 与 B 各算子的节点数</translation>
    </message>
    <message>
        <source>Both graphs have the same operators, each as often.</source>
        <translation>两个图的算子及数量完全相同。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DecisionModel</name>
    <message>
        <source>%1, is kept float</source>
        <translation>%1，保持浮点</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DecisionPanel</name>
    <message>
        <source>integers</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>float</source>
        <translation>浮点</translation>
    </message>
    <message>
        <source>Nodes and why</source>
        <translation>节点及原因</translation>
    </message>
    <message>
        <source>Quantize again</source>
        <translation>再次量化</translation>
    </message>
    <message>
        <source>After quantizing, every node stands here with why it was quantized or not.</source>
        <translation>量化之后，此处列出每个节点及其被量化与否的原因。</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter of nodes</source>
        <translation>节点筛选</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n node(s) quantized</source>
        <translation>
            <numerusform>%n 个节点中量化了 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Quantize again, %1 float</source>
        <translation>再次量化，%1 个浮点</translation>
    </message>
    <message>
        <source>SQNR of the outputs with it alone in integers: low is bad</source>
        <translation>仅它为整数时输出的 SQNR：低则不佳</translation>
    </message>
    <message>
        <source>Its share of the noise of all</source>
        <translation>它占总噪声的份额</translation>
    </message>
    <message>
        <source>&amp;Rank</source>
        <translation>排序(&amp;R)</translation>
    </message>
    <message>
        <source>What costs accuracy</source>
        <translation>什么损失精度</translation>
    </message>
    <message>
        <source>Quantize each node alone, to see which cost accuracy and whether weights or activations are to blame</source>
        <translation>单独量化每个节点，查看哪些损失精度，以及原因在权重还是激活</translation>
    </message>
    <message>
        <source>Each node is quantized alone …</source>
        <translation>正在单独量化每个节点……</translation>
    </message>
    <message>
        <source>Weights alone %1, activations alone %2, both %3.</source>
        <translation>仅权重 %1，仅激活 %2，两者 %3。</translation>
    </message>
    <message>
        <source>With the ticked nodes float about %1 are expected.</source>
        <translation>勾选的节点保持浮点时预计约 %1。</translation>
    </message>
    <message>
        <source>Tick nodes to see what keeping them float would give.</source>
        <translation>勾选节点以查看其保持浮点的效果。</translation>
    </message>
    <message numerus="yes">
        <source>The time was over before %n other(s) were tried.</source>
        <translation>
            <numerusform>时间用尽，另有 %n 个未尝试。</numerusform>
        </translation>
    </message>
    <message>
        <source>The best recipe once more, with the ticked nodes kept float and the types chosen for weights</source>
        <translation>再次使用最佳配方，勾选的节点保持浮点，权重采用所选类型</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>As the recipe</source>
        <translation>按配方</translation>
    </message>
    <message>
        <source>Another type for the weights of the selected nodes, in static recipes and in blocks</source>
        <translation>为所选节点的权重选择其他类型，适用于静态配方和分块权重</translation>
    </message>
    <message>
        <source>choose the nodes kept float</source>
        <translation>选择保持浮点的节点</translation>
    </message>
    <message>
        <source>choose the type of weights</source>
        <translation>选择权重的类型</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DecoderTable</name>
    <message>
        <source>Decoders side by side</source>
        <translation>解码器并列</translation>
    </message>
    <message>
        <source>A line for each variant of the model: float, and those made on the Quantize page. Perplexity, divergence and changed tokens need a text: drop one here.</source>
        <translation>模型的每个变体一行：浮点，以及在“量化”页面生成的变体。困惑度、散度和改变的词元需要一段文本：请拖放到此处。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DecodersPanel</name>
    <message>
        <source>Choose …</source>
        <translation>选择……</translation>
    </message>
    <message>
        <source>drop a text here</source>
        <translation>将文本拖放到此处</translation>
    </message>
    <message>
        <source>Te&amp;xt</source>
        <translation>文本(&amp;X)</translation>
    </message>
    <message>
        <source>A file of text that every variant has to predict, token by token. Without a tokenizer.json beside the model it has numbers of tokens, with spaces between them.</source>
        <translation>每个变体须逐词元预测的文本文件。如果模型旁没有 tokenizer.json，则文件中是以空格分隔的词元编号。</translation>
    </message>
    <message>
        <source>Choose the file of text</source>
        <translation>选择文本文件</translation>
    </message>
    <message>
        <source>&amp;Up to</source>
        <translation>最多(&amp;U)</translation>
    </message>
    <message>
        <source>Tokens of the text that are taken: more give narrower errors, and take longer</source>
        <translation>取用的文本词元数：越多误差越小，用时越长</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个词元</translation>
    </message>
    <message>
        <source>Caches in &amp;float16 too</source>
        <translation>缓存也用 &amp;float16</translation>
    </message>
    <message>
        <source>Measure each variant once more with its keys and values in float16, which take half the memory and half the reading</source>
        <translation>以 float16 的键和值再次测量每个变体，内存与读取量减半</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>What the result rests on</source>
        <translation>结果的依据</translation>
    </message>
    <message>
        <source>Progress of measuring</source>
        <translation>测量进度</translation>
    </message>
    <message>
        <source>Text to predict</source>
        <translation>要预测的文本</translation>
    </message>
    <message>
        <source>Texts (*.txt *.md *.ids)</source>
        <translation>文本 (*.txt *.md *.ids)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>正在测量……</translation>
    </message>
    <message>
        <source>How many bits can it lose? Press Measure: every variant of the model is run at 128 to 1,024 tokens of context.</source>
        <translation>它能减少多少位？点按“测量”：模型的每个变体将在 128 至 1,024 个词元的上下文中运行。</translation>
    </message>
    <message>
        <source>Sto&amp;p</source>
        <translation>停止(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Measure</source>
        <translation>测量(&amp;M)</translation>
    </message>
    <message>
        <source>Stop; what was measured is kept</source>
        <translation>停止；已测量的内容会保留</translation>
    </message>
    <message>
        <source>Measure all variants, one after another</source>
        <translation>逐个测量所有变体</translation>
    </message>
    <message>
        <source>making the variants</source>
        <translation>正在生成变体</translation>
    </message>
    <message>
        <source>as on Run</source>
        <translation>与“运行”页相同</translation>
    </message>
    <message>
        <source>Thr&amp;eads</source>
        <translation>线程(&amp;E)</translation>
    </message>
    <message>
        <source>Numbers of threads with commas between them: each variant is measured with each of them</source>
        <translation>以逗号分隔的线程数：每个变体都用其中每个数测量</translation>
    </message>
    <message>
        <source>Advice on the chosen variant</source>
        <translation>对所选变体的建议</translation>
    </message>
    <message>
        <source>this is the only variant: Quantize makes others</source>
        <translation>这是唯一的变体：“量化”可生成其他变体</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DiagnosticsDialog</name>
    <message>
        <source>Diagnostics</source>
        <translation>诊断信息</translation>
    </message>
    <message>
        <source>For those who look for a fault: versions, machine, settings and the log. Names of models, nodes and folders are left out, and nothing is sent: look it over, then pass it on.</source>
        <translation>供查找故障之用：版本、机器、设置和日志。模型、节点和文件夹的名称已略去，也不会发送任何内容：请先查看，再转交。</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Save …</source>
        <translation>保存(&amp;S)……</translation>
    </message>
    <message>
        <source>Save diagnostics</source>
        <translation>保存诊断信息</translation>
    </message>
    <message>
        <source>Texts (*.txt)</source>
        <translation>文本 (*.txt)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DiffView</name>
    <message>
        <source>Graph before</source>
        <translation>之前的图</translation>
    </message>
    <message>
        <source>Graph after</source>
        <translation>之后的图</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>Before the step</source>
        <translation>此步之前</translation>
    </message>
    <message>
        <source>After step %1</source>
        <translation>第 %1 步之后</translation>
    </message>
    <message>
        <source>%1 · %2 · %3%4 go</source>
        <translation>%1 · %2 · %3%4 个移除</translation>
    </message>
    <message>
        <source>%1 over %2 · %3 · %4%5 go, +%6 come</source>
        <translation>%1 叠加 %2 · %3 · %4%5 个移除，+%6 个新增</translation>
    </message>
    <message>
        <source>%1 · %2 · +%3 come</source>
        <translation>%1 · %2 · +%3 个新增</translation>
    </message>
    <message>
        <source>%1, the result · %2 · %3%4 went, +%5 came</source>
        <translation>%1，结果 · %2 · 移除 %3%4，新增 +%5</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DifferencePanel</name>
    <message>
        <source>&amp;Find where it starts</source>
        <translation>查找起点(&amp;F)</translation>
    </message>
    <message>
        <source>Check a &amp;recording …</source>
        <translation>检查记录(&amp;R)……</translation>
    </message>
    <message>
        <source>Show in the graph</source>
        <translation>在图中显示</translation>
    </message>
    <message>
        <source>Nodes that are the cause</source>
        <translation>造成差异的节点</translation>
    </message>
    <message>
        <source>Run A and B side by side and name the first node that makes another output of the same inputs</source>
        <translation>并行运行 A 和 B，指出第一个在相同输入下得出不同输出的节点</translation>
    </message>
    <message>
        <source>Hold the opened model against what record.py wrote beside the original program; such a file can be dropped on this page, too</source>
        <translation>将打开的模型与 record.py 在原程序旁写下的内容比较；也可以把这样的文件拖到此页</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>查找结果</translation>
    </message>
    <message>
        <source>Difference along the graph</source>
        <translation>沿图的差异</translation>
    </message>
    <message>
        <source>Values in the order of data flow</source>
        <translation>按数据流顺序的值</translation>
    </message>
    <message>
        <source>Share of the largest element</source>
        <translation>占最大元素的比例</translation>
    </message>
    <message>
        <source>Only rounding: no node is the cause.</source>
        <translation>只是舍入：没有节点是原因。</translation>
    </message>
    <message>
        <source>Looking for where it starts …</source>
        <translation>正在查找差异起点……</translation>
    </message>
    <message>
        <source>The search failed</source>
        <translation>查找失败</translation>
    </message>
    <message>
        <source>Not searched yet. Press Find: A and B run on the same inputs, every value that both have is compared, and the first node is named that makes another output of the same inputs. What rounding explains is blamed on nothing.</source>
        <translation>尚未查找。按“查找起点”：A 和 B 在相同输入上运行，比较两者共有的每个值，并指出第一个在相同输入下得出不同输出的节点。舍入能解释的差异不归咎于任何节点。</translation>
    </message>
    <message>
        <source>Of what %1 is computed from</source>
        <translation>仅限计算 %1 所用的部分</translation>
    </message>
    <message>
        <source>The two runs</source>
        <translation>两次运行</translation>
    </message>
    <message>
        <source>Rounding explains</source>
        <translation>舍入可解释</translation>
    </message>
    <message>
        <source>The node alone</source>
        <translation>仅此节点</translation>
    </message>
    <message>
        <source>The variant that is shown does not have this node; show another one first.</source>
        <translation>当前显示的变体没有此节点；请先显示另一个变体。</translation>
    </message>
    <message>
        <source>A recording</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Recordings (*.npz *.json)</source>
        <translation>记录 (*.npz *.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Check against %1</source>
        <translation>对照 %1 检查</translation>
    </message>
    <message>
        <source>The outputs agree with %1.</source>
        <translation>输出与 %1 一致。</translation>
    </message>
    <message>
        <source>The outputs differ from %1.</source>
        <translation>输出与 %1 不同。</translation>
    </message>
    <message>
        <source>%1 could not be checked</source>
        <translation>无法检查 %1</translation>
    </message>
    <message>
        <source>Checking against %1 …</source>
        <translation>正在对照 %1 检查……</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Every value agrees.</source>
        <translation>所有值都一致。</translation>
    </message>
    <message>
        <source>A holds its large weights in %1.</source>
        <translation>A 的大权重以 %1 保存。</translation>
    </message>
    <message>
        <source>B holds its large weights in %1.</source>
        <translation>B 的大权重以 %1 保存。</translation>
    </message>
    <message>
        <source>The value at the chosen place of the curve</source>
        <translation>曲线上所选位置的值</translation>
    </message>
    <message>
        <source>%1: the two runs differ by %2, rounding explains %3.</source>
        <translation>%1：两次运行相差 %2，舍入可解释 %3。</translation>
    </message>
    <message>
        <source>The node alone: %1.</source>
        <translation>仅该节点：%1。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DistributionCanvas</name>
    <message>
        <source>Distribution of the difference</source>
        <translation>差异分布</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n round(s)</source>
        <translation>
            <numerusform>%1：%n 轮</numerusform>
        </translation>
    </message>
    <message>
        <source>Press Compare: A and B run in turn, and each round gives one difference.</source>
        <translation>按“比较”：A 与 B 交替运行，每轮得到一个差值。</translation>
    </message>
    <message>
        <source>Time of B against A in the same round; the band is the 95 % interval of the median</source>
        <translation>同一轮中 B 相对 A 的时间；色带是中位数的 95 % 区间</translation>
    </message>
    <message>
        <source>▲ B faster</source>
        <translation>▲ B 更快</translation>
    </message>
    <message>
        <source>▼ B slower</source>
        <translation>▼ B 更慢</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DistributionView</name>
    <message>
        <source>Rounds in which both ran</source>
        <translation>两者都运行的轮次</translation>
    </message>
    <message>
        <source>Nothing was measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>A: %1</source>
        <translation>A：%1</translation>
    </message>
    <message>
        <source>B: %1</source>
        <translation>B：%1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::DropZone</name>
    <message>
        <source>Or drop a model, a project or a trace anywhere. It is read on this computer and goes nowhere else.</source>
        <translation>也可以将模型、项目或跟踪文件拖放到任意位置。文件只在本机读取，不会发送到别处。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EarlierModel</name>
    <message>
        <source>Keep a copy of %1</source>
        <translation>保留 %1 的副本</translation>
    </message>
    <message>
        <source>Compare with before</source>
        <translation>与之前比较</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EditDialog</name>
    <message>
        <source>&amp;Make a variant</source>
        <translation>生成变体(&amp;M)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Edit %1</source>
        <translation>编辑 %1</translation>
    </message>
    <message>
        <source>Edits, one a line</source>
        <translation>编辑，每行一项</translation>
    </message>
    <message>
        <source>What the lines are for</source>
        <translation>这些行的用途</translation>
    </message>
    <message>
        <source>No line: the variant is the level alone.</source>
        <translation>没有行：变体仅为该级别本身。</translation>
    </message>
    <message>
        <source>Making what the level makes …</source>
        <translation>正在生成该级别的模型……</translation>
    </message>
    <message>
        <source>delete op:Dropout
rename input x -&gt; image</source>
        <translation>delete op:Dropout
rename input x -&gt; image</translation>
    </message>
    <message>
        <source>The command that repeats this</source>
        <translation>重复此操作的命令</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>The command that repeats this:</source>
        <translation>重复此操作的命令：</translation>
    </message>
    <message>
        <source>Find an edit</source>
        <translation>查找编辑</translation>
    </message>
    <message>
        <source>All edits</source>
        <translation>所有编辑</translation>
    </message>
    <message>
        <source>Try edits</source>
        <translation>试用编辑</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Nodes: %1, %2 before. These edits should keep all results.</source>
        <translation>节点：%1，之前 %2。这些编辑应保持所有结果不变。</translation>
    </message>
    <message>
        <source>Nodes: %1, %2 before. These edits may change results.</source>
        <translation>节点：%1，之前 %2。这些编辑可能改变结果。</translation>
    </message>
    <message>
        <source>The edited model becomes a variant; the opened file stays</source>
        <translation>编辑后的模型成为一个变体；已打开的文件保持不变</translation>
    </message>
    <message>
        <source>Write a line that can be done first</source>
        <translation>请先写一行可执行的编辑</translation>
    </message>
    <message>
        <source>No line yet: choose an edit at the right, or write one.</source>
        <translation>还没有行：从右侧选择一项编辑，或自己写一行。</translation>
    </message>
    <message>
        <source>Trying the lines …</source>
        <translation>正在试用各行……</translation>
    </message>
    <message>
        <source>edit the model</source>
        <translation>编辑模型</translation>
    </message>
    <message>
        <source>Edits; Enter opens the form of one</source>
        <translation>编辑；按回车打开表单</translation>
    </message>
    <message>
        <source>&amp;Write it into the script</source>
        <translation>写入脚本(&amp;W)</translation>
    </message>
    <message>
        <source>✕ The model is not valid after these edits: %1: %2</source>
        <translation>✕ 执行这些编辑后模型无效：%1：%2</translation>
    </message>
    <message>
        <source>Make it although the model becomes invalid</source>
        <translation>即使模型变为无效也生成</translation>
    </message>
    <message>
        <source>What is invalid is shown in red until another edit mends it</source>
        <translation>无效之处以红色显示，直到另一次编辑将其修复</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Before the level: the model as opened</source>
        <translation>级别之前：打开时的模型</translation>
    </message>
    <message>
        <source>After the level: what %1 makes</source>
        <translation>级别之后：%1 生成的模型</translation>
    </message>
    <message>
        <source>The lines are applied last, after %1.</source>
        <translation>这些行最后应用，在 %1 之后。</translation>
    </message>
    <message>
        <source>After the lines comes what is in force now: %1.</source>
        <translation>这些行之后应用当前生效的内容：%1。</translation>
    </message>
    <message>
        <source>rename node * -&gt; fast/*</source>
        <translation>rename node * -&gt; fast/*</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EditEffects</name>
    <message>
        <source>What each line does</source>
        <translation>每行的作用</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>%1 removed</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>%1 added</source>
        <translation>新增 %1</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>更改 %1</translation>
    </message>
    <message>
        <source>%1 types changed</source>
        <translation>更改 %1 个类型</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EditFormDialog</name>
    <message>
        <source>&amp;Apply</source>
        <translation>应用(&amp;A)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Edit: %1</source>
        <translation>编辑：%1</translation>
    </message>
    <message>
        <source>The line of the script</source>
        <translation>脚本行</translation>
    </message>
    <message>
        <source>Apply although the model becomes invalid</source>
        <translation>即使模型变为无效也应用</translation>
    </message>
    <message>
        <source>What is invalid is shown in red until another edit mends it</source>
        <translation>无效之处以红色显示，直到另一次编辑将其修复</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Still needed: %1.</source>
        <translation>还需要：%1。</translation>
    </message>
    <message>
        <source>Nothing changes yet.</source>
        <translation>尚无任何更改。</translation>
    </message>
    <message>
        <source>Trying the edit …</source>
        <translation>正在尝试编辑……</translation>
    </message>
    <message>
        <source>It can be done and should keep all results.</source>
        <translation>可以执行，且应保持所有结果不变。</translation>
    </message>
    <message>
        <source>It can be done and may change results.</source>
        <translation>可以执行，可能改变结果。</translation>
    </message>
    <message>
        <source>It can be done. Apply writes both files; the first part is shown afterwards.</source>
        <translation>可以执行。“应用”会写出两个文件；随后显示第一部分。</translation>
    </message>
    <message>
        <source>✕ The model is not valid after this edit: %1: %2</source>
        <translation>✕ 此编辑后模型无效：%1：%2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EditTrial</name>
    <message>
        <source>The model that is edited is not made yet.</source>
        <translation>要编辑的模型尚未生成。</translation>
    </message>
    <message>
        <source>Try edits</source>
        <translation>尝试编辑</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Write the parts of a model</source>
        <translation>写出模型的各部分</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EditVerbList</name>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Names and connections</source>
        <translation>名称与连接</translation>
    </message>
    <message>
        <source>Inputs and outputs</source>
        <translation>输入与输出</translation>
    </message>
    <message>
        <source>Weights and element types</source>
        <translation>权重与元素类型</translation>
    </message>
    <message>
        <source>Parts of models</source>
        <translation>模型的部分</translation>
    </message>
    <message>
        <source>Before inputs and behind outputs</source>
        <translation>输入之前与输出之后</translation>
    </message>
    <message>
        <source>The model as a whole</source>
        <translation>整个模型</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EmptyState</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
</context>
<context>
    <name>lapidary::views::EnginePanel</name>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 及另外 %2 个</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>A difference: the intervals of all rows together leave out 0 here.</source>
        <translation>有差异：综合所有行的区间，此处不含 0。</translation>
    </message>
    <message>
        <source>No difference beyond noise.</source>
        <translation>没有超出噪声的差异。</translation>
    </message>
    <message>
        <source>B is slower</source>
        <translation>B 较慢</translation>
    </message>
    <message>
        <source>B is faster</source>
        <translation>B 较快</translation>
    </message>
    <message>
        <source>Compare node by node</source>
        <translation>逐节点比较</translation>
    </message>
    <message>
        <source>Another ONNX Runtime …</source>
        <translation>其他 ONNX Runtime……</translation>
    </message>
    <message>
        <source>Two engines by node</source>
        <translation>两个引擎按节点比较</translation>
    </message>
    <message>
        <source>Engine A</source>
        <translation>引擎 A</translation>
    </message>
    <message>
        <source>Engine B</source>
        <translation>引擎 B</translation>
    </message>
    <message>
        <source>Run the opened model in both engines in turn, recorded node by node, and name the nodes in which one is slower</source>
        <translation>在两个引擎中轮流运行已打开的模型，逐节点记录，并指出其中一个较慢的节点</translation>
    </message>
    <message>
        <source>Take another release: a library of ONNX Runtime, or a Python interpreter that has its package</source>
        <translation>采用另一个版本：ONNX Runtime 的库，或装有其软件包的 Python 解释器</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>This program, all</source>
        <translation>本程序，all</translation>
    </message>
    <message>
        <source>This program, disabled</source>
        <translation>本程序，disabled</translation>
    </message>
    <message>
        <source>Choose two engines, or two releases of ONNX Runtime, and press Compare node by node: both run the opened model in turn.</source>
        <translation>选择两个引擎或 ONNX Runtime 的两个版本，然后按“逐节点比较”：两者轮流运行已打开的模型。</translation>
    </message>
    <message>
        <source>Compare %1 with %2 node by node</source>
        <translation>逐节点比较 %1 与 %2</translation>
    </message>
    <message>
        <source>The engines could not be compared</source>
        <translation>无法比较这些引擎</translation>
    </message>
    <message>
        <source>Comparing node by node …</source>
        <translation>正在逐节点比较……</translation>
    </message>
    <message>
        <source>A: %1, %2 a run. B: %3, %4 a run. B less A: %5 to %6, in %7 pairs of recorded runs.</source>
        <translation>A：%1，每次运行 %2。B：%3，每次运行 %4。B 减 A：%5 至 %6，共 %7 对记录的运行。</translation>
    </message>
    <message>
        <source>Neither engine recorded a node.</source>
        <translation>两个引擎都没有记录到节点。</translation>
    </message>
    <message>
        <source>Another ONNX Runtime</source>
        <translation>其他 ONNX Runtime</translation>
    </message>
    <message>
        <source>ONNX Runtime in %1</source>
        <translation>%1 中的 ONNX Runtime</translation>
    </message>
    <message>
        <source>Engine A</source>
        <translation>引擎 A</translation>
    </message>
    <message>
        <source>Engine B</source>
        <translation>引擎 B</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ExportDialog</name>
    <message>
        <source>Weights in a file beside it, from</source>
        <translation>权重存入旁边的文件，自</translation>
    </message>
    <message>
        <source>Fixed batch size</source>
        <translation>固定批大小</translation>
    </message>
    <message>
        <source>Export %1 · %2</source>
        <translation>导出 %1 · %2</translation>
    </message>
    <message>
        <source>&amp;Browse …</source>
        <translation>浏览(&amp;B)……</translation>
    </message>
    <message>
        <source>File to write</source>
        <translation>要写入的文件</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>The command that repeats this</source>
        <translation>可重复此操作的命令</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Copy command</source>
        <translation>复制命令(&amp;C)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>The command that repeats this:</source>
        <translation>可重复此操作的命令：</translation>
    </message>
    <message>
        <source>For whom</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>As e&amp;dited</source>
        <translation>按编辑结果(&amp;D)</translation>
    </message>
    <message>
        <source>What the edits make and nothing else: the file that lapidary-cli edit writes.
Requires: what the model requires</source>
        <translation>仅包含编辑的结果：与 lapidary-cli edit 写出的文件相同。
要求：模型自身的要求</translation>
    </message>
    <message>
        <source>&amp;This CPU</source>
        <translation>此 CPU(&amp;T)</translation>
    </message>
    <message>
        <source>P&amp;lain ONNX</source>
        <translation>标准 ONNX(&amp;L)</translation>
    </message>
    <message>
        <source>P&amp;ortable</source>
        <translation>可移植(&amp;O)</translation>
    </message>
    <message>
        <source>Requires: %1</source>
        <translation>要求：%1</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source> kB</source>
        <translation> kB</translation>
    </message>
    <message>
        <source>Smallest weight that goes into the file beside it</source>
        <translation>存入旁边文件的最小权重</translation>
    </message>
    <message>
        <source>Above 2 GB weights always go into a separate file</source>
        <translation>超过 2 GB 时权重总是存入单独的文件</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>The first dimension of every input that has no number gets this size</source>
        <translation>每个输入中没有数值的首维取此大小</translation>
    </message>
    <message>
        <source>stays free</source>
        <translation>保持自由</translation>
    </message>
    <message>
        <source>Size of dimension %1</source>
        <translation>维度 %1 的大小</translation>
    </message>
    <message>
        <source>Dimension %1</source>
        <translation>维度 %1</translation>
    </message>
    <message>
        <source>Outputs to keep</source>
        <translation>要保留的输出</translation>
    </message>
    <message>
        <source>Contains the model as it was opened.</source>
        <translation>包含打开时的模型。</translation>
    </message>
    <message>
        <source>Contains the model optimized: %1.</source>
        <translation>包含优化后的模型：%1。</translation>
    </message>
    <message>
        <source>This target goes no further than %1.</source>
        <translation>此目标最多到 %1。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Keep at least one output.</source>
        <translation>至少保留一个输出。</translation>
    </message>
    <message>
        <source>Export to</source>
        <translation>导出到</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX 模型 (*.onnx)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>This is the file that is open. Write the optimized model over the original?</source>
        <translation>这是当前打开的文件。要用优化后的模型覆盖原文件吗？</translation>
    </message>
    <message>
        <source>%1 exists. Replace it?</source>
        <translation>%1 已存在。要替换吗？</translation>
    </message>
    <message>
        <source>&amp;Overwrite the original</source>
        <translation>覆盖原文件(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>替换(&amp;R)</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>导出 %1</translation>
    </message>
    <message>
        <source>✓ Wrote %1</source>
        <translation>✓ 已写入 %1</translation>
    </message>
    <message>
        <source>The export was cancelled; nothing was written.</source>
        <translation>导出已取消；未写入任何内容。</translation>
    </message>
    <message>
        <source>Exporting …</source>
        <translation>正在导出……</translation>
    </message>
    <message>
        <source>Contains the model quantized: %1.</source>
        <translation>包含量化后的模型：%1。</translation>
    </message>
    <message>
        <source>%1 takes %2 here.</source>
        <translation>%1 在这里用时 %2。</translation>
    </message>
    <message>
        <source>In force is %1.</source>
        <translation>当前生效的是 %1。</translation>
    </message>
    <message>
        <source>Contains the edited model; lines of edits: %1.</source>
        <translation>包含编辑后的模型；编辑行数：%1。</translation>
    </message>
    <message>
        <source>Run at level %1 it takes %2 here.</source>
        <translation>以级别 %1 运行时，在这里用时 %2。</translation>
    </message>
    <message>
        <source>The other targets have these options.</source>
        <translation>其他目标才有这些选项。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ExportPreview</name>
    <message>
        <source>What the file will hold</source>
        <translation>文件将包含的内容</translation>
    </message>
    <message>
        <source>Looking at what it will hold …</source>
        <translation>正在查看将包含的内容……</translation>
    </message>
    <message>
        <source>Look at the export</source>
        <translation>查看导出</translation>
    </message>
    <message>
        <source>%1, %2 of weights. Needs: %3.</source>
        <translation>%1，权重 %2。需要：%3。</translation>
    </message>
    <message>
        <source>Here the level leaves %1; this target writes some of them as several nodes.</source>
        <translation>此处该级别剩下 %1；此目标会把其中一些写成多个节点。</translation>
    </message>
    <message>
        <source>Here weights take %1; this target writes further constants.</source>
        <translation>此处权重占 %1；此目标会写入更多常量。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::FaultCover</name>
    <message>
        <source>Show the node</source>
        <translation>显示该节点</translation>
    </message>
    <message>
        <source>%1 cannot work on this model</source>
        <translation>%1 无法处理此模型</translation>
    </message>
    <message>
        <source>It is not valid: %1</source>
        <translation>模型无效：%1</translation>
    </message>
    <message>
        <source>Undo “%1”</source>
        <translation>撤销“%1”</translation>
    </message>
</context>
<context>
    <name>lapidary::views::FileExports</name>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>The report was not saved</source>
        <translation>报告未能保存</translation>
    </message>
    <message>
        <source>Save a report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Web pages (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>Write %1</source>
        <translation>写入 %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::FileField</name>
    <message>
        <source>Browse …</source>
        <translation>浏览……</translation>
    </message>
    <message>
        <source>%1: look for a file</source>
        <translation>%1：查找文件</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GenerateCard</name>
    <message>
        <source>Quantize …</source>
        <translation>量化……</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>What the result rests on</source>
        <translation>结果的依据</translation>
    </message>
    <message>
        <source>Progress of generating</source>
        <translation>生成进度</translation>
    </message>
    <message>
        <source>Open the page that makes weights smaller</source>
        <translation>打开可缩小权重的页面</translation>
    </message>
    <message>
        <source>Waiting for the first token …</source>
        <translation>正在等待首个词元……</translation>
    </message>
    <message>
        <source>How fast will it talk? Press Generate to find out.</source>
        <translation>它说话有多快？按“生成”即可知道。</translation>
    </message>
    <message>
        <source>Tokens appear as they come; some are recorded to see where their time goes.</source>
        <translation>词元陆续出现；其中一些会被记录，以查看时间花在哪里。</translation>
    </message>
    <message>
        <source>making the variant</source>
        <translation>正在制作变体</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GeneratePage</name>
    <message>
        <source>Generating failed</source>
        <translation>生成失败</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Generate tokens</source>
        <translation>生成词元</translation>
    </message>
    <message>
        <source>Generate tokens behind the prompt, or stop it</source>
        <translation>在提示之后生成词元，或停止</translation>
    </message>
    <message>
        <source>Copy the tokens</source>
        <translation>复制词元</translation>
    </message>
    <message>
        <source>Copy the generated tokens</source>
        <translation>复制生成的词元</translation>
    </message>
    <message>
        <source>Copy the generate command</source>
        <translation>复制 generate 命令</translation>
    </message>
    <message>
        <source>Copy the lapidary-cli command that generates the same</source>
        <translation>复制生成相同结果的 lapidary-cli 命令</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
    <message>
        <source>Tokens of context</source>
        <translation>上下文词元数</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory over the context</source>
        <translation>内存随上下文的变化</translation>
    </message>
    <message>
        <source>Milliseconds a token</source>
        <translation>每个词元的毫秒数</translation>
    </message>
    <message>
        <source>Time of each token over the context</source>
        <translation>每个词元的时间随上下文的变化</translation>
    </message>
    <message>
        <source>Where a token&apos;s time goes</source>
        <translation>一个词元的时间花在哪里</translation>
    </message>
    <message>
        <source>Figures of the tokens</source>
        <translation>词元的数据</translation>
    </message>
    <message>
        <source>&amp;Latency</source>
        <translation>延迟(&amp;L)</translation>
    </message>
    <message>
        <source>Token p&amp;arts</source>
        <translation>词元构成(&amp;A)</translation>
    </message>
    <message>
        <source>Memor&amp;y</source>
        <translation>内存(&amp;Y)</translation>
    </message>
    <message>
        <source>A and &amp;B</source>
        <translation>A 与 B(&amp;B)</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开模型</translation>
    </message>
    <message>
        <source>Open a language model that generates tokens, or take the sample Llama-160m from the start page. Here you will see how fast it talks, and why.</source>
        <translation>打开一个生成词元的语言模型，或从起始页选择示例 Llama-160m。这里会显示它说话有多快，以及原因。</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>打开……</translation>
    </message>
    <message>
        <source>This model does not generate tokens</source>
        <translation>此模型不生成词元</translation>
    </message>
    <message>
        <source>It is no decoder: %1. Open a language model with input_ids and logits, such as the sample Llama-160m.</source>
        <translation>它不是解码器：%1。请打开带有 input_ids 和 logits 的语言模型，例如示例 Llama-160m。</translation>
    </message>
    <message>
        <source>Choose a sample</source>
        <translation>选择示例</translation>
    </message>
    <message>
        <source>Weights, caches and activations appear when a token has been recorded.</source>
        <translation>记录一个词元后会显示权重、缓存和激活值。</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>each token</source>
        <translation>每个词元</translation>
    </message>
    <message>
        <source>The time of each token, as they come.</source>
        <translation>每个词元的时间，随其出现而显示。</translation>
    </message>
    <message>
        <source>Measuring failed</source>
        <translation>测量失败</translation>
    </message>
    <message>
        <source>Measure the decoder&apos;s variants</source>
        <translation>测量解码器的变体</translation>
    </message>
    <message>
        <source>Measure all variants of the decoder side by side, or stop it</source>
        <translation>并列测量解码器的所有变体，或停止</translation>
    </message>
    <message>
        <source>Va&amp;riants</source>
        <translation>变体(&amp;R)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GoalBar</name>
    <message>
        <source>safe without &amp;VNNI</source>
        <translation>无 &amp;VNNI 时安全</translation>
    </message>
    <message>
        <source>rotated</source>
        <translation>已旋转</translation>
    </message>
    <message>
        <source>smoothed</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>fitted blocks</source>
        <translation>拟合的块</translation>
    </message>
    <message>
        <source>compensated</source>
        <translation>补偿舍入</translation>
    </message>
    <message>
        <source>Bits a weight</source>
        <translation>每个权重的位数</translation>
    </message>
    <message>
        <source>Bits that a weight takes on average at most, scales and zero points included: each weight gets the bits (4 or 8) and the block that pay most for the outputs</source>
        <translation>一个权重平均最多占用的位数，包括缩放因子和零点：每个权重得到对输出最有利的位数（4 或 8）和块</translation>
    </message>
    <message>
        <source>no bound</source>
        <translation>无上限</translation>
    </message>
    <message>
        <source>Spread large channels of a decoder&apos;s residual stream over all by a Hadamard matrix with random signs, which the weights on both sides take up</source>
        <translation>用带随机符号的 Hadamard 矩阵把解码器残差流中的大通道分散到所有通道，两侧的权重吸收该矩阵</translation>
    </message>
    <message>
        <source>Rows of weights that meet large inputs become larger, and inputs smaller, in the normalization or product in front (AWQ)</source>
        <translation>遇到大输入的权重行变大，输入在前面的归一化或乘积中变小（AWQ）</translation>
    </message>
    <message>
        <source>Search the scale and zero point of each block for the least error, weighted by the inputs that samples show</source>
        <translation>为每个块搜索误差最小的缩放因子和零点，按样本显示的输入加权</translation>
    </message>
    <message>
        <source>Let weights make up for the rounding of others (as GPTQ does); needs time</source>
        <translation>让权重弥补其他权重的舍入误差（如 GPTQ）；需要时间</translation>
    </message>
    <message>
        <source> dB</source>
        <translation> dB</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>all recipes</source>
        <translation>所有配方</translation>
    </message>
    <message>
        <source>Weights of 7 bits: x86 CPUs without VNNI add pairs of 8-bit products in 16 bits, which may overflow</source>
        <translation>7 位权重：没有 VNNI 的 x86 CPU 用 16 位累加成对的 8 位乘积，可能溢出</translation>
    </message>
    <message>
        <source>&amp;Bits</source>
        <translation>位(&amp;B)</translation>
    </message>
    <message>
        <source>What becomes integers</source>
        <translation>哪些变为整数</translation>
    </message>
    <message>
        <source>&amp;Goal</source>
        <translation>目标(&amp;G)</translation>
    </message>
    <message>
        <source>Which of the recipes that were tried is the best</source>
        <translation>已尝试的配方中哪个最佳</translation>
    </message>
    <message>
        <source>SQNR</source>
        <translation>SQNR</translation>
    </message>
    <message>
        <source>changed answers</source>
        <translation>改变的答案</translation>
    </message>
    <message>
        <source>Floor o&amp;f</source>
        <translation>下限类型(&amp;F)</translation>
    </message>
    <message>
        <source>What bounds the fastest and the smallest: how little noise, or how few answers that change</source>
        <translation>最快和最小方案受什么约束：噪声有多小，或改变的答案有多少</translation>
    </message>
    <message>
        <source>What the fastest and the smallest have to reach. SQNR, at least: 20 dB is visible, 30 good, 40 very good. Changed answers, at most: of the positions of the largest element</source>
        <translation>最快和最小方案必须达到的值。SQNR 至少：20 dB 可见，30 良好，40 很好。改变的答案至多：占最大元素位置的比例</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>F&amp;loor</source>
        <translation>下限(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Time</source>
        <translation>时间(&amp;T)</translation>
    </message>
    <message>
        <source>Seconds after which no further recipe is begun</source>
        <translation>超过此秒数后不再开始新的配方</translation>
    </message>
    <message>
        <source>&amp;Weights</source>
        <translation>权重(&amp;W)</translation>
    </message>
    <message>
        <source>How static recipes store weights; with 4 bits products run in float32</source>
        <translation>静态方案如何存储权重；4 位时乘积以 float32 计算</translation>
    </message>
    <message>
        <source>Own t&amp;ypes</source>
        <translation>单独类型(&amp;Y)</translation>
    </message>
    <message>
        <source>Nodes or operators whose weights have a type of their own, as NAME=s8, u8, s4 or u4 with commas between; * stands for any characters</source>
        <translation>权重使用单独类型的节点或算子，写作 NAME=s8、u8、s4 或 u4，以逗号分隔；* 代表任意字符</translation>
    </message>
    <message>
        <source>%1
Only for %2 and %3: see the field Bits.</source>
        <translation>%1
仅用于%2和%3：见“位”字段。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GraphCanvas</name>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>The model drawn as a graph. Arrow keys follow the tensors; the table view lists the same nodes.</source>
        <translation>以图的形式绘制的模型。方向键沿张量移动；表格视图列出相同的节点。</translation>
    </message>
    <message>
        <source>Nothing selected; %1.</source>
        <translation>未选择；%1。</translation>
    </message>
    <message>
        <source>Close group</source>
        <translation>折叠分组</translation>
    </message>
    <message>
        <source>Open group</source>
        <translation>展开分组</translation>
    </message>
    <message>
        <source>Copy description</source>
        <translation>复制描述</translation>
    </message>
    <message>
        <source>Zoom to selection</source>
        <translation>缩放到所选</translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation>适合全部</translation>
    </message>
    <message>
        <source>Group of %1</source>
        <translation>含 %1 的分组</translation>
    </message>
    <message>
        <source>Input %1</source>
        <translation>输入 %1</translation>
    </message>
    <message>
        <source>Output %1</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>Holds %1</source>
        <translation>包含 %1</translation>
    </message>
    <message>
        <source>read by %1</source>
        <translation>被 %1 读取</translation>
    </message>
    <message>
        <source>Legend of the colours</source>
        <translation>颜色图例</translation>
    </message>
    <message>
        <source>Map of the drawing</source>
        <translation>图的缩略图</translation>
    </message>
    <message>
        <source>%1 is slow</source>
        <translation>%1 较慢</translation>
    </message>
    <message>
        <source>Selected nodes: %1.</source>
        <translation>已选节点：%1。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GraphPage</name>
    <message>
        <source>A line is dragged within one graph: the main graph, or one body.</source>
        <translation>只能在同一个图内拖动线：主图或一个主体。</translation>
    </message>
    <message>
        <source>Lay out again</source>
        <translation>重新布局</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>打开……</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开模型</translation>
    </message>
    <message>
        <source>Open an ONNX model to see its graph, or drop a file on the window.</source>
        <translation>打开 ONNX 模型查看计算图，或将文件拖放到窗口上。</translation>
    </message>
    <message>
        <source>Lay out %1</source>
        <translation>布局 %1</translation>
    </message>
    <message>
        <source>This model has no nodes</source>
        <translation>此模型没有节点</translation>
    </message>
    <message>
        <source>There is nothing to draw.</source>
        <translation>没有可绘制的内容。</translation>
    </message>
    <message>
        <source>The layout was cancelled</source>
        <translation>布局已取消</translation>
    </message>
    <message>
        <source>Nothing is drawn yet.</source>
        <translation>尚未绘制。</translation>
    </message>
    <message>
        <source>The graph could not be drawn</source>
        <translation>无法绘制计算图</translation>
    </message>
    <message>
        <source>Lay out the graph</source>
        <translation>布局计算图</translation>
    </message>
    <message>
        <source>The layout was cancelled; the drawing is unchanged.</source>
        <translation>布局已取消；图形保持不变。</translation>
    </message>
    <message>
        <source>Time per run</source>
        <translation>每次运行的时间</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Export the graph</source>
        <translation>导出计算图</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>Graph tools</source>
        <translation>计算图工具</translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation>适合全部</translation>
    </message>
    <message>
        <source>Show the whole graph</source>
        <translation>显示整个图</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation>实际大小</translation>
    </message>
    <message>
        <source>Show the graph at 100 %</source>
        <translation>以 100 % 显示</translation>
    </message>
    <message>
        <source>Open all groups</source>
        <translation>展开所有分组</translation>
    </message>
    <message>
        <source>Close all groups</source>
        <translation>折叠所有分组</translation>
    </message>
    <message>
        <source>Left to right</source>
        <translation>从左到右</translation>
    </message>
    <message>
        <source>Draw the graph from left to right instead of downwards</source>
        <translation>从左到右绘制，而非自上而下</translation>
    </message>
    <message>
        <source>Show constants</source>
        <translation>显示常量</translation>
    </message>
    <message>
        <source>Draw Constant nodes too</source>
        <translation>同时绘制常量节点</translation>
    </message>
    <message>
        <source>Table view</source>
        <translation>表格视图</translation>
    </message>
    <message>
        <source>Show the nodes as a table</source>
        <translation>以表格显示节点</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>着色依据</translation>
    </message>
    <message>
        <source>What the colours of the boxes mean</source>
        <translation>方框颜色的含义</translation>
    </message>
    <message>
        <source>No colours</source>
        <translation>无颜色</translation>
    </message>
    <message>
        <source>Colour by type</source>
        <translation>按类型着色</translation>
    </message>
    <message>
        <source>Colour by time</source>
        <translation>按时间着色</translation>
    </message>
    <message>
        <source>Find nodes</source>
        <translation>查找节点</translation>
    </message>
    <message>
        <source>Find node or tensor</source>
        <translation>查找节点或张量</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>已找到</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>找到 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Export graph</source>
        <translation>导出计算图</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG 矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>PNG image (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>Find out what nodes cost</source>
        <translation>查明节点的开销</translation>
    </message>
    <message>
        <source>Share of this machine&apos;s peak</source>
        <translation>达到此机器峰值的比例</translation>
    </message>
    <message>
        <source>Colour by share of peak</source>
        <translation>按峰值占比着色</translation>
    </message>
    <message>
        <source>Noise that quantizing left, as a share of the result</source>
        <translation>量化留下的噪声占结果的比例</translation>
    </message>
    <message>
        <source>Colour by loss in quantizing</source>
        <translation>按量化损失着色</translation>
    </message>
    <message>
        <source>Mark nodes</source>
        <translation>标出节点</translation>
    </message>
    <message>
        <source>Mark nodes of the graph by operator, node or tensor name, or by filters as in Find</source>
        <translation>按算子、节点或张量名称，或用与查找相同的筛选，标出图中节点</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>执行提供者</translation>
    </message>
    <message>
        <source>Colour by provider</source>
        <translation>按执行提供者着色</translation>
    </message>
    <message>
        <source>Save %1 as .npy …</source>
        <translation>将 %1 保存为 .npy……</translation>
    </message>
    <message>
        <source>Save the tensor</source>
        <translation>保存张量</translation>
    </message>
    <message>
        <source>NumPy arrays (*.npy)</source>
        <translation>NumPy 数组 (*.npy)</translation>
    </message>
    <message>
        <source>Save the selection as a model</source>
        <translation>将所选内容保存为模型</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX 模型 (*.onnx)</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>保存 %1</translation>
    </message>
    <message>
        <source>Write the selected node or group as a separate ONNX model</source>
        <translation>将所选节点或分组写成独立的 ONNX 模型</translation>
    </message>
    <message>
        <source>In columns</source>
        <translation>分栏</translation>
    </message>
    <message>
        <source>Draw what is much longer than wide in columns side by side</source>
        <translation>将远比宽度长的图分栏并排绘制</translation>
    </message>
    <message>
        <source>Choose a node or a tensor of the graph first.</source>
        <translation>请先在图中选择一个节点或张量。</translation>
    </message>
    <message>
        <source>%1 marked</source>
        <translation>已标记 %1 个</translation>
    </message>
    <message>
        <source>Mark what it is made of</source>
        <translation>标记其来源</translation>
    </message>
    <message>
        <source>Mark all nodes that the selected one depends on</source>
        <translation>标记所选节点依赖的所有节点</translation>
    </message>
    <message>
        <source>Mark what is made of it</source>
        <translation>标记其产物</translation>
    </message>
    <message>
        <source>Mark all nodes that depend on the selected one</source>
        <translation>标记依赖所选节点的所有节点</translation>
    </message>
    <message>
        <source>Mark what is near</source>
        <translation>标记邻近节点</translation>
    </message>
    <message>
        <source>Mark the nodes at most two tensors away from the selected one</source>
        <translation>标记与所选节点相距至多两个张量的节点</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Time per run of %1, on original nodes</source>
        <translation>%1 每次运行的时间，计在原始节点上</translation>
    </message>
    <message>
        <source>Share of this machine&apos;s peak, run of %1</source>
        <translation>占本机峰值的比例，%1 的运行</translation>
    </message>
    <message>
        <source>What was found is not drawn in this graph.</source>
        <translation>找到的内容没有画在此图中。</translation>
    </message>
    <message>
        <source>Difference of A and B, as a share of the largest element</source>
        <translation>A 与 B 的差异，占最大元素的比例</translation>
    </message>
    <message>
        <source>Colour by difference</source>
        <translation>按差异着色</translation>
    </message>
    <message>
        <source>%1: nothing is known of that yet. Run, quantize or compare the model first; then it is shown.</source>
        <translation>%1：尚无相关信息。请先运行、量化或比较模型，之后才会显示。</translation>
    </message>
    <message>
        <source>Look inside …</source>
        <translation>查看内部……</translation>
    </message>
    <message>
        <source>Select what is marked</source>
        <translation>选择已标记的节点</translation>
    </message>
    <message>
        <source>Select the nodes that a search or a command marked</source>
        <translation>选择由搜索或命令标记的节点</translation>
    </message>
    <message>
        <source>%1 · Ctrl+Z undoes it</source>
        <translation>%1 · Ctrl+Z 可撤销</translation>
    </message>
    <message>
        <source>Nothing is marked: search for nodes first.</source>
        <translation>没有标记：请先搜索节点。</translation>
    </message>
    <message>
        <source>Selected nodes: %1.</source>
        <translation>已选节点：%1。</translation>
    </message>
    <message>
        <source>Drag the end of a line at a node onto another line, a node or an input of the model.</source>
        <translation>请将连线在节点处的末端拖到另一条连线、一个节点或模型的输入上。</translation>
    </message>
    <message>
        <source>The node reads this line inside of its body.</source>
        <translation>该节点在其主体内部读取这条连线。</translation>
    </message>
    <message>
        <source>%1 selected; the Inspector shows the last one</source>
        <translation>已选择 %1 个；检查器显示最后一个</translation>
    </message>
    <message>
        <source>The edit is not done; the reason stands above.</source>
        <translation>编辑未执行；原因见上方。</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF 文档 (*.pdf)</translation>
    </message>
    <message>
        <source>Print the graph</source>
        <translation>打印计算图</translation>
    </message>
    <message>
        <source>Save the drawing as SVG, PDF or PNG</source>
        <translation>将图形保存为 SVG、PDF 或 PNG</translation>
    </message>
    <message>
        <source>Print …</source>
        <translation>打印……</translation>
    </message>
    <message>
        <source>Print the part of the graph that is seen</source>
        <translation>打印计算图的可见部分</translation>
    </message>
    <message>
        <source>Follow the data</source>
        <translation>沿数据查找</translation>
    </message>
    <message>
        <source>Mark what is between</source>
        <translation>标记两者之间的节点</translation>
    </message>
    <message>
        <source>Mark the nodes on the paths of data between the two selected ones</source>
        <translation>标记两个所选节点之间数据路径上的节点</translation>
    </message>
    <message>
        <source>Select two nodes first: click one, then the other with Shift held.</source>
        <translation>请先选择两个节点：单击一个，再按住 Shift 单击另一个。</translation>
    </message>
    <message>
        <source>No data flows between the two selected nodes.</source>
        <translation>两个所选节点之间没有数据流动。</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Show the part of the graph that was seen before</source>
        <translation>显示之前查看的计算图部分</translation>
    </message>
    <message>
        <source>Show the part of the graph that was left by Back</source>
        <translation>显示后退前查看的计算图部分</translation>
    </message>
    <message>
        <source>Bookmark</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Set or remove a bookmark at the selected nodes</source>
        <translation>在所选节点处设置或移除书签</translation>
    </message>
    <message>
        <source>Mark the bookmarks</source>
        <translation>标记书签</translation>
    </message>
    <message>
        <source>Mark the nodes with bookmarks; Enter in the search field steps through them</source>
        <translation>标记带书签的节点；在搜索框中按 Enter 可逐个查看</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Choose a node of the graph first.</source>
        <translation>请先选择计算图中的一个节点。</translation>
    </message>
    <message>
        <source>Bookmarks: %1</source>
        <translation>书签：%1</translation>
    </message>
    <message>
        <source>Laying out the graph …</source>
        <translation>正在布局……</translation>
    </message>
    <message>
        <source>Export graph …</source>
        <translation>导出计算图……</translation>
    </message>
    <message>
        <source>Save the selection as a model …</source>
        <translation>将所选内容保存为模型……</translation>
    </message>
    <message>
        <source>The graph could not be printed.</source>
        <translation>无法打印计算图。</translation>
    </message>
    <message>
        <source>There is no bookmark here yet; Places ▸ Bookmark sets one.</source>
        <translation>此处还没有书签；用“位置 ▸ 书签”设置。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GraphPair</name>
    <message>
        <source>C&amp;hanges only</source>
        <translation>仅看变化(&amp;H)</translation>
    </message>
    <message>
        <source>Ne&amp;xt difference</source>
        <translation>下一处差异(&amp;X)</translation>
    </message>
    <message>
        <source>Groups in which nothing differs stay closed</source>
        <translation>没有差异的组保持折叠</translation>
    </message>
    <message>
        <source>Go to the next node that only one of the two has, or that differs</source>
        <translation>转到下一个只在其中之一出现或有差异的节点</translation>
    </message>
    <message>
        <source>Graph of A</source>
        <translation>A 的图</translation>
    </message>
    <message>
        <source>Graph of B</source>
        <translation>B 的图</translation>
    </message>
    <message>
        <source>Draw A and B side by side</source>
        <translation>并排绘制 A 和 B</translation>
    </message>
    <message>
        <source>The drawing was cancelled.</source>
        <translation>绘制已取消。</translation>
    </message>
    <message>
        <source>A · %1</source>
        <translation>A · %1</translation>
    </message>
    <message>
        <source>B · %1</source>
        <translation>B · %1</translation>
    </message>
    <message>
        <source>Every node of A stands in B, with the same operator, attributes and weights.</source>
        <translation>A 的每个节点都在 B 中，算子、属性和权重均相同。</translation>
    </message>
    <message>
        <source>Lay out the graph</source>
        <translation>布局图</translation>
    </message>
    <message>
        <source>Nodes only in A: %1, only in B: %2. In both, with another operator, attribute or weight: %3.</source>
        <translation>仅在 A 中的节点：%1，仅在 B 中：%2。两者都有但算子、属性或权重不同：%3。</translation>
    </message>
    <message>
        <source>Laying out the graphs …</source>
        <translation>正在布局图……</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GraphSurgery</name>
    <message>
        <source>removed: %1</source>
        <translation>移除：%1</translation>
    </message>
    <message>
        <source>added: %1</source>
        <translation>新增：%1</translation>
    </message>
    <message>
        <source>changed: %1</source>
        <translation>更改：%1</translation>
    </message>
    <message>
        <source>%1 (nodes %2)</source>
        <translation>%1（节点 %2）</translation>
    </message>
    <message>
        <source>show it without a level</source>
        <translation>不带级别显示</translation>
    </message>
    <message>
        <source>The edit before is still being made.</source>
        <translation>上一次编辑仍在进行。</translation>
    </message>
    <message>
        <source>The model that is edited is not made yet.</source>
        <translation>要编辑的模型尚未生成。</translation>
    </message>
    <message>
        <source>Try %1</source>
        <translation>尝试 %1</translation>
    </message>
    <message>
        <source>the model is not valid then: %1: %2</source>
        <translation>之后模型无效：%1：%2</translation>
    </message>
    <message>
        <source>It is not done, because %1</source>
        <translation>未执行，因为%1</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>edit: %1</source>
        <translation>编辑：%1</translation>
    </message>
    <message>
        <source>%1 was made by level %2 from: %3. Show the graph without its level to edit those, or write lines for what the level makes in Model › Edit ….</source>
        <translation>%1 由级别 %2 从以下节点生成：%3。请不带级别显示图后再编辑它们，或在“模型 › 编辑……”中为级别所生成的模型写行。</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>没有打开模型。</translation>
    </message>
    <message>
        <source>A quantized model is not edited by hand: show the graph without its level, edit that, then quantize it.</source>
        <translation>量化后的模型不能手动编辑：请不带级别显示图，编辑后再量化。</translation>
    </message>
    <message>
        <source>The graph without its level is not made yet: show it first.</source>
        <translation>不带级别的图尚未生成：请先显示它。</translation>
    </message>
    <message>
        <source>This value was made by a level. Show the graph without its level to edit what it stands for.</source>
        <translation>该值由某个级别生成。请不带级别显示图后再编辑它所代表的内容。</translation>
    </message>
    <message>
        <source>Select nodes of one graph: of the main graph, or of one body.</source>
        <translation>请选择同一个图中的节点：主图或某一个主体。</translation>
    </message>
    <message>
        <source>Show the graph without its level to edit bodies.</source>
        <translation>请不带级别显示图后再编辑主体。</translation>
    </message>
    <message>
        <source>This body cannot be edited by hand.</source>
        <translation>该主体不能手动编辑。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GraphTable</name>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>No node fits.</source>
        <translation>没有符合的节点。</translation>
    </message>
    <message>
        <source>The edit is not done</source>
        <translation>编辑未执行</translation>
    </message>
</context>
<context>
    <name>lapidary::views::GuardPanel</name>
    <message>
        <source>Relative tolerance</source>
        <translation>相对容差</translation>
    </message>
    <message>
        <source>Absolute tolerance</source>
        <translation>绝对容差</translation>
    </message>
    <message>
        <source>Outputs compared</source>
        <translation>比较的输出</translation>
    </message>
    <message>
        <source>How many sets of generated inputs both models run on</source>
        <translation>两个模型各用多少组生成的输入运行</translation>
    </message>
    <message>
        <source>Sets of inputs</source>
        <translation>输入组数</translation>
    </message>
    <message>
        <source>&amp;Relative tolerance</source>
        <translation>相对容差(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Absolute tolerance</source>
        <translation>绝对容差(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Sets of inputs</source>
        <translation>输入组数(&amp;S)</translation>
    </message>
    <message>
        <source>Compare %1 with the original</source>
        <translation>将 %1 与原始模型比较</translation>
    </message>
    <message>
        <source>The comparison was cancelled.</source>
        <translation>比较已取消。</translation>
    </message>
    <message>
        <source>The original does not run: %1</source>
        <translation>原始模型无法运行：%1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Run both and compare</source>
        <translation>运行两者并比较</translation>
    </message>
    <message>
        <source>Not compared yet.</source>
        <translation>尚未比较。</translation>
    </message>
    <message>
        <source>The original needs no proof. Choose a level above.</source>
        <translation>原始模型无需验证。请在上方选择级别。</translation>
    </message>
    <message>
        <source>Running both models …</source>
        <translation>正在运行两个模型……</translation>
    </message>
    <message>
        <source>✕ The variant did not run: %1</source>
        <translation>✕ 变体无法运行：%1</translation>
    </message>
    <message numerus="yes">
        <source>✓ All %n outputs agree within tolerance; the largest difference is %1.</source>
        <translation>
            <numerusform>✓ 全部 %n 个输出在容差内一致；最大差异为 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>✕ The outputs differ beyond the tolerance; the largest difference is %1.</source>
        <translation>✕ 输出差异超出容差；最大差异为 %1。</translation>
    </message>
    <message>
        <source>A run took %1, the original %2 (one look, not a measurement).</source>
        <translation>一次运行用时 %1，原始模型 %2（仅供参考，并非测量）。</translation>
    </message>
    <message>
        <source>The variant keeps float32 where the original rounds to float16 (drop_rounding_casts). These roundings move outputs by up to %1; twice that was allowed.</source>
        <translation>原始模型舍入到 float16 之处，此变体保持 float32（drop_rounding_casts）。这些舍入使输出最多偏移 %1；允许其两倍的差异。</translation>
    </message>
    <message numerus="yes">
        <source>%n output(s) were dropped on request.</source>
        <translation>
            <numerusform>按要求省略了 %n 个输出。</numerusform>
        </translation>
    </message>
    <message>
        <source>Each output gets a line here.</source>
        <translation>每个输出在此占一行。</translation>
    </message>
    <message>
        <source>In another order of its sums the original itself moves outputs by up to %1; twice that was allowed.</source>
        <translation>换一种求和顺序时，原模型自身的输出最多变动 %1；允许其两倍。</translation>
    </message>
    <message>
        <source>Runs the original and the variant on the same inputs, those given on the Run page and generated ones, and compares every output</source>
        <translation>用相同输入（“运行”页给出的和生成的）运行原模型与变体，并比较每个输出</translation>
    </message>
    <message>
        <source>✓ All outputs agree within tolerance; the largest difference is %1.</source>
        <translation>✓ 所有输出在容差内一致；最大差异为 %1。</translation>
    </message>
    <message>
        <source>Found before; run both again to see each output.</source>
        <translation>先前得出；再次运行两者可查看每个输出。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::HeatMapModel</name>
    <message>
        <source>no base</source>
        <translation>无基准</translation>
    </message>
    <message>
        <source>measuring …</source>
        <translation>正在测量……</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>省略</translation>
    </message>
    <message>
        <source>~ %1</source>
        <translation>~ %1</translation>
    </message>
    <message>
        <source>fewest threads first</source>
        <translation>线程最少者在前</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>Number %1 in the queue</source>
        <translation>队列中第 %1 个</translation>
    </message>
    <message>
        <source>The best of %1 settings that differ in what is on neither axis</source>
        <translation>在不属于两轴的方面不同的 %1 种设置中最好的一种</translation>
    </message>
    <message>
        <source>%1, recommended</source>
        <translation>%1，推荐</translation>
    </message>
    <message>
        <source>%1, in the queue</source>
        <translation>%1，排队中</translation>
    </message>
    <message>
        <source>%1, not measured</source>
        <translation>%1，未测量</translation>
    </message>
    <message>
        <source>%1: %2; more than this machine&apos;s %3 cores</source>
        <translation>%1：%2；多于此机器的 %3 个核</translation>
    </message>
    <message>
        <source>As fast as the recommended setting, known to within 5 %</source>
        <translation>与推荐设置一样快（精确到 5% 以内）</translation>
    </message>
    <message>
        <source>Cannot be told apart from the recommended setting: the intervals are too wide</source>
        <translation>无法与推荐设置区分：区间太宽</translation>
    </message>
</context>
<context>
    <name>lapidary::views::HeatMapView</name>
    <message>
        <source>Heat map of settings</source>
        <translation>设置热图</translation>
    </message>
    <message>
        <source>Arrow keys move, the space bar puts a setting on the queue, Enter measures it</source>
        <translation>方向键移动，空格键加入队列，回车键测量</translation>
    </message>
    <message>
        <source>&amp;Measure now</source>
        <translation>立即测量(&amp;M)</translation>
    </message>
    <message>
        <source>Put on the &amp;queue</source>
        <translation>加入队列(&amp;Q)</translation>
    </message>
    <message>
        <source>Take &amp;off the queue</source>
        <translation>移出队列(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Apply this setting</source>
        <translation>应用此设置(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Export as CSV …</source>
        <translation>导出为 CSV(&amp;E)……</translation>
    </message>
</context>
<context>
    <name>lapidary::views::HelpMenu</name>
    <message>
        <source>Help on this &amp;page</source>
        <translation>本页帮助(&amp;P)</translation>
    </message>
    <message>
        <source>What this page shows and does</source>
        <translation>此页面显示什么、能做什么</translation>
    </message>
    <message>
        <source>&amp;Contents</source>
        <translation>目录(&amp;C)</translation>
    </message>
    <message>
        <source>Tutorial, pages, how-tos, command line, passes, formats</source>
        <translation>教程、页面、操作指南、命令行、优化遍、格式</translation>
    </message>
    <message>
        <source>&amp;Look for a newer version …</source>
        <translation>检查新版本(&amp;L)……</translation>
    </message>
    <message>
        <source>At each start: whether a file that you choose names a newer version. No network is used</source>
        <translation>每次启动时：查看您指定的文件是否提到新版本。不使用网络</translation>
    </message>
    <message>
        <source>File that names the newest version</source>
        <translation>写有最新版本的文件</translation>
    </message>
    <message>
        <source>Changelogs and texts (*.md *.txt)</source>
        <translation>更新日志和文本 (*.md *.txt)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Look for a newer version</source>
        <translation>检查新版本</translation>
    </message>
    <message>
        <source>Lapidary %1 is there</source>
        <translation>Lapidary %1 已发布</translation>
    </message>
    <message>
        <source>This is %1; %2 names the newer one.</source>
        <translation>当前版本为 %1；信息来自 %2。</translation>
    </message>
    <message>
        <source>Whether there is a newer version could not be found out</source>
        <translation>无法确定是否有新版本</translation>
    </message>
    <message>
        <source>&amp;Glossary</source>
        <translation>术语表(&amp;G)</translation>
    </message>
    <message>
        <source>Words of the field and of this program</source>
        <translation>本领域和本程序的术语</translation>
    </message>
    <message>
        <source>What is the &amp;focused control?</source>
        <translation>当前焦点控件是什么(&amp;F)？</translation>
    </message>
    <message>
        <source>What the control with the keyboard is for</source>
        <translation>拥有键盘焦点的控件的用途</translation>
    </message>
    <message>
        <source>&amp;What&apos;s this?</source>
        <translation>这是什么(&amp;W)？</translation>
    </message>
    <message>
        <source>Click on anything to read what it is for</source>
        <translation>点击任意处了解其用途</translation>
    </message>
</context>
<context>
    <name>lapidary::views::HelpWindow</name>
    <message>
        <source>Lapidary Help</source>
        <translation>Lapidary 帮助</translation>
    </message>
    <message>
        <source>Pages of the help</source>
        <translation>帮助页面</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Find on this page</source>
        <translation>在本页中查找</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Search all pages (Ctrl+K)</source>
        <translation>搜索所有页面（Ctrl+K）</translation>
    </message>
    <message>
        <source>Search all pages</source>
        <translation>搜索所有页面</translation>
    </message>
    <message>
        <source>No page has all of these words.</source>
        <translation>没有页面包含所有这些词。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::HistogramView</name>
    <message>
        <source>Distribution of the values</source>
        <translation>数值分布</translation>
    </message>
    <message>
        <source>At most %1 values in a bar</source>
        <translation>每条最多 %1 个值</translation>
    </message>
    <message>
        <source>nothing to show</source>
        <translation>无可显示</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>从 %1 到 %2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::IcicleView</name>
    <message>
        <source>Time by scope</source>
        <translation>按作用域列出的时间</translation>
    </message>
    <message>
        <source>Arrow keys walk, Return zooms into a scope or shows a node in the graph, Backspace zooms out. The table lists the same figures.</source>
        <translation>方向键移动，回车键进入作用域或在图中显示节点，退格键返回上层。表格列出相同数据。</translation>
    </message>
    <message>
        <source>%1 · %2: %3, %4 of the time in kernels</source>
        <translation>%1 · %2：%3，占内核时间的 %4</translation>
    </message>
    <message>
        <source>All nodes</source>
        <translation>所有节点</translation>
    </message>
    <message>
        <source>All nodes · %1</source>
        <translation>所有节点 · %1</translation>
    </message>
    <message>
        <source>No kernel ran in the selected range.</source>
        <translation>所选范围内没有内核运行。</translation>
    </message>
    <message>
        <source>%1: %2, %3 of the time in kernels; nodes: %4</source>
        <translation>%1：%2，占内核时间的 %3；节点：%4</translation>
    </message>
</context>
<context>
    <name>lapidary::views::InputField</name>
    <message>
        <source>%1 (reads %2)</source>
        <translation>%1（读取 %2）</translation>
    </message>
</context>
<context>
    <name>lapidary::views::InputsDrawer</name>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>generated</source>
        <translation>生成的</translation>
    </message>
    <message>
        <source>the text below</source>
        <translation>下面的文本</translation>
    </message>
    <message>
        <source>Inputs of the model</source>
        <translation>模型的输入</translation>
    </message>
    <message>
        <source>Add files …</source>
        <translation>添加文件……</translation>
    </message>
    <message>
        <source>File for this input …</source>
        <translation>此输入的文件……</translation>
    </message>
    <message>
        <source>Generate this one</source>
        <translation>生成此输入</translation>
    </message>
    <message>
        <source>Generate all</source>
        <translation>全部生成</translation>
    </message>
    <message>
        <source>Looking at the inputs …</source>
        <translation>正在查看输入……</translation>
    </message>
    <message>
        <source>Te&amp;xt</source>
        <translation>文本(&amp;X)</translation>
    </message>
    <message>
        <source>Text that becomes tokens</source>
        <translation>将转为词元的文本</translation>
    </message>
    <message>
        <source>A sentence; a vocabulary turns it into tokens</source>
        <translation>一句话；词表将其转为词元</translation>
    </message>
    <message>
        <source>Arrays (.npy, .npz), values of ONNX test data (.pb), pictures, a text or a vocabulary (.txt): each goes to the input that it fits; recorded outputs are compared with. Files and folders can be dropped on this page too.</source>
        <translation>数组（.npy、.npz）、ONNX 测试数据（.pb）、图片、文本或词表（.txt）：各自归到适合的输入；记录的输出用于比较。也可将文件和文件夹拖到本页。</translation>
    </message>
    <message>
        <source>inputs: text</source>
        <translation>输入：文本</translation>
    </message>
    <message>
        <source>inputs: generated</source>
        <translation>输入：生成</translation>
    </message>
    <message>
        <source>inputs: %1 of %2 given</source>
        <translation>输入：给出 %1/%2</translation>
    </message>
    <message>
        <source>&amp;Vocabulary …</source>
        <translation>词表(&amp;V)……</translation>
    </message>
    <message>
        <source>&amp;Vocabulary: %1</source>
        <translation>词表(&amp;V)：%1</translation>
    </message>
    <message>
        <source>Outputs are compared with %1 recorded ones of %2.</source>
        <translation>输出将与 %2 中的 %1 个记录比较。</translation>
    </message>
    <message>
        <source>The text needs a vocabulary: a file with a token per line.</source>
        <translation>文本需要词表：每行一个词元的文件。</translation>
    </message>
    <message>
        <source>As the model sees it: its values from the least to the largest</source>
        <translation>模型看到的样子：数值从最小到最大</translation>
    </message>
    <message>
        <source>Input %1 as a picture</source>
        <translation>输入 %1 的图像</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Inputs (*.npy *.npz *.pb *.png *.jpg *.jpeg *.txt)</source>
        <translation>输入 (*.npy *.npz *.pb *.png *.jpg *.jpeg *.txt)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>File for input %1</source>
        <translation>输入 %1 的文件</translation>
    </message>
    <message>
        <source>Arrays and pictures (*.npy *.npz *.pb *.png *.jpg *.jpeg)</source>
        <translation>数组和图片 (*.npy *.npz *.pb *.png *.jpg *.jpeg)</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Tokenizer, or a token per line (*.json *.txt)</source>
        <translation>分词器，或每行一个词元 (*.json *.txt)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::InspectorPanel</name>
    <message>
        <source>Edited by</source>
        <translation>编辑来源</translation>
    </message>
    <message>
        <source>(unnamed)</source>
        <translation>（未命名）</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Details of the selection</source>
        <translation>所选项的详情</translation>
    </message>
    <message>
        <source>Open a model to see what it is made of.</source>
        <translation>打开模型，查看它的组成。</translation>
    </message>
    <message>
        <source>Count values</source>
        <translation>统计数值</translation>
    </message>
    <message>
        <source>, … (%1 in all)</source>
        <translation>，……（共 %1 个）</translation>
    </message>
    <message>
        <source>sparse %1</source>
        <translation>稀疏 %1</translation>
    </message>
    <message>
        <source>graph of %1</source>
        <translation>含 %1 的图</translation>
    </message>
    <message>
        <source>the caller&apos;s attribute %1</source>
        <translation>调用者的属性 %1</translation>
    </message>
    <message>
        <source>list of %1</source>
        <translation>%1 的列表</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>What is it</source>
        <translation>这是什么</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>By type</source>
        <translation>按类型</translation>
    </message>
    <message>
        <source>Opsets</source>
        <translation>算子集</translation>
    </message>
    <message>
        <source>Functions</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more kinds</source>
        <translation>
            <numerusform>……以及另外 %n 种</numerusform>
        </translation>
    </message>
    <message>
        <source>Where did it come from</source>
        <translation>它从哪里来</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source> and %1 beside it</source>
        <translation>，另有 %1 在旁边的文件中</translation>
    </message>
    <message>
        <source>Producer</source>
        <translation>生成工具</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>ONNX IR %1</source>
        <translation>ONNX IR %1</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>域</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>What does it cost</source>
        <translation>开销多少</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Not measured yet. Run the model (F5) to see times and memory.</source>
        <translation>尚未测量。运行模型 (F5) 即可查看时间和内存。</translation>
    </message>
    <message>
        <source>Can it be changed</source>
        <translation>能否改动</translation>
    </message>
    <message>
        <source>Every operator can run here. What else could be better about the model is on the Checklist page.</source>
        <translation>所有算子都能在此运行。模型还有哪些可改进之处，见“检查清单”页。</translation>
    </message>
    <message>
        <source>The Problems panel lists all of them.</source>
        <translation>“问题”面板列出了全部条目。</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>……以及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>left out</source>
        <translation>省略</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>from</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>from the graph around</source>
        <translation>来自外层图</translation>
    </message>
    <message>
        <source>graph input</source>
        <translation>图输入</translation>
    </message>
    <message>
        <source>None.</source>
        <translation>无。</translation>
    </message>
    <message>
        <source>not wanted</source>
        <translation>不需要</translation>
    </message>
    <message>
        <source>, … %1 in all</source>
        <translation>，……共 %1 个</translation>
    </message>
    <message>
        <source>to</source>
        <translation>去往</translation>
    </message>
    <message>
        <source>graph output</source>
        <translation>图输出</translation>
    </message>
    <message>
        <source>Not measured yet. Run the model (F5) to see its time.</source>
        <translation>尚未测量。运行模型 (F5) 即可查看耗时。</translation>
    </message>
    <message>
        <source>Times of nodes inside bodies are part of the node that owns the body.</source>
        <translation>子图内节点的时间计入拥有该子图的节点。</translation>
    </message>
    <message>
        <source>It did not run: its result was known before.</source>
        <translation>它没有运行：结果事先已知。</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>(%1 of the run)</source>
        <translation>（占运行的 %1）</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用次数</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Not used</source>
        <translation>未使用</translation>
    </message>
    <message>
        <source>It cannot run here: %1</source>
        <translation>它无法在此运行：%1</translation>
    </message>
    <message>
        <source>All its inputs are constants, so it could be computed ahead of the run.</source>
        <translation>它的所有输入都是常量，可以在运行前算好。</translation>
    </message>
    <message>
        <source>Nobody reads what it computes, so it could be removed.</source>
        <translation>没有谁读取它的结果，可以删除。</translation>
    </message>
    <message>
        <source>It only passes its input on, so it could be left out.</source>
        <translation>它只是把输入原样传下去，可以省去。</translation>
    </message>
    <message>
        <source>Its result is read once, so it may be merged with the reader.</source>
        <translation>它的结果只被读取一次，可以与读取者合并。</translation>
    </message>
    <message>
        <source>Nothing stands out: it runs, its result is needed, and it depends on the inputs.</source>
        <translation>没有特别之处：它会运行，结果被使用，并依赖于输入。</translation>
    </message>
    <message>
        <source>This node is no longer part of the graph.</source>
        <translation>该节点已不在图中。</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Opset</source>
        <translation>算子集</translation>
    </message>
    <message>
        <source>not imported</source>
        <translation>未导入</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Overload</source>
        <translation>重载</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>node %1 of %2 in %3</source>
        <translation>%3 中第 %1 个节点，共 %2 个</translation>
    </message>
    <message>
        <source>a body</source>
        <translation>子图</translation>
    </message>
    <message>
        <source>… %1 in all</source>
        <translation>……共 %1 个</translation>
    </message>
    <message>
        <source>Stands for</source>
        <translation>代表</translation>
    </message>
    <message>
        <source>Source line</source>
        <translation>源代码行</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Graph input with a default</source>
        <translation>带默认值的图输入</translation>
    </message>
    <message>
        <source>Graph input</source>
        <translation>图输入</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>Result of a node</source>
        <translation>节点的结果</translation>
    </message>
    <message>
        <source>Read from the graph around</source>
        <translation>从外层图读取</translation>
    </message>
    <message>
        <source>Not written yet</source>
        <translation>尚未写入</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零的个数</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Infinite</source>
        <translation>无穷</translation>
    </message>
    <message>
        <source>Histogram of the values</source>
        <translation>数值直方图</translation>
    </message>
    <message>
        <source>First values</source>
        <translation>前几个值</translation>
    </message>
    <message>
        <source>This tensor is no longer part of the graph.</source>
        <translation>该张量已不在图中。</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Denotation</source>
        <translation>语义标注</translation>
    </message>
    <message>
        <source>No statistics for this element type.</source>
        <translation>此元素类型没有统计信息。</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>由谁产生</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>in the model</source>
        <translation>在模型中</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>在 %1 中</translation>
    </message>
    <message>
        <source>Given</source>
        <translation>给定</translation>
    </message>
    <message>
        <source>Declared</source>
        <translation>声明</translation>
    </message>
    <message>
        <source>in the file</source>
        <translation>在文件中</translation>
    </message>
    <message>
        <source>no: its type was inferred</source>
        <translation>否：类型由推断得出</translation>
    </message>
    <message>
        <source>… %1 readers in all</source>
        <translation>……共 %1 个读取者</translation>
    </message>
    <message>
        <source>Read by</source>
        <translation>读取者</translation>
    </message>
    <message>
        <source>Read inside</source>
        <translation>在内部读取</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>of the graph</source>
        <translation>整个图的</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>%1 at offset %2 of the arena</source>
        <translation>%1，位于内存区偏移 %2</translation>
    </message>
    <message>
        <source>Alive</source>
        <translation>存活</translation>
    </message>
    <message>
        <source>from step %1 to step %2</source>
        <translation>从第 %1 步到第 %2 步</translation>
    </message>
    <message>
        <source>%1 for as long as the model is open</source>
        <translation>%1，模型打开期间一直占用</translation>
    </message>
    <message>
        <source>It has no place of its own in the memory plan.</source>
        <translation>它在内存规划中没有自己的位置。</translation>
    </message>
    <message>
        <source>Not measured yet. Run the model (F5) to see its place in memory.</source>
        <translation>尚未测量。运行模型 (F5) 即可查看它在内存中的位置。</translation>
    </message>
    <message>
        <source>Nobody reads it, so it could be removed.</source>
        <translation>没有谁读取它，可以删除。</translation>
    </message>
    <message>
        <source>It is stored, not computed: what depends on constants alone can be computed ahead of the run.</source>
        <translation>它是存储的而不是计算的：只依赖常量的内容可以在运行前算好。</translation>
    </message>
    <message>
        <source>It is read once; its writer and its reader may be merged.</source>
        <translation>它只被读取一次；写入者与读取者可以合并。</translation>
    </message>
    <message>
        <source>It is read in more than one place or is a result of the model, so it has to exist.</source>
        <translation>它被多处读取或是模型的结果，必须存在。</translation>
    </message>
    <message>
        <source>Passport</source>
        <translation>通行证</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Needs</source>
        <translation>需要</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>优化遍</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>SHA-256 of the data</source>
        <translation>数据的 SHA-256</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>内存布局</translation>
    </message>
    <message>
        <source>An export for this CPU lays it out anew.</source>
        <translation>面向此 CPU 的导出会重新布局。</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>运行于</translation>
    </message>
    <message>
        <source>Not on %1</source>
        <translation>不在 %1 上</translation>
    </message>
    <message>
        <source>because %1</source>
        <translation>因为：%1</translation>
    </message>
    <message>
        <source>In its place</source>
        <translation>代替它的</translation>
    </message>
    <message>
        <source>ran on the reference kernel: %1</source>
        <translation>在参考内核上运行：%1</translation>
    </message>
    <message>
        <source>(%1 of %2 calls)</source>
        <translation>（%2 次调用中的 %1 次）</translation>
    </message>
    <message>
        <source>Why not?</source>
        <translation>为什么不？</translation>
    </message>
    <message>
        <source>No level was tried: the Optimize page shows which passes take it and which do not.</source>
        <translation>尚未尝试任何级别：“优化”页会说明哪些优化遍采用它，哪些不采用。</translation>
    </message>
    <message>
        <source>took it, step %1 of %2</source>
        <translation>采用了它，%2 的第 %1 步</translation>
    </message>
    <message>
        <source>matched so far:</source>
        <translation>已匹配：</translation>
    </message>
    <message>
        <source>No pass of %1 took it, and none came near: no pattern has it.</source>
        <translation>%1 的优化遍都未采用它，也没有接近的：没有模式包含它。</translation>
    </message>
    <message>
        <source>Save the tensor</source>
        <translation>保存张量</translation>
    </message>
    <message>
        <source>NumPy arrays (*.npy)</source>
        <translation>NumPy 数组 (*.npy)</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>保存 %1</translation>
    </message>
    <message>
        <source>Save as .npy …</source>
        <translation>另存为 .npy……</translation>
    </message>
    <message>
        <source>(profiled)</source>
        <translation>（剖析）</translation>
    </message>
    <message>
        <source>convert to a newer opset</source>
        <translation>转换到更新的 opset</translation>
    </message>
    <message>
        <source>fix the free dimensions</source>
        <translation>固定自由维度</translation>
    </message>
    <message>
        <source>leave out outputs that are not needed</source>
        <translation>去掉无人需要的输出</translation>
    </message>
    <message>
        <source>mark them</source>
        <translation>标出它们</translation>
    </message>
    <message>
        <source>What may help:</source>
        <translation>可能有用的办法：</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>Activations held</source>
        <translation>占用的激活内存</translation>
    </message>
    <message>
        <source>Planned block</source>
        <translation>规划的内存块</translation>
    </message>
    <message>
        <source>The model is not valid and cannot run.</source>
        <translation>模型无效，无法运行。</translation>
    </message>
    <message>
        <source>In a session</source>
        <translation>在会话中</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s), after its own passes</source>
        <translation>
            <numerusform>%n 个节点（经会话自身的处理之后）</numerusform>
        </translation>
    </message>
    <message>
        <source>Together</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>%1 nodes of the model as opened in one kernel, %2</source>
        <translation>已打开模型的 %1 个节点合在一个内核中，%2</translation>
    </message>
    <message>
        <source>It makes the model invalid: nothing of it runs before that is put right.</source>
        <translation>它使模型无效：修正之前整个模型都无法运行。</translation>
    </message>
    <message>
        <source>Nothing stands out about this node; the model does not run for another&apos;s sake.</source>
        <translation>此节点没有异常；模型因另一个节点而无法运行。</translation>
    </message>
    <message>
        <source>Unprofiled</source>
        <translation>未剖析</translation>
    </message>
    <message>
        <source>Run the model (F5) to see where the time goes.</source>
        <translation>运行模型 (F5) 即可查看时间花在哪里。</translation>
    </message>
    <message>
        <source>Look inside …</source>
        <translation>查看内部……</translation>
    </message>
    <message>
        <source>Edits</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edits after the level</source>
        <translation>级别之后的编辑</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>None of its nodes ran: their results were known before.</source>
        <translation>其中没有节点运行：它们的结果事先已知。</translation>
    </message>
    <message>
        <source>Slowest nodes</source>
        <translation>最慢的节点</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 个参数</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <source>and %n of unknown size</source>
        <translation>
            <numerusform>以及 %n 个大小未知的</numerusform>
        </translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Results are all that its nodes compute in a run, one after the other. How much of that is held at once is on the Memory page.</source>
        <translation>结果是其节点在一次运行中先后计算出的全部数据。同时占用多少内存，请见“内存”页。</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>包含</translation>
    </message>
    <message>
        <source>In</source>
        <translation>位于</translation>
    </message>
    <message>
        <source>Groups in it</source>
        <translation>其中的组</translation>
    </message>
    <message>
        <source>Counting …</source>
        <translation>正在统计……</translation>
    </message>
</context>
<context>
    <name>lapidary::views::JoinFields</name>
    <message>
        <source>Models (*.onnx)</source>
        <translation>模型 (*.onnx)</translation>
    </message>
    <message>
        <source>Connect equal names</source>
        <translation>连接相同名称</translation>
    </message>
    <message>
        <source>Input of the file</source>
        <translation>文件的输入</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Output of this model</source>
        <translation>本模型的输出</translation>
    </message>
    <message>
        <source>Stands before all names of the file, where both models have one</source>
        <translation>当两个模型有相同名称时，加在文件中所有名称之前</translation>
    </message>
    <message>
        <source>Reading the file …</source>
        <translation>正在读取文件……</translation>
    </message>
    <message>
        <source>Look at %1</source>
        <translation>查看 %1</translation>
    </message>
    <message>
        <source>Output for %1</source>
        <translation>%1 对应的输出</translation>
    </message>
    <message>
        <source>stays an input</source>
        <translation>仍为输入</translation>
    </message>
    <message>
        <source>Outputs and inputs of equal names are connected.</source>
        <translation>名称相同的输出与输入将被连接。</translation>
    </message>
    <message>
        <source>No input of the file has the name of an output: choose pairs.</source>
        <translation>文件没有与输出同名的输入：请选择配对。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::KeptRuns</name>
    <message>
        <source>Median of %1 runs; with 95 % confidence between %2 and %3</source>
        <translation>%1 次运行的中位数；95 % 置信度下介于 %2 与 %3 之间</translation>
    </message>
    <message>
        <source>profile</source>
        <translation>性能分析</translation>
    </message>
    <message>
        <source>measurement</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Runs kept by the project</source>
        <translation>项目保存的运行</translation>
    </message>
    <message>
        <source>Every run leaves a line here, saved with the project. Press F5.</source>
        <translation>每次运行在此留下一行，随项目保存。按 F5。</translation>
    </message>
    <message>
        <source>Most bytes held for activations at once</source>
        <translation>同时为激活占用的最大字节数</translation>
    </message>
</context>
<context>
    <name>lapidary::views::KeyEditor</name>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Usual key</source>
        <translation>默认按键</translation>
    </message>
    <message>
        <source>All usual keys</source>
        <translation>全部默认按键</translation>
    </message>
    <message>
        <source>New key of the selected command</source>
        <translation>所选命令的新按键</translation>
    </message>
    <message>
        <source>Press the new key here; nothing in it: the command has no key</source>
        <translation>在此按下新按键；留空：该命令没有按键</translation>
    </message>
    <message>
        <source>The selected command gets the key in the field, for good</source>
        <translation>所选命令从此使用框中的按键</translation>
    </message>
    <message>
        <source>The selected command gets the key back that it has at first</source>
        <translation>所选命令恢复最初的按键</translation>
    </message>
    <message>
        <source>All commands get the keys back that they have at first</source>
        <translation>所有命令恢复最初的按键</translation>
    </message>
    <message>
        <source>The key of this command is fixed</source>
        <translation>此命令的按键是固定的</translation>
    </message>
    <message>
        <source>Select a command to change its key</source>
        <translation>选择一个命令以更改其按键</translation>
    </message>
</context>
<context>
    <name>lapidary::views::LayerPanel</name>
    <message>
        <source>SQNR from input to output</source>
        <translation>从输入到输出的 SQNR</translation>
    </message>
    <message>
        <source>SQNR of each node</source>
        <translation>每个节点的 SQNR</translation>
    </message>
    <message>
        <source>After quantizing, every node is a point here, from input to output.</source>
        <translation>量化之后，每个节点在此是一个点，从输入到输出排列。</translation>
    </message>
    <message>
        <source>Node, from input to output</source>
        <translation>节点，从输入到输出</translation>
    </message>
    <message>
        <source>SQNR, dB</source>
        <translation>SQNR，dB</translation>
    </message>
    <message>
        <source>After quantizing, every node stands here with how far its result is off.</source>
        <translation>量化之后，每个节点及其结果的偏差列在此处。</translation>
    </message>
    <message>
        <source>Nothing was quantized yet.</source>
        <translation>尚未进行量化。</translation>
    </message>
    <message>
        <source>Lowest: %1 with %2. A fall from one node to the next is where it is lost; double-click a row to see the node in the graph.</source>
        <translation>最低：%1，%2。从一个节点到下一个节点的下降处就是精度损失之处；双击一行可在图中查看该节点。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::LayoutNotice</name>
    <message>
        <source>Progress of the layout</source>
        <translation>布局进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel the layout</source>
        <translation>取消布局</translation>
    </message>
</context>
<context>
    <name>lapidary::views::LevelCard</name>
    <message>
        <source>no change</source>
        <translation>没有变化</translation>
    </message>
    <message>
        <source>as opened</source>
        <translation>打开时的模型</translation>
    </message>
    <message numerus="yes">
        <source>%1: %2, %n rewrite(s) by %3 of %4 passes in %5.</source>
        <translation>
            <numerusform>%1：%2，%3 / %4 个优化遍作了 %n 次改写，用时 %5。</numerusform>
        </translation>
    </message>
    <message>
        <source>Optimizing …</source>
        <translation>正在优化……</translation>
    </message>
    <message>
        <source>It failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Waiting …</source>
        <translation>等待中……</translation>
    </message>
    <message>
        <source>measuring …</source>
        <translation>正在测量……</translation>
    </message>
    <message>
        <source>guard ✓</source>
        <translation>校验 ✓</translation>
    </message>
    <message>
        <source>guard ✗</source>
        <translation>校验 ✗</translation>
    </message>
    <message>
        <source>planning …</source>
        <translation>规划中……</translation>
    </message>
    <message>
        <source>in force</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>%1: %2, no pass applied.</source>
        <translation>%1：%2，未应用任何优化遍。</translation>
    </message>
    <message>
        <source>Median of %1 runs (threads: %2); 95 % interval %3 to %4.</source>
        <translation>%1 次运行的中位数（线程：%2）；95 % 区间 %3 至 %4。</translation>
    </message>
    <message>
        <source>The memory could not be planned: %1</source>
        <translation>无法规划内存：%1</translation>
    </message>
    <message>
        <source>Sizes that only a run shows count as nothing.</source>
        <translation>只有运行才知道的大小不计入。</translation>
    </message>
    <message>
        <source>With %1.</source>
        <translation>使用 %1。</translation>
    </message>
    <message>
        <source>The guard found its results the same as the original&apos;s.</source>
        <translation>校验确认其结果与原模型相同。</translation>
    </message>
    <message>
        <source>The guard found other results than the original&apos;s.</source>
        <translation>校验发现其结果与原模型不同。</translation>
    </message>
    <message>
        <source>In force: all pages are of it.</source>
        <translation>当前：所有页面均针对它。</translation>
    </message>
    <message>
        <source>Press it to put it in force: Graph, Run, Memory, Tune and exports are of it then.</source>
        <translation>按下即设为当前：此后图、运行、内存、调优和导出均针对它。</translation>
    </message>
    <message>
        <source>preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>press Measure</source>
        <translation>请按“测量”</translation>
    </message>
    <message>
        <source>profiled</source>
        <translation>剖析</translation>
    </message>
    <message>
        <source>Median of %1 profiled runs (threads: %2); 95 % interval %3 to %4.</source>
        <translation>%1 次剖析运行的中位数（线程：%2）；95 % 区间 %3 至 %4。</translation>
    </message>
    <message>
        <source>runs at level %1</source>
        <translation>按级别 %1 运行</translation>
    </message>
    <message>
        <source>%1 weights · process %2</source>
        <translation>权重 %1 · 进程 %2</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>进程 %1</translation>
    </message>
    <message>
        <source>%1 weights</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>A session runs %1, after passes of its own that no file holds.</source>
        <translation>会话运行 %1，经过不会写入文件的自身处理。</translation>
    </message>
    <message>
        <source>Process while it runs, as the Memory page shows it: %1; activations planned: %2.</source>
        <translation>运行时的进程内存（与“内存”页一致）：%1；规划的激活内存：%2。</translation>
    </message>
    <message>
        <source>The graph as its file has it. Runs, plans and sweeps of it are at level %1, as in every session of ONNX Runtime.</source>
        <translation>文件中的原图。它的运行、计划和扫描都按级别 %1 进行，与 ONNX Runtime 的每个会话一样。</translation>
    </message>
    <message>
        <source>as edited</source>
        <translation>编辑后的样子</translation>
    </message>
    <message>
        <source>%1: %2. The levels apply to it; the model as opened is among the variants.</source>
        <translation>%1：%2。各级别应用于它；打开时的模型在变体列表中。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::LevelCards</name>
    <message>
        <source>Optimization levels</source>
        <translation>优化级别</translation>
    </message>
    <message>
        <source>Optimizing: %1 …</source>
        <translation>正在优化：%1……</translation>
    </message>
    <message>
        <source>Edited</source>
        <translation>已编辑</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ListedKind</name>
    <message>
        <source>&amp;Look again</source>
        <translation>重新查找(&amp;L)</translation>
    </message>
    <message>
        <source>Plugins and engines</source>
        <translation>插件和引擎</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>%1 (switched off)</source>
        <translation>%1（已停用）</translation>
    </message>
    <message>
        <source>Looking: each is opened in a separate process …</source>
        <translation>正在查找：每个都在各自的进程中打开……</translation>
    </message>
    <message>
        <source>Nobody has looked yet.</source>
        <translation>尚未查找。</translation>
    </message>
    <message>
        <source>Neither plugins nor an ONNX Runtime were found. F1 says where they are looked for.</source>
        <translation>未找到插件或 ONNX Runtime。按 F1 查看查找位置。</translation>
    </message>
    <message>
        <source>Each was opened in a separate process and asked for what it brings.</source>
        <translation>每个都已在各自的进程中打开并查询其内容。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::LogPanel</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Nothing has happened yet.</source>
        <translation>还没有任何记录。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MachineButton</name>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Trying %1 …</source>
        <translation>正在尝试 %1……</translation>
    </message>
    <message>
        <source>The machine on which this model is run, measured and tuned: this computer, or a target that ssh reaches. It is remembered for this model.</source>
        <translation>运行、测量和调优此模型的机器：本机，或可通过 ssh 连接的目标。会为此模型记住该选择。</translation>
    </message>
    <message>
        <source>It is tested first, because it was not reached yet.</source>
        <translation>尚未连接过，因此会先进行测试。</translation>
    </message>
    <message>
        <source>Targets …</source>
        <translation>目标……</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MachinePanel</name>
    <message>
        <source>Median time of a run</source>
        <translation>单次运行时间中位数</translation>
    </message>
    <message>
        <source>Runs per second</source>
        <translation>每秒运行次数</translation>
    </message>
    <message>
        <source>CPU time of a run</source>
        <translation>单次运行的 CPU 时间</translation>
    </message>
    <message>
        <source>First run</source>
        <translation>首次运行</translation>
    </message>
    <message>
        <source>Load time</source>
        <translation>加载时间</translation>
    </message>
    <message>
        <source>Memory of a process</source>
        <translation>进程内存</translation>
    </message>
    <message>
        <source>Measured runs</source>
        <translation>测量的运行次数</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>核心数</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Compare machines</source>
        <translation>比较机器</translation>
    </message>
    <message>
        <source>Targets …</source>
        <translation>目标……</translation>
    </message>
    <message>
        <source>Two machines side by side</source>
        <translation>两台机器并排比较</translation>
    </message>
    <message>
        <source>First machine</source>
        <translation>第一台机器</translation>
    </message>
    <message>
        <source>Second machine</source>
        <translation>第二台机器</translation>
    </message>
    <message>
        <source>A machine that measures the variant in force: this computer or a target</source>
        <translation>测量当前变体的机器：本机或目标</translation>
    </message>
    <message>
        <source>Measure the variant in force on the first machine, then on the second, under the run settings</source>
        <translation>按运行设置先在第一台、再在第二台机器上测量当前变体</translation>
    </message>
    <message>
        <source>The list of other machines: add one, test it, see what it is</source>
        <translation>其他机器的列表：添加、测试并查看其信息</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>No target is listed yet. Press Targets … to add another computer that ssh reaches.</source>
        <translation>列表中还没有目标。按“目标……”添加可通过 ssh 连接的其他计算机。</translation>
    </message>
    <message>
        <source>Choose two machines and press Compare machines: the variant in force is measured on one, then on the other.</source>
        <translation>选择两台机器并按“比较机器”：先在一台、再在另一台上测量当前变体。</translation>
    </message>
    <message>
        <source>Comparing machines …</source>
        <translation>正在比较机器……</translation>
    </message>
    <message>
        <source>%1: no difference beyond noise between %2 and %3.</source>
        <translation>%1：%2 与 %3 之间没有超出噪声的差异。</translation>
    </message>
    <message>
        <source>%1: %2 is %3 times as fast as %4.</source>
        <translation>%1：%2 的速度是 %4 的 %3 倍。</translation>
    </message>
    <message>
        <source>Measured with %1, one machine after the other.</source>
        <translation>使用%1测量，一台机器接着另一台。</translation>
    </message>
    <message>
        <source>A machine could not measure</source>
        <translation>有一台机器无法测量</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Choose two machines and press Compare machines: the variant in force (%1) is measured on one, then on the other.</source>
        <translation>选择两台机器并按“比较机器”：先在一台、再在另一台上测量当前变体（%1）。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MainWindow</name>
    <message>
        <source>Show page</source>
        <translation>显示页面</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Problems (%1)</source>
        <translation>问题 (%1)</translation>
    </message>
    <message>
        <source>Problems · Log · Tasks</source>
        <translation>问题 · 日志 · 任务</translation>
    </message>
    <message>
        <source>Progress of the newest task</source>
        <translation>最新任务的进度</translation>
    </message>
    <message>
        <source>Opening %1 …</source>
        <translation>正在打开 %1……</translation>
    </message>
    <message>
        <source>%1 stays open.</source>
        <translation>%1 保持打开。</translation>
    </message>
    <message>
        <source>%1 could not be opened</source>
        <translation>无法打开 %1</translation>
    </message>
    <message>
        <source>Opening %1 failed: %2</source>
        <translation>打开 %1 失败：%2</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>运行失败</translation>
    </message>
    <message>
        <source>The run failed: %1</source>
        <translation>运行失败：%1</translation>
    </message>
    <message>
        <source>The trace %1 failed</source>
        <translation>跟踪 %1 失败</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Chrome traces (*.json)</source>
        <translation>Chrome 跟踪 (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Save trace</source>
        <translation>保存跟踪</translation>
    </message>
    <message>
        <source>Chrome trace (*.json)</source>
        <translation>Chrome 跟踪 (*.json)</translation>
    </message>
    <message>
        <source>trace</source>
        <translation>trace</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Open …</source>
        <translation>打开(&amp;O)……</translation>
    </message>
    <message>
        <source>Save &amp;trace …</source>
        <translation>保存跟踪(&amp;T)……</translation>
    </message>
    <message>
        <source>Save the newest run as a Chrome trace, for chrome://tracing and Perfetto</source>
        <translation>将最近一次运行保存为 Chrome 跟踪，供 chrome://tracing 和 Perfetto 使用</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Panel</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>Put all panels back where they were</source>
        <translation>将所有面板恢复原位</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Run the model with generated inputs and profile it</source>
        <translation>用生成的输入运行模型并做性能分析</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Stop what is running</source>
        <translation>停止正在进行的工作</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;About Lapidary</source>
        <translation>关于 Lapidary(&amp;A)</translation>
    </message>
    <message>
        <source>Version and licences</source>
        <translation>版本与许可证</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>关于 Qt(&amp;Q)</translation>
    </message>
    <message>
        <source>The toolkit this window is made with</source>
        <translation>构建此窗口所用的工具包</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Main toolbar</source>
        <translation>主工具栏</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>No recent files</source>
        <translation>没有最近的文件</translation>
    </message>
    <message>
        <source>Clear this list</source>
        <translation>清空此列表</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Like the &amp;desktop</source>
        <translation>跟随桌面(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>The language changes with the next start of Lapidary</source>
        <translation>语言将在下次启动 Lapidary 时切换</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Lapidary[*]</source>
        <translation>Lapidary[*]</translation>
    </message>
    <message>
        <source>%1[*] — Lapidary</source>
        <translation>%1[*] — Lapidary</translation>
    </message>
    <message>
        <source>Lapidary projects (*.lapidary)</source>
        <translation>Lapidary 项目 (*.lapidary)</translation>
    </message>
    <message>
        <source>&amp;New project</source>
        <translation>新建项目(&amp;N)</translation>
    </message>
    <message>
        <source>Close the model and begin anew</source>
        <translation>关闭模型并重新开始</translation>
    </message>
    <message>
        <source>Open an ONNX model, a project or a Chrome trace</source>
        <translation>打开 ONNX 模型、项目或 Chrome 跟踪</translation>
    </message>
    <message>
        <source>&amp;Save project</source>
        <translation>保存项目(&amp;S)</translation>
    </message>
    <message>
        <source>Save the model&apos;s place, variants, results and notes</source>
        <translation>保存模型位置、变体、结果和备注</translation>
    </message>
    <message>
        <source>Save project &amp;as …</source>
        <translation>项目另存为(&amp;A)……</translation>
    </message>
    <message>
        <source>Save the project in another file</source>
        <translation>将项目保存到另一文件</translation>
    </message>
    <message>
        <source>The model of this project is not where it was</source>
        <translation>此项目的模型已不在原处</translation>
    </message>
    <message>
        <source>There is no %1. Tell where it is now, and the rest of the project opens with it.</source>
        <translation>%1 不存在。指出它现在的位置，项目其余部分会随之打开。</translation>
    </message>
    <message>
        <source>Locate …</source>
        <translation>定位……</translation>
    </message>
    <message>
        <source>%1 is another model than the project was made with</source>
        <translation>%1 与创建项目时的模型不同</translation>
    </message>
    <message>
        <source>%1: %2. Variants are made anew from it; earlier figures may no longer hold.</source>
        <translation>%1：%2。变体将由它重新生成；先前的数据可能不再成立。</translation>
    </message>
    <message>
        <source>Open all the same</source>
        <translation>仍然打开</translation>
    </message>
    <message>
        <source>%1 could not be saved</source>
        <translation>无法保存 %1</translation>
    </message>
    <message>
        <source>Save as …</source>
        <translation>另存为……</translation>
    </message>
    <message>
        <source>Where is %1?</source>
        <translation>%1 在哪里？</translation>
    </message>
    <message>
        <source>Save project</source>
        <translation>保存项目</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation>保存对 %1 的更改？</translation>
    </message>
    <message>
        <source>this project</source>
        <translation>此项目</translation>
    </message>
    <message>
        <source>Recipes, results and notes that were not saved are lost otherwise. The model file itself is never changed.</source>
        <translation>否则未保存的配方、结果和备注将会丢失。模型文件本身从不改动。</translation>
    </message>
    <message>
        <source>Unsaved changes would not survive a crash</source>
        <translation>崩溃时未保存的更改将会丢失</translation>
    </message>
    <message>
        <source>Changes to %1 from %2 were not saved.</source>
        <translation>对 %1 在 %2 的更改未保存。</translation>
    </message>
    <message>
        <source>a project</source>
        <translation>某个项目</translation>
    </message>
    <message numerus="yes">
        <source>There are %n more like this.</source>
        <translation>
            <numerusform>还有 %n 个类似的。</numerusform>
        </translation>
    </message>
    <message>
        <source>Lapidary ended unexpectedly</source>
        <translation>Lapidary 意外退出</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>The changes could not be restored</source>
        <translation>无法恢复更改</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>&amp;Memory limit</source>
        <translation>内存上限(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;No limit</source>
        <translation>无限制(&amp;N)</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>Memory that runs may take; one that needs more fails with an error and takes nothing else along</source>
        <translation>运行可使用的内存；超出者报错失败，不影响其他</translation>
    </message>
    <message>
        <source>Models run in this program: %1</source>
        <translation>模型在本程序内运行：%1</translation>
    </message>
    <message>
        <source>%1 could not be started.</source>
        <translation>无法启动 %1。</translation>
    </message>
    <message>
        <source>Something unexpected failed</source>
        <translation>发生了意外错误</translation>
    </message>
    <message>
        <source>Please save your work and report this.</source>
        <translation>请保存您的工作并报告此问题。</translation>
    </message>
    <message>
        <source>The tensor was not saved</source>
        <translation>张量未保存</translation>
    </message>
    <message>
        <source>&amp;Find …</source>
        <translation>查找(&amp;F)……</translation>
    </message>
    <message>
        <source>&amp;Settings …</source>
        <translation>设置(&amp;S)……</translation>
    </message>
    <message>
        <source>Theme, language, usual runs and sizes, memory limit, questions</source>
        <translation>主题、语言、常用运行与大小、内存上限、询问</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>All commands with their keys</source>
        <translation>所有命令及其按键</translation>
    </message>
    <message>
        <source>Saving the project</source>
        <translation>正在保存项目</translation>
    </message>
    <message>
        <source>Still at work</source>
        <translation>仍在工作</translation>
    </message>
    <message>
        <source>Quit while this is under way?</source>
        <translation>进行中，仍要退出吗？</translation>
    </message>
    <message>
        <source>Stop it and quit</source>
        <translation>停止并退出</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>留下</translation>
    </message>
    <message>
        <source>&amp;Plugins and engines …</source>
        <translation>插件和引擎(&amp;P)……</translation>
    </message>
    <message>
        <source>What was found, what it brings, and why something cannot be used</source>
        <translation>找到的内容、其提供的功能，以及无法使用的原因</translation>
    </message>
    <message>
        <source>Switch off the plugin %1</source>
        <translation>停用插件 %1</translation>
    </message>
    <message>
        <source>&amp;Take the tour</source>
        <translation>开始导览(&amp;T)</translation>
    </message>
    <message>
        <source>A minute on a sample, step by step</source>
        <translation>用一分钟在示例上逐步操作</translation>
    </message>
    <message>
        <source>There is nothing to run: open a model first</source>
        <translation>没有可运行的内容：请先打开模型</translation>
    </message>
    <message>
        <source>It runs already</source>
        <translation>已在运行</translation>
    </message>
    <message>
        <source>The model is not valid and cannot run: %1</source>
        <translation>模型无效，无法运行：%1</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Convert …</source>
        <translation>转换(&amp;C)……</translation>
    </message>
    <message>
        <source>A newer opset, fixed dimensions, fewer outputs, weights beside the model: see what changes, then save</source>
        <translation>更新的 Opset、固定维度、更少的输出、权重放在模型旁：先看变化，再保存</translation>
    </message>
    <message>
        <source>Compare with a &amp;second model …</source>
        <translation>与第二个模型比较(&amp;S)……</translation>
    </message>
    <message>
        <source>Another ONNX file becomes B beside the open model</source>
        <translation>另一个 ONNX 文件成为已打开模型旁的 B</translation>
    </message>
    <message>
        <source>%1 was not exported</source>
        <translation>%1 未导出</translation>
    </message>
    <message>
        <source>&amp;Commands of the pages</source>
        <translation>各页面的命令(&amp;C)</translation>
    </message>
    <message>
        <source>%1: %2. It is open all the same; earlier figures may no longer hold.</source>
        <translation>%1：%2。仍已打开；以前的数字可能不再成立。</translation>
    </message>
    <message>
        <source>End it</source>
        <translation>结束它</translation>
    </message>
    <message>
        <source>Wait on</source>
        <translation>继续等待</translation>
    </message>
    <message>
        <source>Everything that opens (*.onnx *.ort *.lapidary *.json)</source>
        <translation>所有可打开的文件 (*.onnx *.ort *.lapidary *.json)</translation>
    </message>
    <message>
        <source>Models (*.onnx *.ort)</source>
        <translation>模型 (*.onnx *.ort)</translation>
    </message>
    <message>
        <source>Look &amp;inside …</source>
        <translation>查看内部(&amp;I)……</translation>
    </message>
    <message>
        <source>The selected value as it is in a run: figures, elements, pictures</source>
        <translation>所选的值在一次运行中的样子：统计数字、元素、图像</translation>
    </message>
    <message>
        <source>&amp;Edit …</source>
        <translation>编辑(&amp;E)……</translation>
    </message>
    <message>
        <source>Delete, insert, replace, rename, rewire: lines of text that make a variant</source>
        <translation>删除、插入、替换、重命名、改接:用文本行生成变体</translation>
    </message>
    <message>
        <source>&amp;Targets …</source>
        <translation>目标(&amp;T)……</translation>
    </message>
    <message>
        <source>Other computers on which models are run and measured</source>
        <translation>运行和测量模型的其他计算机</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>%1 cannot be reached</source>
        <translation>无法连接 %1</translation>
    </message>
    <message>
        <source>Read aga&amp;in</source>
        <translation>重新读取(&amp;I)</translation>
    </message>
    <message>
        <source>Read the file of the open model again, as it is now on disk</source>
        <translation>按磁盘上现在的内容重新读取已打开模型的文件</translation>
    </message>
    <message>
        <source>&amp;Diagnostics …</source>
        <translation>诊断信息(&amp;D)……</translation>
    </message>
    <message>
        <source>What to pass on with a report of a fault: versions, machine, settings and the log, without names of models</source>
        <translation>报告故障时应附上的内容：版本、机器、设置和日志，不含模型名称</translation>
    </message>
    <message>
        <source>&amp;Export model …</source>
        <translation>导出模型(&amp;E)……</translation>
    </message>
    <message>
        <source>Write the model as the variant in force has it, for those who are to run it</source>
        <translation>按当前生效的变体写出模型，供运行它的人使用</translation>
    </message>
    <message>
        <source>Save model re&amp;port …</source>
        <translation>保存模型报告(&amp;P)……</translation>
    </message>
    <message>
        <source>One HTML file with graph, times, passes and advice, which needs no other program</source>
        <translation>一个 HTML 文件，包含图、时间、优化过程和建议，无需其他程序</translation>
    </message>
    <message>
        <source>New &amp;window</source>
        <translation>新建窗口(&amp;W)</translation>
    </message>
    <message>
        <source>Another window, for another model</source>
        <translation>再打开一个窗口，用于另一个模型</translation>
    </message>
    <message>
        <source>&amp;Code snippet …</source>
        <translation>代码片段(&amp;C)……</translation>
    </message>
    <message>
        <source>A program that runs the model in ONNX Runtime with the settings in force: Python, C, C++, C#, Rust</source>
        <translation>在 ONNX Runtime 中以当前生效的设置运行模型的程序：Python、C、C++、C#、Rust</translation>
    </message>
    <message>
        <source>Show or hide the panel %1</source>
        <translation>显示或隐藏面板“%1”</translation>
    </message>
    <message>
        <source>Find nodes, tensors, passes, pages, settings and commands by typing</source>
        <translation>输入文字查找节点、张量、优化遍、页面、设置和命令</translation>
    </message>
    <message>
        <source>%1 is no longer there</source>
        <translation>%1 已不在原处</translation>
    </message>
    <message>
        <source>There is no %1. Tell where it is now, and it is read from there.</source>
        <translation>%1 不存在。指出它现在的位置，就会从那里读取。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MapView</name>
    <message>
        <source>The values as a picture</source>
        <translation>以图像显示的值</translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) of %1 × %2 values, from %3 to %4</source>
        <translation>
            <numerusform>%n 幅图像，每幅 %1 × %2 个值，从 %3 到 %4</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lapidary::views::MatchedTimelinesView</name>
    <message>
        <source>Typical runs of A and B</source>
        <translation>A 和 B 的典型运行</translation>
    </message>
    <message>
        <source>Left and right walk through the kernels of B. The table of nodes lists the same.</source>
        <translation>左右键在 B 的内核间移动。节点表列出相同内容。</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另外 %1 个</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>In B: %1. In A: %2.</source>
        <translation>B 中：%1。A 中：%2。</translation>
    </message>
    <message>
        <source>In A: %1. In B: %2.</source>
        <translation>A 中：%1。B 中：%2。</translation>
    </message>
    <message>
        <source>Press Compare: a typical run of each is drawn here, kernel by kernel, with what stands for the same nodes joined.</source>
        <translation>按“比较”：此处逐内核绘制两者的典型运行，代表相同节点的以色带相连。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MemoryCard</name>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>The most that is in use at one step: no layout needs less</source>
        <translation>单步使用量的最大值：任何布局都不能更少</translation>
    </message>
    <message>
        <source>The planned block, and storage for the graph outputs</source>
        <translation>规划的内存块以及图输出的存储</translation>
    </message>
    <message>
        <source>What the arena took from the system</source>
        <translation>内存区向系统申请的量</translation>
    </message>
    <message>
        <source>As much as is in use: the heap gives back what is free</source>
        <translation>与使用量相同：堆会归还空闲内存</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>working memory</source>
        <translation>工作内存</translation>
    </message>
    <message>
        <source>gaps at the peak</source>
        <translation>峰值时的空隙</translation>
    </message>
    <message>
        <source>Held but not used even at the peak: gaps of the layout, rounding</source>
        <translation>被占用但即使在峰值时也无人使用：布局空隙、取整</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>Free dimensions without a size are taken as %1.</source>
        <translation>没有大小的自由维度按 %1 计。</translation>
    </message>
    <message>
        <source>Sizes that only a run shows count as nothing here (%1): %2.</source>
        <translation>只有运行才能得知的大小在此不计 (%1)：%2。</translation>
    </message>
    <message>
        <source>The last run kept values in more than one kind of memory and copied %1 between them (copies: %2).</source>
        <translation>上次运行把值放在不止一种内存中，并在它们之间复制了 %1（复制次数：%2）。</translation>
    </message>
    <message>
        <source>process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>What the system counts as its own while a process runs the model</source>
        <translation>运行模型时系统计为进程自有的内存</translation>
    </message>
    <message>
        <source>weights as stored</source>
        <translation>存储的权重</translation>
    </message>
    <message>
        <source>Bytes of constants in the file; %1 of them are in the process</source>
        <translation>文件中常量的字节数；其中 %1 在进程中</translation>
    </message>
    <message>
        <source>packed copies</source>
        <translation>打包副本</translation>
    </message>
    <message>
        <source>Weights in the order that kernels read them; after packing %1 of the file&apos;s bytes are not needed any more</source>
        <translation>按内核读取顺序排列的权重；打包后文件中的 %1 不再需要</translation>
    </message>
    <message>
        <source>activations planned</source>
        <translation>规划的激活内存</translation>
    </message>
    <message>
        <source>held by the arena</source>
        <translation>arena 占用</translation>
    </message>
    <message>
        <source>held in the last run</source>
        <translation>上次运行占用</translation>
    </message>
    <message>
        <source>The most that it held for activations at once, by its allocations</source>
        <translation>按其分配统计，同时为激活占用的最大值</translation>
    </message>
    <message>
        <source>Of what is planned at the peak: what nodes hand to each other</source>
        <translation>峰值处规划的内存中：节点之间传递的部分</translation>
    </message>
    <message>
        <source>Of what is planned at the peak: what the caller gets</source>
        <translation>峰值处规划的内存中：交给调用方的部分</translation>
    </message>
    <message>
        <source>Of what is planned at the peak: what kernels take while they run</source>
        <translation>峰值处规划的内存中：内核运行时占用的部分</translation>
    </message>
    <message>
        <source>Planned for %1.</source>
        <translation>规划条件：%1。</translation>
    </message>
    <message>
        <source>The last run held %1 for activations: as planned.</source>
        <translation>上次运行为激活占用 %1：与规划一致。</translation>
    </message>
    <message>
        <source>The last run held %1 for activations, %2 more than this plan says.</source>
        <translation>上次运行为激活占用 %1，比此规划多 %2。</translation>
    </message>
    <message>
        <source>The last run held %1 for activations, %2 less than this plan says.</source>
        <translation>上次运行为激活占用 %1，比此规划少 %2。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MemoryCurve</name>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Activation memory over the steps of a run</source>
        <translation>一次运行各步的激活内存</translation>
    </message>
    <message>
        <source>No memory plan: it is made on the second run with the same input shapes, and traces do not carry it.</source>
        <translation>没有内存规划：它在相同输入形状的第二次运行时产生，跟踪文件不含它。</translation>
    </message>
    <message>
        <source>alive</source>
        <translation>存活</translation>
    </message>
    <message>
        <source>planned block</source>
        <translation>规划的内存块</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Of the planned block of %4 most is alive in step %2 (%3): %1. Weights as stored take %5.</source>
        <translation>规划的内存块为 %4，其中步骤 %2（%3）存活最多：%1。存储的权重占 %5。</translation>
    </message>
    <message>
        <source>In the selected range, steps %1 to %2, most is alive in step %4 (%5): %3.</source>
        <translation>所选范围（步骤 %1 到 %2）内，步骤 %4（%5）存活最多：%3。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MemoryHistory</name>
    <message>
        <source>Memory over the steps of a run</source>
        <translation>一次运行各步的内存</translation>
    </message>
    <message>
        <source>Arrow keys move the cursor, P goes to the peak, plus and minus zoom, 0 shows all. The tables below follow the cursor.</source>
        <translation>方向键移动光标，P 跳到峰值，加减键缩放，0 显示全部。下方表格随光标变化。</translation>
    </message>
    <message>
        <source>Step %1, %2: %3 in use</source>
        <translation>第 %1 步，%2：使用 %3</translation>
    </message>
    <message>
        <source>activations %1</source>
        <translation>激活 %1</translation>
    </message>
    <message>
        <source>outputs %1</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>working memory %1</source>
        <translation>工作内存 %1</translation>
    </message>
    <message>
        <source>held for other steps %1</source>
        <translation>为其他步骤保留 %1</translation>
    </message>
    <message>
        <source>; measured %1</source>
        <translation>；实测 %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MemoryMap</name>
    <message>
        <source>Map of memory: addresses over the steps of a run</source>
        <translation>内存图：一次运行各步的地址</translation>
    </message>
    <message>
        <source>Left and right move the cursor, up and down walk over the tensors alive there, Return shows the tensor in the graph. The table of lifetimes lists the same.</source>
        <translation>左右键移动光标，上下键在该处存活的张量间移动，回车键在图中显示张量。生命周期表列出相同内容。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MemoryOverlay</name>
    <message>
        <source>Memory of A and B</source>
        <translation>A 与 B 的内存</translation>
    </message>
    <message>
        <source>Share of the steps (%)</source>
        <translation>步骤进度 (%)</translation>
    </message>
    <message>
        <source>Activations of A and B over the steps of a run</source>
        <translation>A 与 B 在一次运行各步中的激活</translation>
    </message>
    <message>
        <source>No memory plan yet.</source>
        <translation>还没有内存规划。</translation>
    </message>
    <message>
        <source>Press Compare: both variants are profiled and their memory plans laid over each other.</source>
        <translation>按“比较”：对两个变体做性能分析，并将它们的内存规划叠放在一起。</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Planned block</source>
        <translation>规划的内存块</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Most alive in the block</source>
        <translation>块中最多存活</translation>
    </message>
    <message>
        <source>Weights as stored</source>
        <translation>存储的权重</translation>
    </message>
    <message>
        <source>In the planned block at most %1 are alive in A (%2) and %3 in B (%4): %5.</source>
        <translation>规划的内存块中，A 最多存活 %1（%2），B 最多存活 %3（%4）：%5。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MemoryPage</name>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Zoom memory in</source>
        <translation>放大内存图</translation>
    </message>
    <message>
        <source>Zoom memory out</source>
        <translation>缩小内存图</translation>
    </message>
    <message>
        <source>Show all of memory</source>
        <translation>显示全部内存</translation>
    </message>
    <message>
        <source>Show all of memory. Wheel: zoom · Shift-drag: pan · Ctrl-wheel: zoom addresses</source>
        <translation>显示全部内存。滚轮：缩放 · Shift+拖动：平移 · Ctrl+滚轮：缩放地址</translation>
    </message>
    <message>
        <source>Go to the peak of memory</source>
        <translation>跳到内存峰值</translation>
    </message>
    <message>
        <source>Copy the picture of memory</source>
        <translation>复制内存图片</translation>
    </message>
    <message>
        <source>Save the picture of memory …</source>
        <translation>保存内存图片……</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>PNG image (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>Save the lifetimes of tensors …</source>
        <translation>保存张量生命周期……</translation>
    </message>
    <message>
        <source>Save table</source>
        <translation>保存表格</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>&amp;Weights</source>
        <translation>权重(&amp;W)</translation>
    </message>
    <message>
        <source>A band for the constants beneath the curve</source>
        <translation>在曲线下方用色带表示常量</translation>
    </message>
    <message>
        <source>&amp;Held</source>
        <translation>占用(&amp;H)</translation>
    </message>
    <message>
        <source>What is held at a step without being in use there</source>
        <translation>该步占用但未使用的内存</translation>
    </message>
    <message>
        <source>&amp;Measured</source>
        <translation>实测(&amp;M)</translation>
    </message>
    <message>
        <source>What the last run held at each step, by its allocations</source>
        <translation>按分配记录，上次运行每步的占用</translation>
    </message>
    <message>
        <source>&amp;Colour by</source>
        <translation>着色依据(&amp;C)</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>着色依据</translation>
    </message>
    <message>
        <source>role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>What the colours of the map stand for: role of the tensor, operator that wrote it, size, module (prefix of the node&apos;s name)</source>
        <translation>图中颜色的含义：张量角色、写入它的算子、大小、模块（节点名前缀）</translation>
    </message>
    <message>
        <source>Copy or save picture and table</source>
        <translation>复制或保存图片和表格</translation>
    </message>
    <message>
        <source>&amp;At the cursor</source>
        <translation>光标处(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Lifetimes</source>
        <translation>生命周期(&amp;L)</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Memory with other settings</source>
        <translation>其他设置下的内存</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开模型</translation>
    </message>
    <message>
        <source>Open an ONNX model or take a sample from the start page: you will see what it holds in memory and why. Nothing has to run.</source>
        <translation>打开 ONNX 模型或从开始页选取示例：可看到它在内存中占用什么以及原因。无需运行。</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>打开……</translation>
    </message>
    <message>
        <source>Planning memory …</source>
        <translation>正在规划内存……</translation>
    </message>
    <message>
        <source>The memory of this model cannot be computed</source>
        <translation>无法得知此模型的内存</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Step %1 (the peak): %2 in use, %3 held; %4</source>
        <translation>第 %1 步（峰值）：使用 %2，占用 %3；%4</translation>
    </message>
    <message>
        <source>Step %1: %2 in use, %3 held; %4</source>
        <translation>第 %1 步：使用 %2，占用 %3；%4</translation>
    </message>
    <message>
        <source>This tensor is made by the session itself and is not part of the open model.</source>
        <translation>该张量由会话自身创建，不属于打开的模型。</translation>
    </message>
    <message>
        <source>This step is not a node of the open model.</source>
        <translation>此步不是打开的模型中的节点。</translation>
    </message>
    <message>
        <source>Applied: press F5 to run with these settings.</source>
        <translation>已应用：按 F5 用这些设置运行。</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>保存 %1</translation>
    </message>
    <message>
        <source>Saved the picture %1.</source>
        <translation>已保存图片 %1。</translation>
    </message>
    <message>
        <source>Saved the table %1.</source>
        <translation>已保存表格 %1。</translation>
    </message>
    <message>
        <source>Plan, arena, threads and sizes as here, from the next run on; sharing and fusing have no setting</source>
        <translation>从下次运行起按此处的规划、内存池、线程和尺寸；共享与融合没有对应设置</translation>
    </message>
    <message>
        <source>The run settings say the same of plan, arena, threads and sizes</source>
        <translation>运行设置中的规划、内存池、线程和尺寸与此相同</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>&amp;Copies</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Memory of %1 · %2</source>
        <translation>%1 的内存 · %2</translation>
    </message>
    <message>
        <source>By conte&amp;xt</source>
        <translation>按上下文(&amp;X)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MessageBanner</name>
    <message>
        <source>Copy details</source>
        <translation>复制详情</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Copy the whole message to the clipboard</source>
        <translation>将完整消息复制到剪贴板</translation>
    </message>
    <message>
        <source>Dismiss this message</source>
        <translation>关闭此消息</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>lapidary::views::MetadataFields</name>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Add an entry</source>
        <translation>添加条目</translation>
    </message>
    <message>
        <source>Remove the entry</source>
        <translation>移除条目</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ModeRail</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ModuleWaterfall</name>
    <message>
        <source>A as a whole</source>
        <translation>A 整体</translation>
    </message>
    <message>
        <source>B as a whole</source>
        <translation>B 整体</translation>
    </message>
    <message>
        <source>within noise (%1 parts)</source>
        <translation>噪声范围内（%1 部分）</translation>
    </message>
    <message>
        <source>nodes of no original one</source>
        <translation>无原始对应的节点</translation>
    </message>
    <message>
        <source>session overhead</source>
        <translation>会话开销</translation>
    </message>
    <message>
        <source>(outside of all scopes)</source>
        <translation>（不属于任何作用域）</translation>
    </message>
    <message>
        <source>A: %1, B: %2, difference per run: %3</source>
        <translation>A：%1，B：%2，每次运行差异：%3</translation>
    </message>
    <message>
        <source>The 95 % interval of each of these parts holds 0.</source>
        <translation>这些部分的 95 % 区间都包含 0。</translation>
    </message>
    <message>
        <source>Times of fused nodes are shared out among the %1 original nodes in it.</source>
        <translation>融合节点的时间分摊到其中 %1 个原始节点上。</translation>
    </message>
    <message>
        <source>Difference by part of the model</source>
        <translation>按模型部分的差异</translation>
    </message>
    <message>
        <source>The names of this model&apos;s nodes show no parts: see Operators and Nodes.</source>
        <translation>该模型的节点名称未体现各部分：请看“算子”和“节点”。</translation>
    </message>
    <message>
        <source>Press Compare: both variants are profiled, times of fused nodes are rolled back onto the parts of the model, and the bars lead from A to B.</source>
        <translation>按“比较”：对两个变体做性能剖析，将融合节点的时间折算到模型各部分，条形从 A 引向 B。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::NearMissPanel</name>
    <message>
        <source>Near misses</source>
        <translation>近似命中</translation>
    </message>
    <message>
        <source>Filter near misses</source>
        <translation>筛选近似命中</translation>
    </message>
    <message>
        <source>Why the chosen place was left alone</source>
        <translation>所选位置为何未被改写</translation>
    </message>
    <message>
        <source>Nothing is optimized yet.</source>
        <translation>尚未优化。</translation>
    </message>
    <message>
        <source>No pass ran on the original. Choose a level above.</source>
        <translation>没有优化遍在原始模型上运行。请在上方选择级别。</translation>
    </message>
    <message>
        <source>No pattern came near: every place that resembles one was rewritten.</source>
        <translation>没有接近匹配的模式：所有相似之处都已改写。</translation>
    </message>
    <message>
        <source>Choose a line to mark the nodes that matched so far; the root of the pattern has a question mark.</source>
        <translation>选择一行以标出已匹配的节点；模式的根节点带有问号。</translation>
    </message>
    <message numerus="yes">
        <source>%1 left %2 alone: %3.
%n node(s) matched so far.</source>
        <translation>
            <numerusform>%1 未改动 %2：%3。
目前匹配了 %n 个节点。</numerusform>
        </translation>
    </message>
    <message>
        <source>Next &amp;place</source>
        <translation>下一处(&amp;P)</translation>
    </message>
    <message>
        <source>Mark the next of the places that this line stands for</source>
        <translation>标记此行所代表的下一处位置</translation>
    </message>
    <message>
        <source>Place %1 of %2.</source>
        <translation>第 %1 处，共 %2 处。</translation>
    </message>
    <message>
        <source>Rewritten, this would save at most %1 of a run (measured).</source>
        <translation>如果改写，最多可节省一次运行的 %1（实测）。</translation>
    </message>
    <message>
        <source>Rewritten, this would save at most %1 of a run (estimated).</source>
        <translation>如果改写，最多可节省一次运行的 %1（估计）。</translation>
    </message>
    <message>
        <source>Newer &amp;opset …</source>
        <translation>更新的 opset(&amp;O)……</translation>
    </message>
    <message>
        <source>Fix &amp;dimensions …</source>
        <translation>固定维度(&amp;D)……</translation>
    </message>
    <message>
        <source>Fewer ou&amp;tputs …</source>
        <translation>减少输出(&amp;T)……</translation>
    </message>
    <message>
        <source>Opens Model ▸ Convert: the change may satisfy the condition, so that the pass applies</source>
        <translation>打开“模型 ▸ 转换”：该更改可能满足条件，使该优化过程得以应用</translation>
    </message>
</context>
<context>
    <name>lapidary::views::NodeDifferences</name>
    <message>
        <source>(of no original node)</source>
        <translation>（不属于任何原始节点）</translation>
    </message>
    <message>
        <source>nothing: it was folded or removed</source>
        <translation>无：已被折叠或移除</translation>
    </message>
    <message>
        <source>%1 (%2)
In A: %3, %4
In B: %5, %6</source>
        <translation>%1 (%2)
在 A 中：%3，%4
在 B 中：%5，%6</translation>
    </message>
    <message>
        <source>No interval: fewer than three profiled runs on a side.</source>
        <translation>没有区间：某一方的性能分析运行少于三次。</translation>
    </message>
    <message>
        <source>95 % interval of the difference: %1. It leaves out 0: significant.</source>
        <translation>差异的 95 % 区间：%1。不含 0：显著。</translation>
    </message>
    <message>
        <source>95 % interval of the difference: %1. It holds 0: no difference beyond noise.</source>
        <translation>差异的 95 % 区间：%1。包含 0：没有超出噪声的差异。</translation>
    </message>
    <message>
        <source>Difference by original node</source>
        <translation>按原始节点列出的差异</translation>
    </message>
    <message>
        <source>Only &amp;significant ones</source>
        <translation>仅显著的(&amp;S)</translation>
    </message>
    <message>
        <source>Filter by name or operator</source>
        <translation>按名称或算子筛选</translation>
    </message>
    <message>
        <source>Filter the nodes</source>
        <translation>筛选节点</translation>
    </message>
    <message>
        <source>Show only nodes whose 95 % interval of the difference leaves out 0. Of many nodes without any difference, one in twenty is shown by chance.</source>
        <translation>只显示差异的 95 % 区间不含 0 的节点。在许多毫无差异的节点中，约二十分之一会因偶然而显示。</translation>
    </message>
    <message>
        <source>%1 of %2 nodes</source>
        <translation>%1 / %2 个节点</translation>
    </message>
    <message>
        <source>Press Compare: both variants are profiled and their times are brought together by original node.</source>
        <translation>按“比较”：对两个变体做性能分析，并按原始节点对应它们的时间。</translation>
    </message>
    <message>
        <source>No node differs beyond noise. More profiled runs (Run page) show smaller differences.</source>
        <translation>没有节点的差异超出噪声。增加性能分析的运行次数（“运行”页）可分辨更小的差异。</translation>
    </message>
    <message>
        <source>No node matches.</source>
        <translation>没有符合的节点。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::NodeTable</name>
    <message>
        <source>Time by node</source>
        <translation>按节点列出的时间</translation>
    </message>
    <message>
        <source>Filter by name, operator, kernel or shape</source>
        <translation>按名称、算子、内核或形状筛选</translation>
    </message>
    <message>
        <source>Filter nodes</source>
        <translation>筛选节点</translation>
    </message>
    <message>
        <source>No node matches.</source>
        <translation>没有符合的节点。</translation>
    </message>
    <message>
        <source>Nodes of</source>
        <translation>节点属于</translation>
    </message>
    <message>
        <source>Which graph&apos;s nodes the times are shown on: those that ran, or the original ones they stand for</source>
        <translation>时间显示在哪个图的节点上：实际运行的节点，或它们所代表的原始节点</translation>
    </message>
    <message>
        <source>this variant</source>
        <translation>此变体</translation>
    </message>
    <message>
        <source>the original</source>
        <translation>原始模型</translation>
    </message>
    <message>
        <source>Nodes of:</source>
        <translation>节点属于：</translation>
    </message>
    <message>
        <source>nodes: %1</source>
        <translation>节点：%1</translation>
    </message>
    <message>
        <source>nodes: %1 of %2</source>
        <translation>节点：%1 / %2</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>算术</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>caches</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>It reaches %1 of what this machine&apos;s arithmetic units can do; memory would allow more.</source>
        <translation>达到此机器算术单元能力的 %1；内存还有余量。</translation>
    </message>
    <message>
        <source>It reaches %1 of the speed at which this machine reads memory; its arithmetic would be done sooner.</source>
        <translation>达到此机器内存读取速度的 %1；计算本可更早完成。</translation>
    </message>
    <message>
        <source>Its data came out of the caches, faster than memory delivers; it reaches %1 of what the arithmetic units can do.</source>
        <translation>数据来自缓存，比内存更快；达到算术单元能力的 %1。</translation>
    </message>
    <message>
        <source>Not known: the operator only renames its data, or its work or the machine it ran on are not known.</source>
        <translation>未知：该算子只是重命名数据，或其工作量、所在机器未知。</translation>
    </message>
    <message>
        <source>%1, then reference</source>
        <translation>%1，然后参考内核</translation>
    </message>
    <message>
        <source>%1 of %2 calls ran on the reference kernel: %3</source>
        <translation>%2 次调用中有 %1 次在参考内核上运行：%3</translation>
    </message>
    <message>
        <source>A copy from or to the memory of %1</source>
        <translation>从 %1 的内存复制或复制到该内存</translation>
    </message>
    <message>
        <source>On %1, because %2</source>
        <translation>在 %1 上，因为 %2</translation>
    </message>
    <message>
        <source>It reaches %1 of what the arithmetic units of %2 can do; memory would allow more.</source>
        <translation>达到 %2 算术单元能力的 %1；内存本可支持更多。</translation>
    </message>
    <message>
        <source>It reaches %1 of the speed at which %2 reads its memory; its arithmetic would be done sooner.</source>
        <translation>达到 %2 读取自身内存速度的 %1；计算本可更早完成。</translation>
    </message>
    <message>
        <source>Nodes of other operators are hidden; press to show them again</source>
        <translation>其他算子的节点已隐藏；点击可重新显示</translation>
    </message>
    <message>
        <source>%1 only</source>
        <translation>仅 %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::NoiseMeter</name>
    <message>
        <source>quiet</source>
        <translation>安静</translation>
    </message>
    <message>
        <source>some noise</source>
        <translation>有些噪声</translation>
    </message>
    <message>
        <source>noisy</source>
        <translation>嘈杂</translation>
    </message>
    <message>
        <source>The machine is quiet: measurements are worth what their intervals say.</source>
        <translation>机器安静：测量结果与其区间所示一样可信。</translation>
    </message>
    <message>
        <source>Other work runs: differences of a few percent may drown, and measuring takes longer.</source>
        <translation>有其他工作在运行：几个百分点的差异可能被淹没，测量也更久。</translation>
    </message>
    <message>
        <source>The machine is busy or slowed down: end other programs or wait before measuring.</source>
        <translation>机器繁忙或被降速：测量前请结束其他程序或等待。</translation>
    </message>
    <message>
        <source>Noise of the machine</source>
        <translation>机器噪声</translation>
    </message>
    <message>
        <source>How quiet the machine is shows in a few seconds.</source>
        <translation>几秒后显示机器的安静程度。</translation>
    </message>
    <message>
        <source>Speed of a known piece of work: %1 of the best seen</source>
        <translation>已知工作的速度：为所见最佳的 %1</translation>
    </message>
    <message>
        <source>Other programs use %1 of the cores</source>
        <translation>其他程序占用 %1 的核</translation>
    </message>
    <message>
        <source>The host of this virtual machine takes %1 of the cores</source>
        <translation>此虚拟机的宿主占用 %1 的核</translation>
    </message>
    <message>
        <source>As it was before the task that runs now.</source>
        <translation>为当前任务开始之前的状态。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::NotesPanel</name>
    <message>
        <source>Notes of the project</source>
        <translation>项目备注</translation>
    </message>
    <message>
        <source>What you want to remember of this model. Saved with the project and put into reports.</source>
        <translation>关于此模型想记住的内容。随项目保存，并写入报告。</translation>
    </message>
    <message>
        <source>These notes are too long to be edited here (%1 characters); they stay in the project as they are. Shortened:</source>
        <translation>这些备注过长（%1 个字符），无法在此编辑；项目中的内容保持不变。节略如下：</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OperatorBars</name>
    <message>
        <source>%1 (%2)
%3, %4 of the wall time
Calls: %5</source>
        <translation>%1 (%2)
用时 %3，占运行时间的 %4
调用次数：%5</translation>
    </message>
    <message>
        <source>Time by operator</source>
        <translation>按算子列出的时间</translation>
    </message>
    <message>
        <source>No kernel ran in the selected range.</source>
        <translation>所选范围内没有内核运行。</translation>
    </message>
    <message>
        <source>session overhead</source>
        <translation>会话开销</translation>
    </message>
    <message>
        <source>Time of a run in which no kernel ran: the walk from kernel to kernel and the profiler itself
%1, %2 of the wall time</source>
        <translation>一次运行中没有内核运行的时间：从内核到内核的过渡以及分析器本身
%1，占总时间的 %2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OperatorDifferences</name>
    <message>
        <source>The walk from kernel to kernel and the profiler itself</source>
        <translation>内核之间的调度以及分析器本身</translation>
    </message>
    <message>
        <source>%1
A: %2, calls: %3
B: %4, calls: %5
Difference per run: %6</source>
        <translation>%1
A：%2，调用次数：%3
B：%4，调用次数：%5
每次运行的差异：%6</translation>
    </message>
    <message>
        <source>Difference by operator</source>
        <translation>按算子列出的差异</translation>
    </message>
    <message>
        <source>In the blocked layout (NCHWc): %1 calls in A, %2 in B</source>
        <translation>分块布局（NCHWc）：A 中 %1 次调用，B 中 %2 次</translation>
    </message>
    <message>
        <source>session overhead</source>
        <translation>会话开销</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OperatorField</name>
    <message>
        <source>Find an operator</source>
        <translation>查找算子</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Reads %1.
Writes %2.</source>
        <translation>读取 %1。
写出 %2。</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>attribute &quot;%1&quot; of %2</source>
        <translation>%2 的属性“%1”</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OperatorScalingTable</name>
    <message>
        <source>scales throughout</source>
        <translation>始终可扩展</translation>
    </message>
    <message>
        <source>Every step to more threads gains at least 5 %</source>
        <translation>每增加线程至少提升 5 %</translation>
    </message>
    <message>
        <source>Beyond %1 it gains less than 5 %</source>
        <translation>超过 %1 后提升不足 5 %</translation>
    </message>
    <message>
        <source>Scaling by operator</source>
        <translation>各算子的扩展性</translation>
    </message>
    <message>
        <source>Which operators profit from threads appears when settings with different numbers of threads are measured.</source>
        <translation>测量不同线程数的设置后，会显示哪些算子受益于多线程。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OptimizePage</name>
    <message>
        <source>Original: %1, nothing applied.</source>
        <translation>原始模型：%1，未应用任何改写。</translation>
    </message>
    <message>
        <source>%1: nothing to optimize, 0 of %2 passes match; near misses: %3.</source>
        <translation>%1：无可优化，%2 个优化遍中有 0 个匹配；近似命中：%3。</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开模型</translation>
    </message>
    <message>
        <source>Open an ONNX model to see what each optimization level does to it, rewrite by rewrite.</source>
        <translation>打开 ONNX 模型，逐次改写地查看各优化级别的效果。</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>打开……</translation>
    </message>
    <message>
        <source>Nothing is optimized yet</source>
        <translation>尚未优化</translation>
    </message>
    <message>
        <source>The model could not be optimized</source>
        <translation>无法优化模型</translation>
    </message>
    <message>
        <source>Optimize</source>
        <translation>优化</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>%1 failed: %2</source>
        <translation>%1 失败：%2</translation>
    </message>
    <message>
        <source>Optimizing: %1 …</source>
        <translation>正在优化：%1……</translation>
    </message>
    <message>
        <source>&amp;Changes (%1)</source>
        <translation>改动 (%1)(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Changes</source>
        <translation>改动(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Near misses (%1)</source>
        <translation>近似命中 (%1)(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Near misses</source>
        <translation>近似命中(&amp;N)</translation>
    </message>
    <message>
        <source>The original graph</source>
        <translation>原始图</translation>
    </message>
    <message>
        <source>All rewrites applied</source>
        <translation>已应用全部改写</translation>
    </message>
    <message>
        <source>Draw step %1</source>
        <translation>绘制第 %1 步</translation>
    </message>
    <message>
        <source>These nodes are not drawn: their graph is no longer part of the model.</source>
        <translation>这些节点未绘制：它们所在的图已不属于模型。</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排</translation>
    </message>
    <message>
        <source>Show the graphs before and after side by side</source>
        <translation>并排显示改写前后的图</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>Show both graphs on top of each other: dashed red with a minus went, green with a plus came</source>
        <translation>叠加显示两个图：红色虚线加减号为移除，绿色加加号为新增</translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation>适合全部</translation>
    </message>
    <message>
        <source>Show the whole graph</source>
        <translation>显示整个图</translation>
    </message>
    <message>
        <source>Zoom to the step</source>
        <translation>缩放到此步</translation>
    </message>
    <message>
        <source>Show what the step changed</source>
        <translation>显示此步的改动</translation>
    </message>
    <message>
        <source>Use this graph</source>
        <translation>使用此图</translation>
    </message>
    <message>
        <source>Show and run this variant on the other pages</source>
        <translation>在其他页面显示并运行此变体</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Copy the lapidary-cli command that repeats this</source>
        <translation>复制可重复此操作的 lapidary-cli 命令</translation>
    </message>
    <message>
        <source>Guard</source>
        <translation>校验</translation>
    </message>
    <message>
        <source>Run the original and this variant on the same inputs and compare every output</source>
        <translation>用相同输入运行原始模型和此变体，并比较每个输出</translation>
    </message>
    <message>
        <source>Export …</source>
        <translation>导出……</translation>
    </message>
    <message>
        <source>Write the optimized model: portable, plain ONNX or for this CPU</source>
        <translation>写出优化后的模型：可移植、标准 ONNX 或针对此 CPU</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>What the graph after the step is compared with</source>
        <translation>此步之后的图与什么比较</translation>
    </message>
    <message>
        <source>All changes so far</source>
        <translation>到目前为止的全部改动</translation>
    </message>
    <message>
        <source>This step only</source>
        <translation>仅此步</translation>
    </message>
    <message>
        <source>Optimize tools</source>
        <translation>优化工具</translation>
    </message>
    <message>
        <source>What the passes did</source>
        <translation>优化遍做了什么</translation>
    </message>
    <message>
        <source>&amp;Passes</source>
        <translation>优化遍(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Guard</source>
        <translation>校验(&amp;G)</translation>
    </message>
    <message>
        <source>%1: %2; %3 → %4 nodes</source>
        <translation>%1：%2；%3 → %4 个节点</translation>
    </message>
    <message>
        <source>Stop measuring the levels</source>
        <translation>停止测量各级</translation>
    </message>
    <message>
        <source>Measure the levels</source>
        <translation>测量各级</translation>
    </message>
    <message>
        <source>&amp;Changes (%1 + %2)</source>
        <translation>更改(&amp;C) (%1 + %2)</translation>
    </message>
    <message>
        <source>Rewrites of the model, and those that a session makes in its own copy</source>
        <translation>模型的改写，以及会话在自己副本中所做的改写</translation>
    </message>
    <message>
        <source>All rewrites applied; a session makes 1 more in its own copy</source>
        <translation>已应用全部改写；会话在自己的副本中另做 1 次</translation>
    </message>
    <message>
        <source>All rewrites applied; a session makes %1 more in its own copy</source>
        <translation>已应用全部改写；会话在自己的副本中另做 %1 次</translation>
    </message>
    <message>
        <source>Measure the levels in turn with the sizes and threads in force</source>
        <translation>以当前大小和线程轮流测量各级</translation>
    </message>
    <message>
        <source>choose %1</source>
        <translation>选择 %1</translation>
    </message>
    <message>
        <source>Compact result</source>
        <translation>紧凑结果</translation>
    </message>
    <message>
        <source>Lay the finished graph out for itself; without it what went stays drawn beneath it</source>
        <translation>单独排布完成的图；否则被移除的部分仍绘制在其下方</translation>
    </message>
    <message>
        <source>; a session&apos;s own passes leave %1</source>
        <translation>；会话自身的处理后剩下 %1</translation>
    </message>
    <message>
        <source>M&amp;isses</source>
        <translation>近似(&amp;N)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OrderFields</name>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Names in their order</source>
        <translation>按顺序排列的名称</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Move the name up</source>
        <translation>将名称上移</translation>
    </message>
    <message>
        <source>Move the name down</source>
        <translation>将名称下移</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OriginalNodes</name>
    <message>
        <source>All of this time is the node&apos;s own.</source>
        <translation>这段时间全部属于该节点。</translation>
    </message>
    <message>
        <source>A part of the time of one node that stands for %1 original ones.</source>
        <translation>代表 %1 个原始节点的某节点的一部分时间。</translation>
    </message>
    <message>
        <source>Time by original node</source>
        <translation>按原始节点列出的时间</translation>
    </message>
    <message>
        <source>No node matches.</source>
        <translation>没有符合的节点。</translation>
    </message>
    <message>
        <source>Nodes that stand for several original ones: %1. Their times are divided by estimated work.</source>
        <translation>代表多个原始节点的节点：%1。其时间按估计的工作量分摊。</translation>
    </message>
    <message>
        <source>Nodes that stand for several original ones: %1. Their times are divided evenly, as not all sizes are known.</source>
        <translation>代表多个原始节点的节点：%1。由于并非所有大小都已知，其时间平均分摊。</translation>
    </message>
    <message>
        <source>Of no original node: %1 (%2).</source>
        <translation>不属于任何原始节点：%1 (%2)。</translation>
    </message>
    <message>
        <source>All times belong to original nodes.</source>
        <translation>所有时间都属于原始节点。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OutputDetails</name>
    <message>
        <source>Largest values</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>&amp;Labels …</source>
        <translation>标签(&amp;L)……</translation>
    </message>
    <message>
        <source>Values of the output</source>
        <translation>输出的数值</translation>
    </message>
    <message>
        <source>A text file with the name of a class per line</source>
        <translation>每行一个类别名称的文本文件</translation>
    </message>
    <message>
        <source>Largest %1</source>
        <translation>最大的 %1 个</translation>
    </message>
    <message>
        <source>Output %1 as a picture</source>
        <translation>输出 %1 的图像</translation>
    </message>
    <message>
        <source>✓ As recorded: the largest difference is %1.</source>
        <translation>✓ 与记录一致：最大差异为 %1。</translation>
    </message>
    <message>
        <source>✗ Not as recorded: %1</source>
        <translation>✗ 与记录不一致：%1</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>A label per line (*.txt)</source>
        <translation>每行一个标签 (*.txt)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OutputDifferences</name>
    <message>
        <source>✓ the same</source>
        <translation>✓ 相同</translation>
    </message>
    <message>
        <source>✗ differs</source>
        <translation>✗ 不同</translation>
    </message>
    <message>
        <source>Outputs of A and B on the same inputs</source>
        <translation>A 与 B 在相同输入下的输出</translation>
    </message>
    <message>
        <source>The model has no outputs.</source>
        <translation>模型没有输出。</translation>
    </message>
    <message>
        <source>Press Compare: both variants get the same generated inputs and every output is compared.</source>
        <translation>按“比较”：两个变体得到相同的生成输入，并比较每个输出。</translation>
    </message>
    <message>
        <source>Within the tolerance of the guard</source>
        <translation>在校验容差之内</translation>
    </message>
    <message>
        <source>Power of A&apos;s values over that of the difference; 20 dB more are a tenth of the difference</source>
        <translation>A 的数值功率与差值功率之比；每增加 20 dB，差值缩小到十分之一</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>An answer is where the largest element along the last axis is: the class of a classifier, the next token of a decoder</source>
        <translation>答案是最后一个轴上最大元素的位置：分类器的类别、解码器的下一个词元</translation>
    </message>
    <message>
        <source>≈ within %1 rounding</source>
        <translation>≈ 在 %1 舍入范围内</translation>
    </message>
    <message>
        <source>Apart by more than float32 rounds. An SQNR of %1 or more is at most ten times the error of one rounding to %2.</source>
        <translation>相差超过 float32 的舍入。SQNR 达到 %1 或以上，相当于误差至多是一次舍入到 %2 的十倍。</translation>
    </message>
    <message>
        <source>No answers: the last axis is not one of classes, by the shape or the name of the output, as of caches and hidden states</source>
        <translation>没有答案：从输出的形状或名称看，最后一个轴不是类别轴，例如缓存和隐藏状态</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OutputPanel</name>
    <message>
        <source>Accuracy of the outputs</source>
        <translation>输出的精度</translation>
    </message>
    <message>
        <source>After quantizing, every output stands here with how far it is off.</source>
        <translation>量化之后，此处列出每个输出及其偏差。</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>lapidary::views::OutputTable</name>
    <message>
        <source>Outputs of the run</source>
        <translation>运行的输出</translation>
    </message>
    <message>
        <source>A trace holds no outputs. Run the model to see them.</source>
        <translation>跟踪文件不含输出。运行模型即可查看。</translation>
    </message>
    <message>
        <source>✓ within %1</source>
        <translation>✓ 相差 %1 以内</translation>
    </message>
    <message>
        <source>✗ off by %1</source>
        <translation>✗ 相差 %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ParetoPanel</name>
    <message>
        <source>SQNR against size or time</source>
        <translation>SQNR 对大小或时间</translation>
    </message>
    <message>
        <source>After quantizing, every recipe is a point here.</source>
        <translation>量化之后，每个配方在此为一个点。</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Against</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>SQNR &amp;against</source>
        <translation>SQNR 对比(&amp;A)</translation>
    </message>
    <message>
        <source>the result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Time per run, ms</source>
        <translation>每次运行时间，毫秒</translation>
    </message>
    <message>
        <source>Constants in the file, MB</source>
        <translation>文件中的常量，MB</translation>
    </message>
    <message>
        <source>SQNR, dB</source>
        <translation>SQNR，dB</translation>
    </message>
    <message>
        <source>Constants in the file, kB</source>
        <translation>文件中的常量，kB</translation>
    </message>
    <message>
        <source>%1 of %2 recipes are beaten by no other in size, time and SQNR. ★ is the result; click a point to choose it. The diamond is the float model.</source>
        <translation>%2 个配方中有 %1 个在大小、时间和 SQNR 上均不被其他配方超越。★ 为结果；单击一点即可选中。菱形是浮点模型。</translation>
    </message>
    <message>
        <source>Original: the float model</source>
        <translation>原始：浮点模型</translation>
    </message>
    <message>
        <source>No noise: it is drawn above all recipes</source>
        <translation>没有噪声：画在所有配方之上</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>It lies farther to the right than it is drawn</source>
        <translation>它的实际位置比所画的更靠右</translation>
    </message>
    <message>
        <source>Original →</source>
        <translation>原始 →</translation>
    </message>
</context>
<context>
    <name>lapidary::views::PassListPanel</name>
    <message>
        <source>Defaults</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Filter passes, also by ONNX Runtime&apos;s names</source>
        <translation>筛选优化遍，也可用 ONNX Runtime 的名称</translation>
    </message>
    <message>
        <source>Filter passes</source>
        <translation>筛选优化遍</translation>
    </message>
    <message>
        <source>Switch every pass back to its default</source>
        <translation>将所有优化遍恢复默认</translation>
    </message>
    <message>
        <source>Passes by level</source>
        <translation>按级别列出的优化遍</translation>
    </message>
    <message>
        <source>About the chosen pass</source>
        <translation>关于所选优化遍</translation>
    </message>
    <message>
        <source>Choose a pass to read what it does. Space switches it off and on, Enter shows what it changed.</source>
        <translation>选择一个优化遍查看说明。空格键开关，回车键显示它的改动。</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Files of rewriting rules of your own, which run with every level</source>
        <translation>您自己的改写规则文件，在每个级别都会运行</translation>
    </message>
    <message>
        <source>&amp;Add a file …</source>
        <translation>添加文件(&amp;A)……</translation>
    </message>
    <message>
        <source>Take %1 away</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Rules of your own</source>
        <translation>自己的规则</translation>
    </message>
    <message>
        <source>Rules (*.rules *.txt)</source>
        <translation>规则 (*.rules *.txt)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::PassModel</name>
    <message>
        <source>ONNX Runtime has no such pass.</source>
        <translation>ONNX Runtime 没有这样的优化遍。</translation>
    </message>
    <message>
        <source>ONNX Runtime calls it %1.</source>
        <translation>ONNX Runtime 称之为 %1。</translation>
    </message>
    <message>
        <source>For the providers %1.</source>
        <translation>用于执行提供者 %1。</translation>
    </message>
    <message>
        <source>Off unless it is switched on.</source>
        <translation>默认关闭，需手动开启。</translation>
    </message>
    <message>
        <source>It did not run: %1.</source>
        <translation>未运行：%1。</translation>
    </message>
    <message>
        <source>It ran and found no place.</source>
        <translation>已运行，没有找到可改写之处。</translation>
    </message>
    <message>
        <source>Rewrites: %1, near misses: %2, change of nodes: %3; %4.</source>
        <translation>改写：%1，近似命中：%2，节点变化：%3；%4。</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>总是</translation>
    </message>
    <message>
        <source>%1 — needs a higher level</source>
        <translation>%1 — 需要更高级别</translation>
    </message>
    <message>
        <source>%1 of %2 passes of this level are switched on</source>
        <translation>此级别 %2 个优化遍中开启了 %1 个</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>优化遍</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>命中</translation>
    </message>
    <message>
        <source>Near</source>
        <translation>近似</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Switches and names of all passes</source>
        <translation>所有优化遍的开关与名称</translation>
    </message>
    <message>
        <source>How often the pass rewrote the graph</source>
        <translation>该优化遍改写计算图的次数</translation>
    </message>
    <message>
        <source>How often it almost matched; see Near misses</source>
        <translation>几乎匹配的次数；见“近似命中”</translation>
    </message>
    <message>
        <source>Time spent in the pass</source>
        <translation>该优化遍所用时间</translation>
    </message>
    <message>
        <source>A rule of your own; it runs at every level.</source>
        <translation>您自己的规则；在每个级别都会运行。</translation>
    </message>
    <message>
        <source>User rules</source>
        <translation>用户规则</translation>
    </message>
</context>
<context>
    <name>lapidary::views::PhaseTable</name>
    <message>
        <source>No phases were recorded.</source>
        <translation>没有记录到阶段。</translation>
    </message>
    <message>
        <source>session overhead, once</source>
        <translation>会话开销（一次性）</translation>
    </message>
    <message>
        <source>model load</source>
        <translation>加载模型</translation>
    </message>
    <message>
        <source>graph optimization</source>
        <translation>图优化</translation>
    </message>
    <message>
        <source>session initialization</source>
        <translation>会话初始化</translation>
    </message>
    <message>
        <source>session cleanup</source>
        <translation>会话清理</translation>
    </message>
    <message>
        <source>Phases of the session</source>
        <translation>会话的各阶段</translation>
    </message>
    <message>
        <source>No phase of the session lies in the selected range.</source>
        <translation>所选范围内没有会话阶段。</translation>
    </message>
    <message>
        <source>round weights to int8</source>
        <translation>将权重舍入为 int8</translation>
    </message>
    <message>
        <source>round weights to fp16</source>
        <translation>将权重舍入为 fp16</translation>
    </message>
    <message>
        <source>round weights to bf16</source>
        <translation>将权重舍入为 bf16</translation>
    </message>
    <message>
        <source>expand functions</source>
        <translation>展开函数</translation>
    </message>
    <message>
        <source>infer shapes</source>
        <translation>推断形状</translation>
    </message>
    <message>
        <source>start threads</source>
        <translation>启动线程</translation>
    </message>
    <message>
        <source>place nodes</source>
        <translation>分配节点</translation>
    </message>
    <message>
        <source>choose kernels</source>
        <translation>选择内核</translation>
    </message>
    <message>
        <source>pack weights</source>
        <translation>打包权重</translation>
    </message>
</context>
<context>
    <name>lapidary::views::PixelFields</name>
    <message>
        <source>0 … 255</source>
        <translation>0 … 255</translation>
    </message>
    <message>
        <source>0 … 1</source>
        <translation>0 … 1</translation>
    </message>
    <message>
        <source>−1 … 1</source>
        <translation>−1 … 1</translation>
    </message>
    <message>
        <source>ImageNet mean and deviation</source>
        <translation>ImageNet 均值与标准差</translation>
    </message>
    <message>
        <source>blue first</source>
        <translation>蓝色在前</translation>
    </message>
    <message>
        <source>as found</source>
        <translation>自动确定</translation>
    </message>
    <message>
        <source>own numbers</source>
        <translation>自定义数值</translation>
    </message>
    <message>
        <source>stretched</source>
        <translation>拉伸</translation>
    </message>
    <message>
        <source>the middle</source>
        <translation>中间部分</translation>
    </message>
    <message>
        <source>the middle, 87.5 %</source>
        <translation>中间部分，87.5 %</translation>
    </message>
    <message>
        <source>as they fit</source>
        <translation>按形状匹配</translation>
    </message>
    <message>
        <source>channels first</source>
        <translation>通道在前</translation>
    </message>
    <message>
        <source>channels last</source>
        <translation>通道在后</translation>
    </message>
    <message>
        <source>The model wants the channels in the order blue, green, red</source>
        <translation>模型需要按蓝、绿、红顺序排列的通道</translation>
    </message>
    <message>
        <source>&amp;Pixels</source>
        <translation>像素(&amp;P)</translation>
    </message>
    <message>
        <source>What the values of pixels become, as the model was trained. Found by right answers where there are labels, or by the first layers, unless you choose it</source>
        <translation>像素值按模型训练时的方式转换。除非您自行选择，否则有标签时由正确答案确定，没有时由前几层确定</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Subtracted from the channels 0 … 255: one number, or three with commas between</source>
        <translation>从 0 … 255 的通道中减去：一个数，或用逗号分隔的三个数</translation>
    </message>
    <message>
        <source>deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Divides what is left: one number, or three with commas between</source>
        <translation>用于除以剩余值：一个数，或用逗号分隔的三个数</translation>
    </message>
    <message>
        <source>Crop</source>
        <translation>裁剪</translation>
    </message>
    <message>
        <source>Pictures are stretched to the input, or their middle is taken in its proportions; of arrays larger than the input the middle is taken</source>
        <translation>图片拉伸到输入大小，或按输入比例取其中间部分；大于输入的数组取其中间部分</translation>
    </message>
    <message>
        <source>Arrays lie</source>
        <translation>数组布局</translation>
    </message>
    <message>
        <source>Order of dimensions in the file: channels before or behind height and width</source>
        <translation>文件中维度的顺序：通道在高和宽之前或之后</translation>
    </message>
</context>
<context>
    <name>lapidary::views::PluginsDialog</name>
    <message>
        <source>&amp;Switch on</source>
        <translation>启用(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Switch off</source>
        <translation>停用(&amp;S)</translation>
    </message>
    <message>
        <source>A plugin is a shared library that brings operators, devices or engines. It is found in:</source>
        <translation>插件是提供算子、设备或引擎的共享库。查找位置：</translation>
    </message>
    <message>
        <source>lib/lapidary/plugins of the installation</source>
        <translation>安装目录的 lib/lapidary/plugins</translation>
    </message>
    <message>
        <source>~/.local/share/lapidary/plugins, for this user</source>
        <translation>~/.local/share/lapidary/plugins（仅当前用户）</translation>
    </message>
    <message>
        <source>files and folders that the variable LAPIDARY_PLUGINS names</source>
        <translation>变量 LAPIDARY_PLUGINS 指定的文件和文件夹</translation>
    </message>
    <message>
        <source>ONNX Runtime becomes a second engine where it is found:</source>
        <translation>找到 ONNX Runtime 时，它会成为第二个引擎：</translation>
    </message>
    <message>
        <source>installed for Python: pip install onnxruntime</source>
        <translation>已为 Python 安装：pip install onnxruntime</translation>
    </message>
    <message>
        <source>at the place that the variable LAPIDARY_ONNXRUNTIME names</source>
        <translation>变量 LAPIDARY_ONNXRUNTIME 指定的位置</translation>
    </message>
    <message>
        <source>Look again afterwards. F1 says more.</source>
        <translation>之后请重新查找。按 F1 了解更多。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ProblemsPanel</name>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Nothing odd was found in this model.</source>
        <translation>此模型没有异常。</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>没有打开模型。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ProgramPanel</name>
    <message>
        <source>Version of ONNX Runtime</source>
        <translation>ONNX Runtime 版本</translation>
    </message>
    <message>
        <source>Names and values fit this version of ONNX Runtime</source>
        <translation>名称和取值适合此版本的 ONNX Runtime</translation>
    </message>
    <message>
        <source>ONNX Runtime %1</source>
        <translation>ONNX Runtime %1</translation>
    </message>
    <message>
        <source>Does the same with ONNX Runtime&apos;s own tools. Its first lines say what they do differently.</source>
        <translation>用 ONNX Runtime 自带的工具完成同样的工作。开头几行说明这些工具的不同之处。</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>请先打开模型。</translation>
    </message>
    <message>
        <source>The program comes when quantizing is done.</source>
        <translation>量化完成后显示程序。</translation>
    </message>
    <message>
        <source>Program for ONNX Runtime</source>
        <translation>用于 ONNX Runtime 的程序</translation>
    </message>
</context>
<context>
    <name>lapidary::views::PromptBar</name>
    <message>
        <source>&amp;Prompt</source>
        <translation>提示(&amp;P)</translation>
    </message>
    <message>
        <source>Ne&amp;w tokens</source>
        <translation>新词元(&amp;W)</translation>
    </message>
    <message>
        <source>Tokens that are generated at most</source>
        <translation>最多生成的词元数</translation>
    </message>
    <message>
        <source>The variant in force</source>
        <translation>当前变体</translation>
    </message>
    <message>
        <source>A and B in turn</source>
        <translation>A 与 B 轮流</translation>
    </message>
    <message>
        <source>W&amp;ith</source>
        <translation>使用(&amp;I)</translation>
    </message>
    <message>
        <source>A and B are the variants of the Compare page. A chooses the tokens; B is given the same ones, and its logits are compared.</source>
        <translation>A 和 B 是“比较”页的变体。A 选取词元；B 得到相同的词元，并比较其 logits。</translation>
    </message>
    <message>
        <source>More …</source>
        <translation>更多……</translation>
    </message>
    <message>
        <source>Caches and how tokens are chosen</source>
        <translation>缓存以及词元的选取方式</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>of fixed size</source>
        <translation>固定大小</translation>
    </message>
    <message>
        <source>growing</source>
        <translation>增长</translation>
    </message>
    <message>
        <source>&amp;Caches</source>
        <translation>缓存(&amp;C)</translation>
    </message>
    <message>
        <source>Of fixed size: written where they lie. Growing: every run gives longer ones. Automatic: of fixed size where the model can.</source>
        <translation>固定大小：就地写入。增长：每次运行得到更长的缓存。自动：模型支持时用固定大小。</translation>
    </message>
    <message>
        <source>Capaci&amp;ty</source>
        <translation>容量(&amp;T)</translation>
    </message>
    <message>
        <source>Tokens that caches of fixed size have room for; as needed: as many as the prompt and the new ones are</source>
        <translation>固定大小的缓存可容纳的词元数；按需：提示与新词元的总数</translation>
    </message>
    <message>
        <source>as needed</source>
        <translation>按需</translation>
    </message>
    <message>
        <source>most probable</source>
        <translation>最可能的</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Logits are divided by it before a token is drawn; most probable: none is drawn</source>
        <translation>抽取词元前 logits 除以它；最可能的：不抽取</translation>
    </message>
    <message>
        <source>Top-&amp;k</source>
        <translation>Top-k(&amp;K)</translation>
    </message>
    <message>
        <source>Draw from so many of the most probable tokens</source>
        <translation>从这么多个最可能的词元中抽取</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>T&amp;op-p</source>
        <translation>Top-p(&amp;O)</translation>
    </message>
    <message>
        <source>Draw from the most probable tokens that together have this probability</source>
        <translation>从合计达到此概率的最可能词元中抽取</translation>
    </message>
    <message>
        <source>See&amp;d</source>
        <translation>种子(&amp;D)</translation>
    </message>
    <message>
        <source>The same seed draws the same tokens</source>
        <translation>相同的种子抽取相同的词元</translation>
    </message>
    <message>
        <source>Stop toke&amp;ns</source>
        <translation>停止词元(&amp;N)</translation>
    </message>
    <message>
        <source>The prompt needs at least one token: numbers, with commas between them.</source>
        <translation>提示至少需要一个词元：以逗号分隔的数字。</translation>
    </message>
    <message>
        <source>Stop tokens are numbers, with commas between them.</source>
        <translation>停止词元是以逗号分隔的数字。</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Generate</source>
        <translation>生成(&amp;G)</translation>
    </message>
    <message>
        <source>Stop; the tokens so far are kept (Ctrl+Return)</source>
        <translation>停止；保留已有的词元 (Ctrl+Return)</translation>
    </message>
    <message>
        <source>Generate tokens and time them (Ctrl+Return)</source>
        <translation>生成词元并计时 (Ctrl+Return)</translation>
    </message>
    <message>
        <source>What the answer follows: tokens as numbers with commas between them, or a text where a tokenizer.json lies beside the model</source>
        <translation>回答之前的内容：以逗号分隔的词元数字；若模型旁有 tokenizer.json，也可以是文本</translation>
    </message>
    <message>
        <source>as text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>as tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Kind of prompt</source>
        <translation>提示的类型</translation>
    </message>
    <message>
        <source>Whether the prompt is a text, which the model&apos;s tokenizer makes tokens of, or the tokens themselves</source>
        <translation>提示是文本（由模型的分词器转成词元）还是词元本身</translation>
    </message>
    <message>
        <source>The prompt needs a text.</source>
        <translation>提示需要文本。</translation>
    </message>
    <message>
        <source>the model&apos;s own</source>
        <translation>模型自带的</translation>
    </message>
    <message>
        <source>Tokens that end the answer, as numbers. The model&apos;s own are those that files beside it or its tokenizer name.</source>
        <translation>结束回答的词元，以数字表示。模型自带的是模型旁边或其分词器旁边的文件所列出的词元。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::QuantizeCard</name>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Export …</source>
        <translation>导出……</translation>
    </message>
    <message>
        <source>Show graph</source>
        <translation>显示图</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>What the result rests on</source>
        <translation>结果的依据</translation>
    </message>
    <message>
        <source>Progress of quantizing</source>
        <translation>量化进度</translation>
    </message>
    <message>
        <source>Try recipes on the samples and keep the best (Ctrl+Return)</source>
        <translation>在样本上尝试配方并保留最佳者 (Ctrl+Return)</translation>
    </message>
    <message>
        <source>Stop trying; the best so far is kept</source>
        <translation>停止尝试；保留目前最佳者</translation>
    </message>
    <message>
        <source>Put the float model in slot A, the quantized one in slot B, and open Compare</source>
        <translation>将浮点模型放入 A，量化模型放入 B，并打开比较</translation>
    </message>
    <message>
        <source>Write the quantized model to a file</source>
        <translation>将量化模型写入文件</translation>
    </message>
    <message>
        <source>Show the quantized model in all views, its graph first</source>
        <translation>在所有视图中显示量化模型，先显示其图</translation>
    </message>
    <message>
        <source>Trying the first recipe …</source>
        <translation>正在尝试第一个配方……</translation>
    </message>
    <message>
        <source>How small and fast can it be? Press Quantize to find out.</source>
        <translation>能有多小、多快？按“量化”即可得知。</translation>
    </message>
    <message>
        <source>The time was over before all recipes were tried.</source>
        <translation>时间用尽，未能尝试所有配方。</translation>
    </message>
    <message>
        <source>No recipe reached the floor: this is the most accurate.</source>
        <translation>没有配方达到下限：这是最准确者。</translation>
    </message>
    <message>
        <source>&amp;Quantize again</source>
        <translation>再次量化(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Quantize</source>
        <translation>量化(&amp;Q)</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>recipes tried: %1, %2 s</source>
        <translation>已尝试配方：%1，%2 秒</translation>
    </message>
    <message>
        <source>Recipes are tried on the samples; the best is kept as a variant beside the original.</source>
        <translation>在样本上尝试各种配方；最佳者作为变体保留在原模型旁。</translation>
    </message>
    <message>
        <source>Every node says why it was quantized or not.</source>
        <translation>每个节点都说明其被量化与否的原因。</translation>
    </message>
    <message>
        <source>Report …</source>
        <translation>报告……</translation>
    </message>
    <message>
        <source>Write an HTML page with sentence, recipes, layers, ranges and nodes</source>
        <translation>写入包含结论、配方、各层、范围和节点的 HTML 页面</translation>
    </message>
    <message>
        <source>Float and quantized were timed in turn at %1, on the first sample.</source>
        <translation>浮点与量化模型在 %1 下用第一个样本交替计时。</translation>
    </message>
    <message>
        <source>Warning: %1</source>
        <translation>警告：%1</translation>
    </message>
    <message>
        <source>Looking at the samples …</source>
        <translation>正在查看样本……</translation>
    </message>
</context>
<context>
    <name>lapidary::views::QuantizePage</name>
    <message>
        <source>Use this recipe</source>
        <translation>使用此配方</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开模型</translation>
    </message>
    <message>
        <source>Open a model or take a sample from the start page. Here it becomes smaller and faster with 8-bit integers, and you see what that costs.</source>
        <translation>打开模型或从起始页选取示例。在此用 8 位整数使其更小更快，并可看到代价。</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>打开……</translation>
    </message>
    <message>
        <source>The model could not be quantized</source>
        <translation>无法量化该模型</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Quantize the model</source>
        <translation>量化模型</translation>
    </message>
    <message>
        <source>Try recipes on the samples and keep the best</source>
        <translation>在样本上尝试配方并保留最佳者</translation>
    </message>
    <message>
        <source>Stop quantizing</source>
        <translation>停止量化</translation>
    </message>
    <message>
        <source>Stop trying; the best so far is kept</source>
        <translation>停止尝试；保留目前最佳者</translation>
    </message>
    <message>
        <source>Choose samples …</source>
        <translation>选择样本……</translation>
    </message>
    <message>
        <source>Choose the folder of samples that ranges come from</source>
        <translation>选择用于确定范围的样本文件夹</translation>
    </message>
    <message>
        <source>Compare quantized with float</source>
        <translation>比较量化与浮点</translation>
    </message>
    <message>
        <source>Put the float model in slot A, the quantized one in slot B, and open Compare</source>
        <translation>将浮点模型放入 A，量化模型放入 B，并打开比较</translation>
    </message>
    <message>
        <source>Export the quantized model …</source>
        <translation>导出量化模型……</translation>
    </message>
    <message>
        <source>Write the quantized model to a file</source>
        <translation>将量化模型写入文件</translation>
    </message>
    <message>
        <source>Copy the quantize command</source>
        <translation>复制量化命令</translation>
    </message>
    <message>
        <source>Copy the lapidary-cli command that does this search</source>
        <translation>复制执行此搜索的 lapidary-cli 命令</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
    <message>
        <source>Make the chosen recipe the result</source>
        <translation>将所选配方作为结果</translation>
    </message>
    <message>
        <source>Best first. SQNR: 20 dB is visible, 30 good, 40 very good.</source>
        <translation>最佳者在前。SQNR：20 dB 可见，30 良好，40 很好。</translation>
    </message>
    <message>
        <source>Details of the quantization</source>
        <translation>量化详情</translation>
    </message>
    <message>
        <source>&amp;Recipes</source>
        <translation>配方(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Nodes</source>
        <translation>节点(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Outputs</source>
        <translation>输出(&amp;O)</translation>
    </message>
    <message>
        <source>compare quantized with float</source>
        <translation>比较量化与浮点</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>The shown model has no node %1.</source>
        <translation>所示模型没有节点 %1。</translation>
    </message>
    <message>
        <source>Tra&amp;de-offs</source>
        <translation>权衡(&amp;D)</translation>
    </message>
    <message>
        <source>Save a report on the quantization …</source>
        <translation>保存量化报告……</translation>
    </message>
    <message>
        <source>Write an HTML page with sentence, recipes, layers, ranges and nodes</source>
        <translation>写入包含结论、配方、各层、范围和节点的 HTML 页面</translation>
    </message>
    <message>
        <source>La&amp;yers</source>
        <translation>各层(&amp;Y)</translation>
    </message>
    <message>
        <source>Rang&amp;es</source>
        <translation>范围(&amp;E)</translation>
    </message>
    <message>
        <source>Save a report on the quantization</source>
        <translation>保存量化报告</translation>
    </message>
    <message>
        <source>HTML page (*.html)</source>
        <translation>HTML 页面 (*.html)</translation>
    </message>
    <message>
        <source>The report could not be written</source>
        <translation>无法写入报告</translation>
    </message>
    <message>
        <source>&amp;Program</source>
        <translation>程序(&amp;P)</translation>
    </message>
    <message>
        <source>Show the program for ONNX Runtime</source>
        <translation>显示用于 ONNX Runtime 的程序</translation>
    </message>
    <message>
        <source>A Python program that does the same with ONNX Runtime&apos;s own tools, to copy or save</source>
        <translation>用 ONNX Runtime 自带工具完成同样工作的 Python 程序，可复制或保存</translation>
    </message>
</context>
<context>
    <name>lapidary::views::QueueList</name>
    <message>
        <source>1 thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 个线程</translation>
    </message>
    <message>
        <source>Queue of settings</source>
        <translation>设置队列</translation>
    </message>
    <message>
        <source>Earlier (Alt+Up)</source>
        <translation>提前 (Alt+↑)</translation>
    </message>
    <message>
        <source>Later (Alt+Down)</source>
        <translation>推后 (Alt+↓)</translation>
    </message>
    <message>
        <source>Take off the queue (Delete)</source>
        <translation>移出队列 (Delete)</translation>
    </message>
    <message>
        <source>now: %1</source>
        <translation>当前：%1</translation>
    </message>
    <message>
        <source>The queue is empty. Click cells of the heat map to measure only those; Start measures all.</source>
        <translation>队列为空。点击热图单元格只测这些；“开始”测量全部。</translation>
    </message>
    <message>
        <source>Done in %1. What is alike but for threads and spinning is measured in turn.</source>
        <translation>%1 后完成。除线程与自旋外相同的设置交替测量。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::QuietDocks</name>
    <message>
        <source>Problems (%1)</source>
        <translation>问题 (%1)</translation>
    </message>
    <message>
        <source>What is odd about this model; press to open or close the list</source>
        <translation>该模型的异常之处；按下可打开或关闭列表</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RailButton</name>
    <message>
        <source>Page %1</source>
        <translation>页面 %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RangeHistogram</name>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>%1: seen %2, quantized %3, %4 beyond</source>
        <translation>%1：所见 %2，量化 %3，超出 %4</translation>
    </message>
    <message>
        <source>Choose a value to see how often each size of it was seen.</source>
        <translation>选择一个值以查看其各种大小出现的频率。</translation>
    </message>
    <message>
        <source>Ranges by extremes count no values.</source>
        <translation>按极值取范围时不统计数值。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RangePanel</name>
    <message>
        <source>Elements that become the smallest or largest integer</source>
        <translation>变为最小或最大整数的元素</translation>
    </message>
    <message>
        <source>Ranges of activations</source>
        <translation>激活值的范围</translation>
    </message>
    <message>
        <source>After quantizing with fixed ranges (int8 static), every quantized value stands here. The other ways take ranges in each run, or none.</source>
        <translation>以固定范围（int8 静态）量化之后，每个被量化的值列在此处。其他方式在每次运行时取范围，或不取范围。</translation>
    </message>
    <message>
        <source>Bars: how often values were seen, heights by the logarithm. Between the dashed lines integers stand for them; what is beyond becomes the smallest or largest integer.</source>
        <translation>条形：数值出现的频率，高度取对数。虚线之间的值由整数表示；超出部分变为最小或最大整数。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RateCurve</name>
    <message>
        <source>Tokens per second by context</source>
        <translation>按上下文的每秒词元数</translation>
    </message>
    <message>
        <source>%1: %2 tokens per second at %3 tokens of context</source>
        <translation>%1：上下文为 %3 个词元时每秒 %2 个词元</translation>
    </message>
    <message>
        <source>%1, %2 of what memory allows (%3)</source>
        <translation>%1，为内存所允许的 %2（%3）</translation>
    </message>
    <message>
        <source>Tokens per second over the context appear here, with the roof that memory sets. Press Measure.</source>
        <translation>此处显示随上下文变化的每秒词元数，以及内存设定的上限。请点按“测量”。</translation>
    </message>
    <message>
        <source>tokens of context</source>
        <translation>上下文词元数</translation>
    </message>
    <message>
        <source>roof of memory</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>正在测量……</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>%1, roof %2</source>
        <translation>%1，上限 %2</translation>
    </message>
    <message>
        <source>%1, roof %2 to %3</source>
        <translation>%1，上限 %2 至 %3</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RecentLooks</name>
    <message>
        <source>Draw a small picture of %1</source>
        <translation>绘制 %1 的缩略图</translation>
    </message>
    <message>
        <source>%1: %2, most of it %3 (%4)</source>
        <translation>%1：%2，其中大部分为 %3（%4）</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RecipeEditor</name>
    <message>
        <source>switch %1 on</source>
        <translation>开启 %1</translation>
    </message>
    <message>
        <source>switch %1 off</source>
        <translation>关闭 %1</translation>
    </message>
    <message>
        <source>passes as they are by default</source>
        <translation>优化遍恢复默认</translation>
    </message>
    <message>
        <source>add the rules of %1</source>
        <translation>添加 %1 的规则</translation>
    </message>
    <message>
        <source>take the rules of %1 away</source>
        <translation>移除 %1 的规则</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RecipeTable</name>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>slower than float</source>
        <translation>比浮点慢</translation>
    </message>
    <message>
        <source>Constants as saved, %1 of %2; a variant&apos;s level may fold some of them</source>
        <translation>保存时的常量，%2 的 %1；变体的级别可能会折叠其中一些</translation>
    </message>
    <message>
        <source>Median with its 95 % interval, measured in turn with the float model</source>
        <translation>中位数及 95 % 区间，与浮点模型交替测量</translation>
    </message>
    <message>
        <source>Nodes that were quantized</source>
        <translation>被量化的节点</translation>
    </message>
    <message>
        <source>Recipes</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Recipes appear here one by one, with what each costs and gains.</source>
        <translation>配方将在此逐一出现，并标明其代价与收益。</translation>
    </message>
    <message>
        <source>Signal to noise of the outputs, mean over %1 splits of the samples</source>
        <translation>输出的信噪比，%1 次样本划分的平均</translation>
    </message>
    <message>
        <source>Signal to noise of the outputs</source>
        <translation>输出的信噪比</translation>
    </message>
    <message>
        <source>Answers that changed: positions of the largest element along the classes</source>
        <translation>改变的答案：沿类别最大元素的位置</translation>
    </message>
    <message>
        <source>the least poor</source>
        <translation>差中最好的</translation>
    </message>
    <message>
        <source>poor</source>
        <translation>差</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RecommendationCard</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Verify best 3</source>
        <translation>复核最佳 3 种</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Recommendation</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>把握</translation>
    </message>
    <message>
        <source>Progress of measuring</source>
        <translation>测量进度</translation>
    </message>
    <message>
        <source>Stop measuring; what was measured is kept</source>
        <translation>停止测量；已测结果保留</translation>
    </message>
    <message>
        <source>Measure the three best settings in turn, longer, until they can be told apart</source>
        <translation>交替并更久地测量最佳三种设置，直到能够区分</translation>
    </message>
    <message>
        <source>Run, export and write code with these settings from now on (Undo brings the old ones back)</source>
        <translation>今后以这些设置运行、导出和生成代码（撤销可恢复旧设置）</translation>
    </message>
    <message>
        <source>Applied.</source>
        <translation>已应用。</translation>
    </message>
    <message>
        <source>None of the measured settings fits the latency cap.</source>
        <translation>所测设置均不满足延迟上限。</translation>
    </message>
    <message>
        <source>That takes %1. Click cells to measure only those; figures appear as they come in.</source>
        <translation>需要 %1。点击单元格只测这些；结果随到随显示。</translation>
    </message>
    <message>
        <source>Measure 1 queued setting</source>
        <translation>测量 1 个排队的设置</translation>
    </message>
    <message>
        <source>Measure %1 queued settings</source>
        <translation>测量 %1 个排队的设置</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Measure the other %1</source>
        <translation>测量其余 %1 个</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>重新测量</translation>
    </message>
    <message>
        <source>Takes %1 (Ctrl+Return)</source>
        <translation>需要 %1 (Ctrl+Return)</translation>
    </message>
    <message>
        <source>Measure what is not measured yet, in random order and in turn (Ctrl+Return)</source>
        <translation>以随机次序交替测量尚未测量的设置 (Ctrl+Return)</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Go on measuring</source>
        <translation>继续测量</translation>
    </message>
    <message>
        <source>Leave the machine alone for a while; what is measured stays</source>
        <translation>让机器空闲片刻；已测结果保留</translation>
    </message>
    <message>
        <source>paused, %1 left</source>
        <translation>已暂停，剩余 %1</translation>
    </message>
    <message>
        <source>verifying, %1 left</source>
        <translation>复核中，剩余 %1</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>Measuring the first settings of %1 …</source>
        <translation>正在测量 %1 的首批设置……</translation>
    </message>
    <message>
        <source>How many threads for %1? Press Start to find out.</source>
        <translation>%1 用多少线程？按“开始”即可得知。</translation>
    </message>
    <message>
        <source>Measured: %1, with %2.</source>
        <translation>测量对象：%1，使用 %2。</translation>
    </message>
    <message>
        <source>It will run with %1.</source>
        <translation>将使用 %1 运行。</translation>
    </message>
    <message>
        <source>Measuring your ONNX Runtime beside it …</source>
        <translation>正在同时测量您的 ONNX Runtime……</translation>
    </message>
    <message>
        <source>ONNX Runtime beside it: %1.</source>
        <translation>ONNX Runtime 对照：%1。</translation>
    </message>
    <message>
        <source>Your ONNX Runtime with the same settings: %1.</source>
        <translation>您的 ONNX Runtime 采用相同设置：%1。</translation>
    </message>
    <message>
        <source>Your ONNX Runtime with the same settings, in turn: %1, %2 times as long (%3 to %4).</source>
        <translation>您的 ONNX Runtime 采用相同设置，轮流测量：%1，用时为 %2 倍（%3 至 %4）。</translation>
    </message>
    <message>
        <source>Your ONNX Runtime with the same settings, in turn: %1, no difference beyond noise.</source>
        <translation>您的 ONNX Runtime 采用相同设置，轮流测量：%1，没有超出噪声的差异。</translation>
    </message>
    <message>
        <source>Your ONNX Runtime was measured in turn with it, but too much else ran to compare them.</source>
        <translation>已轮流测量您的 ONNX Runtime，但其他负载过多，无法比较。</translation>
    </message>
    <message>
        <source>measuring once more what cannot be told apart, %1 left</source>
        <translation>正在重新测量无法区分的设置，还剩 %1</translation>
    </message>
    <message>
        <source>Machine: %1.</source>
        <translation>机器：%1。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ReloadOffer</name>
    <message>
        <source>%1 changed on disk</source>
        <translation>%1 在磁盘上已更改</translation>
    </message>
    <message>
        <source>What is open is as it was before. Reading it again keeps variants, notes and the selection; figures measured before are dropped, as they are of the earlier file.</source>
        <translation>当前打开的仍是之前的内容。重新读取会保留变体、笔记和选择；之前测得的数值属于旧文件，会被丢弃。</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>%1 was read again</source>
        <translation>已重新读取 %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RenameEachFields</name>
    <message>
        <source>* stands for the name that a node has now. Without it the nodes are numbered.</source>
        <translation>* 代表节点现在的名称。没有 * 时，节点将被编号。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RenameFields</name>
    <message>
        <source>Names that change</source>
        <translation>发生变化的名称</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>New name</source>
        <translation>新名称</translation>
    </message>
    <message>
        <source>No name fits.</source>
        <translation>没有匹配的名称。</translation>
    </message>
    <message>
        <source>Names that change: %1</source>
        <translation>发生变化的名称：%1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RewriteCardModel</name>
    <message>
        <source>before: %1</source>
        <translation>之前：%1</translation>
    </message>
    <message>
        <source>after: %1</source>
        <translation>之后：%1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RewriteReview</name>
    <message>
        <source>Rewrites with pictures</source>
        <translation>带图示的改写</translation>
    </message>
    <message>
        <source>Picture of step %1</source>
        <translation>第 %1 步的图示</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RooflinePlot</name>
    <message>
        <source>Roofline</source>
        <translation>屋顶线</translation>
    </message>
    <message>
        <source>Left and right walk from node to node, slowest first; Return shows the node in the graph. The node table lists the same figures.</source>
        <translation>左右键在节点间移动，最慢的在前；回车键在图中显示节点。节点表列出相同数据。</translation>
    </message>
    <message>
        <source>A trace does not say what the machine that it was recorded on can do: run the model here to see it under this machine&apos;s roofs.</source>
        <translation>跟踪文件不说明录制机器的能力：请在此运行模型，以对照本机的上限。</translation>
    </message>
    <message>
        <source>The work of no node is known.</source>
        <translation>没有节点的工作量已知。</translation>
    </message>
    <message>
        <source>its data came out of the caches</source>
        <translation>数据来自缓存</translation>
    </message>
    <message>
        <source>bound by memory</source>
        <translation>受内存限制</translation>
    </message>
    <message>
        <source>bound by arithmetic</source>
        <translation>受算术限制</translation>
    </message>
    <message>
        <source>%1 · %2: %3 GFLOP/s at %4 operations per byte, %5 of this machine&apos;s peak, %6; %7 per run</source>
        <translation>%1 · %2：%3 GFLOP/s，每字节 %4 次运算，为此机器峰值的 %5，%6；每次运行 %7</translation>
    </message>
    <message>
        <source>operations per byte moved</source>
        <translation>每搬运字节的运算数</translation>
    </message>
    <message>
        <source>GFLOP/s, GOP/s</source>
        <translation>GFLOP/s，GOP/s</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>memory %1 GB/s</source>
        <translation>内存 %1 GB/s</translation>
    </message>
    <message>
        <source>int8 %1 GOP/s</source>
        <translation>int8 %1 GOP/s</translation>
    </message>
    <message>
        <source>float %1 GFLOP/s</source>
        <translation>float %1 GFLOP/s</translation>
    </message>
    <message>
        <source>The nodes here only move data.</source>
        <translation>这里的节点只搬运数据。</translation>
    </message>
    <message>
        <source>Nodes not drawn, as they only move data: %1 (%2 of the time).</source>
        <translation>因只搬运数据而未绘制的节点：%1（占时间的 %2）。</translation>
    </message>
    <message>
        <source>Nodes on %1 are not drawn: its roofs are not known (%2).</source>
        <translation>未绘制 %1 上的节点：其屋顶线未知（%2）。</translation>
    </message>
    <message>
        <source>memory of the processor: %1 GB/s</source>
        <translation>处理器内存：%1 GB/s</translation>
    </message>
    <message>
        <source>float on the processor: %1 GFLOP/s</source>
        <translation>处理器 float：%1 GFLOP/s</translation>
    </message>
    <message>
        <source>int8 on the processor: %1 GOP/s</source>
        <translation>处理器 int8：%1 GOP/s</translation>
    </message>
    <message>
        <source>memory of %1: %2 GB/s</source>
        <translation>%1 的内存：%2 GB/s</translation>
    </message>
    <message>
        <source>%1 on %2: %3 GOP/s</source>
        <translation>%2 上的 %1：%3 GOP/s</translation>
    </message>
    <message>
        <source>%1 · %2: %3 GOP/s at %4 operations per byte, %5 of the peak of %6 (%7), %8; %9 per run</source>
        <translation>%1 · %2：%3 GOP/s，每字节 %4 次操作，达到 %6（%7）峰值的 %5，%8；每次运行 %9</translation>
    </message>
    <message>
        <source>It ran on %1, and what that machine can do at most was not measured: run the model on this computer to see it under roofs.</source>
        <translation>在 %1 上运行，而该机器的最高性能没有测量：请在本机上运行模型以查看其屋顶线。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RowHelpLabel</name>
    <message>
        <source>What would help</source>
        <translation>怎样改善</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RunPage</name>
    <message>
        <source>Running …</source>
        <translation>正在运行……</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Zoom timeline in</source>
        <translation>放大时间线</translation>
    </message>
    <message>
        <source>Zoom timeline out</source>
        <translation>缩小时间线</translation>
    </message>
    <message>
        <source>Show the whole recording</source>
        <translation>显示全部记录</translation>
    </message>
    <message>
        <source>Show one typical run</source>
        <translation>显示一次典型运行</translation>
    </message>
    <message>
        <source>&amp;Nodes</source>
        <translation>节点(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Outputs</source>
        <translation>输出(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Phases</source>
        <translation>阶段(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation>内存(&amp;M)</translation>
    </message>
    <message>
        <source>Running again …</source>
        <translation>正在再次运行……</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开模型</translation>
    </message>
    <message>
        <source>Open an ONNX model, take a sample from the start page, or open a Chrome trace saved earlier.</source>
        <translation>打开 ONNX 模型，从开始页选取示例，或打开先前保存的 Chrome 跟踪。</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>打开……</translation>
    </message>
    <message>
        <source>Press F5 to run this model</source>
        <translation>按 F5 运行此模型</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>运行失败</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Prepare the results</source>
        <translation>准备结果</translation>
    </message>
    <message>
        <source>The variant that is shown does not have this node.</source>
        <translation>当前显示的变体没有此节点。</translation>
    </message>
    <message>
        <source>This node is not part of the open model.</source>
        <translation>该节点不属于打开的模型。</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>&amp;Scopes</source>
        <translation>作用域(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Roofline</source>
        <translation>屋顶线(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Unmatched</source>
        <translation>未匹配(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Unmatched (%1)</source>
        <translation>未匹配 (%1)(&amp;U)</translation>
    </message>
    <message>
        <source>Summing up %1 …</source>
        <translation>正在汇总 %1……</translation>
    </message>
    <message>
        <source>Sum up a range</source>
        <translation>汇总一个范围</translation>
    </message>
    <message>
        <source>wheel: zoom · drag: pan · drag along the ruler or Shift-drag: select a range · double click: show in graph</source>
        <translation>滚轮：缩放 · 拖动：平移 · 沿标尺拖动或 Shift+拖动：选择范围 · 双击：在图中显示</translation>
    </message>
    <message>
        <source>%1. Warm-ups: %2, profiled runs: %3. You will see where the time goes by operator, by node and by thread. Drop arrays, pictures or a text here to run on your own data.</source>
        <translation>%1。预热：%2，分析运行：%3。您将看到时间按算子、节点和线程的分布。将数组、图片或文本拖到这里即可用自己的数据运行。</translation>
    </message>
    <message>
        <source>Inputs are generated</source>
        <translation>输入为生成的</translation>
    </message>
    <message>
        <source>Inputs are the given ones</source>
        <translation>输入为给出的</translation>
    </message>
    <message>
        <source>Slowest over typical run</source>
        <translation>最慢与典型运行叠加</translation>
    </message>
    <message>
        <source>The slowest run over a typical one, with marks where most was lost</source>
        <translation>最慢运行与典型运行叠加，并标出损失最多之处</translation>
    </message>
    <message>
        <source>It takes two recorded runs to compare a slow one with a typical one</source>
        <translation>至少需要两次记录的运行才能比较慢速与典型运行</translation>
    </message>
    <message>
        <source>Selected: %1. All tabs are of this range, but for outputs, which a run has once; Esc ends it.</source>
        <translation>已选择：%1。除输出（每次运行只有一份）外，所有标签页都针对此范围；按 Esc 结束。</translation>
    </message>
    <message>
        <source>✗ &amp;Outputs (%1)</source>
        <translation>✗ 输出(&amp;O)（%1）</translation>
    </message>
    <message numerus="yes">
        <source>%n output(s) differ from what was recorded</source>
        <translation>
            <numerusform>%n 个输出与记录不同</numerusform>
        </translation>
    </message>
    <message>
        <source>Press F5 to run this model on %1</source>
        <translation>按 F5 在 %1 上运行此模型</translation>
    </message>
    <message>
        <source>Find in the timeline</source>
        <translation>在时间线中查找</translation>
    </message>
    <message>
        <source>Counters over time</source>
        <translation>随时间变化的计数器</translation>
    </message>
    <message>
        <source>Threads busy, activations and data moved above the timeline</source>
        <translation>在时间线上方显示忙碌的线程、激活和传输的数据</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RunSettingsBar</name>
    <message>
        <source>&amp;Threads</source>
        <translation>线程(&amp;T)</translation>
    </message>
    <message>
        <source>Threads that share one operator; auto: one per core</source>
        <translation>共同执行一个算子的线程；自动：每个核一个</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>R&amp;uns</source>
        <translation>运行次数(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Warm-ups</source>
        <translation>预热(&amp;W)</translation>
    </message>
    <message>
        <source>Runs before the profiled ones, not recorded</source>
        <translation>分析之前的运行，不记录</translation>
    </message>
    <message>
        <source>See&amp;d</source>
        <translation>种子(&amp;D)</translation>
    </message>
    <message>
        <source>Seed of the generated inputs: the same seed gives the same values</source>
        <translation>生成输入的种子：相同种子得到相同数值</translation>
    </message>
    <message>
        <source>Dimensions:</source>
        <translation>维度：</translation>
    </message>
    <message>
        <source>Size of the symbolic dimension; auto: chosen by the input generator</source>
        <translation>符号维度的大小；自动：由输入生成器选择</translation>
    </message>
    <message>
        <source>Size of dimension %1</source>
        <translation>维度 %1 的大小</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Stop this run (Esc)</source>
        <translation>停止此次运行 (Esc)</translation>
    </message>
    <message>
        <source>Run with these settings and profile (F5)</source>
        <translation>按这些设置运行并做性能分析 (F5)</translation>
    </message>
    <message>
        <source>Back to the usual options</source>
        <translation>恢复默认选项</translation>
    </message>
    <message>
        <source>Session options: %1</source>
        <translation>会话选项：%1</translation>
    </message>
    <message>
        <source>Applied on the Tune or Memory page:</source>
        <translation>在“调优”或“内存”页上应用的：</translation>
    </message>
    <message>
        <source>Files, pictures, text or generated values as inputs, and recorded outputs to compare with</source>
        <translation>以文件、图片、文本或生成值作为输入，并与记录的输出比较</translation>
    </message>
    <message>
        <source>auto (%1)</source>
        <translation>自动 (%1)</translation>
    </message>
    <message>
        <source>Profiled runs; figures are of the typical one, whose wall time is the median</source>
        <translation>分析运行的次数；数字取自典型的一次，其耗时为中位数</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RunStrip</name>
    <message>
        <source>Recorded runs</source>
        <translation>记录的运行</translation>
    </message>
    <message>
        <source>Recorded runs, as tall as they took long; a click shows one in the timeline</source>
        <translation>记录的各次运行，高度表示耗时；单击可在时间线中显示</translation>
    </message>
    <message>
        <source>%1 runs; the slowest is run %2</source>
        <translation>%1 次运行；最慢的是第 %2 次</translation>
    </message>
    <message>
        <source>Run %1 of %2: %3</source>
        <translation>第 %1 次运行，共 %2 次：%3</translation>
    </message>
    <message>
        <source>the typical run</source>
        <translation>典型运行</translation>
    </message>
    <message>
        <source>the slowest run</source>
        <translation>最慢的运行</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RunWatch</name>
    <message>
        <source>Over %1 runs: from %2 to %3.</source>
        <translation>%1 次运行：从 %2 到 %3。</translation>
    </message>
    <message>
        <source>NaN or infinite elements in %1 of %2 runs.</source>
        <translation>%2 次运行中有 %1 次含 NaN 或无穷元素。</translation>
    </message>
    <message>
        <source>&amp;Watch</source>
        <translation>观察(&amp;W)</translation>
    </message>
    <message>
        <source>F&amp;iles …</source>
        <translation>文件(&amp;I)……</translation>
    </message>
    <message>
        <source>Cance&amp;l</source>
        <translation>取消(&amp;L)</translation>
    </message>
    <message>
        <source>The value in several runs</source>
        <translation>多次运行中的值</translation>
    </message>
    <message>
        <source>Number of runs</source>
        <translation>运行次数</translation>
    </message>
    <message>
        <source>Run the model with so many seeds of generated inputs</source>
        <translation>用这么多个生成输入的种子运行模型</translation>
    </message>
    <message>
        <source>Run the model once for each file of inputs</source>
        <translation>对每个输入文件运行一次模型</translation>
    </message>
    <message>
        <source>Press Watch: the value is looked at in several runs, a row for each.</source>
        <translation>按“观察”：在多次运行中查看该值，每次一行。</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>Files of inputs</source>
        <translation>输入文件</translation>
    </message>
    <message>
        <source>Watch %1 in several runs</source>
        <translation>在多次运行中观察 %1</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Running the model …</source>
        <translation>正在运行模型……</translation>
    </message>
    <message>
        <source> runs</source>
        <translation> 次运行</translation>
    </message>
</context>
<context>
    <name>lapidary::views::RunsOnButton</name>
    <message>
        <source>On %1</source>
        <translation>在 %1 上</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>运行于</translation>
    </message>
    <message>
        <source>It cannot be used: %1</source>
        <translation>无法使用：%1</translation>
    </message>
    <message>
        <source>This program, on the CPU</source>
        <translation>本程序，在 CPU 上</translation>
    </message>
    <message>
        <source>Looking for plugins and engines …</source>
        <translation>正在查找插件和引擎……</translation>
    </message>
    <message>
        <source>This program, on %1 (%2)</source>
        <translation>本程序，在 %1 上（%2）</translation>
    </message>
    <message>
        <source>This program, on %1</source>
        <translation>本程序，在 %1 上</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1，使用 %2</translation>
    </message>
    <message>
        <source>No ONNX Runtime was found</source>
        <translation>未找到 ONNX Runtime</translation>
    </message>
    <message>
        <source>What the shown variant runs on: this program&apos;s CPU, with large weights as they are or rounded to 16 or 8 bits, a device or engine of a plugin, your own ONNX Runtime</source>
        <translation>所示变体的运行位置：本程序的 CPU（大权重保持原样或舍入为 16 或 8 位）、插件的设备或引擎，或您自己的 ONNX Runtime</translation>
    </message>
    <message>
        <source>This program, on the CPU, weights in %1</source>
        <translation>本程序，在 CPU 上，权重为 %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SamplePictures</name>
    <message>
        <source>Samples as the model sees them</source>
        <translation>模型所见的样本</translation>
    </message>
    <message>
        <source>judges the result</source>
        <translation>用于评判结果</translation>
    </message>
    <message>
        <source>gives ranges</source>
        <translation>给出范围</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SampleStrip</name>
    <message>
        <source>%1 %2, %3 to %4, mean %5</source>
        <translation>%1 %2，%3 至 %4，均值 %5</translation>
    </message>
    <message>
        <source>&amp;Folder …</source>
        <translation>文件夹(&amp;F)……</translation>
    </message>
    <message>
        <source>F&amp;ile …</source>
        <translation>文件(&amp;I)……</translation>
    </message>
    <message>
        <source>Use generated ones</source>
        <translation>使用生成的样本</translation>
    </message>
    <message>
        <source>Take made-up inputs instead</source>
        <translation>改用虚构的输入</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Folder of samples</source>
        <translation>样本文件夹</translation>
    </message>
    <message>
        <source>File of samples</source>
        <translation>样本文件</translation>
    </message>
    <message>
        <source>Generated inputs</source>
        <translation>生成的输入</translation>
    </message>
    <message>
        <source>%1: looking at it …</source>
        <translation>%1：正在查看……</translation>
    </message>
    <message>
        <source>%1 give ranges, %2 judge the result</source>
        <translation>%1 个给出范围，%2 个评判结果</translation>
    </message>
    <message>
        <source>it gives the ranges and judges the result</source>
        <translation>它既给出范围又评判结果</translation>
    </message>
    <message>
        <source>The first: %1</source>
        <translation>第一个：%1</translation>
    </message>
    <message>
        <source>A sample cannot be read and is left out: %1</source>
        <translation>有样本无法读取，已略过：%1</translation>
    </message>
    <message>
        <source>These are few samples: eight or more are advised for ranges that hold.</source>
        <translation>样本较少：为得到可靠的范围，建议八个或更多。</translation>
    </message>
    <message>
        <source>Made-up inputs say little: their ranges are not those of real ones, and neither is the accuracy. Drop a folder of real samples on this page.</source>
        <translation>虚构的输入说明不了什么：其范围与真实输入不同，精度亦然。请将真实样本的文件夹拖放到此页。</translation>
    </message>
    <message>
        <source>1 sample</source>
        <translation>1 个样本</translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation>%1 个样本</translation>
    </message>
    <message>
        <source>Generated: %1, %2</source>
        <translation>生成：%1，%2</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>A folder of pictures, sounds (.wav), .npz, .npy or .pb files, one sample each; it can be dropped on this page too</source>
        <translation>一个包含图片、声音（.wav）、.npz、.npy 或 .pb 文件的文件夹，每个文件一个样本；也可以拖放到此页面</translation>
    </message>
    <message>
        <source>An .npz or .npy file with one sample behind the other along its first dimension, or a .txt of one line of text per sample</source>
        <translation>沿第一维依次排列样本的 .npz 或 .npy 文件，或每行一个样本的 .txt 文本</translation>
    </message>
    <message>
        <source>The tokens that lines of text are cut into: a tokenizer.json, or one per line, as BERT has them in its vocab.txt</source>
        <translation>文本行切分成的词元：tokenizer.json，或每行一个，如 BERT 的 vocab.txt</translation>
    </message>
    <message>
        <source>The classes of the samples: a .csv of file names and classes, a .npy, or an .npz with one array of classes; a .csv can be dropped on this page too</source>
        <translation>样本的类别：含文件名和类别的 .csv、.npy，或含一个类别数组的 .npz；.csv 也可以拖放到此页面</translation>
    </message>
    <message>
        <source>Samples (*.npz *.npy *.png *.jpg *.jpeg *.pb *.wav *.txt)</source>
        <translation>样本 (*.npz *.npy *.png *.jpg *.jpeg *.pb *.wav *.txt)</translation>
    </message>
    <message>
        <source>Tokenizer, or one token per line</source>
        <translation>分词器，或每行一个词元</translation>
    </message>
    <message>
        <source>Tokens (*.json *.txt)</source>
        <translation>词元 (*.json *.txt)</translation>
    </message>
    <message>
        <source>Labels of the samples</source>
        <translation>样本的标签</translation>
    </message>
    <message>
        <source>Labels (*.csv *.npy *.npz)</source>
        <translation>标签 (*.csv *.npy *.npz)</translation>
    </message>
    <message>
        <source>Labels: %1; right answers of those that judge are counted</source>
        <translation>标签：%1；统计用于评判的样本的正确答案</translation>
    </message>
    <message>
        <source>Vo&amp;cabulary …</source>
        <translation>词表(&amp;C)……</translation>
    </message>
    <message>
        <source>Labels …</source>
        <translation>标签……</translation>
    </message>
    <message>
        <source>Without labels</source>
        <translation>不用标签</translation>
    </message>
    <message>
        <source>Array</source>
        <translation>数组</translation>
    </message>
    <message>
        <source>its name</source>
        <translation>其名称</translation>
    </message>
    <message>
        <source>The array of the .npz that holds the samples, where several would fit</source>
        <translation>.npz 中存放样本的数组（有多个适合时）</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ScalingCurve</name>
    <message>
        <source>Speed-up by threads</source>
        <translation>按线程数的加速比</translation>
    </message>
    <message>
        <source>%1: %2 as fast as %3, ideal %4</source>
        <translation>%1：是 %3 的 %2，理想 %4</translation>
    </message>
    <message>
        <source>The speed-up appears when settings with different numbers of threads are measured. Press Start.</source>
        <translation>测量不同线程数的设置后会显示加速比。按“开始”。</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>%1 cores</source>
        <translation>%1 个核</translation>
    </message>
    <message>
        <source>ideal</source>
        <translation>理想</translation>
    </message>
    <message>
        <source>measured, 95 % intervals</source>
        <translation>实测，95 % 区间</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ScopePanel</name>
    <message>
        <source>Time by scope</source>
        <translation>按作用域列出的时间</translation>
    </message>
    <message>
        <source>Zoom out to the scope around (Backspace)</source>
        <translation>返回上层作用域（退格键）</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>As table</source>
        <translation>以表格显示</translation>
    </message>
    <message>
        <source>Lists the scopes with their times</source>
        <translation>列出各作用域及其时间</translation>
    </message>
    <message>
        <source>No kernel ran in the selected range.</source>
        <translation>所选范围内没有内核运行。</translation>
    </message>
    <message>
        <source>The names of the nodes show no scopes: grouped by family and operator. Double click: zoom or show in graph.</source>
        <translation>节点名不含作用域：按类别和算子分组。双击：缩放或在图中显示。</translation>
    </message>
    <message>
        <source>Grouped by the scopes of the nodes&apos; names. Double click: zoom or show in graph.</source>
        <translation>按节点名的作用域分组。双击：缩放或在图中显示。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ServingPanel</name>
    <message>
        <source>Latency against throughput</source>
        <translation>延迟与吞吐量</translation>
    </message>
    <message>
        <source>Callers at the same time</source>
        <translation>并发调用者</translation>
    </message>
    <message>
        <source>Measure 1, 2, 4, 8 and 16 callers, each of which sends its next request when the last is answered</source>
        <translation>测量 1、2、4、8 和 16 个调用者，各自在上一个请求得到回答后发送下一个</translation>
    </message>
    <message>
        <source>requests per second</source>
        <translation>每秒请求数</translation>
    </message>
    <message>
        <source>median latency, ms</source>
        <translation>中位延迟，ms</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>没有打开的模型。</translation>
    </message>
    <message>
        <source>Measuring failed: %1</source>
        <translation>测量失败：%1</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>正在测量……</translation>
    </message>
    <message>
        <source>What happens when many ask at once? Does it pay to put their requests together into batches?</source>
        <translation>许多调用者同时请求时会怎样？把请求合并成批是否值得？</translation>
    </message>
    <message>
        <source>Putting requests together answers no more of them, up to %1 callers.</source>
        <translation>在最多 %1 个调用者时，合并请求并不能多回答。</translation>
    </message>
    <message>
        <source>From %1 callers on putting requests together answers %2 times as many; 99 % are answered within %3 instead of %4.</source>
        <translation>从 %1 个调用者起，合并请求可回答 %2 倍的请求；99 % 在 %3 内得到回答，而非 %4。</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>停止(&amp;T)</translation>
    </message>
    <message>
        <source>Sta&amp;rt</source>
        <translation>开始(&amp;R)</translation>
    </message>
    <message>
        <source>Measure a&amp;gain</source>
        <translation>重新测量(&amp;G)</translation>
    </message>
    <message>
        <source>Grouped requests are joined by a line.</source>
        <translation>合批请求以线相连。</translation>
    </message>
    <message>
        <source>A line for each number of callers.</source>
        <translation>每个调用者数量一行。</translation>
    </message>
    <message>
        <source>1 caller</source>
        <translation>1 个调用方</translation>
    </message>
    <message>
        <source>%1 callers</source>
        <translation>%1 个调用方</translation>
    </message>
    <message>
        <source>%1, requests put together: %2 per second, median %3</source>
        <translation>%1，请求合并：每秒 %2，中位数 %3</translation>
    </message>
    <message>
        <source>%1, one by one: %2 per second, median %3</source>
        <translation>%1，逐个：每秒 %2，中位数 %3</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SettingsDialog</name>
    <message>
        <source>Ask before &amp;unsaved changes are lost</source>
        <translation>丢失未保存的更改前询问(&amp;U)</translation>
    </message>
    <message>
        <source>Ask before &amp;quitting while something is measured or saved</source>
        <translation>正在测量或保存时退出前询问(&amp;Q)</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Like the desktop</source>
        <translation>跟随桌面</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Holds from the next start on</source>
        <translation>下次启动起生效</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>Threads that share one operator; auto: one per core</source>
        <translation>共同执行一个算子的线程；自动：每核一个</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Profiled runs</source>
        <translation>分析运行次数</translation>
    </message>
    <message>
        <source>Runs before the profiled ones, not recorded</source>
        <translation>分析运行之前的运行，不记录</translation>
    </message>
    <message>
        <source>Size of free batch dimensions when a model is opened</source>
        <translation>打开模型时自由批维度的大小</translation>
    </message>
    <message>
        <source>Length of free sequences when a model is opened</source>
        <translation>打开模型时自由序列的长度</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>无上限</translation>
    </message>
    <message>
        <source>Models run in a separate process; one that crashes leaves the window as it is.</source>
        <translation>模型在独立进程中运行；崩溃不会影响其他。</translation>
    </message>
    <message>
        <source>Models run in this program: %1</source>
        <translation>模型在本程序中运行：%1</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>T&amp;hreads</source>
        <translation>线程(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Runs</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Warm-ups</source>
        <translation>预热(&amp;W)</translation>
    </message>
    <message>
        <source>Usual &amp;batch</source>
        <translation>常用批大小(&amp;B)</translation>
    </message>
    <message>
        <source>Usual &amp;sequence</source>
        <translation>常用序列长度(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Memory limit</source>
        <translation>内存上限(&amp;M)</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>询问</translation>
    </message>
    <message>
        <source>Run models in a separate &amp;process</source>
        <translation>在独立进程中运行模型(&amp;P)</translation>
    </message>
    <message>
        <source>kB, MB, GB (powers of 1000)</source>
        <translation>kB、MB、GB（1000 的幂）</translation>
    </message>
    <message>
        <source>KiB, MiB, GiB (powers of 1024)</source>
        <translation>KiB、MiB、GiB（1024 的幂）</translation>
    </message>
    <message>
        <source>U&amp;nits of sizes</source>
        <translation>大小单位(&amp;N)</translation>
    </message>
    <message>
        <source>Me&amp;asure unasked: levels of small models, ONNX Runtime</source>
        <translation>无需询问即测量：小模型的各级别、ONNX Runtime(&amp;A)</translation>
    </message>
    <message>
        <source>Levels on the Optimize page where a run takes at most 30 ms, and your ONNX Runtime beside what Tune recommends; what you start comes first</source>
        <translation>优化页上一次运行不超过 30 毫秒时的各级别，以及调优页推荐设置旁的 ONNX Runtime；您启动的工作优先</translation>
    </message>
    <message>
        <source>&amp;Font</source>
        <translation>字体(&amp;F)</translation>
    </message>
    <message>
        <source>Te&amp;xt size</source>
        <translation>文字大小(&amp;X)</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>&amp;Open what was open last at the start</source>
        <translation>启动时打开上次打开的内容(&amp;O)</translation>
    </message>
    <message>
        <source>The model or project that was opened last; a project also has its page and variants</source>
        <translation>上次打开的模型或项目；项目还会恢复其页面和变体</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ShortcutSheet</name>
    <message>
        <source>Keys of commands</source>
        <translation>命令的按键</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>任何地方</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Move to the neighbouring node</source>
        <translation>移到相邻节点</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Copy the selected rows</source>
        <translation>复制所选行</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Compare as A, as B</source>
        <translation>作为 A、作为 B 比较</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Go to the peak</source>
        <translation>转到峰值</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Show only commands with these words</source>
        <translation>只显示含这些词的命令</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SideTable</name>
    <message>
        <source>Variants side by side</source>
        <translation>并列的变体</translation>
    </message>
    <message>
        <source>A line for each variant. Changed tokens and the divergence of logits need A and B on the same tokens.</source>
        <translation>每个变体一行。改变的词元和 logits 的散度需要 A 与 B 处理相同的词元。</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SizesChip</name>
    <message>
        <source>Sizes of the inputs</source>
        <translation>输入的大小</translation>
    </message>
    <message>
        <source>fixed sizes</source>
        <translation>固定大小</translation>
    </message>
    <message>
        <source>no sizes</source>
        <translation>无大小</translation>
    </message>
    <message>
        <source>Sizes of the inputs, for every page: %1</source>
        <translation>输入的大小，用于所有页面：%1</translation>
    </message>
    <message>
        <source>The inputs of the model have no free sizes</source>
        <translation>模型的输入没有自由大小</translation>
    </message>
    <message>
        <source>Batch %1</source>
        <translation>批 %1</translation>
    </message>
    <message>
        <source>Sequence %1</source>
        <translation>序列 %1</translation>
    </message>
    <message>
        <source>&amp;Usual sizes</source>
        <translation>常用大小(&amp;U)</translation>
    </message>
    <message>
        <source>Leave all sizes to the input generator</source>
        <translation>全部大小由输入生成器决定</translation>
    </message>
    <message>
        <source>&amp;Other sizes …</source>
        <translation>其他大小(&amp;O)……</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SizesDialog</name>
    <message>
        <source>Sizes of the inputs</source>
        <translation>输入的大小</translation>
    </message>
    <message>
        <source>auto (%1)</source>
        <translation>自动 (%1)</translation>
    </message>
    <message>
        <source>Size of dimension %1</source>
        <translation>维度 %1 的大小</translation>
    </message>
    <message>
        <source>Every page runs, plans and measures with these sizes.</source>
        <translation>所有页面都以这些大小运行、规划和测量。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SliceBar</name>
    <message>
        <source>&amp;Part</source>
        <translation>部分(&amp;P)</translation>
    </message>
    <message>
        <source>Part of the value that is shown</source>
        <translation>所显示的那部分值</translation>
    </message>
    <message>
        <source>An element (3) or a range (2:5, :) for each axis, with commas between, as NumPy writes it. Enter shows that part.</source>
        <translation>每个轴写一个元素（3）或一个范围（2:5、:），以逗号分隔，写法与 NumPy 相同。按回车显示该部分。</translation>
    </message>
    <message>
        <source>Show the part before, along the last axis that is not shown whole</source>
        <translation>沿最后一个未完整显示的轴，显示前一部分</translation>
    </message>
    <message>
        <source>Show the next part, along the last axis that is not shown whole</source>
        <translation>沿最后一个未完整显示的轴，显示下一部分</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>There is no such part.</source>
        <translation>没有这样的部分。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SlotBar</name>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>交换 A 与 B</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Compare again</source>
        <translation>再次比较</translation>
    </message>
    <message>
        <source>Choose two different variants first</source>
        <translation>请先选择两个不同的变体</translation>
    </message>
    <message>
        <source>Measure A and B in turn for about %1 s, profile both and compare their outputs</source>
        <translation>交替测量 A 与 B 约 %1 秒，对两者做性能分析并比较输出</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SlotCombo</name>
    <message>
        <source>Variant A</source>
        <translation>变体 A</translation>
    </message>
    <message>
        <source>Variant B</source>
        <translation>变体 B</translation>
    </message>
    <message>
        <source>What B is compared with. Drop a variant from the Variants dock here, or press A there.</source>
        <translation>B 的比较对象。从“变体”面板拖到这里，或在那里按 A。</translation>
    </message>
    <message>
        <source>What is compared with A. Drop a variant from the Variants dock here, or press B there.</source>
        <translation>与 A 比较的变体。从“变体”面板拖到这里，或在那里按 B。</translation>
    </message>
    <message>
        <source>%1 (being made …)</source>
        <translation>%1（正在生成……）</translation>
    </message>
    <message>
        <source>%1 (not made yet)</source>
        <translation>%1（尚未生成）</translation>
    </message>
    <message>
        <source>Choose A</source>
        <translation>选择 A</translation>
    </message>
    <message>
        <source>Choose B</source>
        <translation>选择 B</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SlowRunView</name>
    <message>
        <source>typical</source>
        <translation>典型</translation>
    </message>
    <message>
        <source>slowest</source>
        <translation>最慢</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>The slowest run over a typical one</source>
        <translation>最慢运行与典型运行叠加</translation>
    </message>
    <message>
        <source>It takes two recorded runs to compare a slow one with a typical one.</source>
        <translation>至少需要两次记录的运行才能比较慢速与典型运行。</translation>
    </message>
    <message>
        <source>Run %1 took %2, %3 longer than run %4, a typical one (%5)</source>
        <translation>第 %1 次运行用时 %2，比典型的第 %4 次（%5）多 %3</translation>
    </message>
    <message>
        <source>%1 in %2 %3</source>
        <translation>%2 %3 中 %1</translation>
    </message>
    <message>
        <source>%1 between kernels</source>
        <translation>内核之间 %1</translation>
    </message>
    <message>
        <source>%1; the loss is spread over all kernels.</source>
        <translation>%1；损失分散在所有内核上。</translation>
    </message>
    <message>
        <source>%1 · %2: typically %3, in the slowest run %4 (%5)</source>
        <translation>%1 · %2：典型 %3，最慢运行 %4（%5）</translation>
    </message>
    <message>
        <source>+%1 between kernels</source>
        <translation>内核之间 +%1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SnippetDialog</name>
    <message>
        <source>Code snippet</source>
        <translation>代码片段</translation>
    </message>
    <message>
        <source>A program that runs the model in ONNX Runtime with level, threads and sizes in force. A variant that is edited, quantized or made by rules of yours has to be exported first; the code names the file.</source>
        <translation>在 ONNX Runtime 中以当前生效的级别、线程和尺寸运行模型的程序。经过编辑、量化或由自定义规则生成的变体需要先导出；代码中写有该文件名。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SpaceEditor</name>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Threads that share one operator (intra-op)</source>
        <translation>共同执行一个算子的线程（算子内）</translation>
    </message>
    <message>
        <source>More than this machine&apos;s %1 cores</source>
        <translation>多于此机器的 %1 个核</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批</translation>
    </message>
    <message>
        <source>Samples that one run takes</source>
        <translation>一次运行处理的样本数</translation>
    </message>
    <message>
        <source>Lowest latency</source>
        <translation>延迟最低</translation>
    </message>
    <message>
        <source>Highest throughput</source>
        <translation>吞吐量最高</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>What the recommendation is after: the shortest run, or the most inferences per second</source>
        <translation>推荐所追求的：运行时间最短，或每秒推理最多</translation>
    </message>
    <message>
        <source>&amp;Goal</source>
        <translation>目标(&amp;G)</translation>
    </message>
    <message>
        <source>Latency &amp;cap</source>
        <translation>延迟上限(&amp;C)</translation>
    </message>
    <message>
        <source>Settings whose median is above it are not recommended</source>
        <translation>中位数超过它的设置不予推荐</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>More …</source>
        <translation>更多……</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Optimization level of the model</source>
        <translation>模型的优化级别</translation>
    </message>
    <message>
        <source>Execution</source>
        <translation>执行方式</translation>
    </message>
    <message>
        <source>sequential: one node at a time with all threads; parallel: branches of the graph at the same time</source>
        <translation>顺序：所有线程逐个执行节点；并行：同时执行图的各分支</translation>
    </message>
    <message>
        <source>Inter-op</source>
        <translation>算子间</translation>
    </message>
    <message>
        <source>Nodes at a time in parallel execution</source>
        <translation>并行执行时同时运行的节点数</translation>
    </message>
    <message>
        <source>Spinning</source>
        <translation>自旋</translation>
    </message>
    <message>
        <source>on: threads wait for work busily, which starts operators sooner and takes CPU time</source>
        <translation>开：线程忙等工作，算子启动更早但消耗 CPU 时间</translation>
    </message>
    <message>
        <source>&amp;Seconds per setting</source>
        <translation>每种设置的秒数(&amp;S)</translation>
    </message>
    <message>
        <source>Measuring one setting ends when its interval is within ±2 %, or after this time</source>
        <translation>区间在 ±2 % 以内或到达此时间时，结束该设置的测量</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>&amp;Budget</source>
        <translation>预算(&amp;B)</translation>
    </message>
    <message>
        <source>Time for everything; settings that do not fit are left out</source>
        <translation>总时间；放不下的设置将略过</translation>
    </message>
    <message>
        <source>These are %1 settings; at most %2 can be measured at once.</source>
        <translation>这里有 %1 种设置；一次最多测量 %2 种。</translation>
    </message>
    <message>
        <source>Only the batch as given: %1.</source>
        <translation>仅原样的批大小：%1。</translation>
    </message>
    <message>
        <source>Inter-op threads need parallel execution.</source>
        <translation>算子间线程需要并行执行。</translation>
    </message>
    <message>
        <source>1 setting</source>
        <translation>1 种设置</translation>
    </message>
    <message>
        <source>%1 settings</source>
        <translation>%1 种设置</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, %2 left: %3</source>
        <translation>%1，剩余 %2：%3</translation>
    </message>
    <message>
        <source>Execution mode, inter-op threads, spinning, measuring time</source>
        <translation>执行模式、算子间线程、自旋、测量时间</translation>
    </message>
</context>
<context>
    <name>lapidary::views::StartPage</name>
    <message>
        <source>Lapidary</source>
        <translation>Lapidary</translation>
    </message>
    <message>
        <source>Open an ONNX model, look through it, run it and see where the time goes.</source>
        <translation>打开 ONNX 模型，浏览、运行，看看时间花在哪里。</translation>
    </message>
    <message>
        <source>Real architectures with random weights, built here: good for trying things out and for timing.</source>
        <translation>真实架构配随机权重，在本机生成：适合试用和计时。</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>Files you open are listed here.</source>
        <translation>打开过的文件会列在这里。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Your own ONNX model, or a project with one.</source>
        <translation>您自己的 ONNX 模型，或包含模型的项目。</translation>
    </message>
    <message>
        <source>Take the tour</source>
        <translation>开始导览</translation>
    </message>
    <message>
        <source>A minute on a sample: you open it, look at it, optimize it and run it yourself.</source>
        <translation>在示例上用一分钟：由您亲自打开、查看、优化并运行它。</translation>
    </message>
    <message>
        <source>Open a profile</source>
        <translation>打开性能分析文件</translation>
    </message>
    <message>
        <source>What ONNX Runtime&apos;s profiler wrote, or a Chrome trace: see where its time went.</source>
        <translation>ONNX Runtime 性能分析器写出的文件或 Chrome 跟踪：查看时间花在哪里。</translation>
    </message>
    <message>
        <source>Why is it slow?</source>
        <translation>为什么慢？</translation>
    </message>
    <message>
        <source>Runs it and shows the time by operator, node and thread.</source>
        <translation>运行模型，并按算子、节点和线程显示时间。</translation>
    </message>
    <message>
        <source>What holds memory?</source>
        <translation>什么占用内存？</translation>
    </message>
    <message>
        <source>What is alive at the peak, and who keeps it, before anything runs.</source>
        <translation>运行之前即可看到峰值时存活的内容以及由谁保留。</translation>
    </message>
    <message>
        <source>What can be optimized?</source>
        <translation>可以优化什么？</translation>
    </message>
    <message>
        <source>The four levels side by side, rewrite by rewrite, and what almost matched.</source>
        <translation>四个级别并排，逐个改写，以及几乎匹配的位置。</translation>
    </message>
    <message>
        <source>How small can it get?</source>
        <translation>能变得多小？</translation>
    </message>
    <message>
        <source>Fewer bits, and what that costs in accuracy.</source>
        <translation>使用更少的位数，以及由此损失的精度。</translation>
    </message>
    <message>
        <source>Asked of the model that is open, or of a small sample.</source>
        <translation>针对已打开的模型；没有打开模型时使用一个小示例。</translation>
    </message>
    <message>
        <source>What do you want to know?</source>
        <translation>您想了解什么？</translation>
    </message>
    <message>
        <source>Profiles of ONNX Runtime and Chrome traces (*.json)</source>
        <translation>ONNX Runtime 性能分析文件和 Chrome 跟踪 (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::StepBar</name>
    <message>
        <source>Rewrites</source>
        <translation>改写</translation>
    </message>
    <message>
        <source>Original graph</source>
        <translation>原始图</translation>
    </message>
    <message>
        <source>Previous rewrite</source>
        <translation>上一次改写</translation>
    </message>
    <message>
        <source>Next rewrite</source>
        <translation>下一次改写</translation>
    </message>
    <message>
        <source>Finished graph</source>
        <translation>最终图</translation>
    </message>
    <message>
        <source>Rewrites applied</source>
        <translation>已应用的改写</translation>
    </message>
    <message>
        <source>What the step did</source>
        <translation>此步做了什么</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>session: %1 of %2</source>
        <translation>会话：%1/%2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::StepCanvas</name>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SummaryCards</name>
    <message>
        <source>Key figures of A and B</source>
        <translation>A 与 B 的关键数据</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: A %2, B %3, %4 %5</source>
        <translation>%1：A %2，B %3，%4 %5</translation>
    </message>
    <message>
        <source>median of %1 runs; 95 % interval %2 to %3</source>
        <translation>%1 次运行的中位数；95 % 区间 %2 至 %3</translation>
    </message>
    <message>
        <source>no change</source>
        <translation>没有变化</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>press Compare</source>
        <translation>请按“比较”</translation>
    </message>
    <message>
        <source>Median time of one run. Both variants run in turn, in random order, so that a busy machine slows both.</source>
        <translation>一次运行时间的中位数。两个变体按随机次序交替运行，机器繁忙时两者同受影响。</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Inferences per second: batch size by the median time of a run</source>
        <translation>每秒推理次数：批大小除以运行时间的中位数</translation>
    </message>
    <message>
        <source>Load time</source>
        <translation>加载时间</translation>
    </message>
    <message>
        <source>%1 /s</source>
        <translation>%1 /s</translation>
    </message>
    <message>
        <source>of pairs: %1</source>
        <translation>成对：%1</translation>
    </message>
    <message>
        <source>significant: %1</source>
        <translation>显著：%1</translation>
    </message>
    <message>
        <source>no difference beyond noise</source>
        <translation>没有超出噪声的差异</translation>
    </message>
    <message>
        <source>Difference of B against A: %1 (95 % interval)</source>
        <translation>B 相对 A 的差异：%1（95 % 区间）</translation>
    </message>
    <message>
        <source>of pairs, significant</source>
        <translation>成对，显著</translation>
    </message>
    <message>
        <source>significant</source>
        <translation>显著</translation>
    </message>
    <message>
        <source>First run: %1 and %2</source>
        <translation>首次运行：%1 和 %2</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Nodes of the graph, those of subgraphs counted</source>
        <translation>图的节点数，含子图</translation>
    </message>
    <message>
        <source>From the file to a session that can run: each variant is exported and opened by a separate process</source>
        <translation>从文件到可运行的会话：每个变体都被导出并由独立进程打开</translation>
    </message>
    <message>
        <source>of fresh processes</source>
        <translation>取自全新进程</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>planning …</source>
        <translation>正在规划……</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Memory of a process that runs it, as the Memory page shows it</source>
        <translation>运行它的进程的内存（与“内存”页一致）</translation>
    </message>
    <message>
        <source>Activations planned: %1 and %2</source>
        <translation>规划的激活内存：%1 和 %2</translation>
    </message>
    <message>
        <source>Resident memory of fresh processes, pages of files included: %1 and %2</source>
        <translation>新进程的常驻内存（含文件页）：%1 和 %2</translation>
    </message>
    <message>
        <source>Weights as stored</source>
        <translation>存储的权重</translation>
    </message>
    <message>
        <source>Bytes of all constants in the file</source>
        <translation>文件中所有常量的字节数</translation>
    </message>
    <message>
        <source>The change is that of pairs: the median over runs of B, each against the run of A beside it. It may differ from that of the two medians.</source>
        <translation>变化是成对的变化：B 的每次运行与相邻的 A 的运行相比，再取中位数。它可能与两个中位数之间的变化不同。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::SurgeryActions</name>
    <message>
        <source>Rename the nodes …</source>
        <translation>重命名这些节点……</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>插入</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Inputs and outputs</source>
        <translation>输入和输出</translation>
    </message>
    <message>
        <source>Wrap</source>
        <translation>包装</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Remove the selected nodes; readers go on with what they read</source>
        <translation>移除所选节点；读取者改读它们所读的值</translation>
    </message>
    <message>
        <source>Delete, cutting</source>
        <translation>删除并切断</translation>
    </message>
    <message>
        <source>Remove the selected nodes; what is missing then becomes inputs</source>
        <translation>移除所选节点；随后缺少的值成为输入</translation>
    </message>
    <message>
        <source>Set an attribute …</source>
        <translation>设置属性……</translation>
    </message>
    <message>
        <source>Give an attribute of the nodes a value</source>
        <translation>为节点的属性赋值</translation>
    </message>
    <message>
        <source>Remove an attribute …</source>
        <translation>移除属性……</translation>
    </message>
    <message>
        <source>Remove an attribute, which then has its default</source>
        <translation>移除属性，使其取默认值</translation>
    </message>
    <message>
        <source>Rename the node …</source>
        <translation>重命名节点……</translation>
    </message>
    <message>
        <source>Rename the value …</source>
        <translation>重命名值……</translation>
    </message>
    <message>
        <source>Give the value another name</source>
        <translation>为值另取名称</translation>
    </message>
    <message>
        <source>Rename the input …</source>
        <translation>重命名输入……</translation>
    </message>
    <message>
        <source>Give the input of the model another name</source>
        <translation>为模型的输入另取名称</translation>
    </message>
    <message>
        <source>Rename the output …</source>
        <translation>重命名输出……</translation>
    </message>
    <message>
        <source>Give the output of the model another name</source>
        <translation>为模型的输出另取名称</translation>
    </message>
    <message>
        <source>Show it without its level</source>
        <translation>不带级别显示</translation>
    </message>
    <message>
        <source>Show the graph that edits are applied to, whose nodes can all be edited</source>
        <translation>显示编辑所作用的图，其所有节点均可编辑</translation>
    </message>
    <message>
        <source>Insert before …</source>
        <translation>在前面插入……</translation>
    </message>
    <message>
        <source>Put a node before the selected one</source>
        <translation>在所选节点之前放置一个节点</translation>
    </message>
    <message>
        <source>Insert after …</source>
        <translation>在后面插入……</translation>
    </message>
    <message>
        <source>Put a node behind the selected one</source>
        <translation>在所选节点之后放置一个节点</translation>
    </message>
    <message>
        <source>Insert on the value …</source>
        <translation>在值上插入……</translation>
    </message>
    <message>
        <source>Put a node on the selected line</source>
        <translation>在所选连线上放置一个节点</translation>
    </message>
    <message>
        <source>Replace by an operator …</source>
        <translation>替换为算子……</translation>
    </message>
    <message>
        <source>Give the nodes another operator</source>
        <translation>为节点换用另一个算子</translation>
    </message>
    <message>
        <source>Replace by a model …</source>
        <translation>替换为模型……</translation>
    </message>
    <message>
        <source>Put the nodes of a model file in place of each node</source>
        <translation>以模型文件中的节点替换每个节点</translation>
    </message>
    <message>
        <source>Replace by a function …</source>
        <translation>替换为函数……</translation>
    </message>
    <message>
        <source>Call a function of the model in place of each node</source>
        <translation>以调用模型中的函数替换每个节点</translation>
    </message>
    <message>
        <source>Expand into simpler operators</source>
        <translation>展开为更简单的算子</translation>
    </message>
    <message>
        <source>Put the simpler nodes that define an operator or function in its place</source>
        <translation>以定义算子或函数的更简单节点替换它</translation>
    </message>
    <message>
        <source>Split Gemm</source>
        <translation>拆分 Gemm</translation>
    </message>
    <message>
        <source>Put MatMul and Add in place of Gemm</source>
        <translation>以 MatMul 和 Add 替换 Gemm</translation>
    </message>
    <message>
        <source>Resolve If: then</source>
        <translation>消解 If：then</translation>
    </message>
    <message>
        <source>Put the branch for true in place of the If</source>
        <translation>以条件为真的分支替换 If</translation>
    </message>
    <message>
        <source>Resolve If: else</source>
        <translation>消解 If：else</translation>
    </message>
    <message>
        <source>Put the branch for false in place of the If</source>
        <translation>以条件为假的分支替换 If</translation>
    </message>
    <message>
        <source>Make it an output</source>
        <translation>设为输出</translation>
    </message>
    <message>
        <source>The selected value becomes an output too</source>
        <translation>所选值也成为输出</translation>
    </message>
    <message>
        <source>Connect it to an input …</source>
        <translation>连接到输入……</translation>
    </message>
    <message>
        <source>Let an input of a node read this value</source>
        <translation>让某个节点的输入读取该值</translation>
    </message>
    <message>
        <source>Disconnect an input …</source>
        <translation>断开输入……</translation>
    </message>
    <message>
        <source>Leave out an input of the node that is optional</source>
        <translation>省略节点的一个可选输入</translation>
    </message>
    <message>
        <source>Make its constant an input</source>
        <translation>将其常量设为输入</translation>
    </message>
    <message>
        <source>The constant that the node reads becomes an input, with its value as default</source>
        <translation>节点读取的常量成为输入，其值作为默认值</translation>
    </message>
    <message>
        <source>Replace a weight …</source>
        <translation>替换权重……</translation>
    </message>
    <message>
        <source>Give a constant the values of an .npy file</source>
        <translation>以 .npy 文件的值作为常量的值</translation>
    </message>
    <message>
        <source>Transpose a weight …</source>
        <translation>转置权重……</translation>
    </message>
    <message>
        <source>Store a constant with other axes first</source>
        <translation>以不同的轴顺序存储常量</translation>
    </message>
    <message>
        <source>Cast a weight …</source>
        <translation>转换权重类型……</translation>
    </message>
    <message>
        <source>Store a constant in another element type</source>
        <translation>以另一种元素类型存储常量</translation>
    </message>
    <message>
        <source>Remove the output</source>
        <translation>移除输出</translation>
    </message>
    <message>
        <source>Remove the output, and the nodes that only it needed</source>
        <translation>移除该输出以及只有它需要的节点</translation>
    </message>
    <message>
        <source>Remove the input</source>
        <translation>移除输入</translation>
    </message>
    <message>
        <source>Remove an input that nothing reads</source>
        <translation>移除无人读取的输入</translation>
    </message>
    <message>
        <source>Make it a constant …</source>
        <translation>设为常量……</translation>
    </message>
    <message>
        <source>Give the input a value that stays</source>
        <translation>为输入赋予固定值</translation>
    </message>
    <message>
        <source>Change the type of the input …</source>
        <translation>更改输入的类型……</translation>
    </message>
    <message>
        <source>Another element type or other sizes</source>
        <translation>另一种元素类型或其他尺寸</translation>
    </message>
    <message>
        <source>Change the type of the output …</source>
        <translation>更改输出的类型……</translation>
    </message>
    <message>
        <source>Free a dimension …</source>
        <translation>释放维度……</translation>
    </message>
    <message>
        <source>Give a fixed size of the input a name</source>
        <translation>为输入的固定尺寸命名</translation>
    </message>
    <message>
        <source>Change the order …</source>
        <translation>更改顺序……</translation>
    </message>
    <message>
        <source>Bring inputs or outputs of the model into another order</source>
        <translation>调整模型输入或输出的顺序</translation>
    </message>
    <message>
        <source>Keep only the selected nodes</source>
        <translation>仅保留所选节点</translation>
    </message>
    <message>
        <source>Remove all other nodes; what the selected ones read becomes inputs</source>
        <translation>移除所有其他节点；所选节点读取的值成为输入</translation>
    </message>
    <message>
        <source>Split the model here …</source>
        <translation>在此拆分模型……</translation>
    </message>
    <message>
        <source>Two files: what computes this value, and what reads it</source>
        <translation>两个文件：计算该值的部分和读取该值的部分</translation>
    </message>
    <message>
        <source>Join another model …</source>
        <translation>连接另一个模型……</translation>
    </message>
    <message>
        <source>Put the model of a file behind this one</source>
        <translation>将文件中的模型接在此模型之后</translation>
    </message>
    <message>
        <source>Set metadata …</source>
        <translation>设置元数据……</translation>
    </message>
    <message>
        <source>Set an entry of the metadata that the file has</source>
        <translation>设置文件元数据中的一项</translation>
    </message>
    <message>
        <source>Apply rules …</source>
        <translation>应用规则……</translation>
    </message>
    <message>
        <source>Apply the rewriting rules of a file</source>
        <translation>应用文件中的重写规则</translation>
    </message>
    <message>
        <source>Take bytes …</source>
        <translation>接受字节……</translation>
    </message>
    <message>
        <source>The input takes bytes, which are normalized inside</source>
        <translation>输入接受字节，并在内部归一化</translation>
    </message>
    <message>
        <source>Take channels last or first …</source>
        <translation>通道置后或置前……</translation>
    </message>
    <message>
        <source>The input takes its channels in another place</source>
        <translation>输入在另一位置接受通道</translation>
    </message>
    <message>
        <source>Take texts …</source>
        <translation>接受文本……</translation>
    </message>
    <message>
        <source>The input of ids takes texts, whose words are looked up inside</source>
        <translation>编号输入改为接受文本，并在模型内查找其中的词</translation>
    </message>
    <message>
        <source>Take pictures of any size</source>
        <translation>接受任意尺寸的图像</translation>
    </message>
    <message>
        <source>The input takes pictures of any size, which are resized inside</source>
        <translation>输入接受任意尺寸的图像，并在内部缩放</translation>
    </message>
    <message>
        <source>Give probabilities</source>
        <translation>输出概率</translation>
    </message>
    <message>
        <source>The output gives its Softmax along the last axis</source>
        <translation>输出沿最后一轴给出 Softmax</translation>
    </message>
    <message>
        <source>Give the highest values …</source>
        <translation>输出最大值……</translation>
    </message>
    <message>
        <source>The output gives its highest values, a second one where they stood</source>
        <translation>输出给出最大值，另一个输出给出其位置</translation>
    </message>
    <message>
        <source>Choose boxes …</source>
        <translation>选择框……</translation>
    </message>
    <message>
        <source>A new output gives the boxes that NonMaxSuppression keeps</source>
        <translation>新输出给出 NonMaxSuppression 保留的框</translation>
    </message>
    <message>
        <source>Give the selected nodes other names</source>
        <translation>为所选节点另取名称</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TargetsDialog</name>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Instruction set</source>
        <translation>指令集</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>核心数</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Lapidary there</source>
        <translation>该机器上的 Lapidary</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>添加(&amp;A)</translation>
    </message>
    <message>
        <source>Cha&amp;nge</source>
        <translation>更改(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>A target is another computer on which models are run and measured. It is reached by ssh with your keys; you are not asked for a password.</source>
        <translation>目标是运行和测量模型的另一台计算机。通过 ssh 使用您的密钥连接，不会询问您密码。</translation>
    </message>
    <message>
        <source>What the target says of itself</source>
        <translation>目标报告的自身信息</translation>
    </message>
    <message>
        <source>Progress of the test</source>
        <translation>测试进度</translation>
    </message>
    <message>
        <source>user@host, or user@host:folder</source>
        <translation>用户@主机，或 用户@主机:文件夹</translation>
    </message>
    <message>
        <source>As ssh takes it: a name of its configuration, a host, or user@host. A folder behind a colon is where programs and models are kept there; otherwise ~/.cache/lapidary.</source>
        <translation>与 ssh 的写法相同：其配置中的名称、主机，或 用户@主机。冒号后的文件夹用于在该机器上存放程序和模型；否则使用 ~/.cache/lapidary。</translation>
    </message>
    <message>
        <source>Add what is typed to the list, and test it</source>
        <translation>将输入的内容添加到列表并测试</translation>
    </message>
    <message>
        <source>Give the chosen target the address that is typed</source>
        <translation>将所选目标改为输入的地址</translation>
    </message>
    <message>
        <source>&amp;Host</source>
        <translation>主机(&amp;H)</translation>
    </message>
    <message>
        <source>Cancel the &amp;test</source>
        <translation>取消测试(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Test</source>
        <translation>测试(&amp;T)</translation>
    </message>
    <message>
        <source>Type a host above and press Add. F1 says how to prepare it.</source>
        <translation>在上方输入主机并按“添加”。F1 说明如何准备该主机。</translation>
    </message>
    <message>
        <source>Testing: %1</source>
        <translation>正在测试：%1</translation>
    </message>
    <message>
        <source>It was not reached yet.</source>
        <translation>尚未连接成功。</translation>
    </message>
    <message>
        <source>The open model runs here.</source>
        <translation>打开的模型在此运行。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TasksPanel</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>No task has been started yet. Loading, running and saving appear here, each with progress and Cancel.</source>
        <translation>还没有任务。加载、运行和保存会显示在这里，各带进度和取消。</translation>
    </message>
    <message>
        <source>Progress of %1</source>
        <translation>%1 的进度</translation>
    </message>
    <message>
        <source>Cancel this task</source>
        <translation>取消此任务</translation>
    </message>
    <message>
        <source>Cancel %1</source>
        <translation>取消 %1</translation>
    </message>
    <message>
        <source>cancelling …</source>
        <translation>正在取消……</translation>
    </message>
    <message>
        <source>cancelled after %1</source>
        <translation>%1 后取消</translation>
    </message>
    <message>
        <source>failed after %1: %2</source>
        <translation>%1 后失败：%2</translation>
    </message>
    <message>
        <source>done in %1</source>
        <translation>完成，用时 %1</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>Copy %1 as a command</source>
        <translation>将 %1 复制为命令</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TensorTable</name>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>working memory</source>
        <translation>工作内存</translation>
    </message>
    <message>
        <source>activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>the caller (graph output)</source>
        <translation>调用者（图输出）</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>%1 of what is in use at this step</source>
        <translation>占此步使用量的 %1</translation>
    </message>
    <message>
        <source>Steps from here to the last one that reads it</source>
        <translation>从这里到最后一次读取的步数</translation>
    </message>
    <message>
        <source>Tensors alive at the cursor</source>
        <translation>光标处存活的张量</translation>
    </message>
    <message>
        <source>Lifetimes of tensors</source>
        <translation>张量的生命周期</translation>
    </message>
    <message>
        <source>Filter by tensor, type or node</source>
        <translation>按张量、类型或节点筛选</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>筛选张量</translation>
    </message>
    <message>
        <source>Nothing is alive at this step.</source>
        <translation>此步没有存活的张量。</translation>
    </message>
    <message>
        <source>No tensor matches.</source>
        <translation>没有符合的张量。</translation>
    </message>
    <message>
        <source>tensors: %1</source>
        <translation>张量：%1</translation>
    </message>
    <message>
        <source>tensors: %1 of %2</source>
        <translation>张量：%1 / %2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TimelineCounterView</name>
    <message>
        <source>Counters over time</source>
        <translation>随时间变化的计数器</translation>
    </message>
    <message>
        <source>%1: at most %2</source>
        <translation>%1：最多 %2</translation>
    </message>
    <message>
        <source>Threads busy</source>
        <translation>忙碌线程</translation>
    </message>
    <message>
        <source>Data moved</source>
        <translation>传输数据</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>more threads than are counted here</source>
        <translation>线程多于此处可计数的数量</translation>
    </message>
    <message>
        <source>Threads in kernels at the same time; activations alive by the memory plan, or as they were allocated where there is none; what kernels read and write by their shapes, whether it comes from memory or from caches</source>
        <translation>同时处于内核中的线程；按内存计划存活的激活，若无计划则按实际分配；内核按其形状读写的数据，无论来自内存还是缓存</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>%1: for 99 % of the time at most %2</source>
        <translation>%1：99 % 的时间内最多 %2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TimelineSearchBar</name>
    <message>
        <source>Find nodes and operators in the timeline</source>
        <translation>在时间线中查找节点和算子</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>上一个匹配</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>下一个匹配</translation>
    </message>
    <message>
        <source>Search the timeline</source>
        <translation>搜索时间线</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>%1 of %2, nodes: %3</source>
        <translation>第 %1 个，共 %2 个，节点：%3</translation>
    </message>
    <message>
        <source>Spans found: %1, nodes: %2</source>
        <translation>找到的区间：%1，节点：%2</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TimelineView</name>
    <message>
        <source>Nothing was recorded.</source>
        <translation>没有记录。</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>0 (main)</source>
        <translation>0（主）</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>%1, from %2</source>
        <translation>%1，自 %2</translation>
    </message>
    <message>
        <source>kernel %1</source>
        <translation>内核 %1</translation>
    </message>
    <message>
        <source>%1 % busy</source>
        <translation>忙碌 %1 %</translation>
    </message>
    <message>
        <source> · what thread %1 did of it</source>
        <translation> · 线程 %1 完成的部分</translation>
    </message>
    <message>
        <source>ran on the reference kernel: %1</source>
        <translation>在参考内核上运行：%1</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>第 %1 次运行</translation>
    </message>
    <message>
        <source>Arrow keys walk from span to span, W and S zoom, A and D move, F fits, M selects the time of a span, Return shows the node in the graph. The node table lists the same figures.</source>
        <translation>方向键在区间之间移动，W 和 S 缩放，A 和 D 平移，F 适合窗口，M 选择一个区间的时间，回车在图中显示节点。节点表列出相同的数值。</translation>
    </message>
    <message>
        <source>%1: occurrence %2 of %3</source>
        <translation>%1：第 %2 次出现，共 %3 次</translation>
    </message>
    <message>
        <source>Show in graph</source>
        <translation>在图中显示</translation>
    </message>
    <message>
        <source>Zoom to this span</source>
        <translation>缩放到此区间</translation>
    </message>
    <message>
        <source>Select its time</source>
        <translation>选择其时间</translation>
    </message>
    <message>
        <source>Only nodes of %1</source>
        <translation>仅显示 %1 的节点</translation>
    </message>
    <message>
        <source>Next occurrence</source>
        <translation>下一次出现</translation>
    </message>
    <message>
        <source>Previous occurrence</source>
        <translation>上一次出现</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Whole recording</source>
        <translation>整个记录</translation>
    </message>
    <message>
        <source>One typical run</source>
        <translation>一次典型运行</translation>
    </message>
    <message>
        <source>A click pins this thread to the top (P)</source>
        <translation>单击可将此线程固定到顶部 (P)</translation>
    </message>
    <message>
        <source>There is no room to pin another thread.</source>
        <translation>没有空间再固定一个线程。</translation>
    </message>
    <message>
        <source>Pin its thread to the top</source>
        <translation>将其线程固定到顶部</translation>
    </message>
    <message>
        <source>Unpin its thread</source>
        <translation>取消固定其线程</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TokenTimeBars</name>
    <message>
        <source>Where a token&apos;s time goes</source>
        <translation>一个词元的时间花在哪里</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>%1: %2. %3</source>
        <translation>%1：%2。%3</translation>
    </message>
    <message>
        <source>Some tokens are recorded while others come: their bars appear here.</source>
        <translation>部分词元在生成时被记录：其条形显示在这里。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TokenView</name>
    <message>
        <source>Prompt and tokens</source>
        <translation>提示与词元</translation>
    </message>
    <message>
        <source>Tokens appear here.</source>
        <translation>词元显示在这里。</translation>
    </message>
    <message>
        <source>B would have chosen %1</source>
        <translation>B 会选择 %1</translation>
    </message>
</context>
<context>
    <name>lapidary::views::Tour</name>
    <message>
        <source>Press this card: it builds a small BERT with random weights.</source>
        <translation>按下这张卡片：它会构建一个带随机权重的小型 BERT。</translation>
    </message>
    <message>
        <source>This is the model, its blocks folded into groups. Click a box: the Inspector says what it is, a double click opens a group.</source>
        <translation>这是模型，各模块折叠成分组。单击一个方框：检查器会说明它是什么；双击可展开分组。</translation>
    </message>
    <message>
        <source>What can be made faster? Press Optimize.</source>
        <translation>哪些部分可以更快？按“优化”。</translation>
    </message>
    <message>
        <source>Each card is a level of optimization with what it does to the model. Press this one: all pages are of it then, as the toolbar says.</source>
        <translation>每张卡片是一个优化级别及其对模型的作用。按下这一张：此后所有页面均针对它，工具栏也会显示。</translation>
    </message>
    <message>
        <source>Now run it: press Run, or F5.</source>
        <translation>现在运行它：按“运行”或 F5。</translation>
    </message>
    <message>
        <source>The headline says where the time goes; the bars, the timeline and the tables below show it. That is the way round. F1 explains every page, Ctrl+F finds everything.</source>
        <translation>标题说明时间花在哪里；下方的条形图、时间线和表格将其显示出来。导览到此结束。F1 解释每个页面，Ctrl+F 可查找一切。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TradeOffPanel</name>
    <message>
        <source>Latency against throughput</source>
        <translation>延迟与吞吐量</translation>
    </message>
    <message>
        <source>median latency, ms</source>
        <translation>延迟中位数，毫秒</translation>
    </message>
    <message>
        <source>inferences per second</source>
        <translation>每秒推理次数</translation>
    </message>
    <message>
        <source>Each setting is a point here as soon as it is measured.</source>
        <translation>每个设置测量后会在这里显示为一个点。</translation>
    </message>
    <message>
        <source>Which setting answers most within a limit? Press Start to find out.</source>
        <translation>在限定时间内哪个设置处理得最多？按“开始”即可得知。</translation>
    </message>
    <message>
        <source>Within %1, %2 gives the most inferences: %3 at %4.</source>
        <translation>在 %1 以内，%2 的推理次数最多：%3，耗时 %4。</translation>
    </message>
    <message>
        <source>None takes at most %1; the fastest, %2, takes %3.</source>
        <translation>没有设置在 %1 以内；最快的 %2 需要 %3。</translation>
    </message>
    <message>
        <source>★ recommended</source>
        <translation>★ 推荐</translation>
    </message>
    <message>
        <source>The code of the recommended setting appears here.</source>
        <translation>推荐设置的代码会显示在这里。</translation>
    </message>
    <message>
        <source>ONNX Runtime needs this variant as a file: export it. The Compare page has its code.</source>
        <translation>ONNX Runtime 需要此变体的文件：请先导出。其代码在“比较”页。</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>On the line: %1 of %2 settings. No other setting beats them in both latency and throughput.</source>
        <translation>在连线上：%2 个设置中的 %1 个。没有其他设置在延迟和吞吐量两方面都更好。</translation>
    </message>
    <message>
        <source>median latency, µs</source>
        <translation>延迟中位数，微秒</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TunePage</name>
    <message>
        <source>No model is open</source>
        <translation>没有打开模型</translation>
    </message>
    <message>
        <source>Open a model or take a sample from the start page. Here you will see how fast it runs with which threads and batches.</source>
        <translation>打开模型或从开始页选取示例。这里将显示它在不同线程数和批大小下的速度。</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>打开……</translation>
    </message>
    <message>
        <source>This setting cannot be measured</source>
        <translation>此设置无法测量</translation>
    </message>
    <message>
        <source>Measuring failed</source>
        <translation>测量失败</translation>
    </message>
    <message>
        <source>use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>Runs, exports and snippets now use %1.</source>
        <translation>运行、导出和代码片段现在使用 %1。</translation>
    </message>
    <message>
        <source>Time per run by operator, %1</source>
        <translation>每次运行按算子的时间，%1</translation>
    </message>
    <message>
        <source>Time per run by operator</source>
        <translation>每次运行按算子的时间</translation>
    </message>
    <message>
        <source>Save the figures</source>
        <translation>保存数据</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>%1 tuning.%2</source>
        <translation>%1 调优.%2</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>保存 %1</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>The figures were not saved</source>
        <translation>数据未保存</translation>
    </message>
    <message>
        <source>Tune</source>
        <translation>调优</translation>
    </message>
    <message>
        <source>Measure settings</source>
        <translation>测量设置</translation>
    </message>
    <message>
        <source>Measure the queue, or everything not measured yet</source>
        <translation>测量队列，或所有尚未测量的设置</translation>
    </message>
    <message>
        <source>Pause measuring</source>
        <translation>暂停测量</translation>
    </message>
    <message>
        <source>Pause or go on</source>
        <translation>暂停或继续</translation>
    </message>
    <message>
        <source>Verify the best 3</source>
        <translation>复核最佳 3 种</translation>
    </message>
    <message>
        <source>Measure the best settings in turn, longer</source>
        <translation>交替并更久地测量最佳设置</translation>
    </message>
    <message>
        <source>Apply the recommended setting</source>
        <translation>应用推荐的设置</translation>
    </message>
    <message>
        <source>Run, export and write code with it from now on</source>
        <translation>今后以此运行、导出和生成代码</translation>
    </message>
    <message>
        <source>Copy the sweep command</source>
        <translation>复制扫描命令</translation>
    </message>
    <message>
        <source>Copy the lapidary-cli command that measures these settings</source>
        <translation>复制测量这些设置的 lapidary-cli 命令</translation>
    </message>
    <message>
        <source>Save figures as CSV …</source>
        <translation>将数据存为 CSV……</translation>
    </message>
    <message>
        <source>Write all settings and their figures as comma-separated values</source>
        <translation>以逗号分隔值写出所有设置及其数据</translation>
    </message>
    <message>
        <source>Save figures as JSON …</source>
        <translation>将数据存为 JSON……</translation>
    </message>
    <message>
        <source>Write everything that was measured, each sample too</source>
        <translation>写出所有测量结果，含每个样本</translation>
    </message>
    <message>
        <source>Save the heat map as a picture …</source>
        <translation>将热图存为图片……</translation>
    </message>
    <message>
        <source>Write the heat map as PNG</source>
        <translation>将热图写成 PNG</translation>
    </message>
    <message>
        <source>Forget the figures</source>
        <translation>清除数据</translation>
    </message>
    <message>
        <source>Drop what was measured of this model</source>
        <translation>丢弃此模型的测量结果</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
    <message>
        <source>Sho&amp;w</source>
        <translation>显示(&amp;W)</translation>
    </message>
    <message>
        <source>What the heat map shows</source>
        <translation>热图显示的内容</translation>
    </message>
    <message>
        <source>Acro&amp;ss</source>
        <translation>横向(&amp;S)</translation>
    </message>
    <message>
        <source>What differs from column to column</source>
        <translation>各列之间的差别</translation>
    </message>
    <message>
        <source>Dow&amp;n</source>
        <translation>纵向(&amp;N)</translation>
    </message>
    <message>
        <source>What differs from row to row</source>
        <translation>各行之间的差别</translation>
    </message>
    <message>
        <source>Res&amp;t</source>
        <translation>其余(&amp;T)</translation>
    </message>
    <message>
        <source>Where settings differ in more than two things: one choice of the rest, or of all the best</source>
        <translation>设置在两方面以上不同时：其余取某一选择，或取全部中最好的</translation>
    </message>
    <message>
        <source>Copy and save</source>
        <translation>复制和保存</translation>
    </message>
    <message>
        <source>Copy the command, save figures or picture</source>
        <translation>复制命令，保存数据或图片</translation>
    </message>
    <message>
        <source>More about the settings</source>
        <translation>更多设置说明</translation>
    </message>
    <message>
        <source>Speed-&amp;up</source>
        <translation>加速比(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Operators</source>
        <translation>算子(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;All settings</source>
        <translation>所有设置(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Queue</source>
        <translation>队列(&amp;Q)</translation>
    </message>
    <message>
        <source>best of all</source>
        <translation>全部中最好的</translation>
    </message>
    <message>
        <source>Ca&amp;llers</source>
        <translation>调用者(&amp;L)</translation>
    </message>
    <message>
        <source>★ recommended · hatched: as fast · ?: not known · ✓ verified · ⚠ unsteady · dashed: not measured</source>
        <translation>★ 推荐 · 阴影：一样快 · ?：未知 · ✓ 已验证 · ⚠ 不稳定 · 虚线：未测量</translation>
    </message>
    <message>
        <source>These are whole runs. Tokens of a decoder have threads of their own choice: &lt;a href=&quot;generate/variants&quot;&gt;tokens a second by threads&lt;/a&gt;, on the Generate page.</source>
        <translation>这里是整次运行。解码器的词元有自己的线程选择：生成页上的&lt;a href=&quot;generate/variants&quot;&gt;按线程数的每秒词元数&lt;/a&gt;。</translation>
    </message>
    <message>
        <source>Tokens a second</source>
        <translation>每秒词元数</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Front&amp;ier</source>
        <translation>前沿(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>所有(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Ops</source>
        <translation>算子(&amp;O)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::TypeField</name>
    <message>
        <source>Element type</source>
        <translation>元素类型</translation>
    </message>
    <message>
        <source>%1: dimensions</source>
        <translation>%1：维度</translation>
    </message>
    <message>
        <source>batch, 3, 224, 224; ? is not known; empty: any</source>
        <translation>batch, 3, 224, 224；? 表示未知；留空表示任意</translation>
    </message>
</context>
<context>
    <name>lapidary::views::UnmatchedTable</name>
    <message>
        <source>Kernels that are no node of the open model</source>
        <translation>不对应打开的模型节点的内核</translation>
    </message>
    <message>
        <source>Every kernel is a node of the open model.</source>
        <translation>每个内核都对应打开的模型的节点。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::ValueViewer</name>
    <message>
        <source>Select a node or a value of the graph to look inside.</source>
        <translation>请选择图中的一个节点或值以查看其内部。</translation>
    </message>
    <message>
        <source>Look inside %1</source>
        <translation>查看 %1 内部</translation>
    </message>
    <message>
        <source>Running the model with %1 …</source>
        <translation>正在以 %1 运行模型……</translation>
    </message>
    <message>
        <source>The first %1 of %2 columns are shown.</source>
        <translation>显示了 %2 列中的前 %1 列。</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>map %1</source>
        <translation>图 %1</translation>
    </message>
    <message>
        <source>Computed with %1, one kernel for each node.</source>
        <translation>以 %1 计算，每个节点一个内核。</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… 另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Save the value</source>
        <translation>保存该值</translation>
    </message>
    <message>
        <source>NumPy arrays (*.npy)</source>
        <translation>NumPy 数组 (*.npy)</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>保存 %1</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Running the model to save the value …</source>
        <translation>正在运行模型以保存该值……</translation>
    </message>
    <message>
        <source>&amp;Follow the selection</source>
        <translation>跟随所选(&amp;F)</translation>
    </message>
    <message>
        <source>Compute &amp;again</source>
        <translation>重新计算(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Look inside</source>
        <translation>查看内部</translation>
    </message>
    <message>
        <source>A value of the model as it is in a run with the inputs of the Run page: its figures, how its elements are distributed, and the elements themselves.</source>
        <translation>模型的一个值在以“运行”页的输入运行时的样子：它的统计数字、元素的分布，以及元素本身。</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>What the selected node writes, and what it reads</source>
        <translation>所选节点写出的值和读取的值</translation>
    </message>
    <message>
        <source>Iteration or item</source>
        <translation>迭代或条目</translation>
    </message>
    <message>
        <source>The iteration of the body, or the item of the sequence</source>
        <translation>循环体的迭代，或序列的条目</translation>
    </message>
    <message>
        <source>Look at whatever is selected next, in the graph or elsewhere; each look runs the model once</source>
        <translation>查看接下来在图中或别处选中的内容；每次查看都会运行一次模型</translation>
    </message>
    <message>
        <source>Elements of the value</source>
        <translation>值的元素</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>Run the model again with the inputs as they are now</source>
        <translation>以当前的输入重新运行模型</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>停止运行</translation>
    </message>
    <message>
        <source>query ↓ key →</source>
        <translation>查询 ↓ 键 →</translation>
    </message>
    <message>
        <source>Part: %1</source>
        <translation>部分：%1</translation>
    </message>
    <message>
        <source>The part as a picture</source>
        <translation>该部分的图像</translation>
    </message>
    <message>
        <source>Whole value</source>
        <translation>整个值</translation>
    </message>
    <message>
        <source>&amp;Save …</source>
        <translation>保存(&amp;S)……</translation>
    </message>
    <message>
        <source>Write the whole value into a file for NumPy, or all values of the list into one</source>
        <translation>将整个值写入 NumPy 文件，或将列表中的所有值写入一个文件</translation>
    </message>
    <message>
        <source>Elements and runs</source>
        <translation>元素和运行</translation>
    </message>
    <message>
        <source>&amp;Elements</source>
        <translation>元素(&amp;E)</translation>
    </message>
    <message>
        <source>Several &amp;runs</source>
        <translation>多次运行(&amp;R)</translation>
    </message>
    <message>
        <source>All values of the list in one file (*.npz)</source>
        <translation>列表中的所有值存入一个文件 (*.npz)</translation>
    </message>
</context>
<context>
    <name>lapidary::views::VariantChip</name>
    <message>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>The variant that runs, plans, sweeps and exports are of</source>
        <translation>运行、规划、扫描和导出所针对的变体</translation>
    </message>
    <message>
        <source>Variant in force</source>
        <translation>当前变体</translation>
    </message>
    <message>
        <source>%1 is in force: Graph, Run, Memory and Tune are of it.</source>
        <translation>当前为 %1：图、运行、内存和调优均针对它。</translation>
    </message>
    <message>
        <source>Median of %1 runs (threads: %2); 95 % interval %3 to %4.</source>
        <translation>%1 次运行的中位数（线程：%2）；95 % 区间 %3 至 %4。</translation>
    </message>
    <message>
        <source>Not measured yet with these sizes and threads: press F5.</source>
        <translation>尚未以这些大小和线程测量：请按 F5。</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>未打开模型</translation>
    </message>
    <message>
        <source>%1 (not made yet)</source>
        <translation>%1（尚未生成）</translation>
    </message>
    <message>
        <source>Compare as &amp;A</source>
        <translation>作为 A 比较(&amp;A)</translation>
    </message>
    <message>
        <source>Compare as &amp;B</source>
        <translation>作为 B 比较(&amp;B)</translation>
    </message>
    <message>
        <source>Original · not valid</source>
        <translation>原始 · 无效</translation>
    </message>
    <message>
        <source>put %1 in force</source>
        <translation>将 %1 设为当前</translation>
    </message>
    <message>
        <source>Median of %1 profiled runs (threads: %2); 95 % interval %3 to %4.</source>
        <translation>%1 次剖析运行的中位数（线程：%2）；95 % 区间 %3 至 %4。</translation>
    </message>
    <message>
        <source>%1 is in force: Graph shows it as its file has it; Run, Memory and Tune are of it at level %2, as in every session of ONNX Runtime.</source>
        <translation>当前为 %1：“图”页按文件显示；“运行”“内存”“调优”页按级别 %2，与 ONNX Runtime 的每个会话一样。</translation>
    </message>
    <message>
        <source>%1 · not valid</source>
        <translation>%1 · 无效</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1（在 %2 上）</translation>
    </message>
</context>
<context>
    <name>lapidary::views::VariantPanel</name>
    <message>
        <source>Compare all</source>
        <translation>全部比较</translation>
    </message>
    <message>
        <source>Variants side by side</source>
        <translation>并排的变体</translation>
    </message>
    <message>
        <source>The variants could not be compared</source>
        <translation>无法比较这些变体</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>The variants that are columns of the table: two to eight</source>
        <translation>作为表格列的变体：两到八个</translation>
    </message>
    <message>
        <source>In detail</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Put the first column into slot A and another one into slot B, and show where they differ</source>
        <translation>将第一列放入 A、另一列放入 B，并显示它们的差异</translation>
    </message>
    <message>
        <source>Measure all columns in turn, and compare their outputs with those of the first</source>
        <translation>轮流测量所有列，并将其输出与第一列比较</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Two variants of the open model are needed. The menu Variants makes the levels; the pages Optimize and Quantize make others.</source>
        <translation>需要打开的模型的两个变体。“变体”菜单生成各级别；“优化”和“量化”页面生成其他变体。</translation>
    </message>
    <message>
        <source>compare %1 with %2</source>
        <translation>将 %1 与 %2 比较</translation>
    </message>
    <message>
        <source>Make all levels</source>
        <translation>生成所有级别</translation>
    </message>
    <message>
        <source>Measured for this table, apart from the cards above, with %1, threads: %2.</source>
        <translation>专为此表测量，与上方卡片无关；%1，线程数：%2。</translation>
    </message>
    <message>
        <source>It ran on %1.</source>
        <translation>运行于 %1。</translation>
    </message>
    <message>
        <source>The run settings have changed since.</source>
        <translation>此后运行设置已更改。</translation>
    </message>
    <message>
        <source>Press Compare all for times and accuracy. %1 is what the others are compared with.</source>
        <translation>按“全部比较”以获得时间和精确度。其他变体与 %1 比较。</translation>
    </message>
    <message>
        <source>Comparing the variants …</source>
        <translation>正在比较变体……</translation>
    </message>
    <message>
        <source>It ended early and is not complete.</source>
        <translation>比较提前结束，结果不完整。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::VariantsPanel</name>
    <message>
        <source>Variants of the open model</source>
        <translation>打开的模型的变体</translation>
    </message>
    <message>
        <source>The model as it was opened</source>
        <translation>打开时的模型</translation>
    </message>
    <message>
        <source>%1
Recipe: %2</source>
        <translation>%1
配方：%2</translation>
    </message>
    <message>
        <source>Nodes, those of subgraphs counted</source>
        <translation>节点数，含子图</translation>
    </message>
    <message>
        <source>Bytes of all constants</source>
        <translation>所有常量的字节数</translation>
    </message>
    <message>
        <source>Bytes of all constants as this variant runs: after its level, which may fold some</source>
        <translation>此变体运行时所有常量的字节数：经其级别处理后，可能已折叠一些</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>Compare as A	A</source>
        <translation>作为 A 比较	A</translation>
    </message>
    <message>
        <source>Compare as B	B</source>
        <translation>作为 B 比较	B</translation>
    </message>
    <message>
        <source>Copy the recipe</source>
        <translation>复制配方</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Remove	Del</source>
        <translation>移除	Del</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>没有打开模型。</translation>
    </message>
    <message>
        <source>In force: all pages are of it.</source>
        <translation>当前：所有页面均针对它。</translation>
    </message>
    <message>
        <source>, in force</source>
        <translation>，当前</translation>
    </message>
    <message>
        <source>put %1 in force</source>
        <translation>将 %1 设为当前</translation>
    </message>
    <message>
        <source>Put in force	Enter</source>
        <translation>设为当前	Enter</translation>
    </message>
</context>
<context>
    <name>lapidary::views::VerdictCard</name>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>fastest – slowest</source>
        <translation>最快 – 最慢</translation>
    </message>
    <message>
        <source>Spread of the wall time over the profiled runs</source>
        <translation>各次分析运行时间的波动</translation>
    </message>
    <message>
        <source>inside kernels</source>
        <translation>内核内</translation>
    </message>
    <message>
        <source>Bytes of constants</source>
        <translation>常量的字节数</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Threads that share one operator</source>
        <translation>共同执行一个算子的线程</translation>
    </message>
    <message>
        <source>of peak</source>
        <translation>占峰值</translation>
    </message>
    <message>
        <source>How much of the time in kernels this machine would need at its peak: %1. Measured once; each node is compared with arithmetic or with memory, whichever binds it.</source>
        <translation>此机器以峰值运行时所需时间占内核时间的比例：%1。只测量一次；每个节点与其受限的算术或内存相比较。</translation>
    </message>
    <message>
        <source>selected</source>
        <translation>已选</translation>
    </message>
    <message>
        <source>Length of the selected part of the recording; every figure here is of that part</source>
        <translation>所选记录部分的长度；此处所有数据均属于该部分</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>How many ran in the selected part, whole or in part</source>
        <translation>在所选部分内（全部或部分）运行的数量</translation>
    </message>
    <message>
        <source>What of these kernels lies in the selected part, all threads together</source>
        <translation>这些内核落在所选部分内的时间，所有线程合计</translation>
    </message>
    <message>
        <source>threads busy</source>
        <translation>线程忙碌</translation>
    </message>
    <message>
        <source>Share of the selected time that the threads spent in kernels</source>
        <translation>线程在所选时间内处于内核中的比例</translation>
    </message>
    <message>
        <source>sizes</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Of the inputs that it ran on</source>
        <translation>运行所用输入的大小</translation>
    </message>
    <message>
        <source>What goes with it</source>
        <translation>附带说明</translation>
    </message>
    <message>
        <source>one profiled run</source>
        <translation>一次剖析运行</translation>
    </message>
    <message>
        <source>median of %1 profiled runs</source>
        <translation>%1 次剖析运行的中位数</translation>
    </message>
    <message>
        <source>unprofiled</source>
        <translation>不剖析</translation>
    </message>
    <message>
        <source>Median of %1 runs without the profiler, as levels and variants are compared by</source>
        <translation>不带剖析器的 %1 次运行的中位数，级别与变体据此比较</translation>
    </message>
    <message>
        <source>Outputs against recorded ones</source>
        <translation>输出与记录对比</translation>
    </message>
    <message>
        <source>unprofiled, at %1</source>
        <translation>未分析，于 %1</translation>
    </message>
    <message>
        <source>%1 of the %2 of the typical run; the rest is the walk between kernels and the profiler itself</source>
        <translation>典型运行 %2 中的 %1；其余是内核之间的开销和分析器本身</translation>
    </message>
    <message>
        <source>activations held</source>
        <translation>占用的激活内存</translation>
    </message>
    <message>
        <source>Most bytes held for activations at once, as the run counted them; the Memory page has the process</source>
        <translation>运行统计的同时为激活占用的最大字节数；进程内存见“内存”页</translation>
    </message>
    <message>
        <source>weights as stored</source>
        <translation>存储的权重</translation>
    </message>
    <message>
        <source>level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>At which it ran, with what else its recipe says</source>
        <translation>运行所用的级别，以及其配方的其他内容</translation>
    </message>
    <message>
        <source>machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>The target it ran on</source>
        <translation>运行所在的目标</translation>
    </message>
    <message>
        <source>instructions per cycle</source>
        <translation>每周期指令数</translation>
    </message>
    <message>
        <source>Wall time of the typical run, profiler included: the median of all. Times, shares and totals below are of this run and add up to it. The interval allows for what another measurement would differ by: it may reach a little beyond the fastest and the slowest run.</source>
        <translation>典型运行的耗时（含分析器开销）：所有运行的中位数。下面的时间、占比和总计都取自这次运行，相加等于它。区间考虑了再次测量可能出现的差异，因此可能略微超出最快和最慢的运行。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::WeightFields</name>
    <message>
        <source>Nodes read it transposed</source>
        <translation>节点读取转置后的值</translation>
    </message>
    <message>
        <source>What to do with it</source>
        <translation>如何处理</translation>
    </message>
    <message>
        <source>Take the values of a file</source>
        <translation>采用文件中的值</translation>
    </message>
    <message>
        <source>Transpose</source>
        <translation>转置</translation>
    </message>
    <message>
        <source>Cast</source>
        <translation>转换类型</translation>
    </message>
    <message>
        <source>Otherwise they get the old order, and results stay</source>
        <translation>否则它们得到原来的顺序，结果不变</translation>
    </message>
    <message>
        <source>Name a constant.</source>
        <translation>请指定一个常量。</translation>
    </message>
    <message>
        <source>The model has no constant of this name.</source>
        <translation>模型没有此名称的常量。</translation>
    </message>
    <message>
        <source>%1, %2, readers: %3</source>
        <translation>%1，%2，读取者：%3</translation>
    </message>
</context>
<context>
    <name>lapidary::views::WhatIfPanel</name>
    <message>
        <source>&amp;Apply to the run settings</source>
        <translation>应用到运行设置(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>重置(&amp;R)</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <source>&amp;Plan memory</source>
        <translation>规划内存(&amp;P)</translation>
    </message>
    <message>
        <source>One block, laid out for the shapes of the inputs (enable_mem_pattern)</source>
        <translation>按输入形状布局的一整块内存 (enable_mem_pattern)</translation>
    </message>
    <message>
        <source>Ar&amp;ena</source>
        <translation>内存区(&amp;E)</translation>
    </message>
    <message>
        <source>What is not planned comes from an arena that grows by powers of two (enable_cpu_mem_arena); off: each value from the heap</source>
        <translation>未规划的部分来自按 2 的幂增长的内存区 (enable_cpu_mem_arena)；关闭：每个值取自堆</translation>
    </message>
    <message>
        <source>&amp;In place</source>
        <translation>原地(&amp;I)</translation>
    </message>
    <message>
        <source>Results over inputs that are not read any more, views, Concat in place. Sessions always do: this shows what it saves.</source>
        <translation>结果覆盖不再被读取的输入、视图、原地 Concat。会话总是这样做：此处显示节省了多少。</translation>
    </message>
    <message>
        <source>&amp;Fused steps</source>
        <translation>融合步骤(&amp;F)</translation>
    </message>
    <message>
        <source>Neighbouring nodes in one kernel: what lies between them is never stored</source>
        <translation>相邻节点合并为一个内核：中间结果从不存储</translation>
    </message>
    <message>
        <source>&amp;Threads</source>
        <translation>线程(&amp;T)</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Kernels take working memory for each thread; auto: one per core</source>
        <translation>内核按线程占用工作内存；自动：每核一个</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Back to what the run settings say</source>
        <translation>恢复为运行设置的值</translation>
    </message>
    <message>
        <source>Sizes of free dimensions</source>
        <translation>自由维度的大小</translation>
    </message>
    <message>
        <source>auto (%1)</source>
        <translation>自动 (%1)</translation>
    </message>
    <message>
        <source>Size of dimension %1</source>
        <translation>维度 %1 的大小</translation>
    </message>
    <message>
        <source>Size of the free dimension; auto takes %1, as generated inputs do</source>
        <translation>自由维度的大小；自动取 %1，与生成的输入相同</translation>
    </message>
    <message>
        <source>off: %1</source>
        <translation>关闭：%1</translation>
    </message>
    <message>
        <source>on: %1</source>
        <translation>开启：%1</translation>
    </message>
    <message>
        <source>twice as large: %1</source>
        <translation>加倍：%1</translation>
    </message>
    <message>
        <source>What other settings would take</source>
        <translation>其他设置需要的内存</translation>
    </message>
    <message>
        <source>Turn a switch or change a size: picture and tables follow. Beside each: what it would change of the process.</source>
        <translation>切换开关或更改尺寸：图和表随之变化。旁边是它会使进程内存改变多少。</translation>
    </message>
</context>
<context>
    <name>lapidary::views::WhatsThis</name>
    <message>
        <source>More in the help</source>
        <translation>在帮助中了解更多</translation>
    </message>
</context>
<context>
    <name>lapidary::views::WindowApplication</name>
    <message>
        <source>An exception of an unknown kind.</source>
        <translation>未知类型的异常。</translation>
    </message>
</context>
</TS>
