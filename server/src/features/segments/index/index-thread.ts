import { parentPort, workerData } from 'node:worker_threads'
import { Replication } from '#base/store/replication/replication.ts'
import type { Tuple } from '#base/store/replication/tuple.ts'
import { applyChanges } from './apply-changes.ts'
import { lendBitmaps } from './columns/bitmap.ts'
import { countRows } from './count-rows.ts'
import { followedTables, Row } from './followed-tables.ts'
import type { Answers, FromIndex, IndexTask, Question } from './index-messages.ts'
import { listRows } from './list-rows.ts'
import { NotKept } from './not-kept.ts'
import { recentRows } from './recent-rows.ts'
import { SegmentData } from './segment-data.ts'

/** The thread of one app's index: fills it, follows what is committed, answers questions. Whatever fails ends it. */

const rowsBetweenLooks = 50_000
const statusEveryMs = 1_000
const askAgainMs = 10
/** Work for the questions to come is done a piece at a time: when nobody has asked for a moment, and rarely when somebody has. */
const prepareEveryMs = 10
const afterQuestionMs = 50
const atLeastEveryMs = 250
/** Of the memory that it may take, it prepares nothing with the rest. */
const preparedShare = 0.8
/** Who asked has gone to SQL long before. */
const forgetAfterMs = 5_000

const answerers = { count: countRows, list: listRows, recent: recentRows }

const task = workerData as IndexTask
const data = new SegmentData()
const replication = new Replication(task.address)
const waiting = new Set<Question & { untilMs: number }>()
let asking: NodeJS.Timeout | undefined
let preparing: NodeJS.Timeout | undefined
let answeredAtMs = 0
let preparedAtMs = 0
const post = (message: FromIndex) => parentPort?.postMessage(message)

parentPort?.on('message', (question: Question) => {
  if (isAnswerable(question)) return answer(question)
  waiting.add({ ...question, untilMs: performance.now() + forgetAfterMs })
  replication.askForPosition()
  asking ??= setInterval(askAgain, askAgainMs)
})

setInterval(tellStatus, statusEveryMs)
await replication.open()
await replication.copy(
  followedTables.map((table) => {
    const row = new Row(table.columns.map((_, index) => index))
    let rows = 0
    const onRow = (tuple: Tuple) => {
      row.tuple = tuple
      table.put(data, row)
      if (++rows % rowsBetweenLooks === 0) tellStatus()
    }
    return { query: `select ${table.columns.join(', ')} from ${table.name} where app_id = ${task.appId}`, onRow }
  }),
)
tellStatus()
post({ kind: 'ready' })
await replication.follow(task.publication, applyChanges(data, task.appId), answerWaiting)

function isAnswerable({ position }: Question): boolean {
  return position <= replication.position && !replication.isInTransaction
}

function answerWaiting(): void {
  for (const question of waiting) {
    if (!isAnswerable(question)) continue
    waiting.delete(question)
    answer(question)
  }
}

function askAgain(): void {
  const nowMs = performance.now()
  for (const question of waiting) if (question.untilMs < nowMs) waiting.delete(question)
  if (waiting.size > 0) {
    replication.askForPosition()
    return
  }
  clearInterval(asking)
  asking = undefined
}

function answer({ id, wants, conditions }: Question): void {
  let answer: Answers[keyof Answers] | undefined
  try {
    answer = lendBitmaps(() => answerers[wants](data, conditions))
  } catch (error) {
    if (!(error instanceof NotKept)) throw error
  }
  post({ kind: 'answer', id, answer })
  answeredAtMs = performance.now()
  preparing ??= setInterval(prepare, prepareEveryMs)
}

function prepare(): void {
  const nowMs = performance.now()
  const isAsked = waiting.size > 0 || nowMs - answeredAtMs < afterQuestionMs
  if (isAsked && nowMs - preparedAtMs < atLeastEveryMs) return
  preparedAtMs = nowMs
  if (readBytes() < task.mostBytes * preparedShare && data.prepare()) return
  clearInterval(preparing)
  preparing = undefined
}

function readBytes(): number {
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return arrayBuffers + heapUsed
}

function tellStatus(): void {
  const bytes = readBytes()
  if (bytes > task.mostBytes) {
    post({ kind: 'too-large' })
    throw new Error('The index needs more memory than it may have.')
  }
  post({ kind: 'status', position: replication.position, bytes, installations: data.installationCount })
}
