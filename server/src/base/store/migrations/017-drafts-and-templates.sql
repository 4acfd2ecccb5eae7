-- What members compose in the panel and have not sent. `body` is {formVersion, form}: the form is the panel's own. A save
-- names the version it is based on, and the open page it comes from (editor_id). Who edited it is kept as the address was
-- then: it stays when the member is gone.
create table send_drafts (
  app_id integer not null,
  draft_id uuid not null,
  name text not null,
  is_named boolean not null,
  body jsonb not null,
  version integer not null,
  editor_id uuid not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (app_id, draft_id)
);

-- Saved messages. `body` is what a send takes, without whom it goes to. By whom: a member's address, or a token's name.
create table message_templates (
  app_id integer not null,
  template_id text collate "C" not null,
  name text collate "C" not null,
  body jsonb not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (app_id, template_id),
  unique (app_id, name)
);
