"""Another release and the way back: what is refused, what is tried, and that no power cut leaves a
machine without a station."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from station.base.disk import Disk
from station.base.errors import Damaged, LotoError, StateInUse, Unreadable
from station.base.system import CommandFailed, NotPossibleNow
from station.machine import bundle
from station.machine.delivery import DeliveryTerms
from station.machine.update import Patience, TrialFailed, Update
from station.record.folders import night_folders
from station.record.journal import FILE
from station.record.session import Session
from tests.installing import Machine, PowerCut, program
from tests.support import CLOCK, Told, night_in, play, run

STATE = "var/lib/loto-station"


def packed(source: Path, *, listed: bool = True, top: str = "loto-station-0.2.0") -> Path:
    """A bundle of a program, as `loto bundle` makes it."""
    archive = source.with_suffix(".tar.gz")
    with tarfile.open(archive, "w:gz") as tar:
        if listed:
            data = bundle.sums(source, bundle.project_files(source)).encode()
            head = tarfile.TarInfo(f"{top}/{bundle.SUMS}")
            head.size = len(data)
            tar.addfile(head, io.BytesIO(data))
        tar.add(source, top)
    return archive


def played(state: Path, *acts: str) -> None:
    """Does that in the night of a state folder."""
    with night_in(state, test=True) as night:
        run(play(Session(night, Told(), CLOCK, Random(3)), acts))


class Time:
    """A clock that goes on only when somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def pause(self, seconds: float) -> None:
        self.now += seconds


class Hall:
    """A machine with a station on it, and a newer one in a file."""

    def __init__(self, folder: Path) -> None:
        self.machine = Machine(folder / "root")
        self.said: list[str] = []
        self.machine.install(program(folder / "old", "0.1.0"))
        self.old = self.machine.current
        self.file = packed(program(folder / "new", "0.2.0"))
        self.state = self.machine.root / STATE

    @property
    def update(self) -> Update:
        time = Time()
        return Update(
            self.machine.system, self.said.append, Patience(30, lambda: time.now, time.pause)
        )

    def bring(self, file: Path | None = None, sha256: str = "") -> str:
        return self.update.from_file(file or self.file, DeliveryTerms(sha256, ask=lambda _: True))

    def runs(self, release: str) -> bool:
        """That one runs, is whole, and nothing is on trial."""
        folder = self.machine.root / "opt/loto-station/releases" / release
        bundle.check_sums(folder)
        assert (folder / ".venv/bin/loto").is_file()
        trial = (self.machine.root / "opt/loto-station/back").is_symlink()
        return self.machine.running == self.machine.current == release and not trial


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """A hall whose station runs."""
    return Hall(tmp_path)


def test_a_release_that_does_well_is_kept_with_a_way_back(hall: Hall) -> None:
    """The new one runs, the old one stays; back leads to the old one, and back again to the new
    one."""
    new = hall.bring()
    assert new.startswith("0.2.0-")
    assert hall.runs(new)
    assert hall.update.back() == hall.old
    assert hall.runs(hall.old)
    assert hall.update.back() == new
    assert hall.runs(new)


def test_the_new_one_is_asked_before_the_old_one_stops(hall: Hall) -> None:
    """The new release reads settings and nights while the old one still runs."""
    played(hall.state, "close-night")
    hall.machine.ran.clear()
    hall.bring()
    stopped = next(
        place
        for place, line in enumerate(hall.machine.ran)
        if line.startswith("systemctl stop loto-station.target")
    )
    asked = [
        line.partition("bin/loto ")[2] for line in hall.machine.ran[:stopped] if "bin/loto " in line
    ]
    assert asked == ["config check", "journal verify --state /var/lib/loto-station --real"]


