"""The bytes of an upload, to the address that Slack gave for them: it is no method of the Web API."""

import http.client
import urllib.error
import urllib.request


def carry(url: str, content: bytes, timeout: float) -> str | None:
    """None if they are there, else what went wrong. The address is its own permission: no token goes with them."""
    if not url.startswith(("https://", "http://")):
        return "no_web_address"
    ask = urllib.request.Request(url, content, {"Content-Type": "application/octet-stream"})  # noqa: S310
    try:
        with urllib.request.urlopen(ask, timeout=timeout):  # noqa: S310 - which addresses, was asked above
            return None
    except urllib.error.HTTPError as error:
        error.close()
        return f"upload http {error.code}"
    except (OSError, http.client.HTTPException, ValueError) as error:
        return type(error).__name__
