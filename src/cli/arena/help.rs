//! What the help of `arena` has behind its flags.

/// Examples, and what matches and their results are.
pub const EXAMPLES: &str = "\
Examples:
  Is the working copy better than the last version? Two commands, a thousand positions a move:
    pentarch arena --game quoridor --first target/release/pentarch \\
      --second ./old --nodes 1000
  Does more memory help? Two sets of options of this program, ten seconds and a tenth of a second a move:
    pentarch arena --game bushka --first-set Hash=256 --second-set Hash=1 \\
      --time 10000+100
  Test until it is clear whether a change is worth 0 or 10 Elo; the games go to a file, from which the match goes on:
    pentarch arena --second ./old --nodes 2000 --random-plies 6 --games 2000 \\
      --sprt 0 10 --record match.games
  How good is the second side's chance with twenty times the time?
    pentarch arena --game roses --fixed-sides --first-movetime 50 \\
      --second-movetime 1000
  Where does the working copy stand among others? It plays against each engine of a file; each pairing has 40 games:
    pentarch arena --game quoridor --engines engines.txt --gauntlet new \\
      --games 40 --nodes 1000 --record gauntlet.games --plot ratings.svg

Tournaments:
  --engines FILE has an engine a line: its name, and flags if need be. Those with blanks stand in quotes. Empty lines
  and lines that begin with '#' do not count.
    new       --command target/release/pentarch --nodes 2000
    'the old' --command './old --quiet' --set Hash=64 --rating 0
    weak      --level casual
  An engine without --command is this very program. --set NAME=VALUE and --level set options of the engine, behind
  those of the command line; --movetime, --time, --nodes and --depth take the place of the common limit; --rating fixes
  its rating. Each engine plays against each other one, or with --gauntlet NAME one against each of the others:
  --games games of each pairing. They are played round by round, one opening by every pairing before the next one.

Adjudication:
  --adjudicate-score CP PLIES ends a game as won when the last scores of both engines have seen the same side ahead by
  at least CP centipawns for PLIES plies in a row; a mate is beyond any CP, and a move without a score breaks the row.
  --adjudicate-tables ends it, also as a draw, when this program knows the result of the position by the tables that it
  makes of the game, or without a search; not before the first move behind the opening. Records and results say
  'adjudicated by score' and 'adjudicated by tables'.

Games:
  The arena keeps the games by its own rules, with RepetitionDraw on unless --set RepetitionDraw=false is given.
  --set sets an option of all engines, --first-set and --second-set of one of two; rules are set for all. An
  engine that lacks the options Game or RepetitionDraw, or one for a rule at its default, is accepted without them.
  A game with --plies plies, those of the opening included, is a draw.

Openings:
  Games begin with the openings of the game: under its usual rules each game has a list of them, from which either
  side can win, and they are played in their order; under other rules games begin at the start position. Instead they
  can begin with random moves (--random-plies, --seed: never decided, and different from each other as long as there
  are different ones), at the start position (--random-plies 0), or with the lines of a file (--openings: 'startpos
  moves e2 e8', a position text, or one followed by 'moves' and moves), as 'pentarch openings' writes them.
  Each opening is played twice, the engines swapping sides. With --fixed-sides the first engine always plays the
  first side, and each opening is played once. Matches by nodes or depth have the same results on every run and on
  busy machines, times aside. They need as many openings as pairs of games, since the same opening always gives the
  same games. An opening by which one side is sure to win says nothing about the engines: after random moves most are
  of this kind, in Alquerque nearly all.

Faults:
  An engine that makes an illegal move, answers nonsense, crashes or does not answer loses the game, and the match
  goes on with a new process; one that answers too late loses and goes on itself. That an illegal move loses is the
  choice of this arena: the rules of Quoridor refuse it without a penalty. With --illegal retry the engine is asked
  again instead, up to three times for a move, while its clock or the time for its move runs on.
  Before each game an engine gets 'uginewgame' or 'ucinewgame', and --patience milliseconds for its 'readyok'. Time is
  measured from 'go' to the answer. An engine loses on time if it takes more than its limit, or than its clock shows,
  by more than --margin. The margin allows for a busy machine, which can hold a process up for some tens of
  milliseconds; what an engine takes of it still runs off its clock, down to 0. An engine whose time is up is sent
  'stop': if it answers within a second it was late, otherwise it hangs. Searches by nodes or depth have --patience
  milliseconds.

Results:
  The results are those of the first engine; 'pairs' are the numbers of pairs with 2, 1 1/2, 1, 1/2 and 0 points. Elo
  has an interval at 95 %, and LOS is the likelihood that the first engine is the stronger one. In a tournament each
  engine has a rating, and its LOS compares it with the next one. docs/matches.md has the formulas.

Sequential test:
  --sprt ELO0 ELO1 stops the match as soon as a sequential probability ratio test decides for one of the two Elo
  differences, with an error of 5 % either way. It is the generalised test of the pentanomial model.

Rows for programs:
  --csv and --json print a row for each game as it ends, in the order in which games end, and first those that the
  file of --record holds already. p1 and p2 are the engines that play the first and the second side, points those of
  the first engine, in a tournament of that one of the two whose line comes first, or of the one of --gauntlet. The
  effort has columns of its own: p1_moves, p1_plies (the sum of the depths), p1_nodes and p1_us (microseconds), and
  the same for p2. The last object of --json tells what the match tells, with null for what is not known: accepted is
  0 or 1, the hypothesis that --sprt has taken.

Records:
  --record FILE writes each game as it ends. 'load FILE:3' in a session takes up the third. If a match was
  interrupted, the same command goes on from there, and more --games prolong it. A file of another match, or of
  anything else, is left alone. When the match is over, the same command with --plot FILE draws its results: the score
  after each pair of games, or the ratings of a tournament.

Concurrency:
  Each of the --concurrency games has two processes, of which one thinks: more games than cores spoil matches by time.
  In a tournament it keeps a process of each engine that it has met, with its memory. The program of an engine must
  not change during a match: give a copy of a program that will be built anew.";
