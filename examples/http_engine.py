"""Answers questions for a move over HTTP, one JSON object each. It needs the package `pentarch` and no other.

Usage: python3 http_engine.py [--port 8000] [--engines N] [--set Quoridor_BoardSize=7]

    $ curl -d '{"moves": ["e2", "e8"], "budget_ms": 300}' http://127.0.0.1:8000
    {"ok": true, "move": "e3", "ev": 0.61, "nodes": 51234}

`moves` are all moves of the game. `budget_ms` is the time for the answer in milliseconds, from the arrival of the
request on, at most a minute. `clock`, an object with `wtime`, `btime`, `winc` and `binc` in milliseconds, may shorten
it: a tenth of what the clock of the side to move shows, and its increment, are the most. One of the two may be left
out. Requests that come together share the engines within their time. `ev` is the chance of winning of the side to move.
What is refused is answered by `{"ok": false, "error": "..."}`. The environment variable PENTARCH names the program,
else the module finds it."""

from __future__ import annotations

import argparse
import json
import math
import os
import queue
import re
import socket
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pentarch import Engine, EngineDied, EngineError

#: The most bytes of a request: more than any game needs.
MOST_BYTES = 1 << 16
#: The longest time for a move, in milliseconds.
LONGEST = 60 * 1000
#: So much of it is kept for everything but the search.
OVERHEAD = 15
#: The longest time on a clock.
LONGEST_CLOCK = 24 * 60 * 60 * 1000
#: An engine that is so many seconds late counts as hung.
PATIENCE = 20
#: How often, while it waits, a request has another search stopped.
ATTEMPTS = 4
CLOCK = ("wtime", "btime", "winc", "binc")
COMMAND = [os.environ["PENTARCH"]] if "PENTARCH" in os.environ else []


class Refused(Exception):
    """A request that is refused, with the status of the answer."""

    def __init__(self, status: HTTPStatus, error: str) -> None:
        super().__init__(error)
        self.status = status


def bad(error: str) -> Refused:
    return Refused(HTTPStatus.BAD_REQUEST, error)


def milliseconds(name: str, value: Any, most: int) -> int:
    # In Python true and false are numbers, too.
    if type(value) is not int or not 0 <= value <= most:
        raise bad(f"{name} takes a whole number from 0 to {most}, not {json.dumps(value)[:40]}")
    return value


