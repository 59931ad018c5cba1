# SPDX-License-Identifier: MIT
"""Servers of the bench: how they are told to listen on this machine, and the clients that ask them, as many requests as the size says. A client asks
on eight connections at a time and waits for eight answers. It must not know how anything is measured."""
import os
import random
import signal
import socket
import time

CONNECTIONS = 8
ASKED_OF_ONE = 25                 # requests on a connection to nginx, then a new one
START_S = 120                     # under callgrind a server takes seconds to begin
PAGES = 50
# nginx closes a connection after 1000 requests, in an open loop beside ones that are under way.
CONFIGURATION = """daemon off; master_process off; error_log {work}-log error; pid {work}-pid; events {{ worker_connections 64; }}
http {{ access_log {work}-access; client_body_temp_path {work}-1; proxy_temp_path {work}-2; fastcgi_temp_path {work}-3; uwsgi_temp_path {work}-4; scgi_temp_path {work}-5;
keepalive_requests 1000000000; server {{ listen 127.0.0.1:{port}; root {work}-files; }} }}
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def arguments(name, work, port):
    os.makedirs(os.path.dirname(work), exist_ok=True)
    if name == "redis":
        return ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--daemonize", "no", "--loglevel", "warning"]
    os.makedirs(f"{work}-files", exist_ok=True)
    for page in range(PAGES):
        with open(f"{work}-files/{page}.html", "wb") as f:
            f.write(b"<p>%d</p>" % page * (40 + 50 * page))
    with open(f"{work}-conf", "w") as f:
        f.write(CONFIGURATION.format(work=work, port=port))
    return ["-p", os.path.dirname(work), "-c", f"{work}-conf"]


def connect(port, process):
    end = time.monotonic() + START_S
    while True:
        one = socket.socket()
        try:
            one.connect(("127.0.0.1", port))
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return one
        except ConnectionRefusedError:
            one.close()
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"bench: no server listens on port {port}") from None
            time.sleep(0.01)


def commands(count):
    """Of redis: strings, counters, lists, hashes, sorted sets."""
    state = random.Random(7)
    for n in range(count):
        key = state.randrange(1000)
        words = [("SET", f"name:{key}", f"value {n} of {key}" * (1 + key % 9)), ("GET", f"name:{key}"), ("INCR", f"count:{key}"), ("LPUSH", f"list:{key % 50}", n),
                 ("LRANGE", f"list:{key % 50}", 0, 40), ("LTRIM", f"list:{key % 50}", 0, 80), ("HSET", f"hash:{key % 100}", key, n), ("HGETALL", f"hash:{key % 40}"),
                 ("ZADD", "order", n % 977, key), ("ZRANGE", "order", key % 300, key % 300 + 20)][n % 10]
        yield f"*{len(words)}\r\n" + "".join(f"${len(str(word))}\r\n{word}\r\n" for word in words)


def redis_answer(file):
    line = file.readline()
    count = int(line[1:]) if line[:1] in b"$*" else 0
    if line[:1] == b"$" and count >= 0:
        file.read(count + 2)
    for _ in range(count if line[:1] == b"*" else 0):
        redis_answer(file)
    if line[:1] == b"-" or not line:
        raise SystemExit(f"bench: redis answers {line!r}")


def ask_redis(port, process, requests):
    sockets = [connect(port, process) for _ in range(CONNECTIONS)]
    files = [one.makefile("rb") for one in sockets]
    asked = commands(requests)
    for _ in range(max(1, requests // CONNECTIONS)):
        for one in sockets:
            one.sendall(next(asked, "*1\r\n$4\r\nPING\r\n").encode())
        for file in files:
            redis_answer(file)
    sockets[0].sendall(b"*2\r\n$8\r\nSHUTDOWN\r\n$6\r\nNOSAVE\r\n")
    files[0].read()


def nginx_answer(file):
    head = file.readline()
    length = 0
    if b" 200 " not in head:
        raise SystemExit(f"bench: nginx answers {head!r}")
    while (line := file.readline().strip()):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    file.read(length)


def ask_nginx(port, process, requests):
    page = 0
    for _ in range(max(1, requests // CONNECTIONS // ASKED_OF_ONE)):
        sockets = [connect(port, process) for _ in range(CONNECTIONS)]
        files = [one.makefile("rb") for one in sockets]
        for _ in range(ASKED_OF_ONE):
            for one in sockets:
                page = (page + 7) % PAGES
                one.sendall(b"GET /%d.html HTTP/1.1\r\nHost: here\r\n\r\n" % page)
            for file in files:
                nginx_answer(file)
        for one in (*files, *sockets):
            one.close()


def ask(name, work, port, process, requests):
    """Asks that many times, then has the server end."""
    if name == "redis":
        ask_redis(port, process, requests)
        return
    ask_nginx(port, process, requests)
    with open(f"{work}-pid") as f:
        os.kill(int(f.read()), signal.SIGQUIT)
