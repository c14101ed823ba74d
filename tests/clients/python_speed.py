"""Measures random games of `pentarch.Game` on one core, and prints a table.

Usage: python python_speed.py [SECONDS]. A step is a uniformly random move from the full list of legal moves. The table
compares the steps with `perft` of the program: a step should take at most twice as long as a generation of moves. If
OpenSpiel is installed, its Quoridor is measured in the same way. PENTARCH names the program.
"""

import os
import random
import subprocess
import sys
import time

import pentarch

PROGRAM = os.environ.get("PENTARCH") or pentarch.program()
LONGEST = 500


def game_steps(word):
    """Plays a random game. Yields the number of legal moves before each move."""
    game, uniform = pentarch.Game(word), random.random
    for _ in range(LONGEST):
        legal = game.legal_moves
        count = len(legal)
        if count == 0:
            return
        game.push(legal[int(uniform() * count)])
        yield count


def bulk_speed(word, seconds):
    """Returns the steps per second of processor time of `push_random`."""
    steps = 0
    began = time.process_time()
    for seed in range(10**9):
        steps += pentarch.Game(word).push_random(LONGEST, seed=seed)
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
    """Returns the nodes per second of processor time of the first `perft` that takes this time."""
    for depth in range(2, 20):
        before = os.times()
        output = subprocess.run([PROGRAM, "--game", word, "perft", str(depth)], capture_output=True, text=True, check=True)
        after = os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        if spent > seconds:
            return int(output.stdout.split("Nodes: ")[1].split()[0]) / spent
    raise AssertionError(word)


def main(seconds):
    print("| game | steps / s | `push_random` | legal moves | perft nodes / s | generations / s | ratios |")
    print("|---|---|---|---|---|---|---|")
    for word in pentarch.games():
        steps, moves = measure(lambda: game_steps(word), seconds)
        nodes = perft_speed(word, seconds / 2)
        bulk, generations = bulk_speed(word, seconds), nodes / moves
        ratios = f"{steps / generations:.2f}, {bulk / generations:.2f}"
        row = f"{steps:,.0f} | {bulk:,.0f} | {moves:.1f} | {nodes:,.0f} | {generations:,.0f} | {ratios}"
        print(f"| {word} | {row} |", flush=True)
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed")
        return
    game = pyspiel.load_game("quoridor(board_size=9)")
    steps, moves = measure(lambda: open_spiel_steps(game), seconds)
    print(f"| OpenSpiel's Quoridor | {steps:,.0f} | | {moves:.1f} | | | |")


main(float(sys.argv[1]) if len(sys.argv) > 1 else 5)
