ALTER TABLE approvals
    -- What the tool said that the call is about when it was asked; under the digest. NULL: the tool does not say, and
    -- then the digest is made as it was before there were any.
    ADD COLUMN fingerprint text;
