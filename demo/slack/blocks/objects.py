"""Composition objects of Block Kit: text, options, confirm dialogs; with their limits."""

from demo.slack.blocks.checks import Check, choice, flag, items, shape, string, tagged


def plain(most: int) -> Check:
    return tagged({"plain_text": shape({"text": string(most, 1)}, {"emoji": flag})})


def text(most: int) -> Check:
    # Slack refuses `emoji` on mrkdwn and `verbatim` on plain_text.
    return tagged(
        {
            "plain_text": shape({"text": string(most, 1)}, {"emoji": flag}),
            "mrkdwn": shape({"text": string(most, 1)}, {"verbatim": flag}),
        }
    )


CONFIRM = shape(
    {"title": plain(100), "text": text(300), "confirm": plain(30), "deny": plain(30)},
    {"style": choice("primary", "danger")},
)
SLACK_FILE = shape({}, {"id": string(255, 1), "url": string(3000, 1)})
PLACEHOLDER = plain(150)

SELECT_OPTION = shape({"text": plain(75), "value": string(150, 1)}, {"description": plain(75)})
OVERFLOW_OPTION = shape({"text": plain(75), "value": string(150, 1)}, {"description": plain(75), "url": string(3000)})
TICK_OPTION = shape({"text": text(75), "value": string(150, 1)}, {"description": text(75)})
SELECT_OPTIONS = items(SELECT_OPTION, 100)
OPTION_GROUPS = items(shape({"label": plain(75), "options": SELECT_OPTIONS}), 100)
