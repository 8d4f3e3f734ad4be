"""Forms at the page: what is typed arrives in Slack's shapes, what is wrong is said at its field."""

import pytest
from playwright.sync_api import expect


def plain(text):
    return {"type": "plain_text", "text": text}


def options(*values):
    return [{"text": plain(value), "value": value} for value in values]


def field(name, optional=False, **element):
    return {
        "type": "input",
        "block_id": name,
        "label": plain(name),
        "optional": optional,
        "element": {"action_id": f"{name}_field", **element},
    }


def form(*blocks, **more):
    return {
        "type": "modal",
        "callback_id": "form",
        "title": plain("Edit"),
        "submit": plain("Send"),
        "close": plain("Back"),
        "blocks": list(blocks),
        **more,
    }


REASON = field("reason", type="plain_text_input", multiline=True)


@pytest.fixture
def fill(sit, place, bot):
    """Open a form with these blocks from a card, as bo."""

    def open_form(*blocks):
        @bot.app.action("more")
        def listener(ack, body, client):
            client.views_open(trigger_id=body["trigger_id"], view=form(*blocks))
            ack()

        place.card()
        tab = sit("bo")
        tab.get_by_role("button", name="More actions of this card").click()
        tab.get_by_role("menuitem").click()
        tab.get_by_role("dialog", name="Edit").wait_for()
        return tab

    return open_form


def send(tab):
    tab.get_by_role("button", name="Send", exact=True).last.click()


def test_an_error_stands_at_its_field_and_what_was_typed_stays(fill, place, bot):
    @bot.app.view("form")
    def listener(ack, view):
        reason = view["state"]["values"]["reason"]["reason_field"]["value"]
        bot.seen.append(reason)
        if reason == "no":
            ack(response_action="errors", errors={"reason": "Say more than that."})
        else:
            ack()

    tab = fill(REASON, field("note", optional=True, type="plain_text_input"))
    reason = tab.get_by_role("textbox", name="reason")
    expect(reason).to_be_focused()
    reason.fill("no")
    tab.get_by_role("textbox", name="note").fill("kept")
    send(tab)

    expect(reason).to_have_accessible_description("Say more than that.")
    expect(reason).to_have_value("no")
    expect(tab.get_by_role("textbox", name="note")).to_have_value("kept")
    reason.fill("the failover is still running")
    send(tab)
    expect(tab.get_by_role("dialog")).to_have_count(0)
    assert bot.seen == ["no", "the failover is still running"]


def test_the_client_itself_keeps_back_an_empty_required_field(fill, place):
    tab = fill(REASON)
    send(tab)

    expect(tab.get_by_text("Please complete this required field.")).to_be_visible()
    assert place.slack.journal.deliveries(type="view_submission") == []


def test_a_form_that_the_app_does_not_answer_says_so_and_stays(fill):
    tab = fill(REASON)
    tab.get_by_role("textbox", name="reason").fill("x")
    send(tab)

    expect(tab.get_by_text("We had some trouble connecting. Try again?")).to_be_visible()
    expect(tab.get_by_role("textbox", name="reason")).to_have_value("x")


def test_every_kind_of_field_arrives_in_slacks_shape(fill, bot):
    @bot.app.view("form")
    def listener(ack, view):
        values = view["state"]["values"]
        bot.seen.append({name: next(iter(entry.values())) for name, entry in values.items()})
        ack()

    tab = fill(
        field("count", type="number_input", is_decimal_allowed=False, initial_value="5"),
        field("zone", type="static_select", options=options("eu", "us")),
        field("mode", type="radio_buttons", options=options("rolling", "recreate")),
        field("flags", type="checkboxes", options=options("wait", "force")),
        field("tags", type="multi_static_select", options=options("a", "b"), initial_options=options("a")),
        field("day", type="datepicker"),
        field("untouched", optional=True, type="plain_text_input", initial_value="as it was"),
    )
    tab.get_by_role("textbox", name="count").fill("7")
    tab.get_by_role("combobox", name="zone").select_option("us")
    tab.get_by_role("radio", name="recreate").check()
    tab.get_by_role("checkbox", name="force").check()
    tab.get_by_role("checkbox", name="b", exact=True).check()
    tab.get_by_label("day").fill("2026-03-04")
    send(tab)
    expect(tab.get_by_role("dialog")).to_have_count(0)

    (seen,) = bot.seen
    assert seen["count"]["value"] == "7"
    assert seen["zone"]["selected_option"]["value"] == "us"
    assert seen["mode"]["selected_option"]["value"] == "recreate"
    assert [one["value"] for one in seen["flags"]["selected_options"]] == ["force"]
    assert [one["value"] for one in seen["tags"]["selected_options"]] == ["a", "b"]
    assert seen["day"]["selected_date"] == "2026-03-04"
    assert seen["untouched"]["value"] == "as it was"


def test_a_pushed_form_covers_the_first_which_keeps_what_was_typed(fill, bot):
    @bot.app.view("form")
    def listener(ack):
        second = form(field("more", type="plain_text_input"), callback_id="second")
        ack(response_action="push", view=second | {"title": plain("Second")})

    tab = fill(REASON)
    tab.get_by_role("textbox", name="reason").fill("first")
    send(tab)
    tab.get_by_role("dialog", name="Second").wait_for()
    tab.get_by_role("button", name="Back").click()

    expect(tab.get_by_role("dialog", name="Edit")).to_be_visible()
    expect(tab.get_by_role("textbox", name="reason")).to_have_value("first")


def test_escape_closes_the_form_for_the_app_too(fill, place):
    tab = fill(REASON)
    tab.keyboard.press("Escape")

    expect(tab.get_by_role("dialog")).to_have_count(0)
    assert place.slack.view(place.bo) is None


def test_options_are_asked_of_the_app_while_typing(fill, bot):
    @bot.app.options("service_field")
    def suggest(ack, payload):
        bot.seen.append(payload["value"])
        ack(options=options("checkout", "checkin"))

    @bot.app.view("form")
    def listener(ack, view):
        values = view["state"]["values"]
        bot.seen.append(values["service"]["service_field"]["selected_option"]["value"])
        ack()

    tab = fill(field("service", type="external_select", min_query_length=5))
    box = tab.get_by_role("combobox", name="service")
    box.press_sequentially("check")
    tab.get_by_role("option", name="checkout").click()
    expect(box).to_have_value("checkout")
    send(tab)

    expect(tab.get_by_role("dialog")).to_have_count(0)
    assert bot.seen == ["check", "checkout"]
