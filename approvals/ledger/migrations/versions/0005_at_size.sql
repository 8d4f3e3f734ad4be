-- What the sweep looks for must be found among a million approvals that wait, by an index or a queue of its own.

-- Cards whose approval may have moved on. Filled by the rows themselves, so that no verb can forget it; a card that
-- turns out to be in line leaves it.
-- A queue, not a record: without a foreign key, which five thousand that expire at once would each pay for.
CREATE TABLE cards_behind (approval_id text PRIMARY KEY);

CREATE FUNCTION approvals_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- DO UPDATE, because it locks the row: whoever tidies up must not take it away before this is committed.
    INSERT INTO cards_behind SELECT id FROM moved
        ON CONFLICT (approval_id) DO UPDATE SET approval_id = EXCLUDED.approval_id;
    RETURN NULL;
END $$;
CREATE TRIGGER approvals_moved AFTER UPDATE ON approvals REFERENCING NEW TABLE AS moved
    FOR EACH STATEMENT EXECUTE FUNCTION approvals_moved();

CREATE FUNCTION cards_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO cards_behind SELECT DISTINCT approval_id FROM changed JOIN approvals ON approvals.id = approval_id
        WHERE shown_version < version ON CONFLICT (approval_id) DO UPDATE SET approval_id = EXCLUDED.approval_id;
    RETURN NULL;
END $$;
CREATE TRIGGER cards_added AFTER INSERT ON cards REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION cards_changed();
CREATE TRIGGER cards_changed AFTER UPDATE ON cards REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION cards_changed();
INSERT INTO cards_behind SELECT DISTINCT approval_id FROM cards JOIN approvals ON approvals.id = approval_id
    WHERE shown_version < version;

CREATE INDEX approvals_started ON approvals (run_id) WHERE effect = 'started';

-- Audit rows without a link in the hash chain: looking for them in the log itself would read all of it each time.
CREATE TABLE audit_unlinked (audit_id bigint PRIMARY KEY);
CREATE FUNCTION audit_to_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO audit_unlinked SELECT id FROM added;
    RETURN NULL;
END $$;
CREATE TRIGGER audit_to_link AFTER INSERT ON audit_log REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION audit_to_link();
INSERT INTO audit_unlinked SELECT id FROM audit_log
    WHERE NOT EXISTS (SELECT 1 FROM audit_links WHERE audit_id = audit_log.id);
