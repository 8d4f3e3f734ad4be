"""Texts that want to be more than text. A few hundred: each of the first list also inside of other text."""

from typing import Final

TOKENS: Final = [
    "<!channel>", "<!here>", "<!everyone>", "<!here|innocent>", "<!channel|>", "<@U1EVIL>", "<@U1EVIL|ana>",
    "<@W1EVIL>",
    "<#C1EVIL|ops>", "<#C1EVIL>", "<!subteam^S1EVIL>", "<!subteam^S1EVIL|@oncall>", "<!date^0^{date}|long ago>",
    "<!date^0^{date}^https://evil.example|long ago>", "<https://evil.example|Approve>", "<http://evil.example>",
    "<mailto:a@evil.example|mail>", "<javascript:alert(1)|x>", "<slack://user?team=T1&id=U1>", "<tel:110>",
    "&lt;!channel&gt;", "&amp;lt;!channel&amp;gt;", "&#60;!channel&#62;", "&#x3c;!here&#x3e;", "<<!channel>>",
    "<!channel",
    "!channel>", "<\n!channel>", "<\u200b!channel>", "\uff1c!channel\uff1e", "<!chan\u0000nel>",
]  # fmt: skip
MARKUP: Final = [
    "*approved*", "_approved_", "~rejected~", "`code`", "```\n<!channel>\n```", "> quoted", ">>> quoted", ":warning:",
    ":warning", "warning:", ":white_check_mark: Approved", ":+1:", ":wave::skin-tone-2:", "a:bug:b", "::warning::",
    "• Approve", "- item", "1. item", "[Approve](https://evil.example)", "![x](https://evil.example/x.png)",
    "[Approve][1]\n\n[1]: https://evil.example", "> [1]: https://evil.example", "# heading", "| a | b |\n|---|---|",
    "@channel", "@here", "#general", "https://evil.example", "http://evil.example/?a=b&c=d", "*", "**", "_", "__", "`",
    "``", "~", ":", "::", "*a", "a*", "_a", "a_", "*_~`", "\\*approved\\*", '"quoted"', "(default)", "x (was y)",
    "{service}", "{environment} - {token}", "{}", "%s", "${HOME}", "\\u{200B}", "…", "hidden, 12 characters", "⏎", "·",
]  # fmt: skip
UNSEEN: Final = [
    "\u202eevorppA", "\u2066x\u2069", "\u200f\u200e", "\u061c", "\u202a\u202c", "pro\u200bd", "prod\u200d",
    "\ufeffprod",
    "\u2060prod", "pr\u00adod", "prod\u00a0", "\u3000prod", "\u2003prod", "\u3164", "\u115f\u1160", "\u2800",
    "\ufe0f\ufe0e", "\U000e0041\U000e0042\U000e007f", "\U000e0100", "\u180e", "\u034f", "\u17b4", "\uffa0",
    "\ufff9x\ufffb",
    "a\x00b", "a\x07b", "a\x1b[31mred", "a\rb", "a\r\nb", "a\x08b", "a\x85b", "line\u2028line", "para\u2029para",
    "a\nb",
    "a\tb", "\x7f", "\ud800", "\udfff", "\ue000", "\U000f0000", "\uffff", "\u0378", "\U0001f3f4\U000e0067\U000e007f",
]  # fmt: skip
MARKS: Final = [
    "\u0301", "e\u0301\u0302\u0303\u0304", "p\u0336r\u0336o\u0336d\u0336", "\u20dd", "1\ufe0f\u20e3",
    "a" + "\u0300" * 500,
    " \u0338", "\u093f\u0915", "\u0e01\u0e33\u0e49", "x\u0489", "\u05d0\u05b7\u05bc", "\u064b\u064c",
]  # fmt: skip
SHAPES: Final = [
    "", " ", "  ", "x" + " " * 60 + "service  billing", "prod" + " " * 200 + "staging", "\n" * 40,
    "x\nservice  billing",
    "\tservice\tbilling", "null", "true", "5", "1e999", '{"a": 1}', "[]", "0" * 40, "𝕏" * 60, "中" * 60, "אבג",
    "a" * 300,
]  # fmt: skip
LONG: Final = [
    "x" * 30_000, "\n" * 30_000, "<!channel>" * 3_000, "&" * 30_000, "𝕏" * 15_000, "\u202e" * 30_000, "*" * 30_000,
    ":a" * 15_000, "_ " * 15_000, "a\n" * 15_000, "\U000e0041" * 30_000, "é" * 30_000, '"' * 30_000, "\\" * 30_000,
]  # fmt: skip
PLACED: Final = ("{}", "prod {}", "{} prod", "a{}b", "({})", "*{}", "{}:", "`{}")
HOSTILE: Final = [
    *(place.replace("{}", text) for text in TOKENS for place in PLACED[:4]),
    *(place.replace("{}", text) for text in MARKUP for place in PLACED[:1] + PLACED[5:]),
    *UNSEEN, *MARKS, *SHAPES,
]  # fmt: skip
