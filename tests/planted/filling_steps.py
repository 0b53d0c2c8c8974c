# SPDX-License-Identifier: MIT
"""The steps of the benchmarks that overflow a stack or fill the device; see benchmarks.py."""

import copy

from model import OUT_OF_MEMORY, Refused
from object_steps import only_kernel

CALLS_MAX = 4096
MIB, GIB = 2**20, 2**30


def deepen(s, module, kernel):
    """Every depth up to the first that does not work."""
    s.process.calls += 1
    launched = worked = 0
    try:
        s.process.launch(module, kernel)
        holds = s.process.holds_calls(kernel)
        worked = min(CALLS_MAX, holds)
        launched = min(CALLS_MAX, holds + 1)
        s.process.calls += launched + worked - 2
        if worked < CALLS_MAX:
            s.process.overflow()
    finally:
        s.read("launched_calls", launched)
        s.read("worked_calls", worked)


def checked(s, call, *arguments):
    s.process.check()
    call(*arguments)


def wait(s):
    s.process.check()
    s.process.calls += 1


def stack_overflow(s, point):
    module = copy.copy(s.modules[f"recurse-{point['array_bytes']}"])
    kernel = only_kernel(module)
    s.must("create", s.process.create)
    s.step("set", s.process.set_limit, "stack", point["stack_limit_bytes"])
    s.get_limit("get", "stack", "granted_bytes")
    s.must("load", s.process.load, module)
    s.must("get-function", s.process.get_function, module, kernel)
    s.process.calls -= 1  # the wait is the next step
    s.must("launch-none", s.process.launch, module, kernel)
    s.must("sync-none", wait, s)
    s.get_limit("get-launched", "stack", "launched_limit_bytes")
    s.step("deepen", deepen, s, module, kernel)
    s.process.calls -= 1
    s.step("launch-after", checked, s, s.process.launch, module, kernel)
    s.step("sync-after", wait, s)
    s.step("unload", checked, s, s.process.unload, module)
    s.step("destroy", s.process.destroy)


# ---- filling ----


class Filling:
    """The device's memory but for what shall be left, in large blocks and then in small pieces."""

    SMALLEST, LARGEST, BLOCKS_MAX, PIECES_MAX = 2 * MIB, 2**42, 64, 512

    def __init__(self, process):
        self.process = process
        self.blocks = []
        self.pieces = []

    def free_now(self):
        self.process.calls += 1
        return self.process.device.free_bytes()

    def _allocate(self, size):
        """None where there is no room."""
        try:
            return self.process.allocate(size)
        except Refused as refusal:
            assert str(refusal) == OUT_OF_MEMORY
            return None

    def take(self, leave):
        size = self.LARGEST
        while size >= self.SMALLEST and len(self.blocks) < self.BLOCKS_MAX:
            block = self._allocate(size) if self.free_now() - leave >= size else None
            if block:
                self.blocks.append(block)
            else:
                size //= 2
        self.process.calls = 1  # it asks less often than this

    def take_pieces(self, count, leave):
        while len(self.pieces) < count and self.free_now() >= leave + self.SMALLEST:
            piece = self._allocate(self.SMALLEST)
            if not piece:
                break
            self.pieces.append(piece)

    def free_pieces(self):
        while self.pieces:
            self.process.free(self.pieces.pop())

    def free_all(self):
        self.free_pieces()
        while self.blocks:
            self.process.free(self.blocks.pop())


PAIRS_MAX = 512
CHUNK_MODULE, CHUNK_BYTES_MAX = "fma-129503", 4 * MIB
SEARCH_STEP_BYTES = 2 * MIB