def fields(name: str, value: Any, known: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise bad(f"{name} is no JSON object")
    for unknown in sorted(value.keys() - set(known)):
        raise bad(f"{name} has no field {json.dumps(unknown)[:40]}; it takes {', '.join(known)}")
    return value


class Question:
    """What a request asks."""

    def __init__(self, body: bytes) -> None:
        try:
            request = fields("the request", json.loads(body), ("moves", "budget_ms", "clock"))
        except (ValueError, RecursionError) as error:
            raise bad(f"the request is no JSON: {error}") from error
        self.moves = request.get("moves")
        if not isinstance(self.moves, list) or not all(map(is_word, self.moves)):
            raise bad('moves takes a list of moves as texts, such as ["e2", "e8"]')
        clock = request.get("clock")
        clock = fields("clock", {} if clock is None else clock, CLOCK)
        self.clock = {name: milliseconds(name, value, LONGEST_CLOCK) for name, value in clock.items()}
        budget = request.get("budget_ms")
        if budget is None and not self.clock.keys() & {"wtime", "btime"}:
            raise bad("budget_ms is missing, and so is a clock with wtime or btime")
        budget = LONGEST if budget is None else milliseconds("budget_ms", budget, LONGEST)
        side = "wb"[len(self.moves) % 2]
        if f"{side}time" in self.clock:
            budget = min(budget, self.clock[f"{side}time"] // 10 + self.clock.get(f"{side}inc", 0))
        #: The most milliseconds for the search, waiting included.
        self.budget = max(0, budget - OVERHEAD)

    def answer(self, engine: Engine, odds: float, waited: int, share: float) -> dict[str, Any]:
        """Asks an engine after so many milliseconds of waiting, to use this share of the time that is left. `odds` is
        the scale of its chances of winning."""
        clock = {name: max(0, value - waited) if name.endswith("time") else value for name, value in self.clock.items()}
        movetime = round(max(0, self.budget - waited) * share)
        hung = threading.Timer(movetime / 1000 + PATIENCE, engine.kill)
        hung.start()
        try:
            engine.position(moves=self.moves)
            found = engine.search(movetime=movetime, clock=clock)
        except EngineError as error:
            # The column is that of the engine's command.
            told = re.sub(r"\bcolumn \d+: ", "", str(error))
            raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, told) from error
        finally:
            hung.cancel()
        best = found.lines[0] if found.lines and found.lines[0].move == found.move else None
        if best is None:
            chance = 0.5
        elif best.mate is not None:
            chance = float(best.mate > 0)
        else:
            chance = 1 / (1 + math.exp(-(best.centipawns or 0) / odds))
        return {"ok": True, "move": found.move, "ev": round(chance, 4), "nodes": best.nodes if best else 0}


def is_word(move: Any) -> bool:
    return isinstance(move, str) and 0 < len(move) <= 100 and move.isascii() and move.isprintable() and " " not in move


class Pool:
    """Engines that wait for questions."""

    def __init__(self, count: int, game: str, options: Mapping[str, str]) -> None:
        self.count, self.game, self.options = count, game, options
        self.idle: queue.Queue[Engine] = queue.Queue()
        #: One engine more for the questions whose time has passed. It answers each at once.
        self.spare: queue.Queue[Engine] = queue.Queue()
        for _ in range(count):
            self.idle.put(self.start())
        engine = self.start()
        self.odds = float(engine.board["odds"])
        self.spare.put(engine)
        self.lock = threading.Lock()
        self.waiting = 0
        #: The engines that search, in the order in which they are stopped.
        self.searching: list[Engine] = []

    def start(self) -> Engine:
        return Engine(self.game, self.options, COMMAND)

    def ask(self, question: Question) -> dict[str, Any]:
        """Has the next engine answer that is idle. One that has ended is replaced."""
        arrived = time.monotonic()
        engines, engine, share = self.next_engine(question.budget / 1000)
        searching = engine
        try:
            return question.answer(engine, self.odds, round((time.monotonic() - arrived) * 1000), share)
        except (EngineDied, OSError) as error:
            with suppress(OSError):
                engine.close()
            # If none can be started, the next request tries again.
            with suppress(OSError, EngineError, EngineDied):
                engine = self.start()
            told = "the engine has ended; the next request gets another"
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, told) from error
        finally:
            with self.lock:
                self.searching.remove(searching)
            engines.put(engine)

    def next_engine(self, budget: float) -> tuple[queue.Queue[Engine], Engine, float]:
        """An engine, where it comes back to, and which share of the time it has: the same for all that wait.

        In the second half of the budget, in seconds, searches of others are stopped, the one that began first before
        the others, so that those who come together each have a part of the time.
        """
        with self.lock:
            self.waiting += 1
        engines, engine = self.idle, None
        for attempt in range(-ATTEMPTS, ATTEMPTS):
            if attempt >= 0:
                self.stop_one()
            with suppress(queue.Empty):
                engine = engines.get(timeout=budget / ATTEMPTS / 2)
                break
        if engine is None:
            engines = self.spare
            engine = engines.get()
        with self.lock:
            share = min(1, self.count / self.waiting)
            self.waiting -= 1
            self.searching.append(engine)
        return engines, engine, share

    def stop_one(self) -> None:
        """Stops the search that began first. The next call stops another one."""
        with self.lock, suppress(EngineDied):
            if self.searching:
                engine = self.searching.pop(0)
                self.searching.append(engine)
                engine.stop()


