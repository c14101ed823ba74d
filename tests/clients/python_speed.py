"""Measures random games of `pentarch.Game` on one core, and prints a table.

Usage: python python_speed.py [SECONDS]. A step is a uniformly random move from the full list of legal moves. The table
compares the steps with `perft` of the program: nodes per second, divided by the mean number of legal moves. There are two
such means. That of random games is often smaller than that of the positions before the leaves of `perft`, which have about as
many moves as the start. If OpenSpiel is installed, its Quoridor is measured in the same way. PENTARCH names the
program.
"""

import os
import random
import subprocess
import sys
import time

import pentarch

PROGRAM = os.environ.get("PENTARCH") or pentarch.program()
LONGEST = 500


def game_steps(start):
    """Plays a random game. Yields the number of legal moves before each move."""
    game, uniform = start.copy(), random.random
    for _ in range(LONGEST):
        legal = game.legal_moves
        count = len(legal)
        if count == 0:
            return
        game.push(legal[int(uniform() * count)])
        yield count


def bulk_speed(start, seconds):
    """Returns the steps per second of processor time of `push_random`."""
    steps = 0
    began = time.process_time()
    for seed in range(10**9):
        steps += start.copy().push_random(LONGEST, seed=seed)
        if time.process_time() - began > seconds:
            break
    return steps / (time.process_time() - began)


def open_spiel_steps(game):
    state, uniform = game.new_initial_state(), random.random
    for _ in range(LONGEST):
        if state.is_terminal():
            return
        legal = state.legal_actions()
        state.apply_action(legal[int(uniform() * len(legal))])
        yield len(legal)


def measure(new_game, seconds):
    """Returns the steps per second of processor time, and the mean number of legal moves."""
    steps = moves = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        for count in new_game():
            steps += 1
            moves += count
    return steps / (time.process_time() - began), moves / steps


def perft_speed(word, seconds):
    """Measures the first `perft` that takes this time.

    Returns its nodes per second of processor time, and the mean number of moves in the positions before its leaves.
    """
    positions = 1
    for depth in range(1, 20):
        before = os.times()
        output = subprocess.run([PROGRAM, "--game", word, "perft", str(depth)], capture_output=True, text=True, check=True)
        after = os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        nodes = int(output.stdout.split("Nodes: ")[1].split()[0])
        if spent > seconds:
            return nodes / spent, nodes / positions
        positions = nodes
    raise AssertionError(word)


def main(seconds):
    print("| game | steps / s | `push_random` / s | legal moves | ratios | perft nodes / s | moves in perft | ratios |")
    print("|---|---|---|---|---|---|---|---|")
    for word in pentarch.games():
        start = pentarch.Game(word)
        steps, moves = measure(lambda: game_steps(start), seconds)
        bulk = bulk_speed(start, seconds)
        nodes, perft_moves = perft_speed(word, seconds / 2)
        ratios = [
            f"{steps * mean / nodes:.2f}, {bulk * mean / nodes:.2f}" for mean in (moves, perft_moves)
        ]
        row = f"{steps:,.0f} | {bulk:,.0f} | {moves:.1f} | {ratios[0]} | {nodes:,.0f} | {perft_moves:.1f} | {ratios[1]}"
        print(f"| {word} | {row} |", flush=True)
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed")
        return
    game = pyspiel.load_game("quoridor(board_size=9)")
    steps, moves = measure(lambda: open_spiel_steps(game), seconds)
    print(f"| OpenSpiel's Quoridor | {steps:,.0f} | | {moves:.1f} | | | | |")


main(float(sys.argv[1]) if len(sys.argv) > 1 else 5)
