//! Splits input into words, each with its column for error messages.

/// A word of input, with its column for error messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputWord {
    /// The characters of the word.
    pub text: String,
    /// The column of the word in its line, counted in characters from 1; 0 if the word is not from
    /// a line of input.
    pub column: usize,
}

impl InputWord {
    /// Creates a word that is not from a line of input.
    pub fn from_text(text: &str) -> InputWord {
        InputWord { text: text.into(), column: 0 }
    }

    /// Splits a text into words. Each word gets its column in the text.
    pub fn split_into_words(text: &str) -> Vec<InputWord> {
        let mut words = Vec::new();
        let mut column = 1;
        for part in text.split(char::is_whitespace) {
            if !part.is_empty() {
                words.push(InputWord { text: part.into(), column });
            }
            column += part.chars().count() + 1;
        }
        words
    }
}
