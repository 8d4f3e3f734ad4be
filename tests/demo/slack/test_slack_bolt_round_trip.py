import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from demo.slack.acks import NOT_RESPONDING, TROUBLE
from demo.slack.inputs import CannotDo


def text_block(block_id: str, *, optional: bool = False, **more: Any) -> dict[str, Any]:
    return {
        "type": "input",
        "block_id": block_id,
        "optional": optional,
        "label": {"type": "plain_text", "text": block_id},
        "element": {"type": "plain_text_input", "action_id": f"{block_id}_field", **more},
    }


def modal(*blocks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "type": "modal",
        "callback_id": "form",
        "title": {"type": "plain_text", "text": "Edit"},
        "submit": {"type": "plain_text", "text": "Send"},
        "blocks": list(blocks) or [text_block("reason")],
        **more,
    }


def opens(bot, view) -> None:
    @bot.app.action("approve")
    def listener(ack, body, client):
        bot.seen.append(client.views_open(trigger_id=body["trigger_id"], view=view)["view"])
        ack()


def test_a_signed_click_reaches_a_real_bolt_listener(place, bot):
    @bot.app.action("approve")
    def listener(ack, body, action):
        bot.seen.append((body["user"]["id"], body["user"]["team_id"], action["value"], body["message"]["ts"]))
        ack()

    ts = place.card()
    delivery = place.slack.click(place.ana, place.ops, ts, "approve")

    assert (delivery.status, delivery.shown) == (200, None)
    assert bot.seen == [(place.ana, place.slack.workspace.team_id, "A-1", ts)]


def test_the_confirm_dialog_of_a_button_is_recorded(place, bot):
    bot.app.action("approve")(lambda ack: ack())

    delivery = place.slack.click(place.ana, place.ops, place.card(), "approve")

    assert delivery.confirm["deny"]["text"] == "Go back"


def test_an_overflow_option_is_chosen_by_its_visible_text(place, bot):
    @bot.app.action("more")
    def listener(ack, action):
        bot.seen.append(action["selected_option"]["value"])
        ack()

    place.slack.click(place.bo, place.ops, place.card(), "more", option="Reject with reason…")

    assert bot.seen == ["reject A-1"]


def test_a_click_nobody_listens_to_shows_a_warning(place, bot):
    delivery = place.slack.click(place.ana, place.ops, place.card(), "approve")

    assert (delivery.status, delivery.shown) == (404, NOT_RESPONDING)
    assert place.slack.journal.deliveries("interaction") == [delivery]


def test_an_answer_after_the_limit_shows_a_warning(place, bot):
    @bot.app.action("approve")
    def listener(ack):
        place.slack.wait_for(lambda: place.slack.journal.deliveries("interaction"))
        ack()

    delivery = place.slack.click(place.ana, place.ops, place.card(), "approve")

    assert (delivery.status, delivery.failure, delivery.shown) == (None, "http_timeout", NOT_RESPONDING)


def test_a_foreign_signature_and_an_old_one_are_refused_by_bolt(place, bot):
    bot.app.action("approve")(lambda ack: ack())
    delivery = place.slack.click(place.ana, place.ops, place.card(), "approve")

    assert place.slack.resend(delivery).status == 200
    assert place.slack.resend(delivery, secret="wrong").status == 401
    assert place.slack.resend(delivery, age_seconds=400).status == 401


def test_a_button_that_an_update_took_away_cannot_be_clicked(place, bot):
    ts = place.card()
    place.client.chat_update(channel=place.ops, ts=ts, text="Approved")

    with pytest.raises(CannotDo, match="Look at it as it is now"):
        place.slack.click(place.ana, place.ops, ts, "approve")


