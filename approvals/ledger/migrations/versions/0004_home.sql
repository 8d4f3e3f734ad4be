-- A page is over when its approval needs nobody any more: the pager is told so, once it has had the page.
ALTER TABLE pages
    ADD COLUMN lease_token uuid,
    ADD COLUMN ended_at    timestamptz;
DROP INDEX pages_waiting;
CREATE INDEX pages_open ON pages (retry_at) WHERE ended_at IS NULL;

-- Every sweep of any clock says that time goes on.
CREATE TABLE clock_beats (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    beat_at  timestamptz NOT NULL
);

-- The app's Home, one view per person who opened it. It is drawn anew when a row of the audit log was linked after
-- `seen_link`, and published only if what is drawn differs from what is shown.
CREATE TABLE home_views (
    user_id     text PRIMARY KEY,
    team_id     text NOT NULL,
    page        integer NOT NULL DEFAULT 0,
    opened_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Somebody did something that this Home must show now.
    stale_at    timestamptz,
    seen_link   bigint NOT NULL DEFAULT 0,
    shown_hash  text,
    shown_at    timestamptz,
    -- It says that no clock runs.
    warned      boolean NOT NULL DEFAULT false,
    lease_token uuid,
    lease_until timestamptz,
    retry_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX home_views_by_opening ON home_views (opened_at);

-- What the Home asks for: what waits, whatever else there is.
CREATE INDEX approvals_that_ask ON approvals (opened_at) WHERE status = 'pending' OR effect = 'unknown';
CREATE INDEX approvals_decided ON approvals (decided_at) WHERE decided_at IS NOT NULL;
