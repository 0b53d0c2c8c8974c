# SPDX-License-Identifier: MIT
"""What kernels.csv does not tell of a cubin: in which order its kernels are, which decides where each of them lies."""

import struct

STT_FUNC = 2
STO_CUDA_ENTRY = 0x10
SHT_SYMTAB = 2


def section(image, index):
    """(type, offset, size, the section that it goes with)"""
    [table] = struct.unpack_from("<Q", image, 0x28)
    at = table + 64 * index
    [kind] = struct.unpack_from("<I", image, at + 4)
    offset, size, link = struct.unpack_from("<QQI", image, at + 0x18)
    return kind, offset, size, link


def kernels_in_order(path):
    """Their names, as the symbol table has them."""
    with open(path, "rb") as file:
        image = file.read()
    [count] = struct.unpack_from("<H", image, 0x3c)
    symbols = next(found for found in (section(image, i) for i in range(count)) if found[0] == SHT_SYMTAB)
    _, offset, size, link = symbols
    names = section(image, link)[1]
    found = []
    for at in range(offset, offset + size, 24):
        name, info, other, where = struct.unpack_from("<IBBH", image, at)
        if info & 15 == STT_FUNC and other & STO_CUDA_ENTRY and where:
            found.append(image[names + name:image.index(b"\0", names + name)].decode())
    return found