def test_a_button_is_pressed_though_its_message_was_edited_while_somebody_was_asked_whether_they_are_sure(place, bot):
    """Slack makes up a new name for the block; what the button stands for has not changed, or it is not pressed."""

    @bot.app.action("approve")
    def listener(ack, action):
        bot.seen.append(action["value"])
        ack()

    ts = place.card()
    (before, *_) = place.slack.controls(place.ops, ts)
    button = before.element
    for value in ("A-1", "A-2"):
        changed = [{"type": "actions", "elements": [button | {"value": value}]}]
        place.client.chat_update(channel=place.ops, ts=ts, text="Approve?", blocks=changed)
        seen = {"block_id": before.block_id, "value": button["value"]}
        if value == button["value"]:
            place.slack.click(place.ana, place.ops, ts, "approve", **seen)
        else:
            with pytest.raises(CannotDo, match="Look at it as it is now"):
                place.slack.click(place.ana, place.ops, ts, "approve", **seen)
    assert bot.seen == ["A-1"]


def test_a_form_goes_out_in_slacks_shapes_and_closes(place, bot):
    select = {
        "type": "input",
        "block_id": "zone",
        "label": {"type": "plain_text", "text": "zone"},
        "element": {
            "type": "static_select",
            "action_id": "zone_field",
            "options": [{"text": {"type": "plain_text", "text": "Europe"}, "value": "eu"}],
        },
    }
    opens(bot, modal(text_block("reason"), text_block("note", optional=True), select, private_metadata="A-1"))

    @bot.app.view("form")
    def submitted(ack, body):
        bot.seen.append(body["view"])
        ack()

    place.slack.click(place.ana, place.ops, place.card(), "approve")
    view = place.slack.wait_for(lambda: place.slack.view(place.ana))
    delivery = place.slack.submit(place.ana, {"reason": "fine", "zone_field": "Europe"})

    assert (delivery.status, place.slack.view(place.ana)) == (200, None)
    sent = bot.seen[-1]
    assert (sent["id"], sent["private_metadata"]) == (view["id"], "A-1")
    assert sent["state"]["values"] == {
        "reason": {"reason_field": {"type": "plain_text_input", "value": "fine"}},
        "note": {"note_field": {"type": "plain_text_input", "value": None}},
        "zone": {
            "zone_field": {
                "type": "static_select",
                "selected_option": {"text": {"type": "plain_text", "text": "Europe"}, "value": "eu"},
            }
        },
    }


def test_the_client_keeps_back_a_form_with_an_empty_required_field(place, bot):
    opens(bot, modal(text_block("reason", max_length=5)))
    place.slack.click(place.ana, place.ops, place.card(), "approve")
    place.slack.wait_for(lambda: place.slack.view(place.ana))

    with pytest.raises(CannotDo):
        place.slack.submit(place.ana)
    assert place.slack.view_errors(place.ana) == {"reason": "Please complete this required field."}
    with pytest.raises(CannotDo, match="at most 5"):
        place.slack.submit(place.ana, {"reason": "too long"})
    assert place.slack.journal.deliveries(type="view_submission") == []


def open_form(place, bot, answer: Any) -> Any:
    opens(bot, modal())
    bot.app.view("form")(lambda ack: ack(answer) if answer else ack())
    place.slack.click(place.ana, place.ops, place.card(), "approve")
    place.slack.wait_for(lambda: place.slack.view(place.ana))
    return place.slack.submit(place.ana, {"reason": "x"})


def test_errors_on_an_input_are_shown_and_the_form_stays(place, bot):
    delivery = open_form(place, bot, {"response_action": "errors", "errors": {"reason": "too short"}})

    assert delivery.shown is None
    assert place.slack.view_errors(place.ana) == {"reason": "too short"}


def test_errors_on_anything_but_an_input_are_trouble_connecting(place, bot):
    delivery = open_form(place, bot, {"response_action": "errors", "errors": {"nowhere": "too short"}})

    assert delivery.shown == TROUBLE
    assert place.slack.view(place.ana) is not None


