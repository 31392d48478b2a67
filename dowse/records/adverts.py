"""What says of itself that it is no record: advertisements, in the words that law and custom want them to have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dowse.records.pieces import SPONSORED, Piece

_WORDS: Final = frozenset(
    "ad|ads|advert|adverts|advertisement|advertisements|advertising|sponsored|sponsor|sponsored link|sponsored links|"
    "sponsored result|sponsored listing|promoted|promotion|featured ad|anzeige|anzeigen|werbung|gesponsert|annonce|annonces|"
    "annonce sponsorisée|publicité|publicite|sponsorisé|sponsorise|anuncio|anuncios|publicidad|patrocinado|patrocinados|"
    "pubblicità|pubblicita|sponsorizzato|annuncio|annuncio sponsorizzato|anúncio|publicidade|advertentie|gesponsord|"
    "reklama|ogłoszenie sponsorowane|sponsorowane|реклама|спонсор|annons|reklame|mainos|reklam|hirdetés|διαφήμιση|"
    "広告|協賛|提供|スポンサー|pr|广告|廣告|광고|إعلان|פרסומת".split("|")
)
_SIGNS: Final = " \t()[]{}<>:：-–—*•·.!"


def says_advert(pieces: Iterable[Piece]) -> bool:
    """Say whether a piece of something says that it is an advertisement, or its link is marked as one."""
    return any(piece.place.endswith(SPONSORED) or piece.text.strip(_SIGNS).casefold() in _WORDS for piece in pieces)
