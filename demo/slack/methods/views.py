"""views.*: modals and Homes from the app's side."""

from demo.slack.blocks.validator import check_home, check_view
from demo.slack.homes import publish
from demo.slack.methods.call import ApiCall, Method
from demo.slack.tickets import redeem_trigger
from demo.slack.views import View, by_external_id, open_on, update, view_json
from demo.slack.wire import Json, SlackError, invalid_arguments


def open_(call: ApiCall) -> Json:
    body = _view_argument(call)
    trigger = redeem_trigger(call.workspace, call.text("trigger_id") or "")
    over = trigger.view_id if trigger.view_id in call.workspace.views else None
    return _shown(call, open_on(call.workspace, trigger.user_id, body, over=over))


def push(call: ApiCall) -> Json:
    body = _view_argument(call)
    trigger = redeem_trigger(call.workspace, call.text("trigger_id") or "")
    if trigger.view_id not in call.workspace.views:
        raise SlackError("not_found")
    return _shown(call, open_on(call.workspace, trigger.user_id, body, over=trigger.view_id))


def update_(call: ApiCall) -> Json:
    view = _named(call)
    if view is None:
        raise SlackError("not_found")
    if view.body["type"] == "home":
        return _shown(call, publish(call.workspace, view.user_id, _home_argument(call), call.text("hash")))
    return _shown(call, update(call.workspace, view, _view_argument(call), call.text("hash")))


def _named(call: ApiCall) -> View | None:
    if external_id := call.text("external_id"):
        return by_external_id(call.workspace, external_id)
    both = (*call.workspace.views.values(), *call.workspace.homes.values())
    return next((view for view in both if view.id == call.text("view_id")), None)


def publish_(call: ApiCall) -> Json:
    body, user_id = _home_argument(call), call.text("user_id") or ""
    if user_id not in call.workspace.users:
        raise invalid_arguments("invalid `user_id`")
    return _shown(call, publish(call.workspace, user_id, body, call.text("hash")))


def _home_argument(call: ApiCall) -> Json:
    body: Json = call.structure("view", "invalid_arguments")
    check_home(body)
    return body


def _view_argument(call: ApiCall) -> Json:
    body: Json = call.structure("view", "invalid_arguments")
    check_view(body)
    return body


def _shown(call: ApiCall, view: View) -> Json:
    return {"view": view_json(call.workspace, view)}


METHODS = {
    "views.open": Method(open_, tier=4, needs=("trigger_id", "view")),
    "views.push": Method(push, tier=4, needs=("trigger_id", "view")),
    "views.publish": Method(publish_, tier=4, needs=("user_id", "view")),
    "views.update": Method(update_, tier=4, needs=("view",)),
}