def test_an_update_in_the_ack_replaces_the_form(place, bot):
    title = {"type": "plain_text", "text": "Sent"}
    open_form(place, bot, {"response_action": "update", "view": modal() | {"title": title}})

    assert place.slack.view(place.ana)["title"] == title


def test_a_push_in_the_ack_covers_the_form_and_closing_it_shows_the_first_again(place, bot):
    open_form(place, bot, {"response_action": "push", "view": modal(callback_id="second")})

    pushed = place.slack.view(place.ana)
    assert pushed["callback_id"] == "second"
    place.slack.close_view(place.ana)
    assert place.slack.view(place.ana)["id"] == pushed["root_view_id"] == pushed["previous_view_id"]


def test_clear_in_the_ack_closes_everything(place, bot):
    open_form(place, bot, {"response_action": "clear"})

    assert place.slack.view(place.ana) is None


def test_an_over_limit_view_in_the_ack_is_trouble_connecting(place, bot):
    long_title = {"type": "plain_text", "text": "x" * 25}
    delivery = open_form(place, bot, {"response_action": "update", "view": modal() | {"title": long_title}})

    assert delivery.shown == TROUBLE


@pytest.mark.parametrize("asked", [False, True])
def test_closing_a_form_is_told_only_where_it_was_asked_for(place, bot, asked):
    opens(bot, modal(notify_on_close=asked))
    bot.app.view_closed("form")(lambda ack: ack())
    place.slack.click(place.ana, place.ops, place.card(), "approve")
    place.slack.wait_for(lambda: place.slack.view(place.ana))

    place.slack.close_view(place.ana)

    told = place.slack.journal.deliveries(type="view_closed")
    assert [delivery.status for delivery in told] == ([200] if asked else [])
    assert place.slack.view(place.ana) is None


def test_a_button_inside_a_form_sees_what_was_typed_and_can_push(place, bot):
    button = {"type": "button", "action_id": "look", "text": {"type": "plain_text", "text": "Look"}}
    opens(bot, modal(text_block("reason"), {"type": "actions", "elements": [button]}))

    @bot.app.action("look")
    def look(ack, body, client):
        client.views_push(trigger_id=body["trigger_id"], view=modal(callback_id="second"))
        bot.seen.append(body)
        ack()

    place.slack.click(place.ana, place.ops, place.card(), "approve")
    place.slack.wait_for(lambda: place.slack.view(place.ana))
    place.slack.press(place.ana, "look", values={"reason": "so far"})
    place.slack.wait_for(lambda: place.slack.view(place.ana)["callback_id"] == "second")

    body = place.slack.wait_for(lambda: bot.seen[-1] if len(bot.seen) == 2 else None)
    assert body["container"] == {"type": "view", "view_id": body["view"]["id"]}
    assert body["view"]["state"]["values"]["reason"]["reason_field"]["value"] == "so far"
    assert "response_url" not in body


def test_a_mention_arrives_as_two_events_with_one_ts(place, bot):
    bot.app.event("app_mention")(lambda event: bot.seen.append(("app_mention", event["ts"])))
    bot.app.event("message")(lambda event: bot.seen.append(("message", event["ts"])))

    ts = place.slack.say(place.ana, place.ops, f"<@{place.slack.workspace.app.user_id}> scale it")

    place.slack.settle()
    # Bolt acknowledges an event before its listener has run.
    deadline = time.monotonic() + 5
    while len(set(bot.seen)) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    # Each once, unless this machine was so busy that Slack's three seconds passed and it was brought again.
    assert set(bot.seen) == {("app_mention", ts), ("message", ts)}
    ids = {d.payload["event_id"] for d in place.slack.journal.deliveries("event")}
    assert len(ids) == 2


def test_a_slash_command_is_answered_to_its_author_alone(place, bot):
    @bot.app.command("/countersign")
    def listener(ack, command):
        ack(f"inbox of {command['user_id']}: {command['text']}")

    delivery = place.slack.command(place.ana, place.ops, "/countersign", "inbox")

    assert delivery.status == 200
    assert [m.text for m in place.slack.ephemerals(place.ana)] == [f"inbox of {place.ana}: inbox"]
    assert place.slack.messages(place.ops) == []


