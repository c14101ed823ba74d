//! Stores each game after each move, so that it survives the end of the program.
//!
//! Each game is a file in the folder `games` of the program's [folder](crate::io::state_folder): a
//! line with the settings of the session, then the record of the game. A session replaces the file
//! as a whole and keeps it locked, so two sessions never write the same game. The oldest files are
//! removed.

#![expect(clippy::disallowed_types, reason = "the time of a file decides no move and no clock")]

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::auto_level::AutoLevel;
use super::clock::Clocks;
use crate::io::pager;
use crate::io::state_folder::{create_private_folder, user_state_folder};
use crate::io::whole_files::{open_regular_file, read_open_file_text};
use pentarch_core::notation::record::GameRecord;
use pentarch_engine::games::all_game_words;
use pentarch_system::file_system::{LockedByOtherRunError, is_open_file_at_path};
use pentarch_system::new_file::{NewFile, PARTIAL_FILE_SUFFIX};
use pentarch_system::{FileError, WithErrorLocation};

/// The number of stored games. The newest game of each kind stays in addition.
const MAX_STORED_GAMES: usize = 50;

/// The end of the name of a stored game.
const STORED_GAME_FILE_SUFFIX: &str = ".record";

/// The beginning of the line with the settings. In a record it begins a line to ignore.
const SETTINGS_START: &str = "% ";

/// The result of an unfinished game.
const UNFINISHED_RESULT: &str = "*";

/// The environment variable whose value `off` turns all stored state off.
const USER_STATE_VARIABLE: &str = "PENTARCH_STATE";

/// Returns whether the program may read and write the state of this user: only on a terminal, and
/// not if the flag `--no-state` or the variable `PENTARCH_STATE` turns it off.
pub fn is_user_state_enabled(no_state: bool) -> bool {
    !no_state && pager::is_stdio_terminal() && !is_user_state_disabled()
}

/// Returns whether the variable `PENTARCH_STATE` turns all stored state off.
pub fn is_user_state_disabled() -> bool {
    std::env::var_os(USER_STATE_VARIABLE).is_some_and(|value| value == "off")
}

/// The settings of a session, which the record of its game does not contain.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredSettings {
    /// The side or sides of the people, as the flag `--side` has them.
    pub side: String,
    /// The engine's level; `None` at full strength and at the level `auto`.
    pub level: Option<String>,
    /// The level `auto`; `None` if the engine plays at another level.
    pub auto: Option<AutoLevel>,
    /// The clocks, as [`Clocks`] writes them; `None` without clocks.
    pub clocks: Option<String>,
    /// Whether the players have swapped sides; `None` if the game began without this right.
    pub has_swapped: Option<bool>,
}

/// A stored game.
#[derive(Debug)]
pub struct StoredGame {
    path: PathBuf,
    /// The time of the last change.
    changed: SystemTime,
    /// The word for the game.
    pub game: &'static str,
    /// The number of moves.
    pub move_count: usize,
    /// The result in the form of a record.
    pub result: String,
    /// The settings of its session.
    pub settings: StoredSettings,
    /// The record.
    pub record: String,
}

impl StoredGame {
    /// Returns the path of its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the time since the last change.
    pub fn age(&self) -> Duration {
        self.changed.elapsed().unwrap_or_default()
    }

    /// Returns whether the game is unfinished.
    pub fn is_unfinished(&self) -> bool {
        self.result == UNFINISHED_RESULT
    }

    fn read(path: &Path) -> io::Result<StoredGame> {
        let mut file = open_regular_file(OpenOptions::new().read(true), path)?;
        let changed = file.metadata()?.modified()?;
        let text = read_open_file_text(&mut file)?;
        let damaged = || io::Error::new(ErrorKind::InvalidData, "it is not a stored game");
        let (settings, record) = text.split_once('\n').ok_or_else(damaged)?;
        let settings = StoredSettings::parse(settings).ok_or_else(damaged)?;
        let parsed = GameRecord::parse(record).map_err(|_| damaged())?;
        let word = parsed.tag_values("Game").next().ok_or_else(damaged)?;
        let words = all_game_words();
        let game = *words.iter().find(|known| **known == word).ok_or_else(damaged)?;
        Ok(StoredGame {
            path: path.into(),
            changed,
            game,
            move_count: parsed.moves.len(),
            result: parsed.result,
            settings,
            record: record.into(),
        })
    }
}

