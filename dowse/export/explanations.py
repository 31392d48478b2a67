"""Why an address was or was not fetched, in words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from dowse.reasons import say_count

SITE_STATES = {
    "seen": "its site is known from a link; it was not to be searched (--no-discover)",
    "waiting": "its site waits to be searched",
    "leased": "its site is being searched now",
    "searched": "its site has been searched",
    "failed": "its site could not be searched",
    "moved": "its site has moved",
}


def explain(url: str, known: dict[str, Any]) -> list[str]:
    """Return what happened to an address, from what the store knows about it."""
    if not known:
        return ["its site is not known: no seed names it and no page that was read links to it"]
    site, page = known["site"], known["page"]
    reasons = [_about_site(site, known["links"]), *_about_rank(site)]
    if page:
        reasons += _about_answer(page)
        if page["why"]:
            reasons.append(f"followed because: {page['why']}")
    elif known["later"]:
        reasons.append("not fetched yet: it waits until the search of the site goes on")
    elif known["skip"]:
        reasons.append(f"not fetched: {known['skip']}" + (f" ({known['detail']})" if known["detail"] else ""))
    elif site["state"] in ("searched", "failed", "moved"):
        reasons += _about_absence(site, known["skip_counts"])
    reasons += [_about_form(form) for form in known["forms"]]
    if page and not page["failure"] and not known["forms"]:
        reasons.append("no form was found first on this page")
    return reasons


def _about_site(site: dict[str, Any], links: int) -> str:
    """Return what became of a site, and what it gave."""
    state = SITE_STATES[site["state"]]
    if site["state"] == "waiting" and site["round"]:
        state = "the search of its site goes on with the next run"
    if site["error"]:
        return f"{state}: {site['error']}"
    if not site["pages"]:
        return state
    given = [say_count(site["pages"], "pages"), say_count(site["forms"], "query forms")]
    given += [f"links to {say_count(links, 'other sites')}"] if links else []
    return f"{state}: {', '.join(given)}" + (f"; stopped: {site['stopped']}" if site["stopped"] else "")


def _about_rank(site: dict[str, Any]) -> list[str]:
    """Return why a crawl on a topic expected what it did of a site."""
    return [f"ranked for the topic: {site['worth_why']}"] if site["worth_why"] else []


def _about_answer(page: dict[str, Any]) -> list[str]:
    when = datetime.fromtimestamp(page["fetched_at"], UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    if page["failure"]:
        return [f"asked for on {when} at depth {page['depth']}, and failed: {page['failure']}"]
    if page["moved"] and 300 <= page["status"] < 400:
        return [f"asked for on {when} at depth {page['depth']}: redirects to another site, {page['moved']}"]
    found = f"fetched on {when} at depth {page['depth']}: HTTP {page['status']}"
    return [found, f"{page['url']} redirects to {page['moved']}"] if page["moved"] else [found]


def _about_absence(site: dict[str, Any], counts: dict[str, int]) -> list[str]:
    """Return what is known of an address that was neither fetched nor kept as an example of skipped ones."""
    read = f"not fetched: no page that was read with {site['strategy'] or 'its strategy'}"
    if not counts:
        return [f"{read} links to it"]
    lines = [f"{read} led to it, or it is one of these:"]
    lines += [f"  {say_count(count, 'addresses')}: {reason}" for reason, count in counts.items()]
    return lines


def _about_form(form: dict[str, Any]) -> str:
    kept = "kept as a query form" if form["kind"] == "database" else f"kept as {form['kind']}, not a query form"
    because = "; ".join(form["reasons"])
    likely = [f"{each['name']} {each['probability']:.2f}" for each in form["topics"][:2] if each["probability"] >= 0.1]
    because += f"; topic {', '.join(likely)}" if likely else ""
    return f"form to {form['action']} with {', '.join(form['fields']) or 'no fields'}: {kept}, confidence {form['probability']:.2f}: {because}"
