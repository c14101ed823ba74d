//! A guided first game.

use pentarch_core::view::lesson::LessonStep;

/// The tasks of the lesson, from a first move to the winning move.
pub(super) const LESSON_STEPS: &[LessonStep] = &[
    LessonStep {
        text: "You are White, and your soldiers are at the bottom. They move forward, which is \
            up, on the diagonals. Step with a single soldier.",
        fen: "1b1b1b1b1b/b1b1b1b1b1/1b1b1b1b1b/10/10/10/10/w1w1w1w1w1/1w1w1w1w1w/w1w1w1w1w1 w 1",
        moves: &["a3b4", "c3b4", "c3d4", "e3d4", "e3f4", "g3f4", "g3h4", "i3h4", "i3j4"],
        hint: "Choose a soldier in your front row, then an empty square diagonally in front of it.",
        done: "A soldier steps one square forward, to the left or to the right.",
    },
    LessonStep {
        text: "Soldiers next to each other on a diagonal are a phalanx and may step together. \
            Move all three soldiers at once.",
        fen: "9b/10/10/10/10/10/10/2w7/1w8/w9 w 1",
        moves: &["a1d4"],
        hint: "Choose the last soldier, in the corner, then the empty square in front of the \
            first one.",
        done: "A phalanx of any length moves one square along its diagonal in one turn.",
    },
    LessonStep {
        text: "A soldier captures by stepping up to an enemy: with one empty square between them, \
            go there. Capture the black soldier.",
        fen: "9b/10/10/10/10/4b5/10/2w7/10/10 w 1",
        moves: &["c3d4"],
        hint: "Choose your soldier, then the square between it and the nearer black soldier.",
        done: "The enemy in front of you leaves the board, and you do not jump over it. If you \
            can capture, you must.",
    },
    LessonStep {
        text: "After a capture, the same soldier continues if it can capture again. Capture two \
            soldiers in one turn.",
        fen: "10/10/7b2/10/1b8/4b5/10/2w7/10/10 w 1",
        moves: &["c3d4c5"],
        hint: "Go up and to the right first. From there, go up and to the left.",
        done: "You must capture as many pieces as you can.",
    },
    LessonStep {
        text: "A phalanx captures more: all enemy soldiers in the row in front of it, at once. \
            Capture the three black soldiers.",
        fen: "10/b9/7b2/6b3/5b4/10/3w6/2w7/10/10 w 1",
        moves: &["c3e5"],
        hint: "Choose the rear one of your two soldiers, then the empty square between the two \
            rows.",
        done: "One step of a phalanx can capture a whole phalanx. If a phalanx can capture, it \
            must. Watch the other side's phalanxes.",
    },
    LessonStep {
        text: "A soldier that reaches the farthest row becomes a king. Make your soldier a king.",
        fen: "10/2w7/9b/10/10/10/10/10/10/10 w 1",
        moves: &["c9b10", "c9d10"],
        hint: "Step with your soldier to the top row.",
        done: "Only a step makes a king, never a capture.",
    },
    LessonStep {
        text: "A king goes any distance along a diagonal, and captures from afar: it stops just \
            before the enemy. Capture with your king.",
        fen: "10/b9/10/6b3/10/10/10/10/1W8/10 w 1",
        moves: &["b2f6"],
        hint: "Choose your king, then the last empty square before the black soldier on its \
            diagonal.",
        done: "At least one empty square must lie between a king and what it captures.",
    },
    LessonStep {
        text: "A side whose pieces are all captured or blocked has lost. Capture Black's last \
            soldier.",
        fen: "10/10/10/10/5b4/10/3w6/10/10/10 w 1",
        moves: &["d4e5"],
        hint: "Step up to the black soldier.",
        done: "You have won. Now you know enough for a game: before each move, check what could \
            be captured after it.",
    },
];
