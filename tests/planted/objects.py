# SPDX-License-Identifier: MIT
"""What a context has for streams, executable graphs and stream-ordered allocations, for model.py."""

from rounding import up


class Streams:
    """What a context has for its streams."""

    def __init__(self, profile):
        self.profile = profile
        self.alive = 0
        self.most = 0

    def bytes(self):
        if not self.most:
            return 0
        p = self.profile
        return sum(up(max(0, self.most * p[f"stream_{size}_bytes"] - p[f"stream_{size}_slack_bytes"]),
                      p["granule_bytes"]) for size in ("large", "small"))

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
        if not self.most:
            return 0
        p = self.profile
        headers = self.most * p["graph_executable_bytes"] - p["graph_executable_slack_bytes"]
        return (up(self.most_outside, p["granule_bytes"])
                + up(max(0, headers), p["granule_bytes"]))

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
