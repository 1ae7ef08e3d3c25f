"""Signed as Standard Webhooks has it (https://www.standardwebhooks.com), so that receivers can use its libraries.

`webhook-id` tells copies apart; `webhook-signature` is an HMAC-SHA256 over id, timestamp and body.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from typing import Final

_SECRET_PREFIX: Final = "whsec_"


def signing_key(secret: str) -> bytes:
    """The key in a secret: base64 after `whsec_`, and any other text as it is. Raises `ValueError`."""
    if not secret.startswith(_SECRET_PREFIX):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(_SECRET_PREFIX), validate=True)
    except binascii.Error as error:
        raise ValueError(f"what follows {_SECRET_PREFIX} in a secret is base64") from error


def signed(name: str, at: int, body: bytes, key: bytes) -> dict[str, str]:
    """The headers that prove who sent a body, and when. `at`: seconds since the epoch."""
    digest = hmac.digest(key, b"%s.%d.%s" % (name.encode(), at, body), "sha256")
    return {
        "webhook-id": name,
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }
