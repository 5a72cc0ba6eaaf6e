"""Paint a board view onto a surface, only what has changed since the last time."""

from __future__ import annotations

from pathlib import Path

import pygame

from station.screens.screen import moments
from station.screens.screen.ink import Renderer
from station.screens.screen.layout import lay_out
from station.screens.screen.pen import Piece, ScreenPen
from station.screens.screen.scene import Labels, Scene, compose, headline
from station.wire.board_view import BoardView
from station.wire.looks import Look, load_look


class Painter:
    """A painter for one screen size and one language, which knows what it painted last.

    Args:
        size: the surface's size in pixels (width, height).
        labels: the `[screen]` section of the wording.
        look: the colours; the standard ones when None.
        logo: the hall's, before its name.
    """

    def __init__(
        self,
        size: tuple[int, int],
        labels: Labels,
        look: Look | None = None,
        logo: Path | None = None,
    ) -> None:
        self._look = look or load_look()
        self._logo = logo
        self.layout = lay_out(size)
        self._labels = labels
        self._ink = Renderer()
        self._painted: Scene | None = None

    def paint(
        self, surface: pygame.Surface, view: BoardView | None, stale: bool, *, whole: bool = False
    ) -> list[pygame.Rect]:
        """Bring the surface to the view; return the rectangles that changed (none if the picture is
        the same).

        Args:
            surface: as large as the painter was made for; the same one each time, else pass
                `whole`.
            view: what to show; None while waiting for the station.
            stale: no message came from the station for too long.
            whole: paint everything again: a screen that was off has forgotten its picture.
        """
        scene = compose(self.layout, self._labels, view, stale=stale)
        before, self._painted = self._painted, scene
        if not whole and before is not None and before.shape == scene.shape:
            if before == scene:
                return []
            if not scene.stale:
                changed = [
                    new for old, new in zip(before.pieces, scene.pieces, strict=True) if old != new
                ]
                return [self._draw(surface, scene, piece) for piece in changed]
        surface.fill(getattr(self._look, scene.ground))
        for piece in scene.pieces:
            self._draw(surface, scene, piece)
        if scene.stale:
            moments.stale(self._pen(surface, scene), *headline(self._labels["stale"]))
        return [surface.get_rect()]

    def _draw(self, surface: pygame.Surface, scene: Scene, piece: Piece) -> pygame.Rect:
        area = pygame.Rect(piece.box).clip(surface.get_rect())
        if area.w and area.h:
            piece.draw(self._pen(surface.subsurface(area), scene), *piece.args)
        return area

    def _pen(self, canvas: pygame.Surface, scene: Scene) -> ScreenPen:
        ground = getattr(self._look, scene.ground)
        return ScreenPen(self._ink, canvas, self.layout.u, ground, self._look, self._logo)
