"""A page as a real browser has drawn it."""

from __future__ import annotations

import shutil
import subprocess
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(BROWSER is None, reason="needs Chromium")


def drawn(page: Path, profile: Path, script: str = "") -> str:
    """The document after its scripts ran, and then ``script``."""
    if script:
        scripted = profile / "scripted.html"
        digest = b64encode(sha256(script.encode()).digest()).decode()
        text = page.read_text().replace(
            "script-src ", f"script-src 'sha256-{digest}' ", 1
        )  # the page allows its own only
        scripted.write_text(text.replace("</body>", f"<script>{script}</script></body>"))
        page = scripted
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    options += ["--disable-component-update", "--disable-sync", "--disable-quic", f"--user-data-dir={profile}/profile"]
    command = [str(BROWSER), *options, "--virtual-time-budget=10000", "--dump-dom", page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
