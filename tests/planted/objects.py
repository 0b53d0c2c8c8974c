# SPDX-License-Identifier: MIT
"""What a context has for streams, executable graphs and stream-ordered allocations, and what printf, malloc
and the device runtime share, for model.py."""

import itertools

from rounding import up


def pools_bytes(profile, counts):
    """Streams and executable graphs have two pools in common: `counts` is how many there are of each."""
    if not any(counts.values()):
        return 0

    def needed(size):
        return sum(count * profile[f"{kind}_{size}_bytes"] for kind, count in counts.items())
    return sum(up(max(0, needed(size) - profile[f"stream_{size}_slack_bytes"]), profile["granule_bytes"])
               for size in ("large", "small"))


class Streams:
    """The streams of a context."""

    def __init__(self):
        self.alive = 0
        self.most = 0

    def create(self):
        self.alive += 1
        self.most = max(self.most, self.alive)


class Graphs:
    """What a context has for executable graphs."""

    def __init__(self, profile):
        self.profile = profile
        self.alive = 0
        self.most = 0
        self.slack_left = profile["graph_slack_bytes"]
        self.outside = 0
        self.most_outside = 0

    def bytes(self):
        """For their nodes."""
        return up(self.most_outside, self.profile["granule_bytes"])

    def piece_bytes(self, nodes):
        exact = nodes * self.profile["graph_node_bytes"]
        eighth = 1
        while eighth * 8 < exact:
            eighth *= 2
        return up(exact, min(eighth, self.profile["granule_bytes"]))

    def instantiate(self, nodes):
        """The piece, and whether it lies in the slack."""
        piece = self.piece_bytes(nodes)
        in_slack = piece <= self.slack_left
        if in_slack:
            self.slack_left -= piece
        else:
            self.outside += piece
            self.most_outside = max(self.most_outside, self.outside)
        self.alive += 1
        self.most = max(self.most, self.alive)
        return piece, in_slack

    def destroy(self, piece, in_slack):
        if not self.profile["graph_reuses"]:
            return
        self.alive -= 1
        if in_slack:
            self.slack_left += piece
        else:
            self.outside -= piece


class AsyncPool:
    """Stream-ordered allocations."""

    def __init__(self, profile):
        self.unit = profile["pool_unit_bytes"]
        self.threshold = 0
        self.used = 0
        self.reserved = 0

    def allocate(self, request):
        self.used += request
        self.reserved = max(self.reserved, up(self.used, self.unit))

    def trim(self, keep):
        self.reserved = min(self.reserved, up(max(self.used, keep), self.unit))


SHARING = ("printf", "malloc", "device_runtime")


def shared_bytes(profile, used):
    """What those of the three that are used would take more than once, were each alone: every two of them
    share something, of which all three have a part in common."""
    pairs = [pair for pair in itertools.combinations(SHARING, 2) if used.issuperset(pair)]
    core = profile["_".join((*SHARING, "shared_bytes"))] if len(pairs) == 3 else 0
    return sum(profile["_".join((*pair, "shared_bytes"))] for pair in pairs) - core
