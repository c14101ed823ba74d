//! A guided first game.

use pentarch_core::view::lesson::LessonStep;

/// The tasks of the lesson, from a first move to the winning move.
pub(super) const LESSON_STEPS: &[LessonStep] = &[
    LessonStep {
        text: "You are White, and your castle stands at the bottom. At first the soldiers come onto the board, one in \
                each turn. Drop one next to your castle.",
        fen: "c/4/5/5/4/C w 4/4 1",
        moves: &["d3", "e4"],
        hint: "Choose one of the two cells just above your castle.",
        done: "A soldier is dropped next to one of your own pieces, never on a red cell. When all eight soldiers \
                are on the board, they begin to move.",
    },
    LessonStep {
        text: "Now all soldiers are on the board. Move a single soldier to an empty cell next to it.",
        fen: "c/1ss1/5/2SSS/4/C w 0/0 5",
        moves: &[
            "d4c3", "d4c4", "d4d3", "d4d5", "d4e4", "e5d5", "e5e4", "e5e6", "e5f5", "f6e6", "f6f5",
        ],
        hint: "Choose one of your soldiers, then an empty cell that touches its own.",
        done: "A soldier goes one cell, in any of the six directions. Castles never move.",
    },
    LessonStep {
        text: "Soldiers in a row can go together. Move all three by one cell along their row.",
        fen: "c/1ss1/5/2SSS/4/C w 0/0 5",
        moves: &["f6c3"],
        hint: "Choose the soldier at the right end, then the empty cell at the left end of the row.",
        done: "Any number of soldiers in a row may go one cell forward together, if the cell in front is empty.",
    },
    LessonStep {
        text: "Two soldiers side by side can also go sideways together. Move two of your soldiers at once to the row \
                above or below.",
        fen: "c/1ss1/5/2SSS/4/C w 0/0 5",
        moves: &["d4e5c4d5", "d4e5d3e4", "d4e5d5e6", "d4e5e4f5", "e5f6d5e6", "e5f6e4f5"],
        hint: "Choose one soldier, then its neighbour, then where each of them goes, both in the same direction.",
        done: "Both go in the same direction, and both cells must be empty.",
    },
    LessonStep {
        text: "Two soldiers in a row are stronger than one piece in front of them. Push the black soldier that stands \
                in your row.",
        fen: "c/4/2s2/2sSS/4/C w 0/0 6",
        moves: &["f6d4"],
        hint: "Choose your soldier at the right end, then the black soldier.",
        done: "Two soldiers in a row push the enemy one cell further, if that cell is empty.",
    },
    LessonStep {
        text: "At the edge there is no cell behind a soldier. Push the black soldier at the right edge off the board.",
        fen: "c/1s2/5/2SSs/4/C w 0/0 6",
        moves: &["d4f6"],
        hint: "Choose your left soldier of the two, then the black soldier beside them.",
        done: "A soldier that is pushed off the board is captured.",
    },
    LessonStep {
        text: "Two of your soldiers touch the same black soldier. Then one of them may attack it, and the other \
                supports the attack. Push the black soldier.",
        fen: "c/4/2s2/1SS2/4/C w 0/0 6",
        moves: &["c3c4", "d4c4"],
        hint: "Choose one of your soldiers, then the black soldier above them.",
        done: "One soldier moves, and the enemy is pushed one cell further in the same direction. A castle \
                cannot be attacked in this way.",
    },
    LessonStep {
        text: "A castle falls to two soldiers in a row that points at it. Capture Black's castle.",
        fen: "c/1S1s/1S3/5/4/C w 0/0 9",
        moves: &["b3b5"],
        hint: "Choose your soldier that is farther from the castle, then the castle.",
        done: "The castle is captured, and you have won. Now you know enough for a game: keep your soldiers together, \
                and guard your own castle.",
    },
];
