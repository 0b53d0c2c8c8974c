# SPDX-License-Identifier: MIT
"""What a process does with libraries, for model.py: they enter a context with the first of their kernels
that is wanted there, or, where loading is eager, at once."""


class Libraries:
    def load_library(self, module):
        if self.loading == "eager":
            self.load(module)
        else:
            self.calls += 1

    def get_library_function(self, module, kernel):
        """Both at once, or neither."""
        if module in self.loaded:
            self.get_function(module, kernel)
            return
        moment = self._kernel_moment(module)
        kernels = {"load": list(module.kernels.values()), "get": [kernel]}.get(moment, [])
        self._change(lambda context: context.load(module, kernels))
        self.loaded[module] = kernels


class Managed:
    """Managed allocations of one size, which the device writes to at once."""

    managed_pieces = 0

    def add_managed_piece(self, size):
        self._change(lambda context: context.add_managed(size))
        self.managed_pieces += 1

    def free_managed_pieces(self, size):
        for _ in range(self.managed_pieces):
            self._change(lambda context: context.drop_managed(size))
        self.managed_pieces = 0
