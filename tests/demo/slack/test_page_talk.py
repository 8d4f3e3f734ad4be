"""People at the page, in a real browser, with a real Bolt app behind the workspace."""

import re

import pytest
from playwright.sync_api import expect

from demo.slack.page.page import Person


def button(tab, name):
    return tab.get_by_role("button", name=name, exact=True)


def write(tab, text, box="Message #ops"):
    tab.get_by_role("textbox", name=box).press_sequentially(text)
    tab.get_by_role("textbox", name=box).press("Enter")


@pytest.fixture
def approves(bot):
    """Approve changes the card, and tells the clicker only."""

    @bot.app.action("approve")
    def listener(ack, body, client, respond):
        ack()
        bot.seen.append((body["user"]["id"], body["actions"][0]["value"]))
        client.chat_update(channel=body["channel"]["id"], ts=body["message"]["ts"], text="Approved", blocks=[])
        respond(text="Your approval is recorded.", response_type="ephemeral", replace_original=False)


def test_a_mention_chosen_from_the_list_reaches_the_app_as_a_token(sit, place, bot):
    @bot.app.event("app_mention")
    def listener(ack, event, client):
        ack()
        bot.seen.append(event["text"])
        client.chat_postMessage(channel=event["channel"], thread_ts=event["ts"], text="Working on it")

    bot.app.event("message")(lambda ack: ack())
    tab = sit("ana")
    box = tab.get_by_role("textbox", name="Message #ops")
    box.press_sequentially("@cou")
    box.press("Enter")
    write(tab, "restart <checkout> & tell @Bo")
    tab.get_by_role("button", name=re.compile("1 reply")).click()

    expect(tab.get_by_role("region", name="Thread").get_by_text("Working on it")).to_be_visible()
    assert bot.seen == [
        f"<@{place.slack.workspace.app.user_id}> restart &lt;checkout&gt; &amp; tell <@{place.bo}>",
    ]


def test_a_click_goes_out_once_the_confirm_dialog_is_agreed_to(sit, place, bot, approves):
    place.card()
    tab = sit("bo")

    button(tab, "Approve").click()
    dialog = tab.get_by_role("alertdialog", name="Sure?")
    expect(dialog).to_contain_text("It runs at once.")
    button(dialog, "Go back").click()
    assert place.slack.journal.deliveries("interaction") == []

    button(tab, "Approve").click()
    button(dialog, "Approve").click()
    expect(tab.get_by_text("Approved")).to_be_visible()
    assert bot.seen == [(place.bo, "A-1")]


def test_what_is_said_to_one_person_is_shown_to_nobody_else(sit, place, bot, approves):
    place.card()
    ana, bo = sit("ana"), sit("bo")

    button(bo, "Approve").click()
    button(bo.get_by_role("alertdialog"), "Approve").click()
    expect(bo.get_by_text("Only visible to you")).to_be_visible()
    expect(bo.get_by_text("Your approval is recorded.")).to_be_visible()

    expect(ana.get_by_text("Approved")).to_be_visible()
    expect(ana.get_by_text("Your approval is recorded.")).to_have_count(0)


def test_an_overflow_menu_is_used_by_keyboard(sit, place, bot):
    @bot.app.action("more")
    def listener(ack, action):
        bot.seen.append(action["selected_option"]["value"])
        ack()

    place.card()
    tab = sit("bo")
    menu_button = tab.get_by_role("button", name="More actions of this card")
    menu_button.focus()
    menu_button.press("Enter")
    tab.get_by_role("menuitem", name="Reject with reason…").press("Enter")

    place.slack.wait_for(lambda: bot.seen)
    assert bot.seen == ["reject A-1"]


def test_a_click_that_nobody_answers_shows_a_warning_at_the_message(sit, place, bot):
    place.card()
    tab = sit("bo")
    button(tab, "Approve").click()
    button(tab.get_by_role("alertdialog"), "Approve").click()

    expect(tab.get_by_role("article").get_by_role("alert")).to_have_text("This app is not responding")
    expect(button(tab, "Approve")).to_be_enabled()


def test_a_slash_command_is_answered_to_who_typed_it(sit, place, bot):
    @bot.app.command("/countersign")
    def listener(ack, command):
        bot.seen.append((command["user_id"], command["text"]))
        ack("I heard you.")

    tab = sit("ana")
    write(tab, "/countersign ask what is wrong?")

    expect(tab.get_by_text("I heard you.")).to_be_visible()
    assert bot.seen == [(place.ana, "ask what is wrong?")]


def test_a_command_that_slack_does_not_know_is_refused_in_a_sentence_and_kept(sit, place):
    tab = sit("ana")
    write(tab, "/nonsense")

    expect(tab.get_by_role("alert").get_by_text("is not offered /nonsense")).to_be_visible()
    expect(tab.get_by_role("textbox", name="Message #ops")).to_have_value("/nonsense")