@pytest.mark.parametrize(
    "fault", ["env LOTO_VENV", "/opt/loto-station/releases/0.2.0", "systemctl stop"]
)
def test_what_fails_before_the_trial_touches_nothing(hall: Hall, fault: str) -> None:
    """Libraries that do not install, settings that it cannot read: the old release runs on."""
    hall.machine.fails.add(fault)
    with pytest.raises(CommandFailed):
        hall.bring()
    hall.machine.fails.clear()
    hall.machine.boot()
    assert hall.runs(hall.old)


@pytest.mark.parametrize(
    ("kilobytes", "dark"),
    [(465_000, True), (999_999, True), (1_000_000, False), (3_900_000, False)],
)
@pytest.mark.parametrize("fails", [False, True])
def test_a_small_machine_makes_room(hall: Hall, kilobytes: int, dark: bool, fails: bool) -> None:
    """Its screen is stopped before the new release is prepared, and runs again in any case: with
    the new release, or with the old one if it cannot be prepared."""
    meminfo = hall.machine.root / "proc" / "meminfo"
    meminfo.parent.mkdir()
    meminfo.write_text(f"MemTotal:       {kilobytes} kB\nMemFree:         1000 kB\n")
    hall.machine.ran.clear()
    if fails:
        hall.machine.fails.add("env LOTO_VENV")
        with pytest.raises(CommandFailed):
            hall.bring()
    else:
        hall.bring()
    ran = hall.machine.ran
    stop = "systemctl stop loto-screen.service"
    assert (stop in ran) is dark
    prepared = next(number for number, line in enumerate(ran) if line.startswith("env LOTO_VENV"))
    if dark:
        assert ran.index(stop) < prepared
    if dark or not fails:
        assert "systemctl --no-block start loto-station.target" in ran[prepared:]


def test_a_release_that_does_not_answer_is_left_by_itself(hall: Hall) -> None:
    """Within its limit it must answer; it does not, and the old one runs, which is said."""
    hall.machine.broken.add(bundle_name(hall))
    with pytest.raises(TrialFailed, match=rf"{hall.old} runs again"):
        hall.bring()
    assert hall.runs(hall.old)
    assert (
        hall.machine.ran.count(
            "timeout 10 /opt/loto-station/current/.venv/bin/loto watch --json --once"
        )
        > 20
    )


def bundle_name(hall: Hall) -> str:
    """What the new release will be called."""
    return hall.update.releases.place(hall.file.with_name("new"))


def test_a_night_that_is_played_is_not_disturbed(hall: Hall) -> None:
    """While a night is open that something happened in, neither an update nor the way back is
    begun; closed, it is."""
    hall.bring()
    played(hall.state, "open")
    hall.machine.ran.clear()
    for change in (hall.bring, hall.update.back):
        with pytest.raises(NotPossibleNow, match="night 0001 is open"):
            change()
    assert hall.machine.ran == []
    played(hall.state, "close", "close-night")
    assert hall.update.back() == hall.old


def test_a_night_in_which_nothing_happened_is_in_nobodys_way(hall: Hall) -> None:
    """A station that waits for its hall may be changed: the night holds its first line only, and
    goes on."""
    with night_in(hall.state):
        pass
    assert hall.runs(hall.bring())
    assert [folder.name for folder in night_folders(hall.state)] == ["0001"]


@pytest.mark.parametrize("then", ["update", "back"])
def test_a_trial_that_was_cut_off_without_a_power_cut_is_left(hall: Hall, then: str) -> None:
    """The update was killed while it waited: the next one, or --back, first leaves what is on
    trial."""
    hall.machine.then["timeout 10"] = interrupted(PowerCut)
    with pytest.raises(PowerCut):
        hall.bring()
    hall.machine.then.clear()
    assert hall.machine.current != hall.old
    if then == "back":
        assert hall.update.back() == hall.old
        assert hall.runs(hall.old)
    else:
        assert hall.runs(hall.bring())
    assert any("still on trial" in line for line in hall.said)


