#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speaks with `lapidary-cli mcp` by the package `mcp`, the protocol's own client.

    mcp_client.py CLI

- The client validates every result against the schema that its tool declares.
- It finds a bottleneck that was planted, exports with the guard, and is refused outside of the folder.
Needs `pip install mcp`; ends with 77 where it is missing.
"""
import asyncio
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client
except ImportError:
    print("the package mcp is missing")
    sys.exit(77)


def field(number, value):
    """A field of protobuf: a number, or bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(value):
    data = b""
    while value > 127:
        data += bytes([value & 127 | 128])
        value >>= 7
    return data + bytes([value])


def node(operator, inputs, output, name):
    return b"".join(field(1, read) for read in inputs) + field(2, output) + field(3, name) + field(4, operator)


def port(name, rows, columns):
    shape = b"".join(field(1, field(1, size)) for size in (rows, columns))
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))


def planted_model(rows=64, columns=512):
    """Elementwise nodes around one product of 2 * 64 * 512 * 512 operations, as onnx.proto writes it."""
    weights = field(1, columns) * 2 + field(2, 1) + field(8, "w") + field(9, bytes(4 * columns * columns))
    nodes = (node("Relu", ["x"], "a", "first"), node("MatMul", ["a", "w"], "b", "planted"),
             node("Neg", ["b"], "c", "third"), node("Abs", ["c"], "y", "last"))
    graph = b"".join(field(1, part) for part in nodes) + field(2, "g") + field(5, weights)
    graph += field(11, port("x", rows, columns)) + field(12, port("y", rows, columns))
    return field(1, 8) + field(7, graph) + field(8, field(2, 17))


def plain(answer):
    """As the protocol writes it: releases of the package name members in different ways."""
    return answer.model_dump(by_alias=True, mode="json")


async def check(cli, folder, outside):
    server = StdioServerParameters(command=cli, args=["mcp", "--folder", str(folder)], env=dict(os.environ))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = plain(await session.initialize())
        assert hello["serverInfo"]["name"] == "lapidary", hello
        tools = {tool["name"] for tool in plain(await session.list_tools())["tools"]}
        assert {"open", "profile", "near_misses", "diverge", "edit", "export", "quantize"} <= tools, tools
        stages = []

        async def on_progress(progress, total, message):
            stages.append(message)

        async def call(name, **arguments):
            return plain(await session.call_tool(name, arguments, progress_callback=on_progress))

        one = {"model": "net.onnx"}
        both = {"models": ["net.onnx", "net.onnx"]}
        calls = [
            ("open", one), ("summarize", one), ("memory", one), ("near_misses", one), ("passes", {}),
            ("profile", {**one, "runs": 3, "level": "disabled"}),
            ("checklist", {**one, "seconds": 0.2, "runs": 2}), ("inspect", {**one, "value": "*"}),
            ("edit", {**one, "edit": ["rename node * -> my/*"], "dry_run": True}),
            ("quantize", {**one, "mode": "dynamic", "output": "small.onnx"}),
            ("diverge", both), ("compare", {**both, "seconds": 0.2, "runs": 2})]
        for name, arguments in calls:
            result = await call(name, **arguments)
            assert not result["isError"] and result["structuredContent"], (name, result)

        profile = (await call("profile", model="net.onnx", level="disabled", runs=3))["structuredContent"]
        slowest = max(profile["nodes"], key=lambda node: node["ms"])
        assert slowest["name"] == "planted", slowest
        print(f"bottleneck: {slowest['name']}, {slowest['share']:.0%} of the time")

        exported = await call("export", model="net.onnx", output="fast.onnx")
        assert not exported["isError"], exported
        found = exported["structuredContent"]
        assert found["guard"]["matches"] and found["written"] and (folder / "fast.onnx").exists(), exported
        again = await call("export", model="net.onnx", output="fast.onnx")
        assert again["isError"] and "exists already" in again["content"][0]["text"], again

        for name in (str(outside / "secret.onnx"), "../outside/secret.onnx", "link.onnx"):
            refused = await call("open", model=name)
            assert refused["isError"] and "outside" in refused["content"][0]["text"], refused
        refused = await call("export", model="net.onnx", output=str(outside / "new.onnx"))
        assert refused["isError"] and not (outside / "new.onnx").exists(), refused
        assert stages, "no progress was reported"
        resources = plain(await session.list_resources())["resources"]
        text = plain(await session.read_resource(resources[0]["uri"]))["contents"][0]["text"]
        assert "Options:" in text
        print(f"{len(calls) + 1} tools gave what their schemas say; refused outside of the folder")


def main():
    cli = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder, outside = pathlib.Path(name) / "models", pathlib.Path(name) / "outside"
        folder.mkdir()
        outside.mkdir()
        (folder / "net.onnx").write_bytes(planted_model())
        subprocess.run([cli, "sample", "mlp", "-o", str(outside / "secret.onnx")], check=True,
                       stdout=subprocess.DEVNULL)
        (folder / "link.onnx").symlink_to(outside / "secret.onnx")
        asyncio.run(check(cli, folder, outside))


if __name__ == "__main__":
    main()
