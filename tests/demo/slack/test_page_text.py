"""What was written stays text, whatever it is; what Slack gives a meaning to has that meaning; all fits a phone."""

import base64

import pytest
from playwright.sync_api import expect

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "safe\u202egnp.exe",
    '"><svg onload=alert(1)>',
    "javascript:alert(1)",
)
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
LONG = "x" * 1500


def plain(text):
    return {"type": "plain_text", "text": text}


def preformatted(text):
    pre = {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": text}]}
    return {"type": "rich_text", "elements": [pre]}


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def everywhere(text):
    """The text in every place of a card that can hold it."""
    return [
        {"type": "header", "text": plain(escaped(text)[:150])},
        {"type": "section", "text": {"type": "mrkdwn", "text": escaped(text)[:3000]}},
        {"type": "section", "text": plain("fields"), "fields": [plain(escaped(text)[:2000]), plain("b")]},
        preformatted(text),
        {"type": "markdown", "text": text},
        {
            "type": "actions",
            "elements": [
                {"type": "button", "action_id": "a", "text": plain(escaped(text)[:75])},
                {"type": "static_select", "action_id": "s", "options": [{"text": plain(text[:75]), "value": "v"}]},
            ],
        },
        {"type": "context", "elements": [plain(escaped(text)[:3000])]},
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text_in_every_block(sit, place, text):
    place.slack.workspace.change_user(place.bo, real_name=text)
    place.client.chat_postMessage(channel=place.ops, text=f"<@{place.ana}> {escaped(text)}", blocks=everywhere(text))
    place.slack.say(place.bo, place.ops, escaped(text))
    tab = sit("ana")
    tab.on("dialog", lambda dialog: pytest.fail(f"the page ran {dialog.message}"))

    card = tab.get_by_role("article").first
    expect(card.locator("pre").first).to_have_text(text)
    expect(card.get_by_role("heading").first).to_have_text(text)
    assert tab.locator("img, script:not([src]), main svg:not(.icon), a[href^='javascript']").count() == 0


def test_tokens_of_mrkdwn_mean_what_they_mean_in_slack(sit, place):
    group = place.slack.workspace.add_group("oncall", [place.bo])
    text = (
        f"*bold* _slanted_ ~struck~ `a*b*c` <@{place.ana}> <!subteam^{group}> <#{place.ops}> <!here> "
        "<https://example.com/a?b=1&amp;c=2|the log> <!date^1792000000^{date_short} {time}|then> 2*3*4 &amp;lt;b&gt;\n"
        "&gt; quoted"
    )
    place.client.chat_postMessage(channel=place.ops, text=text)
    tab = sit("ana")

    said = tab.locator(".text")
    expect(said).to_have_text(
        "bold slanted struck a*b*c @Ana @oncall #ops @here the log 14 Oct 2026 19:46 2*3*4 &lt;b>quoted"
    )
    expect(said.locator("b")).to_have_text("bold")
    expect(said.locator("code")).to_have_text("a*b*c")
    expect(said.locator("blockquote")).to_have_text("quoted")
    expect(said.locator(".mention.mine")).to_have_text(["@Ana", "@here"])
    expect(said.get_by_role("link")).to_have_attribute("href", "https://example.com/a?b=1&c=2")


def test_a_link_of_markdown_shows_where_it_leads(sit, place):
    block = {"type": "markdown", "text": "# Found\n\n- see [the log](https://example.com)\n\n```\n**raw**\n```"}
    place.client.chat_postMessage(channel=place.ops, text="md", blocks=[block])
    tab = sit("ana")

    shown = tab.get_by_role("article")
    expect(shown.get_by_role("heading", name="Found")).to_be_visible()
    expect(shown.get_by_role("listitem")).to_have_text("see the log (https://example.com)")
    expect(shown.locator("pre")).to_have_text("**raw**")


def test_underscores_inside_names_are_no_markdown(sit, place):
    text = "- notes__delete_note: done. `notes__list_notes` and __bold__ words"
    place.client.chat_postMessage(channel=place.ops, text="md", blocks=[{"type": "markdown", "text": text}])
    item = sit("ana").get_by_role("article").get_by_role("listitem")

    expect(item).to_have_text("notes__delete_note: done. notes__list_notes and bold words")
    expect(item.locator("b")).to_have_text("bold")


def test_long_text_overflows_nothing_on_a_phone(sit, place):
    ts = place.client.chat_postMessage(channel=place.ops, text="long", blocks=everywhere(LONG))["ts"]
    place.slack.say(place.ana, place.ops, LONG, thread_ts=ts)
    place.slack.say(place.bo, place.ops, f"<@{place.ana}> {LONG}")
    tab = sit("ana", 360, 740)
    assert overflowing(tab) == []

    tab.get_by_role("button", name="1 reply").click()
    expect(tab.get_by_role("textbox", name="Reply in the thread")).to_be_visible()
    expect(tab.get_by_role("textbox", name="Message #ops")).to_be_hidden()
    assert overflowing(tab) == []
    tab.get_by_role("button", name="Back to the channel").click()
    expect(tab.get_by_role("textbox", name="Message #ops")).to_be_visible()
    tab.get_by_role("button", name="Phone, fleet").click()
    assert overflowing(tab) == []
    tab.get_by_role("button", name="Chats").click()
    expect(tab.get_by_role("textbox", name="Message #ops")).to_be_visible()
    tab.get_by_role("button", name="Chats").click()
    expect(tab.get_by_role("navigation", name="Conversations")).to_be_visible()
    assert overflowing(tab) == []


def test_everything_to_press_on_a_phone_fits_a_thumb(sit, place):
    place.slack.say(place.ana, place.ops, "a thread", thread_ts=place.card())
    tab = sit("bo", 360, 740)

    small = tab.evaluate(
        """() => [...document.querySelectorAll("button, select, textarea")]
            .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 40)
            .map((one) => one.textContent || one.ariaLabel)"""
    )
    assert small == []


def test_a_picture_is_shown_to_those_who_can_see_it(sit, place):
    eve = place.slack.workspace.add_user("eve", team_id="T0OTHER")
    secret = place.slack.workspace.add_channel("leads", [place.ana], kind="private")
    place.slack.share_file(place.ana, place.ops, "p99.png", PNG)
    place.slack.share_file(place.ana, secret, "page.png", PNG)
    tab = sit("bo")

    expect(tab.get_by_role("img", name="p99.png")).to_have_js_property("naturalWidth", 1)
    shown, hidden = place.slack.workspace.files
    asked = [f"picture/{shown}?user={place.bo}", f"picture/{hidden}?user={place.bo}", f"picture/{shown}?user={eve}"]
    answers = [tab.request.get(place.slack.page_url + path).status for path in asked]
    assert answers == [200, 404, 400]


def test_a_picture_from_elsewhere_is_not_loaded(sit, place):
    block = {"type": "image", "image_url": "https://evil.example/pixel.png", "alt_text": "errors per minute"}
    place.client.chat_postMessage(channel=place.ops, text="chart", blocks=[block])
    tab = sit("ana")

    expect(tab.get_by_role("img", name="errors per minute")).to_have_text("errors per minute")
    assert tab.locator("img").count() == 0


def overflowing(tab):
    """What sticks out to the right of the window, or of the box that is to hold it."""
    return tab.evaluate(
        """() => [...document.querySelectorAll("body *")]
            .filter((one) => one.offsetParent && (one.getBoundingClientRect().right > innerWidth + 1
                || (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === "visible"
                    && getComputedStyle(one).display !== "inline")))
            .map((one) => `${one.tagName} ${one.className} ${one.scrollWidth} ${one.clientWidth}`)"""
    )
