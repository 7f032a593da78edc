# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Names that shells, sbatch and option parsers might take for something else."""

# A shell that executes one of them creates a file `injected`, which must never exist.
WORDS = [
    "$(touch injected)", "`touch injected`", "; touch injected", "& touch injected &", "| touch injected",
    "&& touch injected", "|| touch injected", "> injected", "< /dev/null > injected", "'; touch injected; '",
    '"; touch injected; "', "'\"'\"'", "${IFS}", "$HOME", "$((1+1))", "~", "~root", "*", "?", "[a-z]", "{a,b}",
    "!!", "!touch", "# comment", "a#b", "a b", " leading", "trailing ", "--help", "-rf", "--", "-", "-o", "--set",
    "a=b", "=", "%j", "%x-%A_%a", "%%", "ü", "数据", "é", "\u202egnp", "\u00a0", "\u2028line", "😀", "\\n", "\\",
    "'", '"', "''", "$'\\n'", "<(touch injected)", "(touch injected)", "#SBATCH --wrap=x", "n" * 200, "...", "@file",
]
CONTROL = ["a\nb", "\ntouch injected\n", "a\rb", "a\tb", "a\x1b[2Jb", "a\x07", "a\x7f", "x\n#SBATCH --wrap=touch"]
