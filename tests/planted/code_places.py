# SPDX-License-Identifier: MIT
"""Where code and module data of a context lie, for model.py."""

from rounding import up


def piece_bytes(profile, text_bytes):
    """What a kernel needs."""
    return up(text_bytes + profile["code_extra_bytes"], profile["code_slot_bytes"])


def without(held, module):
    return {other: used for other, used in held.items() if other is not module}


class Code:
    """Where code and module data of one context lie. Copies share what they do not change."""

    def __init__(self, profile):
        self.profile = profile
        self.slack = {}  # module -> its bytes of the slack
        self.slack_left = profile["code_slack_bytes"]
        self.chunks = {}  # number -> bytes, of those that are there
        self.made = 0  # chunks, so far
        self.newest = 0  # the number of the one that pieces go into
        self.newest_left = 0
        self.inside = {}  # module -> the numbers of the chunks that it has something in
        self.packed = {}  # module -> its bytes, where pieces lie one behind the other
        self.pool_bytes = 0
        self.data = {}  # module -> bytes of its variables, where they lie apart

    def bytes(self):
        return (self.pool_bytes + sum(self.chunks.values())
                + up(sum(self.data.values()), self.profile["granule_bytes"]))

    def _fit_pool(self):
        pool = up(max(0, sum(self.packed.values()) - self.profile["code_slack_bytes"]),
                  self.profile["granule_bytes"])
        if pool > self.pool_bytes or self.profile["code_returns"]:
            self.pool_bytes = pool

    def _place(self, module, piece):
        if self.profile["code_packing"] == "pool":
            self.packed = {**self.packed, module: self.packed.get(module, 0) + piece}
            self._fit_pool()
        elif piece <= self.slack_left:
            self.slack_left -= piece
            self.slack = {**self.slack, module: self.slack.get(module, 0) + piece}
        else:
            chunk = self._chunk_for(piece)
            self.inside = {**self.inside, module: self.inside.get(module, frozenset()) | {chunk}}

    def _make_chunk(self, size):
        self.made += 1
        self.chunks = {**self.chunks, self.made: size}
        return self.made

    def _chunk_for(self, piece):
        """One for itself where it is more than a granule, else the newest of those that are for several."""
        granule = self.profile["granule_bytes"]
        if piece > granule:
            return self._make_chunk(up(piece, granule))
        if piece > self.newest_left:
            self.newest = self._make_chunk(granule)
            self.newest_left = granule
        self.newest_left -= piece
        return self.newest

    def load_data(self, module):
        if self.profile["data_where"] == "apart":
            self.data = {**self.data, module: module.static_bytes}
        elif module.static_bytes:
            self._place(module, up(module.static_bytes, self.profile["code_slot_bytes"]))

    def load_kernels(self, module, kernels):
        for kernel in kernels:
            self._place(module, piece_bytes(self.profile, kernel.text_bytes))

    def unload(self, module):
        self.data = without(self.data, module)
        if self.profile["code_packing"] == "pool":
            self.packed = without(self.packed, module)
            self._fit_pool()
            return
        self.slack_left += self.slack.get(module, 0)
        self.slack = without(self.slack, module)
        gone = self.inside.get(module, frozenset())
        self.inside = without(self.inside, module)
        if self.profile["code_returns"]:
            gone = {chunk for chunk in gone if not any(chunk in used for used in self.inside.values())}
            self.chunks = {number: size for number, size in self.chunks.items() if number not in gone}
            self.newest_left = 0 if self.newest in gone else self.newest_left