impl StoredSettings {
    /// Returns the settings as a line.
    fn line(&self) -> String {
        let mut line = format!("{SETTINGS_START}side={}", self.side);
        if let Some(level) = &self.level {
            let _ = write!(line, " level={level}");
        }
        if let Some(auto) = self.auto {
            let _ = write!(line, " auto={}", auto.half_steps());
        }
        if let Some(clocks) = &self.clocks {
            let _ = write!(line, " clocks={clocks}");
        }
        if let Some(has_swapped) = self.has_swapped {
            let _ = write!(line, " swapped={has_swapped}");
        }
        line
    }

    /// Parses the line; `None` if it has another form.
    fn parse(line: &str) -> Option<StoredSettings> {
        let mut settings = StoredSettings::default();
        for word in line.strip_prefix(SETTINGS_START)?.split_whitespace() {
            match word.split_once('=')? {
                ("side", side) => settings.side = side.into(),
                ("level", level) => settings.level = Some(level.into()),
                ("auto", half_steps) => {
                    settings.auto = Some(AutoLevel::from_half_steps(half_steps.parse().ok()?)?);
                }
                ("clocks", clocks) => {
                    Clocks::from_stored_text(clocks, clocks.split(',').count(), &[])?;
                    settings.clocks = Some(clocks.into());
                }
                ("swapped", has_swapped) => {
                    settings.has_swapped = Some(has_swapped.parse().ok()?);
                }
                _ => return None,
            }
        }
        Some(settings).filter(|settings| !settings.side.is_empty())
    }
}

/// The stored games of this user, and the file of the current game.
#[derive(Debug, Default)]
pub struct GameStore {
    /// The folder; `None` if no state is used.
    folder: Option<PathBuf>,
    current: Option<CurrentGameFile>,
    /// The text that was stored last, or with which the game began.
    text: String,
}

/// The file of the current game.
#[derive(Debug)]
struct CurrentGameFile {
    path: PathBuf,
    /// The open file, which is locked.
    _lock: File,
}

impl GameStore {
    /// Opens the stored games in the user's folder. If no state is used or the system names no
    /// folder, nothing is read or written.
    pub fn open(is_used: bool) -> GameStore {
        let folder = user_state_folder().filter(|_| is_used).map(|folder| folder.join("games"));
        GameStore { folder, ..GameStore::default() }
    }

    /// Returns whether games are stored.
    pub fn is_enabled(&self) -> bool {
        self.folder.is_some()
    }

    /// Returns whether the current game has a file.
    pub fn has_file(&self) -> bool {
        self.current.is_some()
    }

    /// Returns the stored games, the newest first, and the errors of files that cannot be read.
    pub fn list(&self) -> (Vec<StoredGame>, Vec<FileError>) {
        let mut games = Vec::new();
        let mut errors = Vec::new();
        let Some(folder) = &self.folder else { return (games, errors) };
        let paths = match file_paths_in_folder(folder) {
            Ok(paths) => paths,
            Err(error) => {
                errors.extend(Err::<(), _>(error).with_file_path(folder).err());
                Vec::new()
            }
        };
        for path in paths.iter().filter(|path| has_suffix(path, STORED_GAME_FILE_SUFFIX)) {
            match StoredGame::read(path).with_file_path(path) {
                Ok(game) => games.push(game),
                Err(error) => errors.push(error),
            }
        }
        games.sort_by(|one, other| (other.changed, &other.path).cmp(&(one.changed, &one.path)));
        (games, errors)
    }

    /// Makes a stored game the current one: locks its file. The result has the game's latest state.
    ///
    /// # Errors
    /// If another session has the game, or if the file cannot be read.
    pub fn lock_game(&mut self, game: &StoredGame) -> io::Result<StoredGame> {
        let file = open_regular_file(OpenOptions::new().read(true).write(true), &game.path)?;
        if file.try_lock().is_err() || !is_open_file_at_path(&file, &game.path) {
            return Err(io::Error::other(LockedByOtherRunError));
        }
        let game = StoredGame::read(&game.path)?;
        self.text = format!("{}\n{}", game.settings.line(), game.record);
        self.current = Some(CurrentGameFile { path: game.path.clone(), _lock: file });
        Ok(game)
    }

