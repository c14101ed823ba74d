//! Generates the manual page: the program and all its subcommands on one page. The last sections
//! are about the program as a whole.

use std::io;

use clap::Command;
use clap_mangen::Man;

/// Returns the manual page of this command line in roff, the language of `man`. Each subcommand is
/// a section.
///
/// # Errors
/// If the page cannot be written into memory.
pub(super) fn manual_page(program: &Command) -> io::Result<String> {
    let whole = Man::new(program.clone());
    let mut page = Vec::new();
    whole.render_title(&mut page)?;
    whole.render_name_section(&mut page)?;
    render_common_manual_sections(&whole, &mut page)?;
    let mut page = manual_text(page);
    for subcommand in program.get_subcommands() {
        // The flags of the program are not repeated in the section of a subcommand.
        let name = format!("{} {}", program.get_name(), subcommand.get_name());
        let subcommand = subcommand.clone().bin_name(&name).disable_help_flag(true);
        let mut sections = Vec::new();
        render_common_manual_sections(&Man::new(subcommand), &mut sections)?;
        page += &format!(".SH \"{}\"\n", name.to_uppercase());
        page += &manual_text(sections).replace(".SH ", ".SS ");
    }
    Ok(page + LAST_SECTIONS)
}

/// The last sections of the page.
const LAST_SECTIONS: &str = r#".SH "EXIT STATUS"
.TP
0
The command has succeeded. A session also ends with 0 if it has rejected lines.
.TP
1
The command has failed, for example because a file cannot be read.
.TP
2
The arguments or the input are invalid.
.TP
130
Ctrl-C has ended the program.
.SH FILES
.TP
.I $XDG_STATE_HOME/pentarch/games
The games at a terminal, one file for each game.
.TP
.I $XDG_STATE_HOME/pentarch/problems
The solved problems.
.TP
.I $XDG_STATE_HOME/pentarch/token
The token in the address of the page.
.PP
Without XDG_STATE_HOME, the folder is in ~/.local/state, in ~/Library/Application Support on macOS, and in
LOCALAPPDATA on Windows. Only its user can read it.
.SH "SEE ALSO"
.BR less (1)
.PP
The folder docs of the archive and of the repository describes each subcommand at length.
"#;

/// Writes the sections that every command has. The examples come last.
fn render_common_manual_sections(man: &Man, page: &mut Vec<u8>) -> io::Result<()> {
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    man.render_extra_section(page)
}

/// Returns the manual page as a text. Adds the headings of the examples and of the environment, and
/// a mark so that their lines are not joined.
fn manual_text(page: Vec<u8>) -> String {
    String::from_utf8_lossy(&page)
        .replace("EXTRA\nExamples:\n", "EXAMPLES\n.nf\n")
        .replace("\nEnvironment:\n", ".fi\n.SH ENVIRONMENT\n.nf\n")
        + ".fi\n"
}
