"""The time zone of this computer, by its IANA name."""

from __future__ import annotations

import zoneinfo

import tzlocal

FALLBACK = "UTC"


def local_zone_name() -> str:
    """The name of the system's zone; UTC where the system has none that is known."""
    try:
        name = tzlocal.get_localzone_name()
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, LookupError, OSError):
        return FALLBACK
    return name if name and name in zoneinfo.available_timezones() else FALLBACK
