-- What silence leads to, and when: each row happens once, if its approval still waits then. `unknown` is about an
-- effect of which nobody knows what came of it: it is called again every hour until somebody answers.
CREATE TABLE due (
    approval_id text NOT NULL REFERENCES approvals,
    attempt     integer NOT NULL DEFAULT 1,
    kind        text NOT NULL CHECK (kind IN ('remind', 'escalate', 'unknown')),
    step        integer NOT NULL,
    at          timestamptz NOT NULL,
    -- Set when it was looked at; `happened` tells whether the approval still waited.
    done_at     timestamptz,
    happened    boolean,
    PRIMARY KEY (approval_id, attempt, kind, step)
);
CREATE INDEX due_next ON due (at) WHERE done_at IS NULL;

ALTER TABLE approvals
    -- Sets of approvers that escalations added. The rule itself stays what was resolved when the call was made.
    ADD COLUMN escalated  jsonb NOT NULL DEFAULT '[]',
    ADD COLUMN extensions integer NOT NULL DEFAULT 0,
    -- An expired call that was asked again, while the agent still waited, has a newer row beside its own.
    ADD COLUMN round      integer NOT NULL DEFAULT 1,
    DROP CONSTRAINT approvals_run_id_interrupt_id_slot_key,
    DROP CONSTRAINT approvals_run_id_checkpoint_ns_tool_call_id_key,
    ADD CONSTRAINT approvals_one_per_question UNIQUE (run_id, interrupt_id, slot, round),
    ADD CONSTRAINT approvals_one_per_call UNIQUE (run_id, checkpoint_ns, tool_call_id, round);

ALTER TABLE posts
    DROP CONSTRAINT posts_kind_check,
    ADD CONSTRAINT posts_kind_check
        CHECK (kind IN ('answer', 'notice', 'vote', 'edit', 'remind', 'escalate', 'unknown'));

-- Pages to be sent: kept until the pager has taken them.
CREATE TABLE pages (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    approval_id text NOT NULL REFERENCES approvals,
    pager       text NOT NULL,
    key         text NOT NULL UNIQUE,
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    retry_at    timestamptz NOT NULL DEFAULT now(),
    lease_until timestamptz,
    sent_at     timestamptz,
    failures    integer NOT NULL DEFAULT 0,
    failure     text
);
CREATE INDEX pages_waiting ON pages (retry_at) WHERE sent_at IS NULL;

-- The emergency stop. At most one is in force.
CREATE TABLE freezes (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    frozen_by  text NOT NULL,
    reason     text,
    frozen_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    lifted_by  text,
    lifted_at  timestamptz
);
CREATE UNIQUE INDEX freezes_one_in_force ON freezes ((true)) WHERE lifted_at IS NULL;

-- Somebody wants the run to end. Its worker ends it between two steps, so that an effect that has begun reports.
ALTER TABLE runs
    ADD COLUMN cancel_asked_by text,
    ADD COLUMN cancel_asked_at timestamptz,
    ADD COLUMN cancel_reason   text,
    ADD COLUMN cancelled_at    timestamptz;
CREATE INDEX runs_to_cancel ON runs (id) WHERE cancel_asked_by IS NOT NULL;
