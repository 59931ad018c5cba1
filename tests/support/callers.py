# SPDX-License-Identifier: MIT
"""callers.py: in a JSON report no caller has less CPU time than what it calls, no row less in all than of its own, and none more than the run.

check(document) returns a list of sentences, one for each row that is wrong. It takes any report that was not cut by
--top or --min-percent. Whole nanoseconds are cut off, so a sum may be off by one for each of its parts."""


def check(document):
    wrong = []
    nodes = {n["id"]: n for n in document.get("call_tree", [])}
    functions = {f["id"]: f for f in document.get("functions", [])}
    below, outermost, callers = {}, {}, {}

    def is_outermost(node):
        at = node
        while "parent_id" in at:
            at = nodes[at["parent_id"]]
            if at["function_id"] == node["function_id"]:
                return False
        return True

    for node in nodes.values():
        parent = nodes.get(node.get("parent_id"))
        below.setdefault(node.get("parent_id"), []).append(node)
        callers.setdefault(node["function_id"], set()).add(parent["function_id"] if parent else None)
        if is_outermost(node):
            outermost.setdefault(node["function_id"], []).append(node)

    for id_, node in nodes.items():
        parts = below.get(id_, [])
        slack = len(parts) + 2
        if node.get("cpu_total_ns", 0) + slack < node.get("self_ns", 0) + sum(p.get("cpu_total_ns", 0) for p in parts):
            wrong.append(f"call_tree {id_} ({node.get('name')}): cpu_total_ns {node.get('cpu_total_ns')} is below its parts'")
    for id_, function in functions.items():
        own = outermost.get(id_, [])
        if function.get("cpu_total_ns", 0) + len(own) + 1 < sum(n.get("cpu_total_ns", 0) for n in own):
            wrong.append(f"function {function['name']}: cpu_total_ns {function.get('cpu_total_ns')} is below its places in call_tree")
        for part, whole in (("self_ns", "cpu_total_ns"), ("wait_ns", "wait_total_ns")):
            if function.get(whole, 0) + 1 < function.get(part, 0):
                wrong.append(f"function {function['name']}: {whole} {function.get(whole)} is below {part} {function[part]}")
        # Who is called by one function alone, wherever it stands, cannot have more than that one.
        sole = functions.get(next(iter(callers[id_]))) if len(callers.get(id_, ())) == 1 else None
        total = function.get("cpu_total_ns", 0)
        in_tree = sum(n.get("cpu_total_ns", 0) for n in own) + len(own) + 1 >= total      # and not only on paths between two of its functions
        if sole and sole is not function and in_tree and sole.get("cpu_total_ns", 0) + len(own) + 2 < total:
            wrong.append(f"function {sole['name']}: cpu_total_ns {sole.get('cpu_total_ns')} is below {function['name']}'s {total}")
    cpu = document.get("coverage", {}).get("cpu_ns", 0)
    for function in functions.values():
        if function.get("cpu_total_ns", 0) > cpu + 1:
            wrong.append(f"function {function['name']}: cpu_total_ns {function['cpu_total_ns']} is above the run's {cpu}")
    return wrong
