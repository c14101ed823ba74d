//! Words of input with their places.

/// A word of a line of input, with its column for error messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The text of the word.
    pub text: String,
    /// The column of the word in its line, in characters from 1; 0 if the word is not from a line
    /// of input.
    pub column: usize,
}

impl Word {
    /// A word that is not from a line of input.
    pub fn without_column(text: &str) -> Word {
        Word { text: text.into(), column: 0 }
    }

    /// The words of a text, with their columns in it.
    pub fn split(text: &str) -> Vec<Word> {
        let (mut words, mut column) = (Vec::new(), 1);
        for part in text.split(char::is_whitespace) {
            if !part.is_empty() {
                words.push(Word { text: part.into(), column });
            }
            column += part.chars().count() + 1;
        }
        words
    }
}
