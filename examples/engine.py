"""Plays random legal moves in every game of pentarch, without a rule of its own: an engine from nothing.

Usage: pentarch arena --game bushka --second "python3 examples/engine.py" --movetime 50 --games 10
A running `pentarch` is the source of the legal moves. The environment variable PENTARCH names the program, by default
`pentarch` on the PATH. To make an engine of your own, write another function like `random_move`."""
import os, random, shutil, subprocess, sys
from collections.abc import Callable

class Rules:
    """The rules of the games: a running pentarch, which stores the options and the position."""
    def __init__(self) -> None:
        program = os.environ.get("PENTARCH", "pentarch")
        if shutil.which(program) is None:
            sys.exit(f"there is no program '{program}'; set the environment variable PENTARCH to its path")
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    def ask(self, command: str) -> list[str]:
        """Sends a command, and returns the lines of the answer."""
        assert self.process.stdin and self.process.stdout
        print(command, "isready", sep="\n", file=self.process.stdin, flush=True)
        lines: list[str] = []
        for line in self.process.stdout:
            if line == "readyok\n":
                return lines
            lines.append(line.rstrip("\n"))
        raise EOFError("pentarch has ended")
    def query(self, value: str) -> str:
        """Returns a value of the position, such as `fen`, `moves` or `outcome`."""
        return self.ask(f"query {value}")[-1].removeprefix("response ").strip()
    def moves(self) -> list[str]:
        """Returns the legal moves."""
        moves = self.query("moves")
        return [] if moves == "none" else moves.split()

def random_move(fen: str, moves: list[str]) -> str:
    """Chooses among the legal moves of a position. An engine of your own would look at the FEN too."""
    return random.choice(moves)

def run(name: str, choose: Callable[[str, list[str]], str]) -> None:
    """Speaks UGI and UCI on the standard streams until `quit`, and lets `choose` find the moves."""
    rules = Rules()
    for line in open(sys.stdin.fileno(), encoding="utf-8", errors="replace"):
        command = line.split(maxsplit=1)[:1]
        if command in (["ugi"], ["uci"]):  # the options are those of pentarch, because its rules depend on them
            print(f"id name {name}", *[reply for reply in rules.ask(line) if not reply.startswith("id ")], sep="\n")
        elif command == ["isready"]:
            print("readyok")
        elif command == ["go"]:
            moves = rules.moves()
            print("bestmove", choose(rules.query("fen"), moves) if moves else "(none)")
        elif command == ["quit"]:
            break
        elif command not in ([], ["stop"]):  # a `stop` comes too late: the move is already printed
            for reply in rules.ask(line.strip()):
                print(reply)
        sys.stdout.flush()

if __name__ == "__main__":
    run("random mover", random_move)
