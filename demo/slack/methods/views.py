"""views.open, views.push, views.update: modals from the app's side."""

from demo.slack.blocks.validator import check_view
from demo.slack.methods.call import ApiCall, Method
from demo.slack.tickets import redeem_trigger
from demo.slack.views import View, by_external_id, open_on, update, view_json
from demo.slack.wire import Json, SlackError


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
    body = _view_argument(call)
    view = call.workspace.views.get(call.text("view_id") or "")
    if external_id := call.text("external_id"):
        view = by_external_id(call.workspace, external_id)
    if view is None:
        raise SlackError("not_found")
    return _shown(call, update(call.workspace, view, body, call.text("hash")))


def _view_argument(call: ApiCall) -> Json:
    body: Json = call.structure("view", "invalid_arguments")
    check_view(body)
    return body


def _shown(call: ApiCall, view: View) -> Json:
    return {"view": view_json(call.workspace, view)}


METHODS = {
    "views.open": Method(open_, tier=4, needs=("trigger_id", "view")),
    "views.push": Method(push, tier=4, needs=("trigger_id", "view")),
    "views.update": Method(update_, tier=4, needs=("view",)),
}
