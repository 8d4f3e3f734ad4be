-- One installation: its id tells two deployments on one Slack app apart; its key hashes argument values
-- in the audit log, so that the log proves what was run without holding secrets.
CREATE TABLE installation (
    only_one   boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    id         uuid NOT NULL DEFAULT gen_random_uuid(),
    audit_key  bytea NOT NULL DEFAULT uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
    created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO installation DEFAULT VALUES;

CREATE TABLE runs (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    agent      text NOT NULL,
    team_id    text NOT NULL,
    channel_id text NOT NULL,
    thread_ts  text NOT NULL,
    status     text NOT NULL DEFAULT 'queued'
               CHECK (status IN ('queued', 'running', 'waiting', 'done', 'failed', 'cancelled', 'stuck')),
    reason     text,
    fence      bigint NOT NULL DEFAULT 0,
    failures   integer NOT NULL DEFAULT 0,
    retry_at   timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (team_id, channel_id, thread_ts)
);
CREATE INDEX runs_unfinished ON runs (retry_at) WHERE status IN ('queued', 'running');

CREATE TABLE messages (
    id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    run_id       uuid NOT NULL REFERENCES runs,
    channel_id   text NOT NULL,
    ts           text NOT NULL,
    author_id    text NOT NULL,
    text         text NOT NULL,
    received_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Handed: its author counts as a requester. Delivered: the agent's saved thread holds it.
    handed_at    timestamptz,
    delivered_at timestamptz,
    -- Slack delivers one mention as two events, and each of them again when in doubt.
    UNIQUE (channel_id, ts)
);
CREATE INDEX messages_waiting ON messages (run_id, received_at) WHERE delivered_at IS NULL;

CREATE TABLE approvals (
    id                text PRIMARY KEY,
    run_id            uuid NOT NULL REFERENCES runs,
    agent             text NOT NULL,
    interrupt_id      text NOT NULL,
    slot              integer NOT NULL DEFAULT 0,
    checkpoint_ns     text NOT NULL,
    tool_call_id      text NOT NULL,
    tool              text NOT NULL,
    tool_hash         text NOT NULL,
    -- Text, not jsonb: these are the bytes that were hashed, and they are shown and run as they are.
    args_json         text NOT NULL,
    digest            text NOT NULL,
    rule              jsonb NOT NULL,
    rule_hash         text NOT NULL,
    claim             text NOT NULL,
    requesters        text[] NOT NULL,
    revision          integer NOT NULL DEFAULT 1,
    attempt           integer NOT NULL DEFAULT 1,
    status            text NOT NULL DEFAULT 'pending' CHECK (status IN
                      ('pending', 'approved', 'rejected', 'answered', 'expired', 'cancelled', 'superseded')),
    effect            text NOT NULL DEFAULT 'none'
                      CHECK (effect IN ('none', 'started', 'paused', 'done', 'failed', 'unknown')),
    effect_fence      bigint,
    effect_started_at timestamptz,
    effect_ended_at   timestamptz,
    result            text,
    replay            bytea,
    opened_at         timestamptz NOT NULL,
    expires_at        timestamptz NOT NULL,
    decided_at        timestamptz,
    decided_by        text,
    reason            text,
    settled_by        text,
    applied_at        timestamptz,
    replaces          text REFERENCES approvals,
    version           bigint NOT NULL DEFAULT 1,
    UNIQUE (run_id, interrupt_id, slot),
    UNIQUE (run_id, checkpoint_ns, tool_call_id),
    CHECK (effect = 'none' OR status = 'approved'),
    CHECK ((status = 'pending') = (decided_at IS NULL))
);
CREATE INDEX approvals_due ON approvals (expires_at) WHERE status = 'pending';
CREATE INDEX approvals_unapplied ON approvals (run_id) WHERE status <> 'pending' AND applied_at IS NULL;

CREATE TABLE votes (
    approval_id text NOT NULL REFERENCES approvals,
    revision    integer NOT NULL,
    attempt     integer NOT NULL,
    user_id     text NOT NULL,
    decision    text NOT NULL,
    reason      text,
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (approval_id, revision, attempt, user_id)
);

CREATE TABLE cards (
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    approval_id   text NOT NULL REFERENCES approvals,
    channel_id    text NOT NULL,
    thread_ts     text,
    ts            text,
    shown_version bigint NOT NULL DEFAULT 0,
    lease_token   uuid,
    lease_until   timestamptz,
    retry_at      timestamptz NOT NULL DEFAULT now(),
    failures      integer NOT NULL DEFAULT 0,
    failure       text,
    UNIQUE (approval_id, channel_id, thread_ts)
);
CREATE INDEX cards_of_approval ON cards (approval_id);

-- What the bot says in a run's thread: the agent's answers, and why a run ended. Same life as a card.
CREATE TABLE posts (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    run_id      uuid NOT NULL REFERENCES runs,
    key         text NOT NULL,
    kind        text NOT NULL CHECK (kind IN ('answer', 'notice')),
    text        text NOT NULL,
    ts          text,
    lease_until timestamptz,
    retry_at    timestamptz NOT NULL DEFAULT now(),
    failures    integer NOT NULL DEFAULT 0,
    failure     text,
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (run_id, key)
);
CREATE INDEX posts_waiting ON posts (retry_at) WHERE ts IS NULL;

CREATE TABLE audit_log (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    action      text NOT NULL,
    actor       text NOT NULL,
    door        text NOT NULL,
    run_id      uuid,
    approval_id text,
    revision    integer,
    attempt     integer,
    state_from  text,
    state_to    text,
    digest      text,
    args_mac    text,
    details     jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_log_of_approval ON audit_log (approval_id);

-- The hash chain over the log. Rows are linked by the clock, in an order of its own, because identity
-- numbers are given out before commit and so do not tell in which order rows became visible.
CREATE TABLE audit_links (
    link_no   bigint PRIMARY KEY,
    audit_id  bigint NOT NULL UNIQUE REFERENCES audit_log,
    prev_hash text NOT NULL,
    row_hash  text NOT NULL
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP;
END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_links_append_only BEFORE UPDATE OR DELETE ON audit_links
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_links_no_truncate BEFORE TRUNCATE ON audit_links EXECUTE FUNCTION refuse_change();
