-- What a card needs beyond the call itself: its form, which values are the tool's own, who spoke last, an answer.
ALTER TABLE approvals
    -- json, not jsonb: the order of the tool's own arguments is the order on card and form.
    ADD COLUMN args_schema json NOT NULL DEFAULT '{}',
    ADD COLUMN filled_in   text[] NOT NULL DEFAULT '{}',
    ADD COLUMN asked_by    text,
    ADD COLUMN response    text;
CREATE INDEX approvals_refused ON approvals (digest, decided_at) WHERE status = 'rejected';
CREATE INDEX approvals_pending_of_run ON approvals (run_id) WHERE status = 'pending';

-- What edits replaced. The row of the approval holds the newest revision.
CREATE TABLE revisions (
    approval_id text NOT NULL REFERENCES approvals,
    revision    integer NOT NULL,
    args_json   text NOT NULL,
    digest      text NOT NULL,
    edited_by   text NOT NULL,
    edited_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (approval_id, revision)
);

-- A reply that answered a question has reached the agent as that answer, and is no message beside it.
ALTER TABLE messages ADD COLUMN answered text REFERENCES approvals;

-- card: has the buttons. mirror: stands in the run's thread while the card is elsewhere. calls: no message yet,
-- stands for the direct messages of those who may decide until Slack has said who they are.
ALTER TABLE cards ADD COLUMN kind text NOT NULL DEFAULT 'card' CHECK (kind IN ('card', 'mirror', 'calls'));

-- vote, edit: new posts under a card that call those who may still decide; their words are made when they are sent.
ALTER TABLE posts
    DROP CONSTRAINT posts_kind_check,
    ADD CONSTRAINT posts_kind_check CHECK (kind IN ('answer', 'notice', 'vote', 'edit')),
    ADD COLUMN card_id uuid REFERENCES cards ON DELETE CASCADE;

-- One line per turn of a run that says what the agent does now. Same life as a card, but written often.
CREATE TABLE status_lines (
    message_id    uuid PRIMARY KEY REFERENCES messages,
    run_id        uuid NOT NULL REFERENCES runs,
    doing         text NOT NULL,
    began_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at      timestamptz,
    version       bigint NOT NULL DEFAULT 1,
    shown_version bigint NOT NULL DEFAULT 0,
    ts            text,
    lease_token   uuid,
    lease_until   timestamptz,
    retry_at      timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX status_lines_behind ON status_lines (retry_at) WHERE shown_version < version;
CREATE INDEX status_lines_of_run ON status_lines (run_id, began_at);