def test_the_old_one_has_its_time(hall: Hall) -> None:
    """Where the new one is given five seconds only, the old one is waited for as long as it needs
    on a slow machine."""
    time, asked = Time(), 0

    def slow(_: object) -> None:
        nonlocal asked
        asked += hall.machine.current == hall.old
        if asked < 20:
            raise CommandFailed("not yet")

    hall.machine.then["timeout 10"] = slow
    with pytest.raises(TrialFailed):
        Update(
            hall.machine.system, hall.said.append, Patience(5, lambda: time.now, time.pause)
        ).from_file(hall.file, DeliveryTerms(ask=lambda _: True))
    assert asked == 20
    assert not [line for line in hall.said if "does not answer either" in line]


def test_an_update_that_somebody_ends_leaves_the_old_one(hall: Hall) -> None:
    """Ctrl-C while the new release is waited for: the old one runs again."""
    hall.machine.then["timeout 10"] = interrupted(KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        hall.bring()
    assert hall.runs(hall.old)


def interrupted(fault: type[BaseException]) -> Callable[[object], None]:
    """Ends the first call so; the others do nothing."""
    faults = [fault]

    def act(_: object) -> None:
        if faults:
            raise faults.pop()

    return act


@pytest.mark.parametrize("room", ["", "test"], ids=["real", "TEST"])
def test_a_night_that_a_failed_trial_began_is_put_aside(hall: Hall, room: str) -> None:
    """The old release may not be able to read it; nothing happened in it; it is kept all the same.
    In either half."""
    state = hall.state / room
    played(state, "close-night")
    hall.machine.broken.add(bundle_name(hall))

    begun = 0

    def begin_a_night(_: object) -> None:
        nonlocal begun
        if len(night_folders(state)) == 1:
            begun += 1
            with night_in(state, new=True):
                pass

    hall.machine.then["systemctl --no-block start"] = begin_a_night
    with pytest.raises(TrialFailed):
        hall.bring()
    assert (state / "night-0002-of-a-trial-1" / FILE).is_file()
    # the old one began its own
    assert [folder.name for folder in night_folders(state)] == ["0001", "0002"]
    assert begun == 2


def test_a_test_night_that_waits_stays_after_a_failed_trial(hall: Hall) -> None:
    """The night with its first line only was there before the trial: the old release goes on with
    it."""
    with night_in(hall.state / "test"):
        pass
    hall.machine.broken.add(bundle_name(hall))
    with pytest.raises(TrialFailed):
        hall.bring()
    assert [folder.name for folder in night_folders(hall.state / "test")] == ["0001"]


@pytest.mark.parametrize("room", ["", "test"], ids=["real", "TEST"])
def test_what_a_failed_trial_damaged_does_not_keep_the_old_one_down(hall: Hall, room: str) -> None:
    """A journal that nobody can read is named, and the old release starts all the same: it knows
    what to say of it."""
    played(hall.state / room, "close-night")
    hall.machine.broken.add(bundle_name(hall))
    journal = hall.state / room / "nights/0001" / FILE
    hall.machine.then["systemctl --no-block start"] = lambda _: journal.unlink(missing_ok=True)
    hall.machine.then["timeout 10"] = lambda _: (hall.state / room / "nights/0002").mkdir(
        exist_ok=True
    )
    with pytest.raises(TrialFailed):
        hall.bring()
    assert hall.runs(hall.old)
    assert any(str(journal) in line for line in hall.said)


@pytest.mark.parametrize("rooms", [("",), ("test",), ("", "test")], ids=["real", "TEST", "both"])
def test_the_new_one_is_asked_about_the_nights_of_both_halves(
    hall: Hall, tmp_path: Path, rooms: tuple[str, ...]
) -> None:
    """Where there are such: a station that plays must be able to go on with its nights, too."""
    for room in rooms:
        played(hall.state / room, "close-night")
    hall.bring(packed(program(tmp_path / "newest", "0.3.0")))
    asked = [line.partition("verify ")[2] for line in hall.machine.ran if "journal verify" in line]
    words = {"": "--real", "test": "--test"}
    assert asked == [f"--state /var/lib/loto-station {words[room]}" for room in rooms]


def test_a_station_that_is_no_service_is_not_overtaken(hall: Hall) -> None:
    """Where somebody started `loto run` by hand on the same nights, the services start again and it
    is said."""
    (hall.state / "nights").mkdir(parents=True)
    lock = Disk().lock(hall.state / "lock")
    try:
        with pytest.raises(StateInUse, match="a station is running"):
            hall.bring()
    finally:
        Disk().close(lock)
    assert hall.runs(hall.old)


def test_two_updates_do_not_meet(hall: Hall) -> None:
    """While one is under way another is refused, forward and back, and does nothing; when it has
    ended the next one may."""
    refused = []

    def another(_: Sequence[str]) -> None:
        for change in (hall.bring, hall.update.back):
            with pytest.raises(NotPossibleNow, match="another update is under way"):
                change()
            refused.append(hall.machine.current)

    hall.machine.then["systemctl stop"] = another
    new = hall.bring()
    hall.machine.then.clear()
    assert refused == [hall.old, hall.old]
    assert hall.runs(new)
    assert hall.update.back() == hall.old


# -- the file --------------------------------------------------------------------------------------


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-200])


