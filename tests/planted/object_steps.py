# SPDX-License-Identifier: MIT
"""The steps of the benchmarks of streams, events, graphs, pools and of teardown; see benchmarks.py."""


def only_kernel(module):
    return next(iter(module.kernels.values()))


def do_nothing(s, calls=1):
    s.process.calls += calls


def streams(s, point):
    count = point["streams"]
    s.must("create", s.process.create)
    s.read("priority_levels", s.profile["stream_priority_count"])
    s.must("get-priorities", do_nothing, s)
    s.must("create-streams", s.process.create_streams, count)
    s.must("destroy-streams", s.process.destroy_streams, count)
    s.must("create-again", s.process.create_streams, min(count, 4096))
    s.must("destroy", s.process.destroy)


def streams_wants(point):
    return point["priority"] == "default" or point["streams"] <= 4096


def streams_obstacle(point):
    most = "this benchmark makes up to 65,536 streams"
    return most if point["streams"] > 65536 else None


def events(s, point):
    s.must("create", s.process.create)
    s.must("create-events", do_nothing, s, point["events"])
    s.must("destroy-events", do_nothing, s, point["events"])
    s.must("destroy", s.process.destroy)


def events_obstacle(point):
    return "this benchmark makes up to 65,536 events" if point["events"] > 65536 else None


def read_pool(s, name):
    pool = s.process.device.contexts[-1].pool
    s.read("pool_reserved_bytes", pool.reserved)
    s.read("pool_used_bytes", pool.used)
    s.must(name, do_nothing, s, 2)


def set_threshold(s, threshold):
    if threshold == "all":
        s.process.calls += 1
        s.process.device.contexts[-1].pool.threshold = 2**64 - 1


def memory_pool(s, point):
    request = point["pool_bytes"]
    s.must("create", s.process.create)
    s.must("get-pool", do_nothing, s)
    s.must("set-threshold", set_threshold, s, point["threshold"])
    s.must("allocate", s.process.allocate_async, request)
    read_pool(s, "read-allocated")
    s.must("free", s.process.free_async, request)
    read_pool(s, "read-freed")
    s.must("allocate-again", s.process.allocate_async, request)
    s.must("free-again", s.process.free_async, request)
    s.must("trim", s.process.trim, 0)
    s.must("destroy", s.process.destroy)


def graphs(s, point):
    module = s.modules["empty"]
    kernel = only_kernel(module)
    count, pieces = point["executables"], []
    s.must("create", s.process.create)
    s.must("load", s.process.load, module)
    s.must("get-function", s.process.get_function, module, kernel)
    s.must("launch-1", s.process.launch, module, kernel)
    s.must("create-graph", do_nothing, s)
    s.must("add-nodes", do_nothing, s, point["nodes"])
    s.must("instantiate", lambda: pieces.extend(s.process.instantiate(point["nodes"], count)))
    s.must("upload", do_nothing, s, count + 1)
    s.must("launch-graphs", do_nothing, s, count + 1)
    s.must("destroy-executables", s.process.destroy_executables, pieces)
    pieces.clear()
    s.must("instantiate-again", lambda: pieces.extend(s.process.instantiate(point["nodes"], count)))
    s.must("launch-again", do_nothing, s, count + 1)
    s.must("destroy-again", s.process.destroy_executables, pieces)
    s.must("destroy-graph", do_nothing, s)
    s.must("trim", do_nothing, s)
    s.must("unload", s.process.unload, module)
    s.must("destroy", s.process.destroy)


def graphs_obstacle(point):
    many = "this benchmark makes up to 512 executable graphs"
    return many if point["executables"] > 512 else None


def graphs_wants(point):
    return point["executables"] <= 64 or point["nodes"] <= 262144 // point["executables"]


TEARDOWN_BYTES = 64 * 2**20


def find_and_launch(s, module):
    s.process.get_function(module, only_kernel(module))
    s.process.launch(module, only_kernel(module))


def use_everything(s):
    """The modules."""
    modules = [s.modules[name] for name in ("fma-131039", "printf-called", "malloc-called")]
    s.must("set-stack", s.process.set_limit, "stack", 4096)
    for name, module in zip(("code", "printf", "malloc"), modules):
        s.must(f"load-{name}", s.process.load, module)
        s.must(f"launch-{name}", find_and_launch, s, module)
    s.must("create-stream", s.process.create_streams, 1)
    s.must("allocate", s.process.allocate, TEARDOWN_BYTES)
    return modules


def teardown(s, point):
    is_primary = point["end"] != "destroy"
    s.must("create", s.process.retain if is_primary else s.process.create)
    s.must("make-current", s.process.make_current)
    modules = use_everything(s)
    if point["first"] == "clean-up":
        s.step("free", s.process.free, s.process.newest)
        s.step("destroy-stream", s.process.destroy_streams, 1)
        for name, module in zip(("malloc", "printf", "code"), reversed(modules)):
            s.step(f"unload-{name}", s.process.unload, module)
    if point["end"] != "exit":
        s.step("end", s.process.destroy)