class Handler(BaseHTTPRequestHandler):
    """Answers the requests of a connection, which may be kept for the next one."""

    protocol_version = "HTTP/1.1"
    #: What is no request of HTTP is answered all the same.
    default_request_version = "HTTP/1.0"
    #: A client that says nothing for so many seconds is not waited for.
    timeout = 30
    server: Server

    def do_POST(self) -> None:
        try:
            self.respond(HTTPStatus.OK, self.server.pool.ask(Question(self.body())))
        except Refused as refused:
            self.refuse(refused.status, str(refused))

    def body(self) -> bytes:
        """The bytes of a request. If they are not all read, no other request can follow on the connection."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()):
            self.close_connection = True
            raise Refused(HTTPStatus.LENGTH_REQUIRED, "a request needs a Content-Length")
        if len(length) > 9 or int(length) > MOST_BYTES:
            self.close_connection = True
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a request has at most {MOST_BYTES} bytes")
        try:
            body = self.rfile.read(int(length))
            if len(body) < int(length):
                raise EOFError
        except (EOFError, OSError) as error:
            self.close_connection = True
            raise Refused(HTTPStatus.REQUEST_TIMEOUT, "the request did not come as a whole") from error
        return body

    def refuse(self, status: HTTPStatus, error: str) -> None:
        self.respond(status, {"ok": False, "error": error})

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the server itself refuses, such as another method than POST."""
        status = HTTPStatus(code)
        if status == HTTPStatus.NOT_IMPLEMENTED:
            status, message = HTTPStatus.METHOD_NOT_ALLOWED, "moves are asked for by POST"
        self.close_connection = True
        self.refuse(status, message or status.phrase)

    def respond(self, status: HTTPStatus, answer: Mapping[str, Any]) -> None:
        body = json.dumps(answer).encode()
        with suppress(ConnectionError):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            if status == HTTPStatus.METHOD_NOT_ALLOWED:
                self.send_header("Allow", "POST")
            if self.close_connection:
                self.send_header("Connection", "close")
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)
        if self.close_connection and status != HTTPStatus.OK:
            self.linger()

    def linger(self) -> None:
        """Reads what a client still sends, within limits: else the system might discard the answer, too."""
        left = 16 * MOST_BYTES
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            while left > 0 and (bytes_read := len(self.rfile.read1(MOST_BYTES))) > 0:
                left -= bytes_read

    def log_message(self, *_: Any) -> None:
        """Requests are not logged."""


class Server(ThreadingHTTPServer):
    """A thread for each connection."""

    daemon_threads = True
    #: So many connections may wait until they are accepted.
    request_queue_size = 1024

    def __init__(self, address: tuple[str, int], pool: Pool) -> None:
        super().__init__(address, Handler)
        self.pool = pool

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes is no error."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def count(text: str) -> int:
    if text.isascii() and text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"a number from 1 on is needed, not {text!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Answers questions for a move over HTTP.")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen at [%(default)s]")
    parser.add_argument("--port", type=int, default=8000, help="the port; 0 for any that is free [%(default)s]")
    parser.add_argument(
        "--engines", type=count, default=os.cpu_count() or 1, metavar="N", help="how many search at once [%(default)s]"
    )
    parser.add_argument("--game", default="quoridor", help="the game [%(default)s]")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="an option of each engine")
    arguments = parser.parse_args()
    options = {name: value for name, _, value in (option.partition("=") for option in arguments.set)}
    try:
        pool = Pool(arguments.engines, arguments.game, options)
        server = Server((arguments.host, arguments.port), pool)
    except (EngineError, EngineDied, OSError, OverflowError) as error:
        parser.exit(2, f"{parser.prog}: {str(error) or 'the engine ends at once'}\n")
    with server:
        host, port = server.server_address[:2]
        print(f"http://{host!s}:{port}", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


if __name__ == "__main__":
    main()
