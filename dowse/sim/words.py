"""The words sites are written with: several ways to say each thing, so that no one habit is the rule."""

from __future__ import annotations

HOST_WORDS = (
    "acorn", "amber", "anchor", "aspen", "atlas", "badger", "beacon", "birch", "bridge", "canal", "cedar", "citadel",
    "clover", "comet", "coral", "crane", "delta", "ember", "falcon", "fern", "fjord", "garnet", "granite", "harbor",
    "hazel", "heron", "indigo", "ivory", "juniper", "kestrel", "lagoon", "lantern", "linden", "magnet", "maple",
    "meadow", "nimbus", "north", "oak", "onyx", "orchard", "osprey", "pebble", "pine", "prairie", "quartz", "raven",
    "ridge", "river", "saffron", "sierra", "slate", "sparrow", "summit", "tidal", "timber", "tulip", "umber", "vale",
    "velvet", "violet", "walnut", "willow", "zephyr",
)  # fmt: skip
HOST_ENDS = (
    "online", "world", "net", "guide", "hub", "house", "point", "direct", "place", "zone", "link", "base", "port",
    "works", "page", "central", "express", "corner", "line", "club",
)  # fmt: skip
ADJECTIVES = (
    "new", "local", "classic", "early", "modern", "small", "regional", "rare", "popular", "annual", "official", "quiet",
    "northern", "southern", "practical", "complete", "illustrated", "independent", "seasonal", "historic",
)  # fmt: skip
SECTION_WORDS = (
    "guide", "news", "reviews", "archive", "stories", "tips", "gallery", "events", "people", "history", "projects",
    "reports", "notes", "picks", "topics", "letters", "features", "journal", "collection", "basics",
)  # fmt: skip
SENTENCES = (
    "Our {a} {n} pages were last revised in the spring.",
    "Readers often ask how {a} {n} are chosen, and there is no short answer.",
    "The team keeps a list of {n} that visitors have found useful.",
    "In {a} times, {n} were mostly exchanged by letter.",
    "We have written about {n} since the beginning, and it still surprises us.",
    "Some say that {a} {n} deserve more attention; we agree.",
    "Please tell us when something about {n} is wrong or out of date.",
    "A {a} view on {n} is found in the second part of this series.",
    "Opening hours vary; the {n} desk is closed on Mondays.",
    "Members get our letter about {a} {n} every other week.",
    "What makes {n} {a} is mostly a matter of patience.",
    "Photographs of {n} were taken by friends of the house.",
    "This page is about {n}, the way we see them from here.",
    "Last week's meeting on {a} {n} drew more people than chairs.",
    "No two {n} are alike, although a {a} eye may think so.",
    "Prices of {n} went up a little, quality went up more.",
    "The café next door has a shelf of {a} {n} to look at.",
    "Mr. Müller still remembers when {n} were {a}.",
)
HOME = ("Home", "Start", "Welcome", "Front page", "Main page", "Home page")
MORE = ("More about", "Read on:", "See", "Also:", "In this section:", "Continue to")
ALSO = ("See also", "Related", "You may also like", "Elsewhere here", "Next door")
CONTACT = ("Contact", "Contact us", "Write to us", "Feedback", "Get in touch", "Mail")
LOGIN = ("Log in", "Sign in", "Members", "My account", "Member login", "Login")
REGISTER = ("Register", "Join", "Sign up", "Create an account", "Become a member")
LINKS = ("Links", "Resources", "Friends", "Other sites", "Partners", "Webring", "Recommended sites")
SITEMAP = ("Site map", "Sitemap", "All pages", "Index", "Overview")
ABOUT = ("About", "About us", "Who we are", "Our story")
SHOP = ("Shop", "Store", "Order", "Gift shop", "Buy")
ADVANCED = ("Advanced search", "More search options", "Power search", "Detailed search", "Refine", "Expert query")
SEARCH_PAGES = (
    "Search {n}", "Find {n}", "{n} finder", "Look up {n}", "Browse our {n}", "{n} database", "Catalogue of {n}",
    "Query {n}", "{n} locator", "Explore {n}",
)  # fmt: skip
SEARCH_BUTTONS = ("Search", "Go", "Find", "Submit", "Show results", "Look up", "OK", "Find it", "Query", "Start search")
KEYWORD_NAMES = ("q", "query", "keywords", "search", "s", "term", "text", "kw", "searchfor", "find", "words", "str")
KEYWORD_LABELS = ("Keywords", "Search for", "Words", "Text", "Looking for", "Any field", "Containing")
ANY = ("Any", "All", "- select -", "(any)", "Doesn't matter", "---")
NEXT = ("Next", "Next page", "next >", "More results", ">>", "Forward", "Next 10")
BEFORE = ("Previous", "Back", "< prev", "<<", "Earlier results")
COUNTS = (
    "Results {first}-{last} of {total}",
    "{total} records found, showing {first} to {last}",
    "Your search matched {total} entries ({first}-{last} shown)",
    "Displaying {first} - {last} out of {total} matches",
    "Hits: {total}. Shown: {first}..{last}.",
)
EMPTY = (
    "No records matched your query.", "Sorry, nothing was found.", "0 results.", "Your search did not match anything.",
    "There are no entries for these criteria.",
)  # fmt: skip
BLANK = ("Please enter at least one search term.", "Fill in at least one field.", "What are you looking for?")
NOT_FOUND = ("Page not found", "This page has moved", "Nothing here", "Oops!", "We could not find that")
THANKS = ("Thank you.", "We have received your message.", "Done.", "Thanks, that worked.")