def test_a_message_shortcut_hands_the_message_to_the_app(sit, place, bot):
    @bot.app.shortcut("hand_to_agent")
    def listener(ack, body):
        bot.seen.append((body["user"]["id"], body["message"]["text"]))
        ack()

    place.slack.say(place.ana, place.ops, "checkout throws 500s")
    tab = sit("bo")
    tab.get_by_text("checkout throws 500s").hover()
    tab.get_by_role("button", name="More actions").click()
    tab.get_by_role("menuitem", name="Hand to an agent").click()

    place.slack.wait_for(lambda: bot.seen)
    assert bot.seen == [(place.bo, "checkout throws 500s")]


def test_a_direct_message_to_the_app_is_one_click_away(sit, place, bot):
    @bot.app.event("message")
    def listener(ack, event, say):
        ack()
        if not event.get("bot_id"):
            say(f"You said {event['text']}")

    tab = sit("ana")
    button(tab, "Countersign").click()
    write(tab, "hello", "Message Countersign")

    expect(tab.get_by_role("article").get_by_text("You said hello")).to_be_visible()


def test_another_person_is_played_in_the_same_tab(sit, place):
    tab = sit("ana")
    tab.get_by_role("button", name="Bo on call").click()
    expect(tab.get_by_role("button", name="Bo on call")).to_have_attribute("aria-pressed", "true")
    write(tab, "I take it")

    message = place.slack.wait_for(lambda: place.slack.messages(place.ops))[0]
    assert (message.user_id, message.text) == (place.bo, "I take it")
    tab.reload()
    expect(tab.get_by_role("button", name="Bo on call")).to_have_attribute("aria-pressed", "true")


def test_an_outsider_sees_only_the_channels_they_are_in(sit, place, people):
    eve = place.slack.workspace.add_user("eve", team_id="T0OTHER")
    people.append(Person(eve, "outsider"))
    place.slack.workspace.add_channel("shared", [place.ana, eve], is_ext_shared=True)
    tab = sit("ana")
    tab.get_by_role("button", name="Eve outsider").click()

    conversations = tab.get_by_role("navigation", name="Conversations")
    expect(button(conversations, "shared")).to_be_visible()
    expect(button(conversations, "ops")).to_have_count(0)


def test_the_lock_screen_shows_what_rings_for_this_person_only(sit, place):
    bo, ana = sit("bo"), sit("ana")
    only_named = {"type": "section", "text": {"type": "mrkdwn", "text": f"PROD: not <@{place.ana}>, who asked"}}
    text = f"PROD: <@{place.bo}> restart? " + "x" * 200
    place.client.chat_postMessage(channel=place.ops, text=text, blocks=[only_named])

    line = bo.get_by_role("region", name="Lock screen of Bo").get_by_role("listitem")
    expect(line).to_contain_text("PROD: @Bo restart?")
    expect(line).to_contain_text("…")
    expect(ana.get_by_text("PROD: not @Ana")).to_be_visible()
    expect(ana.get_by_role("region", name="Lock screen of Ana").get_by_role("listitem")).to_have_count(0)


def test_the_world_outside_is_shown_as_it_changes(sit, panel):
    tab = sit("ana")
    panel["rows"] = [{"name": "checkout", "value": "5 of 5 ready", "tone": "good"}]
    panel["log"] = [{"at": 0, "text": "restarted checkout"}]

    fleet = tab.get_by_role("region", name="Fleet")
    expect(fleet).to_contain_text("5 of 5 ready")
    expect(fleet).to_contain_text("01:00:00 restarted checkout")


def test_whose_phone_rang_is_marked_until_they_are_played(sit, place):
    tab = sit("ana")
    place.client.chat_postMessage(channel=place.ops, text=f"<@{place.bo}> please look")
    bo = tab.get_by_role("button", name="Bo on call")

    expect(bo).to_have_attribute("title", "Bo’s phone rang")
    bo.click()
    expect(bo).to_have_attribute("aria-pressed", "true")
    tab.get_by_role("button", name="Ana asks").click()
    expect(bo).not_to_have_attribute("title", "Bo’s phone rang")


def test_a_home_is_there_once_the_app_has_published_it(sit, place, bot):
    def blocks(text):
        pressed = {"type": "button", "action_id": "refresh", "text": {"type": "plain_text", "text": "Refresh"}}
        said = {"type": "section", "text": {"type": "plain_text", "text": text}}
        return [said, {"type": "actions", "elements": [pressed]}]

    def publish(text, user=place.bo):
        place.client.views_publish(user_id=user, view={"type": "home", "blocks": blocks(text)})

    @bot.app.event("app_home_opened")
    def opened(ack, event):
        ack()
        publish("Nothing waits for you", event["user"])

    @bot.app.action("refresh")
    def refreshed(ack):
        ack()
        publish("One request waits for you")

    tab = sit("bo")
    button(tab, "Countersign").click()
    button(tab, "Countersign – Home").click()
    expect(tab.get_by_text("Nothing waits for you")).to_be_visible()
    button(tab, "Refresh").click()
    expect(tab.get_by_text("One request waits for you")).to_be_visible()
    tab.get_by_role("button", name="Ana asks").click()
    expect(tab.get_by_text("Nothing waits for you")).to_be_visible()
