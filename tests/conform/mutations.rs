//! Mutations of the slow rules. Each replaces an expression in a source file of the slow rules.

/// A mutation, and the sentences of the rules of which the check must name one.
pub(super) struct Mutation {
    /// The source file.
    pub file: &'static str,
    /// The game to check.
    pub game: &'static str,
    /// The expression to replace. It occurs once in the file.
    pub from: &'static str,
    /// The new expression.
    pub to: &'static str,
    /// The ids of the sentences.
    pub rules: &'static [&'static str],
}

const fn mutation(
    file: &'static str,
    game: &'static str,
    from: &'static str,
    to: &'static str,
    rules: &'static [&'static str],
) -> Mutation {
    Mutation { file, game, from, to, rules }
}

const fn roses(from: &'static str, to: &'static str, rules: &'static [&'static str]) -> Mutation {
    mutation("roses.rs", "roses", from, to, rules)
}

const fn alcaxar(from: &'static str, to: &'static str, rules: &'static [&'static str]) -> Mutation {
    mutation("alcaxar.rs", "alcaxar", from, to, rules)
}

const fn alquerque(
    from: &'static str,
    to: &'static str,
    rules: &'static [&'static str],
) -> Mutation {
    mutation("alquerque.rs", "alquerque", from, to, rules)
}

const fn bushka(from: &'static str, to: &'static str, rules: &'static [&'static str]) -> Mutation {
    mutation("bushka.rs", "bushka", from, to, rules)
}

const fn quoridor(
    from: &'static str,
    to: &'static str,
    rules: &'static [&'static str],
) -> Mutation {
    mutation("quoridor.rs", "quoridor", from, to, rules)
}

const fn four(from: &'static str, to: &'static str, rules: &'static [&'static str]) -> Mutation {
    mutation("quoridor_four.rs", "quoridor", from, to, rules)
}

