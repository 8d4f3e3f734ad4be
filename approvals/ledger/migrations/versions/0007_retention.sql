-- Runs that are over, and the audit log's beginning, are forgotten when the configuration says so.
CREATE INDEX runs_over ON runs (updated_at) WHERE status IN ('done', 'failed', 'cancelled', 'stuck');

-- Where the log was cut: the chain goes on from here. Each cut is also a row of the log itself.
CREATE TABLE audit_cuts (
    link_no  bigint PRIMARY KEY,
    row_hash text NOT NULL,
    cut_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Only the cut sets this, for its own transaction; what it removes is on record in audit_cuts and in the log.
    IF TG_OP = 'DELETE' AND current_setting('countersign.cutting', true) = 'on' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP;
END $$;
