# SPDX-License-Identifier: MIT
"""Arrays, textures, surfaces and green contexts, for model.py."""

from rounding import up

# Pools: what they are called in a profile.
POOLS = {"array": "array", "texture": "texture", "green": "green_context"}


class Things:
    """What a context has for them, pool by pool. Copies share what they do not change."""

    def __init__(self, profile):
        self.profile = profile
        self.held = dict.fromkeys(POOLS, 0)
        self.most = dict.fromkeys(POOLS, 0)

    def _pool_bytes(self, pool):
        if not self.most[pool]:
            return 0
        name = POOLS[pool]
        needed = self.held[pool] if self.profile[f"{name}_returns"] else self.most[pool]
        slack = self.profile.get(f"{name}_slack_bytes", 0)
        unit = self.profile.get(f"{name}_unit_bytes", 1)
        return up(up(max(0, needed - slack), unit), self.profile["granule_bytes"])

    def bytes(self):
        return sum(self._pool_bytes(pool) for pool in POOLS)

    def add(self, pool, size):
        self.held = {**self.held, pool: self.held[pool] + size}
        self.most = {**self.most, pool: max(self.most[pool], self.held[pool])}


class ThingCalls:
    """A process's calls that make and end such things."""

    def make_array(self, element_bytes):
        size = up(element_bytes, self.profile["array_slot_bytes"])
        self._change(lambda context: context.things.add("array", size))
        return "array", size

    def make_texture(self):
        """Or a surface, which is the same."""
        size = self.profile["texture_bytes"]
        self._change(lambda context: context.things.add("texture", size))
        return "texture", size

    def end_thing(self, pool, size):
        self._change(lambda context: context.things.add(pool, -size))

    def make_green(self):
        def change(context):
            context.things.add("green", self.profile["green_context_bytes"])
            for _ in range(self.profile["green_context_stream_count"]):
                context.streams.create()
        self._change(change)

    def end_green(self):
        def change(context):
            # What stays of it is not used again.
            if self.profile["green_context_returns"]:
                context.things.add("green", -self.profile["green_context_bytes"])
            context.streams.alive -= self.profile["green_context_stream_count"]
        self._change(change)
