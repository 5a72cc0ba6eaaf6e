"""Return what the settings say of devices and voices, as the desk and its self-test need it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from station.base.nouns import Style
from station.calling.outputs import DeskSettings
from station.calling.selftest import Bench
from station.cards.serials import Numbering
from station.settings.buzzing import buzzer_lines, buzzer_seats
from station.settings.config import TOWER, Settings
from station.settings.hands import button_names, lamp_names
from station.settings.readers import is_reader, reader_uses
from station.settings.scan import Scanning, is_scanner, scanner_uses
from station.settings.voices import clips_in, lacking, sayings_in, voice_folders, voice_options
from station.wire.board_view import JoiningView
from station.wire.wording import Wording


class Equipment:
    """The devices and the voice of one hall.

    Args:
        state: the state folder, where clips are made.
        wording: the hall's words.
    """

    def __init__(self, settings: Settings, state: Path, wording: Wording) -> None:
        self._settings = settings
        self._state = state
        self._wording = wording

    def bench(self, disk: Callable[[], str], clock_set: Callable[[], bool]) -> Bench:
        """Return the devices that a self-test can try; arguments as in `Bench`."""
        devices = self._settings.devices
        return Bench(
            lamps=lamp_names(devices),
            buttons=button_names(devices),
            turners=("pace",) if "knob" in devices else (),
            readers=tuple(filter(is_reader, devices)),
            scanners=tuple(filter(is_scanner, devices)),
            buzzers=buzzer_lines(devices),
            tower=TOWER in devices,
            board="matrix" in devices,
            voice="speech" in devices,
            disk=disk,
            clock_set=clock_set,
        )

    def voice(self, table: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the options of the voice's driver; None if there are no clips to play."""
        calling, code = self._settings.calling, self._wording.code
        names = calling.names and calling.style is not Style.CHIME
        options = voice_options(table, self._state, code, calling.own_voice, names=names)
        return None if options is None else {**options, "lacking": self._lacking()}

    def _lacking(self) -> dict[str, str]:
        """Return the clips that the style wants and the voice has not."""
        calling = self._settings.calling
        folders = voice_folders(self._state, self._wording.code, calling.own_voice)
        return lacking(self._wording, calling.style, folders)

    def _makes(self) -> bool | None:
        """Return whether the voice makes missing clips itself; None if none are wanted."""
        table = self._settings.devices.get("speech")
        options = self.voice(table) if table is not None else None
        wanted = self._settings.calling.names or (options or {}).get("lacking")
        silent = self._settings.calling.style is Style.CHIME
        if options is None or options.get("hurry") or not wanted or silent:
            return None
        return "names" in options

    def desk_settings(
        self,
        numbering: Numbering | None,
        *,
        key: str,
        pages: Callable[[], str],
        joining: Callable[[], JoiningView | None],
    ) -> DeskSettings:
        """Return the settings that the desk needs; arguments as in `DeskSettings`."""
        settings = self._settings
        clips = clips_in(voice_folders(self._state, self._wording.code, settings.calling.own_voice))
        words = self._lacking()
        speech = settings.devices.get("speech", {})
        return DeskSettings(
            wording=self._wording,
            hall_name=settings.hall.name,
            currency=settings.hall.money,
            style=settings.calling.style,
            sayings=sayings_in(clips.keys() - words.keys()),
            lacking=words,
            makes=self._makes(),
            chime=settings.calling.chime,
            near=settings.game.near,
            stop_won=settings.game.stop == "won",
            dice=frozenset(settings.game.dice),
            test=settings.simulated,
            pace=settings.calling.pace,
            see_first=settings.calling.see_first,
            volume=speech.get("volume", 1.0),
            hurry=speech.get("hurry", False),
            buttons=button_names(settings.devices),
            readers=reader_uses(settings.devices),
            buzzers=buzzer_seats(settings.devices),
            scanning=Scanning(scanner_uses(settings.devices), numbering),
            key=key,
            pages=pages,
            joining=joining,
        )
