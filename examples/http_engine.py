"""Serves moves over HTTP. It requires only the package `pentarch`.

Usage: python3 http_engine.py [--port 8000] [--engines N] [--set Quoridor_BoardSize=7]

    $ curl -d '{"moves": ["e2", "e8"], "budget_ms": 300}' http://127.0.0.1:8000
    {"ok": true, "move": "e3", "ev": 0.61, "nodes": 51234}

A request and its response are JSON objects. `moves` are all moves of the game. `budget_ms` is the time for the
response in milliseconds, from the arrival of the request, and at most a minute. `clock` is an object with `wtime`,
`btime`, `winc` and `binc` in milliseconds. It limits the time to a tenth of the time left for the side to move, plus
the increment. You may omit `budget_ms` or `clock`. Simultaneous requests share the engines within their time. `ev`
is the chance of winning of the side to move. The response to an invalid request is `{"ok": false, "error": "..."}`.
The environment variable PENTARCH names the program. By default the module finds the program."""

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

from pentarch import EngineDied, EngineError, Session

#: Maximum size of a request in bytes. It is more than any game needs.
MAX_BYTES = 1 << 16
#: Maximum time for a move, in milliseconds.
MAX_BUDGET = 60 * 1000
#: Milliseconds of the time for a move that are not available to the search.
OVERHEAD = 15
#: Maximum time on a clock, in milliseconds.
MAX_CLOCK = 24 * 60 * 60 * 1000
#: Number of seconds after which a late engine counts as hung.
PATIENCE = 20
#: Number of searches of other requests that a waiting request stops.
ATTEMPTS = 4
CLOCK = ("wtime", "btime", "winc", "binc")
COMMAND = [os.environ["PENTARCH"]] if "PENTARCH" in os.environ else []


class RequestError(Exception):
    """An invalid or failed request, with the status of the response."""

    def __init__(self, status: HTTPStatus, error: str) -> None:
        super().__init__(error)
        self.status = status


def bad_request(error: str) -> RequestError:
    return RequestError(HTTPStatus.BAD_REQUEST, error)


def milliseconds(name: str, value: Any, most: int) -> int:
    # In Python true and false are also numbers.
    if type(value) is not int or not 0 <= value <= most:
        raise bad_request(f"{name} takes a whole number from 0 to {most}, not {json.dumps(value)[:40]}")
    return value


