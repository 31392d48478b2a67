"""Two letters for the three by which languages are detected (ISO 639)."""

from __future__ import annotations

_PAIRS = (
    "afr:af aka:ak amh:am ara:ar arb:ar asm:as aze:az azj:az bel:be ben:bn bos:bs bul:bg cat:ca ces:cs cmn:zh "
    "cym:cy dan:da deu:de ell:el eng:en epo:eo est:et eus:eu fas:fa pes:fa fin:fi fra:fr fry:fy gla:gd gle:ga "
    "glg:gl guj:gu hat:ht hau:ha heb:he hin:hi hrv:hr hun:hu hye:hy ibo:ig ind:id isl:is ita:it jav:jv jpn:ja "
    "kan:kn kat:ka kaz:kk khm:km kin:rw kir:ky kor:ko kur:ku lao:lo lat:la lav:lv lvs:lv lit:lt ltz:lb mal:ml "
    "mar:mr mkd:mk mlg:mg mlt:mt mon:mn khk:mn mri:mi msa:ms zsm:ms mya:my nep:ne npi:ne nld:nl nob:no nno:no "
    "nor:no nya:ny ori:or ory:or orm:om pan:pa pol:pl por:pt pus:ps ron:ro run:rn rus:ru sin:si slk:sk slv:sl "
    "sna:sn som:so sot:st spa:es sqi:sq srp:sr sun:su swa:sw swh:sw swe:sv tam:ta tel:te tgk:tg tgl:tl tha:th "
    "tir:ti tuk:tk tur:tr uig:ug ukr:uk urd:ur uzb:uz uzn:uz vie:vi xho:xh ydd:yi yid:yi yor:yo zho:zh zul:zu"
)

TWO_LETTERS = dict(pair.split(":") for pair in _PAIRS.split())
