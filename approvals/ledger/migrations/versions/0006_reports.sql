-- One row for each report that was due, and one with no period for when its name was first read. The clock that takes
-- the row posts the report; what it has done is noted step by step, so that another clock can go on from there.
CREATE TABLE report_runs (
    id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name         text NOT NULL,
    period_start timestamptz NOT NULL,
    period_end   timestamptz NOT NULL,
    missed       integer NOT NULL DEFAULT 0,
    -- As it was in the configuration; the channel's id once Slack has told it.
    channel      text NOT NULL DEFAULT '',
    channel_id   text,
    begun_at     timestamptz NOT NULL DEFAULT now(),
    -- Set before Slack is asked to post it: with `ts` still empty it may or may not be there.
    posting_at   timestamptz,
    ts           text,
    -- Slack's ids of what goes into its thread; noted before Slack is asked to put it there.
    chart_file   text,
    csv_file     text,
    chart_done   boolean NOT NULL DEFAULT false,
    csv_done     boolean NOT NULL DEFAULT false,
    done_at      timestamptz,
    lease_token  uuid,
    lease_until  timestamptz,
    retry_at     timestamptz NOT NULL DEFAULT now(),
    failures     integer NOT NULL DEFAULT 0,
    failure      text,
    UNIQUE (name, period_end)
);
CREATE INDEX report_runs_open ON report_runs (name) WHERE done_at IS NULL;

-- They are in every report until somebody answers.
CREATE INDEX approvals_unknown ON approvals (effect_started_at) WHERE effect = 'unknown';
