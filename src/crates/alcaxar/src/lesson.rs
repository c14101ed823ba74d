//! A guided first game.

use pentarch_core::view::lesson::LessonStep;

/// The tasks of the lesson, from a first move to a winning move.
pub(super) const LESSON_STEPS: &[LessonStep] = &[
    LessonStep {
        text: "You are Red, and the red knight is yours. Step with it to one of the squares next to it.",
        fen: "b8h2 b5c6d7e2e8f3g4h5 r - 1",
        moves: &["Kb6", "Kd8"],
        hint: "Choose the red knight, then the square to its right or the one below it.",
        done: "A knight steps one square to the side, up or down, never diagonally, and never through a wall or onto \
                the other knight.",
    },
    LessonStep {
        text: "Instead of stepping you may turn a wall. Walls belong to both players. Turn the wall in the middle of \
                the board.",
        fen: "b8h2 a2a4a6a8e4i2i4i6 r - 1",
        moves: &["e4d3", "e4d5", "e4e2", "e4e6", "e4f3", "e4f5"],
        hint: "Choose the wall that stands alone in the middle, then one of the places that are marked.",
        done: "A wall turns like a door: one of its two ends stays where it is, and the other swings round it.",
    },
    LessonStep {
        text: "A wall may turn farther than a quarter of a circle. Turn the wall in the middle by half a circle, so \
                that it stands in line with its old slot.",
        fen: "b8h2 a2a4a6a8e4i2i4i6 r - 1",
        moves: &["e4e2", "e4e6"],
        hint: "The wall stands upright. Choose it, then the upright place just above it or just below it.",
        done: "A wall turns by a quarter, a half or three quarters of a circle, if no wall and no knight is in its \
                way.",
    },
    LessonStep {
        text: "Green has just turned a wall. That wall and the one that touches it are marked as blocked: you must \
                not turn them now. Turn another wall.",
        fen: "b8h2 b5b7d7d9e2f3g4h5 r b7 2",
        moves: &[
            "b5a4", "b5a6", "b5c4", "b5c6", "b5d5", "d9b9", "d9e8", "d9f9", "e2d1", "e2d3", "e2e4",
            "e2f1", "f3d3", "f3e4", "f3g2", "g4f5", "g4g6", "g4h3", "h5f5", "h5g6", "h5i4", "h5i6",
        ],
        hint: "Choose any wall without the mark of a lock, then one of the marked places.",
        done: "You cannot undo at once what the other player has done with a wall. A turn later all these walls are \
                free again.",
    },
    LessonStep {
        text: "The red square in the corner is your fortress. Green's knight stands next to it and \
                would step into it and win. Close the way with a wall.",
        fen: "d2d8 b5b7e2e6f3g4h5h7 r - 9",
        moves: &["b7c8"],
        hint: "A wall is near: the one below your fortress. Turn it so that it stands between the fortress and \
                Green's knight.",
        done: "Green has to go round now. A wall at the right place costs the other knight many steps.",
    },
    LessonStep {
        text: "A knight that cannot step is trapped, and its player has lost. Trap Green's knight.",
        fen: "b8h2 b5c6d7e8f1f3h3i4 r - 2",
        moves: &["f1g2", "f3g2"],
        hint: "Green's knight has one way out, to its left. Put a wall there.",
        done: "Trapped! That is one of the two ways to win. But also watch your own knight.",
    },
    LessonStep {
        text: "The other way to win is to stand in the enemy fortress. Step into Green's fortress.",
        fen: "f2h6 b5c6d7e2e8f3g6h7 r - 9",
        moves: &["Kh2"],
        hint: "Green's fortress is the square at the bottom right, next to your knight.",
        done: "You have won. Now you know enough for a game: make your way to the fortress short, and the other \
                knight's way long.",
    },
];