def test_an_unanswered_command_says_so(place, bot):
    delivery = place.slack.command(place.ana, place.ops, "/countersign", "inbox")

    assert delivery.shown == '/countersign failed with the error "dispatch_failed"'


def test_an_ephemeral_answer_leaves_the_card_alone(place, bot):
    @bot.app.action("approve")
    def listener(ack, respond):
        ack()
        respond("Not you.", response_type="ephemeral", replace_original=False)

    ts = place.card()
    place.slack.click(place.ana, place.ops, ts, "approve")

    told = place.slack.wait_for(lambda: place.slack.ephemerals(place.ana))
    assert [message.text for message in told] == ["Not you."]
    assert place.slack.controls(place.ops, ts)


def test_a_response_url_works_five_times_and_not_after_half_an_hour(place, bot):
    answers = []

    @bot.app.action("approve")
    def listener(ack, respond):
        answers.append(respond)
        ack()

    ts = place.card()
    place.slack.click(place.ana, place.ops, ts, "approve")
    place.slack.click(place.bo, place.ops, ts, "approve")
    first, second = place.slack.wait_for(lambda: answers if len(answers) == 2 else None)

    statuses = [first("hm", replace_original=False).status_code for _ in range(6)]
    assert statuses == [200, 200, 200, 200, 200, 404]
    place.slack.advance(30 * 60 + 1)
    assert second("hm").status_code == 404


def test_an_outsider_of_a_shared_channel_clicks_with_the_team_of_their_home(place, bot):
    eve = place.slack.workspace.add_user("eve", team_id="T0ELSEWHERE")
    shared = place.slack.workspace.add_channel("shared", [place.ana, eve], is_ext_shared=True)

    @bot.app.action("approve")
    def listener(ack, body):
        bot.seen.append((body["team"]["id"], body["user"]["team_id"]))
        ack()

    ts = place.card(channel=shared)
    place.slack.click(eve, shared, ts, "approve")

    assert bot.seen == [(place.slack.workspace.team_id, "T0ELSEWHERE")]


def test_bots_and_the_deactivated_and_outsiders_elsewhere_cannot_click(place, bot):
    workspace = place.slack.workspace
    robot = workspace.add_user("robot", bot_id="B0ROBOT")
    gone = workspace.add_user("gone")
    workspace.deactivate(gone)
    eve = workspace.add_user("eve", team_id="T0ELSEWHERE")
    ts = place.card()

    for nobody in (robot, gone, eve):
        with pytest.raises(CannotDo):
            place.slack.click(nobody, place.ops, ts, "approve")


def test_a_forged_submit_of_somebody_elses_form_does_not_close_it(place, bot):
    opens(bot, modal())
    bot.app.view("form")(lambda ack: ack())
    place.slack.click(place.ana, place.ops, place.card(), "approve")
    place.slack.wait_for(lambda: place.slack.view(place.ana))

    forged = {"type": "view_submission", "user": {"id": place.bo}, "view": place.slack.view(place.ana)}
    place.slack.deliver_interaction(forged | {"team": {"id": place.slack.workspace.team_id}})

    assert place.slack.view(place.ana) is not None


def test_twenty_people_can_click_at_the_same_time(place, bot):
    bot.app.action("approve")(lambda ack, body: bot.seen.append(body["user"]["id"]) or ack())
    people = [place.slack.workspace.add_user(f"person{n}") for n in range(20)]
    ts = place.card()

    with ThreadPoolExecutor(20) as pool:
        clicks = list(pool.map(lambda user: place.slack.click(user, place.ops, ts, "approve"), people))

    assert {click.status for click in clicks} == {200}
    assert sorted(bot.seen) == sorted(people)
    assert len({click.payload["trigger_id"] for click in clicks}) == 20