def altered(file: Path) -> None:
    source = file.with_name("new")
    (source / bundle.SUMS).write_text(bundle.sums(source, bundle.project_files(source)))
    (source / "setup" / "prepare.py").write_text("# another hand's\n")
    with tarfile.open(file, "w:gz") as tar:
        tar.add(source, "loto-station-0.2.0")


def unlisted(file: Path) -> None:
    source = file.with_name("new")
    listed = bundle.sums(source, bundle.project_files(source))
    (source / "station" / "more.py").write_text("# put in later\n")
    (source / bundle.SUMS).write_text(listed)
    with tarfile.open(file, "w:gz") as tar:
        tar.add(source, "loto-station-0.2.0")


def without_list(file: Path) -> None:
    packed(file.with_name("new"), listed=False)


def nonsense(file: Path) -> None:
    file.write_bytes(b"not an archive at all" * 100)


def another(file: Path) -> None:
    with tarfile.open(file, "w:gz") as tar:
        tar.add(__file__, "some.py")


def reaching_out(file: Path) -> None:
    with tarfile.open(file, "w:gz") as tar:
        tar.add(file.with_name("new"), "loto-station-0.2.0/../../../../outside")


def linked(file: Path) -> None:
    (file.with_name("new") / "station" / "link").symlink_to("/etc/passwd")
    packed(file.with_name("new"))