    /// Unlocks the current game, so that another session may continue it.
    pub fn unlock_current_game(&mut self) {
        self.current = None;
    }

    /// Begins a new game with this record. The file of the previous game stays. The new game gets
    /// its file when it first changes.
    pub fn begin_game(&mut self, settings: &StoredSettings, record: &str) {
        self.current = None;
        self.text = stored_text(settings, record);
    }

    /// Stores the current game if it has changed. Returns whether the game is stored.
    ///
    /// # Errors
    /// If the file cannot be written. The next call tries again.
    pub fn store(&mut self, settings: &StoredSettings, record: &str) -> Result<bool, FileError> {
        let text = stored_text(settings, record);
        let Some(folder) = &self.folder else { return Ok(false) };
        if text == self.text {
            return Ok(self.current.is_some());
        }
        let path = match &self.current {
            Some(current) => current.path.clone(),
            None => {
                let _ = create_private_folder(folder);
                remove_old_game_files(folder);
                new_stored_game_path(folder)
            }
        };
        let written = NewFile::create_private(&path).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.replace_target_and_keep_lock()
        });
        let lock = written.with_file_path(&path)?;
        self.current = Some(CurrentGameFile { path, _lock: lock });
        self.text = text;
        Ok(true)
    }
}

fn stored_text(settings: &StoredSettings, record: &str) -> String {
    format!("{}\n{record}\n", settings.line())
}

/// Returns the path of a new game. Its name has the ID of this process, so no other process uses
/// the same name.
fn new_stored_game_path(folder: &Path) -> PathBuf {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let process = std::process::id();
    (now..)
        .map(|time| folder.join(format!("{time:015}-{process}{STORED_GAME_FILE_SUFFIX}")))
        .find(|path| !path.exists())
        .unwrap_or_default()
}

/// Returns the paths of the files in a folder; none if there is no such folder.
fn file_paths_in_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    entries.map(|entry| Ok(entry?.path())).collect()
}

fn has_suffix(path: &Path, suffix: &str) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(suffix))
}

/// Removes the oldest games and the partial files of sessions that were killed. A file of a current
/// session is locked and stays. A file that cannot be removed does no harm.
fn remove_old_game_files(folder: &Path) {
    let mut games = Vec::new();
    for path in file_paths_in_folder(folder).unwrap_or_default() {
        if has_suffix(&path, PARTIAL_FILE_SUFFIX) {
            remove_if_unlocked(&path);
        } else if has_suffix(&path, STORED_GAME_FILE_SUFFIX)
            && let Ok(changed) = path.symlink_metadata().and_then(|file| file.modified())
        {
            games.push((changed, path));
        }
    }
    games.sort();
    games.reverse();
    let mut kinds = Vec::new();
    for (number, (_, path)) in games.iter().enumerate() {
        let game = StoredGame::read(path).map(|game| game.game).ok();
        let is_newest_of_kind = game.is_some() && !kinds.contains(&game);
        kinds.push(game);
        // The new game takes a place.
        if number + 1 >= MAX_STORED_GAMES && !is_newest_of_kind {
            remove_if_unlocked(path);
        }
    }
}

