# SPDX-License-Identifier: MIT
"""PyTorch: zeros, and a product of matrices."""
import torch

zeros = torch.zeros(1024, 1024, device="cuda")
product = zeros @ zeros
print(float(product.sum()))
