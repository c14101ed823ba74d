"""Makes an engine from a program that has no protocol: one that reads a FEN and prints a move.

Usage: pentarch arena --game roses --second "python3 examples/wrap_program.py PROGRAM ARGUMENT ..." --movetime 1000
For each move, PROGRAM starts once. It reads two lines: the FEN of the position, and the legal moves, separated by
spaces. The last word that it prints is its move. If the move is illegal, the arena counts the game as lost."""
import subprocess, sys

from engine import run

def move_of_program(fen: str, moves: list[str]) -> str:
    """Runs the program, and returns the last word of its output."""
    result = subprocess.run(sys.argv[1:], input=f"{fen}\n{' '.join(moves)}\n", capture_output=True, encoding="utf-8")
    if not (words := result.stdout.split()):
        sys.exit(f"{sys.argv[1]} has printed no move (exit code {result.returncode}): {result.stderr.strip()}")
    return words[-1]

if len(sys.argv) < 2:
    sys.exit("which program? python3 wrap_program.py PROGRAM ARGUMENT ...")
run(sys.argv[1], move_of_program)
