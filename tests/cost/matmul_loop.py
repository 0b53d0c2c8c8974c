#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What 1,000 matrix products in PyTorch take, in microseconds each: the least of 15 rounds.

    matmul_loop.py [PRODUCTS] [ROUNDS] [SIZE]

Matrices are small, so that the time is that of the calls and not of the device. Exits 77 without PyTorch or a GPU.
"""

import sys
import time


def us_per_product(torch, matrix, products):
    out = torch.empty_like(matrix)
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(products):
        torch.matmul(matrix, matrix, out=out)
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) * 1e6 / products


def main(arguments):
    products, rounds, size = [int(word) for word in arguments] + [1000, 15, 512][len(arguments):]
    try:
        import torch
    except ImportError:
        print("matmul_loop.py: no PyTorch here", file=sys.stderr)
        return 77
    if not torch.cuda.is_available():
        print("matmul_loop.py: PyTorch sees no GPU here", file=sys.stderr)
        return 77
    matrix = torch.ones((size, size), device="cuda")
    us_per_product(torch, matrix, products)
    print(f"{min(us_per_product(torch, matrix, products) for _ in range(rounds)):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
