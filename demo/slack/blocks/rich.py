"""The rich_text block: sections, lists, quotes, preformatted text and the leaves in them."""

from demo.slack.blocks.checks import Check, choice, flag, items, shape, string, tagged, whole

# Slack documents no length for a leaf; the sum over the whole message is what limits it.
ANY_LENGTH = 1_000_000
STYLE = shape({}, {name: flag for name in ("bold", "italic", "strike", "code", "underline", "highlight")})
STYLED = {"style": STYLE}
ID = string(255, 1)

LEAVES: dict[str, Check] = {
    "text": shape({"text": string(ANY_LENGTH, 1)}, STYLED),
    "link": shape({"url": string(3000, 1)}, {**STYLED, "text": string(ANY_LENGTH), "unsafe": flag}),
    "emoji": shape({"name": ID}, {**STYLED, "unicode": string(255), "skin_tone": whole(6, 1)}),
    "user": shape({"user_id": ID}, STYLED),
    "usergroup": shape({"usergroup_id": ID}, STYLED),
    "channel": shape({"channel_id": ID}, STYLED),
    "broadcast": shape({"range": choice("here", "channel", "everyone")}, STYLED),
    "date": shape(
        {"timestamp": whole(99_999_999_999, 0), "format": string(ANY_LENGTH, 1)},
        {**STYLED, "url": string(3000), "fallback": string(ANY_LENGTH)},
    ),
    "color": shape({"value": ID}),
}
LEAF_LIST = items(tagged(LEAVES), 100_000, least=0)
BORDER = {"border": whole(1, 0)}
SECTION = shape({"elements": LEAF_LIST})
PARTS: dict[str, Check] = {
    "rich_text_section": SECTION,
    "rich_text_preformatted": shape(
        {"elements": items(tagged({name: LEAVES[name] for name in ("text", "link")}), 100_000, least=0)},
        {**BORDER, "language": ID},
    ),
    "rich_text_quote": shape({"elements": LEAF_LIST}, BORDER),
    "rich_text_list": shape(
        {
            "elements": items(tagged({"rich_text_section": SECTION}), 100_000),
            "style": choice("bullet", "ordered"),
        },
        {**BORDER, "indent": whole(8, 0), "offset": whole(100_000, 0)},
    ),
}
RICH_TEXT_ELEMENTS = items(tagged(PARTS), 100_000)
