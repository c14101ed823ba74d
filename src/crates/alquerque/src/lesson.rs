//! A guided first game.

use pentarch_core::view::lesson::LessonStep;

/// The tasks of the lesson, from a first move to the move that wins.
pub(super) const LESSON_STEPS: &[LessonStep] = &[
    LessonStep {
        text: "You are Light, and the light checkers below are yours. Step with one of them onto the empty point in \
                the middle.",
        fen: "xxxxx/xxxxx/xx1oo/ooooo/ooooo l - - - 1",
        moves: &["b2c3", "c2c3", "d2c3", "d3c3"],
        hint: "Choose a checker from which a line leads to the middle, then the middle.",
        done: "A checker steps along a line to the next point, if that is empty.",
    },
    LessonStep {
        text: "A checker captures by a jump: over an enemy checker next to it, onto the empty point straight behind. \
                Capture the dark checker.",
        fen: "4x/5/2x2/2o2/o4 l - - - 5",
        moves: &["c2c4"],
        hint: "Your checker stands just below the dark one. Choose it, then the point just above the dark one.",
        done: "The checker that you have jumped over leaves the board.",
    },
    LessonStep {
        text: "Some points also have diagonal lines. Capture a checker along one of these.",
        fen: "x4/5/2x2/1o3/4o l - - - 5",
        moves: &["b2d4"],
        hint: "Choose your checker on the left, and jump up and to the right.",
        done: "Moves and jumps follow the lines, and a point without diagonals has none. If you can capture, you must.",
    },
    LessonStep {
        text: "After a jump, the same checker continues if it can jump again. Capture two checkers in one turn.",
        fen: "4x/5/3x1/2x2/o1o2 l - - - 5",
        moves: &["c1c3e3"],
        hint: "Begin with the checker below the first dark one: jump up, then to the right.",
        done: "A capture continues until no jump is possible, and it may turn. It never goes straight back.",
    },
    LessonStep {
        text: "Dark threatens to jump over your checker in the middle. Step with it to a point where Dark cannot \
                capture anything.",
        fen: "2x2/2x2/2o2/5/o3o l - - - 5",
        moves: &["c3b2", "c3b3", "c3c2", "c3d2", "c3d3"],
        hint: "A step back or to the side is safe. A step next to the dark checker is not.",
        done: "Before each move, check what the other side could capture after it. A checker is safe if there is \
                no empty point straight behind it.",
    },
    LessonStep {
        text: "A side that cannot move has lost. Take the last move away from the dark checker in the corner.",
        fen: "xoo2/oo3/o4/3o1/5 l - - - 5",
        moves: &["d2c3"],
        hint: "The dark checker can still jump to the middle of the board. Put your free checker there.",
        done: "Dark is blocked, and you have won. That is one of the two ways.",
    },
    LessonStep {
        text: "The other way to win is to capture everything. Capture the last dark checker.",
        fen: "5/3x1/2o2/5/1o3 l - - - 5",
        moves: &["c3e5"],
        hint: "Jump from the middle over the dark checker to the corner.",
        done: "You have won. Now you know enough for a game: capture when you can, and leave nothing to be captured.",
    },
];