def fields(name: str, value: Any, known: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise bad_request(f"{name} is not a JSON object")
    for unknown in sorted(value.keys() - set(known)):
        raise bad_request(f"{name} has no field {json.dumps(unknown)[:40]}; it takes {', '.join(known)}")
    return value


class MoveRequest:
    """A parsed request."""

    def __init__(self, body: bytes) -> None:
        try:
            request = fields("the request", json.loads(body), ("moves", "budget_ms", "clock"))
        except (ValueError, RecursionError) as error:
            raise bad_request(f"the request is not JSON: {error}") from error
        self.moves = request.get("moves")
        if not isinstance(self.moves, list) or not all(map(is_word, self.moves)):
            raise bad_request('moves takes a list of strings, such as ["e2", "e8"]')
        clock = request.get("clock")
        clock = fields("clock", {} if clock is None else clock, CLOCK)
        self.clock = {name: milliseconds(name, value, MAX_CLOCK) for name, value in clock.items()}
        budget = request.get("budget_ms")
        if budget is None and not self.clock.keys() & {"wtime", "btime"}:
            raise bad_request("budget_ms is missing, and so is a clock with wtime or btime")
        budget = MAX_BUDGET if budget is None else milliseconds("budget_ms", budget, MAX_BUDGET)
        side = "wb"[len(self.moves) % 2]
        if f"{side}time" in self.clock:
            budget = min(budget, self.clock[f"{side}time"] // 10 + self.clock.get(f"{side}inc", 0))
        #: Maximum milliseconds for the search, including the wait.
        self.budget = max(0, budget - OVERHEAD)

    def respond(self, engine: Session, odds: float, waited: int, share: float) -> dict[str, Any]:
        """Searches after `waited` milliseconds of waiting, with the part `share` of the remaining time. `odds` is the
        scale of the engine's chances of winning."""
        clock = {name: max(0, value - waited) if name.endswith("time") else value for name, value in self.clock.items()}
        movetime = round(max(0, self.budget - waited) * share)
        watchdog = threading.Timer(movetime / 1000 + PATIENCE, engine.kill)
        watchdog.start()
        try:
            engine.position(moves=self.moves)
            found = engine.search(movetime=movetime, clock=clock)
        except EngineError as error:
            # The column counts in the command to the engine, and the client does not see this command.
            message = re.sub(r"\bcolumn \d+: ", "", str(error))
            raise RequestError(HTTPStatus.UNPROCESSABLE_ENTITY, message) from error
        finally:
            watchdog.cancel()
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


class EnginePool:
    """The engines, and the requests that wait for them."""

    def __init__(self, count: int, game: str, options: Mapping[str, str]) -> None:
        self.count, self.game, self.options = count, game, options
        self.idle: queue.Queue[Session] = queue.Queue()
        #: An additional engine for requests that have no time left. It responds to each of them at once.
        self.spare: queue.Queue[Session] = queue.Queue()
        for _ in range(count):
            self.idle.put(self.start())
        engine = self.start()
        self.odds = float(engine.board["odds"])
        self.spare.put(engine)
        self.lock = threading.Lock()
        self.waiting = 0
        #: The engines that search. They are stopped in this order.
        self.searching: list[Session] = []

    def start(self) -> Session:
        return Session(self.game, self.options, COMMAND)

    def respond(self, request: MoveRequest) -> dict[str, Any]:
        """Searches with the next idle engine, and returns the response. Replaces an engine that has ended."""
        arrived = time.monotonic()
        engines, engine, share = self.next_engine(request.budget / 1000)
        searching = engine
        try:
            return request.respond(engine, self.odds, round((time.monotonic() - arrived) * 1000), share)
        except (EngineDied, OSError) as error:
            with suppress(OSError):
                engine.close()
            # If this fails, the next request tries again.
            with suppress(OSError, EngineError, EngineDied):
                engine = self.start()
            message = "the engine has ended; the next request gets another one"
            raise RequestError(HTTPStatus.SERVICE_UNAVAILABLE, message) from error
        finally:
            with self.lock:
                self.searching.remove(searching)
            engines.put(engine)

    def next_engine(self, budget: float) -> tuple[queue.Queue[Session], Session, float]:
        """Waits for an engine. Returns three values: the queue that the engine must go back to, the engine, and the
        share of the time for its search. The share is the same for all waiting requests.

        In the second half of the budget, which is in seconds, it stops searches of other requests, the oldest first.
        Thus each of the simultaneous requests gets a part of the time.
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
        """Stops the oldest search. The next call stops another one."""
        with self.lock, suppress(EngineDied):
            if self.searching:
                engine = self.searching.pop(0)
                self.searching.append(engine)
                engine.stop()


class Handler(BaseHTTPRequestHandler):
    """Responds to the requests of a connection. A client may send several requests on one connection."""

    protocol_version = "HTTP/1.1"
    #: The HTTP version of the response to a request that is not valid HTTP.
    default_request_version = "HTTP/1.0"
    #: Seconds after which the server disconnects a silent client.
    timeout = 30
    server: Server

    def do_POST(self) -> None:
        try:
            self.respond(HTTPStatus.OK, self.server.pool.respond(MoveRequest(self.body())))
        except RequestError as error:
            self.respond_error(error.status, str(error))

    def body(self) -> bytes:
        """Returns the body of a request. Closes the connection if it cannot read the whole body."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()):
            self.close_connection = True
            raise RequestError(HTTPStatus.LENGTH_REQUIRED, "a request needs a Content-Length")
        if len(length) > 9 or int(length) > MAX_BYTES:
            self.close_connection = True
            raise RequestError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a request has at most {MAX_BYTES} bytes")
        try:
            body = self.rfile.read(int(length))
            if len(body) < int(length):
                raise EOFError
        except (EOFError, OSError) as error:
            self.close_connection = True
            raise RequestError(HTTPStatus.REQUEST_TIMEOUT, "the request is incomplete") from error
        return body

    def respond_error(self, status: HTTPStatus, error: str) -> None:
        self.respond(status, {"ok": False, "error": error})

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Responds to errors that the base class detects, such as a method other than POST."""
        status = HTTPStatus(code)
        if status == HTTPStatus.NOT_IMPLEMENTED:
            status, message = HTTPStatus.METHOD_NOT_ALLOWED, "send requests by POST"
        self.close_connection = True
        self.respond_error(status, message or status.phrase)

    def respond(self, status: HTTPStatus, response: Mapping[str, Any]) -> None:
        body = json.dumps(response).encode()
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
        """Reads the rest of the client's data, within limits. Without this the system might discard the response."""
        left = 16 * MAX_BYTES
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            while left > 0 and (bytes_read := len(self.rfile.read1(MAX_BYTES))) > 0:
                left -= bytes_read

    def log_message(self, *_: Any) -> None:
        """Logs nothing."""


class Server(ThreadingHTTPServer):
    """A server with a thread for each connection."""

    daemon_threads = True
    #: Maximum number of connections that the server has not accepted yet.
    request_queue_size = 1024

    def __init__(self, address: tuple[str, int], pool: EnginePool) -> None:
        super().__init__(address, Handler)
        self.pool = pool

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores clients that disconnect."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def positive(text: str) -> int:
    if text.isascii() and text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, not {text!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Serves moves over HTTP.")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen at [%(default)s]")
    parser.add_argument("--port", type=int, default=8000, help="the port; 0 for any free one [%(default)s]")
    engines_help = "how many search at once [%(default)s]"
    parser.add_argument("--engines", type=positive, default=os.cpu_count() or 1, metavar="N", help=engines_help)
    parser.add_argument("--game", default="quoridor", help="the game [%(default)s]")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="an option of each engine")
    arguments = parser.parse_args()
    options = {name: value for name, _, value in (option.partition("=") for option in arguments.set)}
    try:
        pool = EnginePool(arguments.engines, arguments.game, options)
        server = Server((arguments.host, arguments.port), pool)
    except (EngineError, EngineDied, OSError, OverflowError) as error:
        parser.exit(2, f"{parser.prog}: {str(error) or 'the engine ended at its start'}\n")
    with server:
        host, port = server.server_address[:2]
        print(f"http://{host!s}:{port}", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


if __name__ == "__main__":
    main()
