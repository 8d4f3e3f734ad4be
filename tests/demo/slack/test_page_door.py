"""Who may ask the page, and how it says no."""

import json
import threading
import urllib.error
import urllib.request

import pytest


def ask(place, path, body=None, **headers):
    """Status, and the answer as JSON where it is some."""
    request = urllib.request.Request(place.slack.page_url + path, data=body and json.dumps(body).encode())
    mine = {"Origin": place.slack.base_url, "Content-Type": "application/json"} if body else {}
    for name, value in (mine | {name.replace("_", "-"): value for name, value in headers.items()}).items():
        request.add_header(name, value)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as refused:
        return refused.code, json.loads(refused.read())["error"]


def say(place, **headers):
    return ask(place, "do/say", {"user": place.ana, "channel": place.ops, "text": "hi"}, **headers)


def test_the_page_itself_may_act(place):
    assert say(place)[0] == 200
    assert [message.text for message in place.slack.messages(place.ops)] == ["hi"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Host": "evil.example"},
        {"Content_Type": "text/plain"},
        {"Sec_Fetch_Site": "cross-site"},
    ],
)
def test_other_sites_may_not_act(place, headers):
    status, sentence = say(place, **headers)

    assert (status, sentence[-1]) == (403, ".")
    assert place.slack.messages(place.ops) == []


def test_a_name_that_was_pointed_here_may_not_read(place):
    port = place.slack.base_url.rpartition(":")[2]

    assert ask(place, f"state?user={place.ana}", Host=f"evil.example:{port}")[0] == 403
    assert ask(place, f"state?user={place.ana}", Host=f"localhost:{port}")[0] == 200


def test_a_link_from_elsewhere_shows_the_page_and_tells_the_other_site_nothing(place):
    elsewhere = {"Sec_Fetch_Site": "cross-site"}

    assert ask(place, "", Sec_Fetch_Mode="navigate", **elsewhere)[0] == 200
    assert ask(place, f"state?user={place.ana}", Sec_Fetch_Mode="no-cors", **elsewhere)[0] == 403


@pytest.mark.parametrize("name", ["door.py", "../door.py", "..%2fdoor.py", "/etc/passwd", "static/page.js"])
def test_only_the_files_of_the_page_are_served(place, name):
    assert ask(place, name)[0] == 404


def test_everything_that_is_refused_is_a_sentence(place):
    bot = place.slack.workspace.app.user_id
    refused = [
        ask(place, "state?user=U1"),
        ask(place, "do/say", {"user": bot, "channel": place.ops, "text": "hi"}),
        ask(place, "do/say", {"user": place.ana, "channel": "C1", "text": "hi"}),
        ask(place, "do/say", {"user": place.ana, "channel": place.ops}),
        ask(place, "do/fly", {"user": place.ana}),
        ask(place, "do/say", ["no object"]),
    ]

    assert [status for status, _ in refused] == [400, 400, 404, 400, 400, 400]
    assert all(sentence[0].isupper() and sentence[-1] in ".?" for _, sentence in refused)


def test_news_is_held_back_until_there_is_some(place):
    mark = json.loads(ask(place, f"state?user={place.ana}")[1])["mark"]
    answers = []
    waiting = threading.Thread(target=lambda: answers.append(ask(place, f"state?user={place.ana}&since={mark}")))
    waiting.start()
    place.slack.say(place.bo, place.ops, "hello")
    waiting.join(timeout=10)

    (_, body), *_ = answers
    assert [message["text"] for message in json.loads(body)["messages"][place.ops]] == ["hello"]
