"""The tables, and the steps from each version of them to the next."""

from __future__ import annotations

APPLICATION_ID = 0x444F5753  # "DOWS": a database of another program has another

# Step n brings a database from version n to n + 1. Steps are never changed once released.
MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        command TEXT NOT NULL UNIQUE,     -- what was asked for, without budgets: the same command goes on
        started_at REAL NOT NULL
    );
    CREATE TABLE site (
        id INTEGER PRIMARY KEY,
        url TEXT NOT NULL UNIQUE,         -- scheme, host and port
        entrance TEXT NOT NULL,           -- the page that was named, or the root
        state TEXT NOT NULL,              -- seen, waiting, leased, searched, failed, moved
        rank INTEGER NOT NULL DEFAULT 0,  -- place in an imported ranking; 0 for none
        hops INTEGER NOT NULL DEFAULT 0,  -- moves of a site that led to it; a chain of them is followed so far only
        run_id INTEGER REFERENCES run(id),
        strategy TEXT NOT NULL DEFAULT '',
        pages INTEGER NOT NULL DEFAULT 0,
        forms INTEGER NOT NULL DEFAULT 0, -- query forms: kind database
        stopped TEXT NOT NULL DEFAULT '', -- the limit that ended its search
        error TEXT NOT NULL DEFAULT '',   -- why it gave nothing
        searched_at REAL
    );
    CREATE INDEX site_waiting ON site (run_id, rank, id) WHERE state = 'waiting';
    CREATE INDEX site_next ON site (rank, id) WHERE state = 'waiting';
    CREATE INDEX site_done ON site (run_id) WHERE state IN ('searched', 'failed', 'moved');
    CREATE TABLE page (
        site_id INTEGER NOT NULL REFERENCES site(id),
        url TEXT NOT NULL,
        status INTEGER NOT NULL,          -- HTTP status, 0 when there was none
        depth INTEGER NOT NULL,           -- clicks from the entrance
        failure TEXT NOT NULL DEFAULT '', -- why there is no page
        moved TEXT NOT NULL DEFAULT '',   -- the address it redirects to, on this site or another
        digest TEXT NOT NULL DEFAULT '',  -- of the body; bodies are only in the archive
        fetched_at REAL NOT NULL,
        PRIMARY KEY (site_id, url)
    ) WITHOUT ROWID;
    CREATE TABLE site_link (
        from_id INTEGER NOT NULL REFERENCES site(id),
        to_id INTEGER NOT NULL REFERENCES site(id),
        PRIMARY KEY (from_id, to_id)
    ) WITHOUT ROWID;
    CREATE TABLE form (
        id INTEGER PRIMARY KEY,
        site_id INTEGER NOT NULL REFERENCES site(id),
        page TEXT NOT NULL,               -- where it was found first
        depth INTEGER NOT NULL,
        kind TEXT NOT NULL,
        searchable INTEGER NOT NULL,
        probability REAL NOT NULL,
        reasons TEXT NOT NULL,            -- JSON
        method TEXT NOT NULL,
        action TEXT NOT NULL,
        fields TEXT NOT NULL,             -- JSON: names
        conditions TEXT NOT NULL,         -- JSON
        signature TEXT NOT NULL,
        UNIQUE (site_id, signature)
    );
    CREATE TABLE skip (                   -- examples, bounded per site and reason
        site_id INTEGER NOT NULL REFERENCES site(id),
        url TEXT NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (site_id, url)
    ) WITHOUT ROWID;
    CREATE TABLE skip_count (             -- every address that was not fetched
        site_id INTEGER NOT NULL REFERENCES site(id),
        reason TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (site_id, reason)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE form ADD COLUMN database TEXT NOT NULL DEFAULT '';
    UPDATE form SET database = rtrim(substr(action, instr(action, '://') + 3), '/')
        WHERE instr(action, '://') AND NOT instr(action, '?');
    UPDATE form SET database = substr(database, 5) WHERE database LIKE 'www.%';
    UPDATE form SET database = database || '/' WHERE database <> '' AND NOT instr(database, '/');
    CREATE INDEX form_database ON form (database) WHERE kind = 'database';
    """,
    """
    ALTER TABLE form ADD COLUMN probe TEXT NOT NULL DEFAULT '';
    """,
    """
    ALTER TABLE form ADD COLUMN made TEXT NOT NULL DEFAULT 'html';
    ALTER TABLE form ADD COLUMN template TEXT NOT NULL DEFAULT '';
    ALTER TABLE form ADD COLUMN controls TEXT NOT NULL DEFAULT '[]';
    """,
    """
    -- why the link was followed
    ALTER TABLE page ADD COLUMN why TEXT NOT NULL DEFAULT '';
    -- what was said of this one
    ALTER TABLE skip ADD COLUMN detail TEXT NOT NULL DEFAULT '';
    -- by the Site Finder: leased, done
    ALTER TABLE site ADD COLUMN explored TEXT NOT NULL DEFAULT '';
    ALTER TABLE site ADD COLUMN explored_by INTEGER REFERENCES run(id);
    ALTER TABLE site ADD COLUMN explored_pages INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE site ADD COLUMN explored_sites INTEGER NOT NULL DEFAULT 0;
    UPDATE site SET explored = 'done' WHERE state IN ('failed', 'moved');
    -- other sites that link to it, as far as known
    ALTER TABLE site ADD COLUMN inlinks INTEGER NOT NULL DEFAULT 0;
    UPDATE site SET inlinks = linked.count
        FROM (SELECT to_id, count(*) AS count FROM site_link GROUP BY to_id) AS linked WHERE linked.to_id = site.id;
    -- depth that its next round goes to
    ALTER TABLE site ADD COLUMN round INTEGER NOT NULL DEFAULT 0;
    -- query forms to be expected beyond the links that were left
    ALTER TABLE site ADD COLUMN promised REAL;
    CREATE TABLE frontier (               -- links that wait for a site's next round
        site_id INTEGER NOT NULL REFERENCES site(id),
        place INTEGER NOT NULL,           -- in the order they were chosen
        url TEXT NOT NULL,
        link TEXT NOT NULL,               -- JSON: the choice without its address
        PRIMARY KEY (site_id, place)
    ) WITHOUT ROWID;
    CREATE TABLE memory (                 -- what a site's search has to know in its next round
        site_id INTEGER PRIMARY KEY REFERENCES site(id),
        known BLOB NOT NULL               -- compressed JSON, of use to the searcher only
    );
    DROP INDEX site_waiting;
    DROP INDEX site_next;
    CREATE INDEX site_own ON site (run_id, round, id) WHERE state = 'waiting';
    CREATE INDEX site_next ON site (round, id) WHERE state = 'waiting';
    CREATE INDEX site_leased ON site (run_id) WHERE state = 'leased';
    CREATE INDEX site_unexplored ON site (run_id, id) WHERE explored = '' AND state <> 'seen';
    CREATE INDEX site_exploring ON site (id) WHERE explored = 'leased';
    CREATE TABLE lesson (                 -- what the sites of a run taught about links of a sort
        run_id INTEGER NOT NULL REFERENCES run(id),
        block INTEGER NOT NULL,           -- of sites that were begun together
        sort TEXT NOT NULL,
        expected REAL NOT NULL,
        given REAL NOT NULL,
        PRIMARY KEY (run_id, block, sort)
    ) WITHOUT ROWID;
    CREATE TABLE sample (                 -- what strategies gave on sampled sites
        name TEXT NOT NULL,               -- what was asked for, without budgets
        site TEXT NOT NULL,
        strategy TEXT NOT NULL,
        pages INTEGER NOT NULL,
        forms INTEGER NOT NULL,
        total INTEGER NOT NULL,           -- query forms that exhaustive search found there
        error TEXT NOT NULL DEFAULT '',
        sampled_at REAL NOT NULL,
        PRIMARY KEY (name, site, strategy)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE harvest (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,        -- what was asked for, without budgets: the same command goes on
        url TEXT NOT NULL,                -- of the page with the door
        door TEXT NOT NULL,               -- its signature
        wrapper TEXT NOT NULL DEFAULT '{}',      -- JSON: how its answers are read
        records INTEGER NOT NULL DEFAULT 0,
        requests INTEGER NOT NULL DEFAULT 0,
        queries INTEGER NOT NULL DEFAULT 0,
        size REAL,                        -- records that there seem to be
        size_low REAL,
        size_high REAL,
        complete INTEGER NOT NULL DEFAULT 0,     -- it is proven that nothing is left
        certificate TEXT NOT NULL DEFAULT '{}',  -- JSON: the proof
        stopped TEXT NOT NULL DEFAULT '',
        started_at REAL NOT NULL
    );
    CREATE TABLE record (
        harvest_id INTEGER NOT NULL REFERENCES harvest(id),
        number INTEGER NOT NULL,          -- in the order they were drawn
        key TEXT NOT NULL,                -- tells it from others, where something does
        url TEXT NOT NULL,                -- its own page
        held TEXT NOT NULL,               -- JSON: attributes and values
        PRIMARY KEY (harvest_id, number)
    ) WITHOUT ROWID;
    CREATE TABLE answer (                 -- every page that came back, so that a harvest can be played again
        id INTEGER PRIMARY KEY,
        harvest_id INTEGER NOT NULL REFERENCES harvest(id),
        query TEXT NOT NULL,              -- JSON
        page INTEGER NOT NULL,
        total INTEGER,                    -- matches, as it says
        exact INTEGER NOT NULL,
        most INTEGER NOT NULL,            -- records shown at most, as it says
        more INTEGER NOT NULL,            -- there is a further page
        requests INTEGER NOT NULL,
        trouble TEXT NOT NULL,            -- why it is no answer
        numbers BLOB NOT NULL,            -- of its records
        following TEXT NOT NULL           -- JSON: the request for the next page
    );
    CREATE INDEX answer_harvest ON answer (harvest_id, id);
    """,
    """
    CREATE TABLE walk (                   -- one run of a pattern's crawler
        id INTEGER PRIMARY KEY,
        pattern TEXT NOT NULL,            -- its entry and first sample: learned again, it is the same
        only_new INTEGER NOT NULL,        -- 1 when pages that were known were not opened again
        started_at REAL NOT NULL,         -- seconds since the epoch
        links INTEGER NOT NULL DEFAULT 0, -- that were traversed
        finished INTEGER NOT NULL DEFAULT 0      -- 0 when it was cut off: the next run goes on with it
    );
    CREATE INDEX walk_pattern ON walk (pattern, id);
    CREATE TABLE target (                 -- pages like a sample
        pattern TEXT NOT NULL,            -- the one that led to it, as in `walk`
        url TEXT NOT NULL,                -- the address that the pattern led to
        first_walk INTEGER NOT NULL REFERENCES walk(id), -- the run that found it first
        last_walk INTEGER NOT NULL REFERENCES walk(id),  -- the last run that opened it
        title TEXT NOT NULL,              -- of the page
        likeness REAL NOT NULL,           -- to the samples, 0 to 1
        held TEXT NOT NULL,               -- JSON: attributes and values
        PRIMARY KEY (pattern, url)
    ) WITHOUT ROWID;
    """,
    """
    -- tells the steps that it went by from others
    ALTER TABLE walk ADD COLUMN steps TEXT NOT NULL DEFAULT '';
    CREATE TABLE opened (                 -- pages that a run need not open again when it goes on; none once it is finished
        walk INTEGER NOT NULL REFERENCES walk(id), -- the run that opened it
        name TEXT NOT NULL,               -- the address, and what was sent there
        links TEXT NOT NULL,              -- JSON: those that the pattern may follow
        following TEXT NOT NULL,          -- JSON: further pages of the same list
        judged TEXT NOT NULL,             -- like or unlike the sample; nothing where that was not asked
        failure TEXT NOT NULL,            -- why it did not come
        tries INTEGER NOT NULL,           -- how often it was asked for
        PRIMARY KEY (walk, name)
    );
    """,
    """
    DROP TABLE IF EXISTS lesson;          -- what sites taught about links did not pay for the pages that it cost
    """,
    """
    -- the sort of reason, for programs
    ALTER TABLE skip_count ADD COLUMN kind TEXT NOT NULL DEFAULT 'not chosen';
    UPDATE skip_count SET kind = CASE
        WHEN reason LIKE 'trap: %' THEN 'trap'
        WHEN reason LIKE 'over the limit: %' THEN 'over the limit'
        WHEN reason LIKE 'not opened in a browser%' THEN 'not opened in a browser'
        WHEN reason LIKE 'stopped: %' THEN 'stopped'
        WHEN reason IN ('not a page by its name', 'same page as another address', 'enough descriptions of services',
            'too many addresses on one site') THEN reason
        WHEN reason IN ('not a web address', 'host name not found', 'private address', 'robots.txt forbids it',
            'robots.txt could not be had', 'not in the recording') THEN 'not requested'
        ELSE 'not chosen' END;
    -- the words under which failures, and sites that gave nothing, are counted together
    ALTER TABLE page ADD COLUMN failure_kind TEXT NOT NULL DEFAULT '';
    UPDATE page SET failure_kind = CASE
        WHEN failure LIKE 'error status: %' THEN substr(failure, length('error status: ') + 1)
        ELSE substr(failure, 1, instr(failure || ': ', ': ') - 1) END
        WHERE failure <> '';
    UPDATE skip SET reason = 'robots.txt unavailable' WHERE reason = 'robots.txt could not be had';
    UPDATE skip_count SET reason = 'robots.txt unavailable' WHERE reason = 'robots.txt could not be had';
    UPDATE site SET error = 'robots.txt unavailable' || substr(error, length('robots.txt could not be had') + 1)
        WHERE error LIKE 'robots.txt could not be had%';
    ALTER TABLE site ADD COLUMN error_kind TEXT NOT NULL DEFAULT '';
    UPDATE site SET error_kind = CASE
        WHEN error LIKE 'error status: %' THEN substr(error, length('error status: ') + 1)
        WHEN error LIKE 'robots.txt unavailable: %:%' THEN substr(error, 1, length('robots.txt unavailable: ') - 1
            + instr(substr(error, length('robots.txt unavailable: ') + 1), ':'))
        WHEN error LIKE 'robots.txt unavailable: %' THEN error
        ELSE substr(error, 1, instr(error || ': ', ': ') - 1) END
        WHERE state = 'failed';
    """,
    """
    -- pages behind links drawn at random from those that a search left
    ALTER TABLE site ADD COLUMN drawn_pages INTEGER NOT NULL DEFAULT 0;
    -- query forms that were expected on them
    ALTER TABLE site ADD COLUMN drawn_expected REAL NOT NULL DEFAULT 0;
    -- query forms that were there
    ALTER TABLE site ADD COLUMN drawn_forms INTEGER NOT NULL DEFAULT 0;
    """,
    """
    -- of the page where it was found first
    ALTER TABLE form ADD COLUMN title TEXT NOT NULL DEFAULT '';
    -- that stands over the form
    ALTER TABLE form ADD COLUMN heading TEXT NOT NULL DEFAULT '';
    CREATE TABLE entrance (               -- pages that were named as seeds, but for the roots of sites
        site_id INTEGER NOT NULL REFERENCES site(id),
        url TEXT NOT NULL,                -- read whatever the strategy prefers
        PRIMARY KEY (site_id, url)
    ) WITHOUT ROWID;
    INSERT INTO entrance SELECT id, entrance FROM site WHERE entrance NOT IN ('', url || '/');
    """,
    """
    -- of the pages, those of which nothing says what they show
    ALTER TABLE sample ADD COLUMN unjudged REAL NOT NULL DEFAULT 0;
    """,
    """
    -- JSON: topics and how likely the form is on each, the likeliest first
    ALTER TABLE form ADD COLUMN topics TEXT NOT NULL DEFAULT '[]';
    -- of a crawl on a topic: which queue it waits in, the lowest first
    ALTER TABLE site ADD COLUMN queue INTEGER NOT NULL DEFAULT 0;
    -- what such a crawl expects of it; NULL where that is to be said again
    ALTER TABLE site ADD COLUMN worth REAL;
    -- how such a crawl met it
    ALTER TABLE site ADD COLUMN way TEXT NOT NULL DEFAULT '';
    -- why it is worth that
    ALTER TABLE site ADD COLUMN worth_why TEXT NOT NULL DEFAULT '';
    -- how likely it is on the topic of the crawl
    ALTER TABLE site ADD COLUMN topic REAL;
    -- its query forms that are on the topic
    ALTER TABLE site ADD COLUMN relevant INTEGER NOT NULL DEFAULT 0;
    -- where the link leads: of the first page of the one site that was seen to name the other
    ALTER TABLE site_link ADD COLUMN url TEXT NOT NULL DEFAULT '';
    -- that page
    ALTER TABLE site_link ADD COLUMN page TEXT NOT NULL DEFAULT '';
    -- of the link
    ALTER TABLE site_link ADD COLUMN text TEXT NOT NULL DEFAULT '';
    -- words around it
    ALTER TABLE site_link ADD COLUMN nearby TEXT NOT NULL DEFAULT '';
    -- that the page has
    ALTER TABLE site_link ADD COLUMN links INTEGER NOT NULL DEFAULT 0;
    -- how likely the page is on the topic of the crawl
    ALTER TABLE site_link ADD COLUMN topic REAL;
    -- wanted query forms of the page
    ALTER TABLE site_link ADD COLUMN forms INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE waiting_page (           -- the frontier of a crawl page by page
        id INTEGER PRIMARY KEY,
        run_id INTEGER NOT NULL REFERENCES run(id),
        url TEXT NOT NULL,
        site_id INTEGER NOT NULL REFERENCES site(id),
        state INTEGER NOT NULL,           -- 0 waits to be loaded, 1 is loaded, 2 is being fetched, 3 is done, 4 was given up
        level INTEGER NOT NULL,           -- its queue, the lowest first
        score REAL NOT NULL,              -- the highest first
        link TEXT NOT NULL,               -- JSON: the choice without its address
        UNIQUE (run_id, url)
    );
    CREATE INDEX waiting_page_next ON waiting_page (run_id, state, level, score DESC, id) WHERE state < 2;
    CREATE INDEX waiting_page_taken ON waiting_page (run_id) WHERE state = 2;
    CREATE TABLE lesson (                 -- what crawls on a topic have taught: sums, to which any crawl adds
        topic TEXT NOT NULL,
        kind TEXT NOT NULL,               -- what the sums are about
        name TEXT NOT NULL,
        amount REAL NOT NULL,
        PRIMARY KEY (topic, kind, name)
    ) WITHOUT ROWID;
    """,
)
VERSION = len(MIGRATIONS)

# Made when somebody first asks for this order: kept up with every link that is found, it would cost all others time.
RANKED = "rank = 0, rank, inlinks DESC, id"
RANKED_INDEXES = (
    f"CREATE INDEX IF NOT EXISTS site_own_ranked ON site (run_id, {RANKED}) WHERE state = 'waiting'",
    f"CREATE INDEX IF NOT EXISTS site_ranked ON site ({RANKED}) WHERE state = 'waiting'",
)
TOPIC_INDEXES = (
    "CREATE INDEX IF NOT EXISTS site_worth ON site (queue, worth DESC, id) WHERE state = 'waiting' AND worth IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS site_unranked ON site (id) WHERE state = 'waiting' AND worth IS NULL",
    "CREATE INDEX IF NOT EXISTS site_link_to ON site_link (to_id)",
)
