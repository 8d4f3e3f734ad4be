"""Who may ask: only the page itself, from this machine. Other sites in the same browser are turned away. Pure."""

from demo.slack.server import Request

HERE = ("127.0.0.1", "localhost")


def objection(request: Request, port: int) -> str | None:
    """Why this request is refused, as a sentence; None if it is not."""
    headers = request.headers
    # A name that somebody else pointed at 127.0.0.1 (DNS rebinding) arrives under that name.
    if headers.get("host") not in {f"{name}:{port}" for name in HERE}:
        return f"This page answers only as http://127.0.0.1:{port} or http://localhost:{port}."
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none") and not _is_link(request):
        return "Another site may not use this page."
    if request.verb == "POST":
        return _objection_to_post(request)
    return None


def _is_link(request: Request) -> bool:
    """Following a link from elsewhere shows the page, and shows it to the person only."""
    return request.verb == "GET" and request.headers.get("sec-fetch-mode") == "navigate"


def _objection_to_post(request: Request) -> str | None:
    # Every browser sends Origin with a POST, and no other site can send this content type unasked.
    if request.headers.get("origin") != f"http://{request.headers['host']}":
        return "Another site may not act on this page: the Origin header is not the page's own."
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return "Send application/json."
    return None
