-- An answer that appears while the agent still writes it is a draft of the post that it becomes. `ts` stays NULL until
-- Slack has the whole of it; who finds the row later can finish the message, or take it away.
ALTER TABLE posts
    -- growing: words still come. whole: `text` is all of it. withdrawn: it never became part of the conversation.
    ADD COLUMN draft     text CHECK (draft IN ('growing', 'whole', 'withdrawn')),
    ADD COLUMN draft_ts  text,
    -- Begun with chat.startStream: nothing may edit the message before that has been stopped.
    ADD COLUMN streaming boolean NOT NULL DEFAULT false,
    -- How many characters of what Slack is to show it has been sent.
    ADD COLUMN shown     integer NOT NULL DEFAULT 0;
CREATE INDEX posts_growing ON posts (run_id) WHERE draft = 'growing';