fn remove_if_unlocked(path: &Path) {
    let file = open_regular_file(OpenOptions::new().read(true).write(true), path);
    if file.is_ok_and(|file| file.try_lock().is_ok()) {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder for a test, which is removed at its end.
    struct Folder(PathBuf);

    impl Folder {
        fn new() -> Folder {
            let name = format!("pentarch-games-{}-{:016x}", std::process::id(), fastrand::u64(..));
            Folder(std::env::temp_dir().join(name))
        }

        fn store(&self) -> GameStore {
            GameStore { folder: Some(self.0.clone()), ..GameStore::default() }
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn settings(level: Option<&str>) -> StoredSettings {
        let clocks = Some("1+2+3,4+5+6".into());
        let auto = AutoLevel::from_half_steps(7);
        StoredSettings {
            side: "white,black".into(),
            level: level.map(str::to_string),
            auto,
            clocks,
            has_swapped: Some(true),
        }
    }

    const START: &str = "[Game \"quoridor\"]\n*";
    const MOVES: [&str; 2] = ["[Game \"quoridor\"]\n1. e2 *", "[Game \"quoridor\"]\n1. e2 e8 *"];

    #[test]
    fn stores_each_change_and_another_session_continues_it() {
        let folder = Folder::new();
        let mut session = folder.store();
        session.begin_game(&settings(None), START);
        assert!(!session.store(&settings(None), START).unwrap(), "nothing has changed");
        assert!(session.list().0.is_empty() && session.list().1.is_empty());
        for record in MOVES {
            assert!(session.store(&settings(None), record).unwrap());
        }
        let (games, _) = session.list();
        let [game] = &games[..] else { panic!("{games:?}") };
        assert_eq!((game.game, game.move_count, game.is_unfinished()), ("quoridor", 2, true));
        assert_eq!(game.settings, settings(None));
        // Another session cannot take the game, and stores its game elsewhere.
        let mut other = folder.store();
        let error = other.lock_game(game).unwrap_err().to_string();
        assert_eq!(error, "another run of the program writes to it");
        other.begin_game(&settings(Some("casual")), START);
        other.store(&settings(Some("casual")), "[Game \"quoridor\"]\n1. e2 1-0").unwrap();
        let (games, _) = other.list();
        assert_eq!(games.iter().filter(|game| game.is_unfinished()).count(), 1);
        // When the first session has ended, the game is free.
        drop(session);
        let taken =
            other.lock_game(games.iter().find(|game| game.is_unfinished()).unwrap()).unwrap();
        assert_eq!(taken.record.trim_end(), MOVES[1]);
        assert!(other.store(&taken.settings, MOVES[0]).unwrap());
        assert_eq!(other.list().0.len(), 2);
    }

    #[test]
    fn reports_damaged_files_and_removes_old_ones() {
        let folder = Folder::new();
        fs::create_dir(&folder.0).unwrap();
        let clocks = "% side=white clocks=banana\n[Game \"quoridor\"]\n*";
        let chess = "% side=white\n[Game \"chess\"]\n*";
        for text in ["", "% side=white\n", chess, clocks, "\u{1b}[2J\n\n"] {
            fs::write(folder.0.join(format!("{}.record", text.len())), text).unwrap();
        }
        fs::write(folder.0.join("x.record"), [0xff]).unwrap();
        fs::write(folder.0.join("y.record.pentarch.part"), "left over").unwrap();
        let (games, errors) = folder.store().list();
        assert_eq!((games.len(), errors.len()), (0, 6));
        for number in 0..MAX_STORED_GAMES + 5 {
            let game = if number == 0 { "roses" } else { "bushka" };
            let text = stored_text(&settings(None), &format!("[Game \"{game}\"]\n1. a1 *"));
            fs::write(folder.0.join(format!("{number:03}.record")), text).unwrap();
        }
        folder.store().store(&settings(None), MOVES[0]).unwrap();
        let (games, errors) = folder.store().list();
        assert_eq!((games.len() + errors.len(), errors.len()), (MAX_STORED_GAMES + 1, 0));
        assert_eq!(games.last().unwrap().game, "roses", "the newest of its kind stays");
        assert!(!folder.0.join("y.record.pentarch.part").exists());
    }

    #[test]
    fn stores_the_game_after_a_fault() {
        let folder = Folder::new();
        fs::write(&folder.0, "a file in the place of the folder").unwrap();
        let mut session = folder.store();
        assert!(session.store(&settings(None), MOVES[0]).is_err());
        assert!(session.store(&settings(None), MOVES[0]).is_err());
        fs::remove_file(&folder.0).unwrap();
        assert!(session.store(&settings(None), MOVES[1]).unwrap());
        assert_eq!(session.list().0.len(), 1);
    }
}
