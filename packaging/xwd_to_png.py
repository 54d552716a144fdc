#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""xwd_to_png.py IN.xwd OUT.png: turns what xwd wrote of a 24-bit display into PNG; fails where it is of one colour."""
import struct
import sys
import zlib


def main(source, target):
    data = open(source, "rb").read()
    header = struct.unpack(">25I", data[:100])
    size, width, height, order, bits, stride, colors = (
        header[0], header[4], header[5], header[7], header[11], header[12], header[19])
    if bits != 32:
        sys.exit(f"{source} has {bits} bits a pixel, expected 32")
    start = size + colors * 12
    at = (2, 1, 0) if order == 0 else (1, 2, 3)  # bytes of red, green, blue
    rows = []
    for y in range(height):
        line = data[start + y * stride:start + y * stride + 4 * width]
        row = bytearray(3 * width)
        for channel, offset in enumerate(at):
            row[channel::3] = line[offset::4]
        rows.append(b"\0" + bytes(row))
    if len(set(rows)) < height // 10:
        sys.exit(f"{source} shows nothing")

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    with open(target, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                  + chunk(b"IDAT", zlib.compress(b"".join(rows), 6)) + chunk(b"IEND", b""))


main(*sys.argv[1:])