pub(super) const MUTATIONS: &[Mutation] = &[
    roses("!RED.contains(&cell)", "true", &["3.4"]),
    roses(
        "all_cells().any(|other| are_adjacent(cell, other) && self.is_own(other))",
        "true",
        &["3.3"],
    ),
    roses("matches!(self.piece_on(cell), Some('S' | 's'))", "true", &["5.14"]),
    roses("1..=4", "1..=1", &["4.5"]),
    roses(
        "[self.line_moves(), self.translations(), self.phalanxes(), self.supports()].concat()",
        "[self.line_moves(), self.phalanxes(), self.supports()].concat()",
        &["4.8"],
    ),
    roses(
        "self.after(&[(enemy, behind), (front, Some(enemy)), (rear, Some(front))])",
        "self.after(&[(enemy, None), (front, Some(enemy)), (rear, Some(front))])",
        &["5.2", "5.3"],
    ),
    roses(
        "self.after(&[(enemy, behind), (mover, Some(enemy))])",
        "self.after(&[(enemy, None), (mover, Some(enemy))])",
        &["5.8"],
    ),
    roses(
        "other != mover && (!self.contiguous_support || are_adjacent(other, mover))",
        "!self.contiguous_support || are_adjacent(other, mover)",
        &["5.1"],
    ),
    roses("self.moves().is_empty()", "false", &["6.2"]),
    mutation(
        "ugi.rs",
        "roses",
        "self.history.iter().filter(|earlier| *earlier == now).count() >= 3",
        "self.history.iter().filter(|earlier| *earlier == now).count() >= 4",
        &["6.4"],
    ),
    alcaxar("self.knights[1 - side] != square", "true", &["3.5"]),
    alcaxar("!self.walls.contains(&between)", "true", &["3.4"]),
    alcaxar("0..3", "0..1", &["4.2"]),
    alcaxar("[true, false]", "[true, true]", &["4.2"]),
    alcaxar("self.knights.contains(&swept)", "false", &["4.4"]),
    alcaxar("self.walls.contains(&slot)", "false", &["4.3", "4.5"]),
    alcaxar(
        "SlowPosition::towers(last).iter().any(|tower| towers.contains(tower))",
        "false",
        &["4.8"],
    ),
    alcaxar("!after.accessible(self.side).is_empty()", "true", &["4.11"]),
    alcaxar(
        "[parse_point(\"h2\"), parse_point(\"b8\")][mover]",
        "[parse_point(\"b8\"), parse_point(\"h2\")][mover]",
        &["5.1"],
    ),
    alcaxar("self.accessible(self.side).is_empty()", "false", &["5.2"]),
    alcaxar("distance(0) < distance(1)", "distance(1) < distance(0)", &["5.4"]),
    alcaxar("self.last_wall = Some(to)", "self.last_wall = None", &["4.2", "4.8"]),
    alquerque(
        "could_jump.is_empty() || rules.missed_capture == \"huff\"",
        "true",
        &["REQ.26.ALT.2"],
    ),
    alquerque(
        "rules.removal == \"instant\" && path.captured.contains(&over)",
        "false",
        &["REQ.24.ALT.1"],
    ),
    alquerque("(a.0 + a.1) % 2 == 0", "true", &["REQ.7", "REQ.9"]),
    alquerque(
        "is_backwards || is_on_base || is_spent",
        "is_on_base || is_spent",
        &["REQ.19", "REQ.20"],
    ),
    alquerque("from.1 == opponents_base_rank(self.side)", "false", &["REQ.21", "REQ.22"]),
    alquerque(
        "rules.base_row == \"spent\" && self.reached_base.contains(&from)",
        "false",
        &["REQ.23.ALT.2"],
    ),
    alquerque("self.last_moved.get(&self.side) == Some(&from)", "false", &["REQ.25.ALT.3"]),
    alquerque("self.stepped_from.get(&from) == Some(&to)", "false", &["REQ.25.ALT.2"]),
    alquerque("Some(path.captured.len()) == most", "true", &["REQ.10.1.ALT.3"]),
    alquerque("jumped >= 1 && jumps.is_empty()", "jumped >= 1", &["REQ.10.1.ALT.2"]),
    alquerque("if point == from { to } else { point }", "point", &["REQ.8", "REQ.26.ALT.1"]),
    alquerque("!has_turns && rules.win == \"capture\"", "false", &["REQ.27.ALT.1"]),
    bushka("length >= 2 && self.is_empty(to)", "length >= 3 && self.is_empty(to)", &["3.6"]),
    bushka("turn.captured.extend(run)", "drop(run)", &["4.1", "4.3"]),
    bushka("self.continue_capture(&path, &captured, turns)", "()", &["5.7"]),
    bushka("if self.is_own_king(from) { free >= 1 } else { free == 1 }", "free >= 1", &["5.2"]),
    bushka("turn.captured.len() == most", "true", &["6.2", "6.3"]),
    bushka("self.is_forward(direction)", "true", &["3.2"]),
    bushka("to.1 == self.last_rank(self.side)", "false", &["3.2", "3.8"]),
    bushka(
        "[self.phalanx_captures(), self.piece_captures()]",
        "[self.piece_captures(), self.phalanx_captures()]",
        &["6.1", "4.1"],
    ),
    quoridor(
        "self.is_on_board(behind) && !self.has_wall_between(other, behind)",
        "self.is_on_board(behind)",
        &["6.7"],
    ),
    quoridor(
        "self.is_on_board(beside) && !self.has_wall_between(other, beside)",
        "self.is_on_board(beside)",
        &["6.9"],
    ),
    quoridor("(d == direction && neighbour_slot)", "false", &["7.3"]),
    quoridor("(f, r) == (file, rank)", "(f, r, d) == (file, rank, direction)", &["7.4"]),
    quoridor(
        "with.distance_to_goal(0).is_some() && with.distance_to_goal(1).is_some()",
        "true",
        &["7.6"],
    ),
    quoridor("self.walls_left[self.side] > 0", "true", &["7.1"]),
    quoridor(
        "if side == 0 { self.size } else { 1 }",
        "if side == 0 { self.size - 1 } else { 2 }",
        &["9.1"],
    ),
    four("Some(behind).filter(|behind| !self.pawns.contains(behind))", "Some(behind)", &["2.4"]),
    four("is_over || !self.player_moves(player).is_empty()", "true", &["3.3"]),
    four("u32::from(self.player <= mover)", "1", &["4.3", "6.2"]),
];
