//! The help text of `arena` after its flags.

/// The examples, and the explanation of matches and results.
pub(super) const EXAMPLES_HELP: &str = "\
Examples:
  Is the working copy better than the last version? Two commands, a thousand positions per move:
    pentarch arena --game quoridor --first target/release/pentarch \\
      --second ./old --nodes 1000
  Does more memory help? Two sets of options of this program, ten seconds, and a tenth of a second per move:
    pentarch arena --game bushka --first-set Hash=256 --second-set Hash=1 \\
      --time 10000+100
  Test until it is clear whether a change is worth 0 or 10 Elo, with a file from which the match can continue:
    pentarch arena --second ./old --nodes 2000 --random-plies 6 --games 2000 \\
      --sprt 0 10 --record match.games
  How good are the second side's chances with twenty times the time?
    pentarch arena --game roses --fixed-sides --first-movetime 50 \\
      --second-movetime 1000
  How strong is the working copy among others? It plays 40 games against each engine of a file:
    pentarch arena --game quoridor --engines engines.txt --gauntlet new \\
      --games 40 --nodes 1000 --record gauntlet.games --plot ratings.svg

Tournaments:
  --engines FILE has one engine per line: its name, and flags if necessary. Quote words that contain blanks. Empty
  lines and lines that begin with '#' are ignored.
    new       --command target/release/pentarch --nodes 2000
    'the old' --command './old --quiet' --set Hash=64 --rating 0
    weak      --level casual
  An engine without --command is this program. --set NAME=VALUE and --level set options of the engine, after those of
  the command line. --movetime, --time, --nodes and --depth replace the common limit. --rating fixes its rating. Each
  engine plays --games games against each other one, or with --gauntlet NAME one engine plays them against each of the
  others. The games are played round by round: each pairing plays an opening before the next one begins.

Adjudication:
  --adjudicate-score CP PLIES ends a game as won when the last scores of both engines have seen the same side ahead by
  at least CP centipawns for PLIES plies in a row. A mate exceeds any CP, and a move without a score ends the row.
  --adjudicate-tables ends a game, also as a draw, when this program knows the result of the position by the tables
  that it builds for the game, or without a search, but not before the first move after the opening. Records and
  results say 'adjudicated by score' and 'adjudicated by tables'.

Games:
  The arena checks the games by its own rules, with RepetitionDraw on unless you give --set RepetitionDraw=false.
  --set sets an option of all engines, --first-set and --second-set one of a single engine; rules apply to all. The
  arena accepts an engine without the options Game or RepetitionDraw, or without the option of a rule at its default.
  A game of --plies plies, its opening included, is a draw.

Openings:
  Games begin with the openings of the game: under its default rules each game has a list of them, in which either
  side can win, and they are played in their order. Under other rules games begin at the start position. You can choose
  random moves instead (--random-plies, --seed: never decided, and distinct as long as there are distinct ones), the
  start position (--random-plies 0), or those of a file (--openings): records, SGF, lists of moves, or lines such as
  'startpos moves e2 e8', a FEN, or one followed by 'moves' and moves, as 'pentarch openings' writes them.
  Each opening is played twice, with the sides swapped. With --fixed-sides the first engine always plays the first
  side, and each opening is played once. Matches by nodes or depth have the same results on every run and on busy
  machines, except for times. They need as many openings as pairs of games, since the same opening always leads to the
  same games. An opening in which one side is sure to win says nothing about the engines: most openings of random moves
  are of this kind, in Alquerque nearly all.

Faults:
  An engine that makes an illegal move, sends garbage, crashes or does not reply loses the game, and the match
  continues with a new process. One that replies too late loses, and its process continues. That an illegal move loses
  is a choice of this arena: the rules of Quoridor reject it without a penalty. With --illegal retry the engine may try
  again, up to three times for a move, while its clock or the time for its move runs on.
  Before each game an engine gets 'uginewgame' or 'ucinewgame', and --patience milliseconds for its 'readyok'. Time is
  measured from 'go' to the reply. An engine loses on time if it exceeds its limit, or the time on its clock, by more
  than --margin. The margin allows for a busy machine, which can suspend a process for some tens of milliseconds; an
  engine that uses it still loses the time on its clock, down to 0. When the time is up the arena sends 'stop': an
  engine that replies within a second was late, any other hangs. Searches by nodes or depth have --patience
  milliseconds.

Results:
  The results are those of the first engine; 'pairs' are the numbers of pairs with 2, 1 1/2, 1, 1/2 and 0 points. Elo
  has an interval at 95 %, and LOS is the likelihood that the first engine is the stronger one. In a tournament each
  engine has a rating, and its LOS compares it with the next one. docs/matches.md has the formulas.

Sequential test:
  --sprt ELO0 ELO1 stops the match as soon as a sequential probability ratio test decides for one of the two Elo
  differences, with an error of 5 % either way. It is the generalised test of the pentanomial model.

Rows for programs:
  --csv and --json print a row for each game as it ends, in the order in which games end, after those that the file of
  --record already contains. p1 and p2 are the engines that play the first and the second side. points are those of the
  first engine: in a tournament, of the two engines of the game the one whose line comes first, or the one of
  --gauntlet. The searches of each side
  have separate columns: p1_moves, p1_plies (the sum of the depths), p1_nodes and p1_us (microseconds), and the same
  for p2. The last object of --json has the results of the match, with null for unknown values: accepted is 0 or 1, the
  hypothesis that --sprt has accepted.

Records:
  --record FILE writes each game as it ends. 'load FILE:3' in a session loads the third. If a match was interrupted,
  the same command continues it, and a larger --games extends it. A file of another match, or with other contents, is
  left unchanged. After the match the same command with --plot FILE draws its results: the score after each pair of
  games, or the ratings of a tournament.

Concurrency:
  Each of the --concurrency games has two processes, one of which searches: more games than cores distort matches by
  time. In a tournament each keeps a process, with its memory, of every engine that has played there. The program of an
  engine must not change during a match: give a copy if you will rebuild it.";