def gone(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize(
    "fault",
    [cut_off, altered, unlisted, without_list, nonsense, another, reaching_out, linked, gone],
)
def test_a_file_that_is_not_right_changes_nothing(
    hall: Hall, fault: Callable[[Path], None]
) -> None:
    """Whatever is wrong with it is said before anything is stopped, and leaves nothing behind."""
    fault(hall.file)
    before = hall.machine.files()
    with pytest.raises((Damaged, Unreadable)):
        hall.bring()
    assert hall.machine.files() == before
    assert hall.runs(hall.old)


def test_the_makers_digest_is_compared_first(hall: Hall) -> None:
    """With --sha256 only the file with that digest is looked into."""
    with pytest.raises(Damaged, match="not the maker's"):
        hall.bring(sha256="0" * 64)
    assert hall.runs(hall.bring(sha256=bundle.digest_of(hall.file).upper()))


def test_a_package_is_taken_too(hall: Hall, tmp_path: Path) -> None:
    """What a Debian package holds is placed like a bundle, with the release's own list of
    digests."""
    tree = tmp_path / "tree"
    release = tree / "opt/loto-station/releases/0.2.0-x"
    release.parent.mkdir(parents=True)
    source = hall.file.with_name("new")
    files = bundle.sums(source, bundle.project_files(source))
    source.rename(release)
    (release / bundle.SUMS).write_text(files)
    (tree / "DEBIAN").mkdir()
    (tree / "DEBIAN/control").write_text(
        "Package: x\nVersion: 1\nArchitecture: all\nMaintainer: x\nDescription: x\n"
    )
    package = tmp_path / "new.deb"
    subprocess.run(
        ["dpkg-deb", "-Zgzip", "--build", tree, package], check=True, capture_output=True
    )
    assert hall.runs(hall.bring(package))


def test_the_same_release_again_is_no_update(hall: Hall) -> None:
    """A file with what runs already stops nothing."""
    new = hall.bring()
    hall.machine.ran.clear()
    assert hall.bring() == new
    assert hall.machine.ran == []


def test_no_more_than_two_releases_stay(hall: Hall, tmp_path: Path) -> None:
    """The one that runs and the one before it; older ones are removed."""
    second = hall.bring()
    third = hall.bring(packed(program(tmp_path / "newest", "0.3.0")))
    assert hall.update.releases.names() == sorted((second, third))


def test_there_must_be_something_to_go_back_to(hall: Hall, tmp_path: Path) -> None:
    """Without an installation, and without a release before, the way back is refused with a
    sentence."""
    with pytest.raises(NotPossibleNow, match="no release to go back to"):
        hall.update.back()
    with pytest.raises(NotPossibleNow, match="not installed"):
        Update(Machine(tmp_path / "bare").system).back()


def test_where_nothing_runs_no_release_is_tried(hall: Hall) -> None:
    """In an image that is being built no release can show that it answers: refused before anything
    is changed."""
    (hall.machine.root / "run/systemd/system").rmdir()
    before = hall.machine.files()
    with pytest.raises(NotPossibleNow, match="systemd does not run here"):
        hall.bring()
    assert hall.machine.files() == before


def test_half_a_release_is_no_way_back(hall: Hall) -> None:
    """A Debian package that replaces another takes the files of the release before with it: said
    before anything stops."""
    new = hall.bring()
    (hall.machine.root / "opt/loto-station/releases" / hall.old / "setup/prepare.py").unlink()
    hall.machine.ran.clear()
    with pytest.raises(NotPossibleNow, match="not whole any more"):
        hall.update.back()
    assert hall.machine.ran == []
    assert hall.runs(new)


# -- the power -------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_power_may_go_at_any_step(tmp_path: Path) -> None:
    """At every command and every rename of an update: after it the machine starts a release that is
    whole, the old one, or the new one once it was kept; and the same update, done again, ends
    well."""
    whole = Hall(tmp_path / "whole")
    first = whole.machine.power.steps
    new = whole.bring()
    kept = 0
    for cut in range(whole.machine.power.steps - first):
        hall = Hall(tmp_path / str(cut))
        hall.machine.power.left = cut
        with pytest.raises(PowerCut):
            hall.bring()
        hall.machine.boot()
        assert hall.runs(new if hall.machine.current == new else hall.old)
        kept += hall.machine.current == new
        assert hall.bring() == new
        assert hall.runs(new)
    assert kept < 3  # only what is cut after the trial was well


@pytest.mark.long
def test_the_power_may_go_in_the_midst_of_a_failed_trial(tmp_path: Path) -> None:
    """Also where the new release never answers: whatever step the power goes at, the old one
    starts."""
    whole = Hall(tmp_path / "whole")
    whole.machine.broken.add(bundle_name(whole))
    first = whole.machine.power.steps
    with pytest.raises(LotoError):
        whole.bring()
    # The steps in between are the asking, once a second.
    steps = whole.machine.power.steps - first
    for cut in [*range(6, 15), *range(steps - 6, steps)]:
        hall = Hall(tmp_path / str(cut))
        hall.machine.broken.add(bundle_name(hall))
        hall.machine.power.left = cut
        with pytest.raises(PowerCut):
            hall.bring()
        hall.machine.boot()
        assert hall.runs(hall.old)
