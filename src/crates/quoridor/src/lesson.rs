//! A guided first game.

use pentarch_core::view::lesson::LessonStep;

/// The tasks of the lesson, from a first move to the winning move.
pub(super) const LESSON_STEPS: &[LessonStep] = &[
    LessonStep {
        text: "You are White, and your pawn stands at the bottom. It has to reach the opposite \
            edge. Step one square towards it.",
        fen: "e1e9 - w 10/10 1",
        moves: &["e2"],
        hint: "Choose the square just above the white pawn.",
        done: "A pawn steps one square up, down or to the side.",
    },
    LessonStep {
        text: "A wall is in your way, and no pawn can cross a wall. Step to the side where the \
            path around the wall is shorter.",
        fen: "e4e9 e4h w 10/9 4",
        moves: &["d4"],
        hint: "The wall is two squares long, and reaches to the right. Step to the left.",
        done: "A wall costs steps. Before you step, check which path around it is shorter.",
    },
    LessonStep {
        text: "Pawns do not capture. But if the other pawn stands in your way, you may jump over \
            it. Jump over the black pawn.",
        fen: "e4e5 - w 10/10 4",
        moves: &["e6"],
        hint: "Choose the square just behind the black pawn.",
        done: "A jump takes you two squares farther in one turn.",
    },
    LessonStep {
        text: "Now a wall is behind the black pawn, so you cannot jump straight. Instead, you may \
            go to a square at either side of that pawn. Do it.",
        fen: "e4e5 e5h w 10/9 5",
        moves: &["d5", "f5"],
        hint: "Choose the square to the left or to the right of the black pawn.",
        done: "This works only if a wall or the edge of the board is behind the other pawn.",
    },
    LessonStep {
        text: "Instead of moving your pawn you may place a wall. Place one right in front of the \
            black pawn, which wants to go down.",
        fen: "e2e8 - w 10/10 2",
        moves: &["d7h", "e7h"],
        hint: "Choose the gap just below the black pawn. A wall is two squares long: it also \
            covers the gap next to the one that you choose.",
        done: "You have one wall less, and it stays there until the end. Both players start with \
            ten.",
    },
    LessonStep {
        text: "Hurry: Black needs one more step to the bottom edge. Stop that step with a wall.",
        fen: "e6e2 - w 10/10 7",
        moves: &["d1h", "e1h"],
        hint: "Place a wall in the gap between the black pawn and the bottom edge.",
        done: "Black has to go around. A wall must never close a pawn's last path to its edge, \
            but it may make that path longer.",
    },
    LessonStep {
        text: "One more step wins. Take it.",
        fen: "e8b3 d2h w 9/10 8",
        moves: &["e9"],
        hint: "Choose the square above your pawn, at the top edge.",
        done: "The first pawn on the opposite edge wins. Now you know enough for a game: step \
            when your path is short, and place walls when the other path is.",
    },
];
