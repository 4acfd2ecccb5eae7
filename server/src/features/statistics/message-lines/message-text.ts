import sql from 'sql-template-tag'

const shownCharacters = 200

/** The words by which a person knows a message `m`: its title, else its text. */
export const messageText = sql`left(coalesce(
  nullif(m.body -> 'notification' ->> 'title', ''), nullif(m.body ->> 'content', ''), nullif(m.body -> 'notification' ->> 'body', ''),
  m.body ->> 'alertText'), ${shownCharacters})`
