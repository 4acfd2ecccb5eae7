import Type, { type Static } from 'typebox'
import { defineEndpoint } from '../schema/endpoint.ts'
import { JsonObject } from '../schema/words.ts'

const group = 'Panel: drafts'

export const DraftId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  expected: 'a UUID',
})

const Name = Type.String({ maxLength: 100, pattern: '\\S', expected: 'a name of 1 to 100 characters' })

const DraftLine = Type.Object({
  id: Type.String(),
  name: Type.String(),
  isNamed: Type.Boolean({ description: 'Somebody gave the name; otherwise it was made from the text.' }),
  version: Type.Integer({ description: 'Rises with every change.' }),
  updatedAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  updatedBy: Type.String({ description: 'The email address of who edited it last, as it was then.' }),
})
export type DraftLine = Static<typeof DraftLine>

const formFields = {
  formVersion: Type.Integer({ minimum: 1, description: 'Which form it is: a later panel reads the earlier ones.' }),
  form: Type.Record(Type.String(), Type.Unknown(), {
    expected: 'the form as an object',
    description: 'What the Send page holds, finished or not.',
  }),
}

const StoredDraft = Type.Object({ ...DraftLine.properties, ...formFields, form: JsonObject })
export type StoredDraft = Static<typeof StoredDraft>

const line = {
  id: '0b7f3c52-6a1d-4f8e-9c03-5d2e8a417b60',
  name: 'Spring sale',
  isNamed: true,
  version: 4,
  updatedAt: 1_794_700_800_000,
  updatedBy: 'sara@shop.example',
}
const params = Type.Object({ id: DraftId })
const example = { formVersion: 1, form: { product: 'message', content: 'The sale has started' } }

export const panelDrafts = defineEndpoint({
  summary: 'List the drafts of the app, the last edited first',
  group,
  answer: Type.Array(DraftLine),
  example: { answer: [line] },
})

export const panelDraft = defineEndpoint({
  summary: 'Read a draft',
  group,
  params,
  answer: StoredDraft,
  example: { params: { id: line.id }, answer: { ...line, ...example } },
})

export const panelSaveDraft = defineEndpoint({
  summary: 'Save a draft',
  description:
    '`version` is that of the draft as it was read; 0 makes a new one, under an id that the panel chooses. `editorId` is of the page that saves, for as long as it is open: its own saves are never in its way. When somebody else has saved it since, nothing is stored.',
  group,
  params,
  body: Type.Object({
    version: Type.Integer({ minimum: 0, maximum: 2_000_000_000 }),
    name: Name,
    isNamed: Type.Boolean(),
    editorId: DraftId,
    ...formFields,
  }),
  answer: DraftLine,
  example: {
    params: { id: line.id },
    body: { version: 3, name: line.name, isNamed: true, editorId: '6f1c9a2e-0d54-4b7b-8a5e-2c0d9e7f3b18', ...example },
    answer: line,
  },
})

export const panelRenameDraft = defineEndpoint({
  summary: 'Rename a draft',
  group,
  params,
  body: Type.Object({ name: Name }),
  answer: DraftLine,
  example: { params: { id: line.id }, body: { name: line.name }, answer: line },
})

export const panelDeleteDraft = defineEndpoint({
  summary: 'Delete a draft',
  group,
  params,
  answer: Type.Object({ id: Type.String(), name: Type.String() }),
  example: { params: { id: line.id }, answer: { id: line.id, name: line.name } },
})
