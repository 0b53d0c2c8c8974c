#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hostile_cubin.py FILE COUNT: a cubin with one kernel, and as many stack frames and addresses of them as nobody has.

Whoever looks at all addresses for each frame does not come back.
"""

import struct
import sys

NAMES = b"\0.symtab\0.strtab\0.shstrtab\0.text.k\0.debug_frame\0.rela.debug_frame\0"
ENTRY_BYTES = 36  # mark, length, then three numbers


def main():
    path, count = sys.argv[1], int(sys.argv[2])
    frames = struct.pack("<IQQQQ", 0xFFFFFFFF, 24, 0, 0, 0) * count
    addresses = b"".join(struct.pack("<QQq", ENTRY_BYTES * i + 20, 1 << 32 | 2, 16) for i in range(count))
    symbol = bytes(24) + struct.pack("<IBBHQQ", 1, 0x12, 0x10, 4, 0, 64)
    sections = [(b".symtab", 2, symbol, 2, 1), (b".strtab", 3, b"\0k\0", 0, 0), (b".shstrtab", 3, NAMES, 0, 0),
                (b".text.k", 1, bytes(64), 0, 0), (b".debug_frame", 1, frames, 0, 0),
                (b".rela.debug_frame", 4, addresses, 1, 5)]
    body, table = b"", bytes(64)
    for name, kind, data, link, info in sections:
        table += struct.pack("<IIQQQQIIQQ", NAMES.index(b"\0" + name + b"\0") + 1, kind, 0, 0, 64 + len(body), len(data),
                             link, info, 8, 24)
        body += data
    header = struct.pack("<4sBBBBB7xHHIQQQIHHHHHH", b"\x7fELF", 2, 1, 1, 0x41, 8, 2, 190, 1, 0, 0, 64 + len(body),
                         90 << 8 | 4, 64, 0, 0, 64, len(sections) + 1, 3)
    with open(path, "wb") as file:
        file.write(header + body + table)


if __name__ == "__main__":
    main()