class Pairs:
    """Buffers with or without modules between them."""

    def __init__(self, s, point):
        total = s.profile["total_bytes"]
        self.s = s
        self.process = s.process
        self.reserve = max(total // 64, min(total // 16, GIB))
        self.buffer_bytes = point["buffer_bytes"]
        self.original = s.modules[CHUNK_MODULE] if point["between"] == "modules" else None
        self.ballast = Filling(s.process)
        self.buffers = []
        self.modules = []
        self.newest = None

    def take_ballast(self):
        self.ballast.take(self.reserve + PAIRS_MAX * (self.buffer_bytes + CHUNK_BYTES_MAX))

    def _add(self):
        self.buffers.append(self.process.allocate(self.buffer_bytes))
        if self.original:
            module = copy.copy(self.original)
            self.process.load(module)
            self.modules.append(module)
            self.process.get_function(module, only_kernel(module))
            self.newest = module

    def fill(self):
        need = self.reserve + self.buffer_bytes + (CHUNK_BYTES_MAX if self.original else 0)
        try:
            while len(self.buffers) < PAIRS_MAX and self.ballast.free_now() >= need:
                self._add()
        except Refused as refusal:
            if str(refusal) != OUT_OF_MEMORY:
                raise
        finally:
            self.s.read("buffers", len(self.buffers))
            self.s.read("modules", len(self.modules))

    def free_buffers(self):
        for buffer in self.buffers:
            self.process.free(buffer)

    def _fits(self, size):
        try:
            self.process.free(self.process.allocate(size))
        except Refused:
            return False
        return True

    def search(self):
        """The largest number of steps that fit, by halving."""
        sought = max(0, self.ballast.free_now() - self.reserve) // SEARCH_STEP_BYTES
        low, high, middle = 0, sought + 1, sought
        while middle > low:
            if self._fits(middle * SEARCH_STEP_BYTES):
                low = middle
            else:
                high = middle
            middle = (low + high) // 2
        self.s.read("sought_bytes", sought * SEARCH_STEP_BYTES)
        self.s.read("largest_bytes", low * SEARCH_STEP_BYTES)

    def launch(self):
        if self.newest:
            self.process.launch(self.newest, only_kernel(self.newest))

    def unload(self):
        for module in self.modules:
            self.process.unload(module)


def fragmentation(s, point):
    pairs = Pairs(s, point)
    s.must("create", s.process.create)
    s.must("take-ballast", pairs.take_ballast)
    s.must("fill", pairs.fill)
    s.must("free-buffers", pairs.free_buffers)
    s.must("search-largest", pairs.search)
    if pairs.original:
        s.must("launch", pairs.launch)
        s.must("unload-modules", pairs.unload)
        s.must("search-largest-again", pairs.search)
    s.must("free-ballast", pairs.ballast.free_all)
    s.must("destroy", s.process.destroy)


# ---- the first use on a full device ----

USES = {"code": "fma-524255", "frame": "frame-2048", "printf": "printf-called", "malloc": "malloc-called"}
LOADED, FOUND, RUN = 1, 2, 3


class Use:
    """The first use of a module: each call that succeeded is not made again."""

    def __init__(self, process, original):
        self.process = process
        self.original = original
        self.module = None
        self.stage = 0
        self.error = ""

    def _next_call(self):
        if self.stage == 0:
            module = copy.copy(self.original)
            self.process.load(module)
            self.module = module
        elif self.stage == LOADED:
            self.process.get_function(self.module, only_kernel(self.module))
        else:
            self.process.launch(self.module, only_kernel(self.module))

    def reach(self, stage):
        self.error = ""
        try:
            while self.stage < stage:
                self._next_call()
                self.stage += 1
        except Refused as refusal:
            self.error = str(refusal)
            raise

    def again(self):
        self.stage = min(self.stage, FOUND)
        self.reach(RUN)

    def unload(self):
        if self.stage >= LOADED:
            self.process.unload(self.module)
        self.stage = 0


def climb(s, filling, use, full):
    room = full
    while use.error == OUT_OF_MEMORY and filling.pieces:
        before = filling.free_now()
        s.process.free(filling.pieces.pop())
        room += filling.free_now() - before
        try:
            use.reach(RUN)
            s.read("least_free_bytes", room)
        except Refused:
            pass
    if use.error:
        raise Refused(use.error)


def noted(s, use, call, *arguments):
    """The row says how far the use has got."""
    try:
        call(*arguments)
    finally:
        s.read("done_calls", use.stage)


def search_below(s, filling, use, left):
    other = Use(s.process, s.modules["empty"])

    def fill():
        filling.take(left + filling.PIECES_MAX * filling.SMALLEST)
        filling.take_pieces(filling.PIECES_MAX, left)

    for name, stage in (("load", LOADED), ("get", FOUND), ("launch", RUN)):
        s.must(f"{name}-other", other.reach, stage)
    s.must("fill", fill)
    full = s.process.device.free_bytes()
    for name, stage in (("load", LOADED), ("get", FOUND), ("launch", RUN)):
        s.step(f"{name}-full", noted, s, use, use.reach, stage)
    s.step("other-full", other.again)
    s.step("climb", noted, s, use, climb, s, filling, use, full)
    s.step("launch-again", noted, s, use, use.again)
    s.must("free-filling", filling.free_all)
    s.step("launch-freed", noted, s, use, use.again)
    s.step("other-freed", other.again)
    s.step("unload", use.unload)
    s.step("use-anew", noted, s, use, use.reach, RUN)
    s.must("unload-anew", use.unload)


def try_room(s, filling, original, left, room):
    """(what was free, whether the use worked, its error) in a context of its own"""
    s.process.create()
    s.process.current = 0
    filling.take_pieces(filling.PIECES_MAX - room, left)
    s.process.current = -1
    free, use = filling.free_now(), Use(s.process, original)
    try:
        use.reach(RUN)
    except Refused:
        pass
    s.process.destroy()
    filling.free_pieces()
    return free, not use.error, use.error


def search_least(s, filling, original, left):
    least, works, room = 0, filling.PIECES_MAX + 1, filling.PIECES_MAX
    while least < works:
        free, it_works, error = try_room(s, filling, original, left, room)
        s.read("least_free_bytes" if it_works else "refused_free_bytes", free)
        if not it_works and room == filling.PIECES_MAX:
            raise Refused(error)
        if it_works:
            works = room
        else:
            least = room + 1
        room = (least + works) // 2


def search_fresh(s, filling, original, left):
    def fill():
        s.process.create()
        s.process.current = 0
        filling.take(left + filling.PIECES_MAX * filling.SMALLEST)
        s.process.current = -1
        s.process.destroy()

    s.must("fill", fill)
    s.step("search", search_least, s, filling, original, left)
    s.must("free-filling", filling.free_all)


def first_launch_oom(s, point):
    filling, original = Filling(s.process), s.modules[USES[point["first_use"]]]
    s.must("create", s.process.create)
    if point["search"] == "below":
        search_below(s, filling, Use(s.process, original), point["left_bytes"])
    else:
        search_fresh(s, filling, original, point["left_bytes"])
    s.step("destroy", s.process.destroy)
