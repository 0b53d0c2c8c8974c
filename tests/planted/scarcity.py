# SPDX-License-Identifier: MIT
"""What happens where memory is short, and where it must be in one piece: the rest of model.py."""

import model
from model import INVALID_VALUE, OUT_OF_MEMORY, Refused

UNKNOWN = "CUDA_ERROR_UNKNOWN"
OUT_OF_RESOURCES = "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"
OVERFLOWS = {"launch-failed": "CUDA_ERROR_LAUNCH_FAILED", "illegal-address": "CUDA_ERROR_ILLEGAL_ADDRESS"}


class Span:
    """An allocation, or the hole that it has left."""

    def __init__(self, size, other):
        self.size = size
        self.other = other  # what the context had otherwise when it came
        self.is_free = False


class Line:
    """Where the allocations of a context lie."""

    def __init__(self):
        self.spans = []

    def _runs(self, other):
        """(index, spans, whether the end of the line is beside it) of holes that are one."""
        runs, run = [], []
        for index, span in enumerate(self.spans):
            if not span.is_free:
                continue
            is_last = index + 1 == len(self.spans)
            later = other if is_last else min(self.spans[index + 1].other, other)
            run.append(span)
            if later > span.other or is_last or not self.spans[index + 1].is_free:
                runs.append((index + 1 - len(run), run, is_last and later <= span.other))
                run = []
        return runs

    def place(self, size, free, other):
        """The span of a new allocation, or None."""
        rest = max(0, free - sum(span.size for span in self.spans if span.is_free))
        for index, run, is_open in self._runs(other):
            if sum(span.size for span in run) + (rest if is_open else 0) >= size:
                return self._put(index, run, Span(size, run[0].other))
        return self._put(len(self.spans), [], Span(size, other)) if rest >= size else None

    def _put(self, index, run, span):
        left, used = span.size, 0
        while used < len(run) and run[used].size <= left:
            left -= run[used].size
            used += 1
        if used < len(run):
            run[used].size -= left
        self.spans[index:index + used] = [span]
        return span


class Process(model.Process):
    def __init__(self, device, loading=None):
        super().__init__(device, loading)
        self.lost = set()  # (module, kernel) whose code found no room
        self.newest = None  # allocation

    def _spare(self, changed):
        """What must be free besides, where it grows."""
        is_more = changed.other_bytes() > self._current().other_bytes()
        return self.profile["call_spare_bytes"] if is_more else 0

    def _strip(self):
        if self.profile["oom_returns_bytes"]:
            changed = self._current().clone()
            changed.is_stripped = True
            self.device.contexts[self.current] = changed

    def load(self, module):
        try:
            super().load(module)
        except Refused as refusal:
            if module.has_traits and str(refusal) == OUT_OF_MEMORY:
                self._strip()
            raise

    def _load_kernel(self, changed, module, kernel, moment):
        if (module, kernel) in self.lost:
            if moment == "launch":
                raise Refused(UNKNOWN)
            return False
        return super()._load_kernel(changed, module, kernel, moment)

    def _lose(self, module, kernel):
        is_due = self._kernel_moment(module) == "get" and kernel not in self.loaded[module]
        if is_due and not self.profile["code_retries"]:
            self.lost.add((module, kernel))

    def get_function(self, module, kernel):
        try:
            super().get_function(module, kernel)
        except Refused as refusal:
            if str(refusal) == OUT_OF_MEMORY:
                self._lose(module, kernel)
            raise

    def launch(self, module, kernel):
        try:
            super().launch(module, kernel)
        except Refused as refusal:
            if str(refusal) == OUT_OF_MEMORY:
                if self._takes_heap(module) and self.profile["heap_no_room"] == "launch-out-of-resources":
                    raise Refused(OUT_OF_RESOURCES) from refusal
                self._strip()
            raise

    def _takes_heap(self, module):
        return module.allocates and self.profile["heap_when"] == "launch" and not self._current().malloc.is_taken

    # ---- allocations ----

    def allocate(self, request):
        """What free() wants to know of it."""
        self.calls += 1
        self._check_request(request)
        size, context, span = self._rounded(request), self._current(), None
        if self.profile["memory_is_contiguous"]:
            context.line = context.line or Line()
            free = self.device.free_bytes()
            span = context.line.place(size, free, context.other_bytes()) if size <= free else None
            if not span:
                raise Refused(OUT_OF_MEMORY)
        self._afford(size)
        context.allocated_bytes += size
        self.newest = request, span
        return self.newest

    def free(self, allocation):
        self.calls += 1
        request, span = allocation
        self._current().allocated_bytes -= self._rounded(request)
        if span:
            span.is_free = True

    # ---- overflow ----

    def holds_calls(self, kernel):
        """How many nested calls, None for any number."""
        context = self._current()
        stack = max(context.limits["stack"].granted, context.frame_bytes)
        usable = stack - self.profile["stack_reserved_bytes"]
        return max(0, usable) // kernel.call_bytes if kernel.call_bytes else None

    def overflow(self):
        self._current().fault = OVERFLOWS[self.profile["stack_overflow"]]
        self.check()

    def check(self):
        """Whether the context is still of use."""
        if self._current().fault:
            raise Refused(self._current().fault)

    def own_free_bytes(self):
        is_broken = self.device.contexts and self._current().fault
        return None if is_broken else super().own_free_bytes()


__all__ = ["INVALID_VALUE", "Process"]
